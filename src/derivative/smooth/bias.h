// Derivatives of the force that inertia and gravity ask for.
#ifndef SINEW_DERIVATIVE_SMOOTH_BIAS_H
#define SINEW_DERIVATIVE_SMOOTH_BIAS_H

#include <sinew/data.h>

/// q, v [nv x nv] += derivatives by position and by velocity, qacc [nv] held, of
///     M qacc + bias - sum over bodies of J_b' wrench_b,
/// row i the force on dof i; tendons' armature included. wrench [nbody x 6]: torque about the centre of mass
/// of the body's tree, force, held in the world; NULL: none. q or v may be NULL.
/// Reads: cdof, cdof_dot, cinert, cvel, opt.gravity; with armature of tendons what sn_tendonBias reads. On an
/// error q and v are as they were: SN_STATUS_NO_MEMORY when the arena is full, SN_STATUS_UNSUPPORTED for
/// armature of a tendon around geoms. Cost: O(nv depth).
snStatus sn_biasDerivative(const snModel* m, snData* d, const double* qacc, const double* wrench, double* q,
                           double* v, snError* error);

/// The same to rows that are `stride` numbers apart; without `add`, q and v are set.
snStatus sn_biasDerivativeTo(const snModel* m, snData* d, const double* qacc, const double* wrench,
                             int stride, bool add, double* q, double* v, snError* error);

/// sn_biasDerivative without wrenches and without armature of tendons: of the bodies alone.
snStatus sn_bodyBiasDerivative(const snModel* m, snData* d, const double* qacc, double* q, double* v,
                               snError* error);

/// A full arena as an error.
snStatus sn_failRoom(snError* error);

#endif
