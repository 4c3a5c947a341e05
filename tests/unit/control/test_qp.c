// Quadratic programs: closed forms, all active sets of small ones, conditions of optimality of random ones,
// what has no solution, bad input, memory.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <sinew/qp.h>
#include <string.h>
#include "base/memory.h"

enum { MOST = 30 };

typedef struct Program {
    int n, rows;
    double H[MOST * MOST], g[MOST], A[MOST * MOST], lower[MOST], upper[MOST], xlower[MOST], xupper[MOST];
    snQpProblem view;
} Program;

static Program program;

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static int whole(uint64_t* seed, int below)
{
    return (int)(uniform(seed) * below);
}

static double number(uint64_t* seed, bool integer)
{
    return integer ? whole(seed, 5) - 2 : 2 * uniform(seed) - 1;
}

static void range(uint64_t* seed, bool integer, double* low, double* up)
{
    const double kind = uniform(seed);
    *low = number(seed, integer) - 1;
    *up = *low + (integer ? whole(seed, 4) : 2 * uniform(seed));
    if (kind < 0.2) *low = -HUGE_VAL;
    if (kind > 0.8) *up = HUGE_VAL;
    if (kind > 0.45 && kind < 0.55) *up = *low;
}

// H = F'F of `rank` rows.
static void randomProgram(Program* p, int n, int rows, int rank, bool bounds, uint64_t* seed)
{
    const bool integer = uniform(seed) < 0.5;
    double F[MOST * MOST];
    p->n = n;
    p->rows = rows;
    for (int i = 0; i < rank * n; i++) F[i] = number(seed, integer);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            p->H[i * n + j] = 0;
            for (int k = 0; k < rank; k++) p->H[i * n + j] += F[k * n + i] * F[k * n + j];
        }
    for (int i = 0; i < rows * n; i++) p->A[i] = number(seed, integer);
    for (int i = 0; i < rows; i++) range(seed, integer, p->lower + i, p->upper + i);
    for (int i = 0; i < n; i++) {
        range(seed, integer, p->xlower + i, p->xupper + i);
        p->g[i] = number(seed, integer);
    }
    p->view = (snQpProblem){n, rows, p->H, p->g, p->A, p->lower, p->upper, p->xlower, p->xupper};
    if (!bounds) p->view.xlower = p->view.xupper = NULL;
}

static double low(const Program* p, int i)
{
    if (i < p->rows) return p->lower[i];
    return p->view.xlower ? p->xlower[i - p->rows] : -HUGE_VAL;
}

static double up(const Program* p, int i)
{
    if (i < p->rows) return p->upper[i];
    return p->view.xupper ? p->xupper[i - p->rows] : HUGE_VAL;
}

static double entry(const Program* p, int i, int j)
{
    return i < p->rows ? p->A[i * p->n + j] : j == i - p->rows;
}

static double value(const Program* p, int i, const double* x)
{
    double sum = 0;
    for (int j = 0; j < p->n; j++) sum += entry(p, i, j) * x[j];
    return sum;
}

static double objective(const Program* p, const double* x)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            sum += (0.5 * p->H[i * p->n + j] * x[j] + (i == j ? p->g[i] : 0)) * x[i];
    return sum;
}

// The largest of what the conditions of optimality leave.
static double residual(const Program* p, const double* x, const double* y)
{
    double worst = 0, most = 1;
    for (int i = 0; i < p->n; i++) most = fmax(most, fabs(x[i]));
    for (int j = 0; j < p->n; j++) {
        double sum = p->g[j];
        for (int k = 0; k < p->n; k++) sum += p->H[j * p->n + k] * x[k];
        for (int i = 0; i < p->rows + p->n; i++) sum += entry(p, i, j) * y[i];
        worst = fmax(worst, fabs(sum));
    }
    for (int i = 0; i < p->rows + p->n; i++) {
        const double v = value(p, i, x), multiplier = fabs(y[i]);
        worst = fmax(worst, fmax(v - up(p, i), low(p, i) - v));
        const double gap = y[i] > 0 ? up(p, i) - v : v - low(p, i);
        if (multiplier > 0) worst = fmax(worst, fmin(gap, multiplier));
    }
    return worst / most;
}

