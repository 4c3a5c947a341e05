// Large islands against the small ones' dense way, on the same problems: M, the Hessian and its updates,
// cones, and what Newton and conjugate gradients make of them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "model/arena.h"
#include "model_text.h"
#include "solver/hessian.h"

enum { TEXT = 1 << 16 };

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// A heap of `count` spheres and boxes that touch their neighbours, and among them trees of hinges, balls and
// slides with limits, dry friction and an equality.
static const char* held = "soft"; // its equality

static snModel* heap(int count, const char* option)
{
    static char xml[TEXT];
    uint64_t seed = 5;
    int at = snprintf(xml, TEXT,
                      "<mujoco><option %s/><custom><text name='sinew_loops' data='%s'/></custom><worldbody>"
                      "<geom type='plane' size='5 5 1'/>",
                      option, held);
    for (int i = 0; i < count; i++)
        at += snprintf(
            xml + at, (size_t)(TEXT - at),
            "<body pos='%.4f %.4f %.4f' euler='%.1f %.1f 0'><freejoint/><geom type='%s' size='.1 .1 .1'"
            " condim='%d'/></body>",
            0.19 * (i % 4) + 0.01 * uniform(&seed), 0.19 * (i / 4 % 4) + 0.01 * uniform(&seed),
            0.095 + 0.19 * (i / 16), 90 * uniform(&seed), 90 * uniform(&seed), i % 3 ? "sphere" : "box",
            i % 5 == 0   ? 6
            : i % 5 == 1 ? 4
                         : 3);
    for (int i = 0; i < 3; i++)
        at += snprintf(
            xml + at, (size_t)(TEXT - at),
            "<body pos='%.2f .2 %.2f'><joint type='ball' limited='true' range='0 5' frictionloss='.2'/>"
            "<geom type='capsule' size='.07' fromto='0 0 0 .2 0 0'/>"
            "<body pos='.2 0 0'><joint axis='0 1 0' limited='true' range='10 60' frictionloss='.1'/>"
            "<joint axis='0 0 1'/><geom type='capsule' size='.06' fromto='0 0 0 .2 0 0'/>"
            "<body name='hand%d' pos='.2 0 0'><joint type='slide' axis='1 0 0'/><geom size='.06'/></body>"
            "<body pos='.2 0 .9'><joint axis='0 1 0'/><geom size='.05' contype='0' conaffinity='0'/>"
            "</body></body></body>",
            0.1 + 0.15 * i, 0.15 + 0.19 * i, i);
    snprintf(
        xml + at, (size_t)(TEXT - at),
        "</worldbody><equality><connect body1='hand0' body2='hand2' anchor='0 0 .1'/></equality></mujoco>");
    return load(xml);
}

// A trunk of hinges with a twig at each, that lies on the ground: rows that touch `count` paths of
// dofs. Among the trunk's joints equalities that touch some dofs of a body and not others.
static snModel* comb(int count)
{
    static char xml[TEXT];
    int at = snprintf(xml, TEXT,
                      "<mujoco><compiler autolimits='true'/><worldbody><geom type='plane' size='9 9 1'/>"
                      "<body pos='0 0 .04'>");
    for (int i = 0; i < count; i++)
        at += snprintf(
            xml + at, (size_t)(TEXT - at),
            "<body pos='.1 0 0'><joint name='a%d' axis='0 1 0' armature='1'/><joint axis='1 0 0' "
            "armature='1'/>"
            "<joint name='c%d' axis='0 0 1' armature='1'/><geom size='.05'/><body><joint axis='1 0 0' "
            "armature='1' frictionloss='.1'/>"
            "<geom type='box' size='.02 .2 .02' contype='0' conaffinity='0'/></body>",
            i, i);
    for (int i = 0; i < count; i++) at += snprintf(xml + at, (size_t)(TEXT - at), "</body>");
    at += snprintf(xml + at, (size_t)(TEXT - at), "</body></worldbody><equality>");
    for (int i = 0; i < count; i += 7)
        at += snprintf(xml + at, (size_t)(TEXT - at), "<joint joint1='a%d' joint2='c%d'/>", i, i);
    snprintf(xml + at, (size_t)(TEXT - at), "</equality></mujoco>");
    return load(xml);
}

