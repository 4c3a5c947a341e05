// In lanes, too: src/batch/lane/prelude.h.
// Activation dynamics (seed 001, "Activation dynamics").
#include "smooth/actuator/activation.h"
#include "smooth/actuator/asleep.h"
#include "smooth/actuator/dcmotor.h"
#include "smooth/actuator/law/dispatch.h"
#include "smooth/actuator/setpoint.h"
#include "smooth/actuator/so3.h"

real sn_activationRate(const snModel* m, const snData* d, int i, real u)
{
    const real act = d->act[m->actuator_actadr[i] + m->actuator_actnum[i] - 1];
    const bool follows =
        m->actuator_dyntype[i] == SN_DYN_FILTER || m->actuator_dyntype[i] == SN_DYN_FILTEREXACT;
    return sn_lawRate(m, i, follows ? sn_nearestSetpoint(m, i, u, act) : u, act);
}

real sn_nextActivation(const snModel* m, const snData* d, int i, int adr, real act_dot)
{
    if (m->actuator_dyntype[i] == SN_DYN_DCMOTOR) return sn_motorNext(m, d, i, adr, act_dot);
    const real act = sn_lawNext(m, i, d->act[adr], act_dot);
    return m->actuator_actlimited[i] ? sn_clampToRange(act, m->actuator_actrange + 2 * i) : act;
}

// A setpoint that turns comes near to the angle again, but not out of its range. That of a controller stays
// near to what is asked of it.
static real unwound(const snModel* m, const snData* d, int i, real act)
{
    if (m->actuator_dyntype[i] == SN_DYN_PID || m->actuator_dyntype[i] == SN_DYN_DCMOTOR) return act;
    const real near = sn_nearestSetpoint(m, i, act, d->actuator_length[m->actuator_outadr[i]]);
    if (!m->actuator_actlimited[i]) return near;
    const real* range = m->actuator_actrange + 2 * i;
    return sn_select((near >= range[0]) & (near <= range[1]), near, act);
}

void sn_advanceActivation(const snModel* m, snData* d, const real* act_dot)
{
    if (!m->na || (m->opt.disableflags & SN_DSBL_ACTUATION)) return;
    for (int i = 0; i < m->nactuator; i++) {
        if (m->actuator_actadr[i] < 0 || sn_actuatorSleeps(m, d, i)) continue;
        const bool disabled = sn_isActuatorDisabled(m, i);
        const int first = m->actuator_actadr[i];
        const int own = first + sn_pluginActivations(m, i), end = first + m->actuator_actnum[i];
        for (int k = first; k < end; k++) {
            const real next = sn_nextActivation(m, d, i, k, disabled ? sn_real(0) : act_dot[k]);
            d->act[k] = k < own ? next : unwound(m, d, i, next);
        }
        if (sn_isOrientationServo(m, i)) sn_wrapOrientation(d->act + first);
    }
}
