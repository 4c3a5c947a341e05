// Threads that share a model: each steps a data of its own and gets the bits of a single thread. Under the
// thread sanitizer this also shows that the library has no state of its own.
#include <sinew/sinew.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/platform/threads.h"

enum { THREADS = 4, STEPS = 200 };

static const char xml[] =
    "<mujoco><worldbody><geom type='plane' size='0 0 1'/>"
    "<body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .2 .1'/><body pos='.2 0 0'>"
    "<joint name='j' axis='0 1 0' range='-60 60' damping='.1'/><geom type='capsule' size='.05 "
    ".2'/></body></body>"
    "<body pos='0 .05 .8'><freejoint/><geom type='ellipsoid' size='.1 .15 .2'/></body></worldbody>"
    "<actuator><motor joint='j'/></actuator></mujoco>";

typedef struct Job {
    const snModel* m;
    int seed;
    double qpos[32];
} Job;

// Loading, stepping and freeing: everything that a thread may do at once with others
static void run(void* argument)
{
    Job* job = argument;
    snModel* own = sn_loadModelText(xml, sizeof xml - 1, NULL, 0, NULL, NULL);
    snData* d = sn_makeData(job->m);
    for (int i = 0; i < STEPS; i++) {
        d->ctrl[0] = 0.1 * ((i + job->seed) % 7);
        sn_step(job->m, d);
    }
    memcpy(job->qpos, d->qpos, sizeof(double) * (size_t)job->m->nq);
    sn_deleteData(d);
    sn_deleteModel(own);
}

static void threadsGiveTheBitsOfOne(void** state)
{
    (void)state;
    snModel* m = sn_loadModelText(xml, sizeof xml - 1, NULL, 0, NULL, NULL);
    assert_non_null(m);
    Job alone[THREADS], together[THREADS];
    snThread threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        alone[i] = together[i] = (Job){.m = m, .seed = i};
        run(&alone[i]);
    }
    for (int i = 0; i < THREADS; i++) assert_true(sn_startThread(&threads[i], run, &together[i]));
    for (int i = 0; i < THREADS; i++) sn_joinThread(&threads[i]);
    for (int i = 0; i < THREADS; i++)
        assert_memory_equal(alone[i].qpos, together[i].qpos, sizeof alone[i].qpos);
    assert_memory_not_equal(alone[0].qpos, alone[1].qpos, sizeof alone[0].qpos);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threadsGiveTheBitsOfOne)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
