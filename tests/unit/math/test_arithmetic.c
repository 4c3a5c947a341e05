// Vectors, band, sparse and triangular matrices, programs in boxes, scalars: invariants, edges of their
// sizes, and no number outside of the arrays (the sanitizers watch exact allocations).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/sinew.h>

static uint64_t seed;

static double random1(void)
{
    double x;
    sn_noise(&x, 1, 7, seed++);
    return x;
}

// n numbers in memory of exactly their size; to be freed.
static double* numbers(int n)
{
    double* x = malloc((size_t)n * sizeof *x + (n == 0));
    for (int i = 0; i < n; i++) x[i] = random1();
    return x;
}

// J J' + shift: positive definite.
static double* definite(int n, double shift)
{
    double *J = numbers(n * n), *A = numbers(n * n);
    sn_mulMatMatT(A, J, J, n, n, n);
    for (int i = 0; i < n; i++) A[i * n + i] += shift;
    free(J);
    return A;
}

static void assert_near(const double* a, const double* b, int n, double tolerance)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance)) fail_msg("%d: %.17g and %.17g", i, a[i], b[i]);
}

static void test_products(void** state)
{
    (void)state;
    for (int n = 0; n < 11; n++) {
        const int r = n, c = (n * 7) % 5;
        double *A = numbers(r * c), *T = numbers(r * c), *d = numbers(r), *B = numbers(r * c),
               *S = numbers(c * c), *P = numbers(c * c);
        sn_transpose(T, A, r, c);
        for (int i = 0; i < r; i++)
            for (int j = 0; j < c; j++) B[i * c + j] = d[i] * A[i * c + j];
        sn_sqrMatTD(S, A, d, r, c);
        sn_mulMatTMat(P, A, B, r, c, c);
        assert_near(S, P, c * c, 1e-13);
        sn_mulMatMat(P, T, B, c, r, c);
        assert_near(S, P, c * c, 1e-13);
        sn_symmetrize(P, S, c);
        assert_near(S, P, c * c, 0);
        free(A), free(T), free(d), free(B), free(S), free(P);
    }
}

static void test_cholesky(void** state)
{
    (void)state;
    for (int n = 0; n < 12; n++) {
        double *A = definite(n, 1), *L = numbers(n * n), *x = numbers(n), *y = numbers(n), *v = numbers(n);
        memcpy(L, A, (size_t)(n * n) * sizeof *L);
        assert_int_equal(sn_cholFactor(L, n, 1e-12), n);
        sn_cholSolve(x, L, v, n);
        sn_mulMatVec(y, A, x, n, n);
        assert_near(y, v, n, 1e-11);
        // up and down again
        double *w = numbers(n), *before = numbers(n * n);
        memcpy(before, L, (size_t)(n * n) * sizeof *L);
        memcpy(x, w, (size_t)n * sizeof *x);
        assert_int_equal(sn_cholUpdate(L, x, n, 1), n);
        memcpy(x, w, (size_t)n * sizeof *x);
        assert_int_equal(sn_cholUpdate(L, x, n, 0), n);
        assert_near(L, before, n * n, 1e-11);
        // what is taken away is more than there is
        for (int i = 0; i < n; i++) w[i] = 1e3;
        if (n) assert_true(sn_cholUpdate(L, w, n, 0) < n);
        free(A), free(L), free(x), free(y), free(v), free(w), free(before);
    }
}

static void test_band(void** state)
{
    (void)state;
    for (int n = 0; n < 9; n++)
        for (int ndense = 0; ndense <= n; ndense++)
            for (int nband = n == ndense ? 0 : 1; nband < n + 3; nband++) {
                const int size = (int)sn_bandSize(n, nband, ndense);
                double *A = definite(n, n), *band = numbers(size), *x = numbers(n), *y = numbers(n),
                       *v = numbers(n), *z = numbers(n);
                sn_dense2Band(band, A, n, nband, ndense);
                for (int i = 0; i < n; i++)
                    assert_true(band[sn_bandDiag(i, n, nband, ndense)] == A[i * n + i]);
                sn_band2Dense(A, band, n, nband, ndense, 1);
                for (int i = 0; i < n; i++) A[i * n + i] += 3 * n + 0.5 * A[i * n + i];
                sn_bandMulMatVec(y, band, v, n, nband, ndense, 1, 1);
                const double least = sn_cholFactorBand(band, n, nband, ndense, 3 * n, 0.5);
                assert_true(n ? least > 0 : least == -1);
                sn_cholSolveBand(x, band, v, n, nband, ndense);
                sn_mulMatVec(z, A, x, n, n);
                assert_near(z, v, n, 1e-11);
                for (int i = 0; i < n; i++) A[i * n + i] = (A[i * n + i] - 3 * n) / 1.5;
                sn_mulMatVec(z, A, v, n, n);
                assert_near(z, y, n, 1e-11);
                free(A), free(band), free(x), free(y), free(v), free(z);
            }
    assert_int_equal(sn_bandSize(4, 2, 5), -1);
    assert_int_equal(sn_bandSize(4, 0, 2), -1);
    assert_int_equal(sn_bandSize(INT32_MAX, INT32_MAX, 0), (int64_t)INT32_MAX * INT32_MAX);
}

