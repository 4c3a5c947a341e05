// Level by level: in y, w with Z Q = [Z1 Z2] and L of the level's equalities E = [L 0] Q' its cost is
// 1/2 |L y - e|^2, of which w is free, and 1/2 v^2 of each inequality's violation v. With a proximal term
// eps/2 |w - w_c|^2 that is a problem of least distance in (L y - e, sqrt(eps) (w - w_c), v); the
// inequalities of the levels above are hard rows. It is solved again from w_c = w until w stands still: the
// term is then gone, and with it what it adds to multipliers. Rows that have one then, and those violated,
// are so in every optimum of the level: they become equalities. Source: seed 004, "null space"; Kanoun,
// Lamiraux and Wieber 2011; Escande, Mansard and Wieber 2014.
#include <math.h>
#include <string.h>
#include "control/hierarchy/hqp.h"
#include "control/qp/run.h"
#include "math/elementary/elementary.h"

enum {
    CENTRES = 60, ///< most proximal steps
    PATIENCE = 5, ///< after so many the proximal term is made weaker
    WEAKER = 10,  ///< its root by so much
};

static double* directionOf(const snHqp* h, double* T, int j)
{
    return T + (size_t)j * (size_t)h->length;
}

// The rows of the levels up to this one, as the core has them; returns whether any is an inequality.
static bool parts(snHqp* h, int level)
{
    bool any = false;
    const int end = level < h->nlevel ? h->start[level + 1] : h->nrow;
    for (int i = 0; i < end; i++) {
        const bool counts = h->kind[i] == SN_LEVEL_INEQUALITY && h->fixed.level[i] < 0,
                   soft = h->of[i] == level;
        h->part[i] = (unsigned char)(!counts ? SN_DISTANCE_OUT : soft ? SN_DISTANCE_SOFT : SN_DISTANCE_HARD);
        h->scale[i] = soft ? h->root[i] : h->unit[i];
        any |= counts;
    }
    h->distance.rows = end;
    return any;
}

static void begin(snHqp* h, int level, int coordinates)
{
    snDistance* d = &h->distance;
    d->length = h->length;
    d->coordinates = coordinates;
    d->T = h->T;
    d->u0 = h->u0;
    d->x0 = h->x0;
    d->bounds = 0;
    d->A = h->A;
    d->lower = h->lower;
    d->upper = h->upper;
    d->scale = h->scale;
    d->slack = h->slack;
    d->tolerance = h->option.tolerance;
    d->kind = h->part;
    d->noise = 0;
    sn_distanceBegin(d);
    for (int i = 0; i < d->rows; i++)
        if (h->last.level[i] == level && h->part[i] != SN_DISTANCE_OUT &&
            isfinite(sn_boundOf(h, i, h->last.side[i])))
            sn_distanceEnter(d, i, h->last.side[i]);
    d->changes = h->changes;
}

// Solves; a hard row that cannot hold, which rounding alone can bring about, is let go.
static bool solve(snHqp* h)
{
    snDistance* d = &h->distance;
    sn_distanceRefresh(d);
    snDistanceStatus status;
    while ((status = sn_distanceSolve(d)) == SN_DISTANCE_INFEASIBLE) sn_distanceLetGo(d, d->wrong);
    h->changes = d->changes;
    return status == SN_DISTANCE_SOLVED;
}

// ---- a level

// Scales of the level's rows: largest and least norm with weights, the largest number in the costs of its
// equalities, the least in those of all.
typedef struct Sizes {
    double most, least, cost, small;
} Sizes;

static double nearest(const snHqp* h, int i)
{
    const double low = fabs(h->lower[i]), up = fabs(h->upper[i]);
    return low < up ? low : up;
}

static double costOf(const snHqp* h, int i, double bound)
{
    return h->root[i] * (h->norm[i] + fabs(bound));
}

static Sizes sizes(const snHqp* h, int level)
{
    Sizes s = {0, HUGE_VAL, 0, HUGE_VAL};
    for (int i = h->start[level]; i < h->start[level + 1]; i++) {
        if (h->kind[i] == SN_LEVEL_OUT) continue;
        const double size = h->root[i] * h->norm[i];
        s.most = sn_max(size, s.most);
        s.least = sn_min(size, s.least);
        s.small = sn_min(costOf(h, i, nearest(h, i)), s.small);
        if (h->kind[i] == SN_LEVEL_EQUALITY) s.cost = sn_max(costOf(h, i, h->upper[i]), s.cost);
    }
    return s;
}

