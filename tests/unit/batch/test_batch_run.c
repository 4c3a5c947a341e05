// Many steps in one call: controls and results by step, in rows of the ids, the bits of as many single calls;
// and a caller who ends them.
#include <stdatomic.h>
#include <time.h>
#include "batch/scenes.h"

enum {
    N = 11,
    NID = 9,
    NSTEP = 10,
    EVERY = 3,
    NSAVED = NSTEP / EVERY,
    SPEC = SN_STATE_CTRL | SN_STATE_XFRC_APPLIED | SN_STATE_EQ_ACTIVE | SN_STATE_MOCAP_POS,
    MOST = 1 << 16
};
static const int ids[NID] = {10, 2, 3, 0, 9, 4, 7, 1, 6};

// What a run gives; a row of each for ids and results.
typedef struct Rows {
    double control[MOST], state[MOST], sensordata[MOST], xpos[MOST], cfrc_int[MOST];
} Rows;

static void fillControls(const snModel* m, Rows* rows)
{
    const int size = sn_stateSize(m, SPEC);
    assert_true(NID * NSTEP * size <= MOST);
    for (int k = 0; k < NID * NSTEP * size; k++) rows->control[k] = 0.3 * noise(k / size, k % size);
    for (int row = 0; row < NID * NSTEP; row++) // whether the weld is on
        rows->control[row * size + m->nu + 6 * m->nbody] = row % 7 == 3 ? 0.5 : 0;
}

static snBatch* prepare(const snModel* m, int width, snThreadPool* pool)
{
    snBatch* b = makeBatch(m, N, width, pool);
    assert_int_equal(sn_batchBind(b, "cfrc_int", NULL), SN_STATUS_OK);
    assert_int_equal(sn_batchBind(b, "xpos", NULL), SN_STATUS_OK);
    for (int i = 0; i < N; i++) disturbRow(b, i, i);
    return b;
}

static void copyRow(double* rows, int row, snBatch* b, const char* name, int i)
{
    int columns;
    sn_batchArray(b, name, &columns);
    memcpy(rows + (size_t)row * (size_t)columns, rowOf(b, name, i), (size_t)columns * sizeof *rows);
}

// Sets the controls of a step as a caller without `control` does.
static void setControls(snBatch* b, const Rows* rows, int step)
{
    const snModel* m = sn_batchModel(b);
    const int size = sn_stateSize(m, SPEC);
    for (int k = 0; k < NID; k++) {
        const double* from = rows->control + (k * NSTEP + step) * size;
        memcpy(rowOf(b, "ctrl", ids[k]), from, (size_t)m->nu * sizeof *from);
        memcpy(rowOf(b, "xfrc_applied", ids[k]), from + m->nu, 6 * (size_t)m->nbody * sizeof *from);
        from += m->nu + 6 * m->nbody;
        ((uint8_t*)sn_batchArray(b, "eq_active", NULL))[ids[k]] = from[0] != 0;
        memcpy(rowOf(b, "mocap_pos", ids[k]), from + 1, 3 * sizeof *from);
    }
}

static void stepByStep(snBatch* b, Rows* rows)
{
    const snModel* m = sn_batchModel(b);
    const int nstate = sn_stateSize(m, SN_STATE_FULLPHYSICS);
    for (int step = 0; step < NSTEP; step++) {
        setControls(b, rows, step);
        assert_int_equal(sn_batchStep(b, &(snBatchRun){.ids = ids, .nid = NID}, NULL), SN_STATUS_OK);
        for (int k = 0; k < NID && step % EVERY == EVERY - 1; k++) {
            const int row = k * NSAVED + step / EVERY;
            double* state = rows->state + row * nstate;
            state[0] = *rowOf(b, "time", ids[k]);
            memcpy(state + 1, rowOf(b, "qpos", ids[k]), (size_t)m->nq * sizeof *state);
            memcpy(state + 1 + m->nq, rowOf(b, "qvel", ids[k]), (size_t)m->nv * sizeof *state);
            memcpy(state + 1 + m->nq + m->nv, rowOf(b, "act", ids[k]), (size_t)m->na * sizeof *state);
            copyRow(rows->sensordata, row, b, "sensordata", ids[k]);
            copyRow(rows->xpos, row, b, "xpos", ids[k]);
            copyRow(rows->cfrc_int, row, b, "cfrc_int", ids[k]);
        }
    }
}

static void allAtOnce(snBatch* b, Rows* rows)
{
    double* field_rows[] = {rows->xpos, rows->cfrc_int};
    const int fields[] = {fieldOf("xpos"), fieldOf("cfrc_int")};
    const snBatchRun run = {.ids = ids,
                            .nid = NID,
                            .nstep = NSTEP,
                            .every = EVERY,
                            .control_spec = SPEC,
                            .control = rows->control,
                            .state = rows->state,
                            .sensordata = rows->sensordata,
                            .fields = fields,
                            .field_rows = field_rows,
                            .nfield = 2};
    assert_int_equal(sn_batchStep(b, &run, NULL), SN_STATUS_OK);
}

