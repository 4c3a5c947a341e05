#include "lcp/solve/anderson.h"
#include <math.h>
#include <string.h>
#include "lcp/solve/kernel.h"
#include "lcp/solve/section.h"
#include "math/clones.h"

enum { KEPT = SN_ANDERSON_KEPT };

static int rowsOf(const snLcpSystem* s)
{
    return 4 * s->nquad;
}

size_t sn_andersonWork(const snLcpSystem* s)
{
    return (4 + 2 * KEPT) * (size_t)rowsOf(s) + (1 + KEPT) * (size_t)s->ncoord;
}

SN_CLONES
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
        v4_storeAny(a->scale + k, v4_keep(step > 0, v4_sqrt(1 / step)));
    }
}

void sn_andersonBefore(const snLcpSystem* s, snAnderson* a)
{
    memcpy(a->before, s->x, (size_t)rowsOf(s) * sizeof(double));
}

SN_CLONES
static double dot(const double* p, const double* q, int n)
{
    v4 sum = {0};
    for (int k = 0; k < n; k += 4) sum += v4_loadAny(p + k) * v4_loadAny(q + k);
    return v4_sum(sum);
}

// y += a p
SN_CLONES
static void add(double a, const double* p, int n, double* y)
{
    for (int k = 0; k < n; k += 4) v4_storeAny(y + k, v4_loadAny(y + k) + a * v4_loadAny(p + k));
}

// difference [n] = x - old; old = x
SN_CLONES
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

SN_CLONES
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

// Weights w that make |change - sum of w_i dchange_i| least, by normal equations.
static void leastChange(const snAnderson* a, int rows, double* w)
{
    const int n = a->kept;
    double G[KEPT][KEPT + 1];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) G[i][j] = a->product[i][j];
        G[i][i] *= 1 + 1e-8; // differences may depend on each other
        G[i][n] = dot(a->dchange[i], a->change, rows);
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

// Remembers the sweep that was done, whose change is in `before`.
SN_CLONES
static void remember(const snLcpSystem* s, snAnderson* a)
{
    const int rows = rowsOf(s), slot = a->next;
    double* difference = a->dswept[slot];
    replace(a->before, rows, a->change, a->dchange[slot]);
    replace(s->x, rows, a->swept, difference);
    replace(s->dV, s->ncoord, a->swept + rows, difference + rows);
    if (a->fresh) {
        a->fresh = false;
        return;
    }
    a->next = (slot + 1) % KEPT;
    if (a->kept < KEPT) a->kept++;
    for (int i = 0; i < a->kept; i++)
        a->product[i][slot] = a->product[slot][i] = dot(a->dchange[i], a->dchange[slot], rows);
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

// Whether a combination goes no further than sweeps have some reason for: where there is no solution they
// change by the same for ever, and a combination would go to the end of the world.
SN_CLONES
static bool isModest(const snLcpSystem* s, const snAnderson* a)
{
    const double FAR = 30;
    v4 sum = {0};
    for (int k = 0; k < rowsOf(s); k += 4) {
        const v4 step = v4_loadAny(a->scale + k) * (v4_load(s->x + k) - v4_loadAny(a->swept + k));
        sum += step * step;
    }
    return v4_sum(sum) <= FAR * FAR * a->travel * a->travel;
}

void sn_andersonAfter(snLcpSystem* s, snAnderson* a)
{
    const double GROWN = 4;
    const int rows = rowsOf(s);
    double w[KEPT], *change = a->before;
    for (int k = 0; k < rows; k++) change[k] = a->scale[k] * (s->x[k] - change[k]);
    const double square = dot(change, change, rows);
    if (!(square <= GROWN * a->least)) {
        if (a->kept == 0) a->least = square; // the sweeps by themselves
        forget(s, a);
        return;
    }
    if (square < a->least) a->least = square;
    a->travel += sqrt(square);
    remember(s, a);
    leastChange(a, rows, w);
    for (int i = 0; i < a->kept; i++) {
        add(-w[i], a->dswept[i], rows, s->x);
        add(-w[i], a->dswept[i] + rows, s->ncoord, s->dV);
    }
    if (!isModest(s, a))
        forget(s, a);
    else if (a->kept > 0)
        sn_lcpPutBack(s);
}
