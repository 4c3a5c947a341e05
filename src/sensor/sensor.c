// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// The loop over sensors of a stage (seed 001, "Sensors"), and what is clipped.
#include <sinew/loop.h>
#include <sinew/sensor.h>
#include <sinew/smooth.h>
#include <math.h>
#include <string.h>
#ifndef SN_LANES
#include "model/history.h"
#include "model/plugin_call.h"
#include "sdf/sdf.h"
#endif
#include "model/made.h"
#include "model/sensor_kind.h"
#include "sensor/asleep.h"
#include "sensor/value.h"

typedef void (*Value)(const snModel* m, snData* d, int sensor, real* out);

void sn_clipSensor(const snModel* m, int sensor, real* out)
{
    const real cutoff = m->sensor_cutoff[sensor];
    const snMask unbounded = cutoff <= 0;
    if (sn_all(unbounded)) return;
    const int type = m->sensor_datatype[sensor];
    if (!sn_clipsSensor(m, sensor)) return;
    for (int k = 0; k < m->sensor_dim[sensor]; k++) {
        const real high = sn_select(out[k] > cutoff, cutoff, out[k]);
        const real x = type == SN_DATATYPE_REAL ? sn_select(high < -cutoff, -cutoff, high) : high;
        out[k] = sn_select(unbounded, out[k], x);
    }
}

#ifdef SN_LANES // in lanes nothing sleeps, and sensors have no history
#define measuresAlways(m, d) true
#define isMeasured(m, d, s, stage) true
#define show(m, d, s, measured, out) ((void)0)
#else

// Whether nothing sleeps and no sensor has a history.
static inline bool measuresAlways(const snModel* m, const snData* d)
{
    return !d->nasleep && !m->nhistory;
}

// Those of sleepers keep what they have, but for histories; a sleeper has no forces any longer.
static bool isMeasured(const snModel* m, const snData* d, int s, int stage)
{
    const bool remembers = m->sensor_historyadr[s] >= 0;
    if (d->nasleep && (!remembers || stage == SN_STAGE_ACC) && sn_sensorSleeps(m, d, s)) return false;
    return !remembers || sn_isSensorDue(m, d, s);
}

static void show(const snModel* m, snData* d, int s, bool measured, double* out)
{
    if (m->sensor_historyadr[s] >= 0) sn_showSensor(m, d, s, measured, out);
}

#endif

// Whether a sensor is measured by what is the user's own.
static inline bool isOthers(int type)
{
    return type == SN_SENS_USER || type == SN_SENS_PLUGIN;
}

static inline __attribute__((always_inline)) void compute(const snModel* m, snData* d, int stage, Value value)
{
    const bool always = measuresAlways(m, d);
    for (int s = 0; s < m->nsensor; s++) {
        if (m->sensor_needstage[s] != stage || isOthers(m->sensor_type[s])) continue;
        real* out = d->sensordata + m->sensor_adr[s];
        const bool measured = always || isMeasured(m, d, s, stage);
        if (measured) {
            value(m, d, s, out);
            sn_clipSensor(m, s, out);
        }
        if (!always) show(m, d, s, measured, out);
    }
}

// ---- sensors of the user, which lanes have not

#ifdef SN_LANES
#define sn_tactileSensors(m, d, stage) ((void)0)
#define computeUser(m, d, stage) ((void)0)
#define computeLoops(m, d) ((void)0)
#define computePlugins(m, d, stage) ((void)0)
#else

// Sensors of plugins at a stage. They are measured even where all sleeps; one with a history shows what it
// keeps.
static void computePlugins(const snModel* m, snData* d, int stage)
{
    sn_pluginSensors(m, d, stage);
    for (int s = 0; s < m->nsensor; s++) {
        if (m->sensor_type[s] != SN_SENS_PLUGIN || m->sensor_needstage[s] != stage) continue;
        double* out = d->sensordata + m->sensor_adr[s];
        sn_clipSensor(m, s, out);
        if (m->sensor_historyadr[s] >= 0) sn_showSensor(m, d, s, sn_isSensorDue(m, d, s), out);
    }
}

// Sensors of the user at a stage, by the callback.
static void computeUser(const snModel* m, snData* d, int stage)
{
    int s = 0;
    while (s < m->nsensor && (m->sensor_type[s] != SN_SENS_USER || m->sensor_needstage[s] != stage)) s++;
    if (s == m->nsensor) return;
    if (d->callback.sensor) d->callback.sensor(m, d, stage, d->callback.user);
    for (; s < m->nsensor; s++)
        if (m->sensor_type[s] == SN_SENS_USER && m->sensor_needstage[s] == stage)
            sn_clipSensor(m, s, d->sensordata + m->sensor_adr[s]);
}

