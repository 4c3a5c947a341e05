// Closing loops after a step: positions by Newton's method, velocities by one projection, both in the metric
// of H, the joint-space inertia of the step: corrections are what impulses of the loops would do. Source:
// Ryckaert, Ciccotti and Berendsen 1977 (SHAKE); Andersen 1983 (RATTLE).
#include <float.h>
#include <math.h>
#include <sinew/loop.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include <string.h>
#include "loop/cluster.h"
#include "loop/position.h"
#include "loop/closing/project.h"
#include "loop/reduced.h"
#include "loop/closing/shadow.h"
#include "loop/closing/stiffness.h"
#include "model/arena.h"
#include "model/kinds.h"

// Errors of position below ROUNDING need no correction, those below CLOSED one more; what a step leaves is
// mended in two.
static const double CLOSED = 1e-12, ROUNDING = 1e-16;

// A loop that is open by more (m or rad) where a step begins has not been closed: switched on a moment ago,
// set by hand, or drifting without projection.
static const double OPEN = 1e-3;

// What is taut keeps an opening below HELD, of which a correction would leave a quarter and the rank nothing:
// the sag that goes with it is what rows hold loads with. Below TELLING a quarter may be rounding.
static const double HELD = 1e-10, TELLING = 1e-14;
enum { MOST = 8, MOST_SLOW = 30 }; // towards a singular pose each correction halves what is left, no more

// What a correction turns a joint by (rad) at most: farther on lengths are others. At a singular pose a whole
// one may be turns, and end where loops are closed, too.
static const double TURN = 0.5;

// Ways back from what cannot be closed: halves, and in the end all of it.
enum { WAYS = 5 };

// Changes [nv] of dofs; k of the rows [nlooprow]; and qpos [nq].
typedef struct Work {
    double *change, *total; // the last and the sum of all
    double *way, *start;    // by which the step has moved positions, and the velocity where it began
    double *force, *free; // all forces but those of loops where it began, and what a free body makes of them
    double* momentum;     // H times one
    double* part;         // [nmechanism] of it that is gone
    double* k;
    double *qpos, *from; // at the start and before the last change
    const double* H;
    bool reduced; // the shadow's G'HG is there
    bool weak;    // a pose on the way was nearly singular, or the way long
    bool slow;    // so are poses ahead
    bool stiff;   // corrections know how K turns there
    snLoopStiffness stiffness;
} Work;

static bool allocate(const snModel* m, snData* d, Work* w)
{
    double** const vectors[] = {&w->change, &w->total, &w->way, &w->start, &w->force, &w->free, &w->momentum};
    bool room = true;
    for (int i = 0; i < (int)(sizeof vectors / sizeof *vectors); i++)
        room &= (*vectors[i] = sn_scratchReal(d, m->nv)) != NULL;
    w->part = sn_scratchReal(d, d->nmechanism);
    w->k = sn_scratchReal(d, d->nlooprow);
    w->qpos = sn_scratchReal(d, m->nq);
    w->from = sn_scratchReal(d, m->nq);
    w->H = d->qM;
    w->reduced = w->weak = w->slow = w->stiff = false;
    return room && w->part && w->k && w->qpos && w->from;
}

// Where the step began, and its way.
static void lookBack(const snModel* m, const snData* d, const snLoopStep* step, Work* w)
{
    const double h = m->opt.timestep;
    for (int i = 0; i < m->nv; i++) {
        w->way[i] = step ? h * (step->velocity ? step->velocity[i] : d->qvel[i]) : 0;
        w->start[i] = d->qvel[i] - (step ? h * step->acceleration[i] : 0);
    }
}

