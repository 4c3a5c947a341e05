// A step of a model against differences of its own, and the adjoint against the forward mode.
#ifndef SINEW_TEST_STEP_CASE_H
#define SINEW_TEST_STEP_CASE_H

#include <math.h>
#include <stdlib.h>
#include "model_text.h"
#include "random_tree.h"

enum { MOST = 128 };

typedef struct Matrices {
    int nx, nu, ns;
    double *A, *B, *C, *D;
} Matrices;

static inline Matrices make(const snModel* m)
{
    Matrices x = {.nx = 2 * m->nv + m->na, .nu = m->nu, .ns = m->nsensordata};
    x.A = calloc((size_t)(x.nx * x.nx + 1), sizeof(double));
    x.B = calloc((size_t)(x.nx * x.nu + 1), sizeof(double));
    x.C = calloc((size_t)(x.ns * x.nx + 1), sizeof(double));
    x.D = calloc((size_t)(x.ns * x.nu + 1), sizeof(double));
    return x;
}

static inline void drop(Matrices x)
{
    free(x.A), free(x.B), free(x.C), free(x.D);
}

// ---- differences of sixth order, of states in the tangent of the step's own

typedef struct Start {
    double state[512];
} Start;

// Moves coordinate k of (q, v, act, u).
static inline void displace(const snModel* m, snData* d, int k, double by)
{
    const int nv = m->nv, nx = 2 * nv + m->na;
    if (k < nv) {
        double tangent[MOST] = {0};
        tangent[k] = by;
        sn_integratePos(m, d->qpos, tangent, 1);
    } else if (k < 2 * nv) {
        d->qvel[k - nv] += by;
    } else if (k < nx) {
        d->act[k - 2 * nv] += by;
    } else {
        d->ctrl[k - nx] += by;
    }
}

// A step, solved to rounding under every integrator that takes qacc once.
static inline void column(const snModel* m, snData* d, const Start* start, int k, double by,
                          const double* end, double* y)
{
    const int nv = m->nv;
    sn_setState(m, d, start->state, SN_STATE_INTEGRATION);
    displace(m, d, k, by);
    sn_step(m, d);
    sn_differentiatePos(m, y, 1, end, d->qpos);
    memcpy(y + nv, d->qvel, (size_t)nv * sizeof(double));
    memcpy(y + 2 * nv, d->act, (size_t)m->na * sizeof(double));
    memcpy(y + 2 * nv + m->na, d->sensordata, (size_t)m->nsensordata * sizeof(double));
}

static inline void scatter(const Matrices* x, int k, double weight, const double* y)
{
    for (int i = 0; i < x->nx + x->ns; i++) {
        const bool state = i < x->nx, input = k < x->nx;
        double* to = state
                         ? (input ? x->A + i * x->nx + k : x->B + i * x->nu + k - x->nx)
                         : (input ? x->C + (i - x->nx) * x->nx + k : x->D + (i - x->nx) * x->nu + k - x->nx);
        *to += weight * y[i];
    }
}

static inline void differences(const snModel* m, snData* d, double step, Matrices* x)
{
    static const double weight[7] = {-1, 9, -45, 0, 45, -9, 1};
    static Start start;
    double end[MOST], y[4 * MOST];
    sn_getState(m, d, start.state, SN_STATE_INTEGRATION);
    sn_step(m, d);
    memcpy(end, d->qpos, (size_t)m->nq * sizeof(double));
    for (int k = 0; k < x->nx + x->nu; k++)
        for (int e = -3; e <= 3; e++) {
            if (e == 0) continue;
            column(m, d, &start, k, e * step, end, y);
            scatter(x, k, weight[e + 3] / (60 * step), y);
        }
    sn_setState(m, d, start.state, SN_STATE_INTEGRATION);
}

static inline double worst(const double* a, const double* b, int n)
{
    double size = 1, most = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(b[i]));
    for (int i = 0; i < n; i++) {
        const double off = fabs(a[i] - b[i]);
        most = off <= most ? most : off;
    }
    return most / size;
}

static inline void near(const char* name, const double* a, const double* b, int n, double tolerance)
{
    const double off = worst(a, b, n);
    if (!(off <= tolerance)) fail_msg("%s: off by %g, may be %g", name, off, tolerance);
}

static inline void agrees(const snModel* m, snData* d, double step, double tolerance)
{
    Matrices ours = make(m), theirs = make(m);
    snError error = {0};
    const bool has = ours.ns > 0;
    if (sn_transitionDerivative(m, d, ours.A, ours.B, has ? ours.C : NULL, has ? ours.D : NULL, &error))
        fail_msg("%s", error.message);
    differences(m, d, step, &theirs);
    near("A", ours.A, theirs.A, ours.nx * ours.nx, tolerance);
    near("B", ours.B, theirs.B, ours.nx * ours.nu, tolerance);
    near("C", ours.C, theirs.C, ours.ns * ours.nx, tolerance);
    near("D", ours.D, theirs.D, ours.ns * ours.nu, tolerance);
    drop(ours), drop(theirs);
}

static inline void moved(const snModel* m, snData* d, Random* r, double scale)
{
    double tangent[MOST];
    for (int i = 0; i < m->nv; i++) tangent[i] = scale * randomReal(r);
    sn_integratePos(m, d->qpos, tangent, 1);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = 2 * scale * randomReal(r);
    for (int i = 0; i < m->na; i++) d->act[i] = randomReal(r);
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = randomReal(r);
    for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = randomReal(r);
    for (int i = 6; i < 6 * m->nbody; i++) d->xfrc_applied[i] = randomReal(r);
}

