#include "control/qp/distance.h"
#include <math.h>
#include <string.h>
#include "control/qp/run.h"
#include "math/elementary/elementary.h"

static const double DEPENDENT =
    1e-11; // a normal whose part outside the active ones is below, relative, is not new
static const double PART = 1e-10;     // of a dependent normal along a held one, relative
static const double GRAIN = 1e-4;     // rounding of a row's value, relative to |x| and to its slack
static const double ROUNDING = 1e-13; // what rounding leaves of a normal, relative to what it is made of

// ---- memory

static size_t room(size_t bytes)
{
    return (bytes + 63) / 64 * 8;
}

// Gives the arrays of d from memory, or with NULL counts it.
static size_t lay(snDistance* d, int n, int rows, int soft, double* work)
{
    const size_t most = (size_t)sn_runLength(n + soft + 1), all = (size_t)rows + 1,
                 padded = (size_t)sn_runLength(rows + 8);
    const size_t real = sizeof(double), whole = sizeof(int);
    struct {
        void** to;
        size_t bytes;
    } list[] = {
        {(void**)&d->u, most * real},        {(void**)&d->x, (size_t)sn_runLength(n) * real},
        {(void**)&d->row, most * whole},     {(void**)&d->side, most},
        {(void**)&d->lambda, most * real},   {(void**)&d->held, all * sizeof(bool)},
        {(void**)&d->slot, most * whole},    {(void**)&d->spare, most * whole},
        {(void**)&d->Q, most * most * real}, {(void**)&d->R, most * most * real},
        {(void**)&d->normal, most * real},   {(void**)&d->d, most * real},
        {(void**)&d->r, most * real},        {(void**)&d->value, padded * real},
        {(void**)&d->off, padded * real},    {(void**)&d->deep, padded * real},
        {(void**)&d->high, padded * real},   {(void**)&d->per, padded * real},
    };
    size_t size = 0;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (work) *list[i].to = work + size;
        size += room(list[i].bytes);
    }
    d->most = d->width = (int)most;
    return size;
}

size_t sn_distanceWork(int n, int rows, int soft)
{
    snDistance d;
    return lay(&d, n, rows, soft, NULL);
}

void sn_distancePlace(snDistance* d, int n, int rows, int soft, double* work)
{
    *d = (snDistance){0};
    lay(d, n, rows, soft, work);
}

// ---- parts

static int used(const snDistance* d)
{
    return sn_runLength(d->coordinates + d->slots);
}

static double* column(const snDistance* d, int j)
{
    return d->R + (size_t)j * (size_t)d->most;
}

static double* direction(const snDistance* d, int j)
{
    return d->Q + (size_t)j * (size_t)d->width;
}

static double along(const snDistance* d, int row, const double* x)
{
    if (row >= d->rows) return x[row - d->rows];
    return sn_runDot(d->A + (size_t)row * (size_t)d->length, x, d->length);
}

static double bound(const snDistance* d, int row, int side)
{
    return side > 0 ? d->upper[row] : d->lower[row];
}

// x = x0 + T'u.
static void place(snDistance* d)
{
    memcpy(d->x, d->x0, (size_t)d->length * sizeof *d->x);
    sn_rowsAdd(d->T, d->coordinates, d->length, d->u, d->length, d->x);
}

