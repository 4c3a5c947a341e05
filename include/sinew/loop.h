// Closed loops held exactly (seed 002; Featherstone 2008, chapter 8).
//
// A loop joint k joins a predecessor p and a successor s of the spanning tree. Its rows T' v_J = 0 of the
// relative velocity v_J = v_s - v_p give the equations of acceleration (8.36)
//     H qacc = tau - C + tau^a + K' lambda,     K qacc = k + k_stab,
// with H the inertia M of the tree, tau - C + tau^a all other forces, and k_stab = -2/T T' v_J - delta/T^2
// for T = opt.loop_tstab. Loops are the loop joints of the model and, with opt.loops at SN_LOOPS_EXACT, the
// equalities connect, weld, joint and tendon that are active; these have no rows among efc then. Flags
// constraint and equality switch all of them off.
//
// Loops that share dofs are a cluster (8.9); K and all solutions qacc = G y + g of K qacc = k + k_stab fall
// into clusters, and y is a part of qacc. Trees that clusters join are a mechanism, within which H couples
// clusters; G'HG falls into mechanisms. Arrays loop_*, cluster_*, mechanism_* of snData hold all this from
// sn_fwdPosition on, sizes being counted there; columns of an array of clusters stand one behind the other.
#ifndef SINEW_LOOP_H
#define SINEW_LOOP_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Name of loop `id` of closure_id: NAME of sinew_loop_NAME, or that of the equality; "" when it has none.
SN_API const char* sn_loopName(const snModel* m, int id);

/// Whether an equality is held as a loop now: opt.loops is SN_LOOPS_EXACT, it is active, and it is not of
/// tendons over geoms, which stay soft.
SN_API bool sn_equalityIsExact(const snModel* m, const snData* d, int eq);

/// Which loops hold, their clusters and mechanisms, K, delta, G, and G'HG with its factor. Called by
/// sn_fwdPosition. Reads: poses, cdof, tendons, qM, eq_active. Writes: the arrays of stage pos and in the
/// arena all of closure_*, cluster_*, loop_*, mechanism_*. If the arena is full no loop is held and
/// SN_WARN_CNSTRFULL is counted. A cluster whose rank is below the largest that it had with these
/// loops since the last reset counts SN_WARN_LOOPSINGULAR with the id of its first loop. Cost: O(depth) a row
/// of K, elimination within each cluster, and for a mechanism of n dofs and y independent ones O(n depth +
/// y^3).  Source: seed 002, 8.2, 8.7 to 8.9.
SN_API void sn_loopPosition(const snModel* m, snData* d);

/// loop_speed, loop_k, loop_g and cluster_excess. Near singular poses loop_g is bounded, by |v|/(2 timestep)
/// and alpha^2 for a row whose pivot is weak beside the first, and loop_k is what it gives
/// (docs/loops.md, Singular poses). Called by sn_fwdVelocity. Reads: cvel, cdof_dot, qvel. Source: seed 002,
/// (8.15), (8.22), (8.51).
SN_API void sn_loopVelocity(const snModel* m, snData* d);

/// Springs and dampers of loop joints, tau^a of (8.28): adds them to qfrc_spring, qfrc_damper and
/// qfrc_passive. Called by sn_fwdVelocity after sn_passive.
SN_API void sn_loopPassive(const snModel* m, snData* d);

/// qacc_smooth of the dofs of mechanisms: the acceleration under qfrc_smooth that the loops allow, by the
/// solution that opt.loop_solution names. Called after sn_fwdAcceleration. All three give the same to
/// rounding; 1 and 2 take O(n^3) and O(n^2 n^c) in the dofs n of a mechanism.  Source: seed 002, 8.5.
SN_API void sn_loopAcceleration(const snModel* m, snData* d);

/// (8.36) for any joint-space force [nv] (NULL: qfrc_smooth), which is not qacc, by a solution of the
/// caller's choice: qacc [nv], and lambda [nlooprow] of least norm. Without contacts and other rows efc.
/// Reads: qM, the loops. Takes scratch; SN_STATUS_NO_MEMORY: the arena is full, SN_STATUS_ARGUMENT: no such
/// solution. Source: seed 002, 8.5.
SN_API snStatus sn_loopSolveBy(const snModel* m, snData* d, snLoopSolution solution, const double* force,
                               double* qacc, double* lambda);

