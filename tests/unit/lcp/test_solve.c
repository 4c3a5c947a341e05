// The LCP on its own: what it refuses and how it says so, its three forms, memory that runs out, and
// iterations of numbers that overflow.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/lcp.h>
#include "base/memory.h"
#include "lcp/solve/iterate.h"

enum { N = 5 };

// A normal with two rows of friction, and two rows in boxes.
static const double A[N * N] = {3, 1, 0, 0, 1, 1, 3, 1, 0, 0, 0, 1, 3, 1, 0, 0, 0, 1, 3, 1, 1, 0, 0, 1, 3};
static const double b[N] = {-2, 0.5, -1.5, 1, -1}, mu[N] = {0, 0.3, 0.4, 0, 0};
static const double lo[N] = {0, NAN, NAN, -1, -INFINITY}, hi[N] = {INFINITY, NAN, NAN, 2, 0.1};
static const int kind[N] = {SN_LCPROW_BOX, SN_LCPROW_CONE, SN_LCPROW_CONE, SN_LCPROW_BOX, SN_LCPROW_BOX};
static const int normal[N] = {-7, 0, 0, 99, 0};

static snLcp example(void)
{
    return (snLcp){.n = N, .A = A, .b = b, .lo = lo, .hi = hi, .kind = kind, .normal = normal, .mu = mu};
}

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g, not %.17g", value, expected);
}

// ---- errors

static void refuses(const snLcp* p, const char* text)
{
    snError error = {0};
    double x[N] = {0.25, 0.25, 0.25, 0.25, 0.25};
    snLcpResult r = {.status = 77};
    const snStatus status = sn_solveLcp(p, NULL, x, NULL, &r, &error);
    assert_int_equal(status, SN_STATUS_ARGUMENT);
    if (!strstr(error.message, text)) fail_msg("\"%s\" does not say \"%s\"", error.message, text);
    for (int i = 0; i < N; i++) assert_true(x[i] == 0.25);
    assert_int_equal(r.status, 77);
    assert_true(isnan(sn_lcpResidual(p, x)));
}

static void test_sizes(void** state)
{
    (void)state;
    snLcp p = example();
    p.n = -1;
    refuses(&p, "n is -1 rows, must be from 0 to");
    p.n = INT32_MAX;
    refuses(&p, "n is 2147483647 rows, must be from 0 to");
    p = example();
    p.A = NULL;
    refuses(&p, "there is no matrix: give A, or J, or J and T");
    p = example();
    p.b = NULL;
    refuses(&p, "there is no b: give b [5]");
    snError error = {0};
    p = example();
    assert_int_equal(sn_solveLcp(&p, NULL, NULL, NULL, NULL, &error), SN_STATUS_ARGUMENT);
    assert_string_equal(error.message, "LCP: there is no lambda: give lambda [5]");
}

static void test_numbers(void** state)
{
    (void)state;
    double M[N * N], v[N];
    snLcp p = example();
    memcpy(M, A, sizeof M);
    p.A = M;
    M[2 * N + 3] = NAN;
    refuses(&p, "row 2: A[2, 3] is nan, must be finite");
    M[2 * N + 3] = 1;
    M[3 * N + 3] = -3;
    refuses(&p, "row 3: A[3, 3] is -3, must be above");
    M[3 * N + 3] = 0;
    refuses(&p, "row 3: A[3, 3] is 0, must be above");
    p = example();
    memcpy(v, b, sizeof v);
    v[4] = -INFINITY;
    p.b = v;
    refuses(&p, "row 4: b is -inf, must be finite");
    p = example();
    double x[N] = {0, NAN, 0, 0, 0};
    snError error;
    assert_int_equal(sn_solveLcp(&p, NULL, x, NULL, NULL, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "row 1: lambda is nan, where to start must be finite"));
}

static void test_bounds(void** state)
{
    (void)state;
    double v[N];
    snLcp p = example();
    memcpy(v, lo, sizeof v);
    p.lo = v;
    v[3] = 2.5;
    refuses(&p, "row 3: bounds are crossed, lo = 2.5 is above hi = 2: swap them");
    v[3] = NAN;
    refuses(&p, "row 3: bound lo is nan");
    v[3] = -1;
    v[0] = -1;
    refuses(&p, "row 0: it is the normal of friction in row 1, so its bounds must be 0 and infinity");
    p = example();
    memcpy(v, hi, sizeof v);
    p.hi = v;
    v[4] = -INFINITY;
    refuses(&p, "row 4: no number is within its bounds");
}

