// Derivatives of the constraint force J' f, f = -s'(jar), jar = J qacc - aref.
//
// All are at the state of the data, after sn_forward, and hold what efc_state and the zones of cones say.
// Source: seed 001, (8); the derivatives are worked out here.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_CONSTRAINT_H
#define SINEW_DERIVATIVE_CONSTRAINT_CONSTRAINT_H

#include <sinew/data.h>

/// Whether the options and what stands in the data have these derivatives; if not SN_STATUS_UNSUPPORTED, with
/// the name of what has none: rigid contact, noslip. Loops that are held exactly are no rows: see loop.h.
snStatus sn_constraintIsSmooth(const snModel* m, const snData* d, snError* error);

/// H [nv x nv] += J' C J, C = s''(jar): D of rows that act with their quadratic, 0 of the others, dense for
/// an elliptic cone that slides.
snStatus sn_constraintHessian(const snModel* m, snData* d, double* H, snError* error);

/// q [nv x nv] += d(J' f)/dq and v [nv x nv] += d(J' f)/dv at held qacc. All that depends on the position is
/// differentiated: Jacobians, residuals, impedances and with them D, points and frames of contacts. Either
/// may be NULL.
snStatus sn_constraintDerivative(const snModel* m, snData* d, const double* qacc, double* q, double* v,
                                 snError* error);

/// df [nefc x n]: changes of efc_force along n directions, columns of dx, dv, da [nv x n] (position,
/// velocity, qacc); NULL: none.
snStatus sn_constraintForces(const snModel* m, snData* d, const double* qacc, int n, const double* dx,
                             const double* dv, const double* da, double* df, snError* error);

#endif
