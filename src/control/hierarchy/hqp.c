#include "control/hierarchy/hqp.h"
#include <limits.h>
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "control/qp/run.h"
#include "math/elementary/elementary.h"
#include <sinew/qp.h>

void sn_defaultHqpOption(snHqpOption* opt)
{
    *opt = (snHqpOption){.tolerance = 1e-10, .rank_tolerance = -1, .warmstart = true, .level_weight = 1e3};
}

// ---- memory

typedef struct Piece {
    void** to;
    size_t bytes;
} Piece;

static size_t layout(snHqp* h, char* memory)
{
    const size_t n = (size_t)h->n, length = (size_t)sn_runLength(h->n),
                 rows = (size_t)sn_runLength(h->rows) + 8;
    const size_t real = sizeof(double), whole = sizeof(int), run = length * real, square = n * run,
                 each = rows * real;
    double *basis = NULL, *distance = NULL;
    const Piece list[] = {
        {(void**)&h->start, ((size_t)h->levels + 1) * whole},
        {(void**)&h->last_start, ((size_t)h->levels + 1) * whole},
        {(void**)&h->A, rows * run},
        {(void**)&h->lower, each},
        {(void**)&h->upper, each},
        {(void**)&h->norm, each},
        {(void**)&h->root, each},
        {(void**)&h->slack, each},
        {(void**)&h->unit, each},
        {(void**)&h->of, rows * whole},
        {(void**)&h->kind, rows},
        {(void**)&h->memory_W, square},
        {(void**)&h->x, run},
        {(void**)&h->best, run},
        {(void**)&h->before, run},
        {(void**)&h->fixed.level, rows * whole},
        {(void**)&h->fixed.side, rows},
        {(void**)&h->last.level, rows * whole},
        {(void**)&h->last.side, rows},
        {(void**)&h->rank, ((size_t)h->levels + 1) * whole},
        {(void**)&h->list, rows * sizeof(double*)},
        {(void**)&h->which, rows * whole},
        {(void**)&h->factor, each},
        {(void**)&h->size, each},
        {(void**)&h->rhs, each},
        {(void**)&h->gradient, run},
        {(void**)&h->scale, each},
        {(void**)&h->T, square},
        {(void**)&h->u0, run},
        {(void**)&h->x0, run},
        {(void**)&h->w0, run},
        {(void**)&h->part, rows},
        {(void**)&h->held_Z, square},
        {(void**)&h->held_L, square},
        {(void**)&h->held_side, run},
        {(void**)&h->WZ, square},
        {(void**)&h->G, square},
        {(void**)&h->value, each},
        {(void**)&basis, sn_basisWork(h->n, h->rows + 8) * real},
        {(void**)&distance, sn_distanceWork(h->n, h->rows, h->rows) * real},
    };
    size_t size = sn_alignUp(sizeof *h);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (memory) *list[i].to = memory + size;
        size += sn_alignUp(list[i].bytes);
    }
    if (memory) {
        sn_basisPlace(&h->basis, h->n, h->rows + 8, basis);
        sn_distancePlace(&h->distance, h->n, h->rows, h->rows, distance);
    }
    return size;
}

snHqp* sn_makeHqp(int n, int levels, int rows, snError* error)
{
    if (n < 1 || levels < 0 || rows < 0 || n > SHRT_MAX || levels > (1 << 20) || rows > (1 << 20)) {
        sn_fail(error, SN_STATUS_ARGUMENT,
                "HQP: n = %d, levels = %d, rows = %d: n must be 1 to %d, the others 0 to %d", n, levels, rows,
                SHRT_MAX, 1 << 20);
        return NULL;
    }
    snHqp size = {.n = n, .levels = levels, .rows = rows};
    snHqp* h = sn_calloc(layout(&size, NULL));
    if (!h) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "HQP: out of memory for %d unknowns, %d levels and %d rows", n,
                levels, rows);
        return NULL;
    }
    h->n = n;
    h->levels = levels;
    h->rows = rows;
    layout(h, (char*)h);
    return h;
}

void sn_freeHqp(snHqp* hqp)
{
    sn_free(hqp);
}

// ---- the problem

// The last active sets, if that hierarchy had the same sizes; else they are emptied.
static void warm(snHqp* h)
{
    const size_t bytes = ((size_t)h->nlevel + 1) * sizeof *h->start;
    const bool same = h->last_unknowns == h->unknowns && h->last_nlevel == h->nlevel &&
                      memcmp(h->last_start, h->start, bytes) == 0;
    if (!h->option.warmstart || !same)
        for (int i = 0; i < h->nrow; i++) h->last.level[i] = -1;
    h->last_unknowns = h->unknowns;
    h->last_nlevel = h->nlevel;
    memcpy(h->last_start, h->start, bytes);
}

