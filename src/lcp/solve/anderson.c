// For each target: src/target/prelude.h.
#include "lcp/solve/anderson.h"
#include <math.h>
#include <string.h>
#include "lcp/solve/kernel.h"
#include "lcp/solve/section.h"

enum { KEPT = SN_ANDERSON_KEPT };

static int rowsOf(const snLcpSystem* s)
{
    return 4 * s->nquad;
}

size_t sn_andersonWork(const snLcpSystem* s)
{
    return (4 + 2 * KEPT) * (size_t)rowsOf(s) + (1 + KEPT) * (size_t)s->ncoord;
}

void sn_andersonBegin(const snLcpSystem* s, double* work, snAnderson* a)
{
    const int rows = rowsOf(s), both = rows + s->ncoord;
    *a = (snAnderson){.before = work,
                      .scale = work + rows,
                      .change = work + 2 * rows,
                      .swept = work + 3 * rows,
                      .fresh = true,
                      .least = HUGE_VAL};
    work += 3 * rows + both;
    for (int k = 0; k < KEPT; k++, work += rows + both) {
        a->dchange[k] = work;
        a->dswept[k] = work + rows;
    }
    for (int k = 0; k < rows; k += 4) {
        const v4 step = v4_load(s->step + k);
        v4_storeAny(a->scale + k, v4_keep(v4_less(v4_all(0), step), v4_sqrt(1 / step)));
    }
}

void sn_andersonBefore(const snLcpSystem* s, snAnderson* a)
{
    memcpy(a->before, s->x, (size_t)rowsOf(s) * sizeof(double));
}

// difference [n] = x - old; old = x
static void replace(const double* x, int n, double* old, double* difference)
{
    for (int k = 0; k < n; k += 4) {
        const v4 now = v4_loadAny(x + k);
        v4_storeAny(difference + k, now - v4_loadAny(old + k));
        v4_storeAny(old + k, now);
    }
}

// x of a block within its bounds; false: it was.
static bool intoBounds(const snLcpSystem* s, const snLcpBlock* b, double* x)
{
    const int at = 4 * b->quad;
    const bool cone = b->kind == SN_BLOCK_CONE;
    bool moved = false;
    for (int r = 0; r < b->rows; r++) {
        const bool friction = r > 0 && (cone || b->kind == SN_BLOCK_BOX);
        const double bound = s->mu[at + r] * x[0], lo = friction ? -bound : s->lo[at + r],
                     hi = friction ? bound : s->hi[at + r];
        const double old = x[r];
        if (!(friction && cone)) x[r] = x[r] < lo ? lo : x[r] > hi ? hi : x[r];
        moved |= x[r] != old;
    }
    if (!cone) return moved;
    const double norm = sn_sectionNorm(x + 1, s->mu + at + 1, b->rows - 1);
    if (!(norm > x[0])) return moved;
    for (int r = 1; r < b->rows; r++) x[r] *= x[0] / norm;
    return true;
}

// Whether a contact of three rows, nearly all there are, is surely within its cone or box.
SN_INLINE bool isContactWithin(const snLcpSystem* s, const snLcpBlock* b)
{
    const double *x = s->x + 4 * b->quad, *mu = s->mu + 4 * b->quad;
    if (b->rows != 3 || b->kind < SN_BLOCK_BOX) return false;
    const double n = x[0], p = x[1] < 0 ? -x[1] : x[1], q = x[2] < 0 ? -x[2] : x[2];
    if (b->kind == SN_BLOCK_BOX) return (n >= 0) & (p <= mu[1] * n) & (q <= mu[2] * n);
    const double u = p * mu[2], v = q * mu[1], w = n * mu[1] * mu[2];
    return (n >= 0) & (u * u + v * v <= w * w);
}

void sn_lcpPutBack(snLcpSystem* s)
{
    for (int k = 0; k < s->nblock; k++) {
        const snLcpBlock* b = s->block + k;
        if (isContactWithin(s, b)) continue;
        double x[SN_BLOCK_MOST] __attribute__((aligned(32)));
        const int quads = (b->rows + 3) / 4;
        for (int q = 0; q < quads; q++) v4_store(x + 4 * q, v4_load(s->x + 4 * (b->quad + q)));
        if (!intoBounds(s, b, x)) continue;
        for (int q = 0; q < quads; q++) {
            double* to = s->x + 4 * (b->quad + q);
            sn_quadSpread(s->T + b->quad + q, v4_load(x + 4 * q) - v4_load(to), s->dV);
            v4_store(to, v4_load(x + 4 * q));
        }
    }
}

// change [rows] = scale (x - before), in its place; returns its square.
static double changeOf(const double* scale, const double* x, int rows, double* before)
{
    v4Sum sum = {0};
    for (int k = 0; k < rows; k += 4) {
        const v4 change = v4_loadAny(scale + k) * (v4_load(x + k) - v4_loadAny(before + k));
        v4_storeAny(before + k, change);
        v4Sum_add(&sum, change * change);
    }
    return v4Sum_sum(sum);
}

