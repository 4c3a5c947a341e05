// Activations: what their rates and sn_nextActivation make of them. One-sided at the ends of a range: what
// stands at the bound counts as within. Source: seed 001, "Activation dynamics"; the derivatives are worked
// out here.
#include "derivative/force/actuator.h"
#include <string.h>
#include "derivative/force/force.h"
#include "derivative/force/pid.h"
#include "derivative/force/so3.h"
#include "derivative/smooth/bias.h"
#include "model/arena.h"
#include "smooth/actuator/actuation.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/law/law.h"
#include "smooth/actuator/so3.h"

double sn_controlSlope(const snModel* m, const snData* d, int k)
{
    return sn_clampedControl(m, d, k) == d->ctrl[k];
}

// Of an actuator with one control, whose last activation has dynamics; the others have a rate by callbacks
// only.
static snActuatorSlopes lawSlopes(const snModel* m, const snData* d, int i, int k, bool bad)
{
    const double* prm = m->actuator_dynprm + SN_NDYN * i;
    snActuatorSlopes s = {.act_adr = k, .nact = 1, .ctrl_adr = m->actuator_ctrladr[i]};
    if (k != m->actuator_actadr[i] + m->actuator_actnum[i] - 1) return s;
    const bool driven = !bad && m->actuator_ctrlnum[i];
    const double u = driven ? sn_actuatorControl(m, d, i) : 0;
    const snRateSlopes by = sn_activationLaw(m->actuator_dyntype[i])->slopes(u, d->act[k], prm);
    s.act[0] = by.act;
    s.nctrl = driven;
    if (driven) s.ctrl[0] = by.ctrl * sn_controlSlope(m, d, s.ctrl_adr);
    return s;
}

snActuatorSlopes sn_activationRateSlopes(const snModel* m, const snData* d, int i, int k, bool bad)
{
    if (sn_isOrientationServo(m, i)) return sn_orientationRateSlopes(m, d, i, k, bad);
    return m->actuator_dyntype[i] == SN_DYN_PID ? sn_pidRateSlopes(m, d, i, k, bad)
                                                : lawSlopes(m, d, i, k, bad);
}

double sn_activationTime(const snModel* m, int i)
{
    const snActivationLaw* law = sn_activationLaw(m->actuator_dyntype[i]);
    const double h = m->opt.timestep;
    return law->time ? law->time(h, m->actuator_dynprm + SN_NDYN * i) : h;
}

snActuatorSlopes sn_nextActivationSlopes(const snModel* m, const snData* d, int i, int k, double act_dot,
                                         snActuatorSlopes rate)
{
    const double h = sn_activationTime(m, i);
    const double next = d->act[k] + h * act_dot, *range = m->actuator_actrange + 2 * i;
    const bool stays = m->actuator_actlimited[i] && (next < range[0] || next > range[1]);
    const double scale = stays ? 0 : h;
    rate.length *= scale;
    rate.velocity *= scale;
    for (int n = 0; n < rate.nact; n++) rate.act[n] = scale * rate.act[n] + (!stays && rate.act_adr + n == k);
    for (int n = 0; n < rate.nctrl; n++) rate.ctrl[n] *= scale;
    return rate;
}

snStatus sn_checkActivation(const snModel* m, const snData* d, snError* error)
{
    if (m->opt.disableflags & SN_DSBL_ACTUATION) return SN_STATUS_OK;
    for (int i = 0; i < m->nactuator; i++) {
        const snActivationLaw* law = sn_activationLaw(m->actuator_dyntype[i]);
        if (m->actuator_actadr[i] < 0 || !law->called || !law->called(d)) continue;
        return sn_failActuator(m, i, "the activation of a callback", error);
    }
    return SN_STATUS_OK;
}

// ---- all activations, at their rates or after a step

// Numbers of the list: its own and its control of each, and of a pid its setpoint and its length.
static int mostSlopes(const snModel* m)
{
    int count = 2 * m->na;
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_dyntype[i] == SN_DYN_PID) count += (1 + m->nv) * m->actuator_actnum[i];
    return count;
}

static void put(snActivationSlopes* to, int row, int column, double slope)
{
    if (slope != 0) to->list[to->count++] = (snActivationSlope){row, column, slope};
}

// gradient [nv]: scratch
static void putAll(const snModel* m, const snData* d, int i, int k, const snActuatorSlopes* s,
                   double* gradient, snActivationSlopes* to)
{
    for (int n = 0; n < s->nact; n++) put(to, k, 2 * m->nv + s->act_adr + n, s->act[n]);
    for (int n = 0; n < s->nctrl; n++) put(to, k, 2 * m->nv + m->na + s->ctrl_adr + n, s->ctrl[n]);
    if (s->length == 0) return;
    memset(gradient, 0, (size_t)m->nv * sizeof *gradient);
    sn_actuatorLengthGradient(m, d, i, s->length, gradient);
    for (int n = 0; n < m->nv; n++) put(to, k, n, gradient[n]);
}

static void putActuator(const snModel* m, const snData* d, int i, bool step, bool bad, double* gradient,
                        snActivationSlopes* to)
{
    const bool held = step && sn_isActuatorDisabled(m, i);
    for (int k = m->actuator_actadr[i], end = k + m->actuator_actnum[i]; k < end; k++) {
        snActuatorSlopes s = {.act_adr = k, .nact = 1};
        if (!held) s = sn_activationRateSlopes(m, d, i, k, bad);
        if (step) s = sn_nextActivationSlopes(m, d, i, k, held ? 0 : d->act_dot[k], s);
        putAll(m, d, i, k, &s, gradient, to);
    }
}

static snStatus list(const snModel* m, snData* d, bool step, snActivationSlopes* to, snError* error)
{
    snStatus status = sn_checkActivation(m, d, error);
    if (!status && step) status = sn_checkOrientationWrap(m, d, error);
    if (status) return status;
    const bool off = m->opt.disableflags & SN_DSBL_ACTUATION, bad = sn_badControl(m, d) >= 0;
    *to = (snActivationSlopes){0, sn_scratchAlloc(d, (size_t)mostSlopes(m) * sizeof *to->list)};
    double* gradient = sn_scratchReal(d, m->nv);
    if (!to->list || !gradient) return sn_failRoom(error);
    for (int k = 0; k < m->na && off && step; k++) put(to, k, 2 * m->nv + k, 1);
    for (int i = 0; i < m->nactuator && !off; i++)
        if (m->actuator_actadr[i] >= 0) putActuator(m, d, i, step, bad, gradient, to);
    return SN_STATUS_OK;
}

snStatus sn_activationDerivative(const snModel* m, snData* d, snActivationSlopes* slopes, snError* error)
{
    return list(m, d, true, slopes, error);
}

snStatus sn_activationRateDerivative(const snModel* m, snData* d, snActivationSlopes* slopes, snError* error)
{
    return list(m, d, false, slopes, error);
}