static void test_friction(void** state)
{
    (void)state;
    double m[N];
    int k[N];
    snLcp p = example();
    memcpy(m, mu, sizeof m);
    p.mu = m;
    m[2] = 0;
    refuses(&p, "row 2: mu is 0, must be above 0");
    m[2] = NAN;
    refuses(&p, "row 2: mu is nan, must be above 0");
    p.mu = NULL;
    refuses(&p, "row 1: friction without a coefficient: give the array mu");
    p = example();
    p.normal = NULL;
    refuses(&p, "row 1: friction without a normal: give the array normal");
    memcpy(k, normal, sizeof k);
    p.normal = k;
    k[2] = 5;
    refuses(&p, "row 2: normal is 5, must be a row in [0, 5)");
    k[2] = INT32_MIN;
    refuses(&p, "row 2: normal is -2147483648, must be a row in [0, 5)");
    k[2] = 1;
    refuses(&p, "row 2: its normal, row 1, is itself of friction, must be of kind box");
    p = example();
    memcpy(k, kind, sizeof k);
    p.kind = k;
    k[2] = SN_LCPROW_FRICTION;
    refuses(&p, "row 2: friction and cone at one normal, row 0: make both of one kind, as row 1");
    k[2] = 3;
    refuses(&p, "row 2: kind is 3, must be 0 (box), 1 (friction) or 2 (cone)");
}

static void test_blocks(void** state)
{
    (void)state;
    int block[N] = {1, 1, 1, 2, 2};
    double x[N] = {0}, y[N] = {0};
    snLcp p = example();
    p.block = block;
    assert_int_equal(sn_solveLcp(&p, NULL, x, NULL, NULL, NULL), SN_STATUS_OK);
    p.block = NULL;
    assert_int_equal(sn_solveLcp(&p, NULL, y, NULL, NULL, NULL), SN_STATUS_OK);
    for (int i = 0; i < N; i++) near(x[i], y[i], 1e-9);
    p.block = block;
    block[3] = 1;
    refuses(&p, "row 3: block 1 holds row 0, too: a block is one normal with its friction");
    block[3] = 2;
    block[2] = 5;
    refuses(&p, "row 0: block 1 must have all 3 rows of its contact, and has 2");
}

static void test_blocks_are_small(void** state)
{
    (void)state;
    enum { M = 9 };
    double I[M * M] = {0}, q[M] = {0}, m[M], x[M] = {0};
    int block[M] = {0}, kinds[M], normals[M] = {0};
    snError error;
    for (int i = 0; i < M; i++) {
        I[i * M + i] = m[i] = 1;
        kinds[i] = i > 0;
    }
    snLcp p = {.n = M, .A = I, .b = q, .block = block};
    assert_int_equal(sn_solveLcp(&p, NULL, x, NULL, NULL, &error), SN_STATUS_ARGUMENT);
    assert_string_equal(error.message, "LCP: row 0: block 0 has 9 rows, at most 8");
    p = (snLcp){.n = M, .A = I, .b = q, .kind = kinds, .normal = normals, .mu = m};
    assert_int_equal(sn_solveLcp(&p, NULL, x, NULL, NULL, &error), SN_STATUS_ARGUMENT);
    assert_string_equal(error.message, "LCP: row 8: its normal, row 0, has more than 7 rows of friction");
}

static void test_options(void** state)
{
    (void)state;
    static const struct {
        snLcpOption opt;
        const char* text;
    } wrong[] = {
        {{.method = 7, .omega = 1}, "method is 7"},
        {{.method = -1, .omega = 1}, "method is -1"},
        {{.method = SN_LCP_SOR, .omega = 0}, "omega is 0, must be above 0"},
        {{.method = SN_LCP_JACOBI, .omega = -1}, "omega is -1, must be above 0"},
        {{.method = SN_LCP_SOR, .omega = NAN}, "omega is nan"},
        {{.method = SN_LCP_GS, .omega = 1, .sweeps = -3}, "sweeps is -3, must be 0 or more"},
        {{.method = SN_LCP_GS, .omega = 1, .tolerance = NAN}, "tolerance is nan, must be 0 or more"},
        {{.method = SN_LCP_GS, .omega = 1, .tolerance = -1}, "tolerance is -1, must be 0 or more"},
    };
    const snLcp p = example();
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        snError error;
        double x[N] = {0};
        assert_int_equal(sn_solveLcp(&p, &wrong[k].opt, x, NULL, NULL, &error), SN_STATUS_ARGUMENT);
        if (!strstr(error.message, wrong[k].text)) fail_msg("%s", error.message);
    }
}

