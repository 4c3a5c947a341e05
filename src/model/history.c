// Rings of samples, and what is read between them (sinew/history.h).
#include "model/history.h"
#include <math.h>
#include <string.h>
#include "base/error.h"

// A buffer. Samples go by age: 0 is the oldest, n - 1 the newest.
typedef struct Ring {
    double *own, *place; // the number of its own, the place of the newest
    double *times, *values;
    int n, dim, newest;
} Ring;

// Whatever stands at the place, which may come from a state of the user's.
static Ring ringAt(const snData* d, int address, int n, int dim)
{
    double* at = d->history + address;
    const int newest = at[1] >= 0 && at[1] < n ? (int)at[1] : n - 1;
    return (Ring){at, at + 1, at + 2, at + 2 + n, n, dim, newest};
}

static Ring ringOfActuator(const snModel* m, const snData* d, int i)
{
    return ringAt(d, m->actuator_historyadr[i], m->actuator_history[2 * i], sn_controlsKept(m, i));
}

static Ring ringOfSensor(const snModel* m, const snData* d, int s)
{
    return ringAt(d, m->sensor_historyadr[s], m->sensor_history[2 * s], m->sensor_dim[s]);
}

static int placeOf(const Ring* r, int age)
{
    const int place = r->newest + 1 + age; // at most 2 n
    return place < r->n ? place : place - r->n;
}

static double timeOf(const Ring* r, int age)
{
    return r->times[placeOf(r, age)];
}

static const double* valueOf(const Ring* r, int age)
{
    return r->values + (size_t)placeOf(r, age) * (size_t)r->dim;
}

// ---- between samples

static bool isLastUpTo(const Ring* r, int age, double t)
{
    return timeOf(r, age) <= t && (age == r->n - 1 || timeOf(r, age + 1) > t);
}

