// Batches of simulations: the bits of steps made one by one at any number of threads and any chunk, what each
// starts from, what ends one and what ends all. The thread sanitizer looks on.
#include <sinew/sinew.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/memory.h"

enum { COUNT = 13, STEPS = 40, MOST_THREADS = 4, MOST = 64 };

static const char xml[] =
    "<mujoco><worldbody><geom type='plane' size='0 0 1'/>"
    "<body name='hand' mocap='true' pos='0 0 2'><geom size='.01' contype='0' conaffinity='0'/></body>"
    "<body name='crate' pos='0 0 .3'><freejoint/><geom type='box' size='.1 .2 .1'/><body pos='.2 0 0'>"
    "<joint name='j' axis='0 1 0' range='-60 60' damping='.1'/><geom type='capsule' size='.05 .2'/>"
    "</body></body></worldbody>"
    "<equality><weld name='w' body1='hand' body2='crate' active='false'/></equality>"
    "<actuator><general joint='j' dyntype='filter' dynprm='.1'/></actuator>"
    "<sensor><framepos objtype='body' objname='crate'/><jointvel joint='j'/></sensor></mujoco>";

// A batch with all its memory.
typedef struct Case {
    snModel* m[COUNT];
    snData* d[MOST_THREADS];
    snTrajectories batch;
    double state0[COUNT * MOST], warmstart0[COUNT * MOST], control[COUNT * STEPS * MOST];
    double state[COUNT * STEPS * MOST], sensordata[COUNT * STEPS * MOST];
} Case;

static Case* makeCase(void)
{
    static Case c;
    memset(&c, 0, sizeof c);
    snModel* m = sn_loadModelText(xml, sizeof xml - 1, NULL, 0, NULL, NULL);
    assert_non_null(m);
    const int nstate = sn_stateSize(m, SN_STATE_FULLPHYSICS);
    assert_in_range(nstate, 1, MOST);
    for (int i = 0; i < COUNT; i++) c.m[i] = m;
    for (int t = 0; t < MOST_THREADS; t++) c.d[t] = sn_makeData(m);
    for (int i = 0; i < COUNT; i++) {
        sn_getState(m, c.d[0], c.state0 + i * nstate, SN_STATE_FULLPHYSICS);
        c.state0[i * nstate + 3] = 0.15 + 0.02 * i;
    }
    for (int i = 0; i < COUNT * STEPS; i++) c.control[i] = sin(0.1 * i);
    for (int i = 0; i < COUNT * m->nv; i++) c.warmstart0[i] = cos(i);
    c.batch = (snTrajectories){.count = COUNT,
                               .nstep = STEPS,
                               .control_spec = SN_STATE_CTRL,
                               .state0 = c.state0,
                               .warmstart0 = c.warmstart0,
                               .control = c.control,
                               .state = c.state,
                               .sensordata = c.sensordata};
    return &c;
}

static void freeCase(Case* c)
{
    for (int t = 0; t < MOST_THREADS; t++) sn_deleteData(c->d[t]);
    sn_deleteModel(c->m[0]);
}

static snStatus runCase(Case* c, int nthread)
{
    snThreadPool* pool = nthread > 1 ? sn_makeThreadPool(nthread) : NULL;
    const snStatus status = sn_rollout((const snModel* const*)c->m, c->d, pool, &c->batch, NULL);
    sn_deleteThreadPool(pool);
    return status;
}

// Holds one trajectory against steps made one by one.
static void holdTrajectory(const Case* c, int i)
{
    const snModel* m = c->m[i];
    const int nstate = sn_stateSize(m, SN_STATE_FULLPHYSICS);
    snData* d = sn_makeData(m);
    double state[MOST];
    sn_setState(m, d, c->state0 + i * nstate, SN_STATE_FULLPHYSICS);
    memcpy(d->qacc_warmstart, c->warmstart0 + i * m->nv, sizeof(double) * (size_t)m->nv);
    for (int t = 0; t < STEPS; t++) {
        const int at = i * STEPS + t;
        d->ctrl[0] = c->control[at];
        sn_step(m, d);
        sn_getState(m, d, state, SN_STATE_FULLPHYSICS);
        assert_memory_equal(state, c->state + at * nstate, sizeof(double) * (size_t)nstate);
        assert_memory_equal(d->sensordata, c->sensordata + at * m->nsensordata,
                            sizeof(double) * (size_t)m->nsensordata);
    }
    sn_deleteData(d);
}

static void everyStepIsTheOneAlone(void** state)
{
    (void)state;
    Case* c = makeCase();
    for (int nthread = 1; nthread <= MOST_THREADS; nthread++)
        for (int chunk = 0; chunk <= 8; chunk += 4) {
            c->batch.chunk = chunk;
            memset(c->state, 0, sizeof c->state);
            memset(c->sensordata, 0, sizeof c->sensordata);
            assert_int_equal(runCase(c, nthread), SN_STATUS_OK);
            for (int i = 0; i < COUNT; i++) holdTrajectory(c, i);
        }
    freeCase(c);
}

static void fillInputs(const snModel* m, snData* d, double value)
{
    for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = value;
    for (int i = 0; i < 6 * m->nbody; i++) d->xfrc_applied[i] = value;
    for (int i = 0; i < 3; i++) d->mocap_pos[i] = value;
    d->mocap_quat[0] = 0;
    d->mocap_quat[1] = 1;
    d->eq_active[0] = 1;
    d->ctrl[0] = value;
    for (int i = 0; i < m->nv; i++) d->qacc_warmstart[i] = value;
    d->warning[SN_WARN_INERTIA].number = 1;
}