// ---- compressed rows

typedef struct Compressed {
    int adr[N + 1], col[N * N];
    double value[N * N];
} Compressed;

static snSparseRows rowsOf(const Compressed* c)
{
    return (snSparseRows){c->adr, c->col, c->value};
}

// Columns from the last to the first, and each number as a sum of two.
static void compress(const double* matrix, int by_columns, Compressed* c)
{
    int k = 0;
    for (int i = 0; i < N; i++) {
        c->adr[i] = k;
        for (int j = N - 1; j >= 0; j--) {
            const double entry = by_columns ? matrix[j * N + i] : matrix[i * N + j];
            if (entry == 0) continue;
            const int parts = k + 2 * (N * N - N * i - (N - 1 - j)) < N * N ? 2 : 1;
            for (int part = 0; part < parts; part++, k++) {
                c->col[k] = j;
                c->value[k] = entry / parts;
            }
        }
    }
    c->adr[N] = k;
}

static void test_hostile_rows(void** state)
{
    (void)state;
    Compressed J, T;
    const double identity[N * N] = {[0] = 1, [6] = 1, [12] = 1, [18] = 1, [24] = 1};
    compress(A, 0, &J);
    compress(identity, 1, &T);
    snLcp p = example();
    p.J = rowsOf(&J);
    refuses(&p, "there is A and J or T: give one or the other");
    p.A = NULL;
    p.ncolumn = N - 1;
    refuses(&p, "J is 5 x 4 without T, so it is A and must be square: give T = M^-1 J' or 5 columns");
    p.ncolumn = -5;
    refuses(&p, "ncolumn is -5, must be from 0 to");
    p.ncolumn = INT32_MAX;
    refuses(&p, "ncolumn is 2147483647, must be from 0 to");
    p.ncolumn = N;
    J.col[3] = N;
    refuses(&p, "row 1: J.col[3] is 5, must be in [0, 5)");
    J.col[3] = INT32_MIN;
    refuses(&p, "row 1: J.col[3] is -2147483648, must be in [0, 5)");
    compress(A, 0, &J);
    J.value[7] = INFINITY;
    refuses(&p, "row 2: J.value[7] is inf, must be finite");
    compress(A, 0, &J);
    J.adr[2] = 0;
    refuses(&p, "row 1: J.adr falls from 3 to 0, must not fall");
    J.adr[0] = -1;
    refuses(&p, "J.adr[0] is -1, must be 0 or more");
    compress(A, 0, &J);
    p.T = rowsOf(&T);
    T.col[2] = 77;
    refuses(&p, "row 2: T.col[2] is 77, must be in [0, 5)");
    p.T.col = NULL;
    refuses(&p, "T has no columns or values: give T.col and T.value");
    p.J = (snSparseRows){0};
    refuses(&p, "there is T without J: give both");
}

static void solveBy(const snLcp* p, int method, double x[N], double w[N])
{
    snLcpOption opt;
    snLcpResult r;
    snError error = {0};
    sn_defaultLcpOption(&opt);
    opt.method = method;
    opt.omega = method == SN_LCP_JACOBI || method == SN_LCP_BLOCKJACOBI ? 0 : 1;
    opt.fallback = false;
    opt.tolerance = 1e-13;
    memset(x, 0, N * sizeof *x);
    if (sn_solveLcp(p, &opt, x, w, &r, &error)) fail_msg("%s", error.message);
    assert_int_equal(r.status, SN_LCPSTATUS_SOLVED);
    near(r.residual, 0, 1e-13);
    near(sn_lcpResidual(p, x), r.residual, 1e-15);
}

