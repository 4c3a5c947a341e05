// Parts of the derivative of D w, D = qDeriv.
#ifndef SINEW_DERIVATIVE_FORCE_DAMPING_H
#define SINEW_DERIVATIVE_FORCE_DAMPING_H

#include "smooth/velocity_derivative.h"

/// What sn_dampingDerivative adds to; NULL: not wanted.
typedef struct snDampingSum {
    double *q, *v, *act, *u;
} snDampingSum;

/// Part of the bias force of these bodies. Uses qvel, cvel and cdof_dot meanwhile.
snStatus sn_biasDampingDerivative(const snModel* m, snData* d, const double* w, snGyroBodies bias,
                                  const snDampingSum* sum, snError* error);

/// Part of a fluid. false: the arena has no room for scratch.
bool sn_fluidDampingDerivative(const snModel* m, snData* d, const double* w, snGyroBodies bias,
                               const snDampingSum* sum);

#endif
