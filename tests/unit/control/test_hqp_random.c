// Hierarchies at random, degenerate ones among them: each level's conditions of optimality, by an independent
// route; warm starts; scales; what a level may not do to those above.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sinew/qp.h>
#include "hierarchy_case.h"

static Case problem, other;

static int solveCase(snHqp* h, const Case* c, bool warm, double* x, double* violation, snHqpResult* result)
{
    snHqpOption opt;
    sn_defaultHqpOption(&opt);
    opt.warmstart = warm;
    return (int)sn_solveHqp(h, &(snHqpProblem){c->n, c->nlevel, c->level, NULL}, &opt, x, NULL, NULL, NULL,
                            violation, result, NULL);
}

static void checkOptimal(const Case* c, const double* x, int trial, const char* what)
{
    const double off = optimality(c, x, NULL);
    if (!(off < 1e-8)) print_message("%s, trial %d, n %d: %g\n", what, trial, c->n, off);
    assert_true(off < 1e-8);
}

static void testOptimal(void** state)
{
    (void)state;
    uint64_t seed = 1;
    snHqp* h = sn_makeHqp(CASE_N, CASE_LEVELS, CASE_ROWS, NULL);
    for (int trial = 0; trial < 3000; trial++) {
        double x[CASE_N], again[CASE_N], violation[CASE_LEVELS];
        snHqpResult result;
        randomCase(&problem, 1 + whole(&seed, trial % 20 ? 10 : CASE_N), 1 + whole(&seed, CASE_LEVELS),
                   &seed);
        assert_int_equal(solveCase(h, &problem, false, x, violation, &result), SN_STATUS_OK);
        assert_int_equal(result.status, SN_QP_SOLVED);
        checkOptimal(&problem, x, trial, "cold");
        for (int k = 0; k < problem.nlevel; k++)
            assert_true(fabs(violation[k] - levelViolation(&problem, k, x)) < 1e-12 * (1 + violation[k]));
        assert_int_equal(solveCase(h, &problem, true, again, NULL, &result), SN_STATUS_OK);
        assert_int_equal(result.passes, 1);
        for (int j = 0; j < problem.n; j++) assert_true(fabs(x[j] - again[j]) < 1e-7 * (1 + fabs(x[j])));
    }
    sn_freeHqp(h);
}

// The active sets of another problem.
static void testWrongWarmStart(void** state)
{
    (void)state;
    uint64_t seed = 2;
    snHqp* h = sn_makeHqp(CASE_N, CASE_LEVELS, CASE_ROWS, NULL);
    for (int trial = 0; trial < 1000; trial++) {
        double x[CASE_N], cold[CASE_N], violation[CASE_LEVELS];
        snHqpResult result;
        const int n = 1 + whole(&seed, 10), nlevel = 1 + whole(&seed, CASE_LEVELS);
        randomCase(&problem, n, nlevel, &seed);
        other = problem;
        for (int k = 0, at = 0; k < nlevel; at += other.level[k++].rows)
            other.level[k] = (snHqpLevel){problem.level[k].rows, other.A + at * n, other.lower + at,
                                          other.upper + at, other.weight + at};
        const bool integer = trial % 2;
        for (int i = 0; i < other.nrow; i++)
            if (trial % 3 == 0 || whole(&seed, 4) == 0) randomRow(&other, i, &seed, integer, 0.2);
        solveCase(h, &problem, false, x, NULL, &result);
        assert_int_equal(solveCase(h, &other, true, x, violation, &result), SN_STATUS_OK);
        assert_int_equal(result.status, SN_QP_SOLVED);
        checkOptimal(&other, x, trial, "wrong sets");
        solveCase(h, &other, false, cold, NULL, &result);
        for (int k = 0; k < nlevel; k++)
            assert_true(fabs(violation[k] - levelViolation(&other, k, cold)) < 1e-8 * (1 + violation[k]));
        for (int j = 0; j < n; j++) assert_true(fabs(x[j] - cold[j]) < 1e-6 * (1 + fabs(x[j])));
    }
    sn_freeHqp(h);
}

// A row c a with bounds c b and weight w / c^2 says the same.
static void testScales(void** state)
{
    (void)state;
    uint64_t seed = 3;
    snHqp* h = sn_makeHqp(CASE_N, CASE_LEVELS, CASE_ROWS, NULL);
    for (int trial = 0; trial < 1000; trial++) {
        double x[CASE_N], scaled[CASE_N];
        snHqpResult result;
        randomCase(&problem, 1 + whole(&seed, 12), 1 + whole(&seed, CASE_LEVELS), &seed);
        solveCase(h, &problem, false, x, NULL, &result);
        for (int i = 0; i < problem.nrow; i++) {
            const double factor = pow(10, 12 * uniform(&seed) - 6);
            for (int j = 0; j < problem.n; j++) problem.A[i * problem.n + j] *= factor;
            problem.lower[i] *= factor;
            problem.upper[i] *= factor;
            problem.weight[i] /= factor * factor;
        }
        solveCase(h, &problem, false, scaled, NULL, &result);
        assert_int_equal(result.status, SN_QP_SOLVED);
        for (int j = 0; j < problem.n; j++) {
            if (!(fabs(x[j] - scaled[j]) < 1e-6 * (1 + fabs(x[j])))) print_message("trial %d\n", trial);
            assert_true(fabs(x[j] - scaled[j]) < 1e-6 * (1 + fabs(x[j])));
        }
    }
    sn_freeHqp(h);
}

// What the levels above come to is the same with and without those below.
static void testLevelsAbove(void** state)
{
    (void)state;
    uint64_t seed = 4;
    snHqp* h = sn_makeHqp(CASE_N, CASE_LEVELS, CASE_ROWS, NULL);
    for (int trial = 0; trial < 1000; trial++) {
        double x[CASE_N], violation[CASE_LEVELS], alone[CASE_LEVELS];
        snHqpResult result;
        randomCase(&problem, 1 + whole(&seed, 12), CASE_LEVELS, &seed);
        solveCase(h, &problem, false, x, violation, &result);
        for (problem.nlevel = 1; problem.nlevel < CASE_LEVELS; problem.nlevel++) {
            solveCase(h, &problem, false, x, alone, &result);
            for (int k = 0; k < problem.nlevel; k++)
                assert_true(fabs(violation[k] - alone[k]) < 1e-9 * (1 + violation[k]));
        }
    }
    sn_freeHqp(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testOptimal),
        cmocka_unit_test(testWrongWarmStart),
        cmocka_unit_test(testScales),
        cmocka_unit_test(testLevelsAbove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
