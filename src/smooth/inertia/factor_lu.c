// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// LU with the tree's sparsity: row and column k couple to the dofs above k alone once those below are gone.
#include "smooth/inertia/factor_lu.h"
#include <math.h>
#include "smooth/inertia/damped.h"

// Row i -= A(i,k)/A(k,k) row k, for the columns above k. Those up to i stand first in both rows.
static inline void eliminate(const snModel* m, real* LU, int i, int k, real inverse)
{
    real* restrict to = LU + m->D_rowadr[i];
    const real* restrict from = LU + m->D_rowadr[k];
    const int diag = m->D_diag[i];
    const real l = to[diag + k - i] *= inverse;
    if (sn_all(l == 0)) return;
    for (int c = 0; c <= diag; c++) to[c] -= l * from[c];
    for (int j = m->dof_parentid[k]; j > i; j = m->dof_parentid[j])
        to[diag + j - i] -= l * from[m->D_diag[j]];
}

#ifdef SN_LANES
#define NO_BAD sn_mask(false)
static inline void mind(real* pivot, int k, snBadPivots* bad)
{
    (void)k;
    *bad |= fabs(*pivot) < SN_MINVAL;
}
#else
#define NO_BAD -1
static inline void mind(double* pivot, int k, snBadPivots* bad)
{
    if (fabs(*pivot) >= SN_MINVAL) return;
    *pivot = *pivot < 0 ? -SN_MINVAL : SN_MINVAL;
    if (*bad < 0) *bad = k;
}
#endif

static inline __attribute__((always_inline)) void factorBlock(const snModel* m, real* LU, int begin, int end,
                                                              snBadPivots* bad)
{
    for (int k = end - 1; k >= begin; k--) {
        real* pivot = LU + m->D_rowadr[k] + m->D_diag[k];
        mind(pivot, k, bad);
        const real inverse = 1 / *pivot;
        for (int i = m->dof_parentid[k]; i >= 0; i = m->dof_parentid[i]) eliminate(m, LU, i, k, inverse);
    }
}

snBadPivots sn_factorLU(const snModel* m, real* LU)
{
    snBadPivots bad = NO_BAD;
    factorBlock(m, LU, 0, m->nv, &bad);
    return bad;
}

static void solveBlock(const snModel* m, const real* LU, real* x, int begin, int end)
{
    for (int i = end - 1; i >= begin; i--) { // (U + 1) y = x: what is below i follows it
        const real* row = LU + m->D_rowadr[i] + m->D_diag[i];
        const int below = m->D_rownnz[i] - m->D_diag[i];
        for (int k = 1; k < below; k++) x[i] -= row[k] * x[i + k];
    }
    for (int i = begin; i < end; i++) { // L x = y
        const real* row = LU + m->D_rowadr[i];
        for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) x[i] -= row[m->D_diag[j]] * x[j];
        x[i] /= row[m->D_diag[i]];
    }
}

void sn_solveLU(const snModel* m, const real* LU, real* x)
{
    solveBlock(m, LU, x, 0, m->nv);
}

snBadPivots sn_solveLone(const snModel* m, snData* d, real* x)
{
    snBadPivots bad = NO_BAD;
    for (int j = 0; j < m->njnt; j++) {
        const int begin = m->jnt_dofadr[j], end = begin + 6;
        if (!sn_isLone(m, m->jnt_bodyid[j])) continue;
        sn_implicitRows(m, d, begin, end, d->qLU);
        factorBlock(m, d->qLU, begin, end, &bad);
        solveBlock(m, d->qLU, x, begin, end);
    }
    return bad;
}
