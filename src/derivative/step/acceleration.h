// How qacc changes with state and control: H da = force dx, by the implicit function theorem at the optimum
//     F(q, v, a, act, u) = M a + bias - passive - actuator - applied - J' f = 0,   H = dF/da = M + J' C J.
// Where loops are held exactly F = K' lambda, and K a = k + k_stab: da = P force dx + prescribed dx, with P
// and what K alone asks of da as in constraint/loop_system.h. Source: seed 001, (8); the derivatives are
// worked out here.
#ifndef SINEW_DERIVATIVE_STEP_ACCELERATION_H
#define SINEW_DERIVATIVE_STEP_ACCELERATION_H

#include <sinew/data.h>
#include "derivative/linear.h"
#include "math/dense.h"

/// Numbers of the state, and of state and controls.
static inline int sn_stateTangents(const snModel* m)
{
    return 2 * m->nv + m->na;
}
static inline int sn_stepInputs(const snModel* m)
{
    return sn_stateTangents(m) + m->nu;
}

typedef struct snAccelerationDerivative {
    int stride;           ///< sn_padded(sn_stepInputs): rows of `force`
    double* force;        ///< [nv x stride] -dF at held qacc by q, v, act, u; zeros up to the stride
    int step;             ///< sn_padded(nv): rows of `factor`
    double* factor;       ///< [nv x step] of H, a panel with `inverse`; NULL where no constraint acts: H = M
    double* inverse;      ///< [nv]
    double *LD, *diagInv; ///< of M, as sn_factorM
    double* P;            ///< [nv x step] in the place of inv(H) where loops are held exactly; else NULL
    double* prescribed;   ///< [nv x stride] of da that `force` does not give; NULL: nothing
    double* work;         ///< [nv x stride] with P
    snActivationSlopes rates; ///< of act_dot
} snAccelerationDerivative;

/// Whether a step of m and d has a derivative here; else UNSUPPORTED and the cause.
snStatus sn_isStepDifferentiable(const snModel* m, const snData* d, snError* error);

/// sn_forward, polished, at the state of d, or without sensors. Errors: a state that a step would reset, an
/// arena without room.
snStatus sn_forwardPolished(const snModel* m, snData* d, bool sensors, snError* error);

/// After sn_forwardPolished. Arrays are scratch of d.
snStatus sn_accelerationDerivative(const snModel* m, snData* d, snAccelerationDerivative* out,
                                   snError* error);

/// X [nv x stride] <- inv(H) X, or P X; stride at most a->stride.
void sn_accelerationSolve(const snModel* m, const snAccelerationDerivative* a, double* X, int stride);

/// Zeroed scratch [rows x columns], or NULL.
double* sn_scratchMatrix(snData* d, int rows, int columns);

/// The error of an arena that has no room.
snStatus sn_noRoom(const snData* d, snError* error);

#endif
