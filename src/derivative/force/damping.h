// Parts of the derivative of D w, D = qDeriv.
#ifndef SINEW_DERIVATIVE_FORCE_DAMPING_H
#define SINEW_DERIVATIVE_FORCE_DAMPING_H

#include "smooth/velocity_derivative.h"

/// What sn_dampingDerivative adds to; NULL: not wanted.
typedef struct snDampingSum {
    double *q, *v, *act, *u;
} snDampingSum;

/// v [nv x stride] += scale times the derivative by velocity of D w, as far as dampers of dofs go whose force
/// is not linear: by its own velocity alone.
void sn_addDofDampingRate(const snModel* m, const snData* d, const double* w, double scale, double* v,
                          int stride);

/// Part of the bias force of these bodies. Uses qvel, cvel and cdof_dot meanwhile.
snStatus sn_biasDampingDerivative(const snModel* m, snData* d, const double* w, snGyroBodies bias,
                                  const snDampingSum* sum, snError* error);

/// Part of a fluid. false: the arena has no room for scratch.
bool sn_fluidDampingDerivative(const snModel* m, snData* d, const double* w, snGyroBodies bias,
                               const snDampingSum* sum);

#endif
