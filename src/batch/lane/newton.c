// Primal Newton with exact line search: its twin is solver/newton.c on solver/primal.c. Of its own, for lanes
// go on together, each with a step of its own, until the last has ended; each ends when primal.c would.
#include "batch/lane/newton.h"
#include <sinew/constraint.h>
#include "batch/lane/lane.h"
#include "batch/lane/pgs.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "solver/scale.h"

// As snPrimalOption and snPrimal, by lane.
typedef struct Newton {
    snLaneProblem p;
    real tolerance, ls_tolerance, scale;
    real cost, gradient, least, idle;
    real noise; ///< of the gradient
    snMask go;  ///< lanes that have not ended
} Newton;

// In floats a lane ends where rounding does: what is not above this share of the terms of a sum is none of
// its value. Doubles come to the tolerance first.
#ifdef SN_SINGLE
#define ROUNDING (4 * DBL_EPSILON)
#define DROWNED 1e-3 // share of the cost below which its change is not its difference
#define FLAT 5e-6    // share of the first slope of a line below which a slope is none
#else
#define ROUNDING 0.0
#define DROWNED 1e-10
#define FLAT 1e-14
#endif

enum { MOST_DOTS = 4 };

#define NEAR 1e-4 // share of the slope at 0 that may be left where the steps begin

// Products a' b of some pairs of vectors side by side, for each sum waits for itself. `count` is a constant.
SN_LANE_INLINE void dots(const real* const* a, const real* const* b, const int count, int n, real* out)
{
    real even[MOST_DOTS] = {{0}}, odd[MOST_DOTS] = {{0}};
    for (int i = 0; i + 1 < n; i += 2) {
#pragma GCC unroll 4
        for (int k = 0; k < count; k++) {
            even[k] += a[k][i] * b[k][i];
            odd[k] += a[k][i + 1] * b[k][i + 1];
        }
    }
#pragma GCC unroll 4
    for (int k = 0; k < count; k++)
        out[k] = n & 1 ? even[k] + a[k][n - 1] * b[k][n - 1] + odd[k] : even[k] + odd[k];
}

static real dot(const real* a, const real* b, int n)
{
    real out;
    dots(&a, &b, 1, n, &out);
    return out;
}

// y of dofs that no row of a lane touches from y of those above: (L y)_i = 0.
static void follow(const snModel* m, const snData* d, const snLaneProblem* p)
{
    snMask touched[SN_LANE_DOFS];
    sn_laneTouched(m, d, p, touched);
    for (int k = 0; k < p->tree.count; k++) {
        const snSuper* s = p->tree.super + k;
        for (int c = 0; c < s->count; c++) {
            const int i = s->first + c;
            if (sn_all(touched[i])) continue;
            const real* row = d->qLD + m->dof_LDadr[i];
            real sum = {0};
            for (int j = 0; j < s->nabove && !m->dof_simplenum[i]; j++) sum -= row[j] * p->y[s->above[j]];
            for (int j = 0; j < c && !m->dof_simplenum[i]; j++)
                sum -= row[s->nabove + j] * p->y[s->first + j];
            p->y[i] = sn_select(touched[i], p->y[i], sum);
        }
    }
}

// Gradient and cost of the lanes that go on, at y with this sum of s.
static void addGradient(Newton* s, real rows)
{
    snLaneProblem* p = &s->p;
    sn_laneMulJT(p, p->force, p->Mp); // no longer needed
    for (int i = 0; i < p->n; i++) {
        p->rows[i] = sn_select(s->go, p->Mp[i], p->rows[i]);
        p->grad[i] = p->My[i] + p->rows[i];
    }
    const real *const a[] = {p->grad, p->y, p->My, p->rows}, *const b[] = {p->grad, p->My, p->My, p->rows};
    real sum[4];
    dots(a, b, ROUNDING > 0 ? 4 : 2, p->n, sum);
    s->gradient = sqrt(sum[0]);
    s->cost = 0.5 * sum[1] + rows;
    s->noise = ROUNDING > 0 ? ROUNDING * sqrt(sum[2] + sum[3]) : sn_real(0);
}

