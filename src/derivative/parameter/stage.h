// One evaluation of forward dynamics, as gradients by arrays of the model see it.
#ifndef SINEW_DERIVATIVE_PARAMETER_STAGE_H
#define SINEW_DERIVATIVE_PARAMETER_STAGE_H

#include <sinew/data.h>

/// The multipliers of snStepAdjoint, one stage.
typedef struct snParameterStage {
    const double* force;  ///< [nv] of forces less M qacc
    const double* next;   ///< [nv] of (M - hD) a' = M qacc; NULL: a' is qacc whatever D is
    const double* a;      ///< [nv] a'
    const double* act;    ///< [na] gradient by the activations after the step, or NULL
    const double* sensor; ///< [nsensordata] gradient by sensors, or NULL
    double *open, *power; ///< [nv], [nactuator] of sn_actuatorPower
} snParameterStage;

#endif