// ---- products

typedef struct Pair {
    double x[MOST], u[MOST], qfrc[MOST], xfrc[6 * MOST]; // tangent or gradient before the step
    double next[MOST], sensor[MOST];                     // and after it
} Pair;

static inline void fill(Random* r, double* x, int n)
{
    for (int i = 0; i < n; i++) x[i] = randomReal(r);
}

static inline double dot(const double* a, const double* b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// <JVP x, y> = <x, VJP y>
static inline void adjointOf(const snModel* m, snData* d, Random* r)
{
    static Pair t, g;
    const int nx = 2 * m->nv + m->na, ns = m->nsensordata;
    snError error = {0};
    memset(&t, 0, sizeof t), memset(&g, 0, sizeof g);
    fill(r, t.x, nx), fill(r, t.u, m->nu), fill(r, t.qfrc, m->nv), fill(r, t.xfrc + 6, 6 * m->nbody - 6);
    fill(r, g.next, nx), fill(r, g.sensor, ns);
    const snStepTangent tangent = {t.x, t.u, t.qfrc, t.xfrc};
    const snStepGradient gradient = {.x = g.x, .u = g.u, .qfrc = g.qfrc, .xfrc = g.xfrc};
    if (sn_stepJVP(m, d, &tangent, t.next, ns ? t.sensor : NULL, &error)) fail_msg("%s", error.message);
    if (sn_stepVJP(m, d, g.next, ns ? g.sensor : NULL, &gradient, &error)) fail_msg("%s", error.message);
    const double along = dot(t.next, g.next, nx) + dot(t.sensor, g.sensor, ns);
    const double back = dot(t.x, g.x, nx) + dot(t.u, g.u, m->nu) + dot(t.qfrc, g.qfrc, m->nv) +
                        dot(t.xfrc + 6, g.xfrc + 6, 6 * m->nbody - 6);
    const double size = sqrt(dot(t.next, t.next, nx) + dot(t.sensor, t.sensor, ns)) *
                        sqrt(dot(g.next, g.next, nx) + dot(g.sensor, g.sensor, ns));
    if (!(fabs(along - back) <= 4e-12 * fmax(1, size))) // rounding of sums over all rows
        fail_msg("adjoint: off by %g of %g", along - back, size);
}

// A product is the matrix times the vector; what is applied, by differences.
static inline void productOf(const snModel* m, snData* d, Random* r)
{
    static Pair t, by;
    Matrices x = make(m);
    double expected[MOST], off = 0;
    const double step = 1e-5, h = m->opt.timestep;
    memset(&t, 0, sizeof t), memset(&by, 0, sizeof by);
    fill(r, t.x, x.nx), fill(r, t.u, x.nu);
    const snStepTangent tangent = {.x = t.x, .u = t.u};
    assert_int_equal(sn_stepJVP(m, d, &tangent, t.next, NULL, NULL), SN_STATUS_OK);
    assert_int_equal(sn_transitionDerivative(m, d, x.A, x.B, NULL, NULL, NULL), SN_STATUS_OK);
    for (int i = 0; i < x.nx; i++) {
        expected[i] = dot(x.A + i * x.nx, t.x, x.nx) + dot(x.B + i * x.nu, t.u, x.nu);
        off = fmax(off, fabs(expected[i] - t.next[i]));
    }
    if (!(off <= 1e-10)) fail_msg("product: off by %g", off);
    fill(r, by.qfrc, m->nv), fill(r, by.xfrc + 6, 6 * m->nbody - 6);
    const snStepTangent applied = {.qfrc = by.qfrc, .xfrc = by.xfrc};
    assert_int_equal(sn_stepJVP(m, d, &applied, by.next, by.sensor, NULL), SN_STATUS_OK);
    static Start start;
    double v[2][MOST], sensor[2][MOST];
    sn_getState(m, d, start.state, SN_STATE_INTEGRATION);
    for (int e = 0; e < 2; e++) {
        sn_setState(m, d, start.state, SN_STATE_INTEGRATION);
        for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] += (e ? step : -step) * by.qfrc[i];
        for (int i = 6; i < 6 * m->nbody; i++) d->xfrc_applied[i] += (e ? step : -step) * by.xfrc[i];
        sn_step(m, d);
        memcpy(v[e], d->qvel, (size_t)m->nv * sizeof(double));
        memcpy(sensor[e], d->sensordata, (size_t)m->nsensordata * sizeof(double));
    }
    sn_setState(m, d, start.state, SN_STATE_INTEGRATION);
    for (int i = 0; i < m->nv; i++) {
        const double slope = (v[1][i] - v[0][i]) / (2 * step);
        if (!(fabs(slope - by.next[m->nv + i]) <= 1e-6 * fmax(h, fabs(slope))))
            fail_msg("applied forces, dof %d: %g, by differences %g", i, by.next[m->nv + i], slope);
    }
    for (int i = 0; i < m->nsensordata; i++) {
        const double slope = (sensor[1][i] - sensor[0][i]) / (2 * step);
        if (!(fabs(slope - by.sensor[i]) <= 1e-6 * fmax(1, fabs(slope))))
            fail_msg("applied forces, sensor %d: %g, by differences %g", i, by.sensor[i], slope);
    }
    drop(x);
}

#endif
