// The direct method on boxes: published problems, all bases of small ones, ill-conditioned, redundant and
// unsolvable ones.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "dense_problem.h"

// Murty's matrix, 1 on the diagonal and 2 below, or Fathi's, that times its transpose; q = -1.
static Problem published(int n, bool fathi, bool reversed)
{
    Problem p = newProblem(n);
    for (int i = 0; i < n; i++) {
        p.b[i] = -1;
        for (int j = 0; j < n; j++) {
            const int least = i < j ? i : j;
            const double murty = i == j ? 1 : i > j ? 2 : 0, gram = 4 * least + (i == j ? 1 : 2);
            const int row = reversed ? n - 1 - i : i, column = reversed ? n - 1 - j : j;
            p.A[row * n + column] = fathi ? gram : murty;
        }
    }
    return p;
}

// z = e1 however the rows are ordered, in the usual order by one pivot.
static void testPublished(void** state)
{
    (void)state;
    for (int n = 8; n <= 128; n *= 2)
        for (int which = 0; which < 4; which++) {
            Problem p = published(n, which & 1, which & 2);
            assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
            for (int i = 0; i < n; i++) assert_true(fabs(p.x[i] - (i == (which & 2 ? n - 1 : 0))) < 1e-13);
            if (!(which & 2)) assert_int_equal(p.pivots, 1);
            freeProblem(&p);
        }
}

static void testCyclic(void** state)
{
    (void)state;
    Problem p = newProblem(3);
    for (int i = 0; i < 3; i++) {
        p.b[i] = -1;
        p.A[i * 3 + i] = 1;
        p.A[i * 3 + (i + 1) % 3] = 2;
    }
    assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
    for (int i = 0; i < 3; i++) assert_true(fabs(p.x[i] - 1.0 / 3) < 1e-15);
    freeProblem(&p);
}

// Rows -1 4 -1: with b = -1 all are above 0, and x is what elimination gives.
static void testTridiagonal(void** state)
{
    (void)state;
    enum { N = 200 };
    Problem p = newProblem(N);
    double upper[N], rhs[N];
    for (int i = 0; i < N; i++) {
        p.b[i] = -1;
        for (int j = 0; j < N; j++) p.A[i * N + j] = i == j ? 4 : abs(i - j) == 1 ? -1 : 0;
        const double pivot = i ? 4 + upper[i - 1] : 4;
        upper[i] = -1 / pivot;
        rhs[i] = (1 + (i ? rhs[i - 1] : 0)) / pivot;
    }
    assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
    for (int i = N - 1; i >= 0; i--) {
        if (i < N - 1) rhs[i] -= upper[i] * rhs[i + 1];
        assert_true(fabs(p.x[i] - rhs[i]) < 1e-14);
    }
    freeProblem(&p);
}

// A = W W' with singular values from 1 down to condition^-1/2 for some of `columns`.
static void setRandom(Problem* p, int columns, double condition, uint64_t* seed)
{
    double* W = malloc((size_t)(p->n * columns) * sizeof(double));
    double scale[MOST_ROWS];
    for (int k = 0; k < columns; k++) scale[k] = pow(condition, 0.5 * uniform(seed) - 0.5);
    for (int k = 0; k < p->n * columns; k++) W[k] = uniform(seed);
    setGram(p, W, scale, columns);
    for (int i = 0; i < p->n; i++) {
        p->b[i] = 0;
        for (int k = 0; k < columns; k++) p->b[i] += W[i * columns + k] * (k % 3 - 1.3);
    }
    free(W);
}

// Bounds of all kinds: none, one, two, two that are equal.
static void setBounds(Problem* p, uint64_t* seed)
{
    for (int i = 0; i < p->n; i++) {
        const int which = (int)((uniform(seed) + 1) * 3.4999);
        p->lo[i] = which < 2 ? -HUGE_VAL : 0.1 * uniform(seed);
        p->hi[i] = which == 0 || which == 2 ? HUGE_VAL : which == 3 ? p->lo[i] : fmax(0, p->lo[i]) + 0.2;
    }
}

// x for a choice of rows at lo (0), inside (1) and at hi (2). false: it is not finite, or leaves its bounds.
static bool trySides(const Problem* p, const int* side, double* x)
{
    double M[8][9];
    const int n = p->n;
    for (int i = 0; i < n; i++) {
        M[i][n] = side[i] == 1 ? -p->b[i] : side[i] == 0 ? p->lo[i] : p->hi[i];
        for (int j = 0; j < n; j++) M[i][j] = side[i] == 1 ? p->A[i * n + j] : i == j;
        if (!isfinite(M[i][n])) return false;
    }
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int r = i; r < n; r++) best = fabs(M[r][i]) > fabs(M[best][i]) ? r : best;
        for (int c = 0; c <= n; c++) {
            const double kept = M[i][c];
            M[i][c] = M[best][c];
            M[best][c] = kept;
        }
        for (int r = 0; r < n; r++)
            for (int c = n; c >= i && r != i; c--) M[r][c] -= M[r][i] / M[i][i] * M[i][c];
    }
    bool within = true;
    for (int i = 0; i < n; i++) {
        x[i] = M[i][n] / M[i][i];
        within = within && x[i] >= p->lo[i] - 1e-9 && x[i] <= p->hi[i] + 1e-9;
    }
    return within;
}

