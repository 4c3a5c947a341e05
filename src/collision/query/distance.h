// Nearest points of two geoms, with the normal, which two points that coincide do not tell.
#ifndef SINEW_COLLISION_QUERY_DISTANCE_H
#define SINEW_COLLISION_QUERY_DISTANCE_H

#include <sinew/data.h>
#include "math/vec.h"

/// Points on geom1 and geom2, to = from + dist normal: the normal leads out of geom1, and dist is negative
/// where they overlap.
typedef struct snNearest {
    real dist;
    snVec3 normal, from, to;
} snNearest;

/// sn_geomDistance; false: there is no such measure, or it is beyond distmax.
bool sn_nearestPoints(const snModel* m, const snData* d, int geom1, int geom2, double distmax,
                      snNearest* out);

#endif
