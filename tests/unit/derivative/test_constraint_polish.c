// Polishing: whatever solver has stopped where, qacc comes to the minimum; failures leave the data alone. At
// switches the derivatives are finite.
#include <math.h>
#include <stdlib.h>
#include <sinew/support.h>
#include "derivative/constraint/constraint.h"
#include "derivative/constraint/polish.h"
#include "model_text.h"

static const char* const text =
    "<mujoco><default><geom friction='.5 .02 .01' condim='6'/></default><worldbody><geom type='plane' "
    "size='3 3 .1'/>"
    "<body pos='0 0 .09'><freejoint/><geom size='.1'/><body pos='.2 0 0'><joint axis='0 1 0' limited='true' "
    "range='-20 5' frictionloss='.3'/><geom type='capsule' size='.05 .1' pos='.1 0 0' euler='0 90 0'/>"
    "<body pos='.3 0 0'><joint axis='0 0 1' frictionloss='1'/><geom type='box' size='.05 .1 "
    ".05'/></body></body></body>"
    "<body pos='0 .5 .19'><freejoint/><geom type='box' size='.2 .1 .2'/></body>"
    "<body name='w' pos='0 .5 .57'><freejoint/><geom type='box' size='.1 .1 .2'/></body>"
    "<body name='h' pos='1 .5 .57'><joint type='ball'/><geom type='sphere' size='.1' pos='0 0 -.3'/></body>"
    "</worldbody><equality><connect body1='h' body2='w' anchor='-.5 0 0'/></equality></mujoco>";

static double* zeros(size_t n)
{
    double* x = calloc(n + 1, sizeof(double));
    assert_non_null(x);
    return x;
}

static void start(const snModel* m, snData* d)
{
    sn_resetData(m, d);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.3 * sin(3.0 * i + 1);
    for (int k = 0; k < 3; k++) sn_step(m, d);
    sn_forward(m, d);
}

// Norm of M (qacc - qacc_smooth) - J' f, scaled as the solver's, with forces computed anew.
static double gradient(const snModel* m, snData* d)
{
    double *x = zeros((size_t)m->nv), *g = zeros((size_t)m->nv), sum = 0;
    for (int i = 0; i < m->nv; i++) x[i] = d->qacc[i] - d->qacc_smooth[i];
    sn_mulM(m, d, g, x);
    sn_invConstraint(m, d);
    for (int i = 0; i < m->nv; i++) sum += pow(g[i] - d->qfrc_constraint[i], 2);
    free(x);
    free(g);
    return sqrt(sum) / (m->stat.meaninertia * m->nv);
}

