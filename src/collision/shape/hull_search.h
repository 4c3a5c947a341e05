// The search for the farthest vertex of a hull, to be inlined where it is hot: see sn_hullFarthest.
#ifndef SINEW_COLLISION_SHAPE_HULL_SEARCH_H
#define SINEW_COLLISION_SHAPE_HULL_SEARCH_H

#include <float.h>
#include "collision/shape/hull.h"
#include "math/simd.h"

typedef float snFloat4 __attribute__((vector_size(16), aligned(4), may_alias));

SN_INLINE snHullPoint sn_searchAll(const snHull* hull, snVec3 n)
{
    int best = 0;
    real most = -INFINITY;
    for (int i = 0; i < hull->count; i++) {
        const real far = sn_v3Dot(n, sn_hullVertex(hull, i));
        if (far <= most) continue;
        most = far;
        best = i;
    }
    return (snHullPoint){sn_hullVertex(hull, best), best};
}

// Heights of the four vertices of a block
SN_INLINE v4 sn_blockAlong(const float* block, const v4 n[3])
{
    const v4 x = __builtin_convertvector(*(const snFloat4*)block, v4),
             y = __builtin_convertvector(*(const snFloat4*)(block + 4), v4),
             z = __builtin_convertvector(*(const snFloat4*)(block + 8), v4);
    return n[0] * x + n[1] * y + n[2] * z;
}

// Each lane keeps its first best; of the lanes the best, of several the first. No branches but on the number
// of blocks: which vertex it is, is hard to predict.
SN_INLINE int sn_searchBlocks(const float* block, int count, snVec3 n)
{
    const v4 along[3] = {v4_all(n.x), v4_all(n.y), v4_all(n.z)};
    v4 best = sn_blockAlong(block, along), index = {0, 1, 2, 3}, at = index;
    for (int k = 1; k < count; k++) {
        index += 4;
        const v4 far = sn_blockAlong(block + SN_HULLBLOCK * (size_t)k, along);
        const v4i farther = far > best;
        best = v4_select(farther, far, best);
        at = v4_select(farther, index, at);
    }
    const real a = best[1] > best[0] ? best[1] : best[0], b = best[3] > best[2] ? best[3] : best[2];
    const real top = a > b ? a : b;
    at = v4_select(best == v4_all(top), at, v4_all(DBL_MAX));
    const real c = at[1] < at[0] ? at[1] : at[0], d = at[3] < at[2] ? at[3] : at[2];
    const real first = c < d ? c : d;
    return first < 4 * count ? (int)first : 0; // none where heights overflow
}

SN_INLINE snHullPoint sn_searchHull(const snHull* hull, snVec3 n)
{
    const int i = hull->cell ? sn_hullCellOf(n) : -1;
    if (i < 0) return sn_searchAll(hull, n);
    const int* cell = hull->cell + 2 * i;
    const float* block = hull->block + SN_HULLBLOCK * (size_t)cell[0];
    const int best = sn_searchBlocks(block, cell[1], n);
    block += SN_HULLBLOCK * (best / 4) + best % 4;
    return (snHullPoint){sn_v3((real)block[0], (real)block[4], (real)block[8]), (int)block[12]};
}

#endif
