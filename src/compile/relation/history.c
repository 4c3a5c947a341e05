// Histories of actuators and sensors: sizes of their buffers, delays, intervals.
#include "model/history.h"
#include <limits.h>
#include <math.h>
#include "compile/relation/relation.h"

static bool addBuffer(snBuild* b, const snSpecHead* element, int nsample, int dim, int* size)
{
    if (nsample < 0 || nsample > SN_MOST_SAMPLES)
        return sn_buildFail(b, element, SN_STATUS_MODEL, "nsample is %d, must be 0 to %d", nsample,
                            SN_MOST_SAMPLES);
    const long long sum = *size + sn_historySize(nsample, dim);
    if (sum > SN_MOST_HISTORY)
        return sn_buildFail(
            b, element, SN_STATUS_MODEL,
            "nsample is %d: the histories of all actuators and sensors have more than %d numbers", nsample,
            SN_MOST_HISTORY);
    *size = (int)sum;
    return true;
}

bool sn_countHistory(snBuild* b, int* size)
{
    SN_EACH (snSpecActuator, actuator, b->spec->actuators)
        if (!addBuffer(b, &actuator->head, actuator->nsample, sn_actuatorControls(actuator), size))
            return false;
    SN_EACH (snSpecSensor, sensor, b->spec->sensors)
        if (!addBuffer(b, &sensor->head, sensor->nsample, sn_sensorDim(b, sensor), size)) return false;
    return true;
}

// Samples that reach back as far as a delay, each `spacing` after the one before.
static int samplesFor(double delay, double spacing)
{
    const double count = ceil(delay / spacing - 1e-6);
    return count < SN_MOST_SAMPLES ? (int)count : SN_MOST_SAMPLES;
}

static bool checkDelay(snBuild* b, const snSpecHead* element, int nsample, double delay, double period)
{
    const double step = b->spec->option.timestep, spacing = period > step ? period : step;
    if (!(delay >= 0) || isinf(delay))
        return sn_buildFail(b, element, SN_STATUS_MODEL, "delay is %g, must be a number of seconds from 0 on",
                            delay);
    if ((nsample > 0 || delay > 0) && !(step > 0))
        return sn_buildFail(b, element, SN_STATUS_MODEL, "has a history: timestep is %g, must be positive",
                            step);
    if (delay == 0 || samplesFor(delay, spacing) <= nsample) return true;
    if (nsample == 0)
        return sn_buildFail(b, element, SN_STATUS_MODEL,
                            "delay is %g, but nsample is 0, so that nothing is kept: give nsample=\"%d\"",
                            delay, samplesFor(delay, spacing));
    return sn_buildWarn(
        b, element,
        "delay is %g, but nsample=\"%d\" keeps no more than %g seconds, after which the oldest "
        "acts: give nsample=\"%d\"",
        delay, nsample, nsample * spacing, samplesFor(delay, spacing));
}

static bool checkInterval(snBuild* b, const snSpecSensor* sensor)
{
    const double period = sensor->interval[0], phase = sensor->interval[1];
    if (!(period >= 0) || isinf(period))
        return sn_buildFail(b, &sensor->head, SN_STATUS_MODEL,
                            "interval is %g, must be a number of seconds from 0 on", period);
    if (!(phase <= 0) || (period > 0 && !(phase > -period)))
        return sn_buildFail(
            b, &sensor->head, SN_STATUS_MODEL,
            "interval=\"%g %g\": the second is when it was last measured before the start, it "
            "must be above %g and not above 0",
            period, phase, -period);
    if (period > 0 ? sensor->nsample > 0 : phase == 0) return true;
    return sn_buildWarn(b, &sensor->head,
                        period > 0 ? "interval has no effect without a history: give nsample"
                                   : "interval=\"0 %g\": without a period its phase has no effect",
                        phase);
}

// Where a buffer begins; -1: there is none.
static int place(int nsample, int dim, int* address)
{
    const int at = *address;
    *address += (int)sn_historySize(nsample, dim);
    return nsample > 0 ? at : -1;
}

bool sn_buildActuatorHistory(snBuild* b, const snSpecActuator* actuator, int id, int* address)
{
    snModel* m = b->m;
    m->actuator_history[2 * id] = actuator->nsample;
    m->actuator_history[2 * id + 1] = actuator->interp;
    m->actuator_historyadr[id] = place(actuator->nsample, sn_controlsKept(m, id), address);
    m->actuator_delay[id] = actuator->delay;
    if (m->actuator_ctrlnum[id] == 0 && (actuator->nsample > 0 || actuator->delay > 0))
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                            "it has no control that could be kept: leave nsample and delay out");
    return checkDelay(b, &actuator->head, actuator->nsample, actuator->delay, 0);
}

bool sn_buildSensorHistory(snBuild* b, const snSpecSensor* sensor, int id, int* address)
{
    snModel* m = b->m;
    m->sensor_history[2 * id] = sensor->nsample;
    m->sensor_history[2 * id + 1] = sensor->interp;
    m->sensor_historyadr[id] = place(sensor->nsample, m->sensor_dim[id], address);
    m->sensor_delay[id] = sensor->delay;
    memcpy(m->sensor_interval + 2 * id, sensor->interval, sizeof sensor->interval);
    return checkInterval(b, sensor) &&
           checkDelay(b, &sensor->head, sensor->nsample, sensor->delay, sensor->interval[0]);
}
