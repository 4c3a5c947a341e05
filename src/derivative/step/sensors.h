// What a step does to the sensors.
#ifndef SINEW_DERIVATIVE_STEP_SENSORS_H
#define SINEW_DERIVATIVE_STEP_SENSORS_H

#include "derivative/step/along.h"

/// sensor [nsensordata x n] along directions of the step, with da [nv x stride] that of qacc.
snStatus sn_sensorsAlong(const snModel* m, snData* d, const snStepDirections* along, const double* da,
                         double* sensor, snError* error);

/// The adjoint at held qacc: x [nx + nu], a [nv] and, unless NULL, xfrc [nbody x 6] += the gradients by the
/// state and the controls, by qacc and by xfrc_applied, of what has the gradient sensor [nsensordata].
snStatus sn_sensorsAdjoint(const snModel* m, snData* d, const double* sensor, double* x, double* a,
                           double* xfrc, snError* error);

#endif
