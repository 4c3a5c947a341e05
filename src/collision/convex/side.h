// Sides and edges of boxes, meshes and cylinders where they touch.
#ifndef SINEW_COLLISION_CONVEX_SIDE_H
#define SINEW_COLLISION_CONVEX_SIDE_H

#include "collision/contact/narrow.h"

/// Corners of a side at most; and of what is left of one by another, each corner of which takes one more off.
enum { SN_SIDE_CORNERS = 64, SN_MOST_CORNERS = 2 * SN_SIDE_CORNERS };

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
/// cylinder is a polygon of 16, and of a mesh's polygon of more than SN_SIDE_CORNERS corners those count that
/// reach farthest in as many directions. False: it has none.
bool sn_faceAlong(const snModel* m, const snShape* s, snVec3 n, snSide* out);

/// A polygon of a mesh, all of it: its corners in order.
typedef struct snPolygon {
    const int* vert; ///< [count] vertices of the mesh
    int count;       ///< 0: there is none
    int id;
    real cosine; ///< between its normal and the direction that was asked for
} snPolygon;

/// That of a mesh at its vertex v, the one farthest along a direction, `local` in the mesh's axes; and a
/// vertex in the world.
snPolygon sn_meshPolygon(const snModel* m, const snShape* mesh, int v, snVec3 local);
snVec3 sn_meshPoint(const snModel* m, const snShape* mesh, int v);

/// The edge there that lies most across n, the line farthest along n on a cylinder or capsule; false: there
/// is none.
bool sn_edgeAcross(const snModel* m, const snShape* s, snVec3 n, snSide* out);

/// Cuts p down to its part over `side`, seen along n.
void sn_clipSide(const snSide* side, snVec3 n, snSide* p);

/// Leaves four corners with the largest area, seen along n.
void sn_fourCorners(snSide* p, snVec3 n);

#endif
