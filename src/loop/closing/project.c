// Closing loops after a step: positions by Newton's method, velocities by one projection, both in the metric
// of H, the joint-space inertia of the step: corrections are what impulses of the loops would do.
#include <float.h>
#include <math.h>
#include <sinew/loop.h>
#include <sinew/support.h>
#include <string.h>
#include "loop/cluster.h"
#include "loop/position.h"
#include "loop/closing/project.h"
#include "loop/reduced.h"
#include "loop/closing/shadow.h"
#include "model/arena.h"

// Errors of position below ROUNDING need no correction, those below CLOSED one more; what a step leaves is
// mended in two.
static const double CLOSED = 1e-12, ROUNDING = 1e-16;

// A loop that is open by more (m or rad) where a step begins has not been closed: switched on a moment ago,
// set by hand, or drifting without projection.
static const double OPEN = 1e-3;

// Errors of a step that began closed are its own.
static const double BEGUN = 1e-6;
enum { MOST = 8 };

// A change [nv] of dofs, the sum of all, H times one; k of the rows [nlooprow], and qpos at the start
// [nq].
typedef struct Work {
    double *change, *total, *momentum, *k, *qpos;
    const double* H;
    bool reduced; // the shadow's G'HG is there
} Work;

static bool allocate(const snModel* m, snData* d, Work* w)
{
    w->change = sn_scratchReal(d, m->nv);
    w->total = sn_scratchReal(d, m->nv);
    w->momentum = sn_scratchReal(d, m->nv);
    w->k = sn_scratchReal(d, d->nlooprow);
    w->qpos = sn_scratchReal(d, m->nq);
    w->H = d->qM;
    w->reduced = false;
    return w->change && w->total && w->momentum && w->k && w->qpos;
}

// x <- x - keep G inv(G'HG) G'H x with keep = 1, or with keep = 0 that part alone.
static bool splitVector(const snModel* m, snData* shadow, const Work* w, bool keep, double* x)
{
    for (int k = 0; k < shadow->nmechanism; k++) {
        const size_t mark = sn_scratchMark(shadow);
        const int n = sn_padded(shadow->mechanism_ynum[k]);
        double *y = sn_scratchReal(shadow, n), *part = keep ? w->momentum : x;
        if (!y) return false;
        sn_loopMulH(m, shadow, k, w->H, x, w->momentum);
        sn_loopReduce(shadow, k, w->momentum, y);
        if (!sn_loopSolve(shadow, n, shadow->mechanism_L + shadow->mechanism_Hadr[k],
                          shadow->mechanism_Dinv + shadow->mechanism_padadr[k], y))
            return false;
        sn_loopExpand(shadow, k, y, false, part);
        const int* dof = shadow->mechanism_dof + shadow->mechanism_dofadr[k];
        for (int i = 0; i < shadow->mechanism_dofnum[k] && keep; i++) x[dof[i]] -= part[dof[i]];
        sn_scratchRelease(shadow, mark);
    }
    return true;
}

// The smallest change with K change = -delta.
static bool findChange(const snModel* m, snData* shadow, const Work* w)
{
    memset(w->change, 0, (size_t)m->nv * sizeof(double));
    for (int r = 0; r < shadow->nlooprow; r++) w->k[r] = -shadow->loop_delta[r];
    for (int c = 0; c < shadow->ncluster; c++) {
        const snNullSpace s = sn_clusterFactor(shadow, c);
        double* g = shadow->loop_g + shadow->cluster_dofadr[c];
        sn_nullSpaceParticular(&s, w->k + shadow->cluster_rowadr[c], g);
        for (int j = 0; j < s.n; j++) w->change[shadow->loop_dof[shadow->cluster_dofadr[c] + j]] = g[j];
    }
    return sn_loopInertia(m, shadow, w->H, false) && splitVector(m, shadow, w, true, w->change);
}

// Errors of position that places of bodies this far from the origin have by rounding.
static double rounding(const snModel* m, const snData* d)
{
    double far = 0;
    for (int i = 0; i < 3 * m->nbody; i++) far = fmax(far, fabs(d->xpos[i]));
    return 16 * DBL_EPSILON * far;
}

// The largest condition of a cluster.
static double worstCondition(const snData* shadow)
{
    double condition = 1;
    for (int c = 0; c < shadow->ncluster; c++) condition = fmax(condition, shadow->cluster_condition[c]);
    return condition;
}

