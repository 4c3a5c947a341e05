// Solves with the factors L'DL: its twin is smooth/inertia/solve.c. Of its own, for there a vector is four
// numbers of x, and here one of all lanes. Each number takes its whole sum in a register: over what is below
// it for inv(L'), over what is above it for inv(L).
#include <sinew/support.h>
#include "smooth/inertia/factor.h"

// x <- inv(L') x. The nearest below come last: their numbers are the last to be there. Two sums, for one
// would wait for itself.
static void solveLT(const snModel* m, const real* LD, snTrees trees, real* x)
{
    const int* address = m->dof_LDadr;
    for (int i = trees.end - 1; i >= trees.begin; i--) {
        if (m->dof_simplenum[i]) continue;
        const real* column = LD + m->D_diag[i];
        int k = i + m->D_rownnz[i] - m->D_diag[i] - 1;
        real sum = x[i], other = sn_real(0);
        for (; k > i + 1; k -= 2) {
            sum -= column[address[k]] * x[k];
            other -= column[address[k - 1]] * x[k - 1];
        }
        if (k > i) sum -= column[address[k]] * x[k];
        x[i] = sum + other;
    }
}

// x <- inv(L) x
static void solveL(const snModel* m, const real* LD, snTrees trees, real* x)
{
    for (int i = trees.begin; i < trees.end; i++) {
        if (m->dof_simplenum[i]) continue;
        const real* row = LD + m->dof_LDadr[i];
        const int *dof = m->D_colind + m->D_rowadr[i], above = m->D_diag[i];
        real sum = x[i], other = sn_real(0);
        int c = 0;
        for (; c + 2 <= above; c += 2) {
            sum -= row[c] * x[dof[c]];
            other -= row[c + 1] * x[dof[c + 1]];
        }
        if (c < above) sum -= row[c] * x[dof[c]];
        x[i] = sum + other;
    }
}

void sn_solveTrees(const snModel* m, const real* LD, const real* diagInv, snTrees trees, bool whole, real* x)
{
    solveLT(m, LD, trees, x);
    for (int k = trees.begin; k < trees.end; k++) x[k] *= whole ? diagInv[k] : sqrt(diagInv[k]);
    if (whole) solveL(m, LD, trees, x);
}

void sn_solveTree(const snModel* m, const real* LD, const real* diagInv, real* x, int n)
{
    for (int r = 0; r < n; r++, x += m->nv) sn_solveTrees(m, LD, diagInv, (snTrees){0, m->nv}, true, x);
}

void sn_solveM(const snModel* m, const snData* d, real* x, const real* y, int n)
{
    if (x != y) memcpy(x, y, (size_t)n * (size_t)m->nv * sizeof(real));
    sn_solveTree(m, d->qLD, d->qLDiagInv, x, n);
}

void sn_solveM2(const snModel* m, const snData* d, real* x, const real* y, int n)
{
    if (x != y) memcpy(x, y, (size_t)n * (size_t)m->nv * sizeof(real));
    for (int r = 0; r < n; r++, x += m->nv)
        sn_solveTrees(m, d->qLD, d->qLDiagInv, (snTrees){0, m->nv}, false, x);
}
