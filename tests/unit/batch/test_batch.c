// A batch of the scalar engine has the bits of sn_step, whatever the model has; in lanes a simulation has its
// own bits at any n, place, order and number of threads, whatever the others do.
#include "batch/scenes.h"

// ---- the scalar engine

// What binds, all of it.
static int bindAll(snBatch* b, int* bound)
{
    int count, narena, n = 0;
    const snField* fields = sn_dataFields(&count, &narena);
    for (int i = 0; i < count - narena; i++)
        if (!strcmp(fields[i].type, "double") && !sn_batchBind(b, fields[i].name, NULL)) bound[n++] = i;
    return n;
}

// Fields that a step leaves to be asked for.
static void askFor(const snModel* m, snData* d)
{
    sn_rnePostConstraint(m, d);
    sn_subtreeVel(m, d);
}

static void holdRow(snBatch* b, int i, const snModel* m, const snData* d, const int* bound, int nbound)
{
    for (int k = 0; k < nbound; k++) {
        int count, rows, columns;
        const snField* f = sn_dataFields(&count, NULL) + bound[k];
        sn_dataFieldShape(m, d, bound[k], &rows, &columns);
        if (rows && columns)
            holdBits(f->name, rowOf(b, f->name, i), *(double**)((char*)d + f->offset), rows * columns);
    }
    holdBits("time", rowOf(b, "time", i), &d->time, 1);
    assert_memory_equal(sn_batchWarnings(b, i), d->warning, sizeof d->warning);
}

static void check_scalar_engine(void** state)
{
    (void)state;
    enum { N = 3, STEPS = 300 };
    int bound[256];
    for (int scene = 0; scene < SCENES; scene++) {
        snModel* m = loadScene(scene);
        snBatch* b = makeBatch(m, N, 1, NULL);
        assert_int_equal(sn_batchWidth(b), 1);
        assert_int_equal(sn_batchCount(b), N);
        const int nbound = bindAll(b, bound);
        assert_true(nbound > 40);
        snData* d[N];
        for (int i = 0; i < N; i++) {
            d[i] = sn_makeData(m);
            disturbData(m, d[i], i);
            disturbRow(b, i, i);
        }
        for (int step = 0; step < STEPS; step++) {
            assert_int_equal(sn_batchStep(b, NULL, NULL), SN_STATUS_OK);
            for (int i = 0; i < N; i++) {
                sn_step(m, d[i]);
                askFor(m, d[i]);
                if (step % 50 == 0 || step == STEPS - 1) holdRow(b, i, m, d[i], bound, nbound);
            }
        }
        assert_int_equal(sn_batchForward(b, NULL, 0, NULL), SN_STATUS_OK);
        for (int i = 0; i < N; i++) {
            sn_forward(m, d[i]);
            askFor(m, d[i]);
            holdRow(b, i, m, d[i], bound, nbound);
            sn_deleteData(d[i]);
        }
        sn_deleteBatch(b);
        sn_deleteModel(m);
    }
}

// ---- own bits

enum { TRACE = 64 }; // numbers of a state that are held, at most

static int stateOf(snBatch* b, int i, double* to)
{
    const snModel* m = sn_batchModel(b);
    const int nq = m->nq < TRACE / 2 ? m->nq : TRACE / 2, nv = m->nv < TRACE / 2 ? m->nv : TRACE / 2;
    memcpy(to, rowOf(b, "qpos", i), (size_t)nq * sizeof *to);
    memcpy(to + nq, rowOf(b, "qvel", i), (size_t)nv * sizeof *to);
    return nq + nv;
}

// Steps simulations with seeds [n] all at once and holds each against `wanted` by its seed.
static void holdSeeds(const snModel* m, int width, snThreadPool* pool, const int* seeds, int n, int nstep,
                      double (*wanted)[TRACE])
{
    double found[TRACE];
    snBatch* b = makeBatch(m, n, width, pool);
    for (int i = 0; i < n; i++) disturbRow(b, i, seeds[i]);
    assert_int_equal(sn_batchStep(b, &(snBatchRun){.nstep = nstep}, NULL), SN_STATUS_OK);
    for (int i = 0; i < n; i++) {
        const int count = stateOf(b, i, found);
        holdBits("state", found, wanted[seeds[i]], count);
    }
    sn_deleteBatch(b);
}

