#include "derivative/step/sensors.h"
#include <math.h>
#include <string.h>
#include "derivative/constraint/constraint.h"
#include "derivative/sensor/sensor.h"
#include "derivative/step/acceleration.h"
#include "math/vec.h"
#include "model/arena.h"
#include "model/sensor_kind.h"

// The n directions of rows that stand `stride` apart, side by side.
static const double* dense(snData* d, const double* x, int rows, int stride, int n)
{
    if (n == stride) return x;
    double* to = sn_scratchAlloc(d, (size_t)rows * (size_t)n * sizeof *to);
    for (int i = 0; i < rows && to; i++)
        memcpy(to + (ptrdiff_t)i * n, x + (ptrdiff_t)i * stride, (size_t)n * sizeof *to);
    return to;
}

// The change of efc_force, then of the sensors, along directions that have all but `f`.
static snStatus withForces(const snModel* m, snData* d, snDirections* along, double* sensor, snError* error)
{
    double* f = sn_scratchAlloc(d, (size_t)d->nefc * (size_t)along->n * sizeof *f);
    if (!f) return sn_noRoom(d, error);
    along->f = f;
    const snStatus status =
        d->nefc ? sn_constraintForces(m, d, d->qacc, along->n, along->q, along->v, along->a, f, error)
                : SN_STATUS_OK;
    return status ? status : sn_sensorDerivative(m, d, along, sensor, error);
}

// ---- applied forces act on the force and torque sensors of all bodies that carry them

static bool isBelow(const snModel* m, int b, int ancestor)
{
    while (b > ancestor) b = m->body_parentid[b];
    return b == ancestor;
}

static bool feelsApplied(const snModel* m, const snData* d, int s)
{
    const double cutoff = m->sensor_cutoff[s];
    if (sn_sensorKind(m->sensor_type[s])->on != SN_ON_LINK) return false;
    for (int k = 0; k < 3 && cutoff > 0; k++)
        if (fabs(d->sensordata[m->sensor_adr[s] + k]) >= cutoff) return false;
    return true;
}

static snVec3 armOf(const snModel* m, const snData* d, int s, int b)
{
    return sn_v3Sub(sn_v3Load(d->xipos + 3 * b), sn_v3Load(d->site_xpos + 3 * m->sensor_objid[s]));
}

// What sensor s measures of the force and torque at body b, with the sign of their change.
static snVec3 measured(const snModel* m, const snData* d, int s, int b, const double* xfrc)
{
    const snVec3 force = sn_v3Load(xfrc), torque = sn_v3Load(xfrc + 3);
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * m->sensor_objid[s]);
    const snVec3 moment = sn_v3Add(torque, sn_v3Cross(armOf(m, d, s, b), force));
    return sn_v3Neg(sn_m3TMul(R, m->sensor_type[s] == SN_SENS_TORQUE ? moment : force));
}

static void addMeasured(const snModel* m, const snData* d, const double* xfrc, double* sensor, int n)
{
    for (int s = 0; s < m->nsensor; s++)
        for (int b = 1; b < m->nbody && feelsApplied(m, d, s); b++) {
            if (!isBelow(m, b, m->site_bodyid[m->sensor_objid[s]])) continue;
            double change[3];
            sn_v3Store(change, measured(m, d, s, b, xfrc + 6 * b));
            for (int k = 0; k < 3; k++) sensor[(ptrdiff_t)(m->sensor_adr[s] + k) * n] += change[k];
        }
}

static void adjointMeasured(const snModel* m, const snData* d, const double* sensor, double* xfrc)
{
    for (int s = 0; s < m->nsensor; s++)
        for (int b = 1; b < m->nbody && feelsApplied(m, d, s); b++) {
            if (!isBelow(m, b, m->site_bodyid[m->sensor_objid[s]])) continue;
            const snMat3 R = sn_m3Load(d->site_xmat + 9 * m->sensor_objid[s]);
            const snVec3 g = sn_m3Mul(R, sn_v3Load(sensor + m->sensor_adr[s]));
            const bool turns = m->sensor_type[s] == SN_SENS_TORQUE;
            const snVec3 force = turns ? sn_v3Cross(g, armOf(m, d, s, b)) : g;
            double* to = xfrc + 6 * b;
            sn_v3Store(to, sn_v3Sub(sn_v3Load(to), force));
            if (turns) sn_v3Store(to + 3, sn_v3Sub(sn_v3Load(to + 3), g));
        }
}

// ---- along, and back

static bool hasSensors(const snModel* m)
{
    return m->nsensordata && !(m->opt.disableflags & SN_DSBL_SENSOR);
}

snStatus sn_sensorsAlong(const snModel* m, snData* d, const snStepDirections* along, const double* da,
                         double* sensor, snError* error)
{
    const int nv = m->nv, n = along->n, stride = along->stride;
    if (!hasSensors(m)) {
        memset(sensor, 0, (size_t)m->nsensordata * (size_t)n * sizeof *sensor);
        return SN_STATUS_OK;
    }
    const size_t mark = sn_scratchMark(d);
    const double* x = dense(d, along->x, sn_stepInputs(m), stride, n);
    snDirections all = {.n = n, .q = x, .a = dense(d, da, nv, stride, n)};
    snStatus status = x && all.a ? SN_STATUS_OK : sn_noRoom(d, error);
    if (!status) {
        all.v = x + (ptrdiff_t)nv * n;
        all.act = x + (ptrdiff_t)2 * nv * n;
        all.u = x + (ptrdiff_t)sn_stateTangents(m) * n;
        status = withForces(m, d, &all, sensor, error);
    }
    if (!status && along->xfrc) addMeasured(m, d, along->xfrc, sensor, n);
    sn_scratchRelease(d, mark);
    return status;
}

// Directions of q, v, act, u and qacc, one at a time: the unit matrix.
static snStatus partials(const snModel* m, snData* d, double* sensor, snError* error)
{
    const int nv = m->nv, inputs = sn_stepInputs(m), n = inputs + nv;
    double* x = sn_scratchMatrix(d, n, n);
    if (!x) return sn_noRoom(d, error);
    for (int i = 0; i < n; i++) x[(ptrdiff_t)i * (n + 1)] = 1;
    snDirections all = {.n = n,
                        .q = x,
                        .v = x + (ptrdiff_t)nv * n,
                        .act = x + (ptrdiff_t)2 * nv * n,
                        .u = x + (ptrdiff_t)sn_stateTangents(m) * n,
                        .a = x + (ptrdiff_t)inputs * n};
    return withForces(m, d, &all, sensor, error);
}

snStatus sn_sensorsAdjoint(const snModel* m, snData* d, const double* sensor, double* x, double* a,
                           double* xfrc, snError* error)
{
    if (!hasSensors(m)) return SN_STATUS_OK;
    const int inputs = sn_stepInputs(m), n = inputs + m->nv;
    const size_t mark = sn_scratchMark(d);
    double* S = sn_scratchMatrix(d, m->nsensordata, n);
    const snStatus status = S ? partials(m, d, S, error) : sn_noRoom(d, error);
    for (int s = 0; s < m->nsensordata && !status; s++, S += n) {
        for (int i = 0; i < inputs; i++) x[i] += S[i] * sensor[s];
        for (int i = 0; i < m->nv; i++) a[i] += S[inputs + i] * sensor[s];
    }
    if (!status && xfrc) adjointMeasured(m, d, sensor, xfrc);
    sn_scratchRelease(d, mark);
    return status;
}
