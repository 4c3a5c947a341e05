// K G = 0, K g = k, y is a part of x, at every rank; y as the user wants it, or an error.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "loop/algebra/null_space.h"

enum { M = 7, N = 9 };

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// K of rank r, and k in its range.
typedef struct Problem {
    double K[M * N], k[M], K_left[M * N], k_left[M], G[N * N], g[N];
    int row[M], column[N];
    double excess;
    snNullSpace s;
} Problem;

static void make(Problem* p, int r, uint64_t* seed)
{
    double A[M * N], B[N * N], x[N];
    for (int i = 0; i < M * N; i++) A[i] = uniform(seed);
    for (int i = 0; i < N * N; i++) B[i] = uniform(seed);
    for (int i = 0; i < N; i++) x[i] = uniform(seed);
    for (int i = 0; i < M; i++) {
        p->k[i] = 0;
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int c = 0; c < r; c++) sum += A[i * N + c] * B[c * N + j];
            p->K[i * N + j] = sum;
            p->k[i] += sum * x[j];
        }
    }
    memcpy(p->K_left, p->K, sizeof p->K);
    memcpy(p->k_left, p->k, sizeof p->k);
    p->s = (snNullSpace){M, N, p->K_left, p->row, p->column, 0, 0};
}

static void solve(Problem* p)
{
    sn_nullSpaceBasis(&p->s, p->G);
    p->excess = sn_nullSpaceParticular(&p->s, p->k_left, p->g);
}

// lambda with K' lambda = tau = K' x; no other has a smaller norm: it is at right angles to all that K' takes
// to zero, and so is in the range of K: lambda = K z for some z, whose residual is that of least squares.
static void checkForce(const Problem* p, int r)
{
    double tau[N] = {0}, lambda[M], again[N] = {0}, work[M * (M + 1)], x[M], norm = 0, other = 0;
    for (int i = 0; i < M; i++) {
        x[i] = 1 + 0.3 * i - 0.1 * i * i;
        for (int j = 0; j < N; j++) tau[j] += p->K[i * N + j] * x[i];
    }
    sn_nullSpaceForce(&p->s, tau, lambda, work);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) again[j] += p->K[i * N + j] * lambda[i];
    for (int j = 0; j < N; j++) assert_true(fabs(again[j] - tau[j]) < 1e-10);
    // (x - lambda) is in the null space of K': at right angles to lambda
    for (int i = 0; i < M; i++) {
        norm += lambda[i] * lambda[i];
        other += (x[i] - lambda[i]) * lambda[i];
    }
    assert_true(fabs(other) < 1e-9 * (1 + norm));
    if (r == 0) assert_true(norm == 0);
}

static void check(const Problem* p, int r)
{
    const int free = N - r;
    assert_int_equal(p->s.rank, r);
    if (!(p->excess < 1e-11 && p->s.condition >= 1))
        fail_msg("rank %d: excess %g, condition %g", r, p->excess, p->s.condition);
    checkForce(p, r);
    for (int i = 0; i < M; i++) {
        double Kg = 0;
        for (int j = 0; j < N; j++) Kg += p->K[i * N + j] * p->g[j];
        assert_true(fabs(Kg - p->k[i]) < 1e-11);
        for (int c = 0; c < free; c++) {
            double KG = 0;
            for (int j = 0; j < N; j++) KG += p->K[i * N + j] * p->G[j * N + c];
            assert_true(fabs(KG) < 1e-11);
        }
    }
    for (int c = 0; c < free; c++) {
        const int x = p->column[r + c];
        assert_true(p->g[x] == 0);
        for (int k = 0; k < free; k++) assert_true(p->G[x * N + k] == (k == c));
    }
}

static void test_every_rank(void** state)
{
    (void)state;
    uint64_t seed = 1;
    for (int r = 0; r <= M; r++)
        for (int trial = 0; trial < 20; trial++) {
            Problem p;
            make(&p, r, &seed);
            sn_nullSpace(&p.s, 1e-10, -1);
            solve(&p);
            check(&p, r);
            make(&p, r, &seed);
            sn_nullSpace(&p.s, 0, r);
            solve(&p);
            check(&p, r);
        }
}