static void check_own_bits(void** state)
{
    (void)state;
    enum { MOST = 40, STEPS = 12 };
    static double wanted[MOST][TRACE];
    snThreadPool* pools[] = {NULL, sn_makeThreadPool(2), sn_makeThreadPool(3)};
    for (int scene = 0; scene <= HUMANOID; scene++) {
        snModel* m = loadScene(scene);
        for (const int* width = widths(m); *width; width++) {
            int seeds[MOST];
            for (int i = 0; i < MOST; i++) { // each alone
                snBatch* b = makeBatch(m, 1, *width, NULL);
                disturbRow(b, 0, i);
                sn_batchStep(b, &(snBatchRun){.nstep = STEPS}, NULL);
                stateOf(b, 0, wanted[i]);
                sn_deleteBatch(b);
            }
            for (int n = 1; n <= MOST; n += scene == CRATE ? 1 : 13) {
                for (int i = 0; i < n; i++) seeds[i] = (7 * i + n) % MOST; // in any order
                holdSeeds(m, *width, pools[n % 3], seeds, n, STEPS, wanted);
            }
        }
        sn_deleteModel(m);
    }
    for (int i = 1; i < 3; i++) sn_deleteThreadPool(pools[i]);
}

// Subsets, some of which are reset, beside simulations with bad numbers.
static void check_neighbours(void** state)
{
    (void)state;
    enum { N = 21 };
    snModel* m = loadScene(CRATE);
    for (const int* width = widths(m); *width; width++) {
        snBatch *b = makeBatch(m, N, *width, NULL), *alone = makeBatch(m, 1, *width, NULL);
        for (int i = 0; i < N; i++) disturbRow(b, i, i);
        for (int i = 0; i < N; i += 4) rowOf(b, "qvel", i)[i % m->nv] = i % 8 ? (double)NAN : 1e30;
        const int some[] = {20, 3, 5, 17, 1, 2, 6, 0, 13, 9}, again[] = {5, 4, 13};
        assert_int_equal(sn_batchStep(b, &(snBatchRun){.nstep = 3}, NULL), 0);
        assert_int_equal(sn_batchStep(b, &(snBatchRun){.ids = some, .nid = 10, .nstep = 5}, NULL), 0);
        assert_int_equal(sn_batchReset(b, again, NULL, 3, NULL), 0);
        assert_int_equal(sn_batchStep(b, NULL, NULL), 0);
        for (int i = 0; i < N; i++) {
            int steps = 4;
            for (int k = 0; k < 10; k++) steps += some[k] == i ? 5 : 0;
            const bool bad = i % 4 == 0, reset = i == 4 || i == 5 || i == 13;
            sn_batchReset(alone, NULL, NULL, 0, NULL);
            if (!bad && !reset) disturbRow(alone, 0, i);
            sn_batchStep(alone, &(snBatchRun){.nstep = reset ? 1 : steps}, NULL);
            double found[TRACE], wanted[TRACE];
            const int count = stateOf(b, i, found);
            if (i == 4 || !bad) {
                stateOf(alone, 0, wanted);
                holdBits("state", found, wanted, count);
            }
            assert_int_equal(sn_batchWarnings(b, i)[SN_WARN_BADQVEL].number, bad && !reset);
            for (int k = 0; k < count; k++) assert_true(isfinite(found[k]));
        }
        sn_deleteBatch(alone);
        sn_deleteBatch(b);
    }
    sn_deleteModel(m);
}

// Bad numbers as sn_step has them, with resets and, by a flag, without.
static void check_bad_numbers(void** state)
{
    (void)state;
    enum { N = 3 };
    snModel* m = loadScene(CRATE);
    for (int flag = 0; flag < 2; flag++) {
        m->opt.disableflags = flag ? SN_DSBL_AUTORESET : 0;
        for (const int* width = widths(m); *width; width++) {
            snBatch* b = makeBatch(m, N, *width, NULL);
            snData* d = sn_makeData(m);
            for (int round = 0; round < 2; round++) { // warnings count on
                rowOf(b, "qpos", 1)[2] = d->qpos[2] = (double)NAN;
                rowOf(b, "ctrl", 1)[1] = d->ctrl[1] = 0.5;
                sn_step(m, d);
                sn_batchStep(b, NULL, NULL);
            }
            assert_int_equal(d->warning[SN_WARN_BADQPOS].number, flag ? 2 : 1);
            assert_memory_equal(sn_batchWarnings(b, 1), d->warning, sizeof d->warning);
            for (int k = 0; k < m->nu; k++) assert_true(rowOf(b, "ctrl", 1)[k] == d->ctrl[k]);
            assert_true(isnan(d->qpos[2]) == isnan(rowOf(b, "qpos", 1)[2]));
            assert_int_equal(sn_batchWarnings(b, 0)[SN_WARN_BADQPOS].number, 0);
            assert_null(sn_batchWarnings(b, N));
            assert_null(sn_batchWarnings(b, -1));
            sn_batchReset(b, (int[]){1}, NULL, 1, NULL);
            assert_int_equal(sn_batchWarnings(b, 1)[SN_WARN_BADQPOS].number, 0);
            sn_deleteData(d);
            sn_deleteBatch(b);
        }
    }
    sn_deleteModel(m);
}

