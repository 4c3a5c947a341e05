// Rows in a step of the integrator discrete: their springs and dampers act at its end. A row's reference is
// -B (v + h a) - K d (r + h (v + h a)); what hangs on its own acceleration a goes to the left, which divides
// by
//     s = 1 + h B + h^2 K d:   aref = -(B v + K d (r + h v)) / s,   R = (1-d)/d A / s,
// with A the diagonal of J inv(M^) J', M^ the matrix of the step (smooth/step_metric.h).
#ifndef SINEW_CONSTRAINT_STEP_ROWS_H
#define SINEW_CONSTRAINT_STEP_ROWS_H

#include <sinew/data.h>
#include "constraint/impedance.h"

/// R of a row with ratio (1-d)/d and the approximate diagonal `diag` of A in M; d counts as SN_MAXIMP at most
/// after s.
real sn_stepR(const snModel* m, const snKbip* k, real ratio, real diag);

/// efc_aref of the step from what it is without: -B v - K d r, and what velocities alone add.
void sn_referenceStepRows(const snModel* m, snData* d);

/// efc_R, efc_D and efc_diagApprox from efc_R0: A is scaled by what the diagonals of M^ and of M tell about
/// the row; diagonal [nv], that of M^. The edges of a pyramid go by the first, a cone by its normal.
void sn_weighStepRows(const snModel* m, snData* d, const real* diagonal);

#endif