// ---- along a line

typedef struct Search {
    real slope0, curvature, tolerance;
    real first; ///< slope at 0
    snMask exact;
} Search;

// Where lanes stand in the bracket.
typedef struct Bracket {
    real low, high, a, last, before;
} Bracket;

// The next point of the lanes that are still searching; see solver/rowset.c. Returns those that have found.
static snMask narrow(real d1, real d2, real tolerance, snMask open, Bracket* b)
{
    const snMask found = fabs(d1) <= tolerance, left = (d1 < 0) & ~found & open,
                 right = ~(found | (d1 < 0)) & open;
    b->low = sn_select(left, b->a, b->low);
    b->high = sn_select(right, b->a, b->high);
    real next = b->a - d1 / d2;
    const snMask stays = next == b->a, bounded = b->high < HUGE_VAL;
    const snMask slow = bounded & ~(fabs(next - b->a) <= 0.5 * b->before);
    const snMask outside = slow | ~((next > b->low) & (next < b->high));
    next = sn_select(outside, sn_select(bounded, 0.5 * (b->low + b->high), 2 * b->low), next);
    const snMask moves = open & ~(found | stays);
    b->before = sn_select(moves, b->last, b->before);
    b->last = sn_select(moves, fabs(next - b->a), b->last);
    b->a = sn_select(moves, next, b->a);
    return found | stays;
}

// Cost along the line. Overwrites the force.
static real costAlong(const snLaneProblem* p, const Search* q, real a)
{
    for (int k = 0; k < p->nactive; k++) {
        const snStrip* s = p->active[k];
        for (int r = s->first, end = r + s->dim * s->count; r < end; r++) p->trial[r] = p->x[r] + a * p->v[r];
    }
    return a * (q->slope0 + 0.5 * a * q->curvature) + sn_laneRows(p, p->trial, p->force);
}

// Of the lanes whose evaluations are used up: see leastOf in solver/rowset.c.
static real leastOf(const snLaneProblem* p, const Search* q, const Bracket* b, real first, snMask open)
{
    enum { SHORTER = 30 };
    const real start = costAlong(p, q, sn_real(0)), at[] = {b->low, b->a, b->high, first};
    real least = start, best = b->low;
    for (int k = 0; k < 4; k++) {
        const snMask there = (at[k] > 0) & (at[k] < HUGE_VAL);
        const real cost = costAlong(p, q, sn_select(there, at[k], 0));
        const snMask lower = there & (cost < least);
        least = sn_select(lower, cost, least);
        best = sn_select(lower, at[k], best);
    }
    real a = sn_min(b->a, sn_min(b->high, first));
    for (int k = 0; k < SHORTER && sn_any(open & ~(best > 0)); k++) {
        a *= 0.25;
        best = sn_select(~(best > 0) & (costAlong(p, q, a) < start), a, best);
    }
    (void)sn_laneRows(p, p->x, p->force); // that of x again
    return best;
}

// The step of each lane in `go`; 0: no descent.
static real search(const snModel* m, const snLaneProblem* p, snMask go, Search* q)
{
    real d1, d2, ignored, curvature = {0};
    snMask differ;
    sn_laneSlopes(p, sn_real(1), &d1, &d2, &differ);
    q->exact = sn_not(differ);
    q->first = sn_real(0);
    if (sn_all(q->exact | ~go)) return sn_select(go, 1, 0);
    const real slope = sn_laneSlope(p);
    q->first = sn_select(q->exact, 0, q->slope0 + slope);
    real tolerance = sn_max(q->tolerance, -FLAT * q->first);
    if (ROUNDING > 0) tolerance = sn_max(ROUNDING * (fabs(q->slope0) + fabs(slope)), tolerance);
    const snMask falls = q->exact | (q->first < 0);
    snMask open = go & falls & ~q->exact;
    Bracket b = {sn_real(0), sn_real(HUGE_VAL), sn_real(1), sn_real(HUGE_VAL), sn_real(HUGE_VAL)};
    for (int evaluations = 1; evaluations < m->opt.ls_iterations; evaluations++) {
        if (evaluations > 1) sn_laneSlopes(p, b.a, &d1, &d2, NULL);
        open &= ~narrow(q->slope0 + q->curvature * b.a + d1, q->curvature + d2, tolerance, open, &b);
        if (!sn_any(open)) break;
    }
    real a = b.a;
    if (sn_any(open)) {
        sn_laneSlopes(p, sn_real(0), &ignored, &curvature, NULL);
        a = sn_select(open, leastOf(p, q, &b, -q->first / (q->curvature + curvature), open), a);
    }
    return sn_select(go & falls & (a > 0), a, 0);
}

