// Hierarchies: toys with exact answers, equalities against the recursive pseudo-inverse, contradictory and
// dependent levels, the metric of what is left, weights, bad input, memory.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sinew/qp.h>
#include "base/memory.h"
#include "hierarchy_case.h"

static const double NONE = HUGE_VAL;
static Case problem;

// ---- toys

typedef struct Toy {
    snHqpLevel level[4];
    int nlevel;
    double x[2], violation[4];
    signed char state[4];
} Toy;

#define LEVEL(rows, ...)                                                                                     \
    rows, (const double[])                                                                                   \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define BOUNDS(...)                                                                                          \
    (const double[])                                                                                         \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

static void checkToy(const Toy* toy)
{
    snHqp* h = sn_makeHqp(2, 4, 8, NULL);
    for (int pass = 0; pass < 3; pass++) {
        double x[2], violation[4];
        signed char state[8];
        snHqpResult result;
        assert_int_equal(sn_solveHqp(h, &(snHqpProblem){2, toy->nlevel, toy->level, NULL}, NULL, x, state,
                                     NULL, NULL, violation, &result, NULL),
                         SN_STATUS_OK);
        assert_int_equal(result.status, SN_QP_SOLVED);
        if (pass) assert_int_equal(result.passes, 1);
        for (int j = 0; j < 2; j++) assert_true(fabs(x[j] - toy->x[j]) < 1e-14);
        for (int k = 0; k < toy->nlevel; k++) assert_true(fabs(violation[k] - toy->violation[k]) < 1e-14);
        for (int i = 0; i < 4; i++)
            if (toy->state[i]) assert_int_equal(state[i], toy->state[i]);
    }
    sn_freeHqp(h);
}

static void testToys(void** state)
{
    (void)state;
    const Toy toys[] = {
        // x + y <= 2, then x = 3 and y = 1
        {.level = {{LEVEL(1, 1, 1), BOUNDS(-NONE), BOUNDS(2), NULL},
                   {LEVEL(2, 1, 0, 0, 1), BOUNDS(3, 1), BOUNDS(3, 1), NULL}},
         .nlevel = 2,
         .x = {2, 0},
         .violation = {0, M_SQRT2},
         .state = {SN_HQP_UPPER, SN_HQP_EQUAL, SN_HQP_EQUAL}},
        // x >= 1 and x <= 0, then y - x = 1
        {.level = {{LEVEL(2, 1, 0, 1, 0), BOUNDS(1, -NONE), BOUNDS(NONE, 0), NULL},
                   {LEVEL(1, -1, 1), BOUNDS(1), BOUNDS(1), NULL}},
         .nlevel = 2,
         .x = {0.5, 1.5},
         .violation = {M_SQRT1_2, 0},
         .state = {SN_HQP_BELOW, SN_HQP_ABOVE, SN_HQP_EQUAL}},
        // a box, then x + y = 3, then x = 0
        {.level = {{LEVEL(2, 1, 0, 0, 1), BOUNDS(-1, -1), BOUNDS(1, 1), NULL},
                   {LEVEL(1, 1, 1), BOUNDS(3), BOUNDS(3), NULL},
                   {LEVEL(1, 1, 0), BOUNDS(0), BOUNDS(0), NULL}},
         .nlevel = 3,
         .x = {1, 1},
         .violation = {0, 1, 1},
         .state = {SN_HQP_UPPER, SN_HQP_UPPER, SN_HQP_EQUAL, SN_HQP_EQUAL}},
        // x = 1, x = 2, y = 3
        {.level = {{LEVEL(1, 1, 0), BOUNDS(1), BOUNDS(1), NULL},
                   {LEVEL(1, 1, 0), BOUNDS(2), BOUNDS(2), NULL},
                   {LEVEL(1, 0, 1), BOUNDS(3), BOUNDS(3), NULL}},
         .nlevel = 3,
         .x = {1, 3},
         .violation = {0, 1, 0}},
        // x <= 1 and x >= 1 apart, y in a point, then both elsewhere
        {.level = {{LEVEL(2, 1, 0, 1, 0), BOUNDS(-NONE, 1), BOUNDS(1, NONE), NULL},
                   {LEVEL(1, 0, 2), BOUNDS(4), BOUNDS(4), NULL},
                   {LEVEL(2, 1, 0, 0, 1), BOUNDS(5, 5), BOUNDS(6, 6), NULL}},
         .nlevel = 3,
         .x = {1, 2},
         .violation = {0, 0, 5}},
        // a wedge whose tip is the origin, then as far as can be against it; nothing left to do
        {.level = {{LEVEL(2, 1, 1, -1, 1), BOUNDS(0, 0), BOUNDS(NONE, NONE), NULL},
                   {LEVEL(1, 0, 1), BOUNDS(-2), BOUNDS(-2), NULL},
                   {LEVEL(1, 1, 0), BOUNDS(7), BOUNDS(7), NULL}},
         .nlevel = 3,
         .x = {0, 0},
         .violation = {0, 2, 7}},
    };
    for (size_t i = 0; i < sizeof toys / sizeof *toys; i++) checkToy(toys + i);
}

