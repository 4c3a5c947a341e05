// Sparse L'DL (seed 000; Featherstone 2008, 6.5): eliminating from the leaves fills nothing in, as the dofs
// that dof k is coupled to are its ancestors, each coupled to the next.
#include "smooth/factor.h"
#include <math.h>
#include <sinew/support.h>
#include <sinew/smooth.h>
#include <string.h>
#include "model/arena.h"

int sn_factorTree(const snModel* m, const double* A, double* LD, double* diagInv)
{
    const int *address = m->dof_Madr, *parent = m->dof_parentid;
    int bad = -1;
    if (LD != A) memcpy(LD, A, (size_t)m->nM * sizeof(double));
    for (int k = m->nv - 1; k >= 0; k--) {
        double* row = LD + address[k];
        if (row[0] < SN_MINVAL) {
            row[0] = SN_MINVAL;
            if (bad < 0) bad = k;
        }
        const double inverse = 1 / row[0];
        diagInv[k] = inverse;
        if (m->dof_simplenum[k]) continue;
        const int length = (k + 1 < m->nv ? address[k + 1] : m->nM) - address[k];
        // A(i,j) -= A(k,i) A(k,j) / A(k,k) for all ancestors i and j of k, j above or equal to i
        int i = parent[k];
        for (int c = 1; c < length; c++, i = parent[i]) {
            double* restrict to = LD + address[i];
            const double* restrict from = row + c;
            const double l = from[0] * inverse;
            for (int e = 0; e < length - c; e++) to[e] -= l * from[e];
            row[c] = l;
        }
    }
    return bad;
}

void sn_factorM(const snModel* m, snData* d)
{
    const int bad = sn_factorTree(m, d->qM, d->qLD, d->qLDiagInv);
    if (bad >= 0) sn_warn(d, SN_WARN_INERTIA, bad);
}

// x <- inv(L') x
static void solveLT(const snModel* m, const double* LD, double* x)
{
    for (int k = m->nv - 1; k >= 0; k--) {
        const double xk = x[k];
        if (m->dof_simplenum[k] || xk == 0) continue;
        const double* l = LD + m->dof_Madr[k];
        for (int i = m->dof_parentid[k]; i >= 0; i = m->dof_parentid[i]) x[i] -= *++l * xk;
    }
}

// x <- inv(L) x
static void solveL(const snModel* m, const double* LD, double* x)
{
    for (int k = 0; k < m->nv; k++) {
        if (m->dof_simplenum[k]) continue;
        const double* l = LD + m->dof_Madr[k];
        double xk = x[k];
        for (int i = m->dof_parentid[k]; i >= 0; i = m->dof_parentid[i]) xk -= *++l * x[i];
        x[k] = xk;
    }
}

void sn_solveTree(const snModel* m, const double* LD, const double* diagInv, double* x, int n)
{
    for (int r = 0; r < n; r++, x += m->nv) {
        solveLT(m, LD, x);
        for (int k = 0; k < m->nv; k++) x[k] *= diagInv[k];
        solveL(m, LD, x);
    }
}

void sn_solveM(const snModel* m, const snData* d, double* x, const double* y, int n)
{
    if (x != y) memcpy(x, y, (size_t)n * (size_t)m->nv * sizeof(double));
    sn_solveTree(m, d->qLD, d->qLDiagInv, x, n);
}

void sn_solveM2(const snModel* m, const snData* d, double* x, const double* y, int n)
{
    if (x != y) memcpy(x, y, (size_t)n * (size_t)m->nv * sizeof(double));
    for (int r = 0; r < n; r++, x += m->nv) {
        solveLT(m, d->qLD, x);
        for (int k = 0; k < m->nv; k++) x[k] *= sqrt(d->qLDiagInv[k]);
    }
}
