// Parts of sn_loopPosition that others want alone.
#ifndef SINEW_LOOP_POSITION_H
#define SINEW_LOOP_POSITION_H

#include <sinew/data.h>
#include "loop/algebra/null_space.h"

/// The condition of a cluster's K above which its pose is nearly singular: rows with pivots below the first
/// by more are weak.
#define SN_LOOP_WEAK 1e4

/// Clusters, K and delta, without ranks. What it reads and false are those of sn_loopGeometry.
bool sn_loopEquations(const snModel* m, snData* d);

/// Clusters, K, delta and G, without inertia: what needs poses and cdof alone. false: the arena is full, and
/// there are no loops.
bool sn_loopGeometry(const snModel* m, snData* d);

/// The same with what sn_loopVelocity does, where poses and velocities are there already. The arena holds
/// nothing else behind it. Clusters are found again only where others hold than the data has. false: the
/// arena is full.
bool sn_loopMotion(const snModel* m, snData* d);

/// k, which is there, + k_stab of (8.21), (8.22) with alpha = beta = 1/T.
void sn_loopStabilise(const snModel* m, snData* d);

/// Rows that turn within a step by a good part of what they are: their pivots are below so many times |v| h
/// of the first, and below a part of it in any case. What they ask of accelerations is bounded
/// (sn_loopParticulars), as is what rows below 1 / SN_LOOP_WEAK ask at any speed.
#define SN_LOOP_TURNS 40
/// Loops that are open by more (m or rad) are pulled shut, by whatever that asks, unless below 1 /
/// SN_LOOP_WEAK.
#define SN_LOOP_CLOSED 1e-2
#define SN_LOOP_TURNING 0.1

/// loop_g and cluster_excess of loop_k, and loop_k = K g where g is bounded. k [nlooprow] is scratch.
void sn_loopParticulars(const snModel* m, snData* d, double* k);

/// Whether what a weak row asks is bounded at the position and velocity of the data.
bool sn_loopIsBounded(const snModel* m, const snData* d);

/// What loops need of inertia, behind sn_loopGeometry: G'HG of inertia [nM] in the layout of qM and its
/// factor. With `warn` pivots that are not positive count SN_WARN_INERTIA. false: the arena is full.
bool sn_loopInertia(const snModel* m, snData* d, const double* inertia, bool warn);

/// The factors of a cluster's K.
snNullSpace sn_clusterFactor(const snData* d, int cluster);

#endif
