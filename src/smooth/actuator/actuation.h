// What the force of an actuator is made of: gain u + bias, before any limit. Source: seed 001, "Force
// generation".
#ifndef SINEW_SMOOTH_ACTUATOR_ACTUATION_H
#define SINEW_SMOOTH_ACTUATOR_ACTUATION_H

#include <sinew/data.h>
#include "math/real.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/law/dispatch.h"
#include "smooth/actuator/setpoint.h"

/// First actuator with a control that, clamped, is NaN, infinite or huge; -1: none. With one all controls
/// count as 0.
int sn_badControl(const snModel* m, const snData* d);

/// u: the control, or of an actuator with activation the last one, with actearly as it is after the step at
/// act_dot. bad: some control is, see sn_badControl.
static inline real sn_givenInput(const snModel* m, const snData* d, int i, bool bad)
{
    if (m->actuator_actadr[i] < 0) return bad ? sn_real(0) : sn_actuatorControl(m, d, i);
    const int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    return m->actuator_actearly[i] ? sn_nextActivation(m, d, i, last, d->act_dot[last]) : d->act[last];
}

/// u, as a setpoint that has a period the one nearest to the length.
static inline real sn_actuatorInput(const snModel* m, const snData* d, int i, bool bad)
{
    const real given = sn_givenInput(m, d, i, bad);
    return sn_nearestSetpoint(m, i, given, d->actuator_length[m->actuator_outadr[i]]);
}

#endif