static bool correct(const snModel* m, snData* shadow, const Work* w)
{
    if (!findChange(m, shadow, w)) return false;
    sn_integratePos(m, shadow->qpos, w->change, 1);
    for (int i = 0; i < m->nv; i++) w->total[i] += w->change[i];
    return true;
}

// A last correction, after which nothing is looked at again: K changes by no more than it. Near a singular
// pose that is not so: there an error of position counts by the condition in the direction that is nearly
// free, and by its square in velocities.
static bool isLast(const snData* shadow)
{
    const double condition = worstCondition(shadow);
    return shadow->loop_error <= fmin(CLOSED, 1e-6 / (condition * condition));
}

static void sayOpen(snData* d)
{
    sn_warn(d, SN_WARN_LOOPOPEN, sn_worstClosure(d));
    d->loop_error_max = fmax(d->loop_error_max, d->loop_error);
}

// qpos until delta is 0. false: no room. A loop that opens leaves qpos as it was.
static bool closePositions(const snModel* m, snData* shadow, Work* w)
{
    double last = HUGE_VAL;
    memcpy(w->qpos, shadow->qpos, (size_t)m->nq * sizeof(double));
    memset(w->total, 0, (size_t)m->nv * sizeof(double));
    for (int step = 0; step < MOST; step++) {
        if (!sn_shadowLoops(m, shadow)) return false;
        if (shadow->loop_error <= ROUNDING) return true;
        if (isLast(shadow)) return w->reduced = correct(m, shadow, w);
        if (!(shadow->loop_error < last)) break; // at rounding, or running away
        last = shadow->loop_error;
        if (!correct(m, shadow, w)) return false;
    }
    const double most = fmax(1e-9, rounding(m, shadow));
    if (last < most && shadow->loop_error < most) return true;
    memcpy(shadow->qpos, w->qpos, (size_t)m->nq * sizeof(double));
    memset(w->total, 0, (size_t)m->nv * sizeof(double));
    sayOpen(shadow);
    return sn_shadowLoops(m, shadow);
}

bool sn_loopConsistent(const snModel* m, snData* shadow, const double* H, double* velocity)
{
    const size_t mark = sn_scratchMark(shadow);
    const Work w = {.momentum = sn_scratchReal(shadow, m->nv), .H = H};
    const bool room =
        w.momentum && sn_loopInertia(m, shadow, H, false) && splitVector(m, shadow, &w, false, velocity);
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

void sn_loopCheck(snData* d)
{
    if (d->nclosure && d->loop_error > OPEN) sayOpen(d);
}

// What a step of h leaves of positions to be mended, mends velocities, too: by the impulses of the loops
// where the step began, as SHAKE does. Loops ask acceleration for all that the tangent turns in a step, of
// which positions take half; without the other half coming back, what moves on a circle with w would gain w^2
// h of its energy a second.
static bool mendVelocities(const snModel* m, snData* d, const Work* w, double h)
{
    if (!splitVector(m, d, w, true, w->total)) return false;
    for (int k = 0; k < d->nmechdof; k++) d->qvel[d->mechanism_dof[k]] += w->total[d->mechanism_dof[k]] / h;
    return true;
}

snLoopStanding sn_loopStanding(const snData* d)
{
    return (snLoopStanding){d->loop_error, worstCondition(d), d->loop_rank};
}

bool sn_isErrorOfStep(const snLoopStanding* begin, const snLoopStanding* end)
{
    const double most = 1e4;
    return begin->error < BEGUN && begin->rank == end->rank && begin->condition < most &&
           end->condition < most;
}

void sn_loopProject(const snModel* m, snData* d, double timestep)
{
    const size_t mark = sn_scratchMark(d);
    snData shadow;
    Work w;
    bool room = allocate(m, d, &w) && sn_beginShadow(m, d, &shadow);
    if (room) {
        room = closePositions(m, &shadow, &w);
        const snLoopStanding begin = sn_loopStanding(d), end = sn_loopStanding(&shadow);
        const bool mend = timestep > 0 && sn_isErrorOfStep(&begin, &end);
        room = room && (!mend || mendVelocities(m, d, &w, timestep));
        room = room && (w.reduced || sn_loopInertia(m, &shadow, w.H, false)) &&
               splitVector(m, &shadow, &w, false, d->qvel);
        sn_endShadow(d, &shadow);
        d->loop_error = shadow.loop_error;
        d->loop_error_max = fmax(shadow.loop_error_max, d->loop_error);
    }
    if (!room) sn_warnFull(d);
    sn_scratchRelease(d, mark);
}