static void test_sparse(void** state)
{
    (void)state;
    const double dense[6] = {0, 1, 0, 2, 0, 3};
    double values[3], back[6];
    int nnz[2], adr[2], columns[3];
    assert_int_equal(sn_dense2sparse(values, dense, 2, 3, nnz, adr, columns, 2), 1);
    assert_int_equal(sn_dense2sparse(values, dense, 2, 3, nnz, adr, columns, 3), 0);
    assert_int_equal(sn_badSparseRow(2, 3, 3, nnz, adr, columns), -1);
    sn_sparse2dense(back, values, 2, 3, nnz, adr, columns);
    assert_memory_equal(back, dense, sizeof back);
    assert_int_equal(sn_badSparseRow(2, 2, 3, nnz, adr, columns), 1);
    assert_int_equal(sn_badSparseRow(2, 3, 2, nnz, adr, columns), 1);
    adr[0] = INT32_MAX;
    assert_int_equal(sn_badSparseRow(2, 3, 3, nnz, adr, columns), 0);
    adr[0] = -1;
    assert_int_equal(sn_badSparseRow(2, 3, 3, nnz, adr, columns), 0);
}

// Karush, Kuhn and Tucker: inside the box, no gradient where it is free, a push outwards where it is held.
static void test_box_qp(void** state)
{
    (void)state;
    for (int k = 0; k < 400; k++) {
        const int n = k % 9;
        double *H = definite(n, 1e-3), *g = numbers(n), *x = numbers(n), *grad = numbers(n),
               *lower = numbers(n), *upper = numbers(n), *R = numbers(n * (n + 7));
        int* index = malloc((size_t)n * sizeof *index + 1);
        for (int i = 0; i < n; i++) {
            lower[i] = -0.1 - fabs(lower[i]);
            upper[i] = k % 3 ? 0.1 + fabs(upper[i]) : HUGE_VAL;
        }
        const int nfree = sn_boxQP(x, R, k % 2 ? index : NULL, H, g, n, lower, upper);
        assert_in_range(nfree, 0, n);
        sn_mulMatVec(grad, H, x, n, n);
        sn_addTo(grad, g, n);
        int inside = 0;
        for (int i = 0; i < n; i++) {
            assert_true(x[i] >= lower[i] && x[i] <= upper[i]);
            inside += x[i] > lower[i] && x[i] < upper[i];
            if (x[i] > lower[i]) assert_true(grad[i] < 1e-8);
            if (x[i] < upper[i]) assert_true(grad[i] > -1e-8);
        }
        assert_int_equal(inside, nfree);
        free(H), free(g), free(x), free(grad), free(lower), free(upper), free(R), free(index);
    }
}

static void test_box_qp_fails(void** state)
{
    (void)state;
    const double H[4] = {-1, 0, 0, 1}, g[2] = {1, 1}, nan[2] = {NAN, NAN}, bound[2] = {1, 1},
                 low[2] = {-1, -1};
    double x[2] = {0, 0}, R[18];
    assert_int_equal(sn_boxQP(x, R, NULL, H, g, 2, NULL, NULL), -1);
    sn_boxQP(x, R, NULL, H + 3, nan, 1, NULL, NULL);
    sn_boxQP(x, R, NULL, nan, g, 1, low, bound);
    sn_boxQP(x, R, NULL, H + 3, g, 1, nan, nan);
}