static bool velocitiesFit(const Problem* p, const int* side)
{
    for (int i = 0; i < p->n; i++) {
        const double w = velocity(p, i);
        if (p->lo[i] != p->hi[i] && ((side[i] == 0 && w < -1e-9) || (side[i] == 2 && w > 1e-9))) return false;
    }
    return true;
}

// The solution among all 3^n choices of sides.
static bool enumerate(Problem* p)
{
    int side[8] = {0};
    for (;;) {
        if (trySides(p, side, p->x) && velocitiesFit(p, side)) return true;
        int i = 0;
        while (i < p->n && side[i] == 2) side[i++] = 0;
        if (i == p->n) return false;
        side[i]++;
    }
}

static void testEnumeration(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 100; trial++) {
        Problem p = newProblem(2 + trial % 6);
        setRandom(&p, p.n + 2, 10, &seed);
        setBounds(&p, &seed);
        double found[8];
        for (int i = 0; i < p.n; i++) p.x[i] = trial % 2 ? uniform(&seed) : 0;
        assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
        memcpy(found, p.x, (size_t)p.n * sizeof(double));
        assert_true(enumerate(&p));
        for (int i = 0; i < p.n; i++) assert_true(fabs(found[i] - p.x[i]) < 1e-9 * (1 + fabs(p.x[i])));
        freeProblem(&p);
    }
}

static void testCondition(void** state)
{
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 60; trial++) {
        Problem p = newProblem(10 + 3 * trial);
        const int columns = trial % 3 == 2 ? p.n / 2 : p.n + 2;
        setRandom(&p, columns, trial % 2 ? 1e4 : 1e6, &seed);
        setBounds(&p, &seed);
        if (columns < p.n) // a fixed row may ask what a singular A cannot give
            for (int i = 0; i < p.n; i++)
                if (p.lo[i] == p.hi[i]) p.lo[i] = -HUGE_VAL;
        const int status = solve(&p);
        const double found = relativeResidual(&p);
        if (status || !(found < 1e-11)) print_message("trial %d, %d rows: %g\n", trial, p.n, found);
        assert_int_equal(status, SN_LCPSTATUS_SOLVED);
        assert_true(found < 1e-11);
        freeProblem(&p);
    }
}

// Free rows, most of them combinations of others.
static void testRedundant(void** state)
{
    (void)state;
    uint64_t seed = 5;
    Problem p = newProblem(40);
    setRandom(&p, 12, 100, &seed);
    for (int i = 0; i < p.n; i++) p.lo[i] = i < 30 ? -HUGE_VAL : 0;
    assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
    assert_true(relativeResidual(&p) < 1e-12);
    freeProblem(&p);
}

// Rows that nothing moves keep their x, and others feel it.
static void testKept(void** state)
{
    (void)state;
    Problem p = newProblem(4);
    p.A[0] = p.A[5] = 2;
    p.A[1 * 4 + 2] = 1; // the third row moves the second
    p.b[0] = p.b[1] = -1;
    p.x[2] = 0.5;
    p.kind[3] = SN_LCPROW_FRICTION;
    p.normal[3] = 2;
    p.mu[3] = 0.4;
    p.A[15] = 1;
    p.b[3] = 3;
    assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
    const double expected[] = {0.5, 0.25, 0.5, -0.2};
    for (int i = 0; i < 4; i++) assert_true(fabs(p.x[i] - expected[i]) < 1e-15);
    freeProblem(&p);
}

// x0 - x1 >= 1 and x1 - x0 >= 1.
static void testRay(void** state)
{
    (void)state;
    Problem p = newProblem(2);
    p.A[0] = p.A[3] = 1;
    p.A[1] = p.A[2] = -1;
    p.b[0] = p.b[1] = -1;
    assert_int_equal(solve(&p), SN_LCPSTATUS_RAY);
    assert_true(isfinite(p.x[0]) && isfinite(p.x[1]));
    freeProblem(&p);
}

static void testEmpty(void** state)
{
    (void)state;
    Problem p = newProblem(0);
    assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
    freeProblem(&p);
}

// A solution handed in stays as it is.
static void testGuess(void** state)
{
    (void)state;
    uint64_t seed = 6;
    Problem p = newProblem(30);
    setRandom(&p, 40, 10, &seed);
    assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
    double first[30];
    memcpy(first, p.x, sizeof first);
    assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
    assert_int_equal(p.pivots, 0);
    assert_memory_equal(first, p.x, sizeof first);
    freeProblem(&p);
}

// Whatever is handed in: x ends finite and within its bounds, here at the solution.
static void testWildGuess(void** state)
{
    (void)state;
    const double guesses[] = {NAN, HUGE_VAL, -HUGE_VAL, 1e308, -1e300, 1e-310};
    uint64_t seed = 7;
    Problem p = newProblem(20);
    setRandom(&p, 30, 10, &seed);
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < p.n; i++) p.x[i] = i % 3 ? guesses[k] : 0;
        assert_int_equal(solve(&p), SN_LCPSTATUS_SOLVED);
        assert_true(relativeResidual(&p) < 1e-12);
        for (int i = 0; i < p.n; i++) assert_true(p.x[i] >= 0);
    }
    freeProblem(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPublished),   cmocka_unit_test(testCyclic),    cmocka_unit_test(testTridiagonal),
        cmocka_unit_test(testEnumeration), cmocka_unit_test(testCondition), cmocka_unit_test(testRedundant),
        cmocka_unit_test(testKept),        cmocka_unit_test(testRay),       cmocka_unit_test(testEmpty),
        cmocka_unit_test(testGuess),       cmocka_unit_test(testWildGuess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
