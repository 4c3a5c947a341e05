// Quadratic cost in an ellipsoid: the friction of one elliptic contact for a given normal force (seed 001,
// "PGS").
#include <math.h>
#include <string.h>
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
            else if (sum > 1e-14 * (A[i * n + i] + shift))
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

// v(lambda) = -inv(A + lambda I) b has |v| = r. Newton's method on 1/|v| - 1/r, which is concave and almost
// straight, rises from lambda = 0 to the root without passing it (More and Sorensen 1983): with A + lambda =
// L L' and w = inv(L) v, lambda += |v|^2 / |w|^2 (|v| - r) / r. v is left on the sphere. When A is singular
// the walk starts at a shift that rounding cannot tell from zero.
static void minimiseInSphere(const double* A, const double* b, double r, int n, double* v)
{
    double L[MOST][MOST], w[MOST], trace = 0, lambda = 0;
    for (int i = 0; i < n; i++) trace += A[i * n + i];
    for (int iteration = 0; iteration < 50; iteration++) {
        if (!cholesky(A, lambda, n, L)) {
            lambda = fmax(10 * lambda, 1e-14 * trace + SN_MINVAL);
            continue;
        }
        for (int i = 0; i < n; i++) v[i] = -b[i];
        solveLower(L, n, v);
        solveUpper(L, n, v);
        const double length = sqrt(dot(v, v, n));
        const bool inside = length <= r;
        if (inside && iteration == 0) return;
        if (length <= r * (1 + 1e-13)) break;
        memcpy(w, v, (size_t)n * sizeof(double));
        solveLower(L, n, w);
        lambda += dot(v, v, n) / dot(w, w, n) * (length - r) / r;
    }
    const double length = sqrt(dot(v, v, n)), shrink = length > r ? r / length : 1;
    for (int i = 0; i < n; i++) v[i] *= shrink;
}

void sn_minimiseInEllipsoid(const double* A, const double* b, const double* mu, double r, int n, double* x)
{
    double scaled[MOST * MOST], g[MOST], v[MOST], largest = 0;
    int live[MOST], count = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, mu[i] * mu[i] * A[i * n + i]);
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
    minimiseInSphere(scaled, g, r, count, v);
    for (int i = 0; i < count; i++) x[live[i]] = mu[live[i]] * v[i];
}

void sn_dualFriction(const double* block, const double* res, const double* f, const double* mu, int dim,
                     double* x)
{
    const int n = dim - 1;
    double A[MOST * MOST], b[MOST];
    for (int i = 0; i < n; i++) {
        b[i] = res[i + 1];
        for (int j = 0; j < n; j++) {
            A[i * n + j] = block[(i + 1) * dim + j + 1];
            b[i] -= A[i * n + j] * f[j + 1];
        }
    }
    sn_minimiseInEllipsoid(A, b, mu, f[0], n, x);
}
