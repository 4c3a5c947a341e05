// How far geoms go within the step, at the velocities that they have (flag speculative).
#ifndef SINEW_COLLISION_CONTACT_TRAVEL_H
#define SINEW_COLLISION_CONTACT_TRAVEL_H

#include <sinew/data.h>
#include "math/vec.h"

typedef struct snTravel {
    snVec3 move; ///< of the centre, world
    snVec3 turn; ///< rotation vector, world
    real path;   ///< no point of the geom goes further
    real half;   ///< least half side of the geom; planes: HUGE_VAL
    bool fast;   ///< it may pass through some geom of the model
} snTravel;

/// Fills travel [ngeom]. Reads cdof, subtree_com, geom_xpos, qvel. False: scratch is full.
bool sn_findTravels(const snModel* m, snData* d, snTravel* travel);

/// Whether two geoms may pass through each other within the step: one of them goes further than half the
/// thickness of the thinner one.
static inline bool sn_isFastPair(const snTravel* a, const snTravel* b)
{
    const real least = a->half < b->half ? a->half : b->half;
    return a->path > least || b->path > least;
}

#endif