static void test_scalars(void** state)
{
    (void)state;
    assert_true(sn_Halton(6, 2) == 0.375);
    assert_true(isnan(sn_Halton(3, 1)) && isnan(sn_Halton(3, 0)) && sn_Halton(-3, 0) == 0);
    assert_true(sn_sigmoid(0.5) == 0.5 && sn_sigmoid(-1) == 0 && sn_sigmoid(2) == 1);
    // two steps are one
    static const double settings[][2] = {{1, 0.1},   {1, 2}, {1, 2 + 1e-9}, {1, 2 - 1e-9},
                                         {1e6, 1e5}, {0, 0}, {-1, 0.3},     {1, -1}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const double Kp = settings[i][0], Kv = settings[i][1], h = 1e-5, t = 0.7;
        const double x = sn_springDamper(1, -2, Kp, Kv, t);
        const double v =
            (sn_springDamper(1, -2, Kp, Kv, t + h) - sn_springDamper(1, -2, Kp, Kv, t - h)) / (2 * h);
        const double once = sn_springDamper(1, -2, Kp, Kv, 1.5 * t);
        // the velocity by differences: h^2 Kp v, and rounding over h
        assert_true(fabs(sn_springDamper(x, v, Kp, Kv, 0.5 * t) - once) < 1e-7 * (1 + fabs(once)));
    }
    double force[3] = {3, 0.4, -0.5}, mu[2] = {1, 2}, edges[4], back[3];
    sn_encodePyramid(edges, force, mu, 3);
    sn_decodePyramid(back, edges, mu, 3);
    assert_near(back, force, 3, 1e-15);
}

static void test_eigen(void** state)
{
    (void)state;
    double value[3], vector[9], quat[4], product[9], back[9];
    for (int k = 0; k < 50; k++) {
        double* A = definite(3, k % 2);
        const int turns = sn_eigenAxes(value, vector, quat, A);
        assert_in_range(turns, 0, 20);
        for (int i = 0; i < 9; i++) product[i] = vector[i] * value[i % 3];
        sn_mulMatMatT(back, product, vector, 3, 3, 3);
        assert_near(back, A, 9, 1e-5 * (1 + value[0]));
        assert_true(value[0] >= value[1] && value[1] >= value[2]);
        A[4] = INFINITY;
        assert_int_equal(sn_eigenAxes(value, vector, quat, A), 500);
        assert_true(isnan(value[0]) && isnan(vector[8]) && isnan(quat[3]));
        free(A);
    }
}

static void test_texts(void** state)
{
    (void)state;
    char text[24], small[8];
    assert_string_equal(sn_writeNumBytes(0, text), "0");
    assert_string_equal(sn_writeNumBytes(1025, text), "1025");
    assert_string_equal(sn_writeNumBytes((uint64_t)3 << 20, text), "3M");
    assert_string_equal(sn_writeNumBytes(UINT64_MAX, text), "18446744073709551615");
    assert_string_equal(sn_writeNumBytes((uint64_t)1 << 63, text), "8E");
    for (int type = 1; type < SN_NOBJECT; type++) assert_int_equal(sn_str2Type(sn_type2Str(type)), type);
    assert_null(sn_type2Str(0));
    assert_null(sn_type2Str(-1));
    assert_int_equal(sn_str2Type(""), 0);
    for (int warning = -1; warning <= SN_NWARNING; warning++)
        sn_warningMessage(warning, UINT64_MAX, small, sizeof small);
}

static void test_ray_skin(void** state)
{
    (void)state;
    const float vert[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9};
    const int face[6] = {0, 1, 2, 0, 1, 3};
    const double from[3] = {0.7, 0.1, 2}, down[3] = {0, 0, -4}, up[3] = {0, 0, 1}, none[3] = {0, 0, 0};
    int vertex = 7;
    assert_true(sn_raySkin(2, 4, face, vert, from, down, &vertex) == 0.5);
    assert_int_equal(vertex, 1);
    assert_true(sn_raySkin(2, 4, face, vert, from, up, &vertex) == -1);
    assert_int_equal(vertex, -1);
    assert_true(sn_raySkin(2, 4, face, vert, from, none, NULL) == -1);
    assert_true(sn_raySkin(0, 0, NULL, NULL, from, down, NULL) == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products), cmocka_unit_test(test_cholesky), cmocka_unit_test(test_band),
        cmocka_unit_test(test_sparse),   cmocka_unit_test(test_box_qp),   cmocka_unit_test(test_box_qp_fails),
        cmocka_unit_test(test_scalars),  cmocka_unit_test(test_eigen),    cmocka_unit_test(test_texts),
        cmocka_unit_test(test_ray_skin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