// ---- beginnings, and single simulations

static void check_reset(void** state)
{
    (void)state;
    enum { N = 5 };
    snModel* m = loadScene(CRATE);
    snBatch* b = makeBatch(m, N, 0, NULL);
    snData* d = sn_makeData(m);
    for (int i = 0; i < N; i++) disturbRow(b, i, i);
    sn_batchStep(b, NULL, NULL);
    const double before = rowOf(b, "qpos", 2)[0];
    const int ids[] = {4, 0, 3}, keys[] = {1, 0, -1};
    assert_int_equal(sn_batchReset(b, ids, keys, 3, NULL), SN_STATUS_OK);
    for (int k = 0; k < 3; k++) {
        sn_resetDataKeyframe(m, d, keys[k]);
        holdBits("time", rowOf(b, "time", ids[k]), &d->time, 1);
        holdBits("qpos", rowOf(b, "qpos", ids[k]), d->qpos, m->nq);
        holdBits("qvel", rowOf(b, "qvel", ids[k]), d->qvel, m->nv);
        holdBits("act", rowOf(b, "act", ids[k]), d->act, m->na);
        holdBits("ctrl", rowOf(b, "ctrl", ids[k]), d->ctrl, m->nu);
        holdBits("mocap_pos", rowOf(b, "mocap_pos", ids[k]), d->mocap_pos, 3);
        holdBits("sensordata", rowOf(b, "sensordata", ids[k]), d->sensordata, m->nsensordata);
    }
    assert_true(rowOf(b, "qpos", 2)[0] == before);
    sn_deleteData(d);
    sn_deleteBatch(b);
    sn_deleteModel(m);
}

static void check_data(void** state)
{
    (void)state;
    enum { N = 4, I = 2 };
    snError error = {0};
    for (int scene = 0; scene < SCENES; scene++) {
        snModel* m = loadScene(scene);
        snBatch *b = makeBatch(m, N, 1, NULL), *to = makeBatch(m, N, 1, NULL);
        snData* d = sn_makeData(m);
        for (int i = 0; i < N; i++) disturbRow(b, i, i);
        sn_batchStep(b, &(snBatchRun){.nstep = 20}, NULL);
        assert_int_equal(sn_batchGetData(b, I, NULL, d, &error), SN_STATUS_OK);
        assert_int_equal(sn_batchSetData(to, 0, d, &error), SN_STATUS_OK);
        sn_batchStep(b, &(snBatchRun){.nstep = 5}, NULL);
        sn_batchStep(to, &(snBatchRun){.nstep = 5}, NULL);
        for (int k = 0; k < 5; k++) sn_step(m, d);
        holdBits("qpos", rowOf(b, "qpos", I), d->qpos, m->nq);
        holdBits("qvel", rowOf(to, "qvel", 0), d->qvel, m->nv);
        sn_deleteData(d);
        sn_deleteBatch(to);
        sn_deleteBatch(b);
        sn_deleteModel(m);
    }
}

// Counts of impulses that cannot be.
static void check_strange_impulses(void** state)
{
    (void)state;
    static const double counts[] = {-1, 1e300, 1e9, 0.5};
    snModel* m = loadScene(RIGID);
    snBatch* b = makeBatch(m, 1, 1, NULL);
    for (int k = 0; k < 5; k++) {
        *rowOf(b, "impulse", 0) = k < 4 ? counts[k] : (double)NAN;
        assert_int_equal(sn_batchStep(b, NULL, NULL), SN_STATUS_OK);
        assert_true(isfinite(*rowOf(b, "qpos", 0)));
    }
    sn_deleteBatch(b);
    sn_deleteModel(m);
}

// ---- mistakes

static void holdMistake(snStatus status, const snError* error, const char* words)
{
    assert_int_equal(status, SN_STATUS_ARGUMENT);
    if (!strstr(error->message, words)) fail_msg("'%s' should say '%s'", error->message, words);
}