// ---- equalities by the recursive pseudo-inverse

// Eigenvectors of a symmetric matrix by Jacobi's turns: S becomes diagonal, V [m x m] has them as columns.
static void jacobi(int m, double* S, double* V)
{
    for (int i = 0; i < m * m; i++) V[i] = i % (m + 1) == 0;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < m; p++)
            for (int q = p + 1; q < m; q++) {
                if (S[p * m + q] == 0) continue;
                const double t = (S[q * m + q] - S[p * m + p]) / (2 * S[p * m + q]);
                const double tangent = (t < 0 ? -1 : 1) / (fabs(t) + sqrt(t * t + 1));
                const double cosine = 1 / sqrt(tangent * tangent + 1), sine = tangent * cosine;
                for (int k = 0; k < m; k++) {
                    const double a = S[k * m + p], b = S[k * m + q];
                    S[k * m + p] = cosine * a - sine * b;
                    S[k * m + q] = sine * a + cosine * b;
                }
                for (int k = 0; k < m; k++) {
                    const double a = S[p * m + k], b = S[q * m + k];
                    S[p * m + k] = cosine * a - sine * b;
                    S[q * m + k] = sine * a + cosine * b;
                    const double c = V[k * m + p], d = V[k * m + q];
                    V[k * m + p] = cosine * c - sine * d;
                    V[k * m + q] = sine * c + cosine * d;
                }
            }
}

// x += (J N)+ (b - J x), N <- N - (J N)+ (J N); returns the rank of J N, whose squares are above 1e-16.
static int recursion(int n, int m, const double* J, const double* b, double* x, double* N)
{
    static double JN[CASE_N * CASE_N], S[CASE_N * CASE_N], V[CASE_N * CASE_N], plus[CASE_N * CASE_N];
    int rank = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            JN[i * n + j] = 0;
            for (int k = 0; k < n; k++) JN[i * n + j] += J[i * n + k] * N[k * n + j];
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            S[i * m + j] = 0;
            for (int k = 0; k < n; k++) S[i * m + j] += JN[i * n + k] * JN[j * n + k];
        }
    jacobi(m, S, V);
    memset(plus, 0, sizeof plus);
    for (int k = 0; k < m; k++) {
        if (S[k * m + k] < 1e-14) continue;
        rank++;
        for (int j = 0; j < n; j++) {
            double u = 0;
            for (int i = 0; i < m; i++) u += V[i * m + k] * JN[i * n + j];
            for (int i = 0; i < m; i++) plus[j * m + i] += u * V[i * m + k] / S[k * m + k];
        }
    }
    double error[CASE_N];
    for (int i = 0; i < m; i++) {
        error[i] = b[i];
        for (int k = 0; k < n; k++) error[i] -= J[i * n + k] * x[k];
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) x[j] += plus[j * m + i] * error[i];
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < m; i++) N[j * n + k] -= plus[j * m + i] * JN[i * n + k];
    return rank;
}

