// Dense matrices as flat arrays: row-major, nr rows and nc columns; a triangular factor stands in a square
// matrix whose other half is not looked at.
//
// Results come first and are none of the inputs where nothing else is said. Sizes are 0 or more. Nothing
// allocates.
#ifndef SINEW_MATRIX_H
#define SINEW_MATRIX_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// res [nr] = mat vec, vec [nc].
SN_API void sn_mulMatVec(double* res, const double* mat, const double* vec, int nr, int nc);
/// res [nc] = mat' vec, vec [nr].
SN_API void sn_mulMatTVec(double* res, const double* mat, const double* vec, int nr, int nc);
/// vec1' mat vec2 of a square matrix [n x n].
SN_API double sn_mulVecMatVec(const double* vec1, const double* mat, const double* vec2, int n);
/// res [nc x nr] = mat'.
SN_API void sn_transpose(double* res, const double* mat, int nr, int nc);
/// res [n x n] = (mat + mat')/2; res may be mat.
SN_API void sn_symmetrize(double* res, const double* mat, int n);
/// mat [n x n] = 1.
SN_API void sn_eye(double* mat, int n);
/// res [r1 x c2] = mat1 [r1 x c1] mat2 [c1 x c2].  Cost: O(r1 c1 c2), as of the two below.
SN_API void sn_mulMatMat(double* res, const double* mat1, const double* mat2, int r1, int c1, int c2);
/// res [r1 x r2] = mat1 [r1 x c1] mat2', mat2 [r2 x c1].
SN_API void sn_mulMatMatT(double* res, const double* mat1, const double* mat2, int r1, int c1, int r2);
/// res [c1 x c2] = mat1' mat2, mat1 [r1 x c1], mat2 [r1 x c2].
SN_API void sn_mulMatTMat(double* res, const double* mat1, const double* mat2, int r1, int c1, int c2);
/// res [nc x nc] = mat' diag(d) mat, d [nr]; NULL: the identity.  Symmetric to the last bit.
SN_API void sn_sqrMatTD(double* res, const double* mat, const double* diag, int nr, int nc);

#ifdef __cplusplus
}
#endif
#endif
