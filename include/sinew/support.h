// Functions of a computed state that users call: products with M, Jacobians, velocities of objects, forces at
// points, quaternion coordinates.
//
// "Computed" is after sn_fwdPosition (or sn_forward); velocities need sn_fwdVelocity as well. Matrices are
// row-major. None allocates; ids must be in range.
#ifndef SINEW_SUPPORT_H
#define SINEW_SUPPORT_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Dense symmetric matrix [nv x nv] from a sparse one [nM] in the layout of qM.
SN_API void sn_fullM(const snModel* m, const double* M, double* dense);

/// The lower triangle by rows, as M_rownnz, M_rowadr and M_colind have it, of a matrix in the layout of qM: M
/// [nC].
SN_API void sn_sparseM(const snModel* m, const double* qM, double* M);
/// The same of a factor in the layout of qLD.
SN_API void sn_sparseLD(const snModel* m, const double* qLD, double* LD);

/// dst += M, the lower triangle alone. dst is dense [nv x nv] when rownnz, rowadr and colind are NULL; else
/// sparse: row i has rownnz[i] entries from rowadr[i] on, with ascending columns in colind, among them all of
/// row i of M. Reads: qM.  Cost: O(nM), sparse O(entries).
SN_API void sn_addM(const snModel* m, const snData* d, double* dst, const int* rownnz, const int* rowadr,
                    const int* colind);

/// result [nv] = M vec [nv]. The two may not overlap.  Cost: O(nv depth).
SN_API void sn_mulM(const snModel* m, const snData* d, double* result, const double* vec);

/// x [n x nv] = inv(M) y [n x nv], row by row, with qLD of sn_factorM. x may be y.  Cost: O(n nv depth).
SN_API void sn_solveM(const snModel* m, const snData* d, double* x, const double* y, int n);

/// Half solve, row by row: x = inv(sqrt(D)) inv(L') y, so that x x' = y inv(M) y'. x may be y.
SN_API void sn_solveM2(const snModel* m, const snData* d, double* x, const double* y, int n);

/// result [nv] = sqrt(D) L vec, M = L'DL: result' result = vec' M vec. The two may not overlap.
SN_API void sn_mulM2(const snModel* m, const snData* d, double* result, const double* vec);

/// Jacobians [3 x nv] of a world point fixed in `body`: jacp qvel is its velocity, jacr qvel the body's
/// angular velocity, world. Either may be NULL.  Cost: O(nv).
SN_API void sn_jac(const snModel* m, const snData* d, double* jacp, double* jacr, const double point[3],
                   int body);
/// sn_jac at the body's origin.
SN_API void sn_jacBody(const snModel* m, const snData* d, double* jacp, double* jacr, int body);
/// sn_jac at the body's centre of mass.
SN_API void sn_jacBodyCom(const snModel* m, const snData* d, double* jacp, double* jacr, int body);
/// Jacobian [3 x nv] of the centre of mass of the subtree of `body`.  Cost: O(nbody depth).
SN_API void sn_jacSubtreeCom(const snModel* m, snData* d, double* jacp, int body);
/// sn_jac at a geom's origin.
SN_API void sn_jacGeom(const snModel* m, const snData* d, double* jacp, double* jacr, int geom);
/// sn_jac at a site's origin.
SN_API void sn_jacSite(const snModel* m, const snData* d, double* jacp, double* jacr, int site);
/// Jacobians [3 x nv] of a world point and of a world axis, both fixed in `body`. Either may be NULL.
SN_API void sn_jacPointAxis(const snModel* m, snData* d, double* jacPoint, double* jacAxis,
                            const double point[3], const double axis[3], int body);

/// Rates of the Jacobians of sn_jac as the body moves with qvel: J' such that d(J qvel)/dt = J' qvel + J
/// qacc. Either may be NULL. Needs cvel, cdof_dot.  Cost: O(nv).
SN_API void sn_jacDot(const snModel* m, const snData* d, double* jacp, double* jacr, const double point[3],
                      int body);
/// mat [3 x nv]: mat qvel is the angular momentum of the subtree of `body` about its centre of mass, world
/// (subtree_angmom). Needs crb.  Cost: O(nv depth).
SN_API void sn_angmomMat(const snModel* m, const snData* d, double* mat, int body);

/// Velocity [6], rotation first, of an object at its frame's origin, in world axes or (flg_local) its own.
/// objtype: SN_OBJ_BODY (the inertial frame), XBODY, GEOM, SITE or CAMERA.
SN_API void sn_objectVelocity(const snModel* m, const snData* d, int objtype, int objid, double res[6],
                              int flg_local);

/// Acceleration as sn_objectVelocity, of the moving point itself (with w x v), gravity included: at rest it
/// points up. Zero for static bodies. Needs sn_rnePostConstraint.
SN_API void sn_objectAcceleration(const snModel* m, const snData* d, int objtype, int objid, double res[6],
                                  int flg_local);

/// Whether a contact has rows: dim, efc_address and where it is counted are such as collision and
/// constraints make them. Cost: O(1).
SN_API bool sn_contactHasRows(const snData* d, const snContact* contact);

/// Contact force [6] in the contact frame on the body of its second geom: force (normal first), then torque.
/// Zero when the contact has no rows or does not exist. Needs efc_force of sn_fwdConstraint.
SN_API void sn_contactForce(const snModel* m, const snData* d, int contact, double result[6]);

/// Adds to qfrc_target [nv] the generalized force of a force and a torque (world; either may be NULL) at a
/// world point of a body.  Cost: O(depth).
SN_API void sn_applyFT(const snModel* m, const snData* d, const double force[3], const double torque[3],
                       const double point[3], int body, double* qfrc_target);

/// qvel [nv] = (qpos2 - qpos1)/dt in the coordinates of the joints: for quaternions the rotation vector of
/// conj(q1) q2, angle at most pi. qpos1 has unit quaternions. Undoes sn_integratePos.
SN_API void sn_differentiatePos(const snModel* m, double* qvel, double dt, const double* qpos1,
                                const double* qpos2);

/// qpos [nq] moves with velocity qvel [nv] for a time dt; quaternions turn exactly and stay unit.
SN_API void sn_integratePos(const snModel* m, double* qpos, const double* qvel, double dt);

/// Normalises all quaternions in qpos [nq]; one shorter than SN_MINVAL becomes the identity.
SN_API void sn_normalizeQuat(const snModel* m, double* qpos);

/// A frame that is fixed in a body: world position xpos and rotation matrix xmat (either may be NULL) of pos,
/// quat in the body's frame. sameframe (snSameFrame) says what is known to coincide, so that it is copied:
/// with the body's frame or its inertial frame, or only the orientations.
SN_API void sn_local2Global(const snData* d, double xpos[3], double xmat[9], const double pos[3],
                            const double quat[4], int body, int sameframe);

/// Sum of all body masses (kg).
SN_API double sn_getTotalmass(const snModel* m);
/// Scales masses and inertias of all bodies so that the sum becomes newmass. Call sn_setConst afterwards.
SN_API void sn_setTotalmass(snModel* m, double newmass);

#ifdef __cplusplus
}
#endif
#endif
