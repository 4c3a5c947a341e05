// The stages in the order of seed 001, and steps in time.
#ifndef SINEW_PIPELINE_H
#define SINEW_PIPELINE_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Advances the simulation by one time step, stages 1 to 25: checks, forward dynamics, integration by
/// opt.integrator; with contact lcp by Euler's method, whatever the integrator (sn_checkOption tells). Reads
/// the state and the inputs; writes the next state. What is computed from the state (poses, contacts, forces,
/// sensors) is that of the state before the step. Allocates nothing.
SN_API void sn_step(const snModel* m, snData* d);

/// The first half of a step: stages 1 to 18, which do not need the inputs, and the callback of control.
/// Controls and forces that depend on positions and velocities are set behind it. Reads qpos, qvel. Allocates
/// nothing.
SN_API void sn_step1(const snModel* m, snData* d);
/// The second half: stages 19 to 25, from the stages of sn_step1 and the inputs as they are now (ctrl,
/// qfrc_applied, xfrc_applied). Together they are sn_step, but that RK4 models take Euler's step.
SN_API void sn_step2(const snModel* m, snData* d);

/// Forward dynamics, stages 2 to 22: qacc and all that leads to it, and sensors. The state stays, but that
/// quaternions are read as if normalised.
SN_API void sn_forward(const snModel* m, snData* d);

/// sn_forward without what is already there. skipstage: SN_STAGE_NONE skips nothing, SN_STAGE_POS what
/// depends on position alone, SN_STAGE_VEL what depends on position and velocity. skipsensor: no sensors.
SN_API void sn_forwardSkip(const snModel* m, snData* d, int skipstage, int skipsensor);

/// Stages 2 to 10: poses, inertia, contacts, constraint rows, transmissions.
SN_API void sn_fwdPosition(const snModel* m, snData* d);

/// Stages 13 to 18: velocities, passive forces, reference accelerations, bias force.
SN_API void sn_fwdVelocity(const snModel* m, snData* d);

/// qfrc_smooth [nv] = passive - bias + applied + actuator forces + J' xfrc_applied, and
/// qacc_smooth [nv] = inv(M) qfrc_smooth. Of the integrator discrete also qMstep, qH and qfrc_step,
/// qacc_smooth = inv(M + h D + h^2 K) (qfrc_smooth - qfrc_step), closed loops held, and efc_R, efc_D and
/// efc_diagApprox in that inertia; with elastic flexes elastic_rowadr, elastic_colind, elastic_value, what
/// they add to qMstep, and qacc_smooth with a scaled residual of opt.tolerance / 10 at most. Cost: O(nv
/// depth); what tendons, actuators and flexes couple across branches is solved for as the rows of an island
/// are (sn_fwdConstraint).
SN_API void sn_fwdAcceleration(const snModel* m, snData* d);

/// A NaN, infinite or larger than SN_MAXVAL number in qpos raises SN_WARN_BADQPOS with its index and, unless
/// the flag autoreset is off, resets the data.  Source: seed 001, stage 1.
SN_API void sn_checkPos(const snModel* m, snData* d);
/// Likewise in qvel: SN_WARN_BADQVEL.
SN_API void sn_checkVel(const snModel* m, snData* d);
/// Likewise in qacc: SN_WARN_BADQACC; a data that was reset gets its qacc from sn_forward. Source: seed 001,
/// stage 23.
SN_API void sn_checkAcc(const snModel* m, snData* d);

/// One semi-implicit Euler step from qacc: v += h a, q += h v. Joint damping is implicit, a solves
/// (M + h diag(damping)) a = M qacc, unless the flags eulerdamp or damper are off or no damping is positive.
/// A pivot as in sn_implicit. Saves qacc_warmstart.
SN_API void sn_Euler(const snModel* m, snData* d);

/// One Runge-Kutta step of order 4 from qacc, with three more evaluations of sn_forwardSkip (without
/// sensors). Source: seed 001, "Integrators"; Butcher tableau of the classical method.
SN_API void sn_RungeKutta(const snModel* m, snData* d);

