// What springs, dampers and actuators do.
#ifndef SINEW_DERIVATIVE_PARAMETER_FORCE_H
#define SINEW_DERIVATIVE_PARAMETER_FORCE_H

#include <sinew/parameter.h>
#include "derivative/parameter/stage.h"

/// sum += gradients by arrays of joints and tendons, by what they do in D included.
void sn_addPassiveGradient(const snModel* m, const snData* d, const snParameterStage* stage,
                           const snModelGradient* sum);

/// The same by those of actuators. Takes scratch; moment arms are computed anew.
snStatus sn_addActuatorGradient(const snModel* m, snData* d, const snParameterStage* stage,
                                const snModelGradient* sum, snError* error);

/// x' S y for S = J J' as far as dofs of one chain go, the way that D holds it.
double sn_chainProduct(const snModel* m, int n, const int* dofs, const double* J1, const double* J2,
                       const double* x, const double* y);

#endif
