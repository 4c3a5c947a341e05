// Several contacts of boxes and meshes.
#ifndef SINEW_COLLISION_CONVEX_PATCH_H
#define SINEW_COLLISION_CONVEX_PATCH_H

#include "collision/contact/narrow.h"

/// Under the rule MULTICCD_DEPTHS: the contacts of two convex shapes that sides and edges share where the
/// normal of the one that sn_convexConvex found is n, into out [4]. Returns how many; 0: they share none.
int sn_patch(const snModel* m, const snShape* a, const snShape* b, real margin, snVec3 n,
             snContactPoint* out);

#endif
