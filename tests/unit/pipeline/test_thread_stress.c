// Eight threads that do everything at once on one model: steps under every integrator, inverse dynamics,
// derivatives, rays and distances, exact loops, rigid contact, specs, files in memory, rollouts and batches
// on a pool that all share. Each gets the bits that it gets alone, and the thread sanitizer looks on.
#include <sinew/sinew.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/platform/threads.h"

enum { THREADS = 8, SCENES = 4, STEPS = 12, ROWS = 4, MOST = 8192 };

// A chain on the floor between a free box and an ellipsoid; closed by a loop; once with rigid contact.
#define SCENE(option, custom)                                                                                \
    "<mujoco><option " option "/><custom>" custom "</custom>"                                                \
    "<worldbody><geom type='plane' size='0 0 1'/>"                                                           \
    "<body pos='0 0 .12'><freejoint/><geom type='box' size='.1 .2 .1'/></body>"                              \
    "<body pos='0 .05 .42'><freejoint/><geom type='ellipsoid' size='.1 .15 .2'/></body>"                     \
    "<body pos='1 0 .5'><joint axis='0 1 0' damping='.1'/><geom type='capsule' size='.03' "                  \
    "fromto='0 0 0 .3 0 0'/><body pos='.3 0 0'><joint name='j' axis='0 1 0'/><geom type='capsule' "          \
    "size='.03' fromto='0 0 0 0 0 -.3'/><site name='a' pos='0 0 -.3'/></body></body>"                        \
    "<body pos='1.3 0 -.1'><joint axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 0 0 .3'/>"     \
    "<site name='b' pos='0 0 .3'/></body></worldbody>"                                                       \
    "<equality><connect site1='a' site2='b'/></equality><actuator><motor joint='j'/></actuator>"             \
    "<sensor><jointvel joint='j'/></sensor></mujoco>"

static const char* const scenes[SCENES] = {
    SCENE("integrator='RK4'", "<numeric name='n' data='1'/>"),
    SCENE("integrator='implicitfast' cone='elliptic'", "<numeric name='n' data='1'/>"),
    SCENE("integrator='implicit'", "<text name='sinew_loops' data='exact'/>"),
    SCENE("", "<text name='sinew_contact' data='lcp'/>"),
};

static snModel* models[SCENES];
static snThreadPool* pool;

// What a thread has found, in order.
typedef struct Job {
    int seed, count;
    bool wrong; // cmocka's checks are for the first thread alone
    double found[MOST];
} Job;

static void keep(Job* job, const double* x, int n)
{
    job->wrong |= job->count + n > MOST;
    if (job->wrong) return;
    memcpy(job->found + job->count, x, (size_t)n * sizeof *x);
    job->count += n;
}

static snModel* load(int scene)
{
    return sn_loadModelText(scenes[scene], strlen(scenes[scene]), NULL, 0, NULL, NULL);
}

static void stepAndLook(Job* job, const snModel* m, snData* d)
{
    double jac[6 * 64], M[64 * 64];
    for (int i = 0; i < STEPS; i++) {
        d->ctrl[0] = 0.1 * ((i + job->seed) % 7);
        sn_step(m, d);
        sn_forward(m, d);
        if (m->opt.contact != SN_CONTACT_LCP) sn_inverse(m, d);
        sn_jacBody(m, d, jac, jac + 3 * m->nv, m->nbody - 1);
        sn_fullM(m, d->qM, M);
        int geom;
        const double from[3] = {0.01 * job->seed, 0, 3}, down[3] = {0, 0, -1};
        const double distance = sn_ray(m, d, from, down, NULL, 1, -1, &geom);
        keep(job, &distance, 1);
    }
    keep(job, d->qpos, m->nq);
    keep(job, d->qacc, m->nv);
    keep(job, jac, 6 * m->nv);
    keep(job, d->sensordata, m->nsensordata);
}

static void derive(Job* job, const snModel* m, snData* d)
{
    const size_t nx = (size_t)(2 * m->nv + m->na);
    double* A = calloc(nx * nx, sizeof *A);
    job->wrong |= sn_transitionFD(m, d, 1e-6, 0, A, NULL, NULL, NULL, NULL, NULL) != SN_STATUS_OK;
    keep(job, A, (int)(nx < 200 ? nx : 200));
    free(A);
}