// Whether the cascade began so far away, where wrong active sets had led, that digits of x are lost.
static bool isLost(const snHqp* h)
{
    const double far = sn_runDot(h->best, h->best, h->length), size = 1 + sn_runDot(h->x, h->x, h->length);
    return !h->limit && far > 1e6 * size;
}

static void solve(snHqp* h)
{
    h->changes = 0;
    h->limit = false;
    h->passes = 1;
    h->solved = h->nlevel;
    h->distance.limit = h->option.iterations ? h->option.iterations : 10 * (h->unknowns + h->nrow) + 100;
    if (sn_fastPass(h)) return;
    h->passes = 2;
    if (isfinite(sn_runDot(h->x, h->x, h->length)))
        memcpy(h->best, h->x, (size_t)h->length * sizeof *h->x);
    else
        memset(h->best, 0, (size_t)h->length * sizeof *h->x);
    sn_cascade(h);
    if (isLost(h)) {
        memcpy(h->best, h->x, (size_t)h->length * sizeof *h->x);
        sn_cascade(h);
    }
    memcpy(h->last.level, h->fixed.level, (size_t)h->nrow * sizeof *h->last.level);
    memcpy(h->last.side, h->fixed.side, (size_t)h->nrow * sizeof *h->last.side);
}

// ---- results

static double slackOf(const snHqp* h, int i)
{
    if (h->value[i] > h->upper[i]) return h->value[i] - h->upper[i];
    return h->value[i] < h->lower[i] ? h->value[i] - h->lower[i] : 0;
}

// x, and what the rows make of it.
static bool isFinite(snHqp* h)
{
    if (!isfinite(sn_runDot(h->x, h->x, h->length))) return false;
    sn_rowValues(h, h->nrow);
    for (int i = 0; i < h->nrow; i++)
        if (!isfinite(h->root[i] * slackOf(h, i))) return false;
    return true;
}

static signed char stateOf(const snHqp* h, int i, double size)
{
    if (h->lower[i] == h->upper[i]) return SN_HQP_EQUAL;
    const double off = slackOf(h, i);
    if (off > sn_allowance(h, i, h->upper[i], size)) return SN_HQP_ABOVE;
    if (off < -sn_allowance(h, i, h->lower[i], size)) return SN_HQP_BELOW;
    if (h->fixed.level[i] < 0) return SN_HQP_FREE;
    return h->fixed.side[i] > 0 ? SN_HQP_UPPER : SN_HQP_LOWER;
}

static void tell(snHqp* h, const snHqpProblem* p, signed char* state, double* slack, double* violation)
{
    const snHqpLevel* level = p->level;
    const double size = sqrt(sn_runDot(h->x, h->x, h->length));
    for (int k = 0, i = 0; k < p->nlevel; k++) {
        double sum = 0;
        for (int j = 0; j < level[k].rows; j++, i++) {
            const double off = slackOf(h, i), weight = level[k].weight ? level[k].weight[j] : 1;
            sum = sn_hypot(sum, sqrt(weight) * off);
            if (state) state[i] = stateOf(h, i, size);
            if (slack) slack[i] = off;
        }
        if (violation) violation[k] = sum;
    }
}

snStatus sn_solveHqp(snHqp* hqp, const snHqpProblem* problem, const snHqpOption* opt, double* x,
                     signed char* state, double* slack, int* rank, double* violation, snHqpResult* result,
                     snError* error)
{
    const int n = problem->n, nlevel = problem->nlevel;
    if (opt)
        hqp->option = *opt;
    else
        sn_defaultHqpOption(&hqp->option);
    const snStatus status = sn_takeHqp(hqp, problem, error);
    if (status) return status;
    warm(hqp);
    solve(hqp);
    if (!isFinite(hqp)) {
        hqp->last_unknowns = 0; // no warm start from here
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "HQP: the numbers of rows, bounds and weights lie too far apart: x overflows; scale them");
    }
    memcpy(x, hqp->x, (size_t)n * sizeof *x);
    tell(hqp, problem, state, slack, violation);
    for (int k = 0; k < nlevel && rank; k++) rank[k] = k < hqp->nlevel ? hqp->rank[k] : 0;
    if (result)
        *result = (snHqpResult){.status = hqp->limit ? SN_QP_ITERATIONS : SN_QP_SOLVED,
                                .level = hqp->limit ? hqp->solved : nlevel,
                                .iterations =
                                    hqp->changes < hqp->distance.limit ? hqp->changes : hqp->distance.limit,
                                .passes = hqp->passes,
                                .freedom = hqp->freedom};
    return SN_STATUS_OK;
}