static void nothingIsLeftOfWhatWasBefore(void** state)
{
    (void)state;
    Case* c = makeCase();
    for (int t = 0; t < MOST_THREADS; t++) fillInputs(c->m[0], c->d[t], t + 0.5);
    assert_int_equal(runCase(c, 3), SN_STATUS_OK);
    for (int i = 0; i < COUNT; i++) holdTrajectory(c, i);
    // no warm start given: none
    memset(c->warmstart0, 0, sizeof c->warmstart0);
    c->batch.warmstart0 = NULL;
    for (int t = 0; t < MOST_THREADS; t++) fillInputs(c->m[0], c->d[t], 3 * t);
    assert_int_equal(runCase(c, 2), SN_STATUS_OK);
    for (int i = 0; i < COUNT; i++) holdTrajectory(c, i);
    // what control_spec has without `control` is the data's
    c->batch.control = NULL;
    for (int i = 0; i < COUNT * STEPS; i++) c->control[i] = 0.75;
    c->d[0]->ctrl[0] = 0.75;
    assert_int_equal(runCase(c, 1), SN_STATUS_OK);
    for (int i = 0; i < COUNT; i++) holdTrajectory(c, i);
    freeCase(c);
}

static void aWarningEndsATrajectory(void** state)
{
    (void)state;
    Case* c = makeCase();
    const int nstate = sn_stateSize(c->m[0], SN_STATE_FULLPHYSICS), nsensor = c->m[0]->nsensordata;
    c->state0[5 * nstate + 1] = (double)NAN;
    assert_int_equal(runCase(c, 2), SN_STATUS_OK);
    for (int t = 1; t < STEPS; t++) {
        const int first = 5 * STEPS, at = first + t;
        assert_memory_equal(c->state + at * nstate, c->state + first * nstate,
                            sizeof(double) * (size_t)nstate);
        assert_memory_equal(c->sensordata + at * nsensor, c->sensordata + first * nsensor,
                            sizeof(double) * (size_t)nsensor);
    }
    assert_true(c->state[5 * STEPS * nstate] == c->m[0]->opt.timestep);
    for (int i = 0; i < COUNT; i++)
        if (i != 5) holdTrajectory(c, i);
    freeCase(c);
}

// Says no after so many questions, and counts them.
typedef struct Patience {
    atomic_int asked, waits;
    int most;
} Patience;

static bool asks(void* user, int thread, int trajectory)
{
    Patience* p = user;
    assert_in_range(thread, 0, MOST_THREADS - 1);
    assert_true(trajectory < COUNT && (trajectory >= 0 || thread == 0));
    if (trajectory < 0) p->waits++;
    return ++p->asked <= p->most;
}

static void theCallerMayEndIt(void** state)
{
    (void)state;
    for (int nthread = 1; nthread <= MOST_THREADS; nthread++)
        for (int most = 0; most < COUNT * STEPS; most += 173) {
            Case* c = makeCase();
            Patience patience = {.most = most};
            c->batch.proceed = asks;
            c->batch.user = &patience;
            for (size_t i = 0; i < sizeof c->state / sizeof(double); i++) c->state[i] = -7;
            assert_int_equal(runCase(c, nthread), SN_STATUS_OK);
            int made = 0;
            const int nstate = sn_stateSize(c->m[0], SN_STATE_FULLPHYSICS);
            for (int at = 0; at < COUNT * STEPS; at++) made += c->state[at * nstate] != -7;
            assert_in_range(made, most ? most - patience.waits - nthread : 0, most);
            freeCase(c);
        }
}

#ifdef SN_TEST_HOOKS
static int count(size_t size, void* user)
{
    (void)size;
    ++*(int*)user;
    return 1;
}

static void nothingIsAllocated(void** state)
{
    (void)state;
    Case* c = makeCase();
    int allocations = 0;
    sn_setAllocHook(count, &allocations);
    assert_int_equal(runCase(c, 1), SN_STATUS_OK);
    sn_setAllocHook(NULL, NULL);
    assert_int_equal(allocations, 0);
    for (int i = 0; i < COUNT; i++) holdTrajectory(c, i);
    freeCase(c);
}
#endif

static void wrongNumbersAreErrors(void** state)
{
    (void)state;
    static const snTrajectories wrong[] = {
        {.count = -1}, {.nstep = -1}, {.chunk = -1}, {.control_spec = 1}, {.control_spec = 1u << 30}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snError error = {0};
        assert_int_equal(sn_rollout(NULL, NULL, NULL, &wrong[i], &error), SN_STATUS_ARGUMENT);
        assert_true(error.message[0]);
    }
    const snTrajectories none = {.nstep = 3};
    assert_int_equal(sn_rollout(NULL, NULL, NULL, &none, NULL), SN_STATUS_OK);
    Case* c = makeCase();
    c->batch.nstep = 0;
    assert_int_equal(runCase(c, 2), SN_STATUS_OK);
    freeCase(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyStepIsTheOneAlone),  cmocka_unit_test(nothingIsLeftOfWhatWasBefore),
        cmocka_unit_test(aWarningEndsATrajectory), cmocka_unit_test(theCallerMayEndIt),
        cmocka_unit_test(wrongNumbersAreErrors),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(nothingIsAllocated),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
