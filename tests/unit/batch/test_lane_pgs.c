// Projected Gauss-Seidel in lanes against the scalar engine: rows of every kind but elliptic cones, few and
// many sweeps, lanes that touch different things; and no simulation feels its neighbours.
#include "batch/scenes.h"

#define PILE(option, contact)                                                                                \
    "<mujoco><option solver='PGS' " option "/><default><geom " contact "/></default><worldbody>"             \
    "<geom type='plane' size='0 0 1'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 "          \
    ".1'/></body>"                                                                                           \
    "<body pos='.02 0 .31'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"                            \
    "<body name='arm' pos='0 .5 .4'><joint name='a' axis='0 1 0' range='-40 40' frictionloss='.2'/>"         \
    "<geom type='capsule' size='.05' fromto='0 0 0 .4 0 0'/><body name='end' pos='.4 0 0'>"                  \
    "<joint name='b' type='ball' range='0 50'/><geom type='capsule' size='.05' fromto='0 0 0 .3 0 -.2'/>"    \
    "</body></body><body name='bob' pos='.9 .5 .5'><freejoint/><geom size='.07'/></body></worldbody>"        \
    "<equality><connect body1='end' body2='bob' anchor='.4 0 0'/></equality>"                                \
    "<tendon><fixed name='t' limited='true' range='-.3 .3' frictionloss='.1'><joint joint='a' coef='1'/>"    \
    "</fixed></tendon><actuator><motor joint='a' gear='3'/></actuator></mujoco>"

static const char* const models[] = {
    PILE("", ""),
    PILE("integrator='RK4' iterations='20'", "condim='4'"),
    PILE("integrator='implicitfast' iterations='3'", "condim='6' friction='.7 .02 .01'"),
    PILE("tolerance='0' iterations='60'", "condim='1'"),
    PILE("iterations='1'", "solref='.005 1'"),
};
enum { MODELS = 1 + sizeof models / sizeof *models, N = 24, SETTLE = 150 };

// The last is our humanoid.
static snModel* load(int k)
{
    snError error = {0};
    snModel* m = k == MODELS - 1 ? loadScene(HUMANOID)
                                 : sn_loadModelText(models[k], strlen(models[k]), NULL, 0, NULL, &error);
    if (!m) fail_msg("%s", error.message);
    m->opt.solver = SN_SOL_PGS;
    return m;
}

static void disturbAll(snBatch* b, int first)
{
    for (int i = 0; i < sn_batchCount(b); i++) disturbRow(b, i, first + i);
}

static void copyRow(snBatch* to, int i, snBatch* from, int j)
{
    static const char* const names[] = {"time", "qpos", "qvel", "act", "qacc_warmstart", "ctrl"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        int columns;
        (void)sn_batchArray(to, names[k], &columns);
        if (columns)
            memcpy(rowOf(to, names[k], i), rowOf(from, names[k], j), (size_t)columns * sizeof(double));
    }
}

static snBatch* bound(const snModel* m, int n, int width)
{
    snBatch* b = makeBatch(m, n, width, NULL);
    assert_int_equal(sn_batchBind(b, "qacc", NULL), SN_STATUS_OK);
    assert_int_equal(sn_batchBind(b, "qfrc_constraint", NULL), SN_STATUS_OK);
    return b;
}

// Largest number of a field over all simulations.
static double largest(snBatch* b, const char* field)
{
    int columns;
    double most = 0;
    const double* x = sn_batchArray(b, field, &columns);
    for (int k = 0; k < sn_batchCount(b) * columns; k++) most = fmax(most, fabs(x[k]));
    return most;
}

static void holdNear(snBatch* b, snBatch* wanted, const char* field)
{
    int columns;
    const double *x = sn_batchArray(b, field, &columns), *y = sn_batchArray(wanted, field, NULL);
    const double most = largest(wanted, field);
    for (int k = 0; k < sn_batchCount(b) * columns; k++)
        if (!(fabs(x[k] - y[k]) <= 1e-11 * (1 + most)))
            fail_msg("width %d: %s[%d] is %.17g, should be %.17g", sn_batchWidth(b), field, k, x[k], y[k]);
}

static void check_steps(void** state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        snModel* m = load(k);
        assert_true(widths(m)[1]);
        snBatch* scalar = bound(m, N, 1);
        disturbAll(scalar, 0);
        for (int t = 0; t < 4; t++) {
            for (const int* width = widths(m) + 1; *width; width++) {
                snBatch* b = bound(m, N, *width);
                for (int i = 0; i < N; i++) copyRow(b, i, scalar, i);
                snBatch* wanted = bound(m, N, 1);
                for (int i = 0; i < N; i++) copyRow(wanted, i, scalar, i);
                sn_batchStep(b, NULL, NULL);
                sn_batchStep(wanted, NULL, NULL);
                static const char* const fields[] = {"qacc", "qfrc_constraint", "qvel", "qpos"};
                for (int f = 0; f < 4; f++) holdNear(b, wanted, fields[f]);
                sn_deleteBatch(b);
                sn_deleteBatch(wanted);
            }
            sn_batchStep(scalar, &(snBatchRun){.nstep = SETTLE / 3}, NULL);
        }
        assert_true(largest(scalar, "qfrc_constraint") > 1);
        sn_deleteBatch(scalar);
        sn_deleteModel(m);
    }
}

static void check_neighbours(void** state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        snModel* m = load(k);
        for (const int* width = widths(m) + 1; *width; width++) {
            snBatch *b = bound(m, N, *width), *alone = bound(m, 1, *width);
            disturbAll(b, 5);
            sn_batchStep(b, &(snBatchRun){.nstep = 40}, NULL);
            for (int i = 0; i < N; i += 5) {
                sn_batchReset(alone, NULL, NULL, 0, NULL);
                disturbRow(alone, 0, 5 + i);
                sn_batchStep(alone, &(snBatchRun){.nstep = 40}, NULL);
                holdBits("qpos", rowOf(alone, "qpos", 0), rowOf(b, "qpos", i), m->nq);
                holdBits("qacc", rowOf(alone, "qacc", 0), rowOf(b, "qacc", i), m->nv);
            }
            sn_deleteBatch(b);
            sn_deleteBatch(alone);
        }
        sn_deleteModel(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_steps), cmocka_unit_test(check_neighbours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