// ---- closed forms

// The point of a box nearest to c.
static void testBox(void** state)
{
    (void)state;
    const double g[3] = {-3, 0.5, 2}, lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1};
    const snQpProblem p = {.n = 3, .g = g, .xlower = lower, .xupper = upper};
    snQp* qp = sn_makeQp(3, 0, NULL);
    double x[3], y[3];
    snQpResult result;
    assert_int_equal(sn_solveQp(qp, &p, NULL, x, y, &result, NULL), SN_STATUS_OK);
    const double right[3] = {1, -0.5, -1}, multiplier[3] = {2, 0, -1};
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(x[i] - right[i]) < 1e-15);
        assert_true(fabs(y[i] - multiplier[i]) < 1e-15);
    }
    assert_int_equal(result.active, 2);
    assert_true(fabs(result.objective - (-3 + 0.5 - 0.125 - 2 + 0.5)) < 1e-14);
    sn_freeQp(qp);
}

// min -x - y, x + 2 y <= 4, 3 x + y <= 6, x, y >= 0: H = 0.
static void testLinear(void** state)
{
    (void)state;
    const double H[4] = {0}, g[2] = {-1, -1}, A[4] = {1, 2, 3, 1}, upper[2] = {4, 6}, zero[2] = {0};
    const snQpProblem p = {.n = 2, .rows = 2, .H = H, .g = g, .A = A, .upper = upper, .xlower = zero};
    snQp* qp = sn_makeQp(2, 2, NULL);
    double x[2], y[4];
    snQpResult result;
    assert_int_equal(sn_solveQp(qp, &p, NULL, x, y, &result, NULL), SN_STATUS_OK);
    assert_int_equal(result.status, SN_QP_SOLVED);
    assert_true(fabs(x[0] - 1.6) < 1e-12 && fabs(x[1] - 1.2) < 1e-12);
    assert_true(fabs(y[0] - 0.4) < 1e-10 && fabs(y[1] - 0.2) < 1e-10);
    sn_freeQp(qp);
}

// ---- all active sets of small problems

// Solves M z = r of size n by elimination; false if it is singular.
static bool eliminate(int n, double* M, double* r)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(M[i * n + k]) > fabs(M[best * n + k])) best = i;
        if (fabs(M[best * n + k]) < 1e-10) return false;
        for (int j = 0; j < n; j++) {
            const double kept = M[k * n + j];
            M[k * n + j] = M[best * n + j];
            M[best * n + j] = kept;
        }
        const double kept = r[k];
        r[k] = r[best];
        r[best] = kept;
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const double factor = M[i * n + k] / M[k * n + k];
            for (int j = k; j < n; j++) M[i * n + j] -= factor * M[k * n + j];
            r[i] -= factor * r[k];
        }
    }
    for (int k = 0; k < n; k++) r[k] /= M[k * n + k];
    return true;
}

// The least objective of all points that an active set gives and that are feasible.
static double bruteForce(const Program* p)
{
    const int all = p->rows + p->n, n = p->n;
    double best = HUGE_VAL;
    int sets = 1;
    for (int i = 0; i < all; i++) sets *= 3;
    for (int set = 0; set < sets; set++) {
        int row[MOST], side[MOST], count = 0;
        for (int i = 0, rest = set; i < all; i++, rest /= 3)
            if (rest % 3 && count < MOST) {
                row[count] = i;
                side[count++] = rest % 3;
            }
        if (count > n) continue;
        double M[100] = {0}, r[10] = {0};
        const int size = n + count;
        bool finite = true;
        for (int i = 0; i < n; i++) {
            r[i] = -p->g[i];
            for (int j = 0; j < n; j++) M[i * size + j] = p->H[i * n + j];
            for (int k = 0; k < count; k++) M[i * size + n + k] = M[(n + k) * size + i] = entry(p, row[k], i);
        }
        for (int k = 0; k < count; k++) {
            r[n + k] = side[k] == 1 ? up(p, row[k]) : low(p, row[k]);
            finite &= isfinite(r[n + k]);
        }
        if (!finite || !eliminate(size, M, r)) continue;
        bool feasible = true;
        for (int i = 0; i < all; i++)
            feasible &= value(p, i, r) < up(p, i) + 1e-9 && value(p, i, r) > low(p, i) - 1e-9;
        if (feasible) best = fmin(best, objective(p, r));
    }
    return best;
}

