// What stages do with histories (sinew/history.h).
#ifndef SINEW_MODEL_HISTORY_H
#define SINEW_MODEL_HISTORY_H

#include <sinew/history.h>

/// Most samples of a buffer, and most numbers of all.
enum { SN_MOST_SAMPLES = 1 << 24, SN_MOST_HISTORY = 1 << 28 };

/// Numbers of a buffer of n samples of dim numbers; 0 without samples.
static inline long long sn_historySize(long long n, long long dim)
{
    return n > 0 ? 2 + n * (1 + dim) : 0;
}

/// Controls that an actuator keeps in a sample.
static inline int sn_controlsKept(const snModel* m, int actuator)
{
    return m->actuator_ctrlnum[actuator];
}

/// Whether the control of an actuator acts late.
static inline bool sn_isActuatorLate(const snModel* m, int actuator)
{
    return m->nhistory && m->actuator_historyadr[actuator] >= 0 && m->actuator_delay[actuator] > 0;
}

/// Whether a sensor shows another output than that of now at times.
static inline bool sn_isSensorLate(const snModel* m, int sensor)
{
    return m->sensor_historyadr[sensor] >= 0 &&
           (m->sensor_delay[sensor] > 0 || m->sensor_interval[2 * sensor] > 0);
}

/// Control number k as it acts at d->time, not clamped, of a model with histories.
double sn_lateControl(const snModel* m, const snData* d, int k);

/// The same of any model.
static inline double sn_actingControl(const snModel* m, const snData* d, int k)
{
    return m->nhistory ? sn_lateControl(m, d, k) : d->ctrl[k];
}

/// The first actuator, the first sensor that is late; -1: none.
int sn_firstLateActuator(const snModel* m);
int sn_firstLateSensor(const snModel* m);

/// Whether any sensor has a history.
bool sn_keepsSensors(const snModel* m);

/// Whether a sensor with a history is measured at d->time.
bool sn_isSensorDue(const snModel* m, const snData* d, int sensor);

/// What a sensor shows at d->time that has just been measured, or was not due: out [sensor_dim] has the
/// measured output, which goes to sensor_sample; where none is, the newest sample does.
void sn_showSensor(const snModel* m, snData* d, int sensor, bool due, double* out);

/// Every buffer as at the start: values 0, at times before it.
void sn_resetHistory(const snModel* m, snData* d);

/// Keeps controls and sensor_sample at d->time.
void sn_keepHistory(const snModel* m, snData* d);

#endif