// The largest island of the data's rows, both ways.
typedef struct Both {
    snModel* m;
    snData* d;
    snIslands islands;
    snProblem small, large;
    int island;
} Both;

static void setUpModel(Both* b, snModel* m)
{
    *b = (Both){.m = m};
    b->d = sn_makeData(b->m);
    for (int i = 0; i < 3; i++) sn_step(b->m, b->d);
    sn_forward(b->m, b->d);
    assert_true(sn_findIslands(b->m, b->d, NULL, &b->islands));
    for (int k = 0; k < b->islands.count; k++)
        if (b->islands.ntouched[k] > b->islands.ntouched[b->island]) b->island = k;
    for (int large = 0; large < 2; large++) {
        snProblem* p = large ? &b->large : &b->small;
        assert_true(sn_islandHasLoops(b->m, b->d, &b->islands, b->island)
                        ? sn_buildLoopProblem(b->m, b->d, &b->islands, b->island, large, p)
                        : sn_buildProblem(b->m, b->d, &b->islands, b->island, large, p));
    }
    assert_true(!b->small.large && b->large.large);
    assert_int_equal(b->small.rows.count, b->large.rows.count);
}

static void setUp(Both* b, int count, const char* option)
{
    setUpModel(b, heap(count, option));
    assert_true(b->large.ndof > 6 * count);
}

static void tearDown(Both* b)
{
    sn_deleteData(b->d);
    sn_deleteModel(b->m);
}

static void assertNear(const double* a, const double* b, int n, double tolerance)
{
    double most = 0, difference = 0;
    for (int i = 0; i < n; i++) {
        assert_true(isfinite(a[i]) && isfinite(b[i]));
        most = fmax(most, fabs(b[i]));
        difference = fmax(difference, fabs(a[i] - b[i]));
    }
    if (!(difference <= tolerance * most)) fail_msg("%g apart of %g", difference, most);
}

static void randomVector(snData* d, int n, double** a, double** b, uint64_t* seed)
{
    *a = sn_scratchReal(d, n);
    *b = sn_scratchReal(d, n);
    for (int i = 0; i < n; i++) (*a)[i] = (*b)[i] = uniform(seed);
}

static void test_inertia(void** state)
{
    (void)state;
    Both b;
    uint64_t seed = 1;
    double *x, *same, *y, *z;
    setUp(&b, 20, "solver='CG'");
    assert_true(b.small.nfollow > 0 || b.small.loops);
    randomVector(b.d, b.small.n, &x, &same, &seed);
    randomVector(b.d, b.small.n, &y, &z, &seed);
    sn_problemMulM(&b.small, x, y);
    sn_problemMulM(&b.large, x, z);
    assertNear(z, y, b.small.ndof, 1e-14);
    sn_problemSolveM(&b.large, z);
    assertNear(z, x, b.small.ndof, 1e-12);
    tearDown(&b);
}

