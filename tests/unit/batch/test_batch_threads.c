// Batches in threads of the caller, on a pool that all share, beside others that step single simulations of
// the same model: random subsets, many steps a call, resets, parameters, bound fields, data in and out,
// simulations with bad numbers. Each thread gets the bits that it gets alone, and the thread sanitizer looks
// on. Runs that a flag ends, which another thread sets, leave whole simulations.
#include <stdatomic.h>
#include <time.h>
#include "base/platform/threads.h"
#include "batch/scenes.h"
#include "random_tree.h"

enum { THREADS = 6, ROUNDS = 12, N = 19 };

static const int used[] = {CRATE, ELLIPTIC, RUNGE_KUTTA, PGS, RIGID};
enum { USED = sizeof used / sizeof *used };

static bool chance(Random* r, double p)
{
    return (randomReal(r) + 1) / 2 < p;
}

static snModel* models[USED];
static snThreadPool* pool;

// What a thread has found, as a sum over all bits: order and place of each number count.
typedef struct Job {
    int seed;
    bool wrong; // cmocka's checks are for the first thread alone
    unsigned long long sum;
} Job;

static void keep(Job* job, const void* bytes, size_t size)
{
    const unsigned char* at = bytes;
    for (size_t i = 0; i < size; i++) job->sum = (job->sum ^ at[i]) * 1099511628211ull;
}

static void keepRows(Job* job, snBatch* b, const char* name)
{
    int columns = 0;
    const double* rows = sn_batchArray(b, name, &columns);
    job->wrong |= !rows;
    for (int k = 0; rows && k < N * columns; k++) // the sign of a NaN is the processor's
        keep(job, isnan(rows[k]) ? "NaN" : (const char*)(rows + k), isnan(rows[k]) ? 3 : sizeof *rows);
}

static void keepAll(Job* job, snBatch* b)
{
    static const char* const names[] = {"time", "qpos",       "qvel", "act",
                                        "ctrl", "sensordata", "xpos", "cfrc_ext"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) keepRows(job, b, names[k]);
    for (int i = 0; i < N; i++) keep(job, sn_batchWarnings(b, i), SN_NWARNING * sizeof(snWarningStat));
}

// Some ids in some order; returns how many.
static int choose(Random* r, int* ids)
{
    for (int i = 0; i < N; i++) ids[i] = i;
    for (int i = N - 1; i > 0; i--) {
        const int k = randomInt(r, i + 1), kept = ids[i];
        ids[i] = ids[k];
        ids[k] = kept;
    }
    return 1 + randomInt(r, N);
}

static void giveParameters(Job* job, Random* r, snBatch* b)
{
    static const char* const names[] = {"body_mass", "geom_friction", "opt.gravity", "dof_damping"};
    for (int k = 0; k < 4; k++) {
        int columns = 0, ids[N];
        job->wrong |= sn_batchParameter(b, names[k], NULL) != SN_STATUS_OK;
        double* rows = sn_batchArray(b, names[k], &columns);
        for (int i = 0; i < N * columns; i++) rows[i] *= 1 + .1 * randomReal(r);
        if (k == 0) job->wrong |= sn_batchSetConst(b, ids, choose(r, ids), NULL) != SN_STATUS_OK;
    }
}

static void spoil(Random* r, snBatch* b)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, 1e30, -1e16};
    int columns = 0;
    double* rows = sn_batchArray(b, chance(r, .5) ? "qvel" : "ctrl", &columns);
    if (columns) rows[randomInt(r, N * columns)] = bad[randomInt(r, 4)];
}

static void resetSome(Job* job, Random* r, snBatch* b)
{
    int ids[N], keys[N];
    const int n = choose(r, ids), most = sn_batchModel(b)->nkey;
    for (int i = 0; i < n; i++) keys[i] = randomInt(r, most + 1) - 1;
    job->wrong |= sn_batchReset(b, ids, keys, n / 3, NULL) != SN_STATUS_OK;
}

static void refuse(Job* job, snBatch* b)
{
    const int twice[] = {1, 1};
    snError error = {0};
    job->wrong |= sn_batchStep(b, &(snBatchRun){.ids = twice, .nid = 2}, &error) != SN_STATUS_ARGUMENT;
    job->wrong |= !error.message[0];
}

// One simulation goes on in a data for a while.
static void outAndIn(Job* job, Random* r, snBatch* b, const snModel* m)
{
    const int i = randomInt(r, N);
    snModel* own = sn_copyModel(m);
    snData* d = sn_makeData(m);
    job->wrong |= sn_batchGetData(b, i, own, d, NULL) != SN_STATUS_OK;
    for (int k = 0; k < 3; k++) sn_step(own, d);
    job->wrong |= sn_batchSetData(b, i, d, NULL) != SN_STATUS_OK;
    sn_deleteData(d);
    sn_deleteModel(own);
}

static bool goOn(void* user)
{
    (void)user;
    return true;
}

static void stepSome(Job* job, Random* r, snBatch* b)
{
    static _Thread_local double state[N * 8 * 64], controls[N * 8 * 2];
    const snModel* m = sn_batchModel(b);
    int ids[N];
    for (int i = 0; i < N * 8 * 2; i++) controls[i] = randomReal(r);
    memset(state, 0, sizeof state);
    const snBatchRun run = {.nid = choose(r, ids),
                            .ids = chance(r, .7) ? ids : NULL,
                            .nstep = 1 + randomInt(r, 8),
                            .every = 1 + randomInt(r, 3),
                            .control = chance(r, .5) && m->nu ? controls : NULL,
                            .state = chance(r, .5) ? state : NULL,
                            .proceed = chance(r, .5) ? goOn : NULL};
    job->wrong |= sn_stateSize(m, SN_STATE_FULLPHYSICS) > 64 || m->nu > 2;
    job->wrong |= sn_batchStep(b, &run, NULL) != SN_STATUS_OK;
    for (size_t i = 0; i < sizeof state / sizeof *state; i++)
        keep(job, isnan(state[i]) ? "NaN" : (const char*)(state + i), isnan(state[i]) ? 3 : sizeof *state);
}

