// For each target: src/target/prelude.h.
#include "lcp/solve/subspace.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include "lcp/solve/anderson.h"
#include "lcp/solve/kernel.h"
#include "lcp/solve/section.h"

typedef struct Residuals {
    double* scale;          // [rows] 1 / sqrt(A_ii) of rows that are free, else 0
    double *d, *r, *p;      // [rows] the step, the residual, the direction, all in units of 1 / scale
    double *Sr, *Sp, *kept; // [rows] S = scale A scale; x at the start
    double* dV;             // [ncoord]
} Residuals;

static int rowsOf(const snLcpSystem* s)
{
    return 4 * s->nquad;
}

size_t sn_subspaceWork(const snLcpSystem* s)
{
    return 7 * (size_t)rowsOf(s) + (size_t)s->ncoord;
}

static Residuals layOut(const snLcpSystem* s, double* work)
{
    const int n = rowsOf(s);
    return (Residuals){work,         work + n,     work + 2 * n, work + 3 * n,
                       work + 4 * n, work + 5 * n, work + 6 * n, work + 7 * n};
}

// Which rows of a block are free; a bit a row.
static unsigned freeRows(const snLcpSystem* s, const snLcpBlock* b)
{
    const int at = 4 * b->quad;
    const double *x = s->x + at, *mu = s->mu + at;
    const double INSIDE = 1 - 1e-9;
    unsigned mask = 0;
    if (b->kind == SN_BLOCK_ROWS || b->kind == SN_BLOCK_JOINT) {
        for (int r = 0; r < b->rows; r++)
            mask |= (unsigned)(s->lo[at + r] < x[r] && x[r] < s->hi[at + r]) << r;
        return mask;
    }
    if (!(x[0] > 0)) return 0;
    if (b->kind == SN_BLOCK_CONE) {
        const bool sticks = sn_sectionNorm(x + 1, mu + 1, b->rows - 1) < x[0] * INSIDE;
        return sticks ? (1u << b->rows) - 1 : 1;
    }
    for (int r = 1; r < b->rows; r++) mask |= (unsigned)(fabs(x[r]) < mu[r] * x[0] * INSIDE) << r;
    return mask | 1;
}

void sn_freeRows(const snLcpSystem* s, double* scale)
{
    memset(scale, 0, (size_t)rowsOf(s) * sizeof(double));
    for (int k = 0; k < s->nblock; k++) {
        const snLcpBlock* b = s->block + k;
        const unsigned mask = freeRows(s, b);
        for (int r = 0; r < b->rows; r++)
            if (mask >> r & 1) scale[4 * b->quad + r] = sqrt(s->step[4 * b->quad + r]);
    }
}

// to = S v
static void multiply(const snLcpSystem* s, const Residuals* c, const double* v, double* to)
{
    memset(c->dV, 0, (size_t)s->ncoord * sizeof(double));
    for (int q = 0; q < s->nquad; q++)
        sn_quadSpread(s->T + q, v4_load(c->scale + 4 * q) * v4_load(v + 4 * q), c->dV);
    for (int q = 0; q < s->nquad; q++)
        v4_store(to + 4 * q, v4_load(c->scale + 4 * q) * sn_quadProduct(s->J + q, c->dV));
}

static double dot(const double* p, const double* q, int n)
{
    v4Sum sum = {0};
    for (int k = 0; k < n; k += 4) v4Sum_add(&sum, v4_load(p + k) * v4_load(q + k));
    return v4Sum_sum(sum);
}

// y = x + a y
static void update(double* y, double a, const double* x, int n)
{
    for (int k = 0; k < n; k += 4) v4_store(y + k, v4_load(x + k) + v4_all(a) * v4_load(y + k));
}

// y += a x
static void add(double* y, double a, const double* x, int n)
{
    for (int k = 0; k < n; k += 4) v4_store(y + k, v4_load(y + k) + v4_all(a) * v4_load(x + k));
}

// d for S d = r, by at most `most` products; returns how many it took.
static int solve(const snLcpSystem* s, const Residuals* c, int most)
{
    const double SMALL = 1e-10;
    const int n = rowsOf(s);
    const size_t bytes = (size_t)n * sizeof(double);
    const double enough = SMALL * SMALL * dot(c->r, c->r, n);
    memset(c->d, 0, bytes);
    multiply(s, c, c->r, c->Sr);
    memcpy(c->p, c->r, bytes);
    memcpy(c->Sp, c->Sr, bytes);
    double rSr = dot(c->r, c->Sr, n);
    for (int k = 1;; k++) {
        const double square = dot(c->r, c->r, n), curve = dot(c->Sp, c->Sp, n);
        // where rows depend on each other S r vanishes before r does
        if (k == most || square <= enough || !(rSr > DBL_EPSILON * square) || !(curve > 0)) return k;
        const double along = rSr / curve, last = rSr;
        add(c->d, along, c->p, n);
        add(c->r, -along, c->Sp, n);
        multiply(s, c, c->r, c->Sr);
        rSr = dot(c->r, c->Sr, n);
        update(c->p, rSr / last, c->r, n);
        update(c->Sp, rSr / last, c->Sr, n);
    }
}

bool sn_subspacePays(const snLcpSystem* s, int sweeps)
{
    return s->J == s->T && s->ncoord <= 4 * sweeps;
}

double sn_subspaceStep(snLcpSystem* s, double residual, double* work, int* products)
{
    const Residuals c = layOut(s, work);
    const int n = rowsOf(s);
    const size_t bytes = (size_t)n * sizeof(double);
    sn_freeRows(s, c.scale);
    sn_systemVelocity(s, c.r);
    for (int k = 0; k < n; k++) c.r[k] *= -c.scale[k];
    *products = solve(s, &c, s->ncoord + s->ncoord / 2);
    memcpy(c.kept, s->x, bytes);
    for (int k = 0; k < n; k++) s->x[k] += c.scale[k] * c.d[k];
    sn_lcpSpread(s);
    sn_lcpPutBack(s);
    const double now = sn_systemResidual(s);
    if (now < residual) return now;
    memcpy(s->x, c.kept, bytes);
    sn_lcpSpread(s);
    return residual;
}