static void test_many_pieces(void** state)
{
    (void)state;
    Both b;
    snHessian small, large;
    snPrimal point;
    uint64_t seed = 3;
    double *x, *y;
    setUpModel(&b, comb(60));
    int most = 0, inside = 0;
    for (int k = 0; k < b.large.coupling.nsupport; k++) {
        const snHessianSupport* s = b.large.coupling.support + k;
        most = s->npiece > most ? s->npiece : most;
        inside += s->npiece == 2 && s->piece[0].node == s->piece[1].node;
    }
    assert_true(most >= 60 && inside > 5);
    assert_true(sn_primalAllocate(b.d, &b.small, &point));
    assert_true(sn_hessianAllocate(b.d, &b.small, &small) && sn_hessianAllocate(b.d, &b.large, &large));
    for (int r = 0; r < b.small.rows.count; r++) point.weight[r] = uniform(&seed) > 0 ? b.small.rows.D[r] : 0;
    assert_int_equal(sn_hessianFactor(&b.small, &point, &small), 0);
    assert_int_equal(sn_hessianFactor(&b.large, &point, &large), 0);
    for (int turn = 0; turn < 2; turn++) {
        randomVector(b.d, b.small.n, &x, &y, &seed);
        sn_hessianSolve(&b.small, &small, x);
        sn_hessianSolve(&b.large, &large, y);
        assertNear(y, x, b.small.ndof, 1e-10); // of condition 1e6, as a long trunk is
        for (int k = 0; k < 5; k++) {
            const int r = (int)((uniform(&seed) + 1) / 2 * b.small.rows.count) % b.small.rows.count;
            point.weight[r] = point.weight[r] == 0 ? b.small.rows.D[r] : 0;
        }
        sn_hessianFactor(&b.small, &point, &small);
        assert_true(sn_hessianUpdate(&b.large, &point, &large) >= 0);
    }
    tearDown(&b);
}

// Factors at points where more and more rows change their state, anew and by updates.
static void checkHessian(int count, const char* option, bool round)
{
    Both b;
    snHessian small, large, updated;
    snPrimal point;
    uint64_t seed = 2;
    int updates = 0;
    setUp(&b, count, option);
    const int rows = b.small.rows.count, n = b.small.n;
    double *x, *y, *zone = sn_scratchReal(b.d, rows), *force = sn_scratchReal(b.d, rows);
    assert_true(sn_primalAllocate(b.d, &b.small, &point));
    assert_true(sn_hessianAllocate(b.d, &b.small, &small) && sn_hessianAllocate(b.d, &b.large, &large) &&
                sn_hessianAllocate(b.d, &b.large, &updated));
    for (int r = 0; r < rows; r++) point.jar[r] = uniform(&seed);
    for (int turn = 0, changes = 1; turn < 12; turn++, changes += changes / 2 + 1) {
        int changed;
        if (turn)
            for (int k = 0; k < changes; k++)
                point.jar[(int)((uniform(&seed) + 1) / 2 * rows) % rows] = uniform(&seed);
        sn_rowsetUpdate(&b.small.rows, point.jar, force, point.weight, zone, &changed);
        sn_rowsetUpdate(&b.large.rows, point.jar, force, point.weight, zone, &changed);
        assert_int_equal(sn_hessianFactor(&b.small, &point, &small), 0);
        assert_int_equal(sn_hessianFactor(&b.large, &point, &large), 0);
        const int made = turn ? sn_hessianUpdate(&b.large, &point, &updated) : -1;
        if (made < 0)
            sn_hessianFactor(&b.large, &point, &updated);
        else
            updates += made;
        randomVector(b.d, n, &x, &y, &seed);
        sn_hessianSolve(&b.small, &small, x);
        sn_hessianSolve(&b.large, &large, y);
        assertNear(y, x, b.small.ndof, 1e-12);
        sn_hessianSolve(&b.small, &small, x);
        sn_hessianSolve(&b.large, &updated, y);
        assertNear(y, x, b.small.ndof, 1e-10); // what was taken off again left its rounding
    }
    assert_true(round ? updates == 0 : updates > 5);
    tearDown(&b);
}

static void test_hessian(void** state)
{
    (void)state;
    checkHessian(5, "", false);
    checkHessian(30, "", false);
    checkHessian(60, "", false);
    checkHessian(30, "cone='elliptic'", true);
}

