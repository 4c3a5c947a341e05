// Several contacts of boxes and meshes.
#ifndef SINEW_COLLISION_CONVEX_PATCH_H
#define SINEW_COLLISION_CONVEX_PATCH_H

#include "collision/contact/narrow.h"

/// Under the rule MULTICCD_DEPTHS: the contacts of two convex shapes that sides and edges share, from the one
/// that sn_convexConvex found; `out` [SN_MAXCONPAIR] may begin with it. Returns how many, 1 to 4.
int sn_patch(const snModel* m, const snShape* a, const snShape* b, real margin, const snContactPoint* first,
             snContactPoint* out);

#endif
