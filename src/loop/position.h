// Parts of sn_loopPosition that others want alone.
#ifndef SINEW_LOOP_POSITION_H
#define SINEW_LOOP_POSITION_H

#include <sinew/data.h>
#include "loop/null_space.h"

/// Clusters, K and delta, without ranks. What it reads and false are those of sn_loopGeometry.
bool sn_loopEquations(const snModel* m, snData* d);

/// Clusters, K, delta and G, without inertia: what needs poses and cdof alone. false: the arena is full, and
/// there are no loops.
bool sn_loopGeometry(const snModel* m, snData* d);

/// What loops need of inertia, behind sn_loopGeometry: G'HG of qM and its factor. false: the arena is full.
bool sn_loopInertia(const snModel* m, snData* d);

/// The factors of a cluster's K.
snNullSpace sn_clusterFactor(const snData* d, int cluster);

#endif
