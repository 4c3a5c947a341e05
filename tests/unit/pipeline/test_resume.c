// A state taken in the middle of a run and set into other data goes on with the same bits, whatever the
// solver, the cone, the islands and the integrator, and whatever the other data did before.
#include <stdio.h>
#include <stdlib.h>
#include "model_text.h"
#include "sanitized.h"

enum { BODIES = 14, BEFORE = 250, AFTER = SANITIZED ? 60 : 200 };

// Boxes, capsules, spheres, ellipsoids and rocks fall onto each other and onto an arm that is driven.
static const char* pile(void)
{
    static const char* const shapes[] = {"type='box' size='.05 .04 .06'", "type='capsule' size='.04 .05'",
                                         "type='sphere' size='.05' condim='4'",
                                         "type='ellipsoid' size='.06 .04 .05'", "type='mesh' mesh='rock'"};
    static char xml[8000];
    int n = snprintf(
        xml, sizeof xml,
        "<mujoco><asset><mesh name='rock' vertex='.06 0 0 -.05 .01 0 0 .05 0 .01 -.06 0 0 0 .05 0 .01 -.04 "
        ".03 .03 .03'/></asset><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .13'><joint "
        "name='a' "
        "axis='0 0 1' range='-40 40' frictionloss='.01'/><geom type='box' size='.2 .05 .03'/><body pos='.2 0 "
        "0'>"
        "<joint name='b' axis='0 1 0' damping='.1'/><geom type='capsule' size='.03 .08'/></body></body>");
    for (int i = 0; i < BODIES; i++)
        n += snprintf(xml + n, sizeof xml - (size_t)n,
                      "<body pos='%g %g %g' euler='%d %d 0'><freejoint/><geom %s/></body>", 0.07 * (i % 2),
                      0.06 * (i % 3) - 0.06, 0.25 + 0.12 * i, 40 * i, 25 * i, shapes[i % 5]);
    snprintf(xml + n, sizeof xml - (size_t)n,
             "</worldbody><actuator><motor joint='a'/><position joint='b' kp='3'/></actuator></mujoco>");
    return xml;
}

static void run(const snModel* m, snData* d, int first, int count)
{
    for (int k = first; k < first + count; k++) {
        d->ctrl[0] = 0.3 * (k / 10 % 5 - 2);
        d->ctrl[1] = 0.2 * (k / 20 % 4 - 2);
        sn_step(m, d);
    }
}

static void holdSame(const snModel* m, const snData* d, const snData* other)
{
    const size_t size = (size_t)m->nv * sizeof(double);
    assert_memory_equal(d->qpos, other->qpos, (size_t)m->nq * sizeof(double));
    assert_memory_equal(d->qvel, other->qvel, size);
    assert_memory_equal(d->qacc_warmstart, other->qacc_warmstart, size);
    assert_memory_equal(d->qfrc_constraint, other->qfrc_constraint, size);
    assert_int_equal(d->ncon, other->ncon);
    assert_int_equal(d->nefc, other->nefc);
    assert_memory_equal(d->efc_force, other->efc_force, (size_t)d->nefc * sizeof(double));
    assert_int_equal(d->nimpulse, other->nimpulse);
    assert_memory_equal(d->impulse, other->impulse, (size_t)d->nimpulse * sizeof(snImpulse));
}

static void resume(const snModel* m)
{
    const int size = sn_stateSize(m, SN_STATE_INTEGRATION);
    double* state = malloc((size_t)size * sizeof *state);
    snData *d = sn_makeData(m), *fresh = sn_makeData(m), *used = sn_makeData(m);
    assert_true(state && d && fresh && used);
    run(m, d, 0, BEFORE);
    assert_true(d->ncon > 8);
    sn_getState(m, d, state, SN_STATE_INTEGRATION);
    run(m, used, 7, BEFORE / 2);
    sn_setState(m, fresh, state, SN_STATE_INTEGRATION);
    sn_setState(m, used, state, SN_STATE_INTEGRATION);
    for (int k = BEFORE; k < BEFORE + AFTER; k += 10) {
        run(m, d, k, 10);
        run(m, fresh, k, 10);
        run(m, used, k, 10);
        holdSame(m, d, fresh);
        holdSame(m, d, used);
    }
    sn_deleteData(d);
    sn_deleteData(fresh);
    sn_deleteData(used);
    free(state);
}

static void everyWayGoesOnTheSame(void** state)
{
    (void)state;
    snModel* m = load(pile());
    int integrator = 0;
    for (int solver = SN_SOL_PGS; solver <= SN_SOL_NEWTON; solver++)
        for (int cone = SN_CONE_PYRAMIDAL; cone <= SN_CONE_ELLIPTIC; cone++)
            for (int way = 0; way < 3; way++) {
                m->opt.solver = solver;
                m->opt.cone = cone;
                m->opt.integrator = integrator++ % 4;
                m->opt.disableflags = way == 1 ? SN_DSBL_ISLAND : 0;
                m->opt.noslip_iterations = way == 2 ? 3 : 0;
                resume(m);
            }
    sn_deleteModel(m);
}

static void rigidContactGoesOnTheSame(void** state)
{
    (void)state;
    snModel* m = load(pile());
    m->opt.contact = SN_CONTACT_LCP;
    for (int cone = SN_CONE_PYRAMIDAL; cone <= SN_CONE_ELLIPTIC; cone++)
        for (int way = 0; way < 3; way++) {
            m->opt.cone = cone;
            m->opt.lcp_method = way == 1 ? SN_LCP_GS : SN_LCP_BLOCKGS;
            m->opt.disableflags = way == 1 ? SN_DSBL_ISLAND : 0;
            m->opt.lcp_accelerate = way < 2;
            resume(m);
        }
    sn_deleteModel(m);
}

// A step in halves, and one of which the forces have been looked at before, are that step.
static void rigidContactInHalves(void** state)
{
    (void)state;
    snModel* m = load(pile());
    m->opt.contact = SN_CONTACT_LCP;
    snData *d = sn_makeData(m), *halves = sn_makeData(m), *twice = sn_makeData(m);
    for (int k = 0; k < BEFORE; k++) {
        sn_step(m, d);
        sn_step1(m, halves);
        sn_step2(m, halves);
        sn_forward(m, twice);
        sn_forward(m, twice);
        sn_step(m, twice);
        holdSame(m, d, halves);
        holdSame(m, d, twice);
    }
    assert_true(d->nimpulse > 8);
    sn_deleteData(d);
    sn_deleteData(halves);
    sn_deleteData(twice);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everyWayGoesOnTheSame),
                                       cmocka_unit_test(rigidContactGoesOnTheSame),
                                       cmocka_unit_test(rigidContactInHalves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