// ---- from where

// The way from y = 0 to qacc_warmstart; 0 in lanes where that is no number.
static void findWarm(const snModel* m, const snData* d, snLaneProblem* p)
{
    for (int i = 0; i < p->n; i++) p->y[i] = d->qacc_warmstart[i] - d->qacc_smooth[i];
    follow(m, d, p);
    sn_laneMulM(m, d, p, p->y, p->My);
    const snMask none = sn_not(dot(p->y, p->My, p->n) < HUGE_VAL);
    for (int i = 0; i < p->n && sn_any(none); i++) {
        p->y[i] = sn_select(none, 0, p->y[i]);
        p->My[i] = sn_select(none, 0, p->My[i]);
    }
    sn_laneMulJ(p, p->y, p->v);
}

// Whether lanes begin where the scalar engine does not: where rows are pieces of parabolas, whose minimum
// steps from anywhere come to, as on cones they do not, and where they hardly run out of iterations before.
// Lanes that do are its to step.
static bool beginsElsewhere(const snModel* m)
{
    enum { PLENTY = 25 };
    return m->opt.cone == SN_CONE_PYRAMIDAL && m->opt.iterations >= PLENTY;
}

// How far to go along p->v: 1 or, in lanes where it costs less, 0.
static real warmOrCold(const snLaneProblem* p, real cold)
{
    for (int r = 0; r < p->ncomponent; r++) p->x[r] = p->b[r] + p->v[r];
    const real warm = 0.5 * dot(p->y, p->My, p->n) + sn_laneRows(p, p->x, p->force);
    memcpy(p->x, p->b, (size_t)p->ncomponent * sizeof(real));
    return sn_select(warm <= cold, 1, 0);
}

// To where it costs least.
static real alongLine(const snModel* m, snLaneProblem* p, snMask go)
{
    sn_lanePrepareLine(p);
    Search q = {.curvature = dot(p->y, p->My, p->n), .tolerance = NEAR * fabs(sn_laneSlope(p))};
    return search(m, p, go, &q);
}

// Along the way from 0 to qacc_warmstart.
static void start(const snModel* m, snData* d, Newton* s)
{
    snLaneProblem* p = &s->p;
    s->go = sn_mask(true);
    s->least = sn_real(HUGE_VAL);
    s->idle = sn_real(0);
    memcpy(p->x, p->b, (size_t)p->ncomponent * sizeof(real));
    real rows = sn_laneRows(p, p->x, p->force);
    if (m->opt.disableflags & SN_DSBL_WARMSTART) {
        memset(p->y, 0, (size_t)p->n * sizeof(real));
        memset(p->My, 0, (size_t)p->n * sizeof(real));
    } else {
        findWarm(m, d, p);
        const real a = beginsElsewhere(m) ? alongLine(m, p, s->go) : warmOrCold(p, rows);
        for (int i = 0; i < p->n; i++) {
            p->y[i] *= a;
            p->My[i] *= a;
        }
        sn_laneMove(p, a);
        rows = sn_laneRows(p, p->x, p->force);
    }
    addGradient(s, rows);
}

// ---- steps

