// Derivatives of a whole step: linearisation, products with vectors both ways, gradients over many steps.
//
// A step takes the state x = (position [nv], qvel [nv], act [na]), nx = 2 nv + na numbers, and what drives it
// (ctrl, qfrc_applied, xfrc_applied) to the next state and to the sensors of the state before the step, as
// sn_step leaves them. Positions move and are compared in the tangent space of sn_integratePos: as qvel, of
// quaternions rotations about the body's axes.
//
// The derivative is exact where the step is smooth. Held are the set of contacts, the state of each
// constraint (efc_state), saturated actuators and the pieces of wrapped tendons; at a switch it is that of
// the piece that the state is in. The solver's optimum is first polished to rounding, and differentiated by
// the implicit function theorem: one factor of its Hessian serves all columns. docs/derivatives.md has the
// theory. Loops held exactly keep their equations, and the projection after a step is differentiated as what
// it converges to: next states stay closed whatever the change.
//
// None needs anything computed before: sn_forward is called at the state of d. Afterwards the state is what
// it was, and what is computed is that of sn_forward, with qacc and the constraint forces polished.
// Errors, which leave all outputs as they were: UNSUPPORTED, what has no derivative here, named, with the way
// out (sn_transitionFD takes everything): noslip iterations, functions of the user (d->callback), contact
// lcp, implicit steps with opt.servo at SN_SERVO_END, constraints so stiff that rounding hides the rest, and
// what a part of the step says, exact loops over spatial tendons or such as stay open too; ARGUMENT, a state
// that is not finite or that a step would reset; NO_MEMORY, no room in the arena for the matrices (some 8 (nx
// + nu) (3 nx + nsensordata) bytes, four times that under RK4; with loops 8 nv (nx + nu + 30 nv) more).
#ifndef SINEW_DERIVATIVE_H
#define SINEW_DERIVATIVE_H

#include <sinew/data.h>
#include <sinew/parameter.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A [nx x nx] and B [nx x nu], the next state by state and ctrl; C [nsensordata x nx] and D [nsensordata x
/// nu], the sensors by both. Row-major; NULL: not wanted. C and D of a model whose flag `sensor` is off are
/// zero. Cost: a few evaluations of sn_forward and O(nv^2 (nx + nu)); allocates nothing.
/// Source: seed 001, "Derivatives"; implicit function theorem at the optimum of the solver.
SN_API snStatus sn_transitionDerivative(const snModel* m, snData* d, double* A, double* B, double* C,
                                        double* D, snError* error);

/// A direction of the state and of what drives a step. NULL: zero.
typedef struct snStepTangent {
    const double* x;    ///< [nx] state
    const double* u;    ///< [nu] ctrl
    const double* qfrc; ///< [nv] qfrc_applied
    const double* xfrc; ///< [nbody x 6] xfrc_applied (force, torque)
} snStepTangent;

/// Forward mode: how the next state, next [nx], and the sensors, sensor [nsensordata], change along a
/// direction. Either may be NULL.  Cost: as sn_transitionDerivative with one column instead of nx + nu.
SN_API snStatus sn_stepJVP(const snModel* m, snData* d, const snStepTangent* tangent, double* next,
                           double* sensor, snError* error);

/// Gradient of a scalar by the state, by what drives a step and by arrays of the model. NULL: not wanted.
typedef struct snStepGradient {
    double* x;                    ///< [nx] state
    double* u;                    ///< [nu] ctrl
    double* qfrc;                 ///< [nv] qfrc_applied
    double* xfrc;                 ///< [nbody x 6] xfrc_applied (force, torque)
    const snModelGradient* model; ///< what is wanted, and where to write it
} snStepGradient;

/// The adjoint: writes `gradient` of a scalar whose gradient by the next state is next [nx] and by the
/// sensors is sensor [nsensordata]; NULL: zero. <JVP x, y> = <x, VJP y> to rounding.
/// Cost: as sn_stepJVP (one solve); with sensors that of their columns; by arrays of the model little beside.
SN_API snStatus sn_stepVJP(const snModel* m, snData* d, const double* next, const double* sensor,
                           const snStepGradient* gradient, snError* error);

/// Gradient of one term of a loss, zero on entry: by the state and ctrl of a step and by its sensors.
typedef struct snLossGradient {
    double* x;      ///< [nx]
    double* u;      ///< [nu]
    double* sensor; ///< [nsensordata]
} snLossGradient;

/// Many steps from the state of the data, and a loss over them. The gradient of the loss is that of the
/// arrays plus that of the function.
typedef struct snRollout {
    int nstep;
    const double* ctrl;            ///< [nstep x nu]; NULL: d->ctrl all along
    const double* qfrc_applied;    ///< [nstep x nv]; NULL: d->qfrc_applied all along
    const double* gradient_x;      ///< [nstep x nx] of the loss by the state before each step; NULL: zero
    const double* gradient_end;    ///< [nx] of the loss by the last state; NULL: zero
    const double* gradient_sensor; ///< [nstep x nsensordata] of the loss by the sensors of each; NULL: zero
    /// The term of step t in [0, nstep] and its gradient, by ctrl and sensors only for t < nstep (NULL at
    /// the end); NULL: none. Called once for each t, from nstep down to 0, at the state before step t (nstep:
    /// the last state), after sn_forward. It must not change d.
    double (*loss)(const snModel* m, snData* d, int t, const snLossGradient* gradient, void* user);
    void* user;      ///< handed to `loss`
    int checkpoints; ///< states kept from the first pass, evenly spaced; 0: about sqrt(nstep)
} snRollout;

/// What sn_rolloutGradient writes. NULL: not wanted.
typedef struct snRolloutGradient {
    double loss;                  ///< sum of the terms of `loss`
    double* x;                    ///< [nx] by the first state
    double* ctrl;                 ///< [nstep x nu]
    double* qfrc;                 ///< [nstep x nv] by qfrc_applied
    double* xfrc;                 ///< [nstep x nbody x 6] by xfrc_applied, which is that of d all along
    const snModelGradient* model; ///< by arrays of the model, which are those of m all along
} snRolloutGradient;

/// Gradient of a loss over a rollout, by the adjoint of each step from the last to the first.
///
/// States (SN_STATE_INTEGRATION, warm start and all) are kept at `checkpoints` steps of a first pass; from
/// each the steps up to the next are done again, to the same bits, their states kept, and gone through
/// backwards. So memory is (checkpoints + nstep/checkpoints) states, least at sqrt(nstep), one allocation at
/// the start; the number of checkpoints does not change a bit of the result.
/// Cost: two steps, an sn_forward and an sn_stepVJP for each step.
/// Afterwards the state and the inputs of d are those of the start.
/// Errors: those of sn_stepVJP, with the step; ARGUMENT, also a step that diverged. Outputs stay as they were
/// but for `ctrl`, `qfrc` and `xfrc`, of which later steps may have been written.
SN_API snStatus sn_rolloutGradient(const snModel* m, snData* d, const snRollout* rollout,
                                   snRolloutGradient* gradient, snError* error);

#ifdef __cplusplus
}
#endif
#endif
