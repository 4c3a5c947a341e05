// Setpoints of servos that turn about three axes, on a ball joint or from site to site: full turns change
// nothing (SN_RULE_TURNING_SETPOINTS). Of all that mean the same the one nearest to the angle counts.
#ifndef SINEW_SMOOTH_ACTUATOR_SETPOINT_H
#define SINEW_SMOOTH_ACTUATOR_SETPOINT_H

#include <sinew/data.h>
#include "math/real.h"
#include "model/rules.h"

/// What a full turn is of the setpoint of actuator i. 0: its setpoints are as they are.
real sn_setpointPeriod(const snModel* m, int i);

/// u, by full turns of this period as near to the angle `to` as it can be.
real sn_unwoundSetpoint(real period, real u, real to);

/// The same by the period of actuator i.
static inline real sn_nearestSetpoint(const snModel* m, int i, real u, real to)
{
    if (!sn_means(m->physics, SN_RULE_TURNING_SETPOINTS)) return u;
    const real period = sn_setpointPeriod(m, i);
    return sn_any(period > 0) ? sn_unwoundSetpoint(period, u, to) : u;
}

#endif
