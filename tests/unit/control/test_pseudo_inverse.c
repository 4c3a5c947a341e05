// Singular values, pseudo-inverses, projectors and bases at every rank, against what defines them.
#include <sinew/pseudo_inverse.h>
#include "model_text.h"
#include "control/random_matrix.h"
#include <float.h>

static double work[16 * FULL];
static const int SHAPES[][2] = {{1, 1}, {1, 7},   {7, 1},   {3, 5},   {5, 3},
                                {6, 6}, {12, 24}, {24, 12}, {24, 24}, {2, 24}};
enum { NSHAPES = sizeof SHAPES / sizeof *SHAPES };

static void checkIdentity(const double* A, int n, double tolerance)
{
    for (int i = 0; i < n * n; i++) assert_true(fabs(A[i] - (i % (n + 1) == 0)) <= tolerance);
}

static void checkSymmetric(const double* A, int n, double tolerance)
{
    double T[FULL];
    transposed(A, n, n, T);
    assert_true(farthest(A, T, n * n) <= tolerance);
}

static void workIsEnough(void** state)
{
    (void)state;
    for (int i = 0; i < NSHAPES; i++) assert_true(sn_rankWork(SHAPES[i][0], SHAPES[i][1]) <= 16 * FULL);
    assert_true(sn_rankWork(-1, 3) == 0 && sn_rankWork(3, -1) == 0);
}

// ---- singular values

static void checkFactors(const double* A, int m, int n, const double* s, double tolerance)
{
    const int k = m < n ? m : n;
    double U[FULL], V[FULL], T[FULL], square[FULL], again[FULL], found[SIDE];
    sn_singularValues(A, m, n, -1, found, U, V, work);
    for (int i = 0; i < k; i++) assert_true(fabs(found[i] - s[i]) <= tolerance * s[0]);
    for (int i = 1; i < k; i++) assert_true(found[i] <= found[i - 1]);
    transposed(U, m, k, T);
    product(T, U, k, m, k, square);
    checkIdentity(square, k, 1e-14);
    transposed(V, n, k, T);
    product(T, V, k, n, k, square);
    checkIdentity(square, k, 1e-14);
    for (int i = 0; i < m * k; i++) U[i] *= found[i % k];
    product(U, T, m, k, n, again);
    assert_true(farthest(A, again, m * n) <= tolerance * s[0]);
}

static void valuesAreThoseGiven(void** state)
{
    (void)state;
    Random r = {11};
    double A[FULL], s[SIDE];
    for (int i = 0; i < NSHAPES; i++)
        for (int lost = 0; lost <= 3; lost++) {
            const int m = SHAPES[i][0], n = SHAPES[i][1], k = m < n ? m : n;
            for (int j = 0; j < k; j++) s[j] = j < k - lost ? pow(10, -j * 0.4) : 0;
            withSingularValues(&r, m, n, s, A);
            checkFactors(A, m, n, s, 1e-14);
        }
}

// Closed forms: sum of a row, [[3, 0], [4, 5]] with 3 sqrt 5 and sqrt 5, Hilbert's 3 x 3.
static void valuesOfClosedForms(void** state)
{
    (void)state;
    double s[3];
    assert_int_equal(sn_singularValues((const double[]){1, 2, 2}, 1, 3, -1, s, NULL, NULL, work), 1);
    assert_true(fabs(s[0] - 3) < 1e-15);
    assert_int_equal(sn_singularValues((const double[]){1, 0, 1, 0}, 2, 2, -1, s, NULL, NULL, work), 1);
    assert_true(fabs(s[0] - sqrt(2)) < 1e-15 &&
                s[1] == 0); // nothing of the second row is left, not even rounding
    assert_int_equal(sn_singularValues((const double[]){3, 0, 4, 5}, 2, 2, -1, s, NULL, NULL, work), 2);
    assert_true(fabs(s[0] - 3 * sqrt(5)) < 4e-15 && fabs(s[1] - sqrt(5)) < 2e-15);
    const double hilbert[] = {1, 1. / 2, 1. / 3, 1. / 2, 1. / 3, 1. / 4, 1. / 3, 1. / 4, 1. / 5};
    assert_int_equal(sn_singularValues(hilbert, 3, 3, -1, s, NULL, NULL, work), 3);
    assert_true(fabs(s[0] - 1.408318927123654) < 1e-15 && fabs(s[1] - 0.1223270658539058) < 1e-15);
    assert_true(fabs(s[2] - 0.002687340355773) < 1e-15);
    assert_true(fabs(s[0] * s[1] * s[2] * 2160 - 1) < 1e-12); // the determinant
}