static void holdBatches(snBatch* found, snBatch* wanted)
{
    static const char* const names[] = {"time",           "qpos", "qvel",         "act",
                                        "qacc_warmstart", "ctrl", "xfrc_applied", "mocap_pos",
                                        "sensordata",     "xpos", "cfrc_int"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        int columns;
        sn_batchArray(found, names[k], &columns);
        holdBits(names[k], rowOf(found, names[k], 0), rowOf(wanted, names[k], 0), N * columns);
    }
    for (int i = 0; i < N; i++)
        assert_memory_equal(sn_batchWarnings(found, i), sn_batchWarnings(wanted, i),
                            SN_NWARNING * sizeof(snWarningStat));
}

static void check_rows(void** state)
{
    (void)state;
    static Rows found, wanted;
    snThreadPool* pool = sn_makeThreadPool(3);
    for (int scene = CRATE; scene <= PGS; scene++) {
        snModel* m = loadScene(scene);
        for (const int* width = widths(m); *width; width++)
            for (int bad = 0; bad < 2; bad++) {
                memset(&found, 0, sizeof found);
                memset(&wanted, 0, sizeof wanted);
                fillControls(m, &found);
                fillControls(m, &wanted);
                if (bad) // a control that is no number, in the sixth step of one
                    found.control[(2 * NSTEP + 5) * sn_stateSize(m, SPEC)] =
                        wanted.control[(2 * NSTEP + 5) * sn_stateSize(m, SPEC)] = (double)NAN;
                snBatch *a = prepare(m, *width, pool), *b = prepare(m, *width, NULL);
                allAtOnce(a, &found);
                stepByStep(b, &wanted);
                holdBatches(a, b);
                holdBits("state", found.state, wanted.state, MOST);
                holdBits("sensordata", found.sensordata, wanted.sensordata, MOST);
                holdBits("xpos", found.xpos, wanted.xpos, MOST);
                holdBits("cfrc_int", found.cfrc_int, wanted.cfrc_int, MOST);
                assert_int_equal(sn_batchWarnings(a, ids[2])[SN_WARN_BADCTRL].number > 0, bad);
                sn_deleteBatch(b);
                sn_deleteBatch(a);
            }
        sn_deleteModel(m);
    }
    sn_deleteThreadPool(pool);
}

// ---- asked

static bool afterSome(void* user)
{
    return ++*(int*)user < 3;
}

static bool yes(void* user)
{
    ++*(int*)user;
    return true;
}

static void check_end(void** state)
{
    (void)state;
    snModel* m = loadScene(CRATE);
    snThreadPool* pools[] = {NULL, sn_makeThreadPool(2)};
    const double h = m->opt.timestep;
    for (int k = 0; k < 2; k++)
        for (const int* width = widths(m); *width; width++) {
            snBatch* b = makeBatch(m, N, *width, pools[k]);
            int asked = 0;
            snBatchRun run = {.nstep = 100000000, .proceed = afterSome, .user = &asked};
            assert_int_equal(sn_batchStep(b, &run, NULL), SN_STATUS_OK);
            assert_int_equal(asked, 3);
            assert_true(*rowOf(b, "time", 0) > 0);
            for (int i = 0; i < N; i++) {
                const double time = *rowOf(b, "time", i), clock = rowOf(b, "sensordata", i)[4];
                assert_true(time < 1e5 * h * 1e3);
                // of the step that it has made last
                if (time > 0) assert_true(fabs(time - clock - h) < 1e-9);
            }
            run.nstep = 2;
            run.proceed = yes;
            assert_int_equal(sn_batchStep(b, &run, NULL), SN_STATUS_OK);
            sn_deleteBatch(b);
        }
    sn_deleteThreadPool(pools[1]);
    sn_deleteModel(m);
}

// A run of none, and of none of the fields.
static void check_nothing(void** state)
{
    (void)state;
    snModel* m = loadScene(CRATE);
    snBatch* b = makeBatch(m, N, 0, NULL);
    assert_int_equal(sn_batchStep(b, &(snBatchRun){.ids = ids, .nid = 0, .nstep = 5}, NULL), SN_STATUS_OK);
    assert_int_equal(sn_batchForward(b, ids, 0, NULL), SN_STATUS_OK);
    assert_int_equal(sn_batchReset(b, ids, NULL, 0, NULL), SN_STATUS_OK);
    for (int i = 0; i < N; i++) assert_true(*rowOf(b, "time", i) == 0);
    double none[1];
    assert_int_equal(sn_batchStep(b, &(snBatchRun){.nstep = 2, .every = 5, .state = none}, NULL),
                     SN_STATUS_OK);
    for (int i = 0; i < N; i++) assert_true(*rowOf(b, "time", i) == 2 * m->opt.timestep);
    sn_deleteBatch(b);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_rows), cmocka_unit_test(check_end),
                                       cmocka_unit_test(check_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