// Age of the last sample that is not after t; -1: all are. Mostly samples are evenly spaced, which tells
// where it is without a search.
static int lastUpTo(const Ring* r, double t)
{
    int low = -1, high = r->n;
    const double begin = timeOf(r, 0),
                 guess = (t - begin) / (timeOf(r, r->n - 1) - begin) * (r->n - 1) + 1e-6;
    if (guess >= 0 && guess < r->n && isLastUpTo(r, (int)guess, t)) return (int)guess;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (timeOf(r, middle) <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Slope at a sample of number k: of the line between its neighbours, 0 at the ends.
static double slopeAt(const Ring* r, int age, int k)
{
    if (age == 0 || age == r->n - 1) return 0;
    return (valueOf(r, age + 1)[k] - valueOf(r, age - 1)[k]) / (timeOf(r, age + 1) - timeOf(r, age - 1));
}

// Hermite's cubic from a sample to the next, u of the way between them.
static double cubic(const Ring* r, int age, int k, double length, double u)
{
    const double p = valueOf(r, age)[k], q = valueOf(r, age + 1)[k];
    const double rise = length * slopeAt(r, age, k), end = length * slopeAt(r, age + 1, k);
    const double u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * p + (u3 - 2 * u2 + u) * rise + (3 * u2 - 2 * u3) * q + (u3 - u2) * end;
}

// Where a time lies: at a sample, or part u of the way to the next one.
typedef struct Spot {
    int age;
    double length, u; // length 0: at the sample
} Spot;

static Spot spotOf(const Ring* r, double t, int interp, double slack)
{
    const bool held = interp == SN_INTERP_ZOH;
    const int age = lastUpTo(r, held ? t + slack : t);
    if (age < 0 || age == r->n - 1 || held) return (Spot){.age = age < 0 ? 0 : age};
    const double begin = timeOf(r, age), length = timeOf(r, age + 1) - begin;
    return (Spot){age, length, (t - begin) / length};
}

static double numberAt(const Ring* r, Spot spot, int interp, int k)
{
    const double p = valueOf(r, spot.age)[k];
    if (spot.length == 0) return p;
    if (interp != SN_INTERP_LINEAR) return cubic(r, spot.age, k, spot.length, spot.u);
    return (1 - spot.u) * p + spot.u * valueOf(r, spot.age + 1)[k];
}

static void readRing(const Ring* r, double t, int interp, double slack, double* out)
{
    const Spot spot = spotOf(r, t, interp, slack);
    for (int k = 0; k < r->dim; k++) out[k] = numberAt(r, spot, interp, k);
}

static double slackOf(const snModel* m)
{
    return 1e-6 * m->opt.timestep;
}

void sn_readCtrl(const snModel* m, const snData* d, int actuator, double time, int interp, double* out)
{
    const int adr = m->actuator_historyadr[actuator];
    if (adr < 0) {
        memcpy(out, d->ctrl + m->actuator_ctrladr[actuator],
               (size_t)sn_controlsKept(m, actuator) * sizeof *out);
        return;
    }
    const Ring r = ringOfActuator(m, d, actuator);
    readRing(&r, time - m->actuator_delay[actuator],
             interp < 0 ? m->actuator_history[2 * actuator + 1] : interp, slackOf(m), out);
}

void sn_readSensor(const snModel* m, const snData* d, int sensor, double time, int interp, double* out)
{
    if (m->sensor_historyadr[sensor] < 0) {
        memcpy(out, d->sensordata + m->sensor_adr[sensor], (size_t)m->sensor_dim[sensor] * sizeof *out);
        return;
    }
    const Ring r = ringOfSensor(m, d, sensor);
    readRing(&r, time - m->sensor_delay[sensor], interp < 0 ? m->sensor_history[2 * sensor + 1] : interp,
             slackOf(m), out);
}

// Controls stand in the order of actuators.
static int actuatorOf(const snModel* m, int control)
{
    int low = 0, high = m->nactuator;
    if (control < high && m->actuator_ctrladr[control] == control && m->actuator_ctrlnum[control] > 0)
        return control;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (m->actuator_ctrladr[middle] <= control)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double sn_lateControl(const snModel* m, const snData* d, int k)
{
    const int i = actuatorOf(m, k);
    if (i < 0 || !sn_isActuatorLate(m, i)) return d->ctrl[k];
    const Ring r = ringOfActuator(m, d, i);
    const int interp = m->actuator_history[2 * i + 1];
    const Spot spot = spotOf(&r, d->time - m->actuator_delay[i], interp, slackOf(m));
    return numberAt(&r, spot, interp, k - m->actuator_ctrladr[i]);
}

int sn_firstLateActuator(const snModel* m)
{
    for (int i = 0; i < m->nactuator && m->nhistory; i++)
        if (sn_isActuatorLate(m, i)) return i;
    return -1;
}

// ---- sensors

int sn_firstLateSensor(const snModel* m)
{
    for (int s = 0; s < m->nsensor && m->nhistory; s++)
        if (sn_isSensorLate(m, s)) return s;
    return -1;
}

bool sn_keepsSensors(const snModel* m)
{
    for (int s = 0; s < m->nsensor && m->nhistory; s++)
        if (m->sensor_historyadr[s] >= 0) return true;
    return false;
}

bool sn_isSensorDue(const snModel* m, const snData* d, int sensor)
{
    const double period = m->sensor_interval[2 * sensor];
    return !(period > 0) || d->time >= d->history[m->sensor_historyadr[sensor]] + period;
}

void sn_showSensor(const snModel* m, snData* d, int sensor, bool due, double* out)
{
    double* sample = d->sensor_sample + m->sensor_adr[sensor];
    if (out == sample) return; // sensors are off
    const Ring r = ringOfSensor(m, d, sensor);
    memcpy(sample, due ? out : valueOf(&r, r.n - 1), (size_t)r.dim * sizeof *out);
    if (!due || m->sensor_delay[sensor] > 0) sn_readSensor(m, d, sensor, d->time, -1, out);
}

// ---- the start

// The time of a sample so many periods before the start: when a step was due next, which ends at multiples.
static double roundedUp(double time, double step)
{
    return step > 0 ? ceil(time / step - 1e-9) * step : time;
}

static void resetRing(Ring r, double newest, double spacing, double step)
{
    *r.place = r.n - 1;
    for (int k = 0; k < r.n; k++) r.times[k] = roundedUp(newest - (r.n - 1 - k) * spacing, step);
    memset(r.values, 0, (size_t)r.n * (size_t)r.dim * sizeof *r.values);
}

static void resetSensor(const snModel* m, const snData* d, int s)
{
    const double h = m->opt.timestep, period = m->sensor_interval[2 * s],
                 phase = m->sensor_interval[2 * s + 1];
    const double spacing = period > h ? period : h;
    const bool phased = period > 0 && phase != 0;
    const Ring r = ringOfSensor(m, d, s);
    resetRing(r, phased ? phase : -spacing, spacing, h);
    *r.own = phased ? phase : period > 0 ? -period : -h;
}

void sn_resetHistory(const snModel* m, snData* d)
{
    if (!m->nhistory) return;
    const double h = m->opt.timestep;
    for (int i = 0; i < m->nactuator; i++) {
        if (m->actuator_historyadr[i] < 0) continue;
        const Ring r = ringOfActuator(m, d, i);
        *r.own = 0;
        resetRing(r, -h, h, h);
    }
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_historyadr[s] >= 0) resetSensor(m, d, s);
}

// ---- samples

static void keep(Ring r, double time, const double* value)
{
    const int place = r.newest + 1 < r.n ? r.newest + 1 : 0;
    *r.place = place;
    r.times[place] = time;
    memcpy(r.values + (size_t)place * (size_t)r.dim, value, (size_t)r.dim * sizeof *value);
}

void sn_keepHistory(const snModel* m, snData* d)
{
    if (!m->nhistory) return;
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_historyadr[i] >= 0)
            keep(ringOfActuator(m, d, i), d->time, d->ctrl + m->actuator_ctrladr[i]);
    for (int s = 0; s < m->nsensor; s++) {
        if (m->sensor_historyadr[s] < 0 || !sn_isSensorDue(m, d, s)) continue;
        const Ring r = ringOfSensor(m, d, s);
        keep(r, d->time, d->sensor_sample + m->sensor_adr[s]);
        const double period = m->sensor_interval[2 * s];
        if (period > 0) *r.own += period;
    }
}

// ---- from the user

static snStatus checkTimes(const char* function, const double* times, int n, snError* error)
{
    for (int k = 0; k < n; k++)
        if (!isfinite(times[k]) || (k && !(times[k - 1] < times[k])))
            return sn_fail(error, SN_STATUS_ARGUMENT,
                           "%s: times must be finite and increase, times[%d] is %g", function, k, times[k]);
    return SN_STATUS_OK;
}

static snStatus fill(const char* function, Ring r, const double* times, const double* values, snError* error)
{
    snStatus status = times ? checkTimes(function, times, r.n, error) : SN_STATUS_OK;
    if (status) return status;
    if (times) {
        *r.place = r.newest = r.n - 1;
        memcpy(r.times, times, (size_t)r.n * sizeof *times);
    }
    for (int age = 0; age < r.n; age++)
        memcpy((double*)valueOf(&r, age), values + (size_t)age * (size_t)r.dim,
               (size_t)r.dim * sizeof *values);
    return SN_STATUS_OK;
}

static snStatus none(const char* function, const char* kind, int id, int count, snError* error)
{
    if (id < 0 || id >= count)
        return sn_fail(error, SN_STATUS_ARGUMENT, "%s: no %s %d, the model has %d", function, kind, id,
                       count);
    return sn_fail(error, SN_STATUS_ARGUMENT, "%s: %s %d has no history: give it nsample", function, kind,
                   id);
}

snStatus sn_initCtrlHistory(const snModel* m, snData* d, int actuator, const double* times,
                            const double* values, snError* error)
{
    static const char function[] = "initCtrlHistory";
    if (actuator < 0 || actuator >= m->nactuator || m->actuator_historyadr[actuator] < 0)
        return none(function, "actuator", actuator, m->nactuator, error);
    return fill(function, ringOfActuator(m, d, actuator), times, values, error);
}

snStatus sn_initSensorHistory(const snModel* m, snData* d, int sensor, const double* times,
                              const double* values, double phase, snError* error)
{
    static const char function[] = "initSensorHistory";
    if (sensor < 0 || sensor >= m->nsensor || m->sensor_historyadr[sensor] < 0)
        return none(function, "sensor", sensor, m->nsensor, error);
    if (!isfinite(phase))
        return sn_fail(error, SN_STATUS_ARGUMENT, "%s: phase is %g, must be finite", function, phase);
    const Ring r = ringOfSensor(m, d, sensor);
    const snStatus status = fill(function, r, times, values, error);
    if (!status) *r.own = phase;
    return status;
}
