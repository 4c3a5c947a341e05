// What of a hull a contact rests on.
#ifndef SINEW_DERIVATIVE_CONTACT_HULL_FEATURE_H
#define SINEW_DERIVATIVE_CONTACT_HULL_FEATURE_H

#include "shape/hull.h"

/// A vertex (count 1), an edge (2), or three vertices of a face (3).
typedef struct snHullFeature {
    snVec3 v[3];
    int count;
} snHullFeature;

/// The feature that is farthest along n, in the hull's own axes. `at`: the point of contact, of which the
/// smallest feature that it lies on is taken; NULL: all that is as far. Lengths up to `off` count as none.
snHullFeature sn_hullFeature(const snHull* hull, snVec3 n, const snVec3* at, real off);

#endif