// A = diag(d) B with d over 60 decades: A A' has the determinant d^2 det(B B'), and each value is found to
// its own last digits. B a rotation by 3 axes times a mild triangle.
static void gradedValuesKeepTheirDigits(void** state)
{
    (void)state;
    Random r = {5};
    const double one[] = {1, 1, 1, 1};
    double Q[16], A[16], s[4];
    withSingularValues(&r, 4, 4, one, Q);
    const double d[] = {1e30, 1e-30, 1e10, 1e-10};
    for (int i = 0; i < 16; i++) A[i] = d[i / 4] * Q[i];
    assert_int_equal(sn_singularValues(A, 4, 4, 0, s, NULL, NULL, work), 4);
    const double sorted[] = {1e30, 1e10, 1e-10, 1e-30};
    for (int i = 0; i < 4; i++) assert_true(fabs(s[i] / sorted[i] - 1) < 1e-14);
}

static void scalesDoNotMatter(void** state)
{
    (void)state;
    Random r = {21};
    double A[FULL], B[FULL], s[SIDE], t[SIDE], P[FULL], R[FULL];
    randomMatrix(&r, 15, A);
    sn_singularValues(A, 3, 5, -1, s, NULL, NULL, work);
    sn_pseudoInverse(A, 3, 5, -1, P, work);
    const int exponents[] = {-1000, -500, 500, 1000};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 15; j++) B[j] = ldexp(A[j], exponents[i]);
        assert_int_equal(sn_singularValues(B, 3, 5, -1, t, NULL, NULL, work), 3);
        for (int j = 0; j < 3; j++) assert_true(t[j] == ldexp(s[j], exponents[i]));
        assert_int_equal(sn_pseudoInverse(B, 3, 5, -1, R, work), 3);
        for (int j = 0; j < 15; j++)
            assert_true(fabs(ldexp(R[j], exponents[i]) - P[j]) <= 1e-14 * fabs(P[j]));
    }
}

// Numbers of any size, with zeros, repeated rows and columns: vectors stay orthonormal, products come back.
static void hostileMatrices(void** state)
{
    (void)state;
    Random r = {22};
    double A[FULL], s[SIDE];
    for (int round = 0; round < 2000; round++) {
        const int m = 1 + randomInt(&r, 10), n = 1 + randomInt(&r, 10), spread = 1 << randomInt(&r, 11);
        for (int i = 0; i < m * n; i++) A[i] = ldexp(randomReal(&r), (int)(spread * randomReal(&r)));
        for (int i = 0; i < m * n; i++)
            if (randomInt(&r, 3) == 0) A[i] = 0;
        if (round % 3 == 0) memcpy(A, A + (m - 1) * n, (size_t)n * sizeof(double));
        if (round % 5 == 0)
            for (int i = 0; i < m; i++) A[i * n] = A[i * n + n - 1];
        const double largest = largestOf(A, m * n);
        if (largest > 1e150)
            for (int i = 0; i < m * n; i++) A[i] *= 1e-160; // the test's own products
        sn_singularValues(A, m, n, -1, s, NULL, NULL, work);
        checkFactors(A, m, n, s, 1e-13);
    }
}

// ---- ranks

