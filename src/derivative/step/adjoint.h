// A step backwards: the adjoint of the chain rule, and the multipliers that other gradients are made of.
// Source: Griewank and Walther 2008 (adjoints and checkpoints).
#ifndef SINEW_DERIVATIVE_STEP_ADJOINT_H
#define SINEW_DERIVATIVE_STEP_ADJOINT_H

#include <sinew/derivative.h>
#include "derivative/step/stages.h"

/// The multipliers of the equations of a step under a scalar g. By a parameter p that none of the above
/// holds, at held state, controls and qacc,
///     dg/dp = sum over stages of force_s . d(forces - M qacc)_s/dp
///             + next . (dM/dp (a - a') + h dD/dp a') + (gradient by sensors) . d sensors/dp,
/// stages and their states as `stages` has them (one without Runge-Kutta: that of the data). Where loops are
/// held exactly this is so for p that neither K nor its right-hand side hangs on, and without projection:
/// that weighs with M, too.
typedef struct snStepAdjoint {
    int nstage;
    double* force;    ///< [nstage x nv] inv(H) (gradient by qacc): gradient by a generalized force
    double* next;     ///< [nv] inv(M - hD)' (gradient by a'); NULL where a' is qacc
    const double* a;  ///< [nv] a', NULL where next is
    double* gradient; ///< [nv] gradient by a' where that is qacc
    snStages stages;  ///< of Runge-Kutta's method
} snStepAdjoint;

/// The gradients of sn_stepVJP with the multipliers, which are scratch of d: the caller has the mark.
snStatus sn_stepAdjoint(const snModel* m, snData* d, const double* next, const double* sensor,
                        const snStepGradient* gradient, snStepAdjoint* adjoint, snError* error);

#endif
