// Symmetric matrices that are banded but for some dense rows at the end: an arrow with a thick shaft.
//
// Of n = ntotal rows the first ntotal - ndense hold `nband` numbers each, those of the columns i - nband + 1
// ... i of row i, the diagonal last (columns below 0 are there, and no number is looked for in them); the
// last ndense rows hold all ntotal columns. Only the lower triangle counts. One array of (ntotal - ndense)
// nband + ndense ntotal numbers. ndense <= ntotal, and nband > 0 where there are banded rows. Nothing
// allocates.
#ifndef SINEW_BAND_H
#define SINEW_BAND_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How many numbers such a matrix has; -1 when the sizes are none of one.
SN_API int64_t sn_bandSize(int ntotal, int nband, int ndense);

/// Where the diagonal of row i stands in the array.
SN_API int sn_bandDiag(int i, int ntotal, int nband, int ndense);

/// res [ntotal x ntotal] = mat, with its upper triangle where flg_sym is not 0, else 0 there.
SN_API void sn_band2Dense(double* res, const double* mat, int ntotal, int nband, int ndense, int flg_sym);

/// res = what of mat [ntotal x ntotal] such a matrix can hold; numbers of res that stand for no element of
/// the lower triangle stay as they are.
SN_API void sn_dense2Band(double* res, const double* mat, int ntotal, int nband, int ndense);

/// res = mat vec for nvec vectors one after the other, res and vec [nvec x ntotal]; of the lower triangle
/// alone where flg_sym is 0. Cost: O(nvec size of mat).
SN_API void sn_bandMulMatVec(double* res, const double* mat, const double* vec, int ntotal, int nband,
                             int ndense, int nvec, int flg_sym);

/// mat + diagadd + diagmul diag(mat) = L L', L in the place of mat. Returns the least square of the diagonal
/// of L, 0 when one is below SN_MINVAL (mat is spoilt then), -1 for no rows.
/// Cost: O(ntotal nband^2) for the band.  Source: Golub and Van Loan 2013, 4.3.5.
SN_API double sn_cholFactorBand(double* mat, int ntotal, int nband, int ndense, double diagadd,
                                double diagmul);

/// res = inv(L L') vec, L of sn_cholFactorBand; res may be vec.
SN_API void sn_cholSolveBand(double* res, const double* mat, const double* vec, int ntotal, int nband,
                             int ndense);

#ifdef __cplusplus
}
#endif
#endif
