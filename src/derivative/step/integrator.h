// From qacc to the acceleration a' of a step of Euler or of an implicit integrator,
//     (M - h D) a' = M a,   (M - h D) da' = M da + dM (a - a') + h dD a',
// D the damping of joints, or qDeriv; and what becomes of activations. Where loops are held exactly K a' =
// k + k_stab, and P da as in constraint/loop_system.h is in the place of inv(M - hD). Source: seed 001,
// "Numerical integration"; the derivatives are worked out here.
#ifndef SINEW_DERIVATIVE_STEP_INTEGRATOR_H
#define SINEW_DERIVATIVE_STEP_INTEGRATOR_H

#include <sinew/data.h>
#include "derivative/linear.h"

typedef struct snIntegratorDerivative {
    bool implicit;          ///< a' is not qacc
    double* change;         ///< [nv x stride] dM (a - a') + h dD a' by q, v, act, u; NULL unless implicit
    double* P;              ///< [nv x step] with loops, step = sn_padded(nv); else NULL
    double* prescribed;     ///< [nv x stride] of da' that P does not give; NULL: nothing
    double* next;           ///< [nv] a'
    double* velocity;       ///< [nv] qvel after the step
    snActivationSlopes act; ///< of the next activations
} snIntegratorDerivative;

/// After sn_forwardPolished. Arrays are scratch of d; stride as of snAccelerationDerivative.
snStatus sn_integratorDerivative(const snModel* m, snData* d, int stride, snIntegratorDerivative* out,
                                 snError* error);

/// X [nv x stride] <- inv(M - hD) X, or P X; transposed, by the transpose. Takes scratch; false: no room.
bool sn_integratorSolve(const snModel* m, snData* d, const snIntegratorDerivative* by, bool transposed,
                        double* X, int stride);

#endif
