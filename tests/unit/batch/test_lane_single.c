// Lanes of floats: near the scalar engine at each step, sane over thousands, with a clock of doubles, and
// each simulation with its own bits.
#include "batch/scenes.h"

// The batch; NULL: no such width here.
static snBatch* makeSingle(const snModel* m, int n, int width, snThreadPool* pool)
{
    return sn_makeBatch(m, n, &(snBatchOption){.pool = pool, .width = width, .single = 1}, NULL);
}

static const int all_widths[] = {4, 8, 16};
static const int stepped[] = {CRATE, ELLIPTIC, RUNGE_KUTTA, TENDONS, HUMANOID};
enum { WIDTHS = 3, STEPPED = 5, N = 19 };
static const char* const state_names[] = {"time", "qpos", "qvel", "act", "qacc_warmstart", "ctrl"};
enum { STATES = 6 };

static void copyState(snBatch* from, snBatch* to)
{
    for (int k = 0; k < STATES; k++) {
        int columns = 0;
        const double* rows = sn_batchArray(from, state_names[k], &columns);
        memcpy(sn_batchArray(to, state_names[k], NULL), rows,
               (size_t)(sn_batchCount(from) * columns) * sizeof(double));
    }
}

// Of simulation i, by 1 + |x|.
static double error(snBatch* a, snBatch* b, const char* name, int i)
{
    int columns = 0;
    sn_batchArray(a, name, &columns);
    const double *x = rowOf(a, name, i), *y = rowOf(b, name, i);
    double most = 0;
    for (int k = 0; k < columns; k++) most = fmax(most, fabs(x[k] - y[k]) / (1 + fabs(y[k])));
    return most;
}

static void steps(snBatch* b, int nstep)
{
    assert_int_equal(sn_batchStep(b, &(snBatchRun){.nstep = nstep}, NULL), SN_STATUS_OK);
}

// ---- each step

// A contact that begins or ends within rounding may be there in one of both: that is rare.
static void holdSteps(const snModel* m, snBatch* single)
{
    enum { ROUNDS = 60 };
    int far = 0;
    snBatch* exact = makeBatch(m, N, 1, NULL);
    for (int i = 0; i < N; i++) disturbRow(exact, i, i);
    for (int k = 0; k < ROUNDS; k++) {
        steps(exact, 5);
        copyState(exact, single);
        steps(exact, 1);
        steps(single, 1);
        for (int i = 0; i < N; i++) {
            const bool near =
                error(single, exact, "qpos", i) < 1e-5 && error(single, exact, "qvel", i) < 1e-3;
            far += !near;
            assert_true(error(single, exact, "time", i) == 0);
        }
    }
    assert_true(far * 200 < ROUNDS * N);
    sn_deleteBatch(exact);
}

static void check_steps(void** state)
{
    (void)state;
    for (int s = 0; s < STEPPED; s++) {
        snModel* m = loadScene(stepped[s]);
        for (int w = 0; w < WIDTHS; w++) {
            snBatch* single = makeSingle(m, N, all_widths[w], NULL);
            if (!single) continue;
            note(stepped[s], all_widths[w], N);
            assert_int_equal(sn_batchWidth(single), all_widths[w]);
            holdSteps(m, single);
            sn_deleteBatch(single);
        }
        sn_deleteModel(m);
    }
}

// ---- many steps

// Without controls all come to rest where doubles do: as high, without a warning.
static void check_rest(void** state)
{
    (void)state;
    snModel* m = loadScene(HUMANOID);
    snBatch *single = makeSingle(m, N, 0, NULL), *exact = makeBatch(m, N, 1, NULL);
    for (int i = 0; i < N && single; i++) {
        disturbRow(exact, i, i);
        for (int k = 0; k < m->nu; k++) rowOf(exact, "ctrl", i)[k] = 0;
    }
    if (single) copyState(exact, single);
    if (single) steps(single, 3000);
    steps(exact, 3000);
    for (int i = 0; i < N && single; i++) {
        const double height = rowOf(single, "qpos", i)[2], wanted = rowOf(exact, "qpos", i)[2];
        assert_true(fabs(height - wanted) < 0.1);
        for (int k = 0; k < m->nv; k++) assert_true(fabs(rowOf(single, "qvel", i)[k]) < 1);
        for (int k = 0; k < SN_NWARNING; k++) assert_int_equal(sn_batchWarnings(single, i)[k].number, 0);
    }
    sn_deleteBatch(single);
    sn_deleteBatch(exact);
    sn_deleteModel(m);
}

// Steps too small for a float beside the time: it is the scalar engine's to the bit, timesteps of simulations
// of their own too.
static void check_time(void** state)
{
    (void)state;
    static const char xml[] =
        "<mujoco><option timestep='.001'/><worldbody><body><joint type='slide'/><geom size='.1'/>"
        "</body></worldbody></mujoco>";
    snError error = {0};
    snModel* m = sn_loadModelText(xml, strlen(xml), NULL, 0, NULL, &error);
    if (!m) fail_msg("%s", error.message);
    snBatch *single = makeSingle(m, 3, 0, NULL), *exact = makeBatch(m, 3, 1, NULL);
    snBatch* both[] = {single, exact};
    for (int k = 0; k < 2 && single; k++) {
        assert_int_equal(sn_batchParameter(both[k], "opt.timestep", NULL), SN_STATUS_OK);
        for (int i = 0; i < 3; i++) rowOf(both[k], "time", i)[0] = 1e5 * i;
        rowOf(both[k], "opt.timestep", 1)[0] = 0.003;
        steps(both[k], 20000);
        steps(both[k], 7);
    }
    for (int i = 0; i < 3 && single; i++)
        holdBits("time", rowOf(single, "time", i), rowOf(exact, "time", i), 1);
    sn_deleteBatch(single);
    sn_deleteBatch(exact);
    sn_deleteModel(m);
}

// ---- bits

// Simulation i of a batch of all is that of a batch of its own.
static void holdOwn(const snModel* m, int width, snBatch* all)
{
    for (int i = 0; i < N; i += 3) {
        snBatch* one = makeSingle(m, 1, width, NULL);
        disturbRow(one, 0, i);
        steps(one, 200);
        for (int k = 0; k < STATES; k++) {
            int columns = 0;
            sn_batchArray(one, state_names[k], &columns);
            if (columns)
                holdBits(state_names[k], rowOf(one, state_names[k], 0), rowOf(all, state_names[k], i),
                         columns);
        }
        sn_deleteBatch(one);
    }
}

// One of them is no number, which is its own affair.
static void check_bits(void** state)
{
    (void)state;
    snThreadPool* pool = sn_makeThreadPool(3);
    for (int s = 0; s < STEPPED; s++) {
        snModel* m = loadScene(stepped[s]);
        for (int w = 0; w < WIDTHS; w++) {
            snBatch* all = makeSingle(m, N, all_widths[w], pool);
            if (!all) continue;
            note(stepped[s], all_widths[w], N);
            for (int i = 0; i < N; i++) disturbRow(all, i, i);
            rowOf(all, "qvel", 1)[0] = NAN;
            for (int k = 0; k < 4; k++) steps(all, 50);
            assert_int_equal(sn_batchWarnings(all, 1)[SN_WARN_BADQVEL].number, 1);
            holdOwn(m, all_widths[w], all);
            sn_deleteBatch(all);
        }
        sn_deleteModel(m);
    }
    sn_deleteThreadPool(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_steps),
        cmocka_unit_test(check_rest),
        cmocka_unit_test(check_time),
        cmocka_unit_test(check_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
