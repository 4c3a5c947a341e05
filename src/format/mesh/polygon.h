// Polygons to triangles, as the peer cuts them: a mesh's faces, and with them its inertia, hang on the cut.
#ifndef SINEW_FORMAT_MESH_POLYGON_H
#define SINEW_FORMAT_MESH_POLYGON_H

#include <stddef.h>
#include <stdint.h>

/// Cuts a polygon of n >= 3 corners, corner k at vert[3 index[k * stride]], by taking ears off from the first
/// corner on. triangle [3 (n - 2)] receives corners (not vertices); the number of triangles is returned,
/// fewer than n - 2 when the polygon crosses itself. rest: scratch of n ints. Cost: O(n^2) for a convex
/// polygon, O(n^3) at worst; work is what may still be spent, in tests of a point against a triangle. -1: it
/// was used up.
int sn_cutPolygon(const float* vert, const int* index, int stride, int n, int* triangle, int* rest,
                  int64_t* work);

/// What may be spent on the polygons of a file of so many bytes: far more than faces that anybody draws need,
/// yet seconds at most.
int64_t sn_polygonWork(size_t size);

#endif