static void check_mistakes(void** state)
{
    (void)state;
    enum { N = 4 };
    snModel *m = loadScene(CRATE), *other = loadScene(HUMANOID), *rigid = loadScene(RIGID);
    snBatch* b = makeBatch(m, N, 1, NULL);
    snData* d = sn_makeData(other);
    snError e = {0};
    const double before = rowOf(b, "qpos", 0)[2];
    const int far[] = {0, 4}, low[] = {0, -1}, twice[] = {0, 1, 0}, keys[] = {0, 2};
    holdMistake(sn_batchStep(b, &(snBatchRun){.ids = far, .nid = 2}, &e), &e,
                "ids[1] is 4, must be in [0, 4)");
    holdMistake(sn_batchForward(b, low, 2, &e), &e, "ids[1] is -1");
    holdMistake(sn_batchStep(b, &(snBatchRun){.ids = twice, .nid = 3}, &e), &e,
                "ids[2] is 0, which stands before");
    holdMistake(sn_batchReset(b, twice, NULL, 3, &e), &e, "ids[2] is 0");
    holdMistake(sn_batchReset(b, NULL, keys, 2, &e), &e, "keys[1] is 2, must be in [0, 2)");
    holdMistake(sn_batchSetConst(b, far, 2, &e), &e, "sn_batchSetConst: ids[1] is 4");
    holdMistake(sn_batchStep(b, &(snBatchRun){.ids = far, .nid = -1}, &e), &e, "-1 ids");
    holdMistake(sn_batchStep(b, &(snBatchRun){.nstep = -1}, &e), &e, "nstep is -1");
    holdMistake(sn_batchStep(b, &(snBatchRun){.every = -2}, &e), &e, "every -2");
    holdMistake(sn_batchStep(b, &(snBatchRun){.control_spec = SN_STATE_QPOS}, &e), &e, "control_spec");
    const int unbound = fieldOf("xpos");
    double* nowhere = NULL;
    snBatchRun run = {.fields = &unbound, .field_rows = &nowhere, .nfield = 1};
    holdMistake(sn_batchStep(b, &run, &e), &e, "is not bound");
    holdMistake(sn_batchBind(b, "no", &e), &e, "no such field");
    holdMistake(sn_batchBind(b, "efc_J", &e), &e, "size changes");
    holdMistake(sn_batchBind(b, "ten_wrapnum", &e), &e, "not of doubles");
    holdMistake(sn_batchBind(b, "ten_J", &e), &e, "change with the state");
    holdMistake(sn_batchBind(b, "qLU", &e), &e, "not computed");
    holdMistake(sn_batchParameter(b, "mass", &e), &e, "no parameter 'mass'");
    holdMistake(sn_batchParameter(b, "opt.solver", &e), &e, "no parameter 'opt.solver'");
    holdMistake(sn_batchGetData(b, 0, NULL, d, &e), &e, "other sizes");
    holdMistake(sn_batchSetData(b, 9, d, &e), &e, "simulation 9");
    assert_true(rowOf(b, "qpos", 0)[2] == before && rowOf(b, "time", 0)[0] == 0);
    assert_null(sn_makeBatch(m, 0, NULL, &e));
    holdMistake(e.status, &e, "0 simulations");
    assert_null(sn_makeBatch(m, 1, &(snBatchOption){.width = 3}, &e));
    holdMistake(e.status, &e, "no lanes of width 3");
    assert_null(sn_makeBatch(rigid, 1, &(snBatchOption){.width = 8}, &e));
    holdMistake(e.status, &e, "rigid contact (LCP)");
    sn_deleteData(d);
    sn_deleteBatch(b);
    sn_deleteBatch(NULL);
    sn_deleteModel(rigid);
    sn_deleteModel(other);
    sn_deleteModel(m);
}

static void check_scalar_features(void** state)
{
    (void)state;
    char text[256], cut[8];
    snModel* m = loadScene(CRATE);
    assert_int_equal(sn_batchScalarFeatures(m, text, sizeof text), 0);
    assert_string_equal(text, "");
    m->opt.solver = SN_SOL_CG;
    m->opt.noslip_iterations = 2;
    m->opt.integrator = SN_INT_IMPLICIT;
    const int length = sn_batchScalarFeatures(m, text, sizeof text);
    assert_string_equal(text, "solver CG, noslip, integrator implicit");
    assert_int_equal(length, strlen(text));
    assert_int_equal(sn_batchScalarFeatures(m, cut, sizeof cut), length);
    assert_string_equal(cut, "solver ");
    assert_int_equal(sn_batchScalarFeatures(m, NULL, 0), length);
    sn_deleteModel(m);
    m = loadScene(FOUR_BAR);
    sn_batchScalarFeatures(m, text, sizeof text);
    assert_non_null(strstr(text, "exact loops"));
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_scalar_engine),
        cmocka_unit_test(check_own_bits),
        cmocka_unit_test(check_neighbours),
        cmocka_unit_test(check_bad_numbers),
        cmocka_unit_test(check_reset),
        cmocka_unit_test(check_data),
        cmocka_unit_test(check_strange_impulses),
        cmocka_unit_test(check_mistakes),
        cmocka_unit_test(check_scalar_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