static double dotShort(const double* a, const double* b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// r [active] <- R^-1 r, R^-T r
static void backward(const snDistance* d, double* r)
{
    sn_triangleBackward(d->R, d->most, d->active, r);
}

static void forward(const snDistance* d, double* r)
{
    sn_triangleForward(d->R, d->most, d->active, r);
}

// Whether a row that is not held is looked at for its violation.
static void watch(snDistance* d, int row, bool open)
{
    const double none = HUGE_VAL;
    d->high[row] = open ? d->upper[row] + d->tolerance * fabs(d->upper[row]) : none;
    d->deep[row] = open ? d->lower[row] - d->tolerance * fabs(d->lower[row]) : -none;
}

// ---- rows enter and leave

// normal = scale side (T a), of a soft row without its own coordinate.
static void makeNormal(snDistance* d, int row, int side)
{
    const double factor = side * d->scale[row];
    if (row >= d->rows)
        for (int j = 0; j < d->coordinates; j++)
            d->normal[j] = d->T[(size_t)j * (size_t)d->length + (size_t)(row - d->rows)];
    else
        sn_rowsDot(d->T, d->coordinates, d->length, d->A + (size_t)row * (size_t)d->length, d->length,
                   d->normal);
    for (int j = 0; j < d->coordinates; j++) d->normal[j] *= factor;
    memset(d->normal + d->coordinates, 0, (size_t)(d->width - d->coordinates) * sizeof *d->normal);
}

// normal <- its part outside Q, d = Q'normal. Twice where digits are lost. Returns its squared norm.
static double project(snDistance* d)
{
    const int width = used(d);
    double before = sn_runDot(d->normal, d->normal, width);
    memset(d->d, 0, (size_t)d->active * sizeof *d->d);
    for (int pass = 0; pass < 3; pass++) {
        sn_rowsDot(d->Q, d->active, d->width, d->normal, width, d->r);
        for (int j = 0; j < d->active; j++) {
            d->d[j] += d->r[j];
            d->r[j] = -d->r[j];
        }
        sn_rowsAdd(d->Q, d->active, d->width, d->r, width, d->normal);
        const double after = sn_runDot(d->normal, d->normal, width);
        if (after > 0.5 * before) return after;
        before = after;
    }
    return before;
}

// The squared norm below which what is left of a row's normal is nothing.
static double nothing(const snDistance* d, int row, double norm2)
{
    double size = 1;
    if (row < d->rows) {
        const double* a = d->A + (size_t)row * (size_t)d->length;
        size = sn_runDot(a, a, d->length);
    }
    const double made = d->scale[row] * d->scale[row] * size * d->reach * d->reach;
    return sn_max(DEPENDENT * DEPENDENT * norm2, ROUNDING * ROUNDING * made);
}

// Gives a soft row a coordinate of its own.
static int takeSlot(snDistance* d)
{
    if (d->spares) return d->spare[--d->spares];
    const int slot = d->coordinates + d->slots;
    for (int j = 0; j < d->active; j++) direction(d, j)[slot] = 0;
    d->u[slot] = 0;
    d->slots++;
    const int width = used(d);
    for (int k = slot + 1; k < width; k++) {
        for (int j = 0; j < d->active; j++) direction(d, j)[k] = 0;
        d->u[k] = 0;
    }
    return slot;
}

// Normal and what is left of it outside Q; false if nothing. norm2 receives its squared norm.
static bool outside(snDistance* d, int row, int side, int slot, double* norm2)
{
    makeNormal(d, row, side);
    if (slot >= 0) d->normal[slot] = -1;
    const int width = used(d);
    const double limit = nothing(d, row, sn_runDot(d->normal, d->normal, width));
    *norm2 = project(d);
    return *norm2 > limit;
}

// Takes what `outside` has left as a new column.
static void append(snDistance* d, int row, int side, int slot, double norm2, double lambda)
{
    const int j = d->active, width = used(d);
    const double norm = sqrt(norm2);
    double *R = column(d, j), *q = direction(d, j);
    memcpy(R, d->d, (size_t)j * sizeof *R);
    R[j] = norm;
    memset(q, 0, (size_t)width * sizeof *q);
    sn_runAdd(q, 1 / norm, d->normal, width);
    d->row[j] = row;
    d->side[j] = (signed char)side;
    d->slot[j] = slot;
    d->lambda[j] = lambda;
    d->held[row] = true;
    watch(d, row, false);
    d->active++;
    d->changes++;
}

// Turns rows j, j + 1 of R and of Q so that R_(j+1,j) = 0.
static void turn(snDistance* d, int j)
{
    double* R = column(d, j);
    const double norm = sn_hypot(R[j], R[j + 1]);
    const double c = norm > 0 ? R[j] / norm : 1, s = norm > 0 ? R[j + 1] / norm : 0;
    R[j] = norm;
    for (int k = j + 1; k < d->active; k++) {
        double* to = column(d, k);
        const double a = to[j], b = to[j + 1];
        to[j] = c * a + s * b;
        to[j + 1] = c * b - s * a;
    }
    sn_runTurn(direction(d, j), direction(d, j + 1), c, s, used(d));
}

static void drop(snDistance* d, int k)
{
    const int slot = d->slot[k];
    d->held[d->row[k]] = false;
    watch(d, d->row[k], true);
    d->active--;
    for (int j = k; j < d->active; j++) {
        memcpy(column(d, j), column(d, j + 1), (size_t)(j + 2) * sizeof(double));
        d->row[j] = d->row[j + 1];
        d->side[j] = d->side[j + 1];
        d->slot[j] = d->slot[j + 1];
        d->lambda[j] = d->lambda[j + 1];
    }
    for (int j = k; j < d->active; j++) turn(d, j);
    if (slot >= 0) {
        for (int j = 0; j < d->active; j++) direction(d, j)[slot] = 0;
        d->u[slot] = 0;
        d->spare[d->spares++] = slot;
    }
    d->changes++;
}

// ---- the solution of an active set

// Which rows are looked at, and what is their unit of violation.
static void watchAll(snDistance* d)
{
    const int all = d->rows + d->bounds, length = sn_runLength(all);
    for (int i = 0; i < length; i++) {
        const bool open = i < all && d->kind[i] != SN_DISTANCE_OUT;
        d->per[i] = open ? 1 / d->slack[i] : 1;
        d->deep[i] = -HUGE_VAL;
        d->high[i] = HUGE_VAL;
        if (open) watch(d, i, true);
    }
}

void sn_distanceLetGo(snDistance* d, int row)
{
    watch(d, row, false);
}

void sn_distanceBegin(snDistance* d)
{
    watchAll(d);
    d->active = d->slots = d->spares = d->changes = 0;
    memset(d->held, 0, (size_t)(d->rows + d->bounds) * sizeof *d->held);
    memset(d->u, 0, (size_t)d->width * sizeof *d->u);
    double reach = 0;
    for (int j = 0; j < d->coordinates; j++) {
        const double* T = d->T + (size_t)j * (size_t)d->length;
        reach = sn_max(sn_runDot(T, T, d->length), reach);
    }
    d->reach = sqrt(reach);
}

bool sn_distanceEnter(snDistance* d, int row, int side)
{
    if (d->held[row] || d->active >= d->most) return false;
    const bool soft = d->kind[row] == SN_DISTANCE_SOFT;
    const int slot = soft ? takeSlot(d) : -1;
    double norm2;
    const bool found = outside(d, row, side, slot, &norm2);
    if (found)
        append(d, row, side, slot, norm2, 0);
    else if (slot >= 0)
        d->spare[d->spares++] = slot;
    return found;
}

// What a held row lacks to its bound, in the scale of its normal.
static double lack(const snDistance* d, int j, const double* x)
{
    const int row = d->row[j], side = (int)d->side[j];
    return side * d->scale[row] * (bound(d, row, side) - along(d, row, x));
}

// u and lambda from the bounds and u0.
static void solveHeld(snDistance* d)
{
    const int width = used(d);
    memcpy(d->u, d->u0, (size_t)d->coordinates * sizeof *d->u);
    memset(d->u + d->coordinates, 0, (size_t)(width - d->coordinates) * sizeof *d->u);
    for (int j = 0; j < d->active; j++) d->r[j] = lack(d, j, d->x0);
    forward(d, d->r);
    sn_rowsDot(d->Q, d->active, d->width, d->u, width, d->d);
    for (int j = 0; j < d->active; j++) {
        d->r[j] -= d->d[j];
        d->lambda[j] = -d->r[j];
    }
    sn_rowsAdd(d->Q, d->active, d->width, d->r, width, d->u);
    backward(d, d->lambda);
    place(d);
}

// Takes off what rounding has left of the held rows' residuals.
static void refine(snDistance* d)
{
    for (int j = 0; j < d->active; j++) {
        d->r[j] = lack(d, j, d->x);
        if (d->slot[j] >= 0) d->r[j] += d->u[d->slot[j]];
    }
    forward(d, d->r);
    sn_rowsAdd(d->Q, d->active, d->width, d->r, used(d), d->u);
    backward(d, d->r);
    for (int j = 0; j < d->active; j++) d->lambda[j] -= d->r[j];
    place(d);
}

static int mostNegative(const snDistance* d)
{
    int worst = -1;
    double least = -d->noise;
    for (int j = 0; j < d->active; j++)
        if (d->lambda[j] < least && d->kind[d->row[j]] != SN_DISTANCE_EQUAL) {
            least = d->lambda[j];
            worst = j;
        }
    return worst;
}

void sn_distanceRefresh(snDistance* d)
{
    for (;;) {
        solveHeld(d);
        if (d->active) refine(d);
        const int worst = mostNegative(d);
        if (worst < 0) break;
        drop(d, worst);
    }
    for (int j = 0; j < d->active; j++)
        if (d->lambda[j] < 0 && d->kind[d->row[j]] != SN_DISTANCE_EQUAL) d->lambda[j] = 0;
}

// ---- changes of the active set

// The row whose violation is largest beside what it may be, or the first one where that has not ended; -1:
// none.
static int violated(snDistance* d, int* side)
{
    const int all = d->rows + d->bounds;
    const bool first = d->changes > d->limit / 2;
    const double least = 1 + GRAIN * sqrt(sn_runDot(d->x, d->x, d->length));
    sn_rowsDot(d->A, d->rows, d->length, d->x, d->length, d->value);
    memcpy(d->value + d->rows, d->x, (size_t)d->bounds * sizeof *d->value);
    const double most = sn_runWorst(d->value, d->deep, d->high, d->per, sn_runLength(all), d->off);
    if (!(most > least)) return -1;
    const double enough = first ? least : most;
    int row = 0;
    while (row < all && !(d->off[row] >= enough)) row++;
    if (row == all) return -1;
    *side = d->value[row] > d->high[row] ? 1 : -1;
    return row;
}

// The held row whose multiplier comes to 0 first along -R^-1 d; -1: none. Where nothing of the new normal is
// left outside the held ones, its parts along them that are rounding do not count.
static int blocking(const snDistance* d, bool primal, double* step)
{
    int which = -1;
    const double part2 = primal ? 0 : PART * PART * dotShort(d->d, d->d, d->active);
    for (int j = 0; j < d->active; j++) {
        if (!(d->r[j] > 0) || d->kind[d->row[j]] == SN_DISTANCE_EQUAL || !(d->lambda[j] < *step * d->r[j]))
            continue;
        const double* R = column(d, j);
        if (!primal && !(d->r[j] * d->r[j] * dotShort(R, R, j + 1) > part2)) continue;
        *step = d->lambda[j] / d->r[j];
        which = j;
    }
    return which;
}

static void move(snDistance* d, double step, bool primal)
{
    for (int j = 0; j < d->active; j++) {
        d->lambda[j] -= step * d->r[j];
        if (d->lambda[j] < 0 && d->kind[d->row[j]] != SN_DISTANCE_EQUAL) d->lambda[j] = 0;
    }
    if (!primal) return;
    sn_runAdd(d->u, -step, d->normal, used(d));
    place(d);
}

// Makes a violated row hold, dropping others on the way.
static snDistanceStatus enter(snDistance* d, int row, int side)
{
    const int slot = d->kind[row] == SN_DISTANCE_SOFT ? takeSlot(d) : -1;
    double lambda = 0;
    for (; d->changes < d->limit;) {
        double norm2;
        const bool primal = outside(d, row, side, slot, &norm2);
        memcpy(d->r, d->d, (size_t)d->active * sizeof *d->r);
        backward(d, d->r);
        double lacking = side * d->scale[row] * (along(d, row, d->x) - bound(d, row, side));
        if (slot >= 0) lacking -= d->u[slot];
        const double whole = primal ? sn_max(lacking, 0) / norm2 : HUGE_VAL;
        double step = whole;
        const int block = blocking(d, primal, &step);
        if (block < 0 && !primal) {
            if (slot >= 0) d->spare[d->spares++] = slot;
            d->wrong = row;
            return SN_DISTANCE_INFEASIBLE;
        }
        move(d, step, primal);
        lambda += step;
        if (block < 0) {
            append(d, row, side, slot, norm2, lambda);
            return SN_DISTANCE_SOLVED;
        }
        drop(d, block);
    }
    return SN_DISTANCE_LIMIT;
}

snDistanceStatus sn_distanceSolve(snDistance* d)
{
    for (bool fresh = true;;) {
        if (d->changes >= d->limit) return SN_DISTANCE_LIMIT;
        int side = 0;
        const int row = violated(d, &side);
        if (row < 0 && fresh) return SN_DISTANCE_SOLVED;
        const snDistanceStatus status = row < 0 ? SN_DISTANCE_SOLVED : enter(d, row, side);
        if (status == SN_DISTANCE_LIMIT) return status;
        const bool wrong = status == SN_DISTANCE_INFEASIBLE;
        if (row >= 0 && !wrong) {
            fresh = false;
            continue;
        }
        sn_distanceRefresh(d); // what moves have left of rounding may have been the violation
        if (wrong && fresh) return status;
        fresh = true;
    }
}
