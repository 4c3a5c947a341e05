// The exact optimum of the constraint solver's problem, where derivatives are taken.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_POLISH_H
#define SINEW_DERIVATIVE_CONSTRAINT_POLISH_H

#include <sinew/data.h>

/// Brings qacc to the minimum of the problem of sn_fwdConstraint (seed 001, (8)), until the gradient, scaled
/// by sn_solverScale, is below 1e-12 or as low as rounding lets it be, whatever opt.solver and its
/// tolerance: Newton's method from qacc, among the accelerations that loops held exactly allow. Reads: what
/// sn_forward leaves. Writes: qacc, efc_force, efc_state, qfrc_constraint; with loops what sn_loopForce does.
/// Fails, with qacc, forces and states as they were, if the gradient stays above what rounding explains.
/// Takes scratch. Cost: O(nv^3 / 3 + nefc k^2) an iteration, k the dofs of a row; mostly one or two.
snStatus sn_polish(const snModel* m, snData* d, snError* error);

#endif
