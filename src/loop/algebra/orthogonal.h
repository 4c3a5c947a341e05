// Dense solutions of small systems: elimination, and orthogonal factors that tell the rank. Source: Golub and
// Van Loan 2013, 5.1 to 5.4.
#ifndef SINEW_LOOP_ALGEBRA_ORTHOGONAL_H
#define SINEW_LOOP_ALGEBRA_ORTHOGONAL_H

#include <stddef.h>

/// x [m] of least norm that solves Y Y' x = b, Y [m x n] with rows y_i, in the sense of least squares where b
/// [m] is not in its range. The product is not formed: Y' P = Q R with pivoting, R of rank r, and R = T' Z':
/// x = P Z inv(T') inv(T) Z' P' b. A diagonal of R counts above tolerance times the first. Y is overwritten;
/// order [m], work [sn_orthogonalWork]. Returns r.
int sn_solveGram(double* Y, int m, int n, double tolerance, const double* b, double* x, int* order,
                 double* work);
size_t sn_orthogonalWork(int m, int n);

#endif