static void testAllActiveSets(void** state)
{
    (void)state;
    uint64_t seed = 1;
    int solved = 0;
    snQp* qp = sn_makeQp(3, 3, NULL);
    for (int trial = 0; trial < 600; trial++) {
        const int n = 1 + whole(&seed, 3);
        randomProgram(&program, n, whole(&seed, 4), n + 1, true, &seed);
        for (int i = 0; i < n; i++) program.H[i * n + i] += 0.1;
        double x[3];
        snQpResult result;
        assert_int_equal(sn_solveQp(qp, &program.view, NULL, x, NULL, &result, NULL), SN_STATUS_OK);
        const double best = bruteForce(&program);
        assert_int_equal(result.status, isfinite(best) ? SN_QP_SOLVED : SN_QP_INFEASIBLE);
        if (!isfinite(best)) continue;
        assert_true(fabs(result.objective - best) < 1e-9 * (1 + fabs(best)));
        assert_true(fabs(result.objective - objective(&program, x)) < 1e-10 * (1 + fabs(best)));
        solved++;
    }
    assert_true(solved > 150);
    sn_freeQp(qp);
}

// ---- random ones

static void testConditions(void** state)
{
    (void)state;
    uint64_t seed = 2;
    int count[4] = {0};
    snQp* qp = sn_makeQp(MOST, MOST, NULL);
    for (int trial = 0; trial < 4000; trial++) {
        const int n = 1 + whole(&seed, trial % 10 ? 10 : MOST), rows = whole(&seed, 1 + n);
        randomProgram(&program, n, rows, whole(&seed, 2) ? n : whole(&seed, n + 1), whole(&seed, 2), &seed);
        double x[MOST], y[2 * MOST], again[MOST];
        snQpResult result, warm;
        assert_int_equal(sn_solveQp(qp, &program.view, NULL, x, y, &result, NULL), SN_STATUS_OK);
        count[result.status]++;
        if (result.status == SN_QP_ITERATIONS) print_message("trial %d: not solved\n", trial);
        if (result.status) continue;
        if (!(residual(&program, x, y) < 1e-8))
            print_message("trial %d: %g\n", trial, residual(&program, x, y));
        assert_true(residual(&program, x, y) < 1e-8);
        assert_int_equal(sn_solveQp(qp, &program.view, NULL, again, y, &warm, NULL), SN_STATUS_OK);
        assert_int_equal(warm.status, SN_QP_SOLVED);
        assert_true(residual(&program, again, y) < 1e-8);
        assert_true(fabs(warm.objective - result.objective) < 1e-9 * (1 + fabs(result.objective)));
    }
    assert_true(count[SN_QP_SOLVED] > 1000 && count[SN_QP_INFEASIBLE] > 100 && count[SN_QP_UNBOUNDED] > 50);
    assert_int_equal(count[SN_QP_ITERATIONS], 0);
    sn_freeQp(qp);
}

