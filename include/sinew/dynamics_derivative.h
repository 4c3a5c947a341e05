// Analytic derivatives of the smooth dynamics, and what is linear in inertial parameters and in momentum.
//
// All functions are called after sn_forward (or sn_fwdPosition and sn_fwdVelocity), of which they read
// positions, velocities and the factor of M; they write their results alone. Derivatives by position are by
// the tangent dq [nv] of sn_integratePos: of a hinge or slide its coordinate, of a free joint a translation
// in world axes, then a rotation in the body's axes, of a ball a rotation in the body's axes. Matrices are
// dense, row by row; the columns are dofs, unless said otherwise. A result may be NULL: not wanted. None
// allocates: scratch comes from the arena. A function with an error returns SN_STATUS_NO_MEMORY when that is
// full, results are then as they were. Contacts, limits, friction loss, equalities and loops have no part in
// this; spring, damper, fluid, actuator and applied forces only where a function says so.
//
// Derivatives of a whole step, constraints included, are sn_transitionDerivative's.
#ifndef SINEW_DYNAMICS_DERIVATIVE_H
#define SINEW_DYNAMICS_DERIVATIVE_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Derivatives of inverse dynamics tau = M(q) a + bias(q, v) at the acceleration qacc [nv], which is held:
/// Dq [nv x nv] = dtau/dq, Dv [nv x nv] = dtau/dqvel, and M [nv x nv] = dtau/da, armature included.
/// The bias has gravity, Coriolis and centrifugal forces and what goes with the armature of tendons.
/// Reads: cdof, cdof_dot, cinert, cvel, qvel, opt.gravity, qM.
/// Errors: SN_STATUS_UNSUPPORTED for armature of a tendon around geoms.  Cost: O(nv depth + nv^2).
/// Source: Carpentier and Mansard 2018, "Analytical derivatives of rigid body dynamics algorithms"; Echeandia
/// and Wensing 2021 (Coriolis matrices of bodies).
SN_API snStatus sn_rneDerivative(const snModel* m, snData* d, const double* qacc, double* Dq, double* Dv,
                                 double* M, snError* error);

/// Derivatives of forward dynamics a = inv(M) (tau - bias), the generalized force tau held: Dq [nv x nv] =
/// da/dq, Dv [nv x nv] = da/dqvel, Dtau [nv x nv] = da/dtau = inv(M).
/// qacc [nv]: the acceleration a that tau gives; NULL: qacc_smooth, with tau all forces but bias and
/// constraints. Forces that hang on q or v add inv(M) times their own derivative.
/// Reads: what sn_rneDerivative reads, qLD.
/// Errors: as sn_rneDerivative; SN_STATUS_UNSUPPORTED when qacc is NULL and there are loops held exactly,
/// whose qacc_smooth is not this a.  Cost: O(nv^2 depth). Source: Carpentier and Mansard 2018.
SN_API snStatus sn_forwardDynamicsDerivative(const snModel* m, snData* d, const double* qacc, double* Dq,
                                             double* Dv, double* Dtau, snError* error);

/// Minv [nv x nv] = inv(M), from M = L'DL: row by row from the root, L Minv = inv(D) inv(L'), whose right
/// side is zero below its diagonal. Armature included.  Reads: qLD, qLDiagInv.  Cost: O(nv^2 depth), a few
/// numbers an entry; nothing for dofs of different trees.
SN_API void sn_inverseInertia(const snModel* m, const snData* d, double* Minv);

/// Derivative of the gravity force g(q), the bias at rest: Dq [nv x nv] = dg/dq, the second derivative of the
/// potential energy of gravity. Symmetric but for rotations of one ball or free joint among themselves, whose
/// tangents do not commute. SN_DSBL_GRAVITY: zero.
/// Reads: cdof, crb, opt.gravity.  Cost: O(nv depth + nv^2).
SN_API void sn_gravityDerivative(const snModel* m, const snData* d, double* Dq);

/// Inertial parameters pi [nbody x 10] of the model's bodies, about origin and axes of the body frame: mass
/// m, first moment m c (3), inertia about the origin Ixx Iyy Izz Ixy Ixz Iyz.
SN_API void sn_inertialParameters(const snModel* m, double* pi);

/// Regressor of inverse dynamics: Y [nv x (10 nbody)] with M a + bias = Y pi + armature a, pi of
/// sn_inertialParameters; armature is that of dofs and tendons. The columns of bodies that no dof moves are
/// 0. Reads: cdof, cdof_dot, cvel, xpos, xmat, qvel, qacc [nv], opt.gravity.  Cost: O(nbody depth + nv
/// nbody).
SN_API snStatus sn_rneRegressor(const snModel* m, snData* d, const double* qacc, double* Y, snError* error);

/// Regressors of energy, [10 nbody] each: kinetic energy = kinetic' pi + that of armature, potential energy
/// of gravity = potential' pi.  Reads: cvel, xpos, xmat, opt.gravity.  Cost: O(nbody).
SN_API void sn_energyRegressor(const snModel* m, const snData* d, double* kinetic, double* potential);

/// Derivatives of energy, [nv] each: of the potential energy by q (gravity and the springs of joints and
/// tendons, as energy[0]), of the kinetic energy qvel' M qvel / 2 by q and by qvel.
/// Reads: cdof, cdof_dot, crb, cinert, cvel, qvel, qM, qfrc_spring, opt.gravity.
/// Errors: SN_STATUS_UNSUPPORTED for the springs of loop joints (potential_q) and armature of tendons
/// around geoms (kinetic_q).  Cost: O(nv depth + nbody).
SN_API snStatus sn_energyDerivative(const snModel* m, snData* d, double* potential_q, double* kinetic_q,
                                    double* kinetic_v, snError* error);

/// Momentum of the subtree of `body` (0: of everything) about its centre of mass, world axes, angular part
/// first: h [6] = A qvel, A [6 x nv] the centroidal momentum matrix, h and A from cdof, crb, cvel. The linear
/// rows of A over the subtree's mass are the Jacobian of the centre of mass (sn_jacSubtreeCom).
/// Cost: O(nv depth + nbody).
SN_API void sn_centroidalMomentum(const snModel* m, const snData* d, int body, double* A, double h[6]);

/// Derivatives [6 x nv] of that momentum and of its rate under qacc [nv], without gravity: h_q = dh/dq,
/// hdot_q = dh'/dq, hdot_v = dh'/dqvel; dh/dqvel and dh'/dqacc are A. hdot [6]: the rate itself. qacc may be
/// NULL when nothing but h_q is wanted. The centre of mass that h refers to moves along. Linear rows over the
/// subtree's mass are the derivatives of velocity and acceleration of the centre of mass. Reads: cdof,
/// cdof_dot, cinert, cvel, qvel.  Cost: O(nv depth + nbody).
SN_API snStatus sn_centroidalDerivative(const snModel* m, snData* d, int body, const double* qacc,
                                        double* h_q, double* hdot_q, double* hdot_v, double hdot[6],
                                        snError* error);

/// Second derivative of the centre of mass of the subtree of `body`: H [3 x nv x nv], H(r, i, k) = d J(r,
/// i)/dq_k with J of sn_jacSubtreeCom.  Reads: cdof, crb.  Cost: O(nv depth + nv^2).
SN_API void sn_subtreeComHessian(const snModel* m, const snData* d, int body, double* H);

#ifdef __cplusplus
}
#endif
#endif
