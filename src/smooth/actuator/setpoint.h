// Setpoints of servos that turn about three axes, on a ball joint or from site to site: full turns change
// nothing (SN_RULE_TURNING_SETPOINTS). Of all that mean the same the one nearest to the angle counts.
#ifndef SINEW_SMOOTH_ACTUATOR_SETPOINT_H
#define SINEW_SMOOTH_ACTUATOR_SETPOINT_H

#include <sinew/data.h>
#include "math/real.h"

/// What a full turn is of the setpoint of actuator i. 0: its setpoints are as they are.
real sn_setpointPeriod(const snModel* m, int i);

/// u, by full turns as near to the angle `to` as it can be.
real sn_nearestSetpoint(const snModel* m, int i, real u, real to);

#endif