// Trajectories on the pool of all: one at a time gets its threads, the others run alone.
static void rollOut(Job* job, const snModel* m)
{
    const int nstate = sn_stateSize(m, SN_STATE_FULLPHYSICS);
    snData* d[ROWS];
    const snModel* list[ROWS] = {m, m, m, m};
    double* state0 = calloc((size_t)(ROWS * nstate), sizeof *state0);
    double* state = calloc((size_t)(ROWS * STEPS * nstate), sizeof *state);
    for (int i = 0; i < ROWS; i++) {
        d[i] = sn_makeData(m);
        d[i]->qpos[2] += 0.01 * i + 0.001 * job->seed;
        sn_getState(m, d[i], state0 + i * nstate, SN_STATE_FULLPHYSICS);
    }
    const snTrajectories batch = {
        .count = ROWS, .nstep = STEPS, .state0 = state0, .state = state, .chunk = 1};
    job->wrong |= sn_rollout(list, d, pool, &batch, NULL) != SN_STATUS_OK;
    for (int i = 0; i < ROWS; i++) {
        keep(job, state + (i * STEPS + STEPS - 1) * nstate, nstate);
        sn_deleteData(d[i]);
    }
    free(state);
    free(state0);
}

// A batch of one's own on the pool of all, in lanes where the model can, some of its simulations twice as
// far.
static void stepBatch(Job* job, const snModel* m)
{
    enum { N = 3 * ROWS };
    const int some[] = {5, 0, 7, 10, 2};
    snBatch* b = sn_makeBatch(m, N, &(snBatchOption){.pool = pool}, NULL);
    if (!b || sn_batchParameter(b, "opt.gravity", NULL)) {
        job->wrong = true;
        sn_deleteBatch(b);
        return;
    }
    double *qpos = sn_batchArray(b, "qpos", NULL), *gravity = sn_batchArray(b, "opt.gravity", NULL);
    for (int i = 0; i < N; i++) {
        qpos[i * m->nq + 2] += 0.01 * i + 0.001 * job->seed;
        gravity[3 * i] = 0.1 * i;
    }
    job->wrong |= sn_batchStep(b, &(snBatchRun){.nstep = STEPS}, NULL) != SN_STATUS_OK;
    job->wrong |= sn_batchStep(b, &(snBatchRun){.ids = some, .nid = 5, .nstep = STEPS}, NULL) != SN_STATUS_OK;
    keep(job, qpos, N * m->nq);
    sn_deleteBatch(b);
}

static void run(void* argument)
{
    Job* job = argument;
    for (int k = 0; k < SCENES; k++) {
        const int scene = (k + job->seed) % SCENES;
        const snModel* m = models[scene];
        snModel* own = load(scene);
        job->wrong |= sn_compareModel(own, m) != -1;
        sn_deleteModel(own);
        snData* d = sn_makeData(m);
        stepAndLook(job, m, d);
        snData* copy = sn_makeData(m);
        sn_copyData(copy, m, d);
        sn_step(m, copy);
        keep(job, copy->qpos, m->nq);
        if (scene < 2) derive(job, m, d);
        rollOut(job, m);
        stepBatch(job, m);
        sn_deleteData(copy);
        sn_deleteData(d);
    }
}

static void eightThreadsGiveTheBitsOfOne(void** state)
{
    (void)state;
    static Job alone[THREADS], together[THREADS];
    snThread threads[THREADS];
    for (int i = 0; i < SCENES; i++) assert_non_null(models[i] = load(i));
    for (int i = 0; i < THREADS; i++) {
        alone[i].seed = together[i].seed = i;
        run(&alone[i]);
    }
    assert_non_null(pool = sn_makeThreadPool(ROWS));
    for (int i = 0; i < THREADS; i++) assert_true(sn_startThread(&threads[i], run, &together[i]));
    for (int i = 0; i < THREADS; i++) sn_joinThread(&threads[i]);
    sn_deleteThreadPool(pool);
    for (int i = 0; i < THREADS; i++) {
        assert_false(alone[i].wrong || together[i].wrong);
        assert_int_equal(alone[i].count, together[i].count);
        assert_memory_equal(alone[i].found, together[i].found, (size_t)alone[i].count * sizeof(double));
        assert_true(i == 0 || alone[i].count != alone[0].count ||
                    memcmp(alone[i].found, alone[0].found, sizeof alone[0].found) != 0);
    }
    for (int i = 0; i < SCENES; i++) sn_deleteModel(models[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(eightThreadsGiveTheBitsOfOne)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