static void findForces(const snModel* m, snData* d, const Work* w)
{
    for (int i = 0; i < m->nv; i++) w->force[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
    for (int c = 0; c < d->ncluster; c++) {
        const int n = d->cluster_dofnum[c], *dof = d->loop_dof + d->cluster_dofadr[c];
        const double *K = d->loop_K + d->cluster_Kadr[c], *lambda = d->loop_force + d->cluster_rowadr[c];
        for (int r = 0; r < d->cluster_rownum[c]; r++)
            for (int j = 0; j < n; j++) w->force[dof[j]] -= K[r * n + j] * lambda[r];
    }
    memcpy(w->free, w->force, (size_t)m->nv * sizeof(double));
    sn_solveM(m, d, w->free, w->free, 1);
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

// The largest condition of a cluster.
static double worstCondition(const snData* shadow)
{
    double condition = 1;
    for (int c = 0; c < shadow->ncluster; c++) condition = sn_max(shadow->cluster_condition[c], condition);
    return condition;
}

// A last correction, after which nothing is looked at again: K changes by no more than it. Near a singular
// pose that is not so: there an error of position counts by the condition in the direction that is nearly
// free, and by its square in velocities.
static bool isLast(const snData* shadow)
{
    const double condition = worstCondition(shadow);
    return shadow->loop_error <= sn_min(1e-6 / (condition * condition), CLOSED);
}

// The smallest change with K change = -delta, in the metric of H or, on a slow way, of that which knows how K
// turns.
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
    if (!sn_loopInertia(m, shadow, w->H, false)) return false;
    return w->stiff && !isLast(shadow) ? sn_smallestStiffly(m, shadow, &w->stiffness, w->H, w->change)
                                       : splitVector(m, shadow, w, true, w->change);
}

// Errors of position that places of bodies this far from the origin have by rounding.
static double rounding(const snModel* m, const snData* d)
{
    double far = 0;
    for (int i = 0; i < 3 * m->nbody; i++) far = sn_max(fabs(d->xpos[i]), far);
    return 16 * DBL_EPSILON * far;
}

// By how much of itself a change turns no joint by more than TURN.
static double shareOf(const snModel* m, const double* change)
{
    double most = 0;
    for (int i = 0; i < m->nv; i++) {
        const int j = m->dof_jntid[i];
        if (!sn_dofSlides(m->jnt_type[j], i - m->jnt_dofadr[j])) most = sn_max(fabs(change[i]), most);
    }
    return most > TURN ? TURN / most : 1;
}

static bool correct(const snModel* m, snData* shadow, const Work* w)
{
    if (!findChange(m, shadow, w)) return false;
    const double share = shareOf(m, w->change);
    for (int i = 0; i < m->nv && share < 1; i++) w->change[i] *= share;
    memcpy(w->from, shadow->qpos, (size_t)m->nq * sizeof(double));
    sn_integratePos(m, shadow->qpos, w->change, 1);
    for (int i = 0; i < m->nv; i++) w->total[i] += w->change[i];
    return true;
}

// Half the last change: it led to where loops are more open.
static void shorten(const snModel* m, snData* shadow, const Work* w)
{
    for (int i = 0; i < m->nv; i++) {
        w->change[i] *= 0.5;
        w->total[i] -= w->change[i];
    }
    memcpy(shadow->qpos, w->from, (size_t)m->nq * sizeof(double));
    sn_integratePos(m, shadow->qpos, w->change, 1);
}

// Without the last change.
static bool goBack(const snModel* m, snData* shadow, const Work* w)
{
    for (int i = 0; i < m->nv; i++) w->total[i] -= w->change[i];
    memcpy(shadow->qpos, w->from, (size_t)m->nq * sizeof(double));
    return sn_shadowLoops(m, shadow);
}

static void sayOpen(snData* d)
{
    sn_warn(d, SN_WARN_LOOPOPEN, sn_worstClosure(d));
    d->loop_error_max = sn_max(d->loop_error, d->loop_error_max);
}

static bool isNearlySingular(const snLoopStanding* begin, const snData* shadow)
{
    return shadow->loop_rank != begin->rank || worstCondition(shadow) > SN_LOOP_WEAK;
}

// Whether the last correction was one too many: the error is at rounding, or runs away. On a slow way it may
// rise a little.
static bool isTooFar(const Work* w, double error, double last, double most)
{
    const double rise = w->slow && error >= most ? 4 : 1;
    return !(error < rise * last);
}

// Corrections of the shadow's qpos until delta is 0, or `most` where less cannot be had. Returns whether it
// is.
static bool iterate(const snModel* m, const snLoopStanding* begin, snData* shadow, Work* w, double most,
                    bool* room)
{
    double last = HUGE_VAL;
    for (int step = 0; step < (w->slow ? MOST_SLOW : MOST); step++) {
        if (!(*room = sn_shadowLoops(m, shadow))) return false;
        const double error = shadow->loop_error;
        w->weak = w->weak || step >= MOST || isNearlySingular(begin, shadow);
        // where Newton's method leaves more than the square, a singular pose is ahead
        w->slow = w->slow || w->weak || (last < HUGE_VAL && error > most && error > 0.1 * last);
        if (error <= ROUNDING) return true;
        if (isLast(shadow)) return w->reduced = *room = correct(m, shadow, w);
        if (w->weak && error > 0.1 * last && last < HELD && last > TELLING)
            return *room = goBack(m, shadow, w);
        if (isTooFar(w, error, last, most)) {
            if (error < most && last < most) return true;
            if (!w->slow || step == 0) return false; // at first it is no number
            shorten(m, shadow, w);
            continue;
        }
        last = error;
        if (!(*room = correct(m, shadow, w))) return false;
    }
    const double before = shadow->loop_error;
    *room = sn_shadowLoops(m, shadow);
    return (w->slow || before < most) && shadow->loop_error < most;
}

// x'H x of a mechanism's dofs
static double squareOf(const snModel* m, const snData* d, const Work* w, const double* H, int k,
                       const double* x)
{
    const int* dof = d->mechanism_dof + d->mechanism_dofadr[k];
    double sum = 0;
    sn_loopMulH(m, d, k, H, x, w->momentum);
    for (int i = 0; i < d->mechanism_dofnum[k]; i++) sum += x[dof[i]] * w->momentum[dof[i]];
    return sum;
}

// The largest error of a mechanism's loops.
static double errorOf(const snData* d, int k)
{
    double worst = 0;
    for (int l = 0; l < d->nclosure; l++) {
        if (d->cluster_mechanism[d->closure_cluster[l]] != k) continue;
        for (int r = 0; r < d->closure_rownum[l]; r++)
            worst = sn_max(fabs(d->loop_delta[d->closure_rowadr[l] + r]), worst);
    }
    return worst;
}

// Loops take energy from what bodies would have without them within a step. What has far more of it, of a
// direction that did not hold for so long, goes as far as it would with that.
static void boundWays(const snModel* m, const snData* d, const Work* w)
{
    const double h = m->opt.timestep;
    for (int i = 0; i < m->nv; i++) w->change[i] = h * (w->start[i] + h * w->free[i]);
    for (int k = 0; k < d->nmechanism; k++) {
        const double free = squareOf(m, d, w, w->H, k, w->change), gone = squareOf(m, d, w, w->H, k, w->way);
        if (gone > 2 * free) w->part[k] = sqrt(free / gone);
    }
}

// Of a mechanism that is open by more than `most`, or that corrections have taken farther than back to where
// the step began, which is a closed position nearer than theirs, less of the way is to be gone. Returns
// whether there is one.
static bool shortenWays(const snModel* m, const snData* d, const snData* shadow, const Work* w, double most,
                        bool again)
{
    bool shorter = false;
    for (int k = 0; k < shadow->nmechanism; k++) {
        const double back = squareOf(m, d, w, w->H, k, w->total), gone = squareOf(m, d, w, w->H, k, w->way);
        if (!(errorOf(shadow, k) > most) && !(back > 1.2 * gone)) continue;
        if (again) w->part[k] = w->part[k] > ldexp(1, -WAYS) ? 0.5 * w->part[k] : 0;
        shorter = true;
    }
    return shorter;
}

// To where the parts of the way lead.
static void goParts(const snModel* m, const snData* d, snData* shadow, const Work* w)
{
    memset(w->total, 0, (size_t)m->nv * sizeof(double));
    for (int k = 0; k < d->nmechanism; k++) {
        const int* dof = d->mechanism_dof + d->mechanism_dofadr[k];
        for (int i = 0; i < d->mechanism_dofnum[k]; i++) w->total[dof[i]] = (w->part[k] - 1) * w->way[dof[i]];
    }
    memcpy(shadow->qpos, w->qpos, (size_t)m->nq * sizeof(double));
    sn_integratePos(m, shadow->qpos, w->total, 1);
}

// Where the step has led, or where its direction holds.
static void begin(const snModel* m, snData* d, const snLoopStanding* here, bool closed, snData* shadow,
                  Work* w)
{
    memcpy(w->qpos, shadow->qpos, (size_t)m->nq * sizeof(double));
    memset(w->total, 0, (size_t)m->nv * sizeof(double));
    for (int k = 0; k < d->nmechanism; k++) w->part[k] = 1;
    if (!closed || here->condition <= SN_LOOP_WEAK) return;
    boundWays(m, d, w);
    goParts(m, d, shadow, w);
}

// qpos until delta is 0. false: no room. closed: where the step began they were; what cannot be closed where
// it leads goes a part of the way then, and else stays open.
static bool closePositions(const snModel* m, snData* d, const snLoopStanding* here, bool closed, double most,
                           snData* shadow, Work* w)
{
    bool room, done;
    begin(m, d, here, closed, shadow, w);
    for (int way = 0;; way++) {
        w->weak = w->slow = way || here->condition > SN_LOOP_WEAK;
        done = iterate(m, here, shadow, w, way > WAYS + 1 ? SN_LOOP_BEGUN : most, &room);
        if (!room) return false;
        const bool again = closed && w->slow && way <= WAYS + 1;
        if (!again || !shortenWays(m, d, shadow, w, most, way > 0)) break;
        w->reduced = false;
        if (way == 0) w->stiff = sn_makeStiffness(m, shadow, &w->stiffness);
        if (way == 1) sn_warn(shadow, SN_WARN_LOOPSINGULAR, sn_worstClosure(shadow));
        goParts(m, d, shadow, w);
    }
    if (done) return true;
    if (!closed || !w->slow) {
        memcpy(shadow->qpos, w->qpos, (size_t)m->nq * sizeof(double));
        memset(w->total, 0, (size_t)m->nv * sizeof(double));
    }
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

// The velocity of a mechanism goes towards that with which its positions have moved, (q+ - q)/h, as far as
// its energy falls.
static void slowMechanism(const snModel* m, snData* d, const Work* w, int k)
{
    const int *dof = d->mechanism_dof + d->mechanism_dofadr[k], n = d->mechanism_dofnum[k];
    double *change = w->change, against = 0, size = 0;
    for (int i = 0; i < n; i++)
        change[dof[i]] = (w->total[dof[i]] + w->way[dof[i]]) / m->opt.timestep - d->qvel[dof[i]];
    sn_loopMulH(m, d, k, w->H, change, w->momentum);
    for (int i = 0; i < n; i++) {
        against -= d->qvel[dof[i]] * w->momentum[dof[i]];
        size += change[dof[i]] * w->momentum[dof[i]];
    }
    if (!(against > 0)) return;
    const double part = sn_min(against / size, 1);
    for (int i = 0; i < n; i++) d->qvel[dof[i]] += part * change[dof[i]];
}

// Kinetic energy of a mechanism is at most that where the step began and the work of all forces but those of
// loops on the way that it has really come.
static void boundEnergy(const snModel* m, snData* d, snData* shadow, const Work* w)
{
    sn_tendon(m, shadow);
    sn_makeM(m, shadow);
    for (int k = 0; k < d->nmechanism; k++) {
        const int* dof = d->mechanism_dof + d->mechanism_dofadr[k];
        double most = 0.5 * squareOf(m, d, w, d->qM, k, w->start);
        for (int i = 0; i < d->mechanism_dofnum[k]; i++)
            most += w->force[dof[i]] * (w->total[dof[i]] + w->way[dof[i]]);
        const double has = 0.5 * squareOf(m, d, w, shadow->qM, k, d->qvel);
        if (!(has > sn_max(most, 0))) continue;
        const double scale = sqrt(sn_max(most, 0) / has);
        for (int i = 0; i < d->mechanism_dofnum[k]; i++) d->qvel[dof[i]] *= scale;
    }
}

snLoopStanding sn_loopStanding(const snData* d)
{
    return (snLoopStanding){d->loop_error, worstCondition(d), d->loop_rank};
}

bool sn_isErrorOfStep(const snLoopStanding* begin, const snLoopStanding* end)
{
    return begin->error < SN_LOOP_BEGUN && begin->rank == end->rank && begin->condition < SN_LOOP_WEAK &&
           end->condition < SN_LOOP_WEAK;
}

bool sn_loopProjectStep(const snModel* m, snData* d, double timestep, const snLoopStep* step)
{
    const size_t mark = sn_scratchMark(d);
    const snLoopStanding here = step ? *step->begin : sn_loopStanding(d);
    snData shadow;
    Work w;
    bool room = allocate(m, d, &w) && sn_beginShadow(m, d, &shadow);
    if (room) {
        lookBack(m, d, step, &w);
        const bool closed = step && here.error < SN_LOOP_BEGUN;
        if (closed && here.condition > SN_LOOP_WEAK) findForces(m, d, &w);
        room = closePositions(m, d, &here, closed, sn_max(rounding(m, d), 1e-9), &shadow, &w);
        const snLoopStanding end = sn_loopStanding(&shadow);
        const bool weak = w.weak || end.rank != here.rank || end.condition > SN_LOOP_WEAK;
        const bool mend = timestep > 0 && !weak && sn_isErrorOfStep(&here, &end);
        // near a singular pose impulses of the loops where the step began say nothing of those within it
        const bool slow = closed && weak;
        for (int k = 0; k < d->nmechanism && room && slow; k++) slowMechanism(m, d, &w, k);
        room = room && (!mend || mendVelocities(m, d, &w, timestep));
        room = room && (w.reduced || sn_loopInertia(m, &shadow, w.H, false)) &&
               splitVector(m, &shadow, &w, false, d->qvel);
        if (room && slow) {
            if (here.condition <= SN_LOOP_WEAK) findForces(m, d, &w);
            boundEnergy(m, d, &shadow, &w);
        }
        sn_endShadow(d, &shadow);
        d->loop_error = shadow.loop_error;
        d->loop_error_max = sn_max(shadow.loop_error_max, d->loop_error);
    }
    sn_scratchRelease(d, mark);
    return room;
}

void sn_loopProject(const snModel* m, snData* d, double timestep)
{
    const snLoopStanding begin = sn_loopStanding(d);
    const snLoopStep step = {d->qacc, NULL, &begin};
    if (!sn_loopProjectStep(m, d, timestep, timestep > 0 ? &step : NULL)) sn_warnFull(d);
}