static void test_y_of_the_user(void** state)
{
    (void)state;
    uint64_t seed = 2;
    for (int r = 0; r <= M; r++) {
        Problem p;
        bool y[N] = {false};
        for (int c = 0; c < N - r; c++) y[(2 * c + 1) % N] = true;
        make(&p, r, &seed);
        assert_true(sn_nullSpaceOf(&p.s, 1e-10, y));
        solve(&p);
        check(&p, r);
        for (int c = r; c < N; c++) {
            assert_true(y[p.column[c]]);
            if (c > r) assert_true(p.column[c] > p.column[c - 1]);
        }
        // one too many, one too few
        for (int c = 0; c < N && r > 0; c++)
            if (!y[c]) {
                y[c] = true;
                make(&p, r, &seed);
                assert_false(sn_nullSpaceOf(&p.s, 1e-10, y));
                y[c] = false;
                break;
            }
        for (int c = 0; c < N; c++)
            if (y[c]) {
                y[c] = false;
                make(&p, r, &seed);
                assert_false(sn_nullSpaceOf(&p.s, 1e-10, y));
                y[c] = true;
                break;
            }
    }
}

static void test_singular_y(void** state)
{
    (void)state;
    // x_0 + x_1 = 1, x_2 free: x_2 cannot depend
    double K[3] = {1, 1, 0};
    int row[1], column[3];
    const bool y[3] = {true, true, false};
    snNullSpace s = {1, 3, K, row, column, 0, 0};
    assert_false(sn_nullSpaceOf(&s, 1e-10, y));
    // nor by what rounding left of it: its own size says nothing
    double rounded[3] = {1, 1, 1e-17};
    s.K = rounded;
    assert_false(sn_nullSpaceOf(&s, 1e-10, y));
}

static void test_inconsistent_rows_are_told(void** state)
{
    (void)state;
    double K[4] = {1, 2, 1, 2}, k[2] = {1, 1.25}, g[2];
    int row[2], column[2];
    snNullSpace s = {2, 2, K, row, column, 0, 0};
    sn_nullSpace(&s, 1e-10, -1);
    assert_int_equal(s.rank, 1);
    assert_true(fabs(sn_nullSpaceParticular(&s, k, g) - 0.25) < 1e-15);
}

static void test_not_numbers(void** state)
{
    (void)state;
    double K[4] = {NAN, 1, INFINITY, 2}, k[2] = {1, NAN}, G[4], g[2], work[6];
    int row[2], column[2];
    snNullSpace s = {2, 2, K, row, column, 0, 0};
    sn_nullSpace(&s, 1e-10, -1);
    assert_true(s.rank >= 0 && s.rank <= 2);
    sn_nullSpaceBasis(&s, G);
    sn_nullSpaceParticular(&s, k, g);
    sn_nullSpaceForce(&s, g, k, work);
}

// A strong row and one with a pivot of 1e-3, which asks for x: what comes of it under a bound of 2 + 5
// pivot/0.1.
static double boundedOf(double x, double part, bool* bounded)
{
    double K[6] = {1, 0, 0, 0, 1e-3, 0}, k[2] = {7, 1e-3 * x}, g[3];
    int row[2], column[3];
    snNullSpace s = {2, 3, K, row, column, 0, 0};
    sn_nullSpace(&s, 1e-9, -1);
    const snWeakRows weak = {part, 2, 5};
    assert_true(sn_nullSpaceBounded(&s, &weak, k, g, bounded) == 0);
    assert_true(g[0] == 7 && g[2] == 0); // a row that is not weak has what it asks for
    assert_true(sn_nullSpaceIsBounded(&s, &weak, g) == *bounded);
    return g[1];
}

static void test_weak_rows_are_bounded(void** state)
{
    (void)state;
    const double bound = 2 + 5 * 1e-3 / 0.1;
    bool bounded;
    assert_true(fabs(boundedOf(0.99 * bound, 0.1, &bounded) - 0.99 * bound) < 1e-14 && !bounded);
    assert_true(fabs(boundedOf(-1e9, 1e-4, &bounded) + 1e9) < 1e-5 && !bounded);
    assert_true(fabs(boundedOf(1e9, 0.1, &bounded) - 2 * bound) < 1e-7 && bounded);
    assert_true(fabs(boundedOf(-1e9, 0.1, &bounded) + 2 * bound) < 1e-7 && bounded);
    // without a step, and without a kink, at the bound
    const double e = 1e-5, below = boundedOf(bound * (1 - e), 0.1, &bounded);
    const double above = boundedOf(bound * (1 + e), 0.1, &bounded);
    assert_true(fabs(above - below - 2 * e * bound) < 2 * e * e * bound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_rank),  cmocka_unit_test(test_y_of_the_user),
        cmocka_unit_test(test_singular_y),  cmocka_unit_test(test_inconsistent_rows_are_told),
        cmocka_unit_test(test_not_numbers), cmocka_unit_test(test_weak_rows_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
