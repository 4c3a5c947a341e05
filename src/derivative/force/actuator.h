// Slopes of activations and controls that both the next activation and the actuators' forces need.
#ifndef SINEW_DERIVATIVE_FORCE_ACTUATOR_H
#define SINEW_DERIVATIVE_FORCE_ACTUATOR_H

#include <sinew/data.h>
#include "smooth/actuator/law/point.h"

/// Derivative of sn_actuatorControl by ctrl: 0 beyond ctrlrange, else 1.
double sn_controlSlope(const snModel* m, const snData* d, int i);

/// Of the rate of the last activation; bad: some control is, see sn_badControl.
snRateSlopes sn_activationRateSlopes(const snModel* m, const snData* d, int i, bool bad);

/// What a time step multiplies the rate of an activation of actuator i by.
double sn_activationTime(const snModel* m, int i);

/// Of sn_nextActivation, from those of the rate act_dot; 0 beyond actrange.
snRateSlopes sn_nextActivationSlopes(const snModel* m, const snData* d, int i, int adr, double act_dot,
                                     snRateSlopes rate);

/// Of the force gain u + bias of an actuator before any limit, by its length and velocity, its last
/// activation and its control.
typedef struct snForceSlopes {
    double length, velocity, act, ctrl;
} snForceSlopes;
snForceSlopes sn_actuatorForceSlopes(const snModel* m, snData* d, int i, bool bad);

/// How velocity . qfrc_actuator goes with the actuators: power [nactuator] is its gradient by gain u + bias
/// of each, before any limit; open [nv] the velocity without dofs that stand at the limit of their joint.
/// Takes scratch, false: there is no room.
bool sn_actuatorPower(const snModel* m, snData* d, const double* velocity, double* power, double* open);

/// UNSUPPORTED: "actuator NAME: `what` has no derivative".
snStatus sn_failActuator(const snModel* m, int i, const char* what, snError* error);

/// UNSUPPORTED, with the actuator's name, if a callback makes its gain or bias.
snStatus sn_checkForceLaw(const snModel* m, const snData* d, int i, snError* error);

/// The error of sn_contactGeometry for the contacts that adhesion i acts on.
snStatus sn_checkAdhesion(const snModel* m, snData* d, int i, snError* error);

/// H += the derivative of the moment arms of any actuator; adhesion has passed sn_checkAdhesion.
void sn_addMomentDerivative(const snModel* m, snData* d, int i, double* H);

/// UNSUPPORTED, with the actuator's name, if a callback makes an activation.
snStatus sn_checkActivation(const snModel* m, const snData* d, snError* error);

#endif