static void testRecursion(void** state)
{
    (void)state;
    uint64_t seed = 1;
    snHqp* h = sn_makeHqp(CASE_N, CASE_LEVELS, CASE_ROWS, NULL);
    for (int trial = 0; trial < 500; trial++) {
        const int n = 2 + whole(&seed, 9), nlevel = 1 + whole(&seed, CASE_LEVELS);
        const bool integer = trial % 2;
        problem.n = n;
        problem.nlevel = problem.nrow = 0;
        double right[CASE_N] = {0}, N[CASE_N * CASE_N], x[CASE_N];
        int ranks[CASE_LEVELS], rank[CASE_LEVELS], freedom = n;
        for (int i = 0; i < n * n; i++) N[i] = i % (n + 1) == 0;
        for (int k = 0; k < nlevel; k++) {
            const int first = problem.nrow;
            addLevel(&problem, whole(&seed, 5));
            for (int i = first; i < problem.nrow; i++) {
                randomRow(&problem, i, &seed, integer, 1);
                problem.weight[i] = 1;
            }
            ranks[k] =
                recursion(n, problem.nrow - first, problem.A + first * n, problem.lower + first, right, N);
            freedom -= ranks[k];
        }
        snHqpResult result;
        sn_solveHqp(h, &(snHqpProblem){n, nlevel, problem.level, NULL}, NULL, x, NULL, NULL, rank, NULL,
                    &result, NULL);
        assert_int_equal(result.passes, 1);
        assert_int_equal(result.freedom, freedom);
        for (int k = 0; k < nlevel; k++) assert_int_equal(rank[k], ranks[k]);
        for (int j = 0; j < n; j++) assert_true(fabs(x[j] - right[j]) < 1e-8 * (1 + fabs(right[j])));
    }
    sn_freeHqp(h);
}

// ---- what is left, and weights

static void testMetric(void** state)
{
    (void)state;
    uint64_t seed = 2;
    snHqp* h = sn_makeHqp(CASE_N, CASE_LEVELS, CASE_ROWS, NULL);
    for (int trial = 0; trial < 500; trial++) {
        const int n = 1 + whole(&seed, 10);
        randomCase(&problem, n, whole(&seed, 3), &seed);
        double W[CASE_N * CASE_N], F[CASE_N * CASE_N], x[CASE_N];
        for (int i = 0; i < n * n; i++) F[i] = number(&seed, false);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                W[i * n + j] = j > i ? (double)NAN : i == j ? 0.1 : 0; // the lower triangle is read
                for (int k = 0; k < n && j <= i; k++) W[i * n + j] += F[k * n + i] * F[k * n + j];
            }
        for (int pass = 0; pass < 2; pass++) {
            snHqpResult result;
            sn_solveHqp(h, &(snHqpProblem){n, problem.nlevel, problem.level, W}, NULL, x, NULL, NULL, NULL,
                        NULL, &result, NULL);
            assert_int_equal(result.status, SN_QP_SOLVED);
            if (pass) assert_int_equal(result.passes, 1);
            if (!(optimality(&problem, x, W) < 1e-8))
                print_message("trial %d: %g\n", trial, optimality(&problem, x, W));
            assert_true(optimality(&problem, x, W) < 1e-8);
        }
    }
    sn_freeHqp(h);
}

// All levels below the first as one, their weights less by a factor each.
static void testWeighted(void** state)
{
    (void)state;
    uint64_t seed = 3;
    snHqp* h = sn_makeHqp(CASE_N, CASE_LEVELS, CASE_ROWS, NULL);
    snHqpOption opt;
    sn_defaultHqpOption(&opt);
    for (int trial = 0; trial < 300; trial++) {
        randomCase(&problem, 1 + whole(&seed, 10), 2 + whole(&seed, 3), &seed);
        double x[CASE_N], one[CASE_N], violation[CASE_LEVELS];
        snHqpResult result;
        opt.weighted = true;
        opt.level_weight = 10;
        sn_solveHqp(h, &(snHqpProblem){problem.n, problem.nlevel, problem.level, NULL}, &opt, x, NULL, NULL,
                    NULL, violation, &result, NULL);
        assert_int_equal(result.status, SN_QP_SOLVED);
        for (int k = 0; k < problem.nlevel; k++)
            assert_true(fabs(violation[k] - levelViolation(&problem, k, x)) < 1e-12 * (1 + violation[k]));
        double factor = 1;
        int rows = 0;
        for (int k = 1; k < problem.nlevel; k++, factor /= 10) {
            for (int j = 0; j < problem.level[k].rows; j++)
                problem.weight[problem.level[0].rows + rows + j] *= factor;
            rows += problem.level[k].rows;
        }
        problem.level[1].rows = rows;
        problem.nlevel = 2;
        opt.weighted = false;
        sn_solveHqp(h, &(snHqpProblem){problem.n, 2, problem.level, NULL}, &opt, one, NULL, NULL, NULL, NULL,
                    &result, NULL);
        for (int j = 0; j < problem.n; j++) assert_true(fabs(x[j] - one[j]) < 1e-7 * (1 + fabs(one[j])));
        assert_true(optimality(&problem, x, NULL) < 1e-8);
    }
    sn_freeHqp(h);
}

