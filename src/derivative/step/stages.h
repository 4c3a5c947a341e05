// The states that a step of Runge-Kutta's method looks at.
#ifndef SINEW_DERIVATIVE_STEP_STAGES_H
#define SINEW_DERIVATIVE_STEP_STAGES_H

#include "pipeline/integrate.h"

typedef struct snStages {
    double *v, *a;    ///< [SN_RK4_STAGES x nv] rates of position and accelerations
    double* rate;     ///< [SN_RK4_STAGES x na] act_dot
    double* mean;     ///< [(SN_RK4_STAGES + 1) x nv] rate that leads to the position of each; of the result
    double* meanRate; ///< [na] of the result
    double *qpos, *qvel, *act, time; ///< where the step begins
} snStages;

/// Scratch of d, and the state of d as the beginning; false: no room.
bool sn_stagesBegin(const snModel* m, snData* d, snStages* stages);

/// Sets the state of stage s, for which those before it must be kept.
void sn_stageEnter(const snModel* m, snData* d, snStages* stages, int s);

/// Keeps rate of position, acceleration and act_dot of stage s, after sn_forwardPolished; of the last one the
/// means too.
void sn_stageKeep(const snModel* m, const snData* d, snStages* stages, int s);

/// dv [nv x stride], the change of the velocities of stage s, becomes that of its rates of position; dmean
/// [nv x stride] that of its mean rate. d is at the stage.
void sn_stageRatesAlong(const snModel* m, const snData* d, const snStages* stages, int s, const double* dmean,
                        double* dv, int stride);

/// The adjoint: g [nv], the gradient by the rates of stage s, becomes that by its velocities, and gmean [nv]
/// += that by its mean rate; s > 0, all stages are kept.
void sn_stageRatesAdjoint(const snModel* m, const snStages* stages, int s, double* g, double* gmean);

/// Where the step leads to, qpos [nq] and qvel [nv]; all stages are kept.
void sn_stagesResult(const snModel* m, const snStages* stages, double* qpos, double* qvel);

/// Back to the beginning.
void sn_stagesEnd(const snModel* m, snData* d, const snStages* stages);

/// How activation k of actuator i after the step follows its value before and its mean rate.
void sn_stagesActivation(const snModel* m, const snStages* stages, int i, int k, double* byAct,
                         double* byRate);

#endif
