// Contacts and distances of height fields.
#ifndef SINEW_COLLISION_CONVEX_HFIELD_H
#define SINEW_COLLISION_CONVEX_HFIELD_H

#include "collision/contact/narrow.h"

/// A height field and a convex shape: a contact with each prism under the shape, row by row.
int sn_hfieldConvex(const snModel* m, const snShape* a, const snShape* b, real margin, snContactPoint* out);

/// Nearest (deepest) points of a height field and a convex shape, if they are at most `margin` apart.
bool sn_hfieldDistance(const snModel* m, const snShape* a, const snShape* b, real margin,
                       snContactPoint* out);

#endif
