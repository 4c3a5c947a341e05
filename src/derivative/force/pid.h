// How a pid changes (smooth/actuator/pid.h), on the piece that it is on: its setpoint is free or goes as fast
// as it may, its integral moves or stands, and its setpoint is by so many full turns from the angle. A
// setpoint that just gets there is free.
#ifndef SINEW_DERIVATIVE_FORCE_PID_H
#define SINEW_DERIVATIVE_FORCE_PID_H

#include "derivative/force/actuator.h"

/// Whether the setpoint gets as far as its control says.
bool sn_pidIsFree(const snModel* m, const snData* d, int i, bool bad);

/// Of act_dot number k.
snActuatorSlopes sn_pidRateSlopes(const snModel* m, const snData* d, int i, int k, bool bad);

/// Of sn_pidForce.
snActuatorSlopes sn_pidForceSlopes(const snModel* m, const snData* d, int i, bool bad);

#endif
