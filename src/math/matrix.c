// For each target: src/target/prelude.h.
#include <sinew/matrix.h>
#include <sinew/vector.h>

static const double* rowOf(const double* mat, int row, int nc)
{
    return mat + (size_t)row * (size_t)nc;
}

// y [n] += a[0] x0 + a[1] x1 + a[2] x2 + a[3] x3, x rows of n numbers one after the other.
static inline void addFour(double* restrict y, const double a[4], const double* restrict x, int n)
{
    const double *x1 = x + n, *x2 = x1 + n, *x3 = x2 + n;
    for (int j = 0; j < n; j++) y[j] += (a[0] * x[j] + a[1] * x1[j]) + (a[2] * x2[j] + a[3] * x3[j]);
}

static inline void addOne(double* restrict y, double a, const double* restrict x, int n)
{
    for (int j = 0; j < n; j++) y[j] += a * x[j];
}

// y [nc] = a' mat, a [nr] with `stride` numbers from one to the next.
static inline void combineRows(double* y, const double* a, int stride, const double* mat, int nr, int nc)
{
    int i = 0;
    for (int j = 0; j < nc; j++) y[j] = 0;
    for (; i + 4 <= nr; i += 4) {
        const double* c = a + (size_t)i * (size_t)stride;
        const double four[4] = {c[0], c[stride], c[2 * (size_t)stride], c[3 * (size_t)stride]};
        addFour(y, four, rowOf(mat, i, nc), nc);
    }
    for (; i < nr; i++) addOne(y, a[(size_t)i * (size_t)stride], rowOf(mat, i, nc), nc);
}

void sn_mulMatVec(double* res, const double* mat, const double* vec, int nr, int nc)
{
    for (int i = 0; i < nr; i++) res[i] = sn_dot(rowOf(mat, i, nc), vec, nc);
}

void sn_mulMatTVec(double* res, const double* mat, const double* vec, int nr, int nc)
{
    combineRows(res, vec, 1, mat, nr, nc);
}

double sn_mulVecMatVec(const double* vec1, const double* mat, const double* vec2, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += vec1[i] * sn_dot(rowOf(mat, i, n), vec2, n);
    return sum;
}

void sn_transpose(double* res, const double* mat, int nr, int nc)
{
    for (int i = 0; i < nr; i++)
        for (int j = 0; j < nc; j++) res[(size_t)j * (size_t)nr + (size_t)i] = rowOf(mat, i, nc)[j];
}

void sn_symmetrize(double* res, const double* mat, int n)
{
    for (size_t i = 0, size = (size_t)n; i < size; i++)
        for (size_t j = 0; j <= i; j++)
            res[i * size + j] = res[j * size + i] = 0.5 * (mat[i * size + j] + mat[j * size + i]);
}

void sn_eye(double* mat, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) *mat++ = i == j;
}

void sn_mulMatMat(double* res, const double* mat1, const double* mat2, int r1, int c1, int c2)
{
    for (int i = 0; i < r1; i++)
        combineRows(res + (size_t)i * (size_t)c2, rowOf(mat1, i, c1), 1, mat2, c1, c2);
}

void sn_mulMatMatT(double* res, const double* mat1, const double* mat2, int r1, int c1, int r2)
{
    for (int i = 0; i < r1; i++) sn_mulMatVec(res + (size_t)i * (size_t)r2, mat2, rowOf(mat1, i, c1), r2, c1);
}

void sn_mulMatTMat(double* res, const double* mat1, const double* mat2, int r1, int c1, int c2)
{
    for (int i = 0; i < c1; i++) combineRows(res + (size_t)i * (size_t)c2, mat1 + i, c1, mat2, r1, c2);
}

// The lower triangle, row by row of mat; then its mirror.
void sn_sqrMatTD(double* res, const double* mat, const double* diag, int nr, int nc)
{
    for (int i = 0; i < nc; i++)
        for (int j = 0; j <= i; j++) res[(size_t)i * (size_t)nc + (size_t)j] = 0;
    for (int k = 0; k < nr; k++) {
        const double *row = rowOf(mat, k, nc), d = diag ? diag[k] : 1;
        for (int i = 0; i < nc; i++) addOne(res + (size_t)i * (size_t)nc, row[i] * d, row, i + 1);
    }
    for (size_t i = 0, size = (size_t)nc; i < size; i++)
        for (size_t j = 0; j < i; j++) res[j * size + i] = res[i * size + j];
}
