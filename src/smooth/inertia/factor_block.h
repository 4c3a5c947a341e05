// Up to four rows of a chain, eliminated from one another: the common part of factoring shallow and deep
// trees. Source: Featherstone 2008, 6.5 (L'DL along the tree); seed 000.
#ifndef SINEW_SMOOTH_INERTIA_FACTOR_BLOCK_H
#define SINEW_SMOOTH_INERTIA_FACTOR_BLOCK_H

#include <math.h>
#include <sinew/model.h>
#include "math/simd.h"
#include "smooth/kinematics/chain.h"

/// What may stand on the diagonal of D, and the last dof where it did not.
typedef struct snPivots {
    bool negative; // may be below zero
    int bad;       // -1: none
} snPivots;

/// D(k), moved away from zero where it is too near.
static inline double sn_pivot(snPivots* pivots, double D, int k)
{
    const double distance = pivots->negative ? fabs(D) : D;
    if (distance < SN_MINVAL) {
        if (pivots->bad < k) pivots->bad = k;
        return pivots->negative ? copysign(SN_MINVAL, D) : SN_MINVAL;
    }
    return D;
}

/// The rows from the upper end of the chain on, with `above` dofs above all of them.
typedef struct snFactorBlock {
    double* row[SN_CHAIN];
    double inverse[SN_CHAIN];          // 1/D
    double within[SN_CHAIN][SN_CHAIN]; // the rows' own columns: L, D on the diagonal
    int above;
} snFactorBlock;

SN_INLINE snFactorBlock sn_factorBlock(const snModel* m, double* LD, int top, const int count)
{
    snFactorBlock block = {.above = m->D_diag[top]};
    for (int t = 0; t < count; t++) block.row[t] = LD + m->dof_LDadr[top + t];
    return block;
}

/// Their own columns, which are kept aside until sn_storeWithin.
SN_INLINE void sn_eliminateWithin(snFactorBlock* block, const int count, int top, double* diagInv,
                                  snPivots* pivots)
{
    double(*T)[SN_CHAIN] = block->within;
    SN_UNROLL for (int t = 0; t < count; t++) SN_UNROLL for (int s = 0; s < count; s++) if (s <= t) T[t][s] =
        block->row[t][block->above + s];
    SN_UNROLL for (int t = count - 1; t >= 0; t--)
    {
        T[t][t] = sn_pivot(pivots, T[t][t], top + t);
        const double inverse = 1 / T[t][t];
        block->inverse[t] = diagInv[top + t] = inverse;
        SN_UNROLL for (int s = count - 1; s >= 0; s--)
        {
            if (s >= t) continue;
            const double l = T[t][s] * inverse;
            SN_UNROLL for (int q = 0; q < count; q++) if (q <= s) T[s][q] -= l * T[t][q];
            T[t][s] = l;
        }
    }
}

/// The columns above them, which become L; U, unless NULL, has `stride` numbers a row and gets D L.
SN_INLINE void sn_eliminateColumns(const snFactorBlock* block, const int count, double* U, int stride)
{
    for (int c = 0; c < block->above; c += 4) {
        v4 x[SN_CHAIN];
        SN_UNROLL for (int t = 0; t < count; t++) x[t] = v4_load(block->row[t] + c);
        SN_UNROLL for (int t = count - 1; t > 0; t--)
            SN_UNROLL for (int s = count - 1; s >= 0; s--) if (s < t) x[s] -=
            v4_all(block->within[t][s]) * x[t];
        SN_UNROLL for (int t = 0; t < count; t++)
        {
            if (U) v4_store(U + t * stride + c, x[t]);
            v4_store(block->row[t] + c, x[t] * v4_all(block->inverse[t]));
        }
    }
}

/// Last, as the columns above may end in the middle of a group of four.
SN_INLINE void sn_storeWithin(const snFactorBlock* block, const int count)
{
    SN_UNROLL for (int t = 0; t < count; t++) SN_UNROLL for (int s = 0; s < count; s++) if (s <= t)
        block->row[t][block->above + s] = block->within[t][s];
}

#endif
