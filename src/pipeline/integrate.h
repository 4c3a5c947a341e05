// What the integrators share.
#ifndef SINEW_PIPELINE_INTEGRATE_H
#define SINEW_PIPELINE_INTEGRATE_H

#include <sinew/pipeline.h>
#include "loop/closing/project.h"
#include "loop/damper.h"
#include "pipeline/rk4.h"
#include "smooth/inertia/damped.h"

/// act += h act_dot as its dynamics has it; v += h a; q = q (+) h w, with w the given velocity or, if NULL,
/// the new v; t += h. Saves the warm start, and before all that the histories. begin: how the loops stood
/// where the step began; NULL: as they do in d.
void sn_advance(const snModel* m, snData* d, const double* act_dot, const double* acceleration,
                const double* velocity, const snLoopStanding* begin);

/// The acceleration [nv] of a step of Euler or of an implicit integrator, from qacc and the forces; valid
/// until the next. As sn_Euler and sn_implicit say. factored: qH is the factor of M + hD already.
const double* sn_eulerAcceleration(const snModel* m, snData* d, bool factored);
const double* sn_implicitAcceleration(const snModel* m, snData* d);

/// sum [n] = sum over stages s of weight[s] x[s], x [SN_RK4_STAGES x n].
void sn_combineStages(double* sum, const double* weight, const double* x, int n);

#endif
