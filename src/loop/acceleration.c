#include "loop/acceleration.h"
#include <sinew/loop.h>
#include <string.h>
#include "math/eliminate.h"
#include "loop/cluster.h"
#include "loop/reduced.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "model/made.h"

// rest = force - H g of a mechanism's dofs; rest [nv].
static void takeParticular(const snModel* m, const snData* d, int k, const double* H, const double* force,
                           double* g, double* rest)
{
    const int *dof = d->mechanism_dof + d->mechanism_dofadr[k], count = d->mechanism_dofnum[k];
    for (int i = 0; i < count; i++) g[dof[i]] = sn_loopParticular(d, dof[i]);
    sn_loopMulH(m, d, k, H, g, rest);
    for (int i = 0; i < count; i++) rest[dof[i]] = force[dof[i]] - rest[dof[i]];
}

// y <- inv(G'HG) y
static bool solveReduced(snData* d, int k, const snLoopDamped* damped, double* y)
{
    const double *L = damped ? damped->L : d->mechanism_L,
                 *inverse = damped ? damped->inverse : d->mechanism_Dinv;
    return sn_loopSolve(d, sn_padded(d->mechanism_ynum[k]), L + d->mechanism_Hadr[k],
                        inverse + d->mechanism_padadr[k], y);
}

static bool accelerate(const snModel* m, snData* d, int k, const snLoopDamped* damped, const double* force,
                       double* qacc)
{
    double *g = sn_scratchReal(d, m->nv), *rest = sn_scratchReal(d, m->nv),
           *y = sn_scratchReal(d, sn_padded(d->mechanism_ynum[k]));
    if (!g || !rest || !y) return false;
    takeParticular(m, d, k, damped ? damped->H : d->qM, force, g, rest);
    sn_loopReduce(d, k, rest, y);
    if (damped && !sn_addLoopDampers(m, d, k, m->opt.timestep, 0, NULL, y)) return false;
    if (!solveReduced(d, k, damped, y)) return false;
    sn_loopExpand(d, k, y, true, qacc);
    return true;
}

bool sn_loopAccelerationIn(const snModel* m, snData* d, const snLoopDamped* damped, const double* force,
                           double* qacc)
{
    bool room = true;
    for (int k = 0; k < d->nmechanism && room; k++) {
        const size_t mark = sn_scratchMark(d);
        room = accelerate(m, d, k, damped, force, qacc);
        sn_scratchRelease(d, mark);
    }
    return room;
}

bool sn_loopResponse(snData* d, const double* force, double* qacc)
{
    for (int k = 0; k < d->nmechanism; k++) {
        const size_t mark = sn_scratchMark(d);
        double* y = sn_scratchReal(d, sn_padded(d->mechanism_ynum[k]));
        if (!y) return false;
        sn_loopReduce(d, k, force, y);
        if (!solveReduced(d, k, NULL, y)) return false;
        sn_loopExpand(d, k, y, false, qacc);
        sn_scratchRelease(d, mark);
    }
    return true;
}

static bool accelerateLU(const snModel* m, snData* d, int k, const double* A, double h, const double* force,
                         double* qacc)
{
    const int n = d->mechanism_ynum[k], count = d->mechanism_dofnum[k];
    const int* dof = d->mechanism_dof + d->mechanism_dofadr[k];
    double *rest = sn_scratchReal(d, m->nv), *y = sn_scratchReal(d, sn_padded(n)),
           *reduced = sn_scratchAlloc(d, (size_t)n * (size_t)n * sizeof(double));
    if (!rest || !y || !reduced || !sn_loopReducedA(m, d, k, A, reduced)) return false;
    for (int i = 0; i < count; i++) {
        double sum = force[dof[i]];
        for (int e = m->D_rowadr[dof[i]], end = e + m->D_rownnz[dof[i]]; e < end; e++)
            sum -= A[e] * sn_loopParticular(d, m->D_colind[e]);
        rest[dof[i]] = sum;
    }
    sn_loopReduce(d, k, rest, y);
    if (!sn_addLoopDampers(m, d, k, h, n, reduced, y)) return false;
    sn_eliminate(reduced, n, y);
    sn_loopExpand(d, k, y, true, qacc);
    return true;
}

bool sn_loopAccelerationLU(const snModel* m, snData* d, const double* A, double h, const double* force,
                           double* qacc)
{
    bool room = true;
    for (int k = 0; k < d->nmechanism && room; k++) {
        const size_t mark = sn_scratchMark(d);
        room = accelerateLU(m, d, k, A, h, force, qacc);
        sn_scratchRelease(d, mark);
    }
    return room;
}

void sn_loopAcceleration(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qfrc_smooth, qacc_smooth, cluster_rank);
    if (d->nclosure == 0 || sn_integratorKind(m->opt.integrator).metric) return; // qacc_smooth holds them
    const int solution = d->loop_basis ? SN_LOOPSOL_Y : m->opt.loop_solution;
    const bool room = solution == SN_LOOPSOL_KKT
                          ? sn_loopSolutionKKT(m, d, d->qfrc_smooth, d->qacc_smooth, d->loop_force)
                      : solution == SN_LOOPSOL_LAMBDA
                          ? sn_loopSolutionLambda(m, d, d->qfrc_smooth, d->qacc_smooth, d->loop_force)
                          : sn_loopAccelerationIn(m, d, NULL, d->qfrc_smooth, d->qacc_smooth);
    if (!room) sn_warnFull(d);
}
