#include "lcp/solve/conjugate.h"
#include <math.h>
#include <string.h>
#include "lcp/solve/kernel.h"
#include "lcp/solve/section.h"
#include "math/clones.h"

// Of lambda in the metric: without it a direction that moves nothing, as where contacts are redundant, would
// be followed without end.
static const double SHARE = 1e-4;

static int rowsOf(const snLcpSystem* s)
{
    return 4 * s->nquad;
}

size_t sn_conjugateWork(const snLcpSystem* s)
{
    return (2 + SN_CONJUGATE_KEPT) * ((size_t)rowsOf(s) + (size_t)s->ncoord);
}

void sn_conjugateBegin(const snLcpSystem* s, double* work, snConjugate* c)
{
    const int size = rowsOf(s) + s->ncoord;
    *c = (snConjugate){.before = work, .swept = work + size};
    for (int k = 0; k < SN_CONJUGATE_KEPT; k++) c->direction[k] = work + (2 + k) * size;
}

static void save(const snLcpSystem* s, double* to)
{
    memcpy(to, s->x, (size_t)rowsOf(s) * sizeof(double));
    memcpy(to + rowsOf(s), s->dV, (size_t)s->ncoord * sizeof(double));
}

static void restore(snLcpSystem* s, const double* from)
{
    memcpy(s->x, from, (size_t)rowsOf(s) * sizeof(double));
    memcpy(s->dV, from + rowsOf(s), (size_t)s->ncoord * sizeof(double));
}

void sn_conjugateBefore(const snLcpSystem* s, snConjugate* c)
{
    save(s, c->before);
}

// dV'dV of two directions, and a share of lambda' D lambda.
SN_CLONES
static double metric(const snLcpSystem* s, const double* p, const double* q)
{
    v4 sum = {0}, own = {0};
    const int rows = rowsOf(s);
    for (int k = 0; k < rows; k += 4) {
        const v4 step = v4_load(s->step + k), product = v4_loadAny(p + k) * v4_loadAny(q + k);
        own += v4_keep(step > 0, product / step);
    }
    for (int k = rows; k < rows + s->ncoord; k += 4) sum += v4_loadAny(p + k) * v4_loadAny(q + k);
    return v4_sum(sum) + SHARE * v4_sum(own);
}

// The slope of f along a direction.
SN_CLONES
static double slope(const snLcpSystem* s, const double* p)
{
    v4 sum = {0};
    const int rows = rowsOf(s);
    for (int k = 0; k < rows; k += 4) sum += v4_load(s->b + k) * v4_loadAny(p + k);
    for (int k = 0; k < s->ncoord; k += 4) sum += v4_load(s->dV + k) * v4_loadAny(p + rows + k);
    return v4_sum(sum);
}

SN_CLONES
static double cost(const snLcpSystem* s)
{
    v4 sum = {0};
    for (int k = 0; k < rowsOf(s); k += 4) sum += v4_load(s->b + k) * v4_load(s->x + k);
    for (int k = 0; k < s->ncoord; k += 4) sum += 0.5 * v4_load(s->dV + k) * v4_load(s->dV + k);
    return v4_sum(sum);
}

// y += a p
SN_CLONES
static void add(double a, const double* p, int n, double* y)
{
    for (int k = 0; k < n; k += 4) v4_storeAny(y + k, v4_loadAny(y + k) + a * v4_loadAny(p + k));
}

static void follow(snLcpSystem* s, double a, const double* p)
{
    add(a, p, rowsOf(s), s->x);
    add(a, p + rowsOf(s), s->ncoord, s->dV);
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
        if (!(friction && cone)) x[r] = fmin(fmax(x[r], lo), hi);
        moved |= x[r] != old;
    }
    const double norm = cone ? sn_sectionNorm(x + 1, s->mu + at + 1, b->rows - 1) : 0;
    if (!(norm > x[0])) return moved;
    for (int r = 1; r < b->rows; r++) x[r] *= x[0] / norm;
    return true;
}

SN_CLONES
static void putBack(snLcpSystem* s)
{
    for (int k = 0; k < s->nblock; k++) {
        const snLcpBlock* b = s->block + k;
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

// The sweep's change, orthogonal to the kept directions and of unit length, in `before`; false: nothing is
// left of it.
static bool newDirection(const snLcpSystem* s, snConjugate* c)
{
    const int size = rowsOf(s) + s->ncoord;
    double* p = c->before;
    for (int k = 0; k < size; k++) p[k] = c->swept[k] - p[k];
    const double whole = metric(s, p, p);
    for (int i = 0; i < c->kept; i++) add(-metric(s, p, c->direction[i]), c->direction[i], size, p);
    const double square = metric(s, p, p);
    if (!(square > 1e-8 * whole)) return false;
    const double scale = 1 / sqrt(square);
    for (int k = 0; k < size; k++) p[k] *= scale;
    return true;
}

void sn_conjugateAfter(snLcpSystem* s, snConjugate* c)
{
    double along[SN_CONJUGATE_KEPT];
    save(s, c->swept);
    if (!newDirection(s, c)) {
        c->kept = c->next = 0;
        return;
    }
    const double before = cost(s), ahead = -slope(s, c->before);
    for (int i = 0; i < c->kept; i++) along[i] = -slope(s, c->direction[i]);
    follow(s, ahead, c->before);
    for (int i = 0; i < c->kept; i++) follow(s, along[i], c->direction[i]);
    putBack(s);
    if (!(cost(s) <= before)) {
        restore(s, c->swept);
        c->kept = c->next = 0;
        return;
    }
    double* replaced = c->direction[c->next];
    c->direction[c->next] = c->before;
    c->before = replaced;
    c->next = (c->next + 1) % SN_CONJUGATE_KEPT;
    if (c->kept < SN_CONJUGATE_KEPT) c->kept++;
}