static snBatch* start(Job* job, const snModel* m)
{
    snBatch* b = sn_makeBatch(m, N, &(snBatchOption){.pool = pool}, NULL);
    job->wrong |= !b || sn_batchBind(b, "xpos", NULL) || sn_batchBind(b, "cfrc_ext", NULL);
    return b;
}

static void playBatch(Job* job, Random* r, const snModel* m)
{
    snBatch *b = start(job, m), *other = start(job, m); // two, by turns
    if (chance(r, .6)) giveParameters(job, r, b);
    for (int k = 0; k < ROUNDS; k++) {
        stepSome(job, r, k % 3 == 2 ? other : b);
        if (chance(r, .3)) spoil(r, b);
        if (chance(r, .3)) resetSome(job, r, b);
        if (chance(r, .3)) outAndIn(job, r, b, m);
        if (chance(r, .3)) job->wrong |= sn_batchForward(b, NULL, 0, NULL) != SN_STATUS_OK;
        refuse(job, b);
    }
    keepAll(job, b);
    keepAll(job, other);
    sn_deleteBatch(other);
    sn_deleteBatch(b);
}

static void stepOne(Job* job, const snModel* m)
{
    snData* d = sn_makeData(m);
    disturbData(m, d, job->seed);
    for (int k = 0; k < 60; k++) {
        sn_step(m, d);
        if (k % 20 == 19) keep(job, d->qpos, (size_t)m->nq * sizeof *d->qpos);
    }
    keep(job, d->sensordata, (size_t)m->nsensordata * sizeof *d->sensordata);
    sn_deleteData(d);
}

static void play(void* argument)
{
    Job* job = argument;
    Random r = {(unsigned long long)(job->seed + 1) * 6364136223846793005ull};
    for (int k = 0; k < USED; k++) {
        const snModel* m = models[(k + job->seed) % USED];
        if (job->seed % 3 == 2)
            stepOne(job, m);
        else
            playBatch(job, &r, m);
    }
}

static void threads_give_the_bits_of_one(void** state)
{
    (void)state;
    static Job alone[THREADS], together[THREADS];
    snThread threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        alone[i] = together[i] = (Job){.seed = i};
        play(&alone[i]);
        assert_false(alone[i].wrong);
    }
    assert_non_null(pool = sn_makeThreadPool(3));
    for (int i = 0; i < THREADS; i++) assert_true(sn_startThread(&threads[i], play, &together[i]));
    for (int i = 0; i < THREADS; i++) sn_joinThread(&threads[i]);
    sn_deleteThreadPool(pool);
    pool = NULL;
    for (int i = 0; i < THREADS; i++) {
        assert_false(together[i].wrong);
        assert_true(alone[i].sum == together[i].sum);
        for (int k = 0; k < i; k++) assert_true(alone[k].sum != alone[i].sum);
    }
}

// ---- ended from outside, as by Ctrl-C

static atomic_bool pressed, working;

static bool notPressed(void* user)
{
    (void)user;
    atomic_store(&working, true);
    return !atomic_load(&pressed);
}

static void press(void* argument)
{
    (void)argument;
    while (!atomic_load(&working)) sn_yield();
    atomic_store(&pressed, true);
}

static void a_flag_ends_runs(void** state)
{
    (void)state;
    const double h = models[0]->opt.timestep;
    assert_non_null(pool = sn_makeThreadPool(3));
    for (int round = 0; round < 3; round++) {
        snBatch* b = makeBatch(models[0], N, 0, pool);
        snThread other;
        atomic_store(&pressed, false);
        atomic_store(&working, false);
        assert_true(sn_startThread(&other, press, NULL));
        const snBatchRun run = {.nstep = 100000000, .proceed = notPressed};
        assert_int_equal(sn_batchStep(b, &run, NULL), SN_STATUS_OK);
        sn_joinThread(&other);
        for (int i = 0; i < N; i++) { // whole steps: the clock is of the last one's begin
            const double time = *rowOf(b, "time", i), clock = rowOf(b, "sensordata", i)[4];
            if (time > 0) assert_true(fabs(time - clock - h) < 1e-9);
        }
        assert_int_equal(sn_batchReset(b, NULL, NULL, 0, NULL), SN_STATUS_OK);
        assert_int_equal(sn_batchStep(b, &(snBatchRun){.nstep = 2}, NULL), SN_STATUS_OK);
        for (int i = 0; i < N; i++) assert_true(*rowOf(b, "time", i) == 2 * h);
        sn_deleteBatch(b);
    }
    sn_deleteThreadPool(pool);
    pool = NULL;
}

static int loadAll(void** state)
{
    (void)state;
    for (int i = 0; i < USED; i++) models[i] = loadScene(used[i]);
    return 0;
}

static int freeAll(void** state)
{
    (void)state;
    for (int i = 0; i < USED; i++) sn_deleteModel(models[i]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_give_the_bits_of_one),
                                       cmocka_unit_test(a_flag_ends_runs)};
    return cmocka_run_group_tests(tests, loadAll, freeAll);
}
