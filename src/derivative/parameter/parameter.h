// Gradients by arrays of the model, from the multipliers of a step.
#ifndef SINEW_DERIVATIVE_PARAMETER_PARAMETER_H
#define SINEW_DERIVATIVE_PARAMETER_PARAMETER_H

#include <sinew/parameter.h>
#include "derivative/step/adjoint.h"

/// sum (of sn_modelGradientIn) += gradients of a scalar whose gradients by the next state and by sensors are
/// given, NULL: zero. After sn_stepAdjoint with the same, at whose end the data is again. Takes scratch.
snStatus sn_addParameterGradient(const snModel* m, snData* d, const snStepAdjoint* adjoint,
                                 const double* next, const double* sensor, const snModelGradient* sum,
                                 snError* error);

/// Through sn_setConst, if that was wanted, once all steps are summed up. Computes d anew.
snStatus sn_endParameterGradient(const snModel* m, snData* d, const snModelGradient* sum, snError* error);

#endif
