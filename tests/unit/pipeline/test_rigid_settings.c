// What a program finds that sets options of rigid contact which no file and no command would take; and the
// pool of threads of a data.
#include "model_text.h"
#include <math.h>
#include <sinew/loop_inverse.h>
#include <sinew/pipeline.h>
#include <sinew/thread_pool.h>

#define SCENE                                                                                                \
    "<mujoco><option><flag energy='enable'/></option><worldbody><geom type='plane' size='1 1 1'/>"           \
    "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body><body pos='1 0 1'>"                             \
    "<joint axis='0 1 0' damping='.5'/><geom size='.1' fromto='0 0 0 .5 0 0' type='capsule'/></body>"        \
    "</worldbody></mujoco>"

static void inverseDynamicsAreNotANumber(void** state)
{
    (void)state;
    snModel* m = load(SCENE);
    snData* d = sn_makeData(m);
    sn_forward(m, d);
    assert_true(d->nefc > 0);
    sn_inverse(m, d);
    assert_true(isfinite(d->qfrc_inverse[0]));
    assert_int_equal(d->warning[SN_WARN_LCP].number, 0);
    m->opt.contact = SN_CONTACT_LCP;
    sn_inverse(m, d);
    for (int i = 0; i < m->nv; i++) assert_true(isnan(d->qfrc_inverse[i]) && isnan(d->qfrc_constraint[i]));
    for (int r = 0; r < d->nefc; r++) assert_true(isnan(d->efc_force[r]));
    assert_int_equal(d->warning[SN_WARN_LCP].number, 1);
    assert_int_equal(d->warning[SN_WARN_LCP].lastinfo, -1);
    m->opt.contact = SN_CONTACT_SOFT;
    sn_forward(m, d);
    m->opt.contact = SN_CONTACT_LCP;
    const double force = d->efc_force[0];
    sn_compareFwdInv(m, d);
    assert_true(isnan(d->solver_fwdinv[0]) && isnan(d->solver_fwdinv[1]) && d->efc_force[0] == force);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void inverseOfLoopsIsRefused(void** state)
{
    (void)state;
    snModel* m = load(SCENE);
    snData* d = sn_makeData(m);
    snError error = {0};
    snLoopInverse inverse = {0};
    m->opt.contact = SN_CONTACT_LCP;
    sn_forward(m, d);
    assert_int_equal(sn_loopInverse(m, d, &inverse, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "contact lcp has no inverse dynamics"));
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Whatever the integrator, a step of rigid contact is Euler's.
static void stepsGoByEuler(void** state)
{
    (void)state;
    snModel* m = load(SCENE);
    snData *d = sn_makeData(m), *e = sn_makeData(m);
    m->opt.contact = SN_CONTACT_LCP;
    for (int integrator = SN_INT_RK4; integrator <= SN_INT_IMPLICITFAST; integrator++) {
        sn_resetData(m, d);
        sn_resetData(m, e);
        d->qvel[6] = e->qvel[6] = 3;
        for (int i = 0; i < 20; i++) {
            m->opt.integrator = SN_INT_EULER;
            sn_step(m, d);
            m->opt.integrator = integrator;
            if (i % 2) {
                sn_step(m, e);
            } else {
                sn_step1(m, e);
                sn_step2(m, e);
            }
        }
        assert_memory_equal(d->qpos, e->qpos, (size_t)m->nq * sizeof(double));
        assert_memory_equal(d->qvel, e->qvel, (size_t)m->nv * sizeof(double));
    }
    sn_deleteData(e);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void aDataKeepsItsPool(void** state)
{
    (void)state;
    snModel* m = load(SCENE);
    snData *d = sn_makeData(m), *e = sn_makeData(m);
    snThreadPool* pool = sn_makeThreadPool(2);
    assert_null(d->pool);
    d->pool = pool;
    sn_resetData(m, d);
    assert_ptr_equal(d->pool, pool);
    sn_copyData(e, m, d);
    assert_null(e->pool);
    sn_copyData(d, m, e);
    assert_ptr_equal(d->pool, pool);
    sn_step(m, d);
    assert_ptr_equal(d->pool, pool);
    sn_deleteData(e);
    sn_deleteData(d);
    sn_deleteThreadPool(pool); // still the caller's
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverseDynamicsAreNotANumber),
        cmocka_unit_test(inverseOfLoopsIsRefused),
        cmocka_unit_test(stepsGoByEuler),
        cmocka_unit_test(aDataKeepsItsPool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
