// Products with blocks of points (points.h).
#ifndef SINEW_SOLVER_POINT_BLOCK_H
#define SINEW_SOLVER_POINT_BLOCK_H

#include "math/simd.h"
#include "solver/points.h"

/// B x
SN_INLINE v4 sn_blockTimes(const double* B, const double* x)
{
    return v4_load(B) * v4_all(x[0]) + v4_load(B + 4) * v4_all(x[1]) + v4_load(B + 8) * v4_all(x[2]);
}

/// B' x
SN_INLINE v4 sn_turnedBlockTimes(const double* B, v4 x)
{
    return v4_sums(v4_load(B) * x, v4_load(B + 4) * x, v4_load(B + 8) * x, v4_all(0));
}

/// C += scale A B'
SN_INLINE void sn_addBlockProduct(const double* A, const double* B, double scale, v4 C[3])
{
    const v4 a = v4_load(A) * v4_all(scale), b = v4_load(A + 4) * v4_all(scale),
             c = v4_load(A + 8) * v4_all(scale);
    SN_UNROLL
    for (int k = 0; k < 3; k++) C[k] += a * v4_all(B[k]) + b * v4_all(B[4 + k]) + c * v4_all(B[8 + k]);
}

/// The points' part of unknowns x, four numbers a point.
SN_INLINE void sn_takePoints(const snElasticPoints* q, const double* x, double* to)
{
    for (int i = 0; i < q->count; i++) {
        const double* from = x + q->first[i];
        v4_store(to + 4 * i, v4_of(from[0], from[1], from[2], 0));
    }
}

#endif