// Hessians of condition 1e-12 to 1e12 in their scales.
static void testScales(void** state)
{
    (void)state;
    uint64_t seed = 3;
    snQp* qp = sn_makeQp(MOST, MOST, NULL);
    for (int trial = 0; trial < 500; trial++) {
        const int n = 1 + whole(&seed, 10), rows = whole(&seed, 1 + n);
        randomProgram(&program, n, rows, n + 2, false, &seed);
        for (int i = 0; i < n; i++) program.H[i * n + i] += 0.1;
        double x[MOST], scaled[MOST], factor[MOST];
        snQpResult result, other;
        sn_solveQp(qp, &program.view, NULL, x, NULL, &result, NULL);
        for (int i = 0; i < n; i++) factor[i] = pow(10, 6 * uniform(&seed) - 3);
        for (int i = 0; i < n; i++) {
            program.g[i] *= factor[i];
            for (int j = 0; j < n; j++) program.H[i * n + j] *= factor[i] * factor[j];
            for (int k = 0; k < rows; k++) program.A[k * n + i] *= factor[i];
        }
        sn_solveQp(qp, &program.view, NULL, scaled, NULL, &other, NULL);
        assert_int_equal(other.status, result.status);
        if (result.status) continue;
        for (int i = 0; i < n; i++) assert_true(fabs(x[i] - scaled[i] * factor[i]) < 1e-7 * (1 + fabs(x[i])));
    }
    sn_freeQp(qp);
}

// ---- without solution

static void testInfeasible(void** state)
{
    (void)state;
    const double A[9] = {1, 0, 0, 0, 1, 0, 1, 1, 0}, lower[3] = {1, 1, -HUGE_VAL},
                 upper[3] = {HUGE_VAL, HUGE_VAL, 1};
    snQpProblem p = {.n = 3, .rows = 3, .A = A, .lower = lower, .upper = upper};
    snQp* qp = sn_makeQp(3, 3, NULL);
    double x[3];
    snQpResult result;
    assert_int_equal(sn_solveQp(qp, &p, NULL, x, NULL, &result, NULL), SN_STATUS_OK);
    assert_int_equal(result.status, SN_QP_INFEASIBLE);
    assert_in_range(result.row, 0, 2);
    p.rows = 2;
    const double most[3] = {HUGE_VAL, 0.5, HUGE_VAL};
    p.xupper = most;
    assert_int_equal(sn_solveQp(qp, &p, NULL, x, NULL, &result, NULL), SN_STATUS_OK);
    assert_int_equal(result.status, SN_QP_INFEASIBLE);
    assert_true(result.row == 1 || result.row == 2 + 1);
    const double zero[9] = {0};
    p = (snQpProblem){.n = 3, .rows = 1, .A = zero, .lower = lower};
    assert_int_equal(sn_solveQp(qp, &p, NULL, x, NULL, &result, NULL), SN_STATUS_OK);
    assert_int_equal(result.status, SN_QP_INFEASIBLE);
    assert_int_equal(result.row, 0);
    sn_freeQp(qp);
}

// H = diag(1, 0): the second unknown falls without end unless a row stops it.
static void testUnbounded(void** state)
{
    (void)state;
    const double H[4] = {1, 0, 0, 0}, g[2] = {0, -1}, A[2] = {-1, 1}, upper[1] = {3};
    snQpProblem p = {.n = 2, .H = H, .g = g};
    snQp* qp = sn_makeQp(2, 1, NULL);
    double x[2];
    snQpResult result;
    assert_int_equal(sn_solveQp(qp, &p, NULL, x, NULL, &result, NULL), SN_STATUS_OK);
    assert_int_equal(result.status, SN_QP_UNBOUNDED);
    p.rows = 1;
    p.A = A;
    p.upper = upper;
    assert_int_equal(sn_solveQp(qp, &p, NULL, x, NULL, &result, NULL), SN_STATUS_OK);
    assert_int_equal(result.status, SN_QP_SOLVED);
    assert_true(fabs(x[0] - 1) < 1e-9 && fabs(x[1] - 4) < 1e-9);
    sn_freeQp(qp);
}

static void testIterations(void** state)
{
    (void)state;
    uint64_t seed = 5;
    snQp* qp = sn_makeQp(MOST, MOST, NULL);
    randomProgram(&program, 20, 0, 20, true, &seed);
    for (int i = 0; i < 20; i++) program.xupper[i] = program.xlower[i] = 1;
    for (int i = 0; i < 20; i++) program.xupper[i] += 1;
    snQpOption opt;
    sn_defaultQpOption(&opt);
    opt.iterations = 3;
    double x[MOST];
    snQpResult result;
    assert_int_equal(sn_solveQp(qp, &program.view, &opt, x, NULL, &result, NULL), SN_STATUS_OK);
    assert_int_equal(result.status, SN_QP_ITERATIONS);
    for (int i = 0; i < 20; i++) assert_true(isfinite(x[i]));
    sn_freeQp(qp);
}

