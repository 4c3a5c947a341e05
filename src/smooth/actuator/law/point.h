// What laws of actuators are asked for besides their value. A gain and a bias are functions of length and
// velocity; an activation has a rate, a function of itself and of the control.
#ifndef SINEW_SMOOTH_ACTUATOR_LAW_POINT_H
#define SINEW_SMOOTH_ACTUATOR_LAW_POINT_H

#include "math/real.h"

/// Where a gain or a bias is asked, and its numbers of the model.
typedef struct snLawPoint {
    real length, velocity, acc0;
    const real *lengthrange, *prm;
} snLawPoint;

/// Derivatives of a gain or a bias by length and velocity, and those of the one by velocity. Where pieces of
/// a curve meet they are those of the piece that the value is taken from.
typedef struct snLawSlopes {
    real length, velocity;
    real velocity_length, velocity_velocity;
} snLawSlopes;

/// Derivatives by the last activation of an actuator and by its control.
typedef struct snRateSlopes {
    real act, ctrl;
} snRateSlopes;

#endif