/// One step that is implicit in velocity: v += h a, q += h v, (M - h D) a = M qacc with D = qDeriv of
/// sn_smoothVel. opt.integrator implicit: D with the bias force, by LU; else the symmetric D without it, by
/// L'DL; under physics 4.0 D has it for bodies that move by a free joint and carry no other, and then LU does
/// all. With opt.servo at SN_SERVO_END forces of servos that are limited and fall with velocity, affine in
/// it, are those at the end of the step, within their limits, and D has the slopes of those inside: see
/// docs/integrators.md; some factorisations more where servos reach or leave a limit. Reads: qfrc_smooth,
/// qfrc_constraint, and what sn_smoothVel reads.  Writes: qDeriv, qLU or qH and qHDiagInv, qpos, qvel, time,
/// qacc_warmstart. Forces that grow with velocity may make the matrix indefinite: its pivots may be negative,
/// and only one of a size below SN_MINVAL is moved away from zero to it and counted as SN_WARN_INERTIA with
/// the dof. Cost: O(nv depth^2).  Source: seed 001, "Numerical integration".
SN_API void sn_implicit(const snModel* m, snData* d);

/// Inverse dynamics: qfrc_inverse [nv] = M qacc + bias - passive forces - constraint forces, the force that
/// must come from qfrc_applied, xfrc_applied and actuators for the acceleration to be qacc.
/// Reads: the state, qacc.  Writes: all that depends on position and velocity, efc_force, qfrc_constraint,
/// qfrc_inverse, sensors. qacc stays. Flag invdiscrete: qacc is (next qvel - qvel)/timestep of a step of
/// opt.integrator; under RK4, which has no inverse, the flag does nothing. Under implicit and implicitfast
/// sn_fwdActuation is called for it, but what it writes stays as it was.
/// With contact lcp there is no inverse: many forces of rigid contacts go with one acceleration.
/// qfrc_inverse, qfrc_constraint and efc_force are NaN then, and SN_WARN_LCP counts it with -1. Cost: as
/// sn_forward without the solver.  Source: seed 001, "Inverse dynamics".
SN_API void sn_inverse(const snModel* m, snData* d);

/// sn_inverse without what is already there; see sn_forwardSkip.
SN_API void sn_inverseSkip(const snModel* m, snData* d, int skipstage, int skipsensor);

/// Constraint forces that go with qacc: efc_force, efc_state, qfrc_constraint; with contact lcp NaN, see
/// sn_inverse.  Cost: O(nefc nv).
SN_API void sn_invConstraint(const snModel* m, snData* d);

/// Compares inverse with forward dynamics, after sn_forward; stages that have constraint rows only.
/// Writes: solver_fwdinv, the norms of the differences of qfrc_constraint and of the applied forces;
/// qfrc_inverse; with contact lcp NaN where there are rows. Called by sn_step under the flag fwdinv.
SN_API void sn_compareFwdInv(const snModel* m, snData* d);

/// Range of length of an actuator, actuator_lengthrange, for the actuators that opt->mode names: kept when
/// there is one (useexisting), a joint's or tendon's limits (uselimit), or found by simulation from qpos0,
/// without contacts, gravity, springs, dampers, dry friction and actuation: the actuator is pushed to each
/// end for inttotal with an acceleration of norm accel (force at most maxforce if positive), velocities decay
/// with timeconst, and the extremes of the last interval are the range. Error (MODEL): it does not settle to
/// within tolrange of the range, the range is empty, or inttotal/timestep is above 100000. Writes m and d; d
/// is reset afterwards. Callbacks are not called. Cost: 2 inttotal/timestep steps.
SN_API snStatus sn_setLengthRange(snModel* m, snData* d, int actuator, const snLengthRange* opt,
                                  snError* error);

#ifdef __cplusplus
}
#endif
#endif
