// Points solved by iteration: M^ and its product, the incomplete factor, directions, whole steps against the
// factor of everything.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "constraint/island.h"
#include "model/arena.h"
#include "model_text.h"
#include "smooth/elastic_metric.h"
#include "solver/hessian.h"

static const char cloth[] =
    "<mujoco><option integrator='discrete' tolerance='1e-8' cone='elliptic'/><worldbody>"
    "<geom type='box' size='.3 .3 .1' pos='0 0 .9'/>"
    "<flexcomp name='cloth' type='grid' dim='2' count='10 10 1' spacing='.1 .1 1' pos='0 0 1.008' mass='.5'"
    " radius='.01'><contact selfcollide='none'/>"
    "<elasticity young='1e5' poisson='.3' thickness='.003' damping='.005' elastic2d='both'/></flexcomp>"
    "<body pos='0 0 1.045'><freejoint/><geom type='box' size='.05 .05 .03' mass='.3'/></body>"
    "</worldbody></mujoco>";

static double farthest(const double* a, const double* b, int n)
{
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

// Some steps on the way to rest, forward done.
static snData* fallen(snModel* m, double tolerance, int steps)
{
    snData* d = sn_makeData(m);
    m->opt.tolerance = 1e-8;
    for (int k = 0; k < steps; k++) sn_step(m, d);
    m->opt.tolerance = tolerance;
    sn_forward(m, d);
    return d;
}

static void test_steps_equal_those_of_the_factor(void** state)
{
    (void)state;
    snModel* m = load(cloth);
    for (int steps = 0; steps <= 60; steps += 20) {
        snData *near = fallen(m, 1e-10, steps), *exact = fallen(m, 1e-14, steps);
        assert_true(near->nefc == exact->nefc && (steps == 0 || near->nefc > 0));
        assert_true(near->solver_nnz != exact->solver_nnz || near->nefc == 0); // ways of their own
        assert_true(farthest(near->qacc_smooth, exact->qacc_smooth, m->nv) < 1e-6);
        assert_true(farthest(near->qacc, exact->qacc, m->nv) < 1e-6);
        sn_deleteData(near);
        sn_deleteData(exact);
    }
    sn_deleteModel(m);
}

// The problem of the one island after some steps, in scratch.
typedef struct Setup {
    snModel* m;
    snData* d;
    snElastic elastic;
    snIslands islands;
    snProblem p;
    snPrimal s;
    snHessian h;
} Setup;

static void setUp(Setup* b)
{
    b->m = load(cloth);
    b->d = fallen(b->m, 1e-8, 60);
    b->elastic = sn_elasticOf(b->d);
    assert_true(sn_findIslands(b->m, b->d, &b->elastic, &b->islands));
    assert_int_equal(b->islands.count, 1);
    assert_true(sn_buildProblem(b->m, b->d, &b->islands, 0, true, &b->p));
}

static void tearDown(Setup* b)
{
    sn_deleteData(b->d);
    sn_deleteModel(b->m);
}

static void test_products_and_directions(void** state)
{
    (void)state;
    Setup b;
    setUp(&b);
    assert_int_equal(b.p.points.count, 100);
    assert_int_equal(b.p.points.nrest, 6);
    double *x = sn_scratchReal(b.d, b.p.n), *y = sn_scratchReal(b.d, b.p.n), *z = sn_scratchReal(b.d, b.p.n);
    for (int i = 0; i < b.p.n; i++) x[i] = i < b.p.ndof ? sin(i + 1.) : 0;
    sn_problemMulM(&b.p, x, y);
    b.p.points.count = 0;
    sn_problemMulM(&b.p, x, z); // by scalars
    b.p.points.count = 100;
    assert_true(farthest(y, z, b.p.ndof) < 1e-14);

    // the direction solves H p = b: weights of 1 in all rows but those of cones
    assert_true(sn_primalAllocate(b.d, &b.p, &b.s) && sn_hessianAllocate(b.d, &b.p, &b.h));
    for (int r = 0; r < b.p.rows.count; r++) b.s.weight[r] = b.p.efc[r] < 0 ? 0 : 3;
    memset(b.s.jar, 0, (size_t)b.p.rows.count * sizeof(double));
    assert_int_equal(sn_hessianFactor(&b.p, &b.s, &b.h), 0);
    memcpy(z, x, (size_t)b.p.n * sizeof(double));
    sn_hessianDirection(&b.p, &b.h, 1e-12, z);
    double *jz = sn_scratchReal(b.d, b.p.rows.count), *Hz = sn_scratchReal(b.d, b.p.n);
    sn_problemMulM(&b.p, z, Hz);
    sn_problemMulJ(&b.p, z, jz);
    for (int r = 0; r < b.p.rows.count; r++) jz[r] *= b.s.weight[r];
    sn_problemMulJT(&b.p, jz, Hz);
    assert_true(farthest(Hz, x, b.p.ndof) < 1e-11);
    tearDown(&b);
}

// A block that stays positive whatever is taken off it.
static void test_a_factor_that_breaks_down(void** state)
{
    (void)state;
    Setup b;
    setUp(&b);
    for (int k = 0; k < SN_POINT * b.p.points.adr[b.p.points.count]; k++)
        b.p.points.pair[k] *= 5; // not positive now
    assert_true(sn_primalAllocate(b.d, &b.p, &b.s) && sn_hessianAllocate(b.d, &b.p, &b.h));
    memset(b.s.weight, 0, (size_t)b.p.rows.count * sizeof(double));
    memset(b.s.jar, 0, (size_t)b.p.rows.count * sizeof(double));
    assert_int_equal(sn_hessianFactor(&b.p, &b.s, &b.h), 0);
    double* x = sn_scratchReal(b.d, b.p.n);
    for (int i = 0; i < b.p.n; i++) x[i] = i < b.p.ndof ? cos(i) : 0;
    double* rhs = sn_scratchReal(b.d, b.p.n);
    memcpy(rhs, x, (size_t)b.p.n * sizeof(double));
    sn_hessianSolve(&b.p, &b.h, x); // positive all the same
    assert_true(sn_primalDot(x, rhs, b.p.n) > 0);
    tearDown(&b);
}

// Whatever room there is: no more is written, and a warning tells.
static void test_full_arena(void** state)
{
    (void)state;
    snModel* m = load(cloth);
    snData* d = fallen(m, 1e-8, 60);
    const size_t all = d->narena, used = d->maxuse_arena;
    int warned = 0;
    for (size_t part = 1; part <= 40; part++) {
        d->narena = used * part / 40 & ~(size_t)63;
        sn_resetData(m, d);
        for (int k = 0; k < 3; k++) sn_step(m, d);
        warned += d->warning[SN_WARN_CNSTRFULL].number > 0;
        for (int i = 0; i < m->nv; i++) assert_true(isfinite(d->qacc[i]));
    }
    assert_true(warned > 5);
    d->narena = all;
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_equal_those_of_the_factor),
        cmocka_unit_test(test_products_and_directions),
        cmocka_unit_test(test_a_factor_that_breaks_down),
        cmocka_unit_test(test_full_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
