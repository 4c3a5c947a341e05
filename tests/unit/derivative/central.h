// Central differences of sixth order along the tangent of a position, or of any other numbers.
#ifndef SINEW_TEST_CENTRAL_H
#define SINEW_TEST_CENTRAL_H

#include <sinew/sinew.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include "central_slope.h"

/// out [n]: what is differentiated, at the state of d, of which it may change all that follows from the
/// state.
typedef void (*Quantity)(const snModel* m, snData* d, void* user, double* out);

enum { BY_POSITION, BY_VELOCITY, BY_ACCELERATION };

static inline void displace(const snModel* m, snData* d, int by, int k, double step, const double* start)
{
    double* to = by == BY_POSITION ? d->qpos : by == BY_VELOCITY ? d->qvel : d->qacc;
    memcpy(to, start, (size_t)(by == BY_POSITION ? m->nq : m->nv) * sizeof(double));
    if (by == BY_POSITION) {
        double* tangent = calloc((size_t)m->nv, sizeof(double));
        tangent[k] = 1;
        sn_integratePos(m, d->qpos, tangent, step);
        free(tangent);
    } else {
        to[k] += step;
    }
}

typedef struct Displaced {
    const snModel* m;
    snData* d;
    int by, k;
    const double* start;
    Quantity f;
    void* user;
} Displaced;

static inline void sampleDisplaced(void* context, double x, double* out)
{
    const Displaced* c = context;
    displace(c->m, c->d, c->by, c->k, x, c->start);
    c->f(c->m, c->d, c->user, out);
}

/// D [n x nv] = d out / d qpos (tangent), qvel or qacc. The state is as it was; what follows from it is not.
static inline void central(const snModel* m, snData* d, int by, Quantity f, void* user, int n, double* D)
{
    const int count = by == BY_POSITION ? m->nq : m->nv;
    double* from = by == BY_POSITION ? d->qpos : by == BY_VELOCITY ? d->qvel : d->qacc;
    double *start = malloc((size_t)count * sizeof(double)), *slope = malloc((size_t)n * sizeof(double));
    memcpy(start, from, (size_t)count * sizeof(double));
    for (int k = 0; k < m->nv; k++) {
        Displaced c = {m, d, by, k, start, f, user};
        centralSlope(sampleDisplaced, &c, 1e-3, n, slope);
        for (int i = 0; i < n; i++) D[i * m->nv + k] = slope[i];
    }
    memcpy(from, start, (size_t)count * sizeof(double));
    free(start);
    free(slope);
}

/// Fails unless a and b [count] agree to `tolerance` of their largest number, or of 1 where that is less.
static inline void assertClose(const double* a, const double* b, int count, double tolerance)
{
    double largest = 1;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(b[i]));
    for (int i = 0; i < count; i++) {
        if (fabs(a[i] - b[i]) <= tolerance * largest) continue; // NaN goes on
        fail_msg("number %d: %.17g against %.17g, largest %g", i, a[i], b[i], largest);
    }
}

#endif
