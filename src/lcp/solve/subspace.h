// A step over the rows that are free: those of contacts that stick, the normals of those that slide, what
// stands at no bound. For them w = 0 is a linear system. Sweeps solve it slowly where bodies that stick to
// each other move as a beam does: a tower of n boxes takes some n^4 of them to stop swaying. Conjugate
// residuals (Stiefel 1955) end after as many products as A has different eigenvalues, and in least squares
// where rows depend on each other. What leaves its bounds is put back, which sweeps then mend (subspace
// minimisation after projected Gauss-Seidel: Silcowitz, Niebe and Erleben 2010).
#ifndef SINEW_LCP_SOLVE_SUBSPACE_H
#define SINEW_LCP_SOLVE_SUBSPACE_H

#include "lcp/solve/system.h"

/// scale [4 nquad]: 1 / sqrt(A_ii) of rows that are free at x, else 0.
void sn_freeRows(const snLcpSystem* s, double* scale);

/// Numbers of work for a system.
size_t sn_subspaceWork(const snLcpSystem* s);

/// Whether a step ends by itself within a few times the work of so many sweeps: A is symmetric, and its rank,
/// at most ncoord, is no larger than that.
bool sn_subspacePays(const snLcpSystem* s, int sweeps);

/// Moves x to P(x + d), w + A d = 0 in the free rows, if that has a smaller natural residual than `residual`,
/// that of x; else x and dV stay. Returns the residual; *products receives the number of products with A,
/// each about the work of a sweep. work [sn_subspaceWork], 64-byte aligned.
double sn_subspaceStep(snLcpSystem* s, double residual, double* work, int* products);

#endif
