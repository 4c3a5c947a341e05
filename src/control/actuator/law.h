// One actuator whose force can be set at once: force = gain ctrl + bias. Source: seed 001, "Force
// generation".
#ifndef SINEW_CONTROL_ACTUATOR_LAW_H
#define SINEW_CONTROL_ACTUATOR_LAW_H

#include <sinew/data.h>

/// Whether it is one, and switched on: see torque.h.
bool sn_isActuatorSpanned(const snModel* m, int i);

typedef struct snActuatorLaw {
    double gain, bias;
    double low, high; ///< the forces that it can give, within all of its own limits and its tendon's
} snActuatorLaw;

/// Reads actuator_length and actuator_velocity.
snActuatorLaw sn_actuatorLaw(const snModel* m, snData* d, int i);

/// The control, within its range, that gives a force of [low, high].
double sn_controlOfForce(const snModel* m, int i, snActuatorLaw law, double force);

/// low and high that hold in any state; infinite where none does.
void sn_actuatorForceRange(const snModel* m, int i, double* low, double* high);

#endif
