// Quaternions and poses as flat arrays: what controllers and tests need around a simulation.
//
// Quaternions are w x y z and of unit length where nothing else is said; matrices are row-major. Outputs come
// first and may be the inputs. A pose is a position and a quaternion and takes vectors of its frame to the
// frame around: x = pos + rotate(quat, x').
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// res = vec rotated by quat.
SN_API void sn_rotVecQuat(double res[3], const double vec[3], const double quat[4]);
/// Conjugate: the opposite rotation.
SN_API void sn_negQuat(double res[4], const double quat[4]);
/// Product: first quat2, then quat1.
SN_API void sn_mulQuat(double res[4], const double quat1[4], const double quat2[4]);
/// quat (0, axis).
SN_API void sn_mulQuatAxis(double res[4], const double quat[4], const double axis[3]);
/// Rotation by an angle (rad) about a unit axis.
SN_API void sn_axisAngle2Quat(double res[4], const double axis[3], double angle);
/// Angular velocity (rad/s) that makes the rotation in the time dt; the angle is at most pi.
SN_API void sn_quat2Vel(double res[3], const double quat[4], double dt);
/// Rotation vector (rad), in the frame of qb, that leads from qb to qa: qa = qb exp(res).
SN_API void sn_subQuat(double res[3], const double qa[4], const double qb[4]);
/// Rotation matrix.
SN_API void sn_quat2Mat(double res[9], const double quat[4]);
/// Quaternion of a rotation matrix.
SN_API void sn_mat2Quat(double quat[4], const double mat[9]);
/// Quaternion of the rotation nearest to any matrix, found from the rotation `quat`; returns how many
/// iterations it took, 500 at most. Source: Mueller et al. 2016, "A robust method to extract the rotational
/// part of deformations".
SN_API int sn_mat2Rot(double quat[4], const double mat[9]);
/// Rate of a quaternion under an angular velocity in the frame around (rad/s).
SN_API void sn_derivQuat(double res[4], const double quat[4], const double vel[3]);
/// quat turns with an angular velocity in its own frame (rad/s) for a time `scale` (s); it comes out unit.
SN_API void sn_integrateQuat(double quat[4], const double vel[3], double scale);
/// Shortest rotation that takes the z axis to a vector; the identity for a vector of length 0.
SN_API void sn_quatZ2Vec(double quat[4], const double vec[3]);
/// Rotation by three angles (rad) about the axes that `seq` names: xyz moving, XYZ fixed axes. False, and the
/// identity, when seq is not three of these letters.
SN_API int sn_euler2Quat(double quat[4], const double euler[3], const char* seq);

/// Product of poses: (pos1, quat1) takes the frame of (pos2, quat2) to the frame around.
SN_API void sn_mulPose(double posres[3], double quatres[4], const double pos1[3], const double quat1[4],
                       const double pos2[3], const double quat2[4]);
/// The opposite pose.
SN_API void sn_negPose(double posres[3], double quatres[4], const double pos[3], const double quat[4]);
/// res = pos + vec rotated by quat.
SN_API void sn_trnVecPose(double res[3], const double pos[3], const double quat[4], const double vec[3]);
/// A spatial velocity or (flg_force) force [6], rotation first, about another point and, unless rotnew2old
/// [9] is NULL, in other axes.
SN_API void sn_transformSpatial(double res[6], const double vec[6], int flg_force, const double newpos[3],
                                const double oldpos[3], const double* rotnew2old);

#ifdef __cplusplus
}
#endif
#endif
