#include "lcp/direct/direct.h"
#include <math.h>
#include <string.h>
#include "lcp/direct/newton.h"
#include "lcp/direct/standard.h"
#include "lcp/direct/sweep.h"

// What is solved, relative to the largest number of the problem: exactly for rounding, and at all.
static const double EXACT = 1e-13, SOLVED = 1e-10;

typedef struct Search {
    snScaled s;
    double *y, *best, *work;
    double residual; ///< of best
    int* pivots;
} Search;

static size_t largest(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t sn_directWork(int n)
{
    return sn_scaledWork(n) + 2 * (size_t)n + largest(sn_newtonWork(n), sn_standardWork(n));
}

static bool exact(const Search* search)
{
    return search->residual <= EXACT * search->s.scale;
}

// Newton's method from y.
static void polish(Search* search, int most)
{
    const double found = sn_naturalNewton(&search->s, search->work, most, search->y, search->pivots);
    if (!(found < search->residual)) return;
    search->residual = found;
    memcpy(search->best, search->y, (size_t)search->s.n * sizeof(double));
}

// Lemke's method, then Newton's from where it ended.
static void pivot(Search* search, const snPivoting* how)
{
    sn_solveStandard(&search->s, how, search->work, search->y, search->pivots);
    polish(search, 30);
}

static void sweep(Search* search, int sweeps)
{
    memcpy(search->y, search->best, (size_t)search->s.n * sizeof(double));
    sn_denseSweeps(&search->s, sweeps, search->y);
    polish(search, 20);
}

// Rows that bound each other, for which a pivot takes three times as many rows.
static bool coupled(const snScaled* s)
{
    for (int i = 0; i < s->n; i++)
        if (s->kind[i] != SN_LCPROW_BOX) return true;
    return false;
}

// From a guess Newton's method needs a few steps; without one Lemke's is the surer, and the cheaper where
// rows are not coupled. What stops one of them seldom stops the other.
static void search(Search* search)
{
    static const snPivoting ways[] = {{0, 0, 0, 0},      {0.5, 0, 1e-9, 1},    {0.5, 0, 1e-11, 2},
                                      {0.5, 0, 1e-7, 3}, {0.5, 1e-9, 1e-9, 4}, {0.5, 0, 1e-10, 5}};
    const int n = search->s.n, count = sizeof ways / sizeof *ways;
    bool cold = !coupled(&search->s);
    for (int i = 0; i < n && cold; i++) cold = search->y[i] == 0;
    if (cold) pivot(search, &ways[0]);
    if (cold) memset(search->y, 0, (size_t)n * sizeof(double));
    if (!exact(search)) polish(search, 20);
    for (int k = 0; k < 2 && !exact(search); k++) sweep(search, 100 << k);
    for (int k = cold; k < count && !exact(search); k++) pivot(search, &ways[k]);
}

int sn_lcpDirect(const snDirect* p, double* work, double* x, int* pivots)
{
    const size_t bytes = (size_t)p->n * sizeof(double);
    Search found = {.y = work, .best = work + p->n, .pivots = pivots};
    found.work = sn_scale(&found.s, p, work + 2 * p->n, x, found.y);
    *pivots = 0;
    double merit;
    found.residual = sn_scaledMap(&found.s, found.y, false, &merit);
    memcpy(found.best, found.y, bytes);
    if (!exact(&found)) search(&found);
    for (int i = 0; i < p->n; i++)
        if (found.s.s[i] > 0) x[i] = found.s.s[i] * found.best[i];
    return found.residual <= SOLVED * found.s.scale ? SN_LCPSTATUS_SOLVED : SN_LCPSTATUS_RAY;
}
