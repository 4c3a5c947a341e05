// The search for the farthest vertex of a hull, to be inlined where it is hot: see sn_hullFarthest.
#ifndef SINEW_SHAPE_HULL_SEARCH_H
#define SINEW_SHAPE_HULL_SEARCH_H

#include <limits.h>
#include "math/simd.h"
#include "shape/hull.h"

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

// Four floats; lane by lane, which compilers make one instruction of.
SN_INLINE v4 sn_fourFloats(const float* x)
{
    return v4_of((real)x[0], (real)x[1], (real)x[2], (real)x[3]);
}

// Heights of the four vertices of a block
SN_INLINE v4 sn_blockAlong(const float* block, const v4 n[3])
{
    return n[0] * sn_fourFloats(block) + n[1] * sn_fourFloats(block + 4) + n[2] * sn_fourFloats(block + 8);
}

// The place in the blocks of the farthest vertex. Each lane keeps its first best; of the lanes the best, of
// several the first. No branches but on the number of blocks: which vertex it is, is hard to predict.
SN_INLINE unsigned sn_searchBlocks(const float* block, int count, snVec3 n)
{
    const v4 along[3] = {v4_all(n.x), v4_all(n.y), v4_all(n.z)};
    v4 best = sn_blockAlong(block, along), place = {0, 1, 2, 3}, at = place;
    const float* end = block + SN_HULLBLOCK * (size_t)count;
    for (const float* next = block + SN_HULLBLOCK; next < end; next += SN_HULLBLOCK) {
        place += v4_all(SN_HULLBLOCK);
        const v4 far = sn_blockAlong(next, along);
        const v4i farther = v4_less(best, far);
        best = v4_select(farther, far, best);
        at = v4_select(farther, place, at);
    }
    const real a = best[1] > best[0] ? best[1] : best[0], b = best[3] > best[2] ? best[3] : best[2];
    const v4 none = v4_all(INT_MAX);
    at = v4_select(v4_equal(best, v4_all(a > b ? a : b)), at, none);
    const real c = at[1] < at[0] ? at[1] : at[0], d = at[3] < at[2] ? at[3] : at[2];
    const int first = (int)(c < d ? c : d);
    return first < INT_MAX ? (unsigned)first : 0; // none where heights overflow
}

SN_INLINE snHullPoint sn_searchHull(const snHull* hull, snVec3 n)
{
    const int i = hull->cell ? sn_hullCellOf(n) : -1;
    if (i < 0) return sn_searchAll(hull, n);
    const int* cell = hull->cell + 2 * i;
    const float* block = hull->block + SN_HULLBLOCK * (size_t)cell[0];
    block += sn_searchBlocks(block, cell[1], n);
    return (snHullPoint){sn_v3((real)block[0], (real)block[4], (real)block[8]), (int)block[12]};
}

#endif
