// Constraint rows and their solution (seed 001, "Constraint model" and "Solver").
//
// All constraints are rows of one Jacobian J. The solver finds the acceleration that minimises
//     1/2 (a - qacc_smooth)' M (a - qacc_smooth) + s(J a - aref),
// where s is, row by row, a quadratic with weight D = 1/R that limits and contacts have on their negative
// side only and that dry friction continues linearly (seed 001, (8)). The rows of an elliptic contact have
// one s together: half the squared distance, by D, of their residual from the polar of the cone. The force of
// a row is -s'.
#ifndef SINEW_CONSTRAINT_H
#define SINEW_CONSTRAINT_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Rows of all active constraints, in the order equality, dry friction, limits, contacts.
///
/// A connect has three rows, the distance of its points along the world's axes; a weld three more, the vector
/// part of the quaternion between its frames times its torque scale; a joint or tendon equality one. One
/// whose bodies are both static or move as one has none. A limit is active while its distance is below
/// jnt_margin. A contact of condim 1 has one row. One of condim n > 1 has with pyramidal cones the 2 (n - 1)
/// edges, normal +- friction[k] times tangent k; with elliptic ones n rows, the components of the relative
/// velocity in the contact frame, normal first, whose friction rows have position and stiffness 0, damping by
/// solreffriction, and R_k friction[k]^2 the same for all k. Only rows of contacts with exclude = 0 exist.
/// Honours the disable flags constraint, equality, frictionloss, limit, contact, refsafe, and impratio.
///
/// Reads: qpos, eq_active, poses, subtree_com, cdof (sn_comPos), tendons, contact (sn_collision).
/// Writes: ne, nf, nl, nefc and in the arena efc_type, efc_id, efc_J and where its numbers are,
/// efc_pos, efc_margin, efc_frictionloss, efc_diagApprox, efc_KBIP, efc_D, efc_R, all other efc arrays zero;
/// contact.mu, contact.efc_address (-1: no rows), contact.exclude (3: neither body moves, or both as one).
/// Rows of an earlier call are dropped. Rows that do not fit in the arena are left out, constraint by
/// constraint, and SN_WARN_CNSTRFULL is counted. Cost: O(nJ), the numbers of efc_J.  Source: seed 001, stages
/// 9 and 11; impedance and reference in "Parameters".
SN_API void sn_makeConstraint(const snModel* m, snData* d);

/// Velocity of the rows and the acceleration they aim for: efc_vel = J qvel,
/// efc_aref = -B efc_vel - K d (efc_pos - efc_margin), with K, B, d from efc_KBIP. Contacts: surfacevel is
/// part of efc_vel, and R adhesion of the normal's efc_aref. Cost: O(nJ).  Source: seed 001, stage 17.
SN_API void sn_referenceConstraint(const snModel* m, snData* d);

/// Forward dynamics with constraints: the minimiser above, by the method that opt.solver names.
///
/// Newton: primal, exact Hessian (of elliptic cones too) and exact line search. CG: primal, the direction of
/// Polak and Ribiere preconditioned by the inertia, the same line search. PGS: projected Gauss-Seidel on the
/// dual (seed 001, (9)), row by row and elliptic contact by contact. Then opt.noslip_iterations sweeps of the
/// dual over dry and contact friction, without R, until their improvement is below opt.noslip_tolerance.
///
/// Starts from qacc_warmstart or qacc_smooth, whichever costs less (flag warmstart off: qacc_smooth). Trees
/// that rows couple form islands, each solved alone (flag island off: all at once); a tree without rows keeps
/// qacc_smooth to the bit. Newton and CG stop when the norm of the gradient, scaled by 1 / (stat.meaninertia
/// nv), is below opt.tolerance, or when steps gain nothing: no row changes its state, the improvement, in the
/// same scale, is below opt.tolerance, and the gradient does not fall. PGS starts from the forces of
/// qacc_warmstart or from zero; its sweeps go over all islands together, until the improvement of one is
/// below opt.tolerance. All stop after opt.iterations.
///
/// If M is not positive definite there is no minimum. Pivots of M below SN_MINVAL count as SN_MINVAL, along
/// those of the Hessian nothing moves, SN_WARN_INERTIA is counted, and the solver ends somewhere downhill, at
/// accelerations that may be huge.
///
/// Reads: qM, qLD, qLDiagInv (sn_factorM), qacc_smooth (sn_fwdAcceleration), qacc_warmstart, all rows.
/// Writes: qacc, qfrc_constraint [nv], efc_force, efc_state [nefc], solver, solver_niter (the most of an
/// island; statistics of islands add up); solver_residual, the scaled gradient M (qacc - qacc_smooth) - J' f
/// at the qacc that is accepted, f the forces of that qacc (after PGS: those of sn_constraintUpdate), and
/// noslip_residual, J' of what each row and contact alone would move in a next sweep, scaled alike, both the
/// largest of an island; their _max, the largest since sn_resetData. Without rows qacc = qacc_smooth. Takes
/// scratch from the arena; an island for which there is none, or with PGS all of them, goes on without
/// constraint forces and SN_WARN_CNSTRFULL is counted. The same state gives the same bits. Cost: O(k^3 + nefc
/// k^2) an iteration and island at most, k the dofs that rows touch and their ancestors; the factorisation
/// keeps the sparsity of the tree. PGS and noslip: a sweep costs nAblock, the 4x4 blocks of J inv(M) J'
/// between rows that move a common kinematic tree (as stored, four rows a time; 0 after Newton and CG alone),
/// which take 132 bytes of scratch each.  Source: seed 001, stage 21, (8), (9), "Algorithms".
SN_API void sn_fwdConstraint(const snModel* m, snData* d);