// Sensors of the user that show forces of loops.
static void computeLoops(const snModel* m, snData* d)
{
    for (int s = 0; s < m->nsensor; s++) {
        if (m->sensor_loopid[s] < 0) continue;
        const int dim = m->sensor_dim[s];
        real force[6] = {0};
        for (int l = 0; l < d->nclosure; l++) {
            if (d->closure_id[l] != m->sensor_loopid[s]) continue;
            if (dim == 1)
                force[0] = d->loop_force[d->closure_rowadr[l]];
            else
                sn_loopForceOf(m, d, l, force);
        }
        memcpy(d->sensordata + m->sensor_adr[s], force + (dim == 3 ? 3 : 0), (size_t)dim * sizeof(real));
    }
}

#endif

// ----

// The set of the types of sensors that the model has.
static unsigned long long types(const snModel* m)
{
    unsigned long long set = 0;
    for (int s = 0; s < m->nsensor; s++) set |= 1ULL << m->sensor_type[s];
    return set;
}

// Sensors that are off write nothing; those with a history are measured all the same, into sensor_sample.
static void run(const snModel* m, snData* d, void (*stage)(const snModel* m, snData* d))
{
    const bool shows = !(m->opt.disableflags & SN_DSBL_SENSOR);
#ifdef SN_LANES
    if (shows) stage(m, d);
#else
    if (!shows && !sn_keepsSensors(m)) return;
    double* shown = d->sensordata;
    if (!shows) d->sensordata = d->sensor_sample;
    if (m->nplugin) sn_takeSdfFault(); // one of before is none of this data
    stage(m, d);
    if (m->nplugin) sn_warnSdfFault(d); // distances to shapes, and depths in them
    d->sensordata = shown;
#endif
}

static void position(const snModel* m, snData* d)
{
    const unsigned long long has = types(m);
    if (has & sn_sensorsThatNeed(SN_NEEDS_POTENTIAL)) sn_energyPos(m, d);
    if (has & sn_sensorsThatNeed(SN_NEEDS_KINETIC)) sn_energyVel(m, d);
#ifdef SN_LANES
    if (has & sn_sensorsInLanes(SN_INLANES_SCALAR)) sn_shapeSensors(m, d);
#endif
    compute(m, d, SN_STAGE_POS, sn_sensorPosValue);
    if (has & sn_sensorsThatNeed(SN_NEEDS_CALLBACK)) computeUser(m, d, SN_STAGE_POS);
    if (has & sn_sensorsThatNeed(SN_NEEDS_PLUGIN)) computePlugins(m, d, SN_STAGE_POS);
}

static void velocity(const snModel* m, snData* d)
{
    const unsigned long long has = types(m);
    if (has & sn_sensorsThatNeed(SN_NEEDS_SUBTREES)) sn_subtreeVel(m, d);
    if (has & sn_sensorsThatNeed(SN_NEEDS_TAXELS)) sn_tactileSensors(m, d, SN_STAGE_VEL);
    compute(m, d, SN_STAGE_VEL, sn_sensorVelValue);
    if (has & sn_sensorsThatNeed(SN_NEEDS_CALLBACK)) computeUser(m, d, SN_STAGE_VEL);
    if (has & sn_sensorsThatNeed(SN_NEEDS_PLUGIN)) computePlugins(m, d, SN_STAGE_VEL);
}

static void acceleration(const snModel* m, snData* d)
{
    const unsigned long long has = types(m);
    if (has & sn_sensorsThatNeed(SN_NEEDS_BODYFORCES)) sn_rnePostConstraint(m, d);
    if (has & sn_sensorsThatNeed(SN_NEEDS_TOUCHES)) sn_touchSensors(m, d);
    if (has & sn_sensorsThatNeed(SN_NEEDS_TAXELS)) sn_tactileSensors(m, d, SN_STAGE_ACC);
    compute(m, d, SN_STAGE_ACC, sn_sensorAccValue);
    if (has & sn_sensorsThatNeed(SN_NEEDS_CALLBACK)) {
        computeLoops(m, d);
        computeUser(m, d, SN_STAGE_ACC);
    }
    if (has & sn_sensorsThatNeed(SN_NEEDS_PLUGIN)) computePlugins(m, d, SN_STAGE_ACC);
}

void sn_sensorPos(const snModel* m, snData* d)
{
    sn_assertMade(m, d, xquat, xmat, site_xpos, site_xmat, geom_xpos, subtree_com, ten_length,
                  actuator_length, efc_pos);
    run(m, d, position);
}

void sn_sensorVel(const snModel* m, snData* d)
{
    sn_assertMade(m, d, cvel, ten_velocity, actuator_velocity, efc_vel);
    run(m, d, velocity);
}

void sn_sensorAcc(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qacc, cvel, actuator_force, qfrc_actuator, efc_force, contact);
    run(m, d, acceleration);
}
