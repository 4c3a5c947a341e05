// Factor and solve with an unsymmetric matrix in the sparsity of the tree: rows as D_rowadr, D_colind.
// Source: Featherstone 2008, 6.5, with U in the place of L'.
#ifndef SINEW_SMOOTH_INERTIA_FACTOR_LU_H
#define SINEW_SMOOTH_INERTIA_FACTOR_LU_H

#include <sinew/model.h>

/// A = (U + 1) L in place, U strictly upper, L lower triangular: eliminating from the leaves fills nothing
/// in. A pivot nearer to zero than SN_MINVAL is moved away to it. Returns the last (first met) such dof, or
/// -1. Cost: O(sum of depth^2).
int sn_factorLU(const snModel* m, double* LU);

/// x [nv] <- inv(A) x
void sn_solveLU(const snModel* m, const double* LU, double* x);

#endif
