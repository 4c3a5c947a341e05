// Sensors along random directions against differences of order 6 of sn_forward, qacc and efc_force along them
// taken from the same differences.
#ifndef SINEW_TEST_SENSOR_CASE_H
#define SINEW_TEST_SENSOR_CASE_H

#include <stdlib.h>
#include "derivative/central_slope.h"
#include "derivative/sensor/sensor.h"
#include "model_text.h"
#include "random_tree.h"

enum { DIRECTIONS = 3 };

typedef struct SensorCase {
    const snModel* m;
    snData *d, *base;
    double *q, *v, *act, *u; // one direction
    int nefc;
    bool switches; // a contact comes or goes, or a row changes its zone, on the way
} SensorCase;

/// Everything along the direction: sensordata, qacc, efc_force
static inline void sampleSensors(void* context, double x, double* out)
{
    SensorCase* c = context;
    const snModel* m = c->m;
    snData* d = c->d;
    sn_copyData(d, m, c->base);
    sn_integratePos(m, d->qpos, c->q, x);
    for (int i = 0; i < m->nv; i++) d->qvel[i] += x * c->v[i];
    for (int i = 0; i < m->na; i++) d->act[i] += x * c->act[i];
    for (int i = 0; i < m->nu; i++) d->ctrl[i] += x * c->u[i];
    sn_forward(m, d);
    c->switches |= d->nefc != c->nefc || d->ncon != c->base->ncon ||
                   (d->nefc && memcmp(d->efc_state, c->base->efc_state, (size_t)d->nefc * sizeof(int)) != 0);
    if (c->switches) return;
    memcpy(out, d->sensordata, (size_t)m->nsensordata * sizeof *out);
    out += m->nsensordata;
    memcpy(out, d->qacc, (size_t)m->nv * sizeof *out);
    if (d->nefc) memcpy(out + m->nv, d->efc_force, (size_t)d->nefc * sizeof *out);
}

static inline void setColumn(double* matrix, int column, const double* from, int rows)
{
    for (int r = 0; r < rows; r++) matrix[r * DIRECTIONS + column] = from[r];
}

static inline double* numbers(int count)
{
    return calloc((size_t)count + 1, sizeof(double));
}

/// Along DIRECTIONS random directions: of each sensor the error relative to its largest derivative or value,
/// or floor. False: something switches there.
static inline bool checkSensorsAt(const snModel* m, snData* base, Random* r, double h, double floor,
                                  double tolerance)
{
    SensorCase c = {.m = m, .base = base, .d = sn_makeData(m), .nefc = base->nefc};
    const int nv = m->nv, ns = m->nsensordata, nefc = base->nefc;
    double *q = numbers(nv * DIRECTIONS), *v = numbers(nv * DIRECTIONS), *act = numbers(m->na * DIRECTIONS);
    double *u = numbers(m->nu * DIRECTIONS), *a = numbers(nv * DIRECTIONS), *f = numbers(nefc * DIRECTIONS);
    double *want = numbers(ns * DIRECTIONS), *got = numbers(ns * DIRECTIONS),
           *slope = numbers(ns + nv + nefc);
    c.q = numbers(nv), c.v = numbers(nv), c.act = numbers(m->na), c.u = numbers(m->nu);
    for (int j = 0; j < DIRECTIONS; j++) {
        for (int i = 0; i < nv; i++) c.q[i] = randomReal(r), c.v[i] = randomReal(r);
        for (int i = 0; i < m->na; i++) c.act[i] = randomReal(r);
        for (int i = 0; i < m->nu; i++) c.u[i] = randomReal(r);
        centralSlope(sampleSensors, &c, h, ns + nv + nefc, slope);
        setColumn(q, j, c.q, nv), setColumn(v, j, c.v, nv), setColumn(act, j, c.act, m->na);
        setColumn(u, j, c.u, m->nu), setColumn(a, j, slope + ns, nv), setColumn(f, j, slope + ns + nv, nefc);
        setColumn(want, j, slope, ns);
    }
    snError error = {0};
    const snDirections along = {DIRECTIONS, q, v, act, u, a, f};
    if (sn_sensorDerivative(m, base, &along, got, &error)) fail_msg("%s", error.message);
    for (int s = 0; s < m->nsensor && !c.switches; s++) {
        const int at = m->sensor_adr[s] * DIRECTIONS, count = m->sensor_dim[s] * DIRECTIONS;
        double size = floor; // rounding of the value is in the difference, too
        for (int k = 0; k < m->sensor_dim[s]; k++)
            size = fmax(size, fabs(base->sensordata[m->sensor_adr[s] + k]));
        const double off = relativeError(got + at, want + at, count, size);
        if (!(off < tolerance)) {
            for (int k = 0; k < count; k++) print_message("  %.12g  %.12g\n", got[at + k], want[at + k]);
            fail_msg("sensor %d '%s' of type %d is off by %g", s, sn_id2name(m, SN_OBJ_SENSOR, s),
                     m->sensor_type[s], off);
        }
    }
    double* all[] = {q, v, act, u, a, f, want, got, slope, c.q, c.v, c.act, c.u};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    sn_deleteData(c.d);
    return !c.switches;
}

/// Velocities, controls, activations and applied forces at random; positions moved by far from qpos0.
static inline void randomise(const snModel* m, snData* d, Random* r, double far, double speed)
{
    sn_resetData(m, d);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = far * randomReal(r);
    sn_integratePos(m, d->qpos, d->qvel, 1);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = speed * randomReal(r);
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = randomReal(r);
    for (int i = 0; i < m->na; i++) d->act[i] = 0.5 + 0.4 * randomReal(r);
    for (int i = 6; i < 6 * m->nbody; i++) d->xfrc_applied[i] = randomReal(r);
    sn_forward(m, d);
}

/// The solver as far as it goes: the differences need forces to rounding.
static inline void converge(snModel* m)
{
    m->opt.tolerance = 0;
    m->opt.iterations = 200;
    m->opt.ls_iterations = 100;
    m->opt.ls_tolerance = 1e-6;
}

#endif
