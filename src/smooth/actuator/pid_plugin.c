// The plugin mujoco.pid: a PID controller of the length of its actuator. Source: seed 001, "Plugins".
//
// u is the control, within ctrlrange, or the last activation where dyntype has one; with slewmax no further
// from where it stood a step before than it may go in a step. The force is kp e + ki I + kd (u' - v): e = u -
// length, I is the integral of e at the end of the step, within imax / ki, v the velocity, and u' the rate of
// the activation, 0 without. The actuator's first numbers of activation are I, if there is ki, and where u
// stood, if there is slewmax.
#include <math.h>
#include "base/error.h"
#include "model/plugin/builtin.h"
#include "model/plugin/config.h"
#include "smooth/actuator/activation.h"

enum { KP, KI, KD, IMAX, SLEWMAX, NNUMBER };

static const char* const keys[NNUMBER] = {"kp", "ki", "kd", "imax", "slewmax"};
static const double NONE = -1; // of what may not be negative

static bool parse(const char* const* values, double* numbers, void* user, snError* error)
{
    (void)user;
    numbers[IMAX] = numbers[SLEWMAX] = NONE;
    for (int k = 0; k < NNUMBER; k++)
        if (!sn_configReals(keys[k], values[k], numbers + k, 1, error)) return false;
    for (int k = IMAX; k <= SLEWMAX; k++)
        if (values[k] && numbers[k] < 0)
            return sn_fail(error, SN_STATUS_MODEL, "%s=\"%.80s\": must not be negative", keys[k], values[k]),
                   false;
    return true;
}

static int ownActivations(const double* numbers)
{
    return (numbers[KI] != 0) + (numbers[SLEWMAX] >= 0);
}

static bool init(const snModel* m, snData* d, int instance, void* user, snError* error)
{
    (void)d, (void)user;
    const int own = ownActivations(sn_pluginNumbers(m, instance));
    for (int i = 0; i < m->nactuator; i++) {
        if (m->actuator_plugin[i] != instance || sn_pluginActivations(m, i) == own) continue;
        const int dim = own + m->actuator_actnum[i] - sn_pluginActivations(m, i);
        sn_fail(
            error, SN_STATUS_MODEL,
            "actuator %d has actdim %d, this configuration needs actdim=\"%d\" (1 each for ki, slewmax and "
            "dyntype)",
            i, m->actuator_actnum[i], dim);
        return false;
    }
    return true;
}

// An actuator and what of it is asked for more than once.
typedef struct Loop {
    int actuator;
    const double* numbers;
    double control, length;
    const double* act; // its activations
    int last;          // number of that of dyntype among all; -1: it has none
} Loop;

// Ranges hold whether or not they are disabled for others.
static double controlOf(const snModel* m, const snData* d, int i)
{
    if (!m->actuator_ctrlnum[i]) return 0;
    const int k = m->actuator_ctrladr[i];
    const double u = sn_controlOf(m, d, k);
    if (!(fabs(u) <= SN_MAXVAL)) return 0; // as for all others, which warn of it
    return m->actuator_ctrllimited[k] ? sn_clampToRange(u, m->actuator_ctrlrange + 2 * k) : u;
}

static Loop loopOf(const snModel* m, const snData* d, int i, const double* numbers)
{
    const int first = m->actuator_actadr[i], count = m->actuator_actnum[i];
    return (Loop){.actuator = i,
                  .numbers = numbers,
                  .control = controlOf(m, d, i),
                  .length = d->actuator_length[m->actuator_outadr[i]],
                  .act = first < 0 ? NULL : d->act + first,
                  .last = count > sn_pluginActivations(m, i) ? first + count - 1 : -1};
}

// u; early: as the activation is at the end of the step.
static double setpoint(const snModel* m, const snData* d, const Loop* l, bool early)
{
    double u = l->control;
    if (l->last >= 0)
        u = early ? sn_nextActivation(m, d, l->actuator, l->last, d->act_dot[l->last]) : d->act[l->last];
    if (l->numbers[SLEWMAX] < 0 || !(d->time > 0))
        return u; // before the first step it has not stood anywhere
    const double from = l->act[l->numbers[KI] != 0], way = l->numbers[SLEWMAX] * m->opt.timestep;
    return sn_clampToRange(u, (const double[]){from - way, from + way});
}

// I at the end of the step.
static double integral(const snModel* m, const Loop* l, double error)
{
    const double next = l->act[0] + m->opt.timestep * error;
    if (l->numbers[IMAX] < 0) return next;
    const double most = l->numbers[IMAX] / fabs(l->numbers[KI]);
    return sn_clampToRange(next, (const double[]){-most, most});
}

static bool act_dot(const snModel* m, snData* d, int instance, void* user)
{
    (void)user;
    const double *numbers = sn_pluginNumbers(m, instance), h = m->opt.timestep;
    for (int i = 0; i < m->nactuator; i++) {
        if (m->actuator_plugin[i] != instance) continue;
        const Loop l = loopOf(m, d, i, numbers);
        const double u = setpoint(m, d, &l, false);
        double* rate = d->act_dot + m->actuator_actadr[i];
        const double* act = l.act;
        if (numbers[KI] != 0) *rate++ = (integral(m, &l, u - l.length) - *act++) / h;
        if (numbers[SLEWMAX] >= 0) *rate = (u - *act) / h;
    }
    return true;
}

static bool actuator(const snModel* m, snData* d, int instance, void* user)
{
    (void)user;
    const double* numbers = sn_pluginNumbers(m, instance);
    for (int i = 0; i < m->nactuator; i++) {
        if (m->actuator_plugin[i] != instance) continue;
        const Loop l = loopOf(m, d, i, numbers);
        const int out = m->actuator_outadr[i];
        const double error = setpoint(m, d, &l, m->actuator_actearly[i]) - l.length;
        const double rate = (l.last < 0 ? 0 : d->act_dot[l.last]) - d->actuator_velocity[out];
        d->actuator_force[out] = numbers[KP] * error + numbers[KD] * rate;
        if (numbers[KI] != 0) d->actuator_force[out] += numbers[KI] * integral(m, &l, error);
    }
    return true;
}

const snPlugin sn_pluginPid = {
    .size = sizeof sn_pluginPid,
    .name = "mujoco.pid",
    .attributes = keys,
    .nattribute = NNUMBER,
    .nnumber = NNUMBER,
    .parse = parse,
    .init = init,
    .act_dot = act_dot,
    .actuator = actuator,
};
