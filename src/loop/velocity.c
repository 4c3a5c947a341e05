// What loops ask of accelerations at a velocity: k, k_stab and g.
#include <sinew/loop.h>
#include <string.h>
#include "loop/closure.h"
#include "loop/position.h"
#include "model/arena.h"

// k + k_stab of (8.21), (8.22) with alpha = beta = 1/T.
static void fillRows(const snModel* m, snData* d)
{
    const double alpha = 1 / m->opt.loop_tstab;
    for (int l = 0; l < d->nclosure; l++) {
        const int row = d->closure_rowadr[l];
        sn_closureVelocity(m, d, d->closure_id[l], d->loop_k + row, d->loop_speed + row);
        for (int r = row; r < row + d->closure_rownum[l]; r++)
            d->loop_k[r] -= 2 * alpha * d->loop_speed[r] + alpha * alpha * d->loop_delta[r];
    }
}

void sn_loopVelocity(const snModel* m, snData* d)
{
    if (d->nclosure == 0 || d->loop_basis) return;
    fillRows(m, d);
    const size_t mark = sn_scratchMark(d);
    double* k = sn_scratchReal(d, d->nlooprow);
    if (k) {
        memcpy(k, d->loop_k, (size_t)d->nlooprow * sizeof(double));
        for (int c = 0; c < d->ncluster; c++) {
            const snNullSpace s = sn_clusterFactor(d, c);
            d->cluster_excess[c] =
                sn_nullSpaceParticular(&s, k + d->cluster_rowadr[c], d->loop_g + d->cluster_dofadr[c]);
        }
    } else {
        sn_warn(d, SN_WARN_CNSTRFULL, (int)(d->narena / 1024));
    }
    sn_scratchRelease(d, mark);
}
