// Elements of a flex four at a time, one in each lane.
#ifndef SINEW_SMOOTH_FLEX_FOUR_H
#define SINEW_SMOOTH_FLEX_FOUR_H

#include "math/simd.h"
#include "smooth/flex/flex.h"

typedef struct snFlexFour {
    int count;            ///< of elements; lanes behind them repeat the last
    const int* edge[4];   ///< of each, counted from the flex's first
    const int* vertex[4]; ///< the same of its vertices
    v4 K[6][6];           ///< over their edges
} snFlexFour;

/// Elements e, e + 1, ... of a flex of triangles or tetrahedra; dim is a constant where it is called.
SN_INLINE void sn_loadFour(const snModel* m, int flex, int dim, int e, snFlexFour* four)
{
    const int edges = sn_flexElementEdges(dim), size = sn_flexStiffness(dim);
    const double *K = m->flex_stiffness + m->flex_stiffnessadr[flex], *of[4];
    const int left = m->flex_elemnum[flex] - e;
    four->count = left < 4 ? left : 4;
    for (int lane = 0; lane < 4; lane++) {
        const int at = e + (lane < four->count ? lane : four->count - 1);
        of[lane] = K + (size_t)size * (size_t)at;
        four->edge[lane] = m->flex_elemedge + m->flex_elemedgeadr[flex] + edges * at;
        four->vertex[lane] = m->flex_elem + m->flex_elemdataadr[flex] + (dim + 1) * at;
    }
    v4 upper[24];
    for (int k = 0; k < (dim == 2 ? 8 : 24); k += 4) {
        v4 row[4] = {v4_loadAny(of[0] + k), v4_loadAny(of[1] + k), v4_loadAny(of[2] + k),
                     v4_loadAny(of[3] + k)};
        v4_transpose(row);
        for (int i = 0; i < 4; i++) upper[k + i] = row[i];
    }
#pragma GCC unroll 6
    for (int i = 0, at = 0; i < edges; i++)
#pragma GCC unroll 6
        for (int j = i; j < edges; j++) four->K[i][j] = four->K[j][i] = upper[at++];
}

#endif
