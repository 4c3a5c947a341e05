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

// The problem of the one island at a state, in scratch.
static void build(const snModel* m, snData* d, snElastic* elastic, snIslands* islands, snProblem* p)
{
    *elastic = sn_elasticOf(d);
    assert_true(sn_findIslands(m, d, elastic, islands));
    assert_int_equal(islands->count, 1);
    assert_true(sn_buildProblem(m, d, islands, 0, true, p));
}

static void test_products_and_directions(void** state)
{
    (void)state;
    snModel* m = load(cloth);
    snData* d = fallen(m, 1e-8, 60);
    snElastic elastic;
    snIslands islands;
    snProblem p;
    snPrimal s;
    snHessian h;
    build(m, d, &elastic, &islands, &p);
    assert_int_equal(p.points.count, 100);
    assert_int_equal(p.points.nrest, 6);
    double *x = sn_scratchReal(d, p.n), *y = sn_scratchReal(d, p.n), *z = sn_scratchReal(d, p.n);
    for (int i = 0; i < p.n; i++) x[i] = i < p.ndof ? sin(i + 1.) : 0;
    sn_problemMulM(&p, x, y);
    p.points.count = 0;
    sn_problemMulM(&p, x, z); // by scalars
    p.points.count = 100;
    assert_true(farthest(y, z, p.ndof) < 1e-14);

    // the direction solves H p = b: weights of 1 in all rows but those of cones
    assert_true(sn_primalAllocate(d, &p, &s) && sn_hessianAllocate(d, &p, &h));
    for (int r = 0; r < p.rows.count; r++) s.weight[r] = p.efc[r] < 0 ? 0 : 3;
    memset(s.jar, 0, (size_t)p.rows.count * sizeof(double));
    assert_int_equal(sn_hessianFactor(&p, &s, &h), 0);
    memcpy(z, x, (size_t)p.n * sizeof(double));
    sn_hessianDirection(&p, &h, 1e-12, z);
    double *jz = sn_scratchReal(d, p.rows.count), *Hz = sn_scratchReal(d, p.n);
    sn_problemMulM(&p, z, Hz);
    sn_problemMulJ(&p, z, jz);
    for (int r = 0; r < p.rows.count; r++) jz[r] *= s.weight[r];
    sn_problemMulJT(&p, jz, Hz);
    assert_true(farthest(Hz, x, p.ndof) < 1e-11);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A block that stays positive whatever is taken off it.
static void test_a_factor_that_breaks_down(void** state)
{
    (void)state;
    snModel* m = load(cloth);
    snData* d = fallen(m, 1e-8, 60);
    snElastic elastic;
    snIslands islands;
    snProblem p;
    snPrimal s;
    snHessian h;
    build(m, d, &elastic, &islands, &p);
    for (int k = 0; k < SN_POINT * p.points.adr[p.points.count]; k++)
        p.points.pair[k] *= 5; // not positive now
    assert_true(sn_primalAllocate(d, &p, &s) && sn_hessianAllocate(d, &p, &h));
    memset(s.weight, 0, (size_t)p.rows.count * sizeof(double));
    memset(s.jar, 0, (size_t)p.rows.count * sizeof(double));
    assert_int_equal(sn_hessianFactor(&p, &s, &h), 0);
    double* x = sn_scratchReal(d, p.n);
    for (int i = 0; i < p.n; i++) x[i] = i < p.ndof ? cos(i) : 0;
    double* b = sn_scratchReal(d, p.n);
    memcpy(b, x, (size_t)p.n * sizeof(double));
    sn_hessianSolve(&p, &h, x); // positive all the same
    assert_true(sn_primalDot(x, b, p.n) > 0);
    sn_deleteData(d);
    sn_deleteModel(m);
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