static void ranksByTolerance(void** state)
{
    (void)state;
    Random r = {3};
    double A[FULL], s[SIDE], found[SIDE];
    for (int i = 0; i < NSHAPES; i++) {
        const int m = SHAPES[i][0], n = SHAPES[i][1], k = m < n ? m : n;
        for (int full = 0; full <= k; full++) {
            const double tolerance = 1e-6;
            for (int j = 0; j < k; j++) s[j] = j < full ? tolerance * 10 : tolerance / 10;
            withSingularValues(&r, m, n, s, A);
            double N[FULL], P[FULL];
            assert_int_equal(sn_singularValues(A, m, n, tolerance, found, NULL, NULL, work), full);
            assert_int_equal(sn_pseudoInverse(A, m, n, tolerance, P, work), full);
            assert_int_equal(sn_nullProjector(A, m, n, tolerance, N, work), full);
            assert_int_equal(sn_nullBasis(A, m, n, tolerance, N, work), full);
        }
    }
}

// About the default max(m, n) eps s_1: what rounding of A itself makes of a zero stays below.
static void ranksByDefault(void** state)
{
    (void)state;
    Random r = {4};
    double A[FULL], B[FULL], C[FULL], s[SIDE];
    for (int i = 0; i < NSHAPES; i++) {
        const int m = SHAPES[i][0], n = SHAPES[i][1], k = m < n ? m : n, longest = m < n ? n : m;
        for (int rank = 0; rank <= k; rank++) {
            randomMatrix(&r, m * rank, A);
            randomMatrix(&r, rank * n, B);
            product(A, B, m, rank, n, C);
            assert_int_equal(sn_singularValues(C, m, n, -1, s, NULL, NULL, work), rank);
            for (int j = 0; j < k; j++) s[j] = j == 0 ? 1 : (j < rank ? 10 : 0.1) * longest * DBL_EPSILON;
            if (rank == 0 || longest < 6) continue; // 0.1 of the tolerance must be above A's own rounding
            double D[FULL] = {0};
            for (int j = 0; j < k; j++) D[j * n + j] = s[j];
            assert_int_equal(sn_singularValues(D, m, n, -1, s, NULL, NULL, work), rank);
        }
    }
}

// Two rows 1e-9 apart: full rank by default, with an inverse of that size; one row at a tolerance above.
static void nearlyDependentRows(void** state)
{
    (void)state;
    const double d = 1e-9, A[] = {1, 1, 0, 1, 1, d};
    double P[6], again[4], N[9];
    assert_int_equal(sn_pseudoInverse(A, 2, 3, -1, P, work), 2);
    product(A, P, 2, 3, 2, again);
    checkIdentity(again, 2, 1e-6);
    assert_true(fabs(P[4] * d + 1) < 1e-6 && fabs(P[5] * d - 1) < 1e-6);
    assert_int_equal(sn_pseudoInverse(A, 2, 3, 1e-8, P, work), 1);
    for (int i = 0; i < 4; i++) assert_true(fabs(P[i] - 0.25) < 1e-9);
    assert_true(fabs(P[4]) < 1e-9 && fabs(P[5]) < 1e-9);
    assert_int_equal(sn_nullProjector(A, 2, 3, 1e-8, N, work), 1);
    assert_true(fabs(N[8] - 1) < 1e-9);
    assert_int_equal(sn_nullProjector(A, 2, 3, -1, N, work), 2);
    assert_true(fabs(N[8]) < 1e-6);
}

// ---- pseudo-inverses

static void checkPenrose(const double* A, const double* X, int m, int n, double tolerance)
{
    double AX[FULL], XA[FULL], again[FULL];
    product(A, X, m, n, m, AX);
    product(X, A, n, m, n, XA);
    product(AX, A, m, m, n, again);
    assert_true(farthest(again, A, m * n) <= tolerance * largestOf(A, m * n));
    product(XA, X, n, n, m, again);
    assert_true(farthest(again, X, m * n) <= tolerance * largestOf(X, m * n));
    checkSymmetric(AX, m, tolerance);
    checkSymmetric(XA, n, tolerance);
}

