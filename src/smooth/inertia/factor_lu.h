// Factor and solve with an unsymmetric matrix in the sparsity of the tree: rows as D_rowadr, D_colind.
// Source: Featherstone 2008, 6.5, with U in the place of L'.
#ifndef SINEW_SMOOTH_INERTIA_FACTOR_LU_H
#define SINEW_SMOOTH_INERTIA_FACTOR_LU_H

#include "smooth/inertia/factor.h"

/// A = (U + 1) L in place, U strictly upper, L lower triangular: eliminating from the leaves fills nothing
/// in. A pivot nearer to zero than SN_MINVAL is bad and moved away to it. Cost: O(sum of depth^2).
snBadPivots sn_factorLU(const snModel* m, real* LU);

/// x [nv] <- inv(A) x
void sn_solveLU(const snModel* m, const real* LU, real* x);

/// x <- inv(M - timestep qDeriv) x for the dofs of lone bodies (damped.h), each a block of its own; the
/// others stay. Writes qLU.
snBadPivots sn_solveLone(const snModel* m, snData* d, real* x);

#endif
