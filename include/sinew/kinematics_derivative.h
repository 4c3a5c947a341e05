// Derivatives of where a point of a body is, how it is turned, how fast it moves and accelerates.
//
// By the tangent dq [nv] of sn_integratePos, qvel and qacc; columns in the order of dofs. A frame is that of
// an object (SN_OBJ_BODY, the inertial frame; XBODY, GEOM, SITE, CAMERA), at its origin or at another world
// point that is held fixed in the object's body. Matrices are row-major and dense; an output that is NULL is
// not wanted. Vectors are in world axes or (flg_local) in the object's, whose turning counts then. Velocities
// and accelerations are [6], rotation first. None allocates; SN_STATUS_ARGUMENT: no such object.
// SN_STATUS_UNSUPPORTED: a camera that follows something is not fixed in its body.
#ifndef SINEW_KINEMATICS_DERIVATIVE_H
#define SINEW_KINEMATICS_DERIVATIVE_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// First and second derivatives of the position and orientation of an object.
/// jacp, jacr [3 x nv]: velocity of the point and angular velocity of the object by qvel, as sn_jac.
/// Hp, Hr [3 x nv x nv]: Hp[(r nv + k) nv + i] = d jacp[r,k] / dq_i, Hr likewise of jacr. In world axes Hp is
/// symmetric in k, i but within a ball joint and within the rotations of a free one, whose tangents do not
/// commute; Hr is 0 where i is below k, so never symmetric; with flg_local neither is.
/// point [3]: a world point that moves with the object's body; NULL: the object's origin.
/// Needs sn_fwdPosition.  Cost: O(depth^2) and clearing the outputs.
SN_API snStatus sn_objectPoseDerivative(const snModel* m, const snData* d, int objtype, int objid,
                                        const double* point, int flg_local, double* jacp, double* jacr,
                                        double* Hp, double* Hr, snError* error);

/// Derivatives q, v [6 x nv] of the velocity of an object (sn_objectVelocity) by position and velocity.
/// Needs sn_fwdVelocity.  Cost: O(depth) and clearing the outputs.
SN_API snStatus sn_objectVelocityDerivative(const snModel* m, const snData* d, int objtype, int objid,
                                            const double* point, int flg_local, double* q, double* v,
                                            snError* error);

/// Derivatives q, v, a [6 x nv] of the acceleration of an object, that of the moving point itself, by
/// position, velocity and qacc. flg_gravity: with gravity as an upward acceleration, as sn_objectAcceleration
/// has it; it shows in local axes only. Reads qvel and qacc.  Needs sn_fwdVelocity and qacc.
/// Cost: O(depth) and clearing the outputs.
SN_API snStatus sn_objectAccelerationDerivative(const snModel* m, const snData* d, int objtype, int objid,
                                                const double* point, int flg_local, int flg_gravity,
                                                double* q, double* v, double* a, snError* error);

#ifdef __cplusplus
}
#endif
#endif
