// A step in parts, for those who make many from one state.
#ifndef SINEW_PIPELINE_STEP_H
#define SINEW_PIPELINE_STEP_H

#include <sinew/pipeline.h>

/// The integrator of a step: opt.integrator, but where contacts are rigid, which find the velocity after a
/// step, one that does so, too: Euler's unless it is discrete.
int sn_integratorOf(const snModel* m);

/// What may stand in for sn_fwdConstraint, for many steps about one state.
typedef struct snOwnSolver {
    /// Writes what sn_fwdConstraint writes, or returns false to have it called. skipstage: of this step.
    bool (*solve)(const snModel* m, snData* d, int skipstage, void* arg);
    void* arg;
    /// Nobody looks at the factor of M and at qacc_smooth: they are computed only for sn_fwdConstraint. No
    /// callbacks, no closures, no rigid contact.
    bool lean;
    bool damped; ///< steps that skip position find qH at the factor of M + hD of sn_Euler
} snOwnSolver;

/// sn_step without what is already there, see sn_forwardSkip, and with another solver (may be NULL), which
/// the later stages of RK4 have not. A step by RK4 leaves what depends on position and velocity at that of
/// its last stage, any other at that of the state before the step.
void sn_stepBy(const snModel* m, snData* d, int skipstage, int skipsensor, const snOwnSolver* own);

#endif