// The difference of `now` [rows] to the change before it goes to a slot, in one pass with its products with
// what is kept, and with those of `now`: along [KEPT].
static void keepChange(const double* now, int rows, int slot, snAnderson* a, double* along)
{
    const double* kept[KEPT];
    double* own = a->dchange[slot];
    v4Sum product[KEPT] = {0}, with[KEPT] = {0};
    for (int i = 0; i < KEPT; i++) kept[i] = i < a->kept ? a->dchange[i] : own;
    for (int k = 0; k < rows; k += 4) {
        const v4 change = v4_loadAny(now + k), difference = change - v4_loadAny(a->change + k);
        v4_storeAny(own + k, difference);
        v4_storeAny(a->change + k, change);
        for (int i = 0; i < KEPT; i++) {
            const v4 other = v4_loadAny(kept[i] + k);
            v4Sum_add(product + i, other * difference);
            v4Sum_add(with + i, other * change);
        }
    }
    for (int i = 0; i < a->kept; i++) {
        a->product[i][slot] = a->product[slot][i] = v4Sum_sum(product[i]);
        along[i] = v4Sum_sum(with[i]);
    }
}

// Weights w that make |change - sum of w_i dchange_i| least, by normal equations with the right side `along`.
static void leastChange(const snAnderson* a, const double* along, double* w)
{
    const int n = a->kept;
    double G[KEPT][KEPT + 1];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) G[i][j] = a->product[i][j];
        G[i][i] *= 1 + 1e-8; // differences may depend on each other
        G[i][n] = along[i];
    }
    for (int k = 0; k < n; k++) {
        const double pivot = G[k][k] > 0 ? 1 / G[k][k] : 0;
        for (int c = k; c <= n; c++) G[k][c] *= pivot;
        for (int i = 0; i < n; i++) {
            const double factor = G[i][k];
            for (int c = k; c <= n && i != k; c++) G[i][c] -= factor * G[k][c];
        }
    }
    for (int i = 0; i < n; i++) w[i] = G[i][n];
}

// Remembers the sweep that was done, whose change is in `before`; along [KEPT] as keepChange has it.
static void remember(const snLcpSystem* s, snAnderson* a, double* along)
{
    const int rows = rowsOf(s), slot = a->next;
    double* difference = a->dswept[slot];
    if (!a->fresh && a->kept < KEPT) a->kept++;
    keepChange(a->before, rows, slot, a, along);
    replace(s->x, rows, a->swept, difference);
    replace(s->dV, s->ncoord, a->swept + rows, difference + rows);
    if (!a->fresh) a->next = (slot + 1) % KEPT;
    a->fresh = false;
}

// Where the last combination led astray: back to the sweep that it started from.
static void forget(snLcpSystem* s, snAnderson* a)
{
    const int rows = rowsOf(s);
    if (a->kept > 0) {
        memcpy(s->x, a->swept, (size_t)rows * sizeof(double));
        memcpy(s->dV, a->swept + rows, (size_t)s->ncoord * sizeof(double));
    }
    a->kept = a->next = 0;
    a->fresh = true;
}

// to [n] -= sum of w_i of what is kept of n numbers from `from` on; returns the square of that times scale
// (NULL: 1).
static double combine(const snAnderson* a, const double* w, int from, int n, const double* scale, double* to)
{
    const double* kept[KEPT];
    double weight[KEPT] = {0};
    v4Sum square = {0};
    for (int i = 0; i < KEPT; i++) kept[i] = a->dswept[i < a->kept ? i : 0] + from;
    for (int i = 0; i < a->kept; i++) weight[i] = w[i];
    for (int k = 0; k < n; k += 4) {
        v4 step = {0};
        for (int i = 0; i < KEPT; i++) step += v4_all(weight[i]) * v4_loadAny(kept[i] + k);
        v4_storeAny(to + k, v4_loadAny(to + k) - step);
        if (scale) step *= v4_loadAny(scale + k);
        v4Sum_add(&square, step * step);
    }
    return v4Sum_sum(square);
}

void sn_andersonAfter(snLcpSystem* s, snAnderson* a)
{
    // where there is no solution sweeps change by the same for ever, and a combination would go to the end of
    // the world: it goes no further than sweeps have some reason for
    const double GROWN = 4, FAR = 30;
    const int rows = rowsOf(s);
    double w[KEPT], along[KEPT];
    const double square = changeOf(a->scale, s->x, rows, a->before);
    if (!(square <= GROWN * a->least)) {
        if (a->kept == 0) a->least = square; // the sweeps by themselves
        forget(s, a);
        return;
    }
    if (square < a->least) a->least = square;
    a->travel += sqrt(square);
    remember(s, a, along);
    if (a->kept == 0) return;
    leastChange(a, along, w);
    const double way = combine(a, w, 0, rows, a->scale, s->x);
    combine(a, w, rows, s->ncoord, NULL, s->dV);
    if (way <= FAR * FAR * a->travel * a->travel)
        sn_lcpPutBack(s);
    else
        forget(s, a);
}
