// Functions of a computed state that users call: products with M, Jacobians, velocities of objects, forces at
// points, quaternion coordinates.
#ifndef SINEW_SUPPORT_H
#define SINEW_SUPPORT_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Dense M [nv x nv] from a sparse one in the layout of qM.
SN_API void sn_fullM(const snModel* m, const double* M, double* dense);
/// result [nv] = M vec.
SN_API void sn_mulM(const snModel* m, const snData* d, double* result, const double* vec);
/// x [n x nv] = inv(M) y, row by row, with qLD.
SN_API void sn_solveM(const snModel* m, const snData* d, double* x, const double* y, int n);
/// Half solve: x [n x nv] = inv(sqrt(D)) inv(L') y, so that x x' = y inv(M) y'.
SN_API void sn_solveM2(const snModel* m, const snData* d, double* x, const double* y, int n);
/// Jacobians [3 x nv] of a world point fixed in body `body`: translation and rotation; either may be NULL.
SN_API void sn_jac(const snModel* m, const snData* d, double* jacp, double* jacr, const double point[3],
                   int body);
SN_API void sn_jacBody(const snModel* m, const snData* d, double* jacp, double* jacr, int body);
SN_API void sn_jacBodyCom(const snModel* m, const snData* d, double* jacp, double* jacr, int body);
SN_API void sn_jacSubtreeCom(const snModel* m, snData* d, double* jacp, int body);
SN_API void sn_jacGeom(const snModel* m, const snData* d, double* jacp, double* jacr, int geom);
SN_API void sn_jacSite(const snModel* m, const snData* d, double* jacp, double* jacr, int site);
/// Jacobian of a point and of an axis, both fixed in `body`.
SN_API void sn_jacPointAxis(const snModel* m, snData* d, double* jacPoint, double* jacAxis,
                            const double point[3], const double axis[3], int body);
/// Velocity [6], rotation first, of an object (snObjType body, xbody, geom, site, camera) at its frame
/// origin, in world axes or (flg_local) its own.
SN_API void sn_objectVelocity(const snModel* m, const snData* d, int objtype, int objid, double res[6],
                              int flg_local);
/// Acceleration as sn_objectVelocity, gravity included; needs sn_rnePostConstraint.
SN_API void sn_objectAcceleration(const snModel* m, const snData* d, int objtype, int objid, double res[6],
                                  int flg_local);
/// Contact force [6] in the contact frame: force (normal first), torque. Zero when the contact has no rows.
SN_API void sn_contactForce(const snModel* m, const snData* d, int contact, double result[6]);
/// Adds to qfrc_target [nv] the generalized force of a force and a torque (either may be NULL) at a world
/// point of a body.
SN_API void sn_applyFT(const snModel* m, const snData* d, const double force[3], const double torque[3],
                       const double point[3], int body, double* qfrc_target);
/// qvel [nv] = (qpos2 - qpos1)/dt, and qpos += qvel dt, in the coordinates of the joints.
SN_API void sn_differentiatePos(const snModel* m, double* qvel, double dt, const double* qpos1,
                                const double* qpos2);
SN_API void sn_integratePos(const snModel* m, double* qpos, const double* qvel, double dt);
/// Normalises all quaternions in qpos.
SN_API void sn_normalizeQuat(const snModel* m, double* qpos);
/// Total mass.
SN_API double sn_getTotalmass(const snModel* m);

#ifdef __cplusplus
}
#endif
#endif
