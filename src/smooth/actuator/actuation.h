// What the force of an actuator is made of: gain u + bias, before any limit. Source: seed 001, "Force
// generation".
#ifndef SINEW_SMOOTH_ACTUATOR_ACTUATION_H
#define SINEW_SMOOTH_ACTUATOR_ACTUATION_H

#include <sinew/data.h>
#include "math/real.h"
#include "smooth/actuator/law/dispatch.h"

/// First actuator with a control that, clamped, is NaN, infinite or huge; -1: none. With one all controls
/// count as 0.
int sn_badControl(const snModel* m, const snData* d);

/// u: the control, or of an actuator with activation the last one, with actearly as it is after the step at
/// act_dot. bad: some control is, see sn_badControl.
real sn_givenInput(const snModel* m, const snData* d, int i, bool bad);

/// u, as a setpoint that has a period the one nearest to the length.
real sn_actuatorInput(const snModel* m, const snData* d, int i, bool bad);

#endif
