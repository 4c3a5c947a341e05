// A step in parts, for those who make many from one state.
#ifndef SINEW_PIPELINE_STEP_H
#define SINEW_PIPELINE_STEP_H

#include <sinew/pipeline.h>

/// The integrator of a step: opt.integrator, but Euler's where contacts are rigid, which find the velocity
/// after a step of that method.
int sn_integratorOf(const snModel* m);

/// sn_step without what is already there; see sn_forwardSkip. A step by RK4 leaves what depends on position
/// and velocity at that of its last stage, any other at that of the state before the step.
void sn_stepSkip(const snModel* m, snData* d, int skipstage, int skipsensor);

#endif
