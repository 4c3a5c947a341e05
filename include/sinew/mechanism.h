// What a closed-loop system is at a position, and how its loops are closed (seed 002, section 8.10;
// Featherstone 2008, 8.10).
//
// A system of n tree dofs under n^c constraints of rank r has mobility n - r (8.52); it is properly
// constrained when r = n^c, which then is n_tot - 6 N_L (8.53), and overconstrained otherwise: n^c - r
// constraints more than it needs, and as much mobility beyond n_tot - 6 N_L (8.55). The rank belongs to a
// position, and independent coordinates y may belong to several positions: branches of the assembly.
#ifndef SINEW_MECHANISM_H
#define SINEW_MECHANISM_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Properties of a cluster of loops, or of the whole model.
typedef struct snLoopProperties {
    int n;          ///< dofs of its tree joints
    int nc;         ///< n^c, constraints
    int r;          ///< rank of K
    int mobility;   ///< n - r
    int redundancy; ///< n^c - r
    int nloop;      ///< N_L: loop joints, connects and welds; joint and tendon equalities are none
    int ntot; ///< freedoms of its tree joints and loop joints, less one for each joint and tendon equality
    int gruebler; ///< n_tot - 6 N_L = n - n^c, the mobility if all constraints were independent
    double
        condition; ///< largest over smallest pivot of K that counts; of all clusters the largest; 1: no rank
    double error;  ///< largest error of position, |delta| of a row (m or rad)
} snLoopProperties;

/// Properties of cluster `cluster` of d, or with -1 of the whole model, dofs in no loop included. Valid after
/// sn_fwdPosition. Returns 1; 0 and zeros where there is no such cluster.
SN_API int sn_loopProperties(const snModel* m, const snData* d, int cluster, snLoopProperties* out);

/// How sn_assemble looks, and what it found.
typedef struct snAssembly {
    const uint8_t* fixed; ///< [nv] dofs whose positions stay; NULL: none
    int seeds;            ///< other starts of each cluster of loops: random ones around qpos
    uint64_t seed; ///< 0: from qpos, then from the others, less and less near; else first from others that it
                   ///< names, far ones, and from qpos last
    int iterations;   ///< most from one start
    double tolerance; ///< errors of position below count as closed (m or rad)
    double error;     ///< out: how far the loop stays open that does most: distance (m) or angle (rad)
    int loop;         ///< out: which that is, as in closure_id; -1: there are no loops
    int niter;        ///< out: positions looked at
} snAssembly;

/// seeds 20, seed 0, iterations 100, tolerance 1e-12, none fixed.
SN_API void sn_defaultAssembly(snAssembly* assembly);

/// Closes all loops that hold: finds a qpos near the given one, by steps that are small in the metric of
/// joint angles times the longest lever of a cluster (m), which also makes lengths of its errors in rad. Each
/// step is damped, is 0.5 rad at most, and solves K dq = -delta in the sense of least squares where K has not
/// its full rank (seed 002, 8.2). Clusters are closed each for itself. Dofs that are in their limits stay
/// there, if a closed position is found so; else they do not. Then qvel is made consistent by the smallest
/// change in the metric of qM, as sn_loopProject does; fixed dofs take part in it. Velocities that loops
/// allow stay as they are, and so does what belongs to no loop. Which branch of the assembly it is hangs on
/// where it starts: fix y and try other `seed`s to find the others. On success loops are closed to the
/// tolerance, or to the rounding of the largest coordinates where that is more. On failure qpos and qvel
/// stay; the error names the loop that stays most open, and by how much at best (SN_STATUS_MODEL), or what is
/// wrong with numbers of assembly or state (SN_STATUS_ARGUMENT), or that the arena is too small
/// (SN_STATUS_NO_MEMORY). Reads: eq_active, mocap poses. Writes: qpos, qvel; poses and loops of d stay those
/// of the last sn_fwdPosition. Allocates nothing. Cost: a pass of poses and the loops' linear algebra an
/// iteration, three to six of them from a start nearby. Source: seed 002, 8.2, 8.10; Levenberg 1944,
/// Marquardt 1963.
SN_API snStatus sn_assemble(const snModel* m, snData* d, snAssembly* assembly, snError* error);

#ifdef __cplusplus
}
#endif
#endif
