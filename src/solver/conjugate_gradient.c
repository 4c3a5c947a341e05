// Primal conjugate gradients with exact line search: Polak and Ribiere's direction, started again whenever it
// would turn against the gradient ("plus"; seed 001, "CG").
//
// The preconditioner is the inertia M at first. Stiff rows, such as equalities, spread the eigenvalues of
// inv(M) H over many decades; hundreds of steps may follow, and rounding decides how many. So a solve that
// goes on long takes the Hessian H of the point where it is instead, from time to time, and begins again
// there. Not where H fills in so much that many steps cost less than its factor.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "solver/hessian.h"

// Fewest steps between two factors. The first steps, whatever the problem, are those of plain conjugate
// gradients, for models that ask for a handful of iterations.
#define MIN_PERIOD 6

typedef struct Work {
    snHessian factor;        // of M or of the Hessian
    bool inertia;            // of M
    double *z, *grad, *zold; // [n] inv(factor) grad; the same and grad of the step before
} Work;

static bool allocateWork(snData* d, const snProblem* p, Work* w)
{
    w->z = sn_scratchReal(d, p->n);
    w->grad = sn_scratchReal(d, p->n);
    w->zold = sn_scratchReal(d, p->n);
    return sn_hessianAllocate(d, p, &w->factor) && w->z && w->grad && w->zold;
}

// Numbers of M.
static double inertiaSize(const snProblem* p)
{
    if (p->large) return p->chains.adr[p->ndof];
    return 16.0 * (p->treePattern.nb + p->treePattern.adr[p->treePattern.nb]);
}

// Steps to go between two factors of the Hessian: as many as cost twice what one factor does, both counted in
// multiplications: those of J'DJ and the factor; those of M, the factor and J with vectors.
static int factorPeriod(const snProblem* p)
{
    double numbers, products;
    sn_hessianSize(p, &numbers, &products);
    numbers += inertiaSize(p);
    for (int q = 0; q < p->nquad; q++) {
        const double count = p->quad[q].count;
        products += 32 * count * (count + 1);
        numbers += 16 * count;
    }
    return (int)sn_min(sn_max(products / numbers, MIN_PERIOD), INT_MAX);
}

// Factors M; a large island has that already, but for what elasticity adds: there it is the Hessian.
static int factorInertia(const snProblem* p, const snPrimal* s, Work* w)
{
    snHessian* h = &w->factor;
    w->inertia = !p->elastic.adr;
    if (!w->inertia) return sn_hessianFactor(p, s, h);
    if (p->large) return 0;
    sn_blockCopy(&p->treePattern, p->M, h->H);
    return sn_blockFactor(&p->treePattern, h->H, h->diaginv, h->work);
}

static void precondition(const snProblem* p, const snPrimal* s, Work* w)
{
    memcpy(w->z, s->grad, (size_t)p->n * sizeof(double));
    if (!w->inertia)
        sn_hessianSolve(p, &w->factor, w->z);
    else if (p->large)
        sn_problemSolveM(p, w->z);
    else
        sn_blockSolve(&p->treePattern, w->factor.H, w->factor.diaginv, w->z);
}

// beta = z'(g - g_old) / g_old' z_old, cut off at zero
static double directionWeight(const Work* w, const double* grad, int n)
{
    double above = 0;
    for (int i = 0; i < n; i++) above += grad[i] * (w->z[i] - w->zold[i]);
    return sn_max(above / sn_max(sn_primalDot(w->grad, w->zold, n), SN_MINVAL), 0);
}

bool sn_conjugateGradient(snData* d, snProblem* p, const snPrimalOption* opt, bool warm, snPrimalResult* out)
{
    assert(p->ndof > 0 && p->n == sn_padded(p->ndof));
    snPrimal s;
    Work w;
    const int n = p->n, period = factorPeriod(p);
    const size_t bytes = (size_t)n * sizeof(double);
    out->niter = out->bad = 0;
    if (!sn_primalAllocate(d, p, &s) || !allocateWork(d, p, &w)) return false;
    sn_primalStart(p, &s, warm, out);
    if (sn_primalSettled(opt, out->gradient)) return true;
    out->bad = factorInertia(p, &s, &w);
    precondition(p, &s, &w);
    for (int i = 0; i < n; i++) s.p[i] = -w.z[i];
    while (out->niter < opt->iterations) {
        memcpy(w.grad, s.grad, bytes);
        memcpy(w.zold, w.z, bytes);
        if (!sn_primalStep(d, p, opt, 0, period, &s, out, NULL) || out->niter == opt->iterations) break;
        double beta = 0;
        if (out->niter % period == 0) {
            out->bad += sn_hessianFactor(p, &s, &w.factor);
            w.inertia = false;
            precondition(p, &s, &w);
        } else {
            precondition(p, &s, &w);
            beta = directionWeight(&w, s.grad, n);
        }
        for (int i = 0; i < n; i++) s.p[i] = beta * s.p[i] - w.z[i];
    }
    return true;
}
