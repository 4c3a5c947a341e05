// Derivatives of theta' = sn_turnRate(theta, w) with theta = h mean.
#ifndef SINEW_DERIVATIVE_STEP_TURN_RATE_H
#define SINEW_DERIVATIVE_STEP_TURN_RATE_H

#include "math/vec.h"

/// dw [3 x stride], the change of w, becomes that of theta'; dmean [3 x stride] that of mean.
void sn_turnRateAlong(snVec3 theta, snVec3 w, double h, const double* dmean, double* dw, int stride);

/// g [3], the gradient by theta', becomes that by w, and gmean [3] += that by mean.
void sn_turnRateAdjoint(snVec3 theta, snVec3 w, double h, double* g, double* gmean);

#endif
