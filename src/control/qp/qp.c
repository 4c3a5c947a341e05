#include "control/qp/qp.h"
#include <limits.h>
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "control/qp/run.h"
#include "math/elementary/elementary.h"

enum { CENTRES = 100 }; // most proximal steps

void sn_defaultQpOption(snQpOption* opt)
{
    *opt = (snQpOption){.tolerance = 1e-10, .warmstart = true};
}

// ---- memory

typedef struct Piece {
    void** to;
    size_t bytes;
} Piece;

static size_t layout(snQp* qp, char* memory)
{
    const size_t n = (size_t)qp->n, length = (size_t)sn_runLength(qp->n), rows = (size_t)qp->rows,
                 all = rows + n;
    const size_t real = sizeof(double);
    double* distance = NULL;
    const Piece list[] = {
        {(void**)&qp->A, rows * length * real},
        {(void**)&qp->lower, all * real},
        {(void**)&qp->upper, all * real},
        {(void**)&qp->scale, all * real},
        {(void**)&qp->slack, all * real},
        {(void**)&qp->kind, all},
        {(void**)&qp->H, n * length * real},
        {(void**)&qp->L, n * length * real},
        {(void**)&qp->shift, length * real},
        {(void**)&qp->g, length * real},
        {(void**)&qp->x0, length * real},
        {(void**)&qp->u0, length * real},
        {(void**)&qp->grad, length * real},
        {(void**)&qp->last_row, n * sizeof(int)},
        {(void**)&qp->last_side, n},
        {(void**)&distance, sn_distanceWork(qp->n, qp->rows + qp->n, 0) * real},
    };
    size_t size = sn_alignUp(sizeof *qp);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (memory) *list[i].to = memory + size;
        size += sn_alignUp(list[i].bytes);
    }
    if (memory) sn_distancePlace(&qp->distance, qp->n, qp->rows + qp->n, 0, distance);
    return size;
}

snQp* sn_makeQp(int n, int rows, snError* error)
{
    if (n < 1 || rows < 0 || n > SHRT_MAX || rows > (1 << 24)) {
        sn_fail(error, SN_STATUS_ARGUMENT, "QP: n = %d and rows = %d: n must be 1 to %d, rows 0 to %d", n,
                rows, SHRT_MAX, 1 << 24);
        return NULL;
    }
    snQp size = {.n = n, .rows = rows};
    snQp* qp = sn_calloc(layout(&size, NULL));
    if (!qp) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "QP: out of memory for %d unknowns and %d rows", n, rows);
        return NULL;
    }
    qp->n = n;
    qp->rows = rows;
    layout(qp, (char*)qp);
    return qp;
}

void sn_freeQp(snQp* qp)
{
    sn_free(qp);
}

// ---- proximal steps

// grad = H x + g
static void gradient(const snQp* qp, int n, const double* x, double* grad)
{
    sn_rowsDot(qp->H, n, qp->length, x, qp->length, grad);
    for (int i = 0; i < n; i++) grad[i] += qp->g[i];
}

// The step from x0 in x = x0 + L^-T u: u0 = -L^-1 (H x0 + g) without rows.
static void centre(snQp* qp, int n)
{
    gradient(qp, n, qp->x0, qp->grad);
    sn_rowsDot(qp->L, n, qp->length, qp->grad, qp->length, qp->u0);
    for (int i = 0; i < n; i++) qp->u0[i] = -qp->u0[i];
}

// Whether the last step lies in the null space of H, downhill, and no row or bound ends it.
static bool isRay(snQp* qp, int n)
{
    snDistance* d = &qp->distance;
    double* ray = qp->u0;
    double size2 = 0, x2 = 0, slope = 0, g2 = 0, curvature = 0, scale = 0, most = 0;
    for (int i = 0; i < n; i++) {
        ray[i] = d->x[i] - qp->x0[i];
        size2 += ray[i] * ray[i];
        x2 += qp->x0[i] * qp->x0[i];
        slope += qp->g[i] * ray[i];
        g2 += qp->g[i] * qp->g[i];
        const double diagonal = qp->H[(size_t)i * (size_t)qp->length + (size_t)i];
        scale += diagonal * ray[i] * ray[i];
        most = sn_max(diagonal, most);
    }
    if (!(size2 > 1e-12 * (1 + x2)) || !(slope < -1e-9 * sqrt(g2 * size2))) return false;
    sn_rowsDot(qp->H, n, qp->length, ray, qp->length, qp->grad);
    for (int i = 0; i < n; i++) curvature += ray[i] * qp->grad[i];
    if (curvature > 1e-13 * scale + 1e-23 * most * size2) return false; // the last is rounding of the ray
    sn_rowsDot(qp->A, d->rows, qp->length, ray, qp->length, d->value);
    memcpy(d->value + d->rows, ray, (size_t)d->bounds * sizeof *ray);
    for (int i = 0; i < d->rows + d->bounds; i++) {
        const double least = 1e-9 * sqrt(size2) / qp->scale[i];
        if (d->value[i] > least && isfinite(qp->upper[i])) return false;
        if (d->value[i] < -least && isfinite(qp->lower[i])) return false;
    }
    return true;
}

