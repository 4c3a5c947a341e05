// The broad phase where few geoms collide.
#ifndef SINEW_COLLISION_BROAD_FEW_H
#define SINEW_COLLISION_BROAD_FEW_H

#include <sinew/data.h>

/// Pairs of geoms in the scratch memory of d, in no particular order.
typedef struct snNearPairs {
    int (*list)[2];
    int count;
    int tests; ///< pairs of bounding spheres that were compared
    bool full; ///< scratch had no room: none is found
} snNearPairs;

/// Finds all pairs of geoms that the filters allow, pair elements left out, and whose bounding spheres
/// overlap, margins included; of shapes that take long to look at closely also boxes along the world's axes.
/// For models whose margins are those of geoms, where nothing sleeps, is looked at along its way, or is
/// filtered by a callback. Reads geom_xpos, geom_xmat. False: too many geoms collide for it, nothing is done.
/// The caller marks and releases the scratch.
bool sn_nearPairs(const snModel* m, snData* d, snNearPairs* pairs);

/// Whether what d keeps of who may meet is what the filters say, if the next call would take it.
bool sn_meetsRightly(const snModel* m, const snData* d);

#endif
