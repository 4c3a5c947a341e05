#include "derivative/constraint/loop_system.h"
#include <math.h>
#include <string.h>
#include <sinew/loop.h>
#include "base/error.h"
#include "loop/position.h"
#include "model/arena.h"

static double* matrix(snData* d, size_t rows, size_t columns)
{
    return sn_scratchAlloc(d, rows * columns * sizeof(double));
}

static void addScaled(double* y, double s, const double* x, size_t n)
{
    for (size_t k = 0; k < n && s != 0; k++) y[k] += s * x[k];
}

static void swap(double* a, double* b, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const double x = a[k];
        a[k] = b[k];
        b[k] = x;
    }
}

// X [n x columns] <- inv(A) X by elimination with partial pivoting, A [n x n] overwritten. false: singular.
static bool eliminate(double* A, size_t n, double* X, size_t columns)
{
    for (size_t k = 0; k < n; k++) {
        size_t p = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[p * n + k])) p = i;
        if (!(fabs(A[p * n + k]) > 0)) return false;
        if (p != k) {
            swap(A + p * n, A + k * n, n);
            swap(X + p * columns, X + k * columns, columns);
        }
        for (size_t i = k + 1; i < n; i++) {
            const double s = -A[i * n + k] / A[k * n + k];
            addScaled(A + i * n, s, A + k * n, n);
            addScaled(X + i * columns, s, X + k * columns, columns);
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t c = 0; c < columns; c++) X[k * columns + c] /= A[k * n + k];
        for (size_t i = 0; i < k; i++) addScaled(X + i * columns, -A[i * n + k], X + k * columns, columns);
    }
    return true;
}

// P from G [nv x ny] with AG [nv x ny], GAG [ny x ny], Z [ny x nv] as scratch.
static bool solve(const snModel* m, const double* A, const double* G, size_t ny, double* AG, double* GAG,
                  double* Z, double* P, size_t step)
{
    const size_t nv = (size_t)m->nv;
    memset(AG, 0, nv * ny * sizeof(double));
    memset(GAG, 0, ny * ny * sizeof(double));
    for (size_t i = 0; i < nv; i++)
        for (size_t k = 0; k < nv; k++) addScaled(AG + i * ny, A[i * nv + k], G + k * ny, ny);
    for (size_t i = 0; i < nv; i++)
        for (size_t a = 0; a < ny; a++) {
            addScaled(GAG + a * ny, G[i * ny + a], AG + i * ny, ny);
            Z[a * nv + i] = G[i * ny + a];
        }
    if (!eliminate(GAG, ny, Z, nv)) return false;
    memset(P, 0, nv * step * sizeof(double));
    for (size_t i = 0; i < nv; i++)
        for (size_t a = 0; a < ny; a++) addScaled(P + i * step, G[i * ny + a], Z + a * nv, nv);
    return true;
}

snStatus sn_loopResponseMatrix(const snModel* m, snData* d, const double* A, double* P, int step,
                               snError* error)
{
    snStatus status = SN_STATUS_OK;
    const size_t mark = sn_scratchMark(d), nv = (size_t)m->nv, ny = (size_t)sn_loopMobility(m, d);
    double *G = matrix(d, nv, ny), *AG = matrix(d, nv, ny), *GAG = matrix(d, ny, ny), *Z = matrix(d, ny, nv);
    if (!G || !AG || !GAG || !Z) {
        status = sn_fail(error, SN_STATUS_NO_MEMORY, "derivatives of loops do not fit in the arena");
    } else {
        sn_loopG(m, d, G);
        if (!solve(m, A, G, ny, AG, GAG, Z, P, (size_t)step))
            status = sn_fail(error, SN_STATUS_UNSUPPORTED,
                             "the inertia of a mechanism is singular: accelerations have no derivative");
    }
    sn_scratchRelease(d, mark);
    return status;
}

// g [nv] with K g = - column c of rows, 0 where no loop is; k [nlooprow], own [nv]: scratch
static void particular(const snModel* m, const snData* d, const double* rows, int n, int c, double* k,
                       double* own, double* g)
{
    memset(g, 0, (size_t)m->nv * sizeof(double));
    for (int r = 0; r < d->nlooprow; r++) k[r] = -rows[(size_t)r * (size_t)n + (size_t)c];
    for (int i = 0; i < d->ncluster; i++) {
        const snNullSpace s = sn_clusterFactor(d, i);
        const int* dof = d->loop_dof + d->cluster_dofadr[i];
        (void)sn_nullSpaceParticular(&s, k + d->cluster_rowadr[i], own);
        for (int j = 0; j < s.n; j++) g[dof[j]] = own[j];
    }
}

// x = g - P A g, in place; Ag [nv]: scratch
static void part(const double* A, const double* P, size_t nv, size_t step, double* g, double* Ag)
{
    for (size_t i = 0; i < nv; i++) {
        Ag[i] = 0;
        for (size_t k = 0; k < nv; k++) Ag[i] += A[i * nv + k] * g[k];
    }
    for (size_t i = 0; i < nv; i++)
        for (size_t k = 0; k < nv; k++) g[i] -= P[i * step + k] * Ag[k];
}

bool sn_loopPrescribed(const snModel* m, snData* d, const double* A, const double* P, int step, int n,
                       const double* rows, double* X, int stride)
{
    const size_t mark = sn_scratchMark(d), nv = (size_t)m->nv;
    double *k = sn_scratchReal(d, d->nlooprow), *own = sn_scratchReal(d, m->nv),
           *g = sn_scratchReal(d, m->nv), *Ag = sn_scratchReal(d, m->nv);
    const bool room = k && own && g && Ag;
    for (int c = 0; c < n && room; c++) {
        particular(m, d, rows, n, c, k, own, g);
        part(A, P, nv, (size_t)step, g, Ag);
        for (size_t i = 0; i < nv; i++) X[i * (size_t)stride + (size_t)c] += g[i];
    }
    sn_scratchRelease(d, mark);
    return room;
}

bool sn_loopMultipliers(const snModel* m, snData* d, const double* tau, double* lambda)
{
    const size_t mark = sn_scratchMark(d);
    const int most = d->nlooprow;
    double *own = sn_scratchReal(d, m->nv), *work = matrix(d, (size_t)most, (size_t)most + 1);
    const bool room = own && work;
    memset(lambda, 0, (size_t)most * sizeof(double));
    for (int c = 0; c < d->ncluster && room; c++) {
        const snNullSpace s = sn_clusterFactor(d, c);
        const int* dof = d->loop_dof + d->cluster_dofadr[c];
        for (int j = 0; j < s.n; j++) own[j] = tau[dof[j]];
        sn_nullSpaceForce(&s, own, lambda + d->cluster_rowadr[c], work);
    }
    sn_scratchRelease(d, mark);
    return room;
}
