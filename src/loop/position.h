// Parts of sn_loopPosition that others want alone.
#ifndef SINEW_LOOP_POSITION_H
#define SINEW_LOOP_POSITION_H

#include <sinew/data.h>
#include "loop/algebra/null_space.h"

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

/// loop_g and cluster_excess of loop_k. k [nlooprow] is scratch.
void sn_loopParticulars(snData* d, double* k);

/// What loops need of inertia, behind sn_loopGeometry: G'HG of inertia [nM] in the layout of qM and its
/// factor. With `warn` pivots that are not positive count SN_WARN_INERTIA. false: the arena is full.
bool sn_loopInertia(const snModel* m, snData* d, const double* inertia, bool warn);

/// The factors of a cluster's K.
snNullSpace sn_clusterFactor(const snData* d, int cluster);

#endif
