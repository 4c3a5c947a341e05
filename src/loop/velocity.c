// What loops ask of accelerations at a velocity: k, k_stab and g.
#include <sinew/loop.h>
#include <string.h>
#include "loop/joint/closure.h"
#include "loop/position.h"
#include "model/arena.h"

void sn_loopStabilise(const snModel* m, snData* d)
{
    const double alpha = 1 / m->opt.loop_tstab;
    for (int r = 0; r < d->nlooprow; r++)
        d->loop_k[r] -= 2 * alpha * d->loop_speed[r] + alpha * alpha * d->loop_delta[r];
}

void sn_loopParticulars(snData* d, double* k)
{
    memcpy(k, d->loop_k, (size_t)d->nlooprow * sizeof(double));
    for (int c = 0; c < d->ncluster; c++) {
        const snNullSpace s = sn_clusterFactor(d, c);
        d->cluster_excess[c] =
            sn_nullSpaceParticular(&s, k + d->cluster_rowadr[c], d->loop_g + d->cluster_dofadr[c]);
    }
}

void sn_loopVelocity(const snModel* m, snData* d)
{
    if (d->nclosure == 0 || d->loop_basis) return;
    for (int l = 0; l < d->nclosure; l++)
        sn_closureVelocity(m, d, d->closure_id[l], d->loop_k + d->closure_rowadr[l],
                           d->loop_speed + d->closure_rowadr[l]);
    sn_loopStabilise(m, d);
    const size_t mark = sn_scratchMark(d);
    double* k = sn_scratchReal(d, d->nlooprow);
    if (k)
        sn_loopParticulars(d, k);
    else
        sn_warnFull(d);
    sn_scratchRelease(d, mark);
}
