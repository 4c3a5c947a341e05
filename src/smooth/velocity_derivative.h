// What sn_smoothVel makes qDeriv of. Source: seed 001, "Numerical integration".
#ifndef SINEW_SMOOTH_VELOCITY_DERIVATIVE_H
#define SINEW_SMOOTH_VELOCITY_DERIVATIVE_H

#include <sinew/data.h>
#include "math/real.h"
#include "smooth/actuator/dcmotor.h"
#include "smooth/inertia/damped.h"

/// Whether one of two dofs is above the other, or they are one: qDeriv has a place for them.
static inline bool sn_haveOneChain(const snModel* m, int i, int j)
{
    const int low = i < j ? i : j, high = i < j ? j : i;
    return high - low < m->D_rownnz[low] - m->D_diag[low];
}

/// Where the force of an actuator is between its limits, as a step decides it.
typedef enum snForcePlace {
    SN_PLACE_ASK, ///< undecided: sn_isActuatorSaturated tells whether it counts
    SN_PLACE_INSIDE,
    SN_PLACE_LOW,
    SN_PLACE_HIGH
} snForcePlace;

/// Of which bodies the force goes into qDeriv as it changes with velocity, the bias force and all that a
/// fluid does; of the others without the bias force, and of a fluid the symmetric part. It is symmetric with
/// NONE. STEP and TURN are what a step of the integrator discrete takes apart: no bias force, and of a fluid
/// the drag; the bias force of lone bodies alone.
typedef enum snGyroBodies {
    SN_GYRO_NONE,
    SN_GYRO_ALL,
    SN_GYRO_LONE,
    SN_GYRO_STEP,
    SN_GYRO_TURN
} snGyroBodies;

/// What steps of the model's integrator take; LONE only where there are such bodies.
snGyroBodies sn_biasOfStep(const snModel* m);

static inline bool sn_hasBias(const snModel* m, snGyroBodies bias, int body)
{
    const bool lone = bias == SN_GYRO_LONE || bias == SN_GYRO_TURN;
    return bias == SN_GYRO_ALL || (lone && sn_isLone(m, body));
}

/// qDeriv, of the bodies' own forces alone: the bias force and what a fluid does.
void sn_bodyVel(const snModel* m, snData* d, snGyroBodies bias);

/// As sn_smoothVel, of actuators at their limits as place [nu], values of snForcePlace, says; NULL: ASK for
/// all.
void sn_smoothVelAt(const snModel* m, snData* d, snGyroBodies bias, const unsigned char* place);

/// How the force of a motor changes within the limits of its joint; its own and those of its tendon are
/// heeded, for they do not bound its friction.
snMotorSlopes sn_motorSlopesWithin(const snModel* m, const snData* d, int i);

/// d force / d velocity of actuator i within the limits of force.
real sn_actuatorDamping(const snModel* m, const snData* d, int i);

/// Whether the force of actuator i, or of all actuators of its joint or tendon, stands at a limit: then it
/// does not count in qDeriv. Of a motor: whether its joint stands at one.
snMask sn_isActuatorSaturated(const snModel* m, const snData* d, int i);

#endif