// One step's qacc of each solver, stopped early, is the same after polishing.
static void allSolversMeet(void** state)
{
    (void)state;
    snModel* m = load(text);
    snData* d = sn_makeData(m);
    snError error = {0};
    double* first = zeros((size_t)m->nv);
    for (int cone = 0; cone < 2; cone++)
        for (int solver = 0; solver < 3; solver++) {
            m->opt.cone = cone;
            m->opt.solver = SN_SOL_NEWTON;
            m->opt.iterations = 100;
            start(m, d);
            m->opt.solver = (int[]){SN_SOL_NEWTON, SN_SOL_CG, SN_SOL_PGS}[solver];
            m->opt.iterations = solver == 0 ? 1 : 3;
            memset(d->qacc_warmstart, 0, (size_t)m->nv * sizeof(double));
            sn_forward(m, d);
            assert_true(d->nefc > 20);
            assert_true(gradient(m, d) > 1e-9);
            if (sn_polish(m, d, &error)) fail_msg("%s", error.message);
            double* force = zeros((size_t)d->nefc);
            memcpy(force, d->efc_force, (size_t)d->nefc * sizeof(double));
            assert_true(gradient(m, d) < 1e-12);
            assert_memory_equal(force, d->efc_force, (size_t)d->nefc * sizeof(double));
            if (solver == 0) memcpy(first, d->qacc, (size_t)m->nv * sizeof(double));
            double size = 0;
            for (int i = 0; i < m->nv; i++) size = fmax(size, fabs(first[i]));
            for (int i = 0; i < m->nv; i++) assert_true(fabs(d->qacc[i] - first[i]) < 1e-11 * size);
            free(force);
        }
    free(first);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void failuresLeaveTheData(void** state)
{
    (void)state;
    snModel* m = load(text);
    snData *d = sn_makeData(m), *before = sn_makeData(m);
    const size_t nv = (size_t)m->nv;
    double *H = zeros(nv * nv), *zero = zeros(nv * nv);
    start(m, d);
    sn_copyData(before, m, d);
    const size_t whole = d->narena;
    for (int k = 0; k < 4; k++) {
        snError error = {0};
        if (k == 0) d->narena = d->parena + d->pstack + 4096;
        if (k == 1) m->opt.noslip_iterations = 1;
        if (k == 2) m->opt.contact = SN_CONTACT_LCP;
        if (k == 3) {
            const double inertia = -1e6;
            for (int i = 0; i < m->nM; i++) d->qM[i] *= inertia;
        }
        const snStatus expected = k == 0 ? SN_STATUS_NO_MEMORY : SN_STATUS_UNSUPPORTED;
        assert_int_equal(sn_polish(m, d, &error), expected);
        assert_true(strlen(error.message) > 10);
        if (k < 3) {
            assert_int_equal(sn_constraintDerivative(m, d, d->qacc, H, H, &error), expected);
            assert_int_equal(sn_constraintHessian(m, d, H, &error), expected);
            assert_memory_equal(H, zero, nv * nv * sizeof(double));
        }
        assert_memory_equal(d->qacc, before->qacc, nv * sizeof(double));
        assert_memory_equal(d->qfrc_constraint, before->qfrc_constraint, nv * sizeof(double));
        assert_memory_equal(d->efc_force, before->efc_force, (size_t)d->nefc * sizeof(double));
        assert_memory_equal(d->efc_state, before->efc_state, (size_t)d->nefc * sizeof(int));
        d->narena = whole;
        m->opt.noslip_iterations = 0;
        m->opt.contact = SN_CONTACT_SOFT;
    }
    free(H);
    free(zero);
    sn_deleteData(d);
    sn_deleteData(before);
    sn_deleteModel(m);
}

// Positions where something begins: each has a derivative of one side.
static const char* const switches[] = {
    // a limit just met, a ball that is not turned, an equality that holds, a contact at its margin
    "<mujoco><worldbody><body><joint limited='true' range='-10 0'/><geom "
    "size='.1'/></body></worldbody></mujoco>",
    "<mujoco><worldbody><body><joint type='ball' limited='true' range='0 10' margin='2'/><geom "
    "size='.1'/></body></worldbody></mujoco>",
    "<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/></body></worldbody><equality>"
    "<weld body1='a' solimp='.1 .9 .1 .5 1'/></equality></mujoco>",
    "<mujoco><option cone='elliptic'/><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 "
    ".1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom size='.1' "
    "friction='0'/></body></worldbody></mujoco>",
};

static void switchesAreFinite(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof switches / sizeof *switches; k++) {
        snModel* m = load(switches[k]);
        snData* d = sn_makeData(m);
        snError error = {0};
        const size_t nv = (size_t)m->nv;
        double *q = zeros(nv * nv), *v = zeros(nv * nv), *H = zeros(nv * nv);
        sn_forward(m, d);
        assert_true(sn_polish(m, d, &error) == 0);
        assert_true(sn_constraintDerivative(m, d, d->qacc, q, v, &error) == 0);
        assert_true(sn_constraintHessian(m, d, H, &error) == 0);
        for (size_t i = 0; i < nv * nv; i++) assert_true(isfinite(q[i] + v[i] + H[i]));
        free(q);
        free(v);
        free(H);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allSolversMeet),
        cmocka_unit_test(failuresLeaveTheData),
        cmocka_unit_test(switchesAreFinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
