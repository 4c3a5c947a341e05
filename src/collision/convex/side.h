// Sides and edges of boxes, meshes and cylinders where they touch.
#ifndef SINEW_COLLISION_CONVEX_SIDE_H
#define SINEW_COLLISION_CONVEX_SIDE_H

#include "collision/contact/narrow.h"

enum { SN_MOST_CORNERS = 64 };

/// A side, points in order around it, or an edge, two points; world axes.
typedef struct snSide {
    snVec3 v[SN_MOST_CORNERS];
    int count;
    snVec3 direction; ///< unit: out of the side, or along the edge
    real slope;       ///< of a side the cosine to the n that was asked for, of an edge the size of that
} snSide;

/// Whether a shape has sides: a box, a mesh with polygons.
bool sn_hasSides(const snModel* m, const snShape* s);

/// The side of a shape that faces most along n, of those at the vertex that is farthest along n; the end of a
/// cylinder is a polygon of 16. False: it has none, or one of too many corners.
bool sn_faceAlong(const snModel* m, const snShape* s, snVec3 n, snSide* out);

/// That of a mesh at its vertex v, the one farthest along n, which `local` is in its axes.
bool sn_meshFace(const snModel* m, const snShape* mesh, int v, snVec3 local, snSide* out);

/// The edge there that lies most across n, the line farthest along n on a cylinder or capsule; false: there
/// is none.
bool sn_edgeAcross(const snModel* m, const snShape* s, snVec3 n, snSide* out);

/// Cuts p down to its part over `side`, seen along n.
void sn_clipSide(const snSide* side, snVec3 n, snSide* p);

/// Leaves four corners with the largest area, seen along n.
void sn_fourCorners(snSide* p, snVec3 n);

#endif
