#include <sinew/band.h>
#include <math.h>
#include <sinew/types.h>
#include <sinew/vector.h>

typedef struct Band {
    int ntotal, nband, nsparse; ///< the first nsparse rows are banded
} Band;

static Band bandOf(int ntotal, int nband, int ndense)
{
    return (Band){ntotal, nband, ntotal - ndense};
}

int64_t sn_bandSize(int ntotal, int nband, int ndense)
{
    if (ntotal < 0 || nband < 0 || ndense < 0 || ndense > ntotal || (nband == 0 && ndense < ntotal))
        return -1;
    const int64_t banded = (int64_t)(ntotal - ndense) * nband, dense = (int64_t)ndense * ntotal;
    return banded + dense;
}

// Offset of element (i, 0), should it be stored: i nband + nband - 1 - i >= 0 in a banded row.
static size_t rowStart(const Band* b, int i)
{
    const int64_t nband = b->nband, dense = i - b->nsparse;
    return (size_t)(dense < 0 ? (i + (int64_t)1) * (nband - 1) : b->nsparse * nband + dense * b->ntotal);
}

static int firstColumn(const Band* b, int i)
{
    return i >= b->nsparse || i < b->nband ? 0 : i - b->nband + 1;
}

// Below row j: the rows to look at are those in reach of the band, then the dense ones.
static int nextRow(const Band* b, int j, int i)
{
    i++;
    return i < b->nsparse && i - j >= b->nband ? b->nsparse : i;
}

int sn_bandDiag(int i, int ntotal, int nband, int ndense)
{
    const int64_t nsparse = (int64_t)ntotal - ndense;
    if (i < nsparse) return (int)((int64_t)i * nband + nband - 1);
    return (int)(nsparse * nband + (i - nsparse) * ntotal + i);
}

void sn_band2Dense(double* res, const double* mat, int ntotal, int nband, int ndense, int flg_sym)
{
    const Band b = bandOf(ntotal, nband, ndense);
    const size_t n = (size_t)ntotal;
    for (size_t k = 0; k < n * n; k++) res[k] = 0;
    for (int i = 0; i < ntotal; i++) {
        const double* row = mat + rowStart(&b, i);
        for (int j = firstColumn(&b, i); j <= i; j++) {
            res[(size_t)i * n + (size_t)j] = row[j];
            if (flg_sym) res[(size_t)j * n + (size_t)i] = row[j];
        }
    }
}

void sn_dense2Band(double* res, const double* mat, int ntotal, int nband, int ndense)
{
    const Band b = bandOf(ntotal, nband, ndense);
    for (int i = 0; i < ntotal; i++) {
        const int first = firstColumn(&b, i);
        sn_copy(res + rowStart(&b, i) + first, mat + (size_t)i * (size_t)ntotal + first, i - first + 1);
    }
}

void sn_bandMulMatVec(double* res, const double* mat, const double* vec, int ntotal, int nband, int ndense,
                      int nvec, int flg_sym)
{
    const Band b = bandOf(ntotal, nband, ndense);
    for (int k = 0; k < nvec; k++, res += ntotal, vec += ntotal) {
        for (int i = 0; i < ntotal; i++) {
            const int first = firstColumn(&b, i);
            const double* row = mat + rowStart(&b, i);
            res[i] = sn_dot(row + first, vec + first, i - first + 1);
            if (flg_sym) sn_addToScl(res + first, row + first, vec[i], i - first);
        }
    }
}

// a_ij - sum over k < j of L_ik L_jk
static double remaining(const Band* b, const double* mat, int i, int j)
{
    const double *row = mat + rowStart(b, i), *other = mat + rowStart(b, j);
    const int first_i = firstColumn(b, i), first_j = firstColumn(b, j);
    const int first = first_i > first_j ? first_i : first_j;
    return row[j] - sn_dot(row + first, other + first, j - first);
}

double sn_cholFactorBand(double* mat, int ntotal, int nband, int ndense, double diagadd, double diagmul)
{
    const Band b = bandOf(ntotal, nband, ndense);
    double least = -1;
    for (int j = 0; j < ntotal; j++) {
        double* diagonal = mat + rowStart(&b, j) + j;
        const double pivot = remaining(&b, mat, j, j) + (diagadd + diagmul * *diagonal);
        if (pivot < SN_MINVAL) return 0;
        if (j == 0 || pivot < least) least = pivot;
        *diagonal = sqrt(pivot);
        const double inv = 1 / *diagonal;
        for (int i = nextRow(&b, j, j); i < ntotal; i = nextRow(&b, j, i))
            mat[rowStart(&b, i) + (size_t)j] = remaining(&b, mat, i, j) * inv;
    }
    return least;
}

void sn_cholSolveBand(double* res, const double* mat, const double* vec, int ntotal, int nband, int ndense)
{
    const Band b = bandOf(ntotal, nband, ndense);
    sn_copy(res, vec, ntotal);
    for (int i = 0; i < ntotal; i++) {
        const double* row = mat + rowStart(&b, i);
        const int first = firstColumn(&b, i);
        res[i] = (res[i] - sn_dot(row + first, res + first, i - first)) / row[i];
    }
    for (int i = ntotal - 1; i >= 0; i--) {
        const double* row = mat + rowStart(&b, i);
        const int first = firstColumn(&b, i);
        res[i] /= row[i];
        sn_addToScl(res + first, row + first, -res[i], i - first);
    }
}
