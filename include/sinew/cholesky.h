// Small dense factorisations: Cholesky's of a symmetric positive definite matrix, the eigenvalues of a
// symmetric 3x3 matrix. Matrices are row-major; of a symmetric one, and of its factor, only the lower
// triangle is looked at and written. Nothing allocates.
#ifndef SINEW_CHOLESKY_H
#define SINEW_CHOLESKY_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// mat [n x n] = L L', L in its place. A pivot below mindiag becomes mindiag; returns n less how many did.
/// Cost: n^3/3.
SN_API int sn_cholFactor(double* mat, int n, double mindiag);

/// res [n] = inv(L L') vec, L in mat; res may be vec.
SN_API void sn_cholSolve(double* res, const double* mat, const double* vec, int n);

/// L L' + x x', or - x x' where flg_plus is 0, as L in the place of mat; x [n] is spoilt. A pivot below
/// SN_MINVAL becomes SN_MINVAL; returns n less how many did.  Cost: O(n^2).
/// Source: rotations as in Golub and Van Loan 2013, 6.5.4.
SN_API int sn_cholUpdate(double* mat, double* x, int n, int flg_plus);

/// Symmetric mat [9] = R diag(eigval) R', eigval falling, R = eigvec [9] the matrix of the unit quaternion
/// quat. Values are good to 1e-12 relative, axes to 1e-6. Returns how many turns it took; 500, and NaN all
/// over, when there is a number in mat that is not finite.
SN_API int sn_eigenAxes(double eigval[3], double eigvec[9], double quat[4], const double mat[9]);

/// min x'Hx/2 + g'x over lower <= x <= upper, for symmetric H [n x n] that is positive definite for the
/// variables inside. lower, upper [n]: NULL: none. res [n]: where to start, then the solution. R [n (n + 7)]:
/// the first nfree^2 numbers get the Cholesky factor of H for the nfree variables that are not held at a
/// bound, whose numbers go into index [n] (NULL: not wanted); the rest is scratch. Returns nfree; -1 when H
/// is not positive definite there, or 100 steps are not enough: res is as good as it got.
/// Cost: O(nfree^3) each time that the free variables change, mostly one to five times.
/// Source: Bertsekas 1982, "Projected Newton methods for optimization problems with simple constraints".
SN_API int sn_boxQP(double* res, double* R, int* index, const double* H, const double* g, int n,
                    const double* lower, const double* upper);

#ifdef __cplusplus
}
#endif
#endif