// Weight 0 leaves a row out; a row of zeros is violated by what its bounds say.
static void testRowsThatDoNotCount(void** state)
{
    (void)state;
    const double A[6] = {1, 0, 1, 0, 0, 0}, bound[3] = {1, 5, 2}, weight[3] = {1, 0, 4};
    const snHqpLevel level = {3, A, bound, bound, weight};
    snHqp* h = sn_makeHqp(2, 1, 3, NULL);
    double x[2], slack[3], violation[1];
    int rank[1];
    snHqpResult result;
    sn_solveHqp(h, &(snHqpProblem){2, 1, &level, NULL}, NULL, x, NULL, slack, rank, violation, &result, NULL);
    assert_true(x[0] == 1 && x[1] == 0 && rank[0] == 1 && result.freedom == 1);
    assert_true(slack[1] == -4 && slack[2] == -2 && violation[0] == 4);
    sn_solveHqp(h, &(snHqpProblem){2, 0, NULL, NULL}, NULL, x, NULL, NULL, NULL, NULL, &result, NULL);
    assert_true(x[0] == 0 && x[1] == 0 && result.freedom == 2);
    sn_freeHqp(h);
}

// ---- limits

static void testIterations(void** state)
{
    (void)state;
    uint64_t seed = 4;
    snHqp* h = sn_makeHqp(CASE_N, CASE_LEVELS, CASE_ROWS, NULL);
    snHqpOption opt;
    sn_defaultHqpOption(&opt);
    opt.warmstart = false;
    int some = 0;
    for (int trial = 0; trial < 200; trial++) {
        randomCase(&problem, 10, CASE_LEVELS, &seed);
        double x[CASE_N], violation[CASE_LEVELS], right[CASE_LEVELS];
        snHqpResult result;
        opt.iterations = 0;
        sn_solveHqp(h, &(snHqpProblem){10, CASE_LEVELS, problem.level, NULL}, &opt, x, NULL, NULL, NULL,
                    right, &result, NULL);
        opt.iterations = 1 + whole(&seed, 10);
        sn_solveHqp(h, &(snHqpProblem){10, CASE_LEVELS, problem.level, NULL}, &opt, x, NULL, NULL, NULL,
                    violation, &result, NULL);
        if (result.status == SN_QP_SOLVED) continue;
        assert_int_equal(result.status, SN_QP_ITERATIONS);
        for (int k = 0; k < result.level; k++)
            assert_true(fabs(violation[k] - right[k]) < 1e-8 * (1 + right[k]));
        some += result.level > 0;
    }
    assert_true(some > 20);
    sn_freeHqp(h);
}

// Row HELD of the only unknown that rows read: x >= 1; row 0: x = 0, where it counts.
enum { OTHER_ROWS = 41, HELD = 20 };

static double solveSplit(snHqp* h, bool both, int second, int third)
{
    double A[2 * OTHER_ROWS] = {0}, lower[OTHER_ROWS], upper[OTHER_ROWS], x[2];
    for (int i = 0; i < OTHER_ROWS; i++) {
        A[2 * i] = 1;
        lower[i] = -(upper[i] = INFINITY);
    }
    lower[HELD] = 1;
    if (both) lower[0] = upper[0] = 0;
    const int start[] = {0, second, third, OTHER_ROWS};
    snHqpLevel level[3];
    for (int k = 0; k < 3; k++)
        level[k] = (snHqpLevel){start[k + 1] - start[k], A + 2 * (size_t)start[k], lower + start[k],
                                upper + start[k], NULL};
    sn_solveHqp(h, &(snHqpProblem){2, 3, level, NULL}, NULL, x, NULL, NULL, NULL, NULL, NULL, NULL);
    return x[0];
}

// Active sets of a hierarchy whose rows stand at other levels are not those of this one.
static void testOtherLevels(void** state)
{
    (void)state;
    snHqp* h = sn_makeHqp(2, 3, OTHER_ROWS, NULL);
    for (int second = 1; second < HELD; second++)
        for (int third = second; third < HELD; third++) {
            assert_true(fabs(solveSplit(h, true, 1, OTHER_ROWS - 1)) < 1e-9);
            assert_true(fabs(solveSplit(h, false, second, third) - 1) < 1e-9);
        }
    sn_freeHqp(h);
}

// ---- bad input