// With those of the inequalities at work, and what rounding of x makes of any row. A bound that is far from
// where x is counts for nothing.
static double wholeCost(const snHqp* h, const Sizes* s)
{
    const snDistance* d = &h->distance;
    double cost = sn_max(s->cost, s->most * (1 + sqrt(sn_runDot(d->x, d->x, h->length))));
    for (int j = 0; j < d->active; j++)
        if (h->part[d->row[j]] == SN_DISTANCE_SOFT)
            cost = sn_max(costOf(h, d->row[j], sn_boundOf(h, d->row[j], d->side[j])), cost);
    return cost;
}

// The first rows of T <- L^-T of them.
static void divide(snHqp* h, int rank)
{
    const int length = h->length;
    double* c = h->gradient;
    for (int j = rank - 1; j >= 0; j--) {
        const double* E = h->basis.E;
        double* T = directionOf(h, h->T, j);
        for (int i = j + 1; i < rank; i++) c[i - j - 1] = -E[(size_t)i * (size_t)length + (size_t)j];
        sn_rowsAdd(directionOf(h, h->T, j + 1), rank - j - 1, length, c, length, T);
        const double inverse = 1 / E[(size_t)j * (size_t)length + (size_t)j];
        for (int k = 0; k < length; k++) T[k] *= inverse;
    }
}

static void listEqualities(snHqp* h, int level)
{
    if (sn_isSingular(h, level)) {
        sn_listReach(h, level);
        return;
    }
    sn_listBegin(h);
    for (int i = h->start[level]; i < h->start[level + 1]; i++)
        if (h->kind[i] == SN_LEVEL_EQUALITY) sn_listRow(h, i, h->root[i], h->upper[i]);
}

// The level's coordinates: T = [L^-T Z1; Z2 / near], x0 its best point nearest to the candidate. Returns how
// many directions its equalities take.
static int coordinates(snHqp* h, int level, double near)
{
    snBasis* b = &h->basis;
    const int length = h->length, left = h->unknowns - b->taken;
    listEqualities(h, level);
    sn_takeList(h, false, true);
    const int rank = b->rank;
    const double* Z = b->Z + (size_t)(b->taken - rank) * (size_t)length;
    memcpy(h->T, Z, (size_t)left * (size_t)length * sizeof *Z);
    divide(h, rank);
    for (int j = 0; j < length; j++) h->w0[j] = h->best[j] - h->x[j];
    double* w = h->u0;
    sn_rowsDot(Z + (size_t)rank * (size_t)length, left - rank, length, h->w0, length, w);
    memcpy(h->x0, h->x, (size_t)length * sizeof *h->x);
    sn_rowsAdd(Z + (size_t)rank * (size_t)length, left - rank, length, w, length, h->x0);
    for (int i = rank; i < left; i++)
        for (int k = 0; k < length; k++) directionOf(h, h->T, i)[k] /= near;
    memset(h->u0, 0, (size_t)length * sizeof *h->u0);
    return rank;
}

// A weaker proximal term, with the same active rows.
static void weaken(snHqp* h, int rank)
{
    snDistance* d = &h->distance;
    const int active = d->active, changes = d->changes;
    for (int j = rank; j < d->coordinates; j++)
        for (int k = 0; k < h->length; k++) directionOf(h, h->T, j)[k] *= WEAKER;
    for (int j = 0; j < active; j++) {
        h->which[j] = d->row[j];
        h->factor[j] = d->side[j];
    }
    sn_distanceBegin(d);
    for (int j = 0; j < active; j++) sn_distanceEnter(d, h->which[j], (int)h->factor[j]);
    d->changes = changes;
}

// What a proximal step has come to: the root of twice the level's cost, and how far w went.
typedef struct Step {
    double cost, far;
} Step;

static Step stepOf(const snDistance* d, int rank, double near)
{
    Step step = {0, 0};
    const int end = d->coordinates + d->slots;
    for (int j = 0; j < end; j++) {
        if (j < rank || j >= d->coordinates)
            step.cost += d->u[j] * d->u[j];
        else
            step.far = sn_max(fabs(d->u[j]) / near, step.far);
    }
    step.cost = sqrt(step.cost);
    return step;
}

