// Quadratic cost in an ellipsoid: the friction of one elliptic contact for a given normal force (seed 001,
// "PGS").
#include <assert.h>
#include <math.h>
#include <string.h>
#include "math/elementary/elementary.h"
#include "solver/dual.h"

enum { MOST = 5 };

// Lower triangular L with L L' = A + shift I. false: not positive definite.
static bool cholesky(const double* A, double shift, int n, double L[MOST][MOST])
{
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = A[i * n + j] + (i == j ? shift : 0);
            for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
            if (i > j)
                L[i][j] = sum / L[j][j];
            else if (sum > 1e-10 * (A[i * n + i] + shift))
                L[j][j] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

// x <- inv(L) x
static void solveLower(double L[MOST][MOST], int n, double* x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[i][k] * x[k];
        x[i] /= L[i][i];
    }
}

// x <- inv(L') x
static void solveUpper(double L[MOST][MOST], int n, double* x)
{
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= L[k][i] * x[k];
        x[i] /= L[i][i];
    }
}

static double dot(const double* a, const double* b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// v = -inv(A + lambda I) b and the square of its length in the metric of inv(A + lambda I). false: A + lambda
// I is singular.
static bool solveShifted(const double* A, const double* b, double lambda, int n, double* v, double* metric)
{
    double L[MOST][MOST], w[MOST];
    if (!cholesky(A, lambda, n, L)) return false;
    for (int i = 0; i < n; i++) v[i] = -b[i];
    solveLower(L, n, v);
    solveUpper(L, n, v);
    memcpy(w, v, (size_t)n * sizeof(double));
    solveLower(L, n, w);
    *metric = dot(w, w, n);
    return true;
}

// The same for n = 2, by far the most common, through the adjugate.
static bool solveShifted2(const double* A, const double* b, double lambda, double* v, double* metric)
{
    const double a = A[0] + lambda, c = A[1], e = A[3] + lambda, det = a * e - c * c;
    if (!(det > 1e-10 * a * e)) return false;
    const double inv = 1 / det;
    v[0] = (c * b[1] - e * b[0]) * inv;
    v[1] = (c * b[0] - a * b[1]) * inv;
    *metric = (e * v[0] * v[0] - 2 * c * v[0] * v[1] + a * v[1] * v[1]) * inv;
    return true;
}

// The least of the quadratic cost in a sphere: v(0), if it is inside; else the lambda for which |v| = r, by
// Newton's method on 1/|v| - 1/r, which is concave and almost straight, so that from anywhere it falls below
// the root once at the most and then rises to it (More and Sorensen 1983):
//     lambda += |v|^2 / (v' inv(A + lambda) v) (|v| - r) / r.
// |b| / r - trace A is below the root. v is left on the sphere. Where A is singular the walk starts at 1e-10
// trace A. lambda: in a guess, out the result.
static void minimiseInSphere(const double* A, const double* b, double r, int n, double* lambda, double* v)
{
    double trace = 0, least = 0, metric, excess = 0, square = 0;
    for (int i = 0; i < n; i++) trace += A[i * n + i];
    const double below = sqrt(dot(b, b, n)) / r - trace;
    *lambda = *lambda > below ? *lambda : below > 0 ? below : 0;
    for (int iteration = 0; iteration < 50; iteration++) {
        if (!(n == 2 ? solveShifted2(A, b, *lambda, v, &metric)
                     : solveShifted(A, b, *lambda, n, v, &metric))) {
            least = *lambda = sn_max(10 * *lambda, 1e-10 * trace + SN_MINVAL);
            continue;
        }
        square = dot(v, v, n);
        excess = sqrt(square) / r - 1;
        if (excess <= 0 && *lambda <= least) return;
        if (fabs(excess) < 1e-12) break;
        const double next = *lambda + square / metric * excess;
        *lambda = next > least ? next : least;
    }
    for (int i = 0; i < n; i++) v[i] /= 1 + excess;
}

void sn_minimiseInEllipsoid(const double* A, const double* b, const double* mu, double r, int n,
                            double* lambda, double* x)
{
    assert(n > 0 && n <= MOST && !(r < 0));
    double scaled[MOST * MOST], g[MOST], v[MOST] = {0}, largest = 0; // 0 if no shift makes A regular
    int live[MOST], count = 0;
    for (int i = 0; i < n; i++) largest = sn_max(mu[i] * mu[i] * A[i * n + i], largest);
    for (int i = 0; i < n; i++) {
        x[i] = 0; // and so it stays where A is rounding: a direction in which nothing moves
        if (mu[i] * mu[i] * A[i * n + i] > 1e-16 * largest) live[count++] = i;
    }
    if (!count || !(r > 0)) return;
    for (int i = 0; i < count; i++) {
        g[i] = mu[live[i]] * b[live[i]];
        for (int j = 0; j < count; j++)
            scaled[i * count + j] = mu[live[i]] * mu[live[j]] * A[live[i] * n + live[j]];
    }
    minimiseInSphere(scaled, g, r, count, lambda, v);
    for (int i = 0; i < count; i++) x[live[i]] = mu[live[i]] * v[i];
}

void sn_dualFriction(const double* block, const double* res, const double* f, const double* mu, int dim,
                     double* lambda, double* x)
{
    assert(dim > 1 && dim - 1 <= MOST);
    const int n = dim - 1;
    double A[MOST * MOST], b[MOST];
    for (int i = 0; i < n; i++) {
        b[i] = res[i + 1];
        for (int j = 0; j < n; j++) {
            A[i * n + j] = block[(i + 1) * dim + j + 1];
            b[i] -= A[i * n + j] * f[j + 1];
        }
    }
    sn_minimiseInEllipsoid(A, b, mu, f[0], n, lambda, x);
}