static void test_three_forms(void** state)
{
    (void)state;
    // A = L U, L the columns of T, U the rows of J; both by compressed rows and columns
    double L[N * N] = {0}, U[N * N], product[N * N] = {0};
    memcpy(U, A, sizeof U);
    for (int k = 0; k < N; k++) {
        L[k * N + k] = 1;
        for (int i = k + 1; i < N; i++) {
            const double factor = L[i * N + k] = U[i * N + k] / U[k * N + k];
            for (int j = 0; j < N; j++) U[i * N + j] -= factor * U[k * N + j];
        }
    }
    for (int i = 0; i < N * N; i++)
        for (int k = 0; k < N; k++) product[i] += L[i / N * N + k] * U[k * N + i % N];
    Compressed sparse, J, T;
    compress(product, 0, &sparse);
    compress(L, 0, &J);
    compress(U, 1, &T);
    snLcp dense = example(), rows = example(), factors = example();
    rows.A = factors.A = NULL;
    rows.ncolumn = factors.ncolumn = N;
    rows.J = rowsOf(&sparse);
    factors.J = rowsOf(&J);
    factors.T = rowsOf(&T);
    for (int method = SN_LCP_JACOBI; method <= SN_LCP_BLOCKSOR; method++) {
        double x[3][N], w[3][N];
        solveBy(&dense, method, x[0], w[0]);
        solveBy(&rows, method, x[1], w[1]);
        solveBy(&factors, method, x[2], w[2]);
        for (int i = 0; i < N; i++)
            for (int form = 1; form < 3; form++) {
                near(x[form][i], x[0][i], 1e-12);
                near(w[form][i], w[0][i], 1e-12);
            }
    }
}

static void test_no_rows(void** state)
{
    (void)state;
    const snLcp p = {0};
    snLcpResult r;
    assert_int_equal(sn_solveLcp(&p, NULL, NULL, NULL, &r, NULL), SN_STATUS_OK);
    assert_int_equal(r.status, SN_LCPSTATUS_SOLVED);
    near(sn_lcpResidual(&p, NULL), 0, 0);
}

// ---- memory

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static int countDown(size_t size, void* user)
{
    (void)size;
    int* left = user;
    return (*left)-- > 0;
}

static void test_memory_runs_out(void** state)
{
    (void)state;
    static const double cyclic[9] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, q[3] = {-1, -1, -1};
    const snLcp p = {.n = 3, .A = cyclic, .b = q};
    int failures = 0;
    for (snStatus status = SN_STATUS_NO_MEMORY; status; failures++) {
        int left = failures;
        snError error = {0};
        double x[3] = {0.5, 0.5, 0.5};
        sn_setAllocHook(countDown, &left);
        status = sn_solveLcp(&p, NULL, x, NULL, NULL, &error);
        sn_setAllocHook(NULL, NULL);
        assert_int_equal(status, left < 0 ? SN_STATUS_NO_MEMORY : SN_STATUS_OK);
        if (!status) break;
        assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
        for (int i = 0; i < 3; i++) assert_true(x[i] == 0.5);
    }
    assert_true(failures > 10);
}

#endif

// ---- iterations inside

// A system of one block of four rows, whose columns are its rows.
typedef struct Small {
    double J[16] __attribute__((aligned(64))), T[16] __attribute__((aligned(64)));
    double rows[7][4] __attribute__((aligned(64)));
    double D[16] __attribute__((aligned(64))), inverse[16] __attribute__((aligned(64)));
    double dV[4] __attribute__((aligned(64))), work[132] __attribute__((aligned(64)));
    int col;
    snQuad quads[2];
    snLcpBlock block;
    snLcpSystem s;
} Small;

static void makeSmall(Small* small, double off_diagonal, double right)
{
    memset(small, 0, sizeof *small);
    for (int i = 0; i < 16; i++) {
        small->J[i] = i % 5 ? off_diagonal : 1;
        small->T[i] = i % 5 == 0;
    }
    small->quads[0] = (snQuad){1, &small->col, small->J};
    small->quads[1] = (snQuad){1, &small->col, small->T};
    small->block = (snLcpBlock){.kind = SN_BLOCK_ROWS, .rows = 4};
    small->s = (snLcpSystem){.ncoord = 4,
                             .nquad = 1,
                             .nblock = 1,
                             .J = small->quads,
                             .T = small->quads + 1,
                             .block = &small->block,
                             .b = small->rows[0],
                             .lo = small->rows[1],
                             .hi = small->rows[2],
                             .mu = small->rows[3],
                             .step = small->rows[4],
                             .x = small->rows[5],
                             .D = small->D,
                             .inverse = small->inverse,
                             .dV = small->dV};
    for (int i = 0; i < 4; i++) {
        small->s.b[i] = right;
        small->s.lo[i] = -INFINITY;
        small->s.hi[i] = INFINITY;
    }
    sn_lcpDiagonal(&small->s);
    assert_true(sn_iterationWork(&small->s) <= 132);
}

