// M of a large island: of each dof the numbers on its chain to the root, as qM has them, and the unit factor
// of M likewise, which fills in nothing there.
#include <assert.h>
#include <string.h>
#include "model/arena.h"
#include "smooth/inertia/factor.h"
#include "solver/problem.h"

static int chainLength(const snChains* chains, int c)
{
    return chains->adr[c + 1] - chains->adr[c];
}

// M~ -= L_uc' D_u L_uc for a dof u that drops out and hangs on the compact dof `anchor`.
static void eliminateDof(const snModel* m, const snData* d, int u, int anchor, const snProblem* p)
{
    const snChains* chains = &p->chains;
    const int length = chainLength(chains, anchor), *chain = chains->list + chains->adr[anchor];
    if (m->dof_simplenum[u]) return; // coupled to nothing
    const double* row = d->qLD + m->dof_LDadr[u] + m->D_diag[p->dof[anchor]];
    const double weight = 1 / d->qLDiagInv[u];
    for (int k = 0; k < length; k++) {
        double* M = p->chainM + chains->adr[chain[k]];
        for (int j = k; j < length; j++) M[j - k] -= weight * row[-k] * row[-j];
    }
}

// Row i of the factor from its diagonal upwards.
static void takeFactor(const snModel* m, const snData* d, int i, int length, double* L)
{
    const double* diagonal = d->qLD + sn_diagonalLD(m, i);
    for (int k = 0; k < length; k++) L[k] = k && m->dof_simplenum[i] ? 0 : diagonal[-k];
}

bool sn_problemChainInertia(const snModel* m, snData* d, const snIslands* islands, bool factored,
                            snProblem* p)
{
    const int count = p->chains.adr[p->ndof];
    p->chainM = sn_scratchReal(d, count);
    p->chainL = factored ? sn_scratchReal(d, count) : NULL;
    p->inv = factored ? sn_scratchReal(d, p->ndof) : NULL;
    assert(count >= p->ndof); // each dof is on its own chain
    if (!p->chainM || (factored && (!p->chainL || !p->inv))) return false;
    for (int c = 0; c < p->ndof; c++) {
        const int at = p->chains.adr[c], length = chainLength(&p->chains, c), i = p->dof[c];
        memcpy(p->chainM + at, d->qM + m->dof_Madr[i], (size_t)length * sizeof(double));
        if (!factored) continue;
        takeFactor(m, d, i, length, p->chainL + at);
        p->inv[c] = d->qLDiagInv[i];
    }
    for (int k = 0; k < p->nfollow; k++) {
        int a = m->dof_parentid[p->dof[p->ndof + k]];
        while (a >= 0 && islands->index[a] < 0) a = m->dof_parentid[a];
        assert(a >= 0); // the root dof of a touched tree is touched
        eliminateDof(m, d, p->dof[p->ndof + k], islands->index[a], p);
    }
    return true;
}

static void mulChains(const snProblem* p, const double* x, double* y)
{
    memcpy(y, x, (size_t)p->n * sizeof(double)); // pads have M = 1
    for (int c = 0; c < p->ndof; c++) {
        const int *chain = p->chains.list + p->chains.adr[c], length = chainLength(&p->chains, c);
        const double *M = p->chainM + p->chains.adr[c], xc = x[c];
        double sum = M[0] * xc;
        for (int k = 1; k < length; k++) {
            sum += M[k] * x[chain[k]];
            y[chain[k]] += M[k] * xc;
        }
        y[c] = sum;
    }
}

static void mulElastic(const snProblem* p, const double* x, double* y)
{
    const snElastic* e = &p->elastic;
    for (int c = 0; c < p->ndof; c++) {
        if (e->adr[c] == e->adr[c + 1]) continue;
        const int last = e->adr[c + 1] - 1;
        double sum = e->value[last] * x[c];
        for (int k = e->adr[c]; k < last; k++) {
            sum += e->value[k] * x[e->col[k]];
            y[e->col[k]] += e->value[k] * x[c];
        }
        y[c] += sum;
    }
}

// y = M x of what is no point, zero of points.
static void mulRest(const snProblem* p, const double* x, double* y)
{
    const snChains* chains = &p->chains;
    memset(y, 0, (size_t)p->ndof * sizeof(double));
    for (int c = p->ndof; c < p->n; c++) y[c] = x[c];
    for (int k = 0; k < p->points.nrest; k++) {
        const int c = p->points.rest[k], *chain = chains->list + chains->adr[c],
                  length = chainLength(chains, c);
        const double* M = p->chainM + chains->adr[c];
        y[c] += M[0] * x[c];
        for (int a = 1; a < length; a++) {
            y[c] += M[a] * x[chain[a]];
            y[chain[a]] += M[a] * x[c];
        }
    }
}

void sn_problemMulM(const snProblem* p, const double* x, double* y)
{
    if (p->points.count) {
        mulRest(p, x, y);
        sn_mulPoints(&p->points, x, y);
    } else if (p->large) {
        mulChains(p, x, y);
        if (p->elastic.adr) mulElastic(p, x, y);
    } else {
        sn_blockMulVec(&p->treePattern, p->M, x, y);
    }
}

void sn_problemSolveM(const snProblem* p, double* x)
{
    const snChains* chains = &p->chains;
    for (int c = p->ndof - 1; c >= 0; c--) {
        const int *chain = chains->list + chains->adr[c], length = chainLength(chains, c);
        const double* L = p->chainL + chains->adr[c];
        for (int k = 1; k < length; k++) x[chain[k]] -= L[k] * x[c];
    }
    for (int c = 0; c < p->ndof; c++) {
        const int *chain = chains->list + chains->adr[c], length = chainLength(chains, c);
        const double* L = p->chainL + chains->adr[c];
        double sum = x[c] * p->inv[c];
        for (int k = 1; k < length; k++) sum -= L[k] * x[chain[k]];
        x[c] = sum;
    }
}
