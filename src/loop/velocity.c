// What loops ask of accelerations at a velocity: k, k_stab and g. Source: seed 002, (8.15), (8.22), (8.51).
#include <math.h>
#include <sinew/loop.h>
#include <string.h>
#include "loop/basis.h"
#include "loop/joint/closure.h"
#include "loop/position.h"
#include "model/arena.h"
#include "model/made.h"

void sn_loopStabilise(const snModel* m, snData* d)
{
    const double alpha = 1 / m->opt.loop_tstab;
    for (int r = 0; r < d->nlooprow; r++)
        d->loop_k[r] -= 2 * alpha * d->loop_speed[r] + alpha * alpha * d->loop_delta[r];
}

// Where K turns within a step by as much as a row of it is, what the row asks of accelerations says nothing
// of the step. It may stop velocities within it, as an impulse would, and close loops as fast as directions
// can be trusted: k_stab by an angle of the pivot's part.
static snWeakRows weakRows(const snModel* m, const snData* d, int c)
{
    const double rate = 1 / m->opt.loop_tstab;
    double fastest = 0;
    for (int j = 0; j < d->cluster_dofnum[c]; j++)
        fastest = sn_max(fabs(d->qvel[d->loop_dof[d->cluster_dofadr[c] + j]]), fastest);
    const bool closed = d->loop_error < SN_LOOP_CLOSED;
    const double turning = closed ? SN_LOOP_TURNS * fastest * m->opt.timestep : 0;
    const double part = sn_min(sn_max(turning, 1 / SN_LOOP_WEAK), SN_LOOP_TURNING);
    return (snWeakRows){part, 0.5 * fastest / m->opt.timestep, rate * rate};
}

bool sn_loopIsBounded(const snModel* m, const snData* d)
{
    for (int c = 0; c < d->ncluster; c++) {
        const snNullSpace s = sn_clusterFactor(d, c);
        const snWeakRows weak = weakRows(m, d, c);
        if (sn_nullSpaceIsBounded(&s, &weak, d->loop_g + d->cluster_dofadr[c])) return true;
    }
    return false;
}

// k of a cluster = K g
static void askFor(snData* d, int c, const double* g)
{
    const int n = d->cluster_dofnum[c];
    for (int r = 0; r < d->cluster_rownum[c]; r++) {
        const double* K = d->loop_K + d->cluster_Kadr[c] + r * n;
        double sum = 0;
        for (int j = 0; j < n; j++) sum += K[j] * g[j];
        d->loop_k[d->cluster_rowadr[c] + r] = sum;
    }
}

void sn_loopParticulars(const snModel* m, snData* d, double* k)
{
    memcpy(k, d->loop_k, (size_t)d->nlooprow * sizeof(double));
    for (int c = 0; c < d->ncluster; c++) {
        const snNullSpace s = sn_clusterFactor(d, c);
        double* g = d->loop_g + d->cluster_dofadr[c];
        const bool near = s.condition > 1 / SN_LOOP_TURNING;
        const snWeakRows weak = near ? weakRows(m, d, c) : (snWeakRows){0, 0, 0};
        bool bounded;
        d->cluster_excess[c] = sn_nullSpaceBounded(&s, &weak, k + d->cluster_rowadr[c], g, &bounded);
        if (bounded) askFor(d, c, g);
    }
}

void sn_loopVelocity(const snModel* m, snData* d)
{
    sn_assertMade(m, d, cvel, cdof_dot, loop_delta, closure_id, cluster_rank);
    if (d->nclosure == 0) return;
    if (d->loop_basis) {
        sn_placeBasisBias(d);
        return;
    }
    for (int l = 0; l < d->nclosure; l++)
        sn_closureVelocity(m, d, d->closure_id[l], d->loop_k + d->closure_rowadr[l],
                           d->loop_speed + d->closure_rowadr[l]);
    sn_loopStabilise(m, d);
    const size_t mark = sn_scratchMark(d);
    double* k = sn_scratchReal(d, d->nlooprow);
    if (k)
        sn_loopParticulars(m, d, k);
    else
        sn_warnFull(d);
    sn_scratchRelease(d, mark);
}
