#include "loop/algebra/orthogonal.h"
#include <math.h>
#include <string.h>

static double dot(const double* a, const double* b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// Householder's reflection that takes x [n] to (result, 0, ...): 1 - scale v v', v in the place of x.
static double reflector(double* x, int n, double* scale)
{
    const double norm = sqrt(dot(x, x, n)), result = x[0] > 0 ? -norm : norm;
    x[0] -= result;
    const double square = dot(x, x, n);
    *scale = square > 0 ? 2 / square : 0;
    return result;
}

// Rows of Y, reflected so that Y' P = Q R: row k of the order holds column k of R up to its diagonal. Returns
// the rank.
static int triangulate(double* Y, int m, int n, double tolerance, int* order, double* R)
{
    const int most = m < n ? m : n;
    double first = 0;
    for (int i = 0; i < m; i++) order[i] = i;
    memset(R, 0, (size_t)m * (size_t)most * sizeof(double));
    for (int k = 0; k < most; k++) {
        int best = k;
        double largest = -1;
        for (int i = k; i < m; i++) {
            const double square = dot(Y + order[i] * n + k, Y + order[i] * n + k, n - k);
            if (square > largest) {
                largest = square;
                best = i;
            }
        }
        if (k == 0) first = largest;
        if (!(largest > tolerance * tolerance * first)) return k;
        const int kept = order[k];
        order[k] = order[best];
        order[best] = kept;
        double scale, *v = Y + order[k] * n + k;
        for (int j = 0; j < k; j++) R[k * most + j] = Y[order[k] * n + j];
        R[k * most + k] = reflector(v, n - k, &scale);
        for (int i = k + 1; i < m; i++) {
            double* y = Y + order[i] * n + k;
            const double along = scale * dot(v, y, n - k);
            for (int j = 0; j < n - k; j++) y[j] -= along * v[j];
        }
    }
    return most;
}

// R' [m x r] = Z T by reflections of its columns, which stay in its place below the diagonal of T: columns
// are copied to C [r x m], row by row.
static void factorColumns(double* C, int r, int m, double* diagonal, double* scale)
{
    for (int k = 0; k < r; k++) {
        double* v = C + k * m + k;
        diagonal[k] = reflector(v, m - k, scale + k);
        for (int j = k + 1; j < r; j++) {
            double* c = C + j * m + k;
            const double along = scale[k] * dot(v, c, m - k);
            for (int i = 0; i < m - k; i++) c[i] -= along * v[i];
        }
    }
}

size_t sn_orthogonalWork(int m, int n)
{
    const size_t most = (size_t)(m < n ? m : n);
    return 2 * (size_t)m * most + 2 * most + (size_t)m;
}

int sn_solveGram(double* Y, int m, int n, double tolerance, const double* b, double* x, int* order,
                 double* work)
{
    const int most = m < n ? m : n;
    double *R = work, *C = R + (size_t)m * (size_t)most, *diagonal = C + (size_t)m * (size_t)most,
           *scale = diagonal + most, *w = scale + most;
    const int r = triangulate(Y, m, n, tolerance, order, R);
    // R' by columns: entry i of column k is R(k, i)
    for (int k = 0; k < r; k++)
        for (int i = 0; i < m; i++)
            C[k * m + i] = i < r ? (k <= i ? R[i * most + k] : 0) : Y[order[i] * n + k];
    factorColumns(C, r, m, diagonal, scale);
    for (int i = 0; i < m; i++) w[i] = b[order[i]];
    for (int k = 0; k < r; k++) { // Z' P' b
        const double along = scale[k] * dot(C + k * m + k, w + k, m - k);
        for (int i = k; i < m; i++) w[i] -= along * C[k * m + i];
    }
    for (int i = r - 1; i >= 0; i--) { // inv(T)
        for (int j = i + 1; j < r; j++) w[i] -= C[j * m + i] * w[j];
        w[i] /= diagonal[i];
    }
    for (int i = 0; i < r; i++) { // inv(T')
        for (int j = 0; j < i; j++) w[i] -= C[i * m + j] * w[j];
        w[i] /= diagonal[i];
    }
    for (int i = r; i < m; i++) w[i] = 0;
    for (int k = r - 1; k >= 0; k--) {
        const double along = scale[k] * dot(C + k * m + k, w + k, m - k);
        for (int i = k; i < m; i++) w[i] -= along * C[k * m + i];
    }
    for (int i = 0; i < m; i++) x[order[i]] = w[i];
    return r;
}
