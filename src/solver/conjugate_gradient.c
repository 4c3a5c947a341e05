// Primal conjugate gradients with exact line search, preconditioned by the inertia: Polak and Ribiere's
// direction, started again whenever it would turn against the gradient ("plus"; seed 001, "CG").
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "solver/primal.h"

typedef struct Work {
    double *L, *diaginv, *work; // factor of M: [n x n], [n], [4 n]
    double *z, *grad, *zold;    // [n] inv(M) grad; the same and grad of the step before
} Work;

static bool allocateWork(snData* d, int n, Work* w)
{
    w->L = sn_scratchAlloc(d, (size_t)n * (size_t)n * sizeof(double));
    w->diaginv = sn_scratchReal(d, n);
    w->work = sn_scratchReal(d, 4 * n);
    w->z = sn_scratchReal(d, n);
    w->grad = sn_scratchReal(d, n);
    w->zold = sn_scratchReal(d, n);
    return w->L && w->diaginv && w->work && w->z && w->grad && w->zold;
}

static void precondition(const snProblem* p, const Work* w, const double* grad, double* z)
{
    memcpy(z, grad, (size_t)p->n * sizeof(double));
    sn_blockSolve(&p->treePattern, w->L, w->diaginv, z);
}

// beta = z'(g - g_old) / g_old' z_old, cut off at zero
static double directionWeight(const Work* w, const double* grad, int n)
{
    double above = 0;
    for (int i = 0; i < n; i++) above += grad[i] * (w->z[i] - w->zold[i]);
    return fmax(0, above / fmax(SN_MINVAL, sn_primalDot(w->grad, w->zold, n)));
}

bool sn_conjugateGradient(snData* d, snProblem* p, const snPrimalOption* opt, bool warm, snPrimalResult* out)
{
    snPrimal s;
    Work w;
    const int n = p->n;
    const size_t bytes = (size_t)n * sizeof(double);
    out->niter = out->bad = 0;
    if (!sn_primalAllocate(d, p, &s) || !allocateWork(d, n, &w)) return false;
    sn_blockCopy(&p->treePattern, p->M, w.L);
    out->bad = sn_blockFactor(&p->treePattern, w.L, w.diaginv, w.work);
    sn_primalStart(p, &s, warm, out);
    precondition(p, &w, s.grad, w.z);
    for (int i = 0; i < n; i++) s.p[i] = -w.z[i];
    while (out->niter < opt->iterations) {
        memcpy(w.grad, s.grad, bytes);
        memcpy(w.zold, w.z, bytes);
        if (!sn_primalStep(d, p, opt, 0, &s, out, NULL)) break;
        precondition(p, &w, s.grad, w.z);
        const double beta = directionWeight(&w, s.grad, n);
        for (int i = 0; i < n; i++) s.p[i] = beta * s.p[i] - w.z[i];
    }
    return true;
}
