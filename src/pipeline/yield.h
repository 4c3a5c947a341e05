// Springs that yield, at the end of a step.
#ifndef SINEW_PIPELINE_YIELD_H
#define SINEW_PIPELINE_YIELD_H

#include <sinew/data.h>

/// plastic of joints, from the positions after the step.
void sn_yieldJoints(const snModel* m, snData* d);

/// Whether any tendon's spring can yield.
bool sn_tendonsYield(const snModel* m);

/// plastic of tendons, from their lengths and arms before the step and its mean velocities [nv]: their
/// lengths after it, to first order, as MuJoCo has them.
void sn_yieldTendons(const snModel* m, snData* d, const double* velocity);

#endif
