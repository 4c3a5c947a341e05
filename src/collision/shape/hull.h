// The convex hull of a mesh, or of a few points: a set of vertices with, for large ones, the graph of their
// edges.
#ifndef SINEW_COLLISION_SHAPE_HULL_H
#define SINEW_COLLISION_SHAPE_HULL_H

#include <sinew/model.h>
#include "math/vec.h"

/// Vertices whose convex hull is the shape, in the shape's own frame. All zero: no hull.
typedef struct snHull {
    const float* vert;   ///< vertices of a mesh [3 *]; NULL: see point
    const snVec3* point; ///< vertices [count]
    const int* global;   ///< row in vert of each hull vertex [count]; NULL: the same
    const int* edge_adr; ///< first neighbour of each vertex in edge [count]; NULL: no graph
    const int* edge;     ///< neighbours, each list closed by -1
    const int* start;    ///< a vertex that is far along each of some directions [SN_NHULLDIR]; NULL: vertex 0
    int count;           ///< hull vertices; 0: none
    real radius;         ///< of a ball about the origin that holds them
} snHull;

/// The hull of a mesh; its graph when it has one, else all its vertices. radius is left 0.
snHull sn_meshHull(const snModel* m, int mesh);

static inline bool sn_isHull(const snHull* hull)
{
    return hull->count > 0;
}

static inline snVec3 sn_hullVertex(const snHull* hull, int i)
{
    if (!hull->vert) return hull->point[i];
    const float* v = hull->vert + 3 * (hull->global ? hull->global[i] : i);
    return sn_v3((real)v[0], (real)v[1], (real)v[2]);
}

/// The vertex farthest along n (own frame, any length), of several the first: by all vertices of a small hull
/// or one without a graph, else uphill from neighbour to neighbour. hull->start changes the cost alone, which
/// with it is about a dozen vertices.
int sn_hullFarthest(const snHull* hull, snVec3 n);

/// Fills start [SN_NHULLDIR]: the vertex that is farthest along the middle of each cell of directions.
void sn_hullStarts(const snHull* hull, int* start);

#endif