/// loop_force = lambda that, with the forces of the rows efc, gives qacc, of least norm; adds K' lambda to
/// qfrc_constraint; and cfrc_loop. With contact lcp qacc is that of the step, in M + h diag(damping) and so
/// on. Called by sn_fwdConstraint.  Source: seed 002, (8.32), (8.41).
SN_API void sn_loopForce(const snModel* m, snData* d);

/// The acceleration qacc [nv] of the whole model under joint-space forces tau [nv], all but gravity and those
/// of Coriolis, with the loops that hold: what sn_forward gives where there are no rows efc and tau is the
/// sum of all its other forces. Nothing else is computed: no collision, sensors, or matrix of inertia where
/// loops close between bodies. Reads: qpos, qvel, mocap, eq_active. Writes: poses, cdof, cinert, cvel,
/// cdof_dot, and closure_*, cluster_*, loop_* without forces; contacts and rows are gone. If the arena is
/// full qacc is 0 and SN_WARN_CNSTRFULL is counted. Method: articulated bodies over clusters, O(n) where
/// these are small; where a cluster hangs on several bodies, as joint and tendon equalities do, or tendons
/// have inertia, G'HG.  Source: Featherstone 2008, 7.3; seed 002, (8.46).
SN_API void sn_loopDynamics(const snModel* m, snData* d, const double* tau, double* qacc);

/// Closes the loops at qpos and makes qvel consistent: Newton's method on positions to rounding, then K qvel
/// = 0, both by the smallest change in the metric of qM, as impulses of the loops would. Before the latter,
/// with timestep > 0, the change of positions over it is added to qvel, as far as impulses of the loops can
/// where the step began (SHAKE): for steps whose positions follow from the velocities at their end; RK4
/// passes 0. Called after each step while opt.loop_project is on. A loop that cannot be closed from there
/// leaves qpos as it is and counts SN_WARN_LOOPOPEN; k_stab pulls it shut. Where a singular pose is ahead up
/// to 30 corrections are made, and 30 more in a metric that knows how K turns; what cannot be closed then
/// goes a part of its way, and counts SN_WARN_LOOPSINGULAR. In place of SHAKE velocities go towards (q+ -
/// q)/timestep as far as energy falls, and the energy of a mechanism is bounded by the work of all forces but
/// the loops' (docs/loops.md). Reads: qM, G and its factor of
/// the step. Writes: qpos, qvel, loop_error (before the last correction), loop_error_max; all other arrays
/// stay those of the step. Cost: two or three passes of poses.  Source: Ryckaert, Ciccotti and Berendsen 1977
/// (SHAKE); Andersen 1983 (RATTLE).
SN_API void sn_loopProject(const snModel* m, snData* d, double timestep);

/// Counts SN_WARN_LOOPOPEN, with the worst loop's id, where a loop is open by more than 1e-3 (m or rad), and
/// keeps loop_error_max. Called by sn_step and sn_step2 before they advance.
SN_API void sn_loopCheck(snData* d);

/// The loop, by its id in closure_id, with the largest error of position; -1: none is held.
SN_API int sn_worstClosure(const snData* d);

/// K [nlooprow x nv], row-major and whole: K qacc = k + k_stab of all loops that hold, in the order of
/// loop_K, the rows of a cluster together. A row is of m or rad over the units of the dofs. Valid after
/// sn_fwdPosition. Cost: O(nlooprow nv).  Source: seed 002, (8.4).
SN_API void sn_loopK(const snModel* m, const snData* d, double* K);
/// G [nv x ny], ny of sn_loopMobility, row-major and whole: qacc = G y + g, y in the order of dofs, those in
/// no loop included, whose columns are of the unit matrix. Valid after sn_fwdPosition. Cost: O(nv ny).
/// Source: seed 002, (8.49).
SN_API void sn_loopG(const snModel* m, const snData* d, double* G);
/// Mobility n - r of (8.52): nv less the ranks of all clusters.
SN_API int sn_loopMobility(const snModel* m, const snData* d);

/// The force that loop `closure` transmits from its predecessor to its successor: torque (3), force (3) at
/// the successor's frame, in its axes; that of a joint or tendon equality is result[0]. Reads: loop_force.
SN_API void sn_loopForceOf(const snModel* m, const snData* d, int closure, double result[6]);

#ifdef __cplusplus
}
#endif
#endif
