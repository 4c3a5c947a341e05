// The projection of positions and velocities onto the loops after a step (sn_loopProject).
//
// Newton's method for positions, q <- q (+) c with
//     M c = K' lambda,   K c = -delta,
// the change of velocities w = v + u/h with M u = K' nu, K u = K (sum of c), K where the step began, and v+
// with M (v+ - w) = K' xi, K v+ = 0 are differentiated as they are, each step of Newton's method for itself,
// until positions are closed: where the engine is content sooner, as with loops that are closed to rounding,
// this is the derivative of what it converges to. M is that of the last evaluation before: at the beginning
// of the step, or with RK4 at its last stage. Source: Ryckaert, Ciccotti and Berendsen 1977 (SHAKE); Andersen
// 1983 (RATTLE); the derivatives are worked out here.
#ifndef SINEW_DERIVATIVE_STEP_PROJECTION_H
#define SINEW_DERIVATIVE_STEP_PROJECTION_H

#include <sinew/data.h>

/// Changes of the next position and velocity, [nv x nv] each: by the position and velocity that the step led
/// to, and by the position where M is.
typedef struct snProjectionDerivative {
    double *qq, *qm;
    double *vq, *vv, *vm;
} snProjectionDerivative;

/// Whether a step ends with it.
static inline bool sn_projectsLoops(const snModel* m, const snData* d)
{
    return d->nclosure && m->opt.loop_project;
}

/// At the state where M is, after sn_forward; qpos [nq], qvel [nv]: where the step led to; h as in
/// sn_loopProject. Arrays are scratch of d. All that is computed from the state, and qvel, is another's
/// afterwards: the caller calls sn_forward. SN_STATUS_UNSUPPORTED: a loop that cannot be closed.
snStatus sn_projectionDerivative(const snModel* m, snData* d, const double* qpos, const double* qvel,
                                 double h, snProjectionDerivative* out, snError* error);

/// The same after a step of Euler or of an implicit integrator that moves with the velocity [nv]; afterwards
/// d is as before. After sn_forwardPolished.
snStatus sn_projectionOfStep(const snModel* m, snData* d, const double* velocity, snProjectionDerivative* out,
                             snError* error);

/// next [2 nv x stride]: changes of position and velocity, in place; at [nv x stride] those of the position
/// where M is. Takes scratch; false: no room.
bool sn_projectionAlong(const snModel* m, snData* d, const snProjectionDerivative* p, const double* at,
                        double* next, int stride);

/// The adjoint: from [2 nv] to [2 nv], and at [nv] += ; `from` is not `to`.
void sn_projectionAdjoint(const snModel* m, const snProjectionDerivative* p, const double* from, double* to,
                          double* at);

#endif
