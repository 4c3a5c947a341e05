// Several contact points of two convex shapes that lie on each other (flag multiccd). Source: seed 001,
// "Several contact points".
#ifndef SINEW_COLLISION_CONVEX_MANIFOLD_H
#define SINEW_COLLISION_CONVEX_MANIFOLD_H

#include "collision/contact/narrow.h"

/// Points of the patch that two geoms of m share: `first` is their contact, found before. Boxes and meshes
/// without margin: where a side of each is square to the normal, up to four corners of the overlap of the two
/// sides; where a side and an edge are, the ends of the part of the edge over the side. Others but spheres
/// and ellipsoids: what further contacts show up when both are turned by 1e-3 rad about the tangents, up to
/// four. All have the distance of `first`. Returns how many were written to out [5].
int sn_manifold(const snModel* m, const snShape* a, const snShape* b, real margin,
                const snContactPoint* first, snContactPoint* out);

#endif