static void penrose(void** state)
{
    (void)state;
    Random r = {7};
    double A[FULL], X[FULL], s[SIDE];
    for (int i = 0; i < NSHAPES; i++)
        for (int lost = 0; lost <= 3; lost++) {
            const int m = SHAPES[i][0], n = SHAPES[i][1], k = m < n ? m : n;
            for (int j = 0; j < k; j++) s[j] = j < k - lost ? 1 + 0.3 * j : 0;
            withSingularValues(&r, m, n, s, A);
            assert_int_equal(sn_pseudoInverse(A, m, n, -1, X, work), k > lost ? k - lost : 0);
            checkPenrose(A, X, m, n, 1e-13);
        }
}

// Full column rank: X A = 1. Full row rank: A X = 1. Of 1 x n and n x 1 it is a' / a'a.
static void leftAndRightInverses(void** state)
{
    (void)state;
    Random r = {8};
    double A[FULL], X[FULL], again[FULL];
    for (int i = 0; i < NSHAPES; i++) {
        const int m = SHAPES[i][0], n = SHAPES[i][1];
        if (m == n && n > 6) continue; // random and square: too near to singular
        randomMatrix(&r, m * n, A);
        sn_pseudoInverse(A, m, n, -1, X, work);
        if (m >= n) product(X, A, n, m, n, again);
        if (m < n) product(A, X, m, n, m, again);
        checkIdentity(again, m < n ? m : n, 1e-12);
        if (m > 1 && n > 1) continue;
        double square = 0;
        for (int j = 0; j < m * n; j++) square += A[j] * A[j];
        for (int j = 0; j < m * n; j++) assert_true(fabs(X[j] - A[j] / square) <= 1e-14 * fabs(X[j]));
    }
}

static void zeroAndEmpty(void** state)
{
    (void)state;
    double A[12] = {0}, X[12], N[16], Z[16], s[4], U[12], V[12];
    assert_int_equal(sn_pseudoInverse(A, 3, 4, -1, X, work), 0);
    assert_true(largestOf(X, 12) == 0);
    assert_int_equal(sn_dampedPseudoInverse(A, 3, 4, 0, X, work), 0);
    assert_int_equal(sn_dampedPseudoInverse(A, 3, 4, 1e-3, X, work), 0);
    assert_true(largestOf(X, 12) == 0);
    assert_int_equal(sn_nullProjector(A, 3, 4, -1, N, work), 0);
    checkIdentity(N, 4, 0);
    assert_int_equal(sn_nullBasis(A, 3, 4, -1, Z, work), 0);
    double T[16];
    transposed(Z, 4, 4, T);
    product(T, Z, 4, 4, 4, N);
    checkIdentity(N, 4, 0);
    checkFactors(A, 3, 4, (const double[]){0, 0, 0}, 0);
    checkFactors(A, 4, 3, (const double[]){0, 0, 0}, 0);
    assert_int_equal(sn_singularValues(A, 0, 4, -1, s, U, V, work), 0);
    assert_int_equal(sn_singularValues(A, 4, 0, -1, s, U, V, work), 0);
    assert_int_equal(sn_pseudoInverse(A, 0, 4, -1, X, work), 0);
    assert_int_equal(sn_nullProjector(A, 0, 4, -1, N, work), 0);
    checkIdentity(N, 4, 0);
    assert_int_equal(sn_nullBasis(A, 0, 4, -1, Z, work), 0);
    checkIdentity(Z, 4, 0);
}

// A'(AA' + d^2)^-1 solves X (AA' + d^2) = A'; no larger than 1 / (2 d); d = 0 is the pseudo-inverse.
static void damped(void** state)
{
    (void)state;
    Random r = {9};
    double A[FULL], X[FULL], P[FULL], G[FULL], T[FULL], again[FULL], s[SIDE];
    for (int i = 0; i < NSHAPES; i++)
        for (int lost = 0; lost <= 1; lost++) {
            const int m = SHAPES[i][0], n = SHAPES[i][1], k = m < n ? m : n;
            const double damping = 0.05;
            for (int j = 0; j < k; j++) s[j] = j < k - lost ? pow(10, -2. * j / k) : 0;
            withSingularValues(&r, m, n, s, A);
            assert_int_equal(sn_dampedPseudoInverse(A, m, n, damping, X, work), k - lost);
            transposed(A, m, n, T);
            product(A, T, m, n, m, G);
            for (int j = 0; j < m; j++) G[j * m + j] += damping * damping;
            product(X, G, n, m, m, again);
            assert_true(farthest(again, T, m * n) <= 1e-14);
            sn_singularValues(X, n, m, -1, s, NULL, NULL, work);
            assert_true(s[0] <= 1 / (2 * damping) * (1 + 1e-14));
            assert_int_equal(sn_dampedPseudoInverse(A, m, n, 0, X, work), k - lost);
            sn_pseudoInverse(A, m, n, -1, P, work);
            assert_true(farthest(X, P, m * n) == 0);
        }
}

