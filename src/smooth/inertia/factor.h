// Factor and solve with any symmetric matrix in the layout of qM (seed 000): row i at dof_Madr[i] holds
// A(i,i), A(i,parent), A(i,grandparent), ...
#ifndef SINEW_SMOOTH_INERTIA_FACTOR_H
#define SINEW_SMOOTH_INERTIA_FACTOR_H

#include <sinew/model.h>

/// A = L'DL with L unit lower triangular in the same pattern. LD [nM] receives L below D on the diagonal
/// entries, diagInv [nv] 1/D. LD may be A itself. A pivot below SN_MINVAL is raised to it; if A may be
/// `indefinite`, one of a size below SN_MINVAL is moved away from zero to it, others may be negative. Returns
/// the last (first met) dof of such a pivot, or -1. Cost: sum of depth^2/2.
int sn_factorTree(const snModel* m, const double* A, bool indefinite, double* LD, double* diagInv);

/// x [n x nv] <- inv(A) x, row by row.
void sn_solveTree(const snModel* m, const double* LD, const double* diagInv, double* x, int n);

#endif