/// Forces of given residuals, without solving. jar [nefc] = J qacc - aref.
/// Writes: efc_state, efc_force, qfrc_constraint; *cost (may be NULL) gets the constraint cost s(jar).
/// Cost: O(nJ).  Source: seed 001, (8).
SN_API void sn_constraintUpdate(const snModel* m, snData* d, const double* jar, double* cost);

/// The constraint Jacobian as a dense array J [nefc x nv]. Row r of efc_J has the numbers efc_J_rowadr[r] and
/// on, efc_J_rownnz[r] of them, of the dofs efc_J_colind[efc_J_coladr[r]] and on. Cost: O(nefc nv).
SN_API void sn_efcJ(const snModel* m, const snData* d, double* J);
/// The constraint Jacobian by rows: row r has rownnz[r] numbers from rowadr[r] on, of the dofs in colind,
/// ascending. Of connects, welds and contacts these are all dofs that move one of the bodies; those that move
/// both alike, which row groups leave out, have 0. Returns how many numbers there are; colind and J NULL: no
/// more than rownnz, rowadr [nefc]. Cost: O(numbers).
SN_API int sn_sparseJ(const snModel* m, const snData* d, int* rownnz, int* rowadr, int* colind, double* J);
/// result [nefc] = J vec, vec [nv]. result must not overlap vec. Cost: O(nJ).
SN_API void sn_mulJacVec(const snModel* m, const snData* d, double* result, const double* vec);
/// result [nv] = J' vec, vec [nefc]. result must not overlap vec.
SN_API void sn_mulJacTVec(const snModel* m, const snData* d, double* result, const double* vec);

/// The matrix of the dual problem, J inv(M) J' + R, dense: AR [nefc x nefc], symmetric. PGS and noslip make
/// the parts of it that are not zero for themselves (nAblock). M is that of the independent dofs where closed
/// loops are (loop.h). Reads: all rows, qLD, qLDiagInv. Takes scratch from the arena; false when there is too
/// little. Cost: O(nefc^2 k), k the dofs that move a row. Source: seed 001, (9).
SN_API bool sn_projectConstraint(const snModel* m, snData* d, double* AR);
/// Which numbers of it may differ from zero: row r has rownnz[r] columns from rowadr[r] on, in colind,
/// ascending: the rows that move a common kinematic tree. Returns how many there are, -1 when the arena has
/// too little scratch; colind NULL: no more than rownnz, rowadr [nefc]. Cost: O(nefc^2 ntree / 64).
SN_API int sn_projectedRows(const snModel* m, snData* d, int* rownnz, int* rowadr, int* colind);

/// Hessian of the cost of an elliptic contact by the residuals of its rows where its force is on the cone: H
/// [dim x dim], from jar [dim] = J qacc - aref of its rows. All zero elsewhere, and of contacts that are not
/// elliptic or have no rows. Source: seed 001, (8).
SN_API void sn_contactHessian(const snData* d, const snContact* contact, const double* jar, double* H);

#ifdef __cplusplus
}
#endif
#endif