// Far below the default tolerance it is the formula, too: s / (s^2 + d^2).
static void dampedSmallValues(void** state)
{
    (void)state;
    double X[4];
    assert_int_equal(sn_dampedPseudoInverse((const double[]){1, 0, 0, 1e-17}, 2, 2, 1e-9, X, work), 1);
    assert_true(fabs(X[0] - 1) < 1e-15 && fabs(X[3] - 10) < 1e-14 && X[1] == 0 && X[2] == 0);
    assert_int_equal(sn_dampedPseudoInverse((const double[]){1e-200, 0, 0, 0}, 2, 2, 1e-200, X, work), 1);
    assert_true(fabs(X[0] / 0.5e200 - 1) < 1e-15 && X[3] == 0);
}

// ---- weighted

static void makeInertia(Random* r, int n, double* M)
{
    double B[FULL], T[FULL];
    randomMatrix(r, n * n, B);
    transposed(B, n, n, T);
    product(B, T, n, n, n, M);
    for (int i = 0; i < n; i++) M[i * n + i] += 0.5;
}

// X is M's inverse of A exactly where A X A = A, X A X = X, A X = (A X)' and M X A = (M X A)'.
static void weighted(void** state)
{
    (void)state;
    Random r = {10};
    double A[FULL], M[FULL], X[FULL], AX[FULL], XA[FULL], again[FULL], s[SIDE];
    for (int i = 0; i < NSHAPES; i++)
        for (int lost = 0; lost <= 2; lost++) {
            const int m = SHAPES[i][0], n = SHAPES[i][1], k = m < n ? m : n;
            for (int j = 0; j < k; j++) s[j] = j < k - lost ? 1 + 0.1 * j : 0;
            withSingularValues(&r, m, n, s, A);
            makeInertia(&r, n, M);
            const int rank = k > lost ? k - lost : 0;
            assert_int_equal(sn_weightedPseudoInverse(A, m, n, M, -1, X, work), rank);
            product(A, X, m, n, m, AX);
            product(X, A, n, m, n, XA);
            product(AX, A, m, m, n, again);
            assert_true(farthest(again, A, m * n) <= 1e-12);
            product(XA, X, n, n, m, again);
            assert_true(farthest(again, X, m * n) <= 1e-12);
            checkSymmetric(AX, m, 1e-12);
            product(M, XA, n, n, n, again);
            checkSymmetric(again, n, 1e-11);
        }
}

// The dynamically consistent inverse of one row a: M^-1 a' / (a M^-1 a'). M = diag(1, 4), a = (1, 2).
static void dynamicallyConsistent(void** state)
{
    (void)state;
    double X[2];
    assert_int_equal(
        sn_weightedPseudoInverse((const double[]){1, 2}, 1, 2, (const double[]){1, 0, 0, 4}, -1, X, work), 1);
    assert_true(fabs(X[0] - 0.5) < 1e-15 && fabs(X[1] - 0.25) < 1e-15);
}

static void weightMustBePositive(void** state)
{
    (void)state;
    const double A[] = {1, 2};
    double X[2] = {3, 3};
    const double wrong[][4] = {{1, 0, 0, 0}, {0, 0, 0, 1},   {1, 2, 2, 1},
                               {1, 1, 1, 1}, {1, 0, NAN, 1}, {INFINITY, 0, 0, 1}};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(sn_weightedPseudoInverse(A, 1, 2, wrong[i], -1, X, work), -1);
        assert_true(X[0] == 3 && X[1] == 3);
    }
}

