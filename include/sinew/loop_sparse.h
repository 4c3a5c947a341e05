// Accelerations of bodies and loops in maximal coordinates (seed 002, section 8.13; Featherstone 2008, 8.13).
//
// The unknowns are the accelerations a of all moving bodies and the forces lambda of all joints, those of the
// tree and those that close loops (8.64):
//     | I     P T | |    a    |   | P T^a tau - v x* I v + f^x          |
//     | T'P'   0  | | -lambda | = | -(rate of T)' P' v + stabilisation  |
// with I the inertias, T the directions of the forces that a joint keeps to itself, T^a those along which its
// own force tau acts, P which bodies it joins. Neither M nor K are formed, and the matrix is sparse: factors
// and time are O(n) for every tree, and for mechanisms whose loops are local, like a ladder's, where every
// method on the tree takes O(n^2) and more. Contacts, limits, dry friction and soft equalities have no part.
#ifndef SINEW_LOOP_SPARSE_H
#define SINEW_LOOP_SPARSE_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The pattern of a model's equations, the order in which they are eliminated, and room for their factors.
typedef struct snSparseDynamics snSparseDynamics;

/// Sizes of the last call of sn_sparseDynamics, and how it went.
typedef struct snSparseCount {
    int unknowns;    ///< 6 a body, one a dof with armature, and one a constraint of a joint or loop
    int rows;        ///< constraints of loops, the length of lambda
    int dependent;   ///< constraints that depend on others: the redundancy
    int refinements; ///< corrections with the residual until that was at rounding
    size_t nonzeros; ///< in L below its diagonal
} snSparseCount;

/// Room and pattern for all loops that the model can have. To be made anew when joints get their first or
/// lose their last armature. NULL: out of memory, a moving body without mass or inertia, or (status
/// UNSUPPORTED) a tendon with armature; error (may be NULL) says which. Cost: O(nbody + nv) and the
/// minimum degree ordering.
SN_API snSparseDynamics* sn_makeSparseDynamics(const snModel* m, snError* error);

/// Frees it; takes NULL.
SN_API void sn_deleteSparseDynamics(snSparseDynamics* s);

/// qacc [nv] under the joint-space forces tau [nv], xfrc_applied, gravity and the loops that hold now (those
/// of <sinew/loop.h>, with the same k_stab), and their forces lambda [rows of snSparseCount, at most
/// sn_sparseRowsMax], loops by ascending id; lambda may be NULL. tau: all forces but bias and xfrc_applied;
/// NULL: qfrc_passive + qfrc_actuator + qfrc_applied. Armature counts exactly: the acceleration of a dof that
/// has some is an unknown of its own.
///
/// Reads: qpos, qvel, xfrc_applied, eq_active and what sn_kinematics writes; for tendon equalities also what
/// sn_comPos, sn_tendon and sn_comVel write; with tau NULL also those forces (sn_comPos, sn_tendon,
/// sn_transmission, sn_tendonVelocity, sn_actuatorVelocity, sn_comVel, sn_passive, sn_loopPassive,
/// sn_fwdActuation). Not needed: sn_makeM, sn_factorM, sn_makeConstraint, sn_loopPosition, sn_rne.
///
/// Redundant constraints: a row whose pivot is at most max(1e-13, opt.loop_ranktol^2) of the terms that it
/// comes from depends on those before it; corrections with the residual of the whole matrix make the rest
/// exact, and lambda is made the one of least norm. Near singular poses, and in mechanisms of hundreds of
/// bodies, rounding can hide that rows depend on others: lambda may then hold forces that balance each other.
/// Of constraints that contradict each other some hold; in clusters of few loops those of the tree's joints
/// do.
///
/// Status MODEL: dofs of one body that depend on each other and have no armature. Status ARGUMENT: m is
/// another model than s was made for; numbers that are not finite. qacc and lambda are undefined then.
/// Allocates nothing; the pattern is found again when other loops hold than in the last call.
/// Cost: O(n) for trees and mechanisms with local loops.
SN_API snStatus sn_sparseDynamics(snSparseDynamics* s, const snModel* m, const snData* d, const double* tau,
                                  double* qacc, double* lambda, snError* error);

/// The most rows that lambda can have.
SN_API int sn_sparseRowsMax(const snSparseDynamics* s);

/// First row in lambda of loop `id` (loop joint, or nloop + equality) in the last call; -1: it did not hold.
SN_API int sn_sparseLoopRow(const snSparseDynamics* s, int id);

/// Sizes of the last call of sn_sparseDynamics; before the first one all 0.
SN_API snSparseCount sn_sparseCount(const snSparseDynamics* s);

#ifdef __cplusplus
}
#endif
#endif
