// Parameters: a simulation with numbers of its own has the bits of a model with these numbers.
#include "batch/scenes.h"

enum { N = 5, STEPS = 60 };

static const char* const names[] = {"body_mass",    "geom_friction",    "opt.gravity",
                                    "opt.timestep", "actuator_gainprm", "dof_damping",
                                    "qpos0",        "jnt_range",        "stat.meaninertia"};
enum { NAMES = sizeof names / sizeof *names };

// The numbers of a parameter in a model.
static double* numbersOf(snModel* m, const char* name)
{
    int count;
    if (!strcmp(name, "stat.meaninertia")) return &m->stat.meaninertia;
    if (!strncmp(name, "opt.", 4)) {
        const snOptionField* options = sn_optionFields(&count);
        for (int i = 0; i < count; i++)
            if (!strcmp(options[i].name, name + 4)) return (double*)((char*)&m->opt + options[i].offset);
    }
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(fields[i].name, name)) return *(double**)((char*)m + fields[i].offset);
    fail_msg("no field %s", name);
    return NULL;
}

// A batch and models with the same numbers.
static snBatch* prepare(const snModel* m, int width, snModel** own)
{
    snBatch* b = makeBatch(m, N, width, NULL);
    for (int i = 0; i < N; i++) own[i] = sn_copyModel(m);
    for (int k = 0; k < NAMES; k++) {
        int columns;
        assert_int_equal(sn_batchParameter(b, names[k], NULL), SN_STATUS_OK);
        assert_int_equal(sn_batchParameter(b, names[k], NULL), SN_STATUS_OK); // once more: nothing
        sn_batchArray(b, names[k], &columns);
        for (int i = 0; i < N; i++) {
            double *row = rowOf(b, names[k], i), *numbers = numbersOf(own[i], names[k]);
            holdBits(names[k], row, numbers, columns);
            for (int c = 0; c < columns; c++) row[c] = numbers[c] *= 1 + 0.05 * noise(i, c);
        }
    }
    return b;
}

// Steps; the scalar engine has the bits, lanes a tolerance.
static void holdSteps(snBatch* b, snModel* const* own)
{
    sn_batchReset(b, NULL, NULL, 0, NULL);
    for (int i = 0; i < N; i++) disturbRow(b, i, i);
    sn_batchStep(b, &(snBatchRun){.nstep = STEPS}, NULL);
    for (int i = 0; i < N; i++) {
        const snModel* m = own[i];
        snData* d = sn_makeData(m);
        disturbData(m, d, i);
        for (int step = 0; step < STEPS; step++) sn_step(m, d);
        if (sn_batchWidth(b) == 1) {
            holdBits("qpos", rowOf(b, "qpos", i), d->qpos, m->nq);
            holdBits("qvel", rowOf(b, "qvel", i), d->qvel, m->nv);
        }
        for (int k = 0; k < m->nq; k++) assert_true(fabs(rowOf(b, "qpos", i)[k] - (d->qpos[k])) < 1e-6);
        sn_deleteData(d);
    }
}

static void check_parameters(void** state)
{
    (void)state;
    snModel* own[N];
    for (int scene = CRATE; scene <= RIGID; scene++) {
        snModel* m = loadScene(scene);
        for (const int* width = widths(m); *width; width++) {
            snBatch* b = prepare(m, *width, own);
            holdSteps(b, own);
            // read at each call
            for (int i = 0; i < N; i++)
                rowOf(b, "body_mass", i)[m->nbody - 1] = own[i]->body_mass[m->nbody - 1] = 3 + i;
            holdSteps(b, own);
            sn_deleteBatch(b);
            for (int i = 0; i < N; i++) sn_deleteModel(own[i]);
        }
        sn_deleteModel(m);
    }
}

// Every number of the models must come out, whatever sn_setConst has written.
static void holdModel(snBatch* b, int i, const snModel* own)
{
    snModel* m = sn_copyModel(sn_batchModel(b));
    snData* d = sn_makeData(m);
    assert_int_equal(sn_batchGetData(b, i, m, d, NULL), SN_STATUS_OK);
    const int differs = sn_compareModel(m, own);
    if (differs != -1) {
        int count;
        fail_msg("%s differs",
                 differs < 0 ? "an option or a statistic" : sn_modelFields(&count)[differs].name);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void check_set_const(void** state)
{
    (void)state;
    snModel* own[N];
    for (int scene = 0; scene < SCENES; scene++) {
        snModel* m = loadScene(scene);
        snData* settling = sn_makeData(m); // its bounds are the compiler's to rounding
        sn_setConst(m, settling);
        sn_deleteData(settling);
        snBatch* b = makeBatch(m, N, 1, NULL);
        static const char* const changed[] = {"body_mass", "body_inertia", "qpos0", "body_pos",
                                              "tendon_stiffness"};
        for (int k = 0; k < 5; k++) assert_int_equal(sn_batchParameter(b, changed[k], NULL), SN_STATUS_OK);
        for (int i = 0; i < N; i++) {
            own[i] = sn_copyModel(m);
            for (int k = 0; k < 5; k++) {
                int columns;
                sn_batchArray(b, changed[k], &columns);
                double *row = rowOf(b, changed[k], i), *numbers = numbersOf(own[i], changed[k]);
                for (int c = 0; c < columns; c++) row[c] = numbers[c] *= 1 + 0.02 * noise(i, c);
            }
            if (i == 3) continue; // is not in the ids
            snData* d = sn_makeData(own[i]);
            sn_setConst(own[i], d);
            sn_deleteData(d);
        }
        const int ids[] = {4, 1, 0, 2};
        assert_int_equal(sn_batchSetConst(b, ids, 4, NULL), SN_STATUS_OK);
        for (int i = 0; i < N; i++) holdModel(b, i, own[i]);
        holdSteps(b, own);
        sn_deleteBatch(b);
        for (int i = 0; i < N; i++) sn_deleteModel(own[i]);
        sn_deleteModel(m);
    }
}

// A simulation that begins anew begins at its own start.
static void check_own_start(void** state)
{
    (void)state;
    snModel* m = loadScene(CRATE);
    snBatch* b = makeBatch(m, 2, 0, NULL);
    sn_batchParameter(b, "qpos0", NULL);
    sn_batchParameter(b, "key_qpos", NULL);
    rowOf(b, "qpos0", 1)[2] = 5;
    rowOf(b, "key_qpos", 0)[2] = 7;
    sn_batchReset(b, NULL, NULL, 0, NULL);
    assert_true(rowOf(b, "qpos", 0)[2] == 0.12 && rowOf(b, "qpos", 1)[2] == 5);
    sn_batchReset(b, NULL, (int[]){0, 0}, 0, NULL);
    assert_true(rowOf(b, "qpos", 0)[2] == 7 && rowOf(b, "qpos", 1)[2] == 1);
    rowOf(b, "qvel", 1)[0] = (double)NAN;
    sn_batchStep(b, NULL, NULL);
    assert_true(fabs(rowOf(b, "qpos", 1)[2] - (5)) < 1e-3);
    sn_deleteBatch(b);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_parameters), cmocka_unit_test(check_set_const),
                                       cmocka_unit_test(check_own_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
