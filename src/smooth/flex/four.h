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

// K of four elements from theirs in flex_stiffness; dim is a constant where it is called.
SN_INLINE void sn_expandFour(int dim, const double* const of[4], v4 K[6][6])
{
    const int edges = sn_flexElementEdges(dim);
    v4 given[8], h[4][4];
    for (int k = 0; k < edges; k += 4) {
        for (int i = 0; i < 4; i++) given[k + i] = v4_loadAny(of[i] + k);
        v4_transpose(given + k);
    }
    for (int a = 0; a < 4; a++) h[a][a] = v4_all(0);
#pragma GCC unroll 6
    for (int e = 0; e < edges; e++) {
        const int *corner = sn_flexElementEdge(dim, e), a = corner[0], b = corner[1];
        h[a][b] = h[b][a] = given[e];
        h[a][a] -= given[e];
        h[b][b] -= given[e];
    }
#pragma GCC unroll 6
    for (int e = 0; e < edges; e++)
#pragma GCC unroll 6
        for (int f = e; f < edges; f++) {
            const int *one = sn_flexElementEdge(dim, e), *other = sn_flexElementEdge(dim, f);
            K[e][f] = K[f][e] = SN_FLEX_K(h, given[edges], one[0], one[1], other[0], other[1]);
        }
}

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
    sn_expandFour(dim, of, four->K);
}

#endif