// ---- null spaces

static void nullSpaces(void** state)
{
    (void)state;
    Random r = {12};
    double A[FULL], N[FULL], Z[FULL], T[FULL], again[FULL], s[SIDE];
    for (int i = 0; i < NSHAPES; i++)
        for (int lost = 0; lost <= 3; lost++) {
            const int m = SHAPES[i][0], n = SHAPES[i][1], k = m < n ? m : n;
            for (int j = 0; j < k; j++) s[j] = j < k - lost ? pow(10, -4. * j / k) : 0;
            withSingularValues(&r, m, n, s, A);
            const int rank = sn_nullProjector(A, m, n, -1, N, work);
            assert_int_equal(rank, k > lost ? k - lost : 0);
            product(N, N, n, n, n, again);
            assert_true(farthest(again, N, n * n) <= 1e-14); // N N = N
            transposed(N, n, n, T);
            assert_true(farthest(T, N, n * n) == 0);
            product(A, N, m, n, n, again);
            assert_true(largestOf(again, m * n) <= 1e-14);
            sn_pseudoInverse(N, n, n, 0.5, again, work); // N+ = N
            assert_true(farthest(again, N, n * n) <= 1e-14);
            const int nullity = n - sn_nullBasis(A, m, n, -1, Z, work);
            assert_int_equal(nullity, n - rank);
            product(A, Z, m, n, nullity, again);
            assert_true(largestOf(again, m * nullity) <= 1e-14);
            transposed(Z, n, nullity, T);
            product(T, Z, nullity, n, nullity, again);
            checkIdentity(again, nullity, 1e-14);
            product(Z, T, n, nullity, n, again);
            assert_true(farthest(again, N, n * n) <= 1e-14);
        }
}

static void numbersMustBeFinite(void** state)
{
    (void)state;
    const double wrong[] = {NAN, INFINITY, -INFINITY}, M[] = {1, 0, 0, 1};
    double A[] = {1, 2, 3, 4}, X[4] = {7, 7, 7, 7}, s[2];
    for (int i = 0; i < 3; i++)
        for (int at = 0; at < 4; at++) {
            const double kept = A[at];
            A[at] = wrong[i];
            assert_int_equal(sn_singularValues(A, 2, 2, -1, s, NULL, NULL, work), -1);
            assert_int_equal(sn_pseudoInverse(A, 2, 2, -1, X, work), -1);
            assert_int_equal(sn_dampedPseudoInverse(A, 2, 2, 1, X, work), -1);
            assert_int_equal(sn_weightedPseudoInverse(A, 2, 2, M, -1, X, work), -1);
            assert_int_equal(sn_nullProjector(A, 2, 2, -1, X, work), -1);
            assert_int_equal(sn_nullBasis(A, 2, 2, -1, X, work), -1);
            A[at] = kept;
        }
    assert_int_equal(sn_dampedPseudoInverse(A, 2, 2, -1, X, work), -1);
    assert_int_equal(sn_dampedPseudoInverse(A, 2, 2, NAN, X, work), -1);
    for (int i = 0; i < 4; i++) assert_true(X[i] == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workIsEnough),
        cmocka_unit_test(valuesAreThoseGiven),
        cmocka_unit_test(valuesOfClosedForms),
        cmocka_unit_test(gradedValuesKeepTheirDigits),
        cmocka_unit_test(scalesDoNotMatter),
        cmocka_unit_test(hostileMatrices),
        cmocka_unit_test(ranksByTolerance),
        cmocka_unit_test(ranksByDefault),
        cmocka_unit_test(nearlyDependentRows),
        cmocka_unit_test(penrose),
        cmocka_unit_test(leftAndRightInverses),
        cmocka_unit_test(zeroAndEmpty),
        cmocka_unit_test(damped),
        cmocka_unit_test(dampedSmallValues),
        cmocka_unit_test(weighted),
        cmocka_unit_test(dynamicallyConsistent),
        cmocka_unit_test(weightMustBePositive),
        cmocka_unit_test(nullSpaces),
        cmocka_unit_test(numbersMustBeFinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
