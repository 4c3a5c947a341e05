#include "lcp/direct/direct.h"
#include <math.h>
#include <string.h>
#include "lcp/direct/align.h"
#include "lcp/direct/interior.h"
#include "lcp/direct/newton.h"
#include "lcp/direct/standard.h"
#include "lcp/direct/sweep.h"
#include "math/elementary/elementary.h"

// What is solved, relative to the scale: but for rounding, and at all.
static const double EXACT = 2e-12, SOLVED = 1e-10;

typedef struct Search {
    snScaled s;
    double *y, *best, *along, *work;
    double residual; ///< of best
    int* pivots;
} Search;

static size_t largest(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t sn_directWork(int n)
{
    const size_t other = largest(sn_newtonWork(n), sn_interiorWork(n));
    return sn_scaledWork(n) + 3 * (size_t)n + largest(other, sn_alignWork(n) + sn_standardWork(n));
}

// The largest number of the problem, and of what cancels in v: impulses far above it leave their rounding
// there.
static double scaleOf(const Search* search)
{
    double scale = search->s.scale;
    for (int i = 0; i < search->s.n; i++) scale = sn_max(1e-3 * fabs(search->best[i]), scale);
    return scale;
}

static bool exact(const Search* search)
{
    return search->residual <= EXACT * scaleOf(search);
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

// An interior path, then Newton's method from where it ended.
static void approach(Search* search, double unit)
{
    sn_interiorPath(&search->s, unit, search->work, search->y, search->pivots);
    polish(search, 30);
}

// Lemke's method as `pivot` has it, on boxes around the cones that point where the last such solution was.
static void align(Search* search, double* along, const snPivoting* how)
{
    snScaled boxes;
    double* work = sn_alignCones(&search->s, along, search->work, &boxes);
    sn_solveStandard(&boxes, how, work, search->y, search->pivots);
    sn_turnBack(&search->s, &boxes, search->y);
    double merit;
    const bool sound = sn_scaledMap(&search->s, search->y, false, &merit) < HUGE_VAL;
    memcpy(along, sound ? search->y : search->best, (size_t)search->s.n * sizeof(double));
    polish(search, 30);
}

static bool has(const snScaled* s, int kind)
{
    for (int i = 0; i < s->n; i++)
        if (s->kind[i] == kind) return true;
    return false;
}

// Without a guess a problem whose rows are not coupled goes to Lemke's method first. All others start with
// Newton's, which from a guess needs a few steps. What stops one seldom stops the others.
static void search(Search* search)
{
    static const snPivoting ways[] = {{0, 0, 0, 0},      {0.5, 0, 1e-9, 1},    {0.5, 0, 1e-11, 2},
                                      {0.5, 0, 1e-7, 3}, {0.5, 1e-9, 1e-9, 4}, {0.5, 0, 1e-10, 5}};
    static const double units[] = {1, 0.1, 10, 0.01, 100, 1e-3, 3, 0.3, 30, 0.03, 1e-4, 1e3};
    const snScaled* s = &search->s;
    const int n = s->n, count = sizeof ways / sizeof *ways, starts = sizeof units / sizeof *units;
    const bool cones = has(s, SN_LCPROW_CONE);
    bool cold = !cones && !has(s, SN_LCPROW_FRICTION);
    for (int i = 0; i < n && cold; i++) cold = search->y[i] == 0;
    if (cold) pivot(search, &ways[0]);
    if (cold) memset(search->y, 0, (size_t)n * sizeof(double));
    if (!exact(search)) polish(search, 20);
    if (!exact(search)) sweep(search, 100);
    for (int k = 0; k < starts && !exact(search); k++) approach(search, units[k]);
    memcpy(search->along, search->best, (size_t)n * sizeof(double));
    for (int k = cold; k < (cones ? 2 * count : count) && !exact(search); k++)
        if (cones)
            align(search, search->along, &ways[k % count]);
        else
            pivot(search, &ways[k]);
}

int sn_lcpDirect(const snDirect* p, double* work, double* x, int* pivots)
{
    const size_t bytes = (size_t)p->n * sizeof(double);
    Search found = {.y = work, .best = work + p->n, .along = work + 2 * p->n, .pivots = pivots};
    found.work = sn_scale(&found.s, p, work + 3 * p->n, x, found.y);
    *pivots = 0;
    double merit;
    found.residual = sn_scaledMap(&found.s, found.y, false, &merit);
    memcpy(found.best, found.y, bytes);
    if (!exact(&found)) search(&found);
    for (int i = 0; i < p->n; i++) {
        if (found.s.s[i] == 0) continue;
        x[i] = found.s.s[i] * found.best[i];
        if (p->kind[i] == SN_LCPROW_BOX) x[i] = sn_min(sn_max(x[i], p->lo[i]), p->hi[i]);
    }
    return found.residual <= SOLVED * scaleOf(&found) ? SN_LCPSTATUS_SOLVED : SN_LCPSTATUS_RAY;
}
