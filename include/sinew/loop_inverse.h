// Closed loops in coordinates of the user's own (seed 002, 8.8), and the forces of given actuators that
// produce given accelerations (8.12).
#ifndef SINEW_LOOP_INVERSE_H
#define SINEW_LOOP_INVERSE_H

#include <sinew/loop.h>

#ifdef __cplusplus
extern "C" {
#endif

/// G [nv x ny] row-major and g [nv] of qacc = G y'' + g and qvel = G y' for y of the user's own choice:
/// y are the elements of qvel that `independent` [nv] marks (not 0) within loops, and all those in no loop,
/// marked or not; in the order of dofs. ny is sn_loopMobility. G or g may be NULL. g goes with k + k_stab, as
/// that of sn_forward does.
/// Reads: loop_K, loop_k (after sn_fwdVelocity). Takes scratch.
/// Errors (ARGUMENT): the marked dofs of a cluster of loops are more or fewer than its mobility n - r, or do
/// not determine the others at this position: the text names the loops and the dof; (NO_MEMORY): the arena is
/// full. G and g hold nothing of use then. Cost: elimination within each cluster, and O(nv ny).
SN_API snStatus sn_loopIndependent(const snModel* m, snData* d, const uint8_t* independent, double* G,
                                   double* g, snError* error);

/// Inverse dynamics of closed loops: which forces are there, what is asked, what comes out. All arrays are
/// the caller's; outputs that are NULL are not wanted.
typedef struct snLoopInverse {
    /// Given. actuated [nv]: dofs that have a force of their own (not 0), p in number; u are their forces in
    /// the order of dofs, tau = Q (u, 0). NULL: the actuators of the model, p = nout; u are actuator_force
    /// and tau = actuator_moment' u; those of groups that are switched off have no force.
    const uint8_t* actuated;
    const double* weight; ///< [p] above 0: sum of weight u^2 is the least; NULL: all 1
    int project;          ///< not 0: qacc first moves to what the loops allow, nearest in the metric of M

    double* u;   ///< [p] out: forces; where several do the same, those of least norm
    double* tau; ///< [nv] out: their joint-space force
    double* G_u; ///< [p x ny] out: rows of G for actuated dofs, or actuator_moment G
    double* G_0; ///< [(nv - p) x ny] out: the other rows of G; only with `actuated`

    int p, ny, rank;   ///< out: forces, mobility n - r, rank of G_u
    int kernel;        ///< out: p - rank, dimension of all u that do nothing
    int underactuated; ///< out: rank < ny: not every acceleration can be produced
    int redundant;     ///< out: p > rank: redundantly actuated; both may hold; neither: properly actuated
    double residual;   ///< out: largest |G' tau_ID - G_u' u|; where underactuated u is that of least squares
    double inconsistency; ///< out: largest |K qacc - k - k_stab| of the qacc that was given
} snLoopInverse;

/// u with G_u' u = G' tau_ID, (8.63), tau_ID being what sn_inverse computes for the spanning tree: forces of
/// contacts, limits, springs and so on that qacc brings with it are counted. With them sn_forward gives qacc
/// back (unless residual > 0), qfrc_applied = tau being all other forces from outside.
/// Reads: the state, qacc.  Writes: *inverse; all that sn_inverse writes but sensors; qacc with `project`.
/// Takes scratch. Ranks count to opt.loop_ranktol.
/// Errors (ARGUMENT): a qacc that is not finite, a weight that is not positive, weights so far apart that
/// they hide a force, contact lcp, which has no inverse; (NO_MEMORY): the arena is full.  Cost: sn_inverse
/// and O(nv ny + p ny^2).  Source: seed 002, 8.12.
SN_API snStatus sn_loopInverse(const snModel* m, snData* d, snLoopInverse* inverse, snError* error);

#ifdef __cplusplus
}
#endif
#endif
