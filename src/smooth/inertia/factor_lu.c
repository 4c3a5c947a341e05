// LU with the tree's sparsity: row and column k couple to the dofs above k alone once those below are gone.
#include "smooth/inertia/factor_lu.h"
#include <math.h>
#include "math/clones.h"

// Row i -= A(i,k)/A(k,k) row k, for the columns above k. Those up to i stand first in both rows.
static inline void eliminate(const snModel* m, double* LU, int i, int k, double inverse)
{
    double* restrict to = LU + m->D_rowadr[i];
    const double* restrict from = LU + m->D_rowadr[k];
    const int diag = m->D_diag[i];
    const double l = to[diag + k - i] *= inverse;
    if (l == 0) return;
    for (int c = 0; c <= diag; c++) to[c] -= l * from[c];
    for (int j = m->dof_parentid[k]; j > i; j = m->dof_parentid[j])
        to[diag + j - i] -= l * from[m->D_diag[j]];
}

SN_CLONES int sn_factorLU(const snModel* m, double* LU)
{
    int bad = -1;
    for (int k = m->nv - 1; k >= 0; k--) {
        double* pivot = LU + m->D_rowadr[k] + m->D_diag[k];
        if (fabs(*pivot) < SN_MINVAL) {
            *pivot = *pivot < 0 ? -SN_MINVAL : SN_MINVAL;
            if (bad < 0) bad = k;
        }
        const double inverse = 1 / *pivot;
        for (int i = m->dof_parentid[k]; i >= 0; i = m->dof_parentid[i]) eliminate(m, LU, i, k, inverse);
    }
    return bad;
}

void sn_solveLU(const snModel* m, const double* LU, double* x)
{
    for (int i = m->nv - 1; i >= 0; i--) { // (U + 1) y = x: what is below i follows it
        const double* row = LU + m->D_rowadr[i] + m->D_diag[i];
        const int below = m->D_rownnz[i] - m->D_diag[i];
        for (int k = 1; k < below; k++) x[i] -= row[k] * x[i + k];
    }
    for (int i = 0; i < m->nv; i++) { // L x = y
        const double* row = LU + m->D_rowadr[i];
        for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) x[i] -= row[m->D_diag[j]] * x[j];
        x[i] /= row[m->D_diag[i]];
    }
}
