#include <sinew/sparse.h>

int sn_dense2sparse(double* res, const double* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind,
                    int nnz)
{
    int count = 0;
    if (nnz <= 0) return 1;
    for (int r = 0; r < nr; r++) {
        const double* row = mat + (size_t)r * (size_t)nc;
        rownnz[r] = 0;
        rowadr[r] = count;
        for (int c = 0; c < nc; c++) {
            if (row[c] == 0) continue;
            if (count == nnz) return 1;
            res[count] = row[c];
            colind[count++] = c;
            rownnz[r]++;
        }
    }
    return 0;
}

void sn_sparse2dense(double* res, const double* mat, int nr, int nc, const int* rownnz, const int* rowadr,
                     const int* colind)
{
    for (size_t k = 0; k < (size_t)nr * (size_t)nc; k++) res[k] = 0;
    for (int r = 0; r < nr; r++) {
        const double* values = mat + rowadr[r];
        const int* columns = colind + rowadr[r];
        for (int k = 0; k < rownnz[r]; k++) res[(size_t)r * (size_t)nc + (size_t)columns[k]] = values[k];
    }
}

int sn_badSparseRow(int nr, int nc, int nnz, const int* rownnz, const int* rowadr, const int* colind)
{
    for (int r = 0; r < nr; r++) {
        if (rownnz[r] < 0 || rowadr[r] < 0 || rownnz[r] > nnz || rowadr[r] > nnz - rownnz[r]) return r;
        for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++)
            if (colind[k] < 0 || colind[k] >= nc) return r;
    }
    return -1;
}
