// All places where a pair touches.
#ifndef SINEW_COLLISION_SDF_SEARCH_H
#define SINEW_COLLISION_SDF_SEARCH_H

#include "collision/sdf/pair.h"

enum {
    SN_SDF_EACH = 16, ///< most cells for a seed
    SN_SDF_CELLS = 1024,
    SN_SDF_SEEDS = 64, ///< most points that cells give
    SN_SDF_GIVEN = 64, ///< most points that the caller gives
    SN_SDF_SPOTS = SN_SDF_SEEDS + SN_SDF_GIVEN
};

/// Points of the solid, at most `margin` from the field, in which the field is least in their surroundings;
/// where it is as low all over a side, points spread over it. `given`: points to begin from, such as
/// corners. initpoints: how many others, iterations: steps from each. Returns how many, and sorts them so
/// that the first few are spread, too, the deepest first; at most `most`.
int sn_searchSpots(const snSdfPair* p, const snVec3* given, int count, int initpoints, int iterations,
                   int most, snSpot out[SN_SDF_SPOTS]);

/// The one that is nearest, or deepest; false: it is farther than margin.
bool sn_nearestSpot(const snSdfPair* p, const snVec3* given, int count, int initpoints, int iterations,
                    snSpot* out);

#endif
