// Dense problems for tests, and how far a point is from their solution, by the definition alone.
#ifndef DENSE_PROBLEM_H
#define DENSE_PROBLEM_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "lcp/direct/direct.h"

enum { MOST_ROWS = 220 };

typedef struct Problem {
    int n;
    double *A, *b, *lo, *hi, *mu, *x;
    int *kind, *normal;
    double* work;
    int pivots;
} Problem;

static inline double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// n rows, A = 0, all bounded below by 0.
static inline Problem newProblem(int n)
{
    const size_t m = (size_t)n;
    Problem p = {.n = n};
    p.A = calloc(m * m, sizeof(double));
    p.b = calloc(m, sizeof(double));
    p.lo = calloc(m, sizeof(double));
    p.hi = malloc(m * sizeof(double));
    p.mu = calloc(m, sizeof(double));
    p.x = calloc(m, sizeof(double));
    p.kind = calloc(m, sizeof(int));
    p.normal = calloc(m, sizeof(int));
    p.work = malloc(sn_directWork(n) * sizeof(double));
    for (int i = 0; i < n; i++) p.hi[i] = HUGE_VAL;
    return p;
}

static inline void freeProblem(Problem* p)
{
    void* all[] = {p->A, p->b, p->lo, p->hi, p->mu, p->x, p->kind, p->normal, p->work};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

// A = J diag(inertia)^-1 J'.
static inline void setGram(Problem* p, const double* J, const double* inverse, int columns)
{
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            double sum = 0;
            for (int k = 0; k < columns; k++) sum += J[i * columns + k] * inverse[k] * J[j * columns + k];
            p->A[i * p->n + j] = sum;
        }
}

static inline int solve(Problem* p)
{
    const snDirect direct = {p->n, p->A, p->b, p->lo, p->hi, p->kind, p->normal, p->mu};
    for (size_t k = 0; k < sn_directWork(p->n); k++) p->work[k] = NAN;
    return sn_lcpDirect(&direct, p->work, p->x, &p->pivots);
}

static inline double velocity(const Problem* p, int i)
{
    double sum = p->b[i];
    for (int j = 0; j < p->n; j++) sum += p->A[i * p->n + j] * p->x[j];
    return sum;
}

// How far rows of a cone are from: inside with w_t = 0, or on the edge with w_t = -k grad, k >= 0.
static inline double coneGap(const Problem* p, int normal)
{
    double square = 0, size = 0, along = 0, gap = 0, slope = 0;
    for (int i = 0; i < p->n; i++) {
        if (p->kind[i] != SN_LCPROW_CONE || p->normal[i] != normal) continue;
        const double edge = p->x[i] / p->mu[i], grad = edge / p->mu[i], w = velocity(p, i);
        square += edge * edge;
        slope += grad * grad;
        along -= w * grad;
        size += w * w;
    }
    const double radius = fmax(0, p->x[normal]);
    if (square == 0) return radius > 0 ? sqrt(size) : 0;
    const double k = fmax(0, along / slope);
    for (int i = 0; i < p->n; i++)
        if (p->kind[i] == SN_LCPROW_CONE && p->normal[i] == normal)
            gap = fmax(gap, fabs(velocity(p, i) + k * p->x[i] / p->mu[i] / p->mu[i]));
    // off the edge by (radius - |x / mu|) in the unit of x: a complementary pair with k |grad|
    double least = HUGE_VAL;
    for (int i = 0; i < p->n; i++)
        if (p->kind[i] == SN_LCPROW_CONE && p->normal[i] == normal)
            least = fmin(least, p->mu[i] * p->A[i * p->n + i]);
    const double inside = (radius - sqrt(square)) * least;
    return fmax(gap, fabs(fmin(inside, k * sqrt(slope))));
}

static inline double boxGap(const Problem* p, int i, double lo, double hi)
{
    const double diagonal = p->A[i * p->n + i], z = p->x[i] - velocity(p, i) / diagonal;
    return diagonal > SN_MINVAL ? fabs(p->x[i] - fmin(fmax(z, lo), hi)) * diagonal : 0;
}

// The natural residual of a row in the unit of w; of a normal also how far its cone's conditions are from
// true.
static inline double rowGap(const Problem* p, int i)
{
    const double most = p->mu[i] * fmax(0, p->x[p->normal[i]]);
    if (p->kind[i] == SN_LCPROW_BOX) return fmax(boxGap(p, i, p->lo[i], p->hi[i]), coneGap(p, i));
    return p->kind[i] == SN_LCPROW_FRICTION ? boxGap(p, i, -most, most) : 0;
}

// The largest of them over the largest b, of rows scaled to unit diagonal.
static inline double relativeResidual(const Problem* p)
{
    double largest = 0, scale = 0;
    for (int i = 0; i < p->n; i++) {
        const double diagonal = p->A[i * p->n + i];
        if (diagonal <= SN_MINVAL) continue;
        const double gap = rowGap(p, i) / sqrt(diagonal);
        if (!(gap <= largest)) largest = gap;
        scale = fmax(scale, fabs(p->b[i]) / sqrt(diagonal));
    }
    return largest / scale;
}

#endif