// Solves again from each solution until what the proximal term pulls with is nothing beside the cost, and
// what the next step would change of it, as steps shrink, is neither.
static bool settle(snHqp* h, int rank, double near, const Sizes* s)
{
    snDistance* d = &h->distance;
    Step last = {0, 0};
    for (int round = 1;; round++) {
        if (!solve(h)) return false;
        const Step step = stepOf(d, rank, near);
        const double shrinks = round > 1 ? sn_min(step.far / last.far, 1) : 0;
        const bool still = near * near * step.far <= 1e-14 * s->least * s->small;
        const double falls = fabs(step.cost - last.cost);
        if (still && falls * shrinks <= 1e-13 * s->small) return true;
        if (round == CENTRES) return falls <= 1e-13 * s->small + 1e-9 * step.cost;
        last = step;
        sn_rowsAdd(directionOf(h, h->T, rank), d->coordinates - rank, h->length, d->u + rank, h->length,
                   h->x0);
        if (round % PATIENCE || round > 3 * PATIENCE) continue;
        weaken(h, rank);
        near /= WEAKER;
    }
}

// Rows with a multiplier, and those violated, become equalities, of which the basis loses the directions.
static void fix(snHqp* h, int level, double least)
{
    const snDistance* d = &h->distance;
    sn_listBegin(h);
    for (int j = 0; j < d->active; j++) {
        const int i = d->row[j];
        const bool soft = h->part[i] == SN_DISTANCE_SOFT;
        const double bound = sn_boundOf(h, i, d->side[j]);
        const double enough = soft ? sn_allowance(h, i, bound, 0) * h->root[i] : least;
        if (!(d->lambda[j] > enough)) continue;
        h->fixed.level[i] = level;
        h->fixed.side[i] = d->side[j];
        sn_listRow(h, i, h->unit[i], bound);
    }
    snBasis* b = &h->basis;
    sn_basisFactor(b, h->list, h->factor, h->size, b->count, h->rank_tolerance);
    sn_basisTurn(b, false);
    b->taken += b->rank;
}

static bool cascadeLevel(snHqp* h, int level)
{
    const int before = h->basis.taken, left = h->unknowns - before;
    sn_rankTolerance(h, level);
    const bool any = parts(h, level);
    const Sizes s = sizes(h, level);
    h->rank[level] = 0;
    if (!(s.most > 0)) return true; // no row counts
    const double near = sn_max(1e-4 * s.least, 1e-7 * s.most);
    memcpy(h->before, h->x, (size_t)h->length * sizeof *h->x);
    const int rank = coordinates(h, level, near);
    if (any) {
        begin(h, level, left);
        if (!settle(h, rank, near, &s)) {
            memcpy(h->x, h->before, (size_t)h->length * sizeof *h->x);
            return false;
        }
        memcpy(h->x, h->distance.x, (size_t)h->length * sizeof *h->x);
        fix(h, level, h->option.tolerance * s.most * wholeCost(h, &s));
    }
    h->rank[level] = h->basis.taken - before;
    return true;
}

// ---- what is left

static bool cascadeNorm(snHqp* h)
{
    h->freedom = h->unknowns - h->basis.taken;
    if (!h->freedom) return true;
    const bool any = parts(h, h->nlevel);
    const int left = sn_leastNorm(h);
    if (!any) {
        sn_rowsAdd(h->T, left, h->length, h->u0, h->length, h->x);
        return true;
    }
    memcpy(h->x0, h->x, (size_t)h->length * sizeof *h->x);
    begin(h, h->nlevel, left);
    if (!solve(h)) return false;
    const snDistance* d = &h->distance;
    memcpy(h->x, d->x, (size_t)h->length * sizeof *h->x);
    double most = 0;
    for (int j = 0; j < d->active; j++) most = sn_max(d->lambda[j], most);
    for (int j = 0; j < d->active; j++) {
        if (!(d->lambda[j] > 1e-10 * most)) continue;
        h->fixed.level[d->row[j]] = h->nlevel;
        h->fixed.side[d->row[j]] = d->side[j];
    }
    return true;
}

void sn_cascade(snHqp* h)
{
    sn_basisBegin(&h->basis, h->unknowns);
    memset(h->x, 0, (size_t)h->length * sizeof *h->x);
    for (int i = 0; i < h->nrow; i++) h->fixed.level[i] = -1;
    memset(h->rank, 0, (size_t)h->nlevel * sizeof *h->rank);
    h->solved = 0;
    h->freedom = 0;
    for (int k = 0; k < h->nlevel; k++, h->solved++) {
        if (h->basis.taken == h->unknowns) continue;
        if (!cascadeLevel(h, k)) {
            h->limit = true;
            return;
        }
    }
    h->limit = !cascadeNorm(h);
}
