// What a pid does by its numbers.
#ifndef SINEW_DERIVATIVE_PARAMETER_PID_H
#define SINEW_DERIVATIVE_PARAMETER_PID_H

#include <sinew/parameter.h>
#include "derivative/parameter/stage.h"

/// sum += gradients by gainprm, biasprm and dynprm of actuator i, a pid, but for what its damping is in D.
/// That by imax is 0: it says where the integral stands, not how far it goes in a step.
void sn_addPidGradient(const snModel* m, const snData* d, const snParameterStage* stage, int i, bool bad,
                       const snModelGradient* sum);

#endif
