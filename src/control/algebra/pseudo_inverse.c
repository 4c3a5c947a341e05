// For each target: src/target/prelude.h.
// Pseudo-inverses, projectors and bases, each a sum over singular vectors. Source: seed 004, "left inverse",
// "right inverse", "null space"; Golub and Van Loan 2013, 5.5.
#include <sinew/pseudo_inverse.h>
#include "control/algebra/singular.h"
#include "math/elementary/elementary.h"
#include <float.h>
#include <math.h>
#include <string.h>

size_t sn_rankWork(int m, int n)
{
    if (m < 0 || n < 0) return 0;
    // of the weighted one: M's factor and A times its inverse
    return sn_singularWork(m, n) + (size_t)n * (size_t)n + (size_t)m * (size_t)n;
}

// out [width x count], its columns the given rows
static void transpose(const double* rows, int count, int width, double* out)
{
    for (size_t i = 0; i < (size_t)count; i++)
        for (size_t c = 0; c < (size_t)width; c++) out[c * (size_t)count + i] = rows[i * (size_t)width + c];
}

int sn_singularValues(const double* A, int m, int n, double tolerance, double* s, double* U, double* V,
                      double* work)
{
    snSingular f;
    if (!sn_singular(A, m, n, work, &f)) return -1;
    for (int i = 0; i < f.count; i++) s[i] = f.s[i];
    if (U) transpose(f.left, f.count, m, U);
    if (V) transpose(f.right, f.count, n, V);
    return sn_singularRank(&f, tolerance);
}

// out [rows x columns] += scale x y'
static void addProduct(double scale, const double* x, int rows, const double* y, int columns, double* out)
{
    for (int r = 0; r < rows; r++) {
        const double factor = scale * x[r];
        double* row = out + (size_t)r * (size_t)columns;
        for (int c = 0; c < columns; c++) row[c] += factor * y[c];
    }
}

// sum_i s / (s^2 + damping^2) v_i u_i' over the first `terms`, without squares that could overflow.
static void invert(const snSingular* f, int terms, double damping, double* out)
{
    const size_t m = (size_t)f->m, n = (size_t)f->n;
    for (size_t i = 0; i < m * n; i++) out[i] = 0;
    for (size_t i = 0; i < (size_t)terms; i++) {
        const double length = sn_hypot(f->s[i], damping);
        if (length > 0)
            addProduct(f->s[i] / length / length, f->right + i * n, f->n, f->left + i * m, f->m, out);
    }
}

int sn_pseudoInverse(const double* A, int m, int n, double tolerance, double* out, double* work)
{
    snSingular f;
    if (!sn_singular(A, m, n, work, &f)) return -1;
    const int rank = sn_singularRank(&f, tolerance);
    invert(&f, rank, 0, out);
    return rank;
}

int sn_dampedPseudoInverse(const double* A, int m, int n, double damping, double* out, double* work)
{
    snSingular f;
    if (!(damping >= 0 && isfinite(damping)) || !sn_singular(A, m, n, work, &f)) return -1;
    const int rank = sn_singularRank(&f, -1);
    invert(&f, damping > 0 ? f.count : rank, damping, out);
    return rank;
}

// ---- weighted

// M = L L' from its lower triangle. false: a pivot is lost in the rounding of its diagonal, or not a number.
static bool factor(const double* M, int n, double* L)
{
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = M[i * (size_t)n + j];
            for (size_t k = 0; k < j; k++) sum -= L[i * (size_t)n + k] * L[j * (size_t)n + k];
            if (j < i) {
                L[i * (size_t)n + j] = sum / L[j * (size_t)n + j];
                continue;
            }
            if (!(sum > n * DBL_EPSILON * M[i * (size_t)n + i] && isfinite(sum))) return false;
            L[i * (size_t)n + i] = sqrt(sum);
        }
    return true;
}

// B [m x n] = A inv(L')
static void divideRight(const double* A, const double* L, int m, int n, double* B)
{
    for (int r = 0; r < m; r++, A += n, B += n)
        for (int j = 0; j < n; j++) {
            const double* row = L + (size_t)j * (size_t)n;
            double sum = A[j];
            for (int k = 0; k < j; k++) sum -= row[k] * B[k];
            B[j] = sum / row[j];
        }
}

// X [n x m] <- inv(L') X
static void divideLeft(const double* L, int n, int m, double* X)
{
    for (size_t i = (size_t)n; i-- > 0;) {
        double* row = X + i * (size_t)m;
        for (int c = 0; c < m; c++) row[c] /= L[i * (size_t)n + i];
        for (size_t j = 0; j < i; j++)
            for (int c = 0; c < m; c++) X[j * (size_t)m + (size_t)c] -= L[i * (size_t)n + j] * row[c];
    }
}

// With M = L L' and y = L' x: the least |y| of all that minimise |A inv(L') y - b|.
int sn_weightedPseudoInverse(const double* A, int m, int n, const double* M, double tolerance, double* out,
                             double* work)
{
    double *L = work + sn_singularWork(m, n), *B = L + (size_t)n * (size_t)n;
    snSingular f;
    if (!factor(M, n, L)) return -1;
    divideRight(A, L, m, n, B);
    if (!sn_singular(B, m, n, work, &f)) return -1;
    const int rank = sn_singularRank(&f, tolerance);
    invert(&f, rank, 0, out);
    divideLeft(L, n, m, out);
    return rank;
}

// ---- null spaces

int sn_nullProjector(const double* A, int m, int n, double tolerance, double* N, double* work)
{
    snSingular f;
    if (!sn_singular(A, m, n, work, &f)) return -1;
    const int rank = sn_singularRank(&f, tolerance);
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++) N[i] = i % ((size_t)n + 1) == 0;
    for (int i = 0; i < rank; i++) {
        const double* v = f.right + (size_t)i * (size_t)n;
        addProduct(-1, v, n, v, n, N);
    }
    return rank;
}

int sn_nullBasis(const double* A, int m, int n, double tolerance, double* Z, double* work)
{
    snSingular f;
    if (!sn_singular(A, m, n, work, &f)) return -1;
    const int rank = sn_singularRank(&f, tolerance), nullity = n - rank;
    double* z = work + sn_singularWork(m, n);
    for (int j = 0; j < nullity; j++) {
        sn_singularNull(&f, rank, j, z);
        for (int i = 0; i < n; i++) Z[(size_t)i * (size_t)nullity + (size_t)j] = z[i];
    }
    return rank;
}