// One step of the lanes that go on along p->p; see sn_primalStep.
static void step(const snModel* m, const snData* d, Newton* s)
{
    snLaneProblem* p = &s->p;
    sn_laneMulM(m, d, p, p->p, p->Mp);
    sn_laneMulJ(p, p->p, p->v);
    sn_lanePrepareLine(p);
    const real *const left[] = {p->p, p->My, p->p}, *const right[] = {p->p, p->p, p->Mp};
    real sum[3];
    dots(left, right, 3, p->n, sum);
    Search q = {.slope0 = sum[1],
                .curvature = sum[2],
                .tolerance = s->tolerance * s->ls_tolerance * sqrt(sum[0]) / s->scale};
    const real a = search(m, p, s->go, &q), before = s->cost;
    s->go &= a > 0;
    if (!sn_any(s->go)) return;
    for (int i = 0; i < p->n; i++) {
        p->y[i] = sn_select(s->go, p->y[i] + a * p->p[i], p->y[i]);
        p->My[i] += a * p->Mp[i];
    }
    const snMask changed = sn_laneMove(p, a);
    addGradient(s, sn_laneRows(p, p->x, p->force));
    real improvement = before - s->cost;
    const snMask drowned = (improvement < DROWNED * fabs(before)) & (q.first < 0);
    improvement = s->scale * sn_select(drowned, -0.5 * a * q.first, improvement);
    const real least = ROUNDING > 0 ? sn_max(s->tolerance, s->scale * ROUNDING * fabs(before)) : s->tolerance;
    const snMask gains = ~q.exact & (improvement >= least);
    const snMask idle = ~changed & ~gains & (s->gradient > 0.5 * s->least);
    enum { PATIENCE = 2 };
    s->idle = sn_select(idle, sn_select(q.exact, PATIENCE, s->idle + 1), 0);
    s->least = sn_min(s->gradient, s->least);
    s->go &=
        (s->scale * s->gradient >= s->tolerance) & (s->idle < PATIENCE) & sn_not(s->gradient <= s->noise);
}

// ----

static void iterate(const snModel* m, snData* d, Newton* s)
{
    snLaneProblem* p = &s->p;
    const real settled = 1e-3 * s->tolerance;
    s->go = sn_not((s->scale * s->gradient < settled) | (s->gradient < s->noise)) & ~d->eject;
    if (sn_any(s->go)) sn_laneInertia(m, d, p);
    for (int k = 0; k < m->opt.iterations && sn_any(s->go); k++) {
        sn_laneActivate(p, s->go);
        d->iterations += sn_select(s->go, 1, 0);
        sn_laneHessian(p, s->go);
        const snMask bad = sn_laneFactor(p) & s->go;
        sn_eject(d, bad);
        s->go &= ~bad;
        for (int i = 0; i < p->n; i++) p->p[i] = -p->grad[i];
        sn_laneSolve(p, p->p);
        step(m, d, s);
    }
    // the scalar engine gives each island as many iterations, and begins elsewhere
    if ((m->ntree > 1 || beginsElsewhere(m)) && ROUNDING == 0) sn_eject(d, s->go);
    sn_eject(d, sn_not(s->gradient <= SN_MAXVAL * SN_MAXVAL));
}

// + 0 makes zeros positive, as they are where no lane has rows.
static void finish(snData* d, const snLaneProblem* p)
{
    for (int i = 0; i < p->n; i++) {
        d->qacc[i] = d->qacc[i] + p->y[i] + 0;
        d->qfrc_constraint[i] = 0 - p->rows[i];
    }
    sn_laneForces(p, d);
}

void sn_fwdConstraint(const snModel* m, snData* d)
{
    const size_t mark = d->parena;
    if (m->nv == 0) return;
    memset(d->qfrc_constraint, 0, (size_t)m->nv * sizeof(real));
    for (int i = 0; i < m->nv; i++) d->qacc[i] = d->qacc_smooth[i] + 0;
    if (d->nefc == 0) return;
    if (sn_solverKind(m->opt.solver).dual) {
        sn_laneGaussSeidel(m, d);
        return;
    }
    Newton s = {
        .tolerance = m->opt.tolerance, .ls_tolerance = m->opt.ls_tolerance, .scale = sn_solverScale(m, d)};
    if (sn_laneProblem(m, d, &s.p)) {
        start(m, d, &s);
        iterate(m, d, &s);
        finish(d, &s.p);
    } else {
        sn_eject(d, sn_mask(true));
    }
    d->parena = mark;
}
