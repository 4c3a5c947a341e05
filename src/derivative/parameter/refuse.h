// What has no gradient by arrays of the model.
#ifndef SINEW_DERIVATIVE_PARAMETER_REFUSE_H
#define SINEW_DERIVATIVE_PARAMETER_REFUSE_H

#include <sinew/data.h>
#include <sinew/parameter.h>

/// UNSUPPORTED, with array and element, if something of what is wanted has none. sensor: the gradient by
/// sensors, or NULL.
snStatus sn_isParameterDifferentiable(const snModel* m, const snData* d, const double* sensor,
                                      const snModelGradient* wanted, snError* error);

#endif
