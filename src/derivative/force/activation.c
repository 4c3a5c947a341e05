// Activations: what sn_activationRate and sn_nextActivation make of them. One-sided at the ends of a range:
// what stands at the bound counts as within. Source: seed 001, "Activation dynamics"; the derivatives are
// worked out here.
#include "derivative/force/actuator.h"
#include "derivative/force/force.h"
#include "smooth/actuator/actuation.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/law/law.h"

double sn_controlSlope(const snModel* m, const snData* d, int i)
{
    return sn_actuatorControl(m, d, i) == d->ctrl[m->actuator_ctrladr[i]];
}

snRateSlopes sn_activationRateSlopes(const snModel* m, const snData* d, int i, bool bad)
{
    const double act = d->act[m->actuator_actadr[i] + m->actuator_actnum[i] - 1];
    const double u = bad ? 0 : sn_actuatorControl(m, d, i), slope = bad ? 0 : sn_controlSlope(m, d, i);
    snRateSlopes by =
        sn_activationLaw(m->actuator_dyntype[i])->slopes(u, act, m->actuator_dynprm + SN_NDYN * i);
    by.ctrl = slope * by.ctrl;
    return by;
}

double sn_activationTime(const snModel* m, int i)
{
    const snActivationLaw* law = sn_activationLaw(m->actuator_dyntype[i]);
    const double h = m->opt.timestep;
    return law->time ? law->time(h, m->actuator_dynprm + SN_NDYN * i) : h;
}

snRateSlopes sn_nextActivationSlopes(const snModel* m, const snData* d, int i, int adr, double act_dot,
                                     snRateSlopes rate)
{
    const double h = sn_activationTime(m, i);
    const double next = d->act[adr] + h * act_dot, *range = m->actuator_actrange + 2 * i;
    if (m->actuator_actlimited[i] && (next < range[0] || next > range[1])) return (snRateSlopes){0, 0};
    return (snRateSlopes){1 + h * rate.act, h * rate.ctrl};
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

// All activations, at their rates or after a step. Where an actuator has several, the dynamics are the last
// one's; the others have a rate by callbacks only.
static void slopes(const snModel* m, const snData* d, bool step, double* act, double* u, int* ctrl)
{
    const bool off = m->opt.disableflags & SN_DSBL_ACTUATION, bad = sn_badControl(m, d) >= 0;
    for (int k = 0; k < m->na; k++) act[k] = step, u[k] = 0, ctrl[k] = -1;
    for (int i = 0; i < m->nactuator && !off; i++) {
        const int first = m->actuator_actadr[i], last = first + m->actuator_actnum[i] - 1;
        if (first < 0) continue;
        const bool held = step && sn_isActuatorDisabled(m, i);
        for (int k = first; k <= last; k++) {
            snRateSlopes s = {0, 0};
            if (k == last && !held) s = sn_activationRateSlopes(m, d, i, bad);
            if (step) s = sn_nextActivationSlopes(m, d, i, k, held ? 0 : d->act_dot[k], s);
            act[k] = s.act;
            u[k] = s.ctrl;
            if (k == last) ctrl[k] = m->actuator_ctrladr[i];
        }
    }
}

snStatus sn_activationDerivative(const snModel* m, snData* d, double* act, double* u, int* ctrl,
                                 snError* error)
{
    const snStatus status = sn_checkActivation(m, d, error);
    if (status == SN_STATUS_OK) slopes(m, d, true, act, u, ctrl);
    return status;
}

snStatus sn_activationRateDerivative(const snModel* m, snData* d, double* act, double* u, int* ctrl,
                                     snError* error)
{
    const snStatus status = sn_checkActivation(m, d, error);
    if (status == SN_STATUS_OK) slopes(m, d, false, act, u, ctrl);
    return status;
}
