// Closing loops after a step: positions by Newton's method, velocities by one projection.
#include <math.h>
#include <sinew/loop.h>
#include <sinew/support.h>
#include <string.h>
#include "loop/correct.h"
#include "loop/shadow.h"
#include "model/arena.h"

// Errors of position below CLOSED need no correction; what a step leaves is mended in one or two.
static const double CLOSED = 1e-12;
enum { MOST = 8 };

// Work of the projection: weights [nv], a change [nv], qpos at the start [nq].
typedef struct Work {
    double *weight, *change, *qpos;
} Work;

static bool allocate(const snModel* m, snData* d, Work* w)
{
    w->weight = sn_scratchReal(d, m->nv);
    w->change = sn_scratchReal(d, m->nv);
    w->qpos = sn_scratchReal(d, m->nq);
    return w->weight && w->change && w->qpos;
}

// q until delta is 0. false: no room. A loop that opens leaves qpos as it was; its K is that of this
// position.
static bool closePositions(const snModel* m, snData* shadow, const Work* w)
{
    double last = HUGE_VAL;
    memcpy(w->qpos, shadow->qpos, (size_t)m->nq * sizeof(double));
    for (int step = 0; step < MOST; step++) {
        if (!sn_shadowLoops(m, shadow)) return false;
        if (!(shadow->loop_error > CLOSED)) return true;
        if (!(shadow->loop_error < last)) break; // at rounding, or running away
        last = shadow->loop_error;
        if (!sn_loopCorrection(m, shadow, w->weight, NULL, shadow->loop_delta, w->change)) return false;
        sn_integratePos(m, shadow->qpos, w->change, 1);
    }
    if (last < 1e-9) return true;
    memcpy(shadow->qpos, w->qpos, (size_t)m->nq * sizeof(double));
    sn_warn(shadow, SN_WARN_LOOPOPEN, sn_worstClosure(shadow));
    return sn_shadowLoops(m, shadow);
}

static bool closeVelocities(const snModel* m, snData* shadow, const Work* w)
{
    const size_t mark = sn_scratchMark(shadow);
    double* speed = sn_scratchReal(shadow, shadow->nlooprow);
    bool room = speed != NULL;
    for (int c = 0; c < shadow->ncluster && room; c++)
        for (int r = 0; r < shadow->cluster_rownum[c]; r++) {
            const double* K = shadow->loop_K + shadow->cluster_Kadr[c] + r * shadow->cluster_dofnum[c];
            double sum = 0;
            for (int j = 0; j < shadow->cluster_dofnum[c]; j++)
                sum += K[j] * shadow->qvel[shadow->loop_dof[shadow->cluster_dofadr[c] + j]];
            speed[shadow->cluster_rowadr[c] + r] = sum;
        }
    room = room && sn_loopCorrection(m, shadow, w->weight, NULL, speed, w->change);
    for (int i = 0; i < m->nv && room; i++) shadow->qvel[i] += w->change[i];
    sn_scratchRelease(shadow, mark);
    return room;
}

int sn_worstClosure(const snData* d)
{
    int worst = -1;
    double largest = -1;
    for (int l = 0; l < d->nclosure; l++)
        for (int r = 0; r < d->closure_rownum[l]; r++) {
            const double error = fabs(d->loop_delta[d->closure_rowadr[l] + r]);
            if (!(error > largest)) continue;
            largest = error;
            worst = d->closure_id[l];
        }
    return worst;
}

void sn_loopProject(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d);
    snData shadow;
    Work w;
    bool room = allocate(m, d, &w) && sn_beginShadow(m, d, &shadow);
    if (room) {
        for (int i = 0; i < m->nv; i++) w.weight[i] = fmax(d->qM[m->dof_Madr[i]], SN_MINVAL);
        room = closePositions(m, &shadow, &w) && closeVelocities(m, &shadow, &w);
        sn_endShadow(d, &shadow);
        d->loop_error = shadow.loop_error;
        d->loop_error_max = fmax(d->loop_error_max, d->loop_error);
    }
    if (!room) sn_warn(d, SN_WARN_CNSTRFULL, (int)(d->narena / 1024));
    sn_scratchRelease(d, mark);
}
