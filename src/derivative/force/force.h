// Derivatives of the forces that are neither bias nor constraint: passive forces, actuators, applied forces,
// and the paths of tendons and actuators behind them.
//
// All is at the state of the data, after sn_forward, and leaves it as it is. What is held: which way a tendon
// goes around its geoms, which contacts an adhesion acts on, and at a limit of a range (control, force,
// activation) the side that holds the number: at the bound itself the derivative is the one from within.
// Matrices are dense, row by row; positions change by the tangent dq of sn_integratePos.
//
// Errors: UNSUPPORTED with the name of the element for what has no derivative here (callbacks, contacts that
// sn_contactGeometry does not know); NO_MEMORY when the arena has no room for scratch. What they add to is of
// no use then.
#ifndef SINEW_DERIVATIVE_FORCE_FORCE_H
#define SINEW_DERIVATIVE_FORCE_FORCE_H

#include <sinew/data.h>
#include "derivative/linear.h"
#include "smooth/velocity_derivative.h"

/// H [nv x nv] += scale d ten_J(t, row) / dq(column). Not symmetric where a ball or free joint turns.
/// Cost: O(sites depth nv).
void sn_tendonLengthDerivative(const snModel* m, const snData* d, int t, double scale, double* H);

/// The same of the moment arms of actuator i, but for adhesion (transmission on a body): nothing is added.
void sn_momentDerivative(const snModel* m, const snData* d, int i, double scale, double* H);

/// The same of force `axis` of orientation servo i, of which sn_momentDerivative adds nothing.
void sn_axisMomentDerivative(const snModel* m, const snData* d, int i, int axis, double scale, double* H);

/// The same of adhesion i, whose arms are those of contacts. On an error, that of sn_contactGeometry, nothing
/// is added.
snStatus sn_adhesionDerivative(const snModel* m, snData* d, int i, double scale, double* H, snError* error);

/// gradient [nv] += scale d actuator_length(i) / dq. Not the moment arms where these leave the turn of a
/// rotation vector or of a reference site out.
void sn_actuatorLengthGradient(const snModel* m, const snData* d, int i, double scale, double* gradient);

/// The same of length `axis` of orientation servo i.
void sn_axisLengthGradient(const snModel* m, const snData* d, int i, int axis, double scale,
                           double* gradient);

/// sum += d qfrc_passive.
snStatus sn_passiveDerivative(const snModel* m, snData* d, snForceDerivative* sum, snError* error);

/// sum += d qfrc_actuator. Dofs whose force stands beyond jnt_actfrcrange have zero rows.
snStatus sn_actuatorDerivative(const snModel* m, snData* d, snForceDerivative* sum, snError* error);

/// wrench [nbody x 6] (torque about the tree's centre of mass, force) += xfrc_applied; sum->q += S_i' (change
/// of these wrenches as the bodies move), the axes S_i held: their part is that of any wrench held in the
/// world. qfrc_applied has no derivative.
snStatus sn_appliedDerivative(const snModel* m, snData* d, double* wrench, snForceDerivative* sum,
                              snError* error);

/// Of the activations after a step. The list is scratch of d.
snStatus sn_activationDerivative(const snModel* m, snData* d, snActivationSlopes* slopes, snError* error);

/// The same of act_dot.
snStatus sn_activationRateDerivative(const snModel* m, snData* d, snActivationSlopes* slopes, snError* error);

/// How D = qDeriv as sn_smoothVelAt makes it changes D w at held w [nv]: q, v [nv x nv], act
/// [nv x na], u [nv x nu] += d(D w). NULL: not wanted.
snStatus sn_dampingDerivative(const snModel* m, snData* d, const double* w, snGyroBodies bias, double* q,
                              double* v, double* act, double* u, snError* error);

#endif