static snIteration iterationOf(Small* small, int method, bool fallback)
{
    return (snIteration){.method = method,
                         .omega = 1,
                         .sweeps = 5000,
                         .tolerance = 1e-12,
                         .fallback = fallback,
                         .work = small->work};
}

static void isAllFinite(const Small* small)
{
    for (int i = 0; i < 4; i++) assert_true(isfinite(small->s.x[i]) && isfinite(small->s.dV[i]));
}

static void test_divergence_goes_back_to_the_best(void** state)
{
    (void)state;
    Small small;
    makeSmall(&small, 0.9, -1); // the spectral radius is 3.7
    snIteration it = iterationOf(&small, SN_LCP_JACOBI, false);
    sn_lcpIterate(&small.s, &it);
    assert_int_equal(it.status, SN_LCPSTATUS_DIVERGED);
    assert_true(it.sweeps < 100);
    isAllFinite(&small);
    near(sn_systemResidual(&small.s), it.residual, 1e-12);
    near(it.residual, 1, 1e-12); // that of the start, 0
    makeSmall(&small, 0.9, -1);
    it = iterationOf(&small, SN_LCP_JACOBI, true);
    sn_lcpIterate(&small.s, &it);
    assert_int_equal(it.status, SN_LCPSTATUS_SOLVED);
    assert_int_equal(it.method, SN_LCP_JACOBI);
    near(it.omega, 1.8 / 3.7, 1e-3);
    for (int i = 0; i < 4; i++) near(small.s.x[i], 1 / 3.7, 1e-11);
}

static void test_what_is_no_number_leaves_numbers(void** state)
{
    (void)state;
    for (int method = SN_LCP_JACOBI; method <= SN_LCP_BLOCKSOR; method++)
        for (int mode = 0; mode < 8; mode++) {
            Small small;
            makeSmall(&small, 0.3, -1);
            if (mode & 1)
                small.s.b[2] = NAN;
            else
                small.s.x[1] = INFINITY;
            snIteration it = iterationOf(&small, method, mode & 2);
            it.accelerate = mode & 4;
            sn_lcpSpread(&small.s);
            sn_lcpIterate(&small.s, &it);
            isAllFinite(&small);
            assert_int_equal(it.status, mode & 1 ? SN_LCPSTATUS_DIVERGED : SN_LCPSTATUS_SOLVED);
        }
}

static void test_cycles_end(void** state)
{
    (void)state;
    Small small;
    makeSmall(&small, 1, -1); // Jacobi jumps between 1 and -2 in boxes that wide
    for (int i = 0; i < 4; i++) {
        small.s.lo[i] = -2;
        small.s.hi[i] = 1;
    }
    snIteration it = iterationOf(&small, SN_LCP_JACOBI, false);
    sn_lcpIterate(&small.s, &it);
    assert_int_equal(it.status, SN_LCPSTATUS_CYCLED);
    assert_true(it.sweeps < 10);
    it = iterationOf(&small, SN_LCP_JACOBI, true);
    sn_lcpIterate(&small.s, &it);
    assert_int_equal(it.status, SN_LCPSTATUS_SOLVED);
}

static void test_sweeps_are_no_more_than_asked(void** state)
{
    (void)state;
    for (int sweeps = 0; sweeps < 70; sweeps++)
        for (int mode = 0; mode < 8; mode++) {
            Small small;
            makeSmall(&small, mode & 1 ? 0.9 : 0.999, -1);
            small.s.b[1] = 2;
            snIteration it = iterationOf(&small, mode & 1 ? SN_LCP_JACOBI : SN_LCP_GS, mode & 2);
            it.accelerate = mode & 4;
            it.sweeps = sweeps;
            sn_lcpIterate(&small.s, &it);
            assert_true(it.sweeps <= sweeps);
            assert_true(it.status != SN_LCPSTATUS_SWEEPS || it.sweeps == sweeps);
            isAllFinite(&small);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_blocks_are_small),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_hostile_rows),
        cmocka_unit_test(test_three_forms),
        cmocka_unit_test(test_no_rows),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(test_memory_runs_out),
#endif
        cmocka_unit_test(test_divergence_goes_back_to_the_best),
        cmocka_unit_test(test_what_is_no_number_leaves_numbers),
        cmocka_unit_test(test_cycles_end),
        cmocka_unit_test(test_sweeps_are_no_more_than_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