// ---- bad input

static void refuse(snQp* qp, const snQpProblem* p, const char* part)
{
    double x[2] = {7, 8};
    snError error = {0};
    assert_int_equal(sn_solveQp(qp, p, NULL, x, NULL, NULL, &error), SN_STATUS_ARGUMENT);
    if (!strstr(error.message, part)) print_message("%s\n", error.message);
    assert_non_null(strstr(error.message, part));
    assert_true(x[0] == 7 && x[1] == 8);
}

static void testBadInput(void** state)
{
    (void)state;
    snQp* qp = sn_makeQp(2, 2, NULL);
    const double H[4] = {1, 0, 2, 1}, A[4] = {1, 0, 0, 1}, bad[4] = {1, 0, NAN, 1}, one[2] = {1, 1},
                 two[2] = {1, 2};
    const double endless[2] = {1, HUGE_VAL}, minus[2] = {-HUGE_VAL, -HUGE_VAL};
    refuse(qp, &(snQpProblem){.n = 2, .H = H}, "H is not positive semidefinite: row 1");
    refuse(qp, &(snQpProblem){.n = 2, .H = bad}, "H[1, 0] is nan");
    refuse(qp, &(snQpProblem){.n = 2, .g = endless}, "g[1] is inf");
    refuse(qp, &(snQpProblem){.n = 2, .rows = 2, .A = bad}, "A[1, 0] is nan");
    refuse(qp, &(snQpProblem){.n = 2, .rows = 2, .A = A, .lower = two, .upper = one},
           "row 1: the lower bound 2 is above");
    refuse(qp, &(snQpProblem){.n = 2, .xlower = two, .xupper = one},
           "bound of x 1: the lower bound 2 is above");
    refuse(qp, &(snQpProblem){.n = 2, .xlower = bad + 2}, "bound of x 0: a bound is NaN");
    refuse(qp, &(snQpProblem){.n = 2, .xlower = endless}, "bound of x 1");
    refuse(qp, &(snQpProblem){.n = 2, .xupper = minus}, "bound of x 0");
    refuse(qp, &(snQpProblem){.n = 2, .rows = 1}, "A is NULL");
    refuse(qp, &(snQpProblem){.n = 3}, "memory for 2");
    refuse(qp, &(snQpProblem){.n = 0}, "n must be at least 1");
    refuse(qp, &(snQpProblem){.n = 2, .rows = -1}, "rows at least 0");
    sn_freeQp(qp);
    sn_freeQp(NULL);
    snError error = {0};
    assert_null(sn_makeQp(0, 3, &error));
    assert_non_null(strstr(error.message, "n must be"));
}

// ---- memory

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static int refuseAll(size_t size, void* user)
{
    (void)size;
    ++*(int*)user;
    return 0;
}

static void testMemory(void** state)
{
    (void)state;
    uint64_t seed = 6;
    int calls = 0;
    snQp* qp = sn_makeQp(MOST, MOST, NULL);
    randomProgram(&program, 12, 12, 8, true, &seed);
    double x[MOST];
    snError error = {0};
    sn_setAllocHook(refuseAll, &calls);
    sn_solveQp(qp, &program.view, NULL, x, NULL, NULL, NULL);
    const int solving = calls;
    snQp* none = sn_makeQp(5, 5, &error);
    sn_setAllocHook(NULL, NULL);
    assert_int_equal(solving, 0);
    assert_null(none);
    assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
    sn_freeQp(qp);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testBox),           cmocka_unit_test(testLinear),
        cmocka_unit_test(testAllActiveSets), cmocka_unit_test(testConditions),
        cmocka_unit_test(testScales),        cmocka_unit_test(testInfeasible),
        cmocka_unit_test(testUnbounded),     cmocka_unit_test(testIterations),
        cmocka_unit_test(testBadInput),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(testMemory),
#endif

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
