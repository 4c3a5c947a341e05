// Sparse matrices in compressed rows: of row r the numbers mat[rowadr[r]] ... mat[rowadr[r] + rownnz[r] - 1],
// whose columns stand at the same places of colind. Nothing allocates.
#ifndef SINEW_SPARSE_H
#define SINEW_SPARSE_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The numbers of mat [nr x nc] that are not 0, row by row: res and colind [nnz], rownnz and rowadr [nr].
/// Returns 1 when there are more than nnz, or nnz is below 1: those that had room have been written; else 0.
SN_API int sn_dense2sparse(double* res, const double* mat, int nr, int nc, int* rownnz, int* rowadr,
                           int* colind, int nnz);

/// res [nr x nc] = the sparse matrix, 0 elsewhere; where a column stands twice in a row the last counts. The
/// rows must be good by sn_badSparseRow.
SN_API void sn_sparse2dense(double* res, const double* mat, int nr, int nc, const int* rownnz,
                            const int* rowadr, const int* colind);

/// The first row that reaches outside of nnz numbers, or whose columns are not all in [0, nc); -1: none.
SN_API int sn_badSparseRow(int nr, int nc, int nnz, const int* rownnz, const int* rowadr, const int* colind);

#ifdef __cplusplus
}
#endif
#endif
