// Matrices of given singular values, and products, for tests of ranks.
#ifndef SINEW_TEST_RANDOM_MATRIX_H
#define SINEW_TEST_RANDOM_MATRIX_H

#include <math.h>
#include <string.h>
#include "random_tree.h"

enum { SIDE = 24, FULL = SIDE * SIDE }; // the largest that these hold

static inline void randomMatrix(Random* r, int count, double* A)
{
    for (int i = 0; i < count; i++) A[i] = randomReal(r);
}

/// C [m x n] = A [m x k] B [k x n]
static inline void product(const double* A, const double* B, int m, int k, int n, double* C)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int c = 0; c < k; c++) sum += A[i * k + c] * B[c * n + j];
            C[i * n + j] = sum;
        }
}

/// B [n x m] = A'
static inline void transposed(const double* A, int m, int n, double* B)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) B[j * m + i] = A[i * n + j];
}

static inline double largestOf(const double* A, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        if (!(fabs(A[i]) <= largest)) largest = fabs(A[i]); // NaN, too
    return largest;
}

static inline double farthest(const double* A, const double* B, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        if (!(fabs(A[i] - B[i]) <= largest)) largest = fabs(A[i] - B[i]);
    return largest;
}

/// A [m x n] <- (1 - 2 v v' / v'v) A for some v
static inline void reflectRows(Random* r, double* A, int m, int n)
{
    double v[SIDE], square = 0;
    for (int i = 0; i < m; i++) {
        v[i] = randomReal(r);
        square += v[i] * v[i];
    }
    for (int c = 0; c < n; c++) {
        double along = 0;
        for (int i = 0; i < m; i++) along += v[i] * A[i * n + c];
        for (int i = 0; i < m; i++) A[i * n + c] -= 2 * along / square * v[i];
    }
}

/// A [m x n] with the singular values s [min(m, n)] and random vectors.
static inline void withSingularValues(Random* r, int m, int n, const double* s, double* A)
{
    double T[FULL] = {0};
    for (int i = 0; i < m && i < n; i++) T[i * m + i] = s[i]; // A' [n x m]
    for (int round = 0; round < 3; round++) reflectRows(r, T, n, m);
    transposed(T, n, m, A);
    for (int round = 0; round < 3; round++) reflectRows(r, A, m, n);
}

#endif
