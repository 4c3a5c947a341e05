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

// |z / mu| at x_i = z_i mu_i^2 / (mu_i^2 + t), z = x - w / stiffness, of a normal's cone.
static inline double edge(const Problem* p, int normal, double stiffness, double t)
{
    double square = 0;
    for (int i = 0; i < p->n; i++) {
        if (p->kind[i] != SN_LCPROW_CONE || p->normal[i] != normal) continue;
        const double z = p->x[i] - velocity(p, i) / stiffness;
        square += pow(z * p->mu[i] / (p->mu[i] * p->mu[i] + t), 2);
    }
    return sqrt(square);
}

// How far the rows of a normal's cone are from the nearest point of the section to x - w / stiffness, found
// by bisection: with one stiffness for all of them that is where maximal dissipation holds.
static inline double coneGap(const Problem* p, int normal)
{
    double stiffness = 0, gap = 0, least = 0, most = 1;
    for (int i = 0; i < p->n; i++)
        if (p->kind[i] == SN_LCPROW_CONE && p->normal[i] == normal)
            stiffness = fmax(stiffness, p->A[i * p->n + i]);
    if (stiffness == 0) return 0;
    const double radius = fmax(0, p->x[normal]);
    while (edge(p, normal, stiffness, most) > radius && most < 1e40) most *= 2;
    const bool in = edge(p, normal, stiffness, 0) <= radius;
    for (int k = 0; k < 200 && !in; k++) {
        const double middle = 0.5 * (least + most);
        if (edge(p, normal, stiffness, middle) > radius)
            least = middle;
        else
            most = middle;
    }
    for (int i = 0; i < p->n; i++) {
        if (p->kind[i] != SN_LCPROW_CONE || p->normal[i] != normal) continue;
        const double z = p->x[i] - velocity(p, i) / stiffness, m = p->mu[i] * p->mu[i];
        gap = fmax(gap, stiffness * fabs(p->x[i] - z * (in ? 1 : m / (m + most))));
    }
    return gap;
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

// The largest of them over the largest b, of rows scaled to unit diagonal; impulses beyond 1e5 times that
// leave more than this in their rounding.
static inline double relativeResidual(const Problem* p)
{
    double largest = 0, scale = 0;
    for (int i = 0; i < p->n; i++) {
        const double diagonal = p->A[i * p->n + i];
        if (diagonal <= SN_MINVAL) continue;
        const double gap = rowGap(p, i) / sqrt(diagonal);
        if (!(gap <= largest)) largest = gap;
        scale = fmax(scale, fabs(p->b[i]) / sqrt(diagonal));
        scale = fmax(scale, 1e-5 * fabs(p->x[i]) * sqrt(diagonal));
    }
    return largest / scale;
}

#endif
