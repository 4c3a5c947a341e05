// Products of four rows of J or T with dV and x.
#ifndef SINEW_LCP_SOLVE_KERNEL_H
#define SINEW_LCP_SOLVE_KERNEL_H

#include "lcp/solve/system.h"
#include "math/simd.h"

/// J dV of a quad.
SN_INLINE v4 sn_quadProduct(const snQuad* q, const double* dV)
{
    v4Sum a = {0}, b = {0}, c = {0}, d = {0};
    for (int k = 0; k < q->count; k++) {
        const double* J = q->value + 16 * k;
        const v4 u = v4_load(dV + 4 * q->col[k]);
        v4Sum_add(&a, v4_load(J) * u);
        v4Sum_add(&b, v4_load(J + 4) * u);
        v4Sum_add(&c, v4_load(J + 8) * u);
        v4Sum_add(&d, v4_load(J + 12) * u);
    }
    return v4Sum_sums(a, b, c, d);
}

/// dV += T x of a quad.
SN_INLINE void sn_quadSpread(const snQuad* q, v4 x, double* dV)
{
    const v4 a = v4_all(x[0]), b = v4_all(x[1]), c = v4_all(x[2]), d = v4_all(x[3]);
    for (int k = 0; k < q->count; k++) {
        const double* T = q->value + 16 * k;
        double* u = dV + 4 * q->col[k];
        v4_store(u, v4_load(u) +
                        ((a * v4_load(T) + b * v4_load(T + 4)) + (c * v4_load(T + 8) + d * v4_load(T + 12))));
    }
}

#endif
