#include "derivative/constraint/reduced.h"
#include <string.h>
#include <sinew/loop.h>
#include "loop/reduced.h"
#include "model/arena.h"

static double* matrix(snData* d, int rows, int columns)
{
    return sn_scratchAlloc(d, (size_t)rows * (size_t)columns * sizeof(double));
}

bool sn_reducedTake(const snModel* m, snData* d, snReduced* r)
{
    const int nv = m->nv, ny = d->nclosure ? sn_loopMobility(m, d) : nv, n = sn_padded(ny);
    *r = (snReduced){.nv = nv,
                     .ny = ny,
                     .L = matrix(d, n, n),
                     .diaginv = sn_scratchReal(d, n),
                     .work = sn_scratchReal(d, 4 * n),
                     .y = sn_scratchReal(d, n)};
    if (!r->L || !r->diaginv || !r->work || !r->y || !sn_fullPattern(d, n, &r->pattern)) return false;
    if (!d->nclosure) return true;
    r->G = matrix(d, nv, ny);
    r->HG = matrix(d, nv, ny);
    if (!r->G || !r->HG) return false;
    sn_loopG(m, d, r->G);
    return true;
}

static void addScaled(double* y, double s, const double* x, int n)
{
    for (int k = 0; k < n && s != 0; k++) y[k] += s * x[k];
}

void sn_reduce(const snReduced* r, const double* x, double* y)
{
    if (!r->G) {
        memmove(y, x, (size_t)r->nv * sizeof(double));
        return;
    }
    memset(y, 0, (size_t)r->ny * sizeof(double));
    for (int i = 0; i < r->nv; i++) addScaled(y, x[i], r->G + (size_t)i * (size_t)r->ny, r->ny);
}

static void addLoops(snReduced* r, const double* H, size_t n)
{
    const size_t nv = (size_t)r->nv, ny = (size_t)r->ny;
    for (size_t i = 0; i < nv; i++) sn_reduce(r, H + i * nv, r->HG + i * ny); // H is symmetric
    for (size_t i = 0; i < nv; i++)
        for (size_t a = 0; a < ny; a++) addScaled(r->L + a * n, r->G[i * ny + a], r->HG + i * ny, r->ny);
}

bool sn_reducedFactor(snReduced* r, const double* H)
{
    const size_t nv = (size_t)r->nv, ny = (size_t)r->ny, n = (size_t)sn_padded(r->ny);
    memset(r->L, 0, n * n * sizeof(double));
    for (size_t i = ny; i < n; i++) r->L[i * (n + 1)] = 1;
    if (r->G)
        addLoops(r, H, n);
    else
        for (size_t i = 0; i < nv; i++) memcpy(r->L + i * n, H + i * nv, nv * sizeof(double));
    return sn_blockFactor(&r->pattern, r->L, r->diaginv, r->work) == 0;
}

void sn_reducedSolve(const snReduced* r, const double* x, double* p)
{
    const int n = sn_padded(r->ny);
    sn_reduce(r, x, r->y);
    for (int i = r->ny; i < n; i++) r->y[i] = 0;
    sn_blockSolve(&r->pattern, r->L, r->diaginv, r->y);
    for (int i = 0; i < r->nv; i++) {
        double sum = r->G ? 0 : r->y[i];
        for (int k = 0; k < r->ny && r->G; k++) sum += r->G[(size_t)i * (size_t)r->ny + (size_t)k] * r->y[k];
        p[i] = sum;
    }
}
