// Histories: past controls of an actuator or outputs of a sensor, each with the time at which it was current,
// and delays and intervals, which read them.
//
// Each buffer lies in d->history [nhistory] at actuator_historyadr or sensor_historyadr: a number of its own,
// the place of the newest sample, the times of n samples, then their values, n rows of as many numbers as the
// actuator has controls or the sensor outputs. Samples are a ring: behind the newest stands the oldest. The
// number of its own is, of a sensor with an interval, when it was last due; else it means nothing.
//
// A step keeps, before it moves on, the control as it is given (not clamped) and the outputs as they were
// measured, at the time at which it begins. Where actuator_delay is above 0 the control that acts at time t
// is that of t - delay (then clamped), so that what was given less than a step ago does not act yet; where
// sensor_delay is, sensordata has the output of t - delay. A sensor with an interval is measured where
// t >= last + period, after which last grows by a period; between, sensordata has what was measured last.
// Before the oldest sample the oldest counts, after the newest the newest.
//
// A sample counts from a millionth of a step before its time, so that a delay of k steps is k steps whatever
// rounding does to the sum that time is.
#ifndef SINEW_HISTORY_H
#define SINEW_HISTORY_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The control of an actuator as it acts at a time, its delay included and unclamped: out [its controls].
/// interp: snInterpolation; -1: that of the model. Without a history ctrl as it stands.
SN_API void sn_readCtrl(const snModel* m, const snData* d, int actuator, double time, int interp,
                        double* out);

/// The output of a sensor as it is shown at a time, its delay included: out [sensor_dim]. interp as above.
/// Without a history sensordata as it stands.
SN_API void sn_readSensor(const snModel* m, const snData* d, int sensor, double time, int interp,
                          double* out);

/// Fills the history of an actuator with samples, oldest first: times [n], strictly increasing (NULL: those
/// that it has), values [n x its controls]. SN_STATUS_ARGUMENT names what is wrong and changes nothing.
SN_API snStatus sn_initCtrlHistory(const snModel* m, snData* d, int actuator, const double* times,
                                   const double* values, snError* error);

/// The same of a sensor: values [n x sensor_dim]. phase: when it was last due.
SN_API snStatus sn_initSensorHistory(const snModel* m, snData* d, int sensor, const double* times,
                                     const double* values, double phase, snError* error);

#ifdef __cplusplus
}
#endif
#endif
