// The gradient of one step, that by arrays of the model added to a sum.
#ifndef SINEW_DERIVATIVE_GRADIENT_STEP_H
#define SINEW_DERIVATIVE_GRADIENT_STEP_H

#include <sinew/derivative.h>

/// As sn_stepVJP, but for gradient->model, which is not written; sum (NULL: none), of sn_modelGradientIn for
/// it, += the gradient by arrays of the model, without what goes through sn_setConst. On an error what was
/// to be written is of no use.
snStatus sn_addStepGradient(const snModel* m, snData* d, const double* next, const double* sensor,
                            const snStepGradient* gradient, const snModelGradient* sum, snError* error);

#endif