// Whether the proximal term has vanished beside the gradient.
static bool isSettled(const snQp* qp, int n)
{
    const double* x = qp->distance.x;
    double most = 0, scale = 0;
    for (int i = 0; i < n; i++) {
        const double* row = qp->H + (size_t)i * (size_t)qp->length;
        most = sn_max(qp->shift[i] * fabs(x[i] - qp->x0[i]), most);
        scale = sn_max(fabs(qp->g[i]) + sqrt(sn_runDot(row, row, qp->length)) * fabs(x[i]), scale);
    }
    return most <= 1e-14 * scale;
}

// Solves at x0, and with a proximal term from each solution again.
static int descend(snQp* qp, int n)
{
    snDistance* d = &qp->distance;
    for (int round = 0;; round++) {
        centre(qp, n);
        sn_distanceRefresh(d);
        const snDistanceStatus status = sn_distanceSolve(d);
        if (status == SN_DISTANCE_INFEASIBLE) return SN_QP_INFEASIBLE;
        if (status == SN_DISTANCE_LIMIT) return SN_QP_ITERATIONS;
        if (!qp->proximal || isSettled(qp, n)) return SN_QP_SOLVED;
        if (isRay(qp, n)) return SN_QP_UNBOUNDED;
        if (round == CENTRES) return SN_QP_ITERATIONS;
        memcpy(qp->x0, d->x, (size_t)qp->length * sizeof *d->x);
    }
}

// ---- the problem

static void begin(snQp* qp, const snQpProblem* p, const snQpOption* opt)
{
    snDistance* d = &qp->distance;
    const int n = p->n;
    d->length = qp->length;
    d->coordinates = n;
    d->T = qp->L;
    d->u0 = qp->u0;
    d->x0 = qp->x0;
    d->rows = p->rows;
    d->bounds = p->xlower || p->xupper ? n : 0;
    d->A = qp->A;
    d->lower = qp->lower;
    d->upper = qp->upper;
    d->scale = qp->scale;
    d->slack = qp->slack;
    d->tolerance = opt->tolerance;
    d->kind = qp->kind;
    d->noise = 0;
    d->limit = opt->iterations ? opt->iterations : 10 * (n + p->rows) + 100;
    memset(qp->x0, 0, (size_t)qp->length * sizeof *qp->x0);
    sn_distanceBegin(d);
    for (int i = 0; i < d->rows + d->bounds; i++)
        if (qp->kind[i] == SN_DISTANCE_EQUAL) sn_distanceEnter(d, i, 1);
    if (!opt->warmstart || qp->last_n != n || qp->last_rows != p->rows) return;
    for (int k = 0; k < qp->last_active; k++) {
        const int row = qp->last_row[k], side = (int)qp->last_side[k];
        if (row >= d->rows + d->bounds || qp->kind[row] != SN_DISTANCE_HARD) continue;
        if (isfinite(side > 0 ? qp->upper[row] : qp->lower[row])) sn_distanceEnter(d, row, side);
    }
    d->changes = 0;
}

static void keep(snQp* qp, int n, int rows)
{
    const snDistance* d = &qp->distance;
    qp->last_n = n;
    qp->last_rows = rows;
    qp->last_active = d->active;
    memcpy(qp->last_row, d->row, (size_t)d->active * sizeof *d->row);
    memcpy(qp->last_side, d->side, (size_t)d->active);
}

static void multipliers(const snQp* qp, int n, int rows, double* y)
{
    const snDistance* d = &qp->distance;
    memset(y, 0, (size_t)(rows + n) * sizeof *y);
    for (int j = 0; j < d->active; j++) y[d->row[j]] = d->side[j] * d->lambda[j] * qp->scale[d->row[j]];
}

static void tell(snQp* qp, int n, int status, snQpResult* result)
{
    const snDistance* d = &qp->distance;
    gradient(qp, n, d->x, qp->grad);
    double objective = 0;
    for (int i = 0; i < n; i++) objective += 0.5 * d->x[i] * (qp->grad[i] + qp->g[i]);
    *result = (snQpResult){.status = status,
                           .iterations = d->changes < d->limit ? d->changes : d->limit,
                           .active = d->active,
                           .row = status == SN_QP_INFEASIBLE ? d->wrong : -1,
                           .objective = objective};
}

snStatus sn_solveQp(snQp* qp, const snQpProblem* problem, const snQpOption* opt, double* x, double* y,
                    snQpResult* result, snError* error)
{
    snQpOption standard;
    sn_defaultQpOption(&standard);
    if (!opt) opt = &standard;
    snStatus status = sn_takeQp(qp, problem, opt, error);
    if (!status) status = sn_factorQp(qp, problem, error);
    if (status) return status;
    const int n = problem->n;
    begin(qp, problem, opt);
    const int outcome = descend(qp, n);
    qp->last_n = 0;
    if (!isfinite(sn_runDot(qp->distance.x, qp->distance.x, qp->length)))
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "QP: the numbers of H, g, A and the bounds lie too far apart: x overflows; scale them");
    keep(qp, n, problem->rows);
    memcpy(x, qp->distance.x, (size_t)n * sizeof *x);
    if (y) multipliers(qp, n, problem->rows, y);
    if (result) tell(qp, n, outcome, result);
    return SN_STATUS_OK;
}
