// Distance of two shapes, wherever they stand.
#ifndef SINEW_COLLISION_DISTANCE_SHAPE_DISTANCE_H
#define SINEW_COLLISION_DISTANCE_SHAPE_DISTANCE_H

#include "collision/convex/convex.h"

/// Signed distance if it is at most `margin`: true, and *out with points in world axes relative to a->pos. Of
/// two convex shapes, or of a plane and a convex shape, types in the order a->type <= b->type; others: false.
bool sn_shapeDistance(const snShape* a, const snShape* b, real margin, snWitness* out);

/// The nearest points of a contact point.
snWitness sn_witnessOf(const snShape* a, const snContactPoint* point);

#endif
