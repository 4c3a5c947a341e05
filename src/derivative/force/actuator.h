// Slopes of activations and forces of actuators, which the next activations, forces and sensors need.
#ifndef SINEW_DERIVATIVE_FORCE_ACTUATOR_H
#define SINEW_DERIVATIVE_FORCE_ACTUATOR_H

#include <sinew/data.h>
#include "smooth/actuator/law/point.h"

enum { SN_OWN_SLOPES = 4 };

/// How a number of an actuator changes: with its length and velocity, with `nact` activations from number
/// act_adr on, and with `nctrl` controls from number ctrl_adr on.
typedef struct snActuatorSlopes {
    double length, velocity;
    int act_adr, nact, ctrl_adr, nctrl;
    double act[SN_OWN_SLOPES], ctrl[SN_OWN_SLOPES];
} snActuatorSlopes;

/// Derivative of sn_clampedControl by ctrl number k: 0 beyond ctrlrange, else 1.
double sn_controlSlope(const snModel* m, const snData* d, int k);

/// What a time step multiplies the rate of an activation of actuator i by.
double sn_activationTime(const snModel* m, int i);

/// Of act_dot number k, one of actuator i; bad: some control is, see sn_badControl.
snActuatorSlopes sn_activationRateSlopes(const snModel* m, const snData* d, int i, int k, bool bad);

/// Of sn_nextActivation number k at the rate act_dot, from the slopes of that; 0 beyond actrange.
snActuatorSlopes sn_nextActivationSlopes(const snModel* m, const snData* d, int i, int k, double act_dot,
                                         snActuatorSlopes rate);

/// The force of actuator i before any limit, and how it changes.
double sn_rawForce(const snModel* m, snData* d, int i, bool bad);
snActuatorSlopes sn_actuatorForceSlopes(const snModel* m, snData* d, int i, bool bad);

/// How velocity . qfrc_actuator goes with the actuators: power [nactuator] is its gradient by the force of
/// each, before any limit; open [nv] the velocity without dofs that stand at the limit of their joint.
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