static void run(Both* b, snProblem* p, snPrimalResult* result, bool newton)
{
    const snPrimalOption opt = {.tolerance = 1e-14,
                                .ls_tolerance = 1e-3,
                                .scale = 1,
                                .iterations = newton ? 50 : 4000,
                                .ls_iterations = 50};
    const int rows = p->rows.count;
    *result = (snPrimalResult){.y = sn_scratchReal(b->d, p->n),
                               .force = sn_scratchReal(b->d, rows),
                               .zone = sn_scratchReal(b->d, rows),
                               .grad_s = sn_scratchReal(b->d, p->n)};
    memset(result->y, 0, (size_t)p->n * sizeof(double));
    assert_true(newton ? sn_newton(b->d, p, &opt, false, result)
                       : sn_conjugateGradient(b->d, p, &opt, false, result));
    assert_int_equal(result->bad, 0);
}

static void checkSolver(int count, const char* option, bool newton, double tolerance)
{
    Both b;
    snPrimalResult small, large;
    setUp(&b, count, option);
    run(&b, &b.small, &small, newton);
    run(&b, &b.large, &large, newton);
    assertNear(large.y, small.y, b.small.ndof, tolerance);
    assertNear(large.force, small.force, b.small.rows.count, tolerance);
    tearDown(&b);
}

static void test_solvers(void** state)
{
    (void)state;
    checkSolver(40, "", true, 1e-12);
    checkSolver(40, "cone='elliptic'", true, 1e-12);
    checkSolver(40, "jacobian='sparse' impratio='10' cone='elliptic'", true, 1e-12);
    checkSolver(20, "solver='CG'", false, 1e-9);
    checkSolver(20, "solver='CG' cone='elliptic'", false, 1e-9);
}

// A Hessian that is not positive is counted, as it is the dense way; one that is no number ends, too.
static void test_bad_pivots(void** state)
{
    (void)state;
    Both b;
    snPrimalResult result;
    const snPrimalOption opt = {
        .tolerance = 1e-10, .ls_tolerance = 1e-2, .scale = 1, .iterations = 9, .ls_iterations = 9};
    setUp(&b, 20, "");
    run(&b, &b.large, &result, true);
    for (int c = 0; c < b.large.ndof; c++) b.large.chainM[b.large.chains.adr[c]] = -1e9;
    assert_true(sn_newton(b.d, &b.large, &opt, false, &result));
    assert_true(result.bad > 0);
    b.large.chainM[b.large.chains.adr[7]] = NAN;
    assert_true(sn_newton(b.d, &b.large, &opt, false, &result));
    assert_true(result.bad > 0);
    tearDown(&b);
}

// Without room the island says so; nothing is written beyond the arena.
static void test_full_arena(void** state)
{
    (void)state;
    Both b;
    snProblem p;
    snHessian h;
    int failed = 0;
    setUp(&b, 20, "");
    const size_t all = b.d->narena, mark = sn_scratchMark(b.d);
    for (size_t room = 0;; room += 4096) {
        b.d->narena = b.d->parena + mark + room;
        const bool ok =
            sn_buildProblem(b.m, b.d, &b.islands, b.island, true, &p) && sn_hessianAllocate(b.d, &p, &h);
        sn_scratchRelease(b.d, mark);
        if (ok) break;
        failed++;
    }
    assert_true(failed > 10);
    b.d->narena = all;
    tearDown(&b);
}

// With the equality held exactly, in the independent accelerations.
static void test_loops(void** state)
{
    held = "exact";
    Both b;
    setUp(&b, 20, "");
    assert_true(b.small.loops && b.large.loops && b.d->nclosure == 1 && b.d->loop_rank == 3);
    tearDown(&b);
    test_inertia(state);
    test_hessian(state);
    test_solvers(state);
    test_bad_pivots(state);
    held = "soft";
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inertia), cmocka_unit_test(test_many_pieces), cmocka_unit_test(test_hessian),
        cmocka_unit_test(test_solvers), cmocka_unit_test(test_bad_pivots),  cmocka_unit_test(test_full_arena),
        cmocka_unit_test(test_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
