// What constraints do: frictions, the inverse inertias that rows are regularised by, and geoms.
#ifndef SINEW_DERIVATIVE_PARAMETER_ROW_H
#define SINEW_DERIVATIVE_PARAMETER_ROW_H

#include <sinew/parameter.h>
#include "derivative/parameter/stage.h"

/// sum += gradients of force . J' f at held qacc. Takes scratch; UNSUPPORTED: a contact whose shapes have no
/// derivative.
snStatus sn_addRowGradient(const snModel* m, snData* d, const snParameterStage* stage,
                           const snModelGradient* sum, snError* error);

#endif