static void refuse(snHqp* h, int nlevel, const snHqpLevel* level, const double* W, const char* part)
{
    double x[2] = {7, 8};
    snError error = {0};
    assert_int_equal(
        sn_solveHqp(h, &(snHqpProblem){2, nlevel, level, W}, NULL, x, NULL, NULL, NULL, NULL, NULL, &error),
        SN_STATUS_ARGUMENT);
    if (!strstr(error.message, part)) print_message("%s\n", error.message);
    assert_non_null(strstr(error.message, part));
    assert_true(x[0] == 7 && x[1] == 8);
}

static void testBadInput(void** state)
{
    (void)state;
    snHqp* h = sn_makeHqp(2, 2, 3, NULL);
    const double A[4] = {1, 0, 0, 1}, zero[2] = {0}, one[2] = {0, 1}, nan2[4] = {1, 0, NAN, 0},
                 huge[4] = {1, 0, 0, 1e200}, endless[4] = {1, 0, NONE, 0}, minus[2] = {-NONE, -1};
    const snHqpLevel good = {2, A, zero, one, NULL};
#define REFUSE(text, ...) refuse(h, 2, (snHqpLevel[]){{1, A, zero, zero, NULL}, {__VA_ARGS__}}, NULL, text)
    REFUSE("level 2, row 1: A has", 2, nan2, zero, one, NULL);
    REFUSE("level 2, row 1: A has", 2, endless, zero, one, NULL);
    REFUSE("level 2, row 1: A has", 2, huge, zero, one, NULL);
    REFUSE("level 2, row 1: the lower bound 1 is above the upper bound 0", 2, A, one, zero, NULL);
    REFUSE("level 2, row 0: a bound is NaN", 2, A, nan2 + 2, one, NULL);
    REFUSE("level 2, row 0: the bounds", 2, A, endless + 2, endless + 2, NULL);
    REFUSE("level 2, row 0: the bounds", 2, A, minus, minus, NULL);
    REFUSE("level 2, row 1: the weight is -1", 2, A, zero, one, (const double[]){1, -1});
    REFUSE("level 2, row 0: the weight is", 2, A, zero, one, endless + 2);
    REFUSE("level 2 has -1 rows", -1, A, zero, one, NULL);
    REFUSE("level 2: with its 3 rows there are more than the 3", 3, A, zero, one, NULL);
    REFUSE("level 2: A, lower or upper is NULL", 2, NULL, zero, one, NULL);
    refuse(h, 3, &good, NULL, "3 levels, but there is memory for 2 and 2");
    refuse(h, 1, &good, (const double[]){1, 0, 2, 1}, "W is not positive definite: row 1");
    refuse(h, 1, &good, (const double[]){1, 0, NAN, 1}, "W[1, 0] is nan");
    double x[2];
    assert_int_equal(
        sn_solveHqp(h, &(snHqpProblem){2, 1, &good, NULL}, NULL, x, NULL, NULL, NULL, NULL, NULL, NULL),
        SN_STATUS_OK);
    sn_freeHqp(h);
    sn_freeHqp(NULL);
    snError error = {0};
    assert_null(sn_makeHqp(3, -1, 5, &error));
    assert_non_null(strstr(error.message, "levels = -1"));
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
    snHqp* h = sn_makeHqp(CASE_N, CASE_LEVELS, CASE_ROWS, NULL);
    snError error = {0};
    double x[CASE_N];
    sn_setAllocHook(refuseAll, &calls);
    for (int trial = 0; trial < 20; trial++) {
        randomCase(&problem, 20, CASE_LEVELS, &seed);
        sn_solveHqp(h, &(snHqpProblem){20, CASE_LEVELS, problem.level, NULL}, NULL, x, NULL, NULL, NULL, NULL,
                    NULL, NULL);
    }
    const int solving = calls;
    snHqp* none = sn_makeHqp(5, 5, 5, &error);
    sn_setAllocHook(NULL, NULL);
    assert_int_equal(solving, 0);
    assert_null(none);
    assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
    sn_freeHqp(h);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testToys),
        cmocka_unit_test(testRecursion),
        cmocka_unit_test(testMetric),
        cmocka_unit_test(testWeighted),
        cmocka_unit_test(testRowsThatDoNotCount),
        cmocka_unit_test(testIterations),
        cmocka_unit_test(testOtherLevels),
        cmocka_unit_test(testBadInput),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(testMemory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
