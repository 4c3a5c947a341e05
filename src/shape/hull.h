// The convex hull of a mesh, or of a few points: a set of vertices, and tables that find the one that is
// farthest along a direction.
//
// Directions are told apart by cells: of the octahedron |x| + |y| + |z| = 1 each side, seen along z, is cut
// by a square grid. The tables say for each cell which vertices can be the farthest along a direction in it:
// a handful, in blocks of four that lie side by side, a cache line each. A search looks at all of these.
#ifndef SINEW_SHAPE_HULL_H
#define SINEW_SHAPE_HULL_H

#include <float.h>
#include <stddef.h>
#include "math/vec.h"

enum {
    SN_HULLCELLS = 9,                                    ///< cells along an edge of the octahedron
    SN_HULLSIDE = SN_HULLCELLS * (SN_HULLCELLS + 1) / 2, ///< cells of a side
    SN_HULLBLOCK =
        16, ///< numbers in a block: x of four vertices, y, z, and which vertices of the hull they are
};
#define SN_HULLLEAST 1e-300 ///< sums of coordinates below have no cell
_Static_assert(SN_NHULLDIR == 8 * SN_HULLSIDE, "all cells");

/// Vertices whose convex hull is the shape, in the shape's own frame. All zero: no hull.
typedef struct snHull {
    const float* vert;   ///< vertices of a mesh [3 *]; NULL: see point
    const snVec3* point; ///< vertices [count]
    const int* global;   ///< row in vert of each hull vertex [count]; NULL: the same
    const int* edge_adr; ///< first neighbour of each vertex in edge [count]; NULL: no graph
    const int* edge;     ///< neighbours, each list closed by -1
    const int* cell;     ///< first block and number of blocks of each cell [2 SN_NHULLDIR]; NULL: no tables
    const float* block;  ///< [SN_HULLBLOCK *]
    int count;           ///< hull vertices; 0: none
    real radius;         ///< of a ball about the origin that holds them
    real inner;          ///< of a ball about the origin inside the hull; 0: not known
    real ball;           ///< of a ball around all points; a mesh has none: 0
    const real* box;     ///< centre and half sizes of a box around it, own frame [6]; NULL: not known
} snHull;

/// A vertex and its number.
typedef struct snHullPoint {
    snVec3 x;
    int id;
} snHullPoint;

static inline bool sn_isHull(const snHull* hull)
{
    return hull->count > 0;
}

/// Which row of vert vertex i of the hull is.
static inline int sn_hullRow(const snHull* hull, int i)
{
    return hull->global ? hull->global[i] : i;
}

static inline snVec3 sn_hullVertex(const snHull* hull, int i)
{
    if (!hull->vert) return hull->point[i];
    const float* v = hull->vert + 3 * sn_hullRow(hull, i);
    return sn_v3((real)v[0], (real)v[1], (real)v[2]);
}

/// The cell of a row and a column of a side; row + column < SN_HULLCELLS. Bits of side: which of x, y and z
/// are negative.
static inline int sn_hullCell(int side, int row, int column)
{
    return side * SN_HULLSIDE + (int)((unsigned)(row * (2 * SN_HULLCELLS + 1 - row)) / 2) + column;
}

/// The cell of a direction of any length; -1: no direction, or one that is not finite. Arithmetic and no
/// branches: directions follow in no order.
static inline int sn_hullCellOf(snVec3 n)
{
    const real x = fabs(n.x), y = fabs(n.y), sum = x + y + fabs(n.z);
    if (!(sum > SN_HULLLEAST && sum <= DBL_MAX)) return -1;
    const real scale = SN_HULLCELLS * (1 - 1e-15) / sum; // less a little, so that row + column stays below
    return sn_hullCell((n.x < 0) + 2 * (n.y < 0) + 4 * (n.z < 0), (int)(x * scale), (int)(y * scale));
}

/// The vertex farthest along n (own frame, any length), of several the first.
snHullPoint sn_hullFarthest(const snHull* hull, snVec3 n);

#endif
