// Accelerations and loop forces under any forces, by a solution of the caller's choice. Source: seed 002,
// 8.5.
#include <sinew/loop.h>
#include <sinew/support.h>
#include <string.h>
#include "loop/acceleration.h"
#include "loop/position.h"
#include "loop/reduced.h"
#include "model/arena.h"

// lambda [nlooprow] of least norm with K' lambda = H qacc - force.
static bool forcesOf(const snModel* m, snData* d, const double* force, const double* qacc, double* lambda)
{
    double* rest = sn_scratchReal(d, m->nv);
    if (!rest) return false;
    for (int k = 0; k < d->nmechanism; k++) sn_loopMulH(m, d, k, d->qM, qacc, rest);
    for (int c = 0; c < d->ncluster; c++) {
        const snNullSpace s = sn_clusterFactor(d, c);
        const int* dof = d->loop_dof + d->cluster_dofadr[c];
        const size_t mark = sn_scratchMark(d);
        double *own = sn_scratchReal(d, s.n), *work = sn_scratchReal(d, s.m * (s.m + 1));
        if (!own || !work) return false;
        for (int j = 0; j < s.n; j++) own[j] = rest[dof[j]] - force[dof[j]];
        sn_nullSpaceForce(&s, own, lambda + d->cluster_rowadr[c], work);
        sn_scratchRelease(d, mark);
    }
    return true;
}

static bool solve(const snModel* m, snData* d, snLoopSolution solution, const double* force, double* qacc,
                  double* lambda)
{
    switch (solution) {
    case SN_LOOPSOL_KKT: return sn_loopSolutionKKT(m, d, force, qacc, lambda);
    case SN_LOOPSOL_LAMBDA: return sn_loopSolutionLambda(m, d, force, qacc, lambda);
    default: return sn_loopAccelerationIn(m, d, NULL, force, qacc) && forcesOf(m, d, force, qacc, lambda);
    }
}

snStatus sn_loopSolveBy(const snModel* m, snData* d, snLoopSolution solution, const double* force,
                        double* qacc, double* lambda)
{
    if (solution != SN_LOOPSOL_KKT && solution != SN_LOOPSOL_LAMBDA && solution != SN_LOOPSOL_Y)
        return SN_STATUS_ARGUMENT;
    const double* tau = force ? force : d->qfrc_smooth;
    const size_t mark = sn_scratchMark(d);
    sn_solveM(m, d, qacc, tau, 1);
    if (d->nlooprow) memset(lambda, 0, (size_t)d->nlooprow * sizeof(double));
    const bool room = d->nclosure == 0 || solve(m, d, solution, tau, qacc, lambda);
    sn_scratchRelease(d, mark);
    return room ? SN_STATUS_OK : SN_STATUS_NO_MEMORY;
}
