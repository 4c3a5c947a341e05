// Smooth dynamics in lanes against the scalar engine: every field of theirs and steps of every integrator, of
// simulations that have parameters of their own; and no simulation feels what others in its group have.
#include "batch/scenes.h"

// All kinds of joints, simple bodies, branches, springs, dampers, armatures, weights that are borne,
// ellipsoids.
#define SCENE_SMOOTH(option)                                                                                 \
    "<mujoco><option " option ">"                                                                            \
    "<flag energy='enable' constraint='disable'/></option><worldbody>"                                       \
    "<body pos='2 0 1'><freejoint/><geom type='box' size='.1 .2 .3'/></body>"                                \
    "<body pos='2 2 1'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"                 \
    "<joint axis='0 0 1'/><geom type='box' size='.1 .2 .3'/></body>"                                         \
    "<body pos='0 0 1'><freejoint/><geom type='capsule' size='.1 .3' euler='20 30 40'/>"                     \
    "<body pos='0 0 .4' gravcomp='.7'><joint type='ball' stiffness='3' damping='.1' armature='.02'/>"        \
    "<geom type='capsule' size='.05 .2'/><body name='round' pos='0 .2 .3'>"                                  \
    "<joint name='a' axis='0 1 0' stiffness='2' springref='20' damping='.2'/>"                               \
    "<joint name='b' type='slide' axis='1 1 0' armature='.1'/>"                                              \
    "<geom type='ellipsoid' size='.1 .2 .15' fluidshape='ellipsoid'/><site name='s' pos='.1 0 0'/>"          \
    "<body pos='.1 0 .1'><joint name='c' axis='1 0 0' pos='0 .1 0'/><geom type='box' size='.1 .05 .02'/>"    \
    "<site name='t' pos='.1 .1 0'/></body>"                                                                  \
    "<body pos='-.1 0 .1'><joint name='d' axis='1 0 1'/><joint axis='0 0 1'/>"                               \
    "<geom type='cylinder' size='.1 .05'/></body></body></body>"                                             \
    "<body pos='0 0 -.4'><joint name='e' axis='0 1 0'/><geom type='capsule' size='.05 .2'/>"                 \
    "<body pos='0 0 .2'><geom size='.1'/><body pos='0 .1 0'><joint type='ball'/>"                            \
    "<geom size='.07' pos='.1 0 0'/></body></body></body></body></worldbody>"                                \
    "<tendon><fixed stiffness='2' damping='.3' armature='.1'><joint joint='a' coef='1'/>"                    \
    "<joint joint='b' coef='-2'/></fixed><spatial armature='.2' damping='.1'><site site='s'/>"               \
    "<site site='t'/></spatial></tendon>"                                                                    \
    "<actuator><motor joint='a' gear='2'/><position joint='c' kp='3' kv='.5' forcerange='-.5 .5'/>"          \
    "<general joint='d' dyntype='filterexact' dynprm='.1' gainprm='2' biastype='affine'"                     \
    " biasprm='0 -1 -.2'/><velocity joint='e' kv='2'/></actuator>"                                           \
    "<sensor><e_potential/><e_kinetic/><subtreelinvel body='round'/><subtreeangmom body='round'/>"           \
    "<framelinacc objtype='body' objname='round'/></sensor></mujoco>"

static const char* const models[] = {
    SCENE_SMOOTH("gravity='.3 -1 -9'"),
    SCENE_SMOOTH("integrator='implicitfast' density='1.2' viscosity='.1' wind='1 2 0'"),
    SCENE_SMOOTH("integrator='RK4' density='1000'"),
};
enum { MODELS = sizeof models / sizeof *models, N = 8, SEEDS = 3 * N };

static snModel* loadSmooth(int k)
{
    snError error = {0};
    snModel* m = sn_loadModelText(models[k], strlen(models[k]), NULL, 0, NULL, &error);
    if (!m) fail_msg("%s", error.message);
    assert_true(widths(m)[1]); // none of this is left to the scalar engine
    return m;
}

static const char* const fields[] = {
    "xpos",       "cinert",       "cdof",           "cvel",           "cdof_dot",    "crb",
    "qM",         "qLDiagInv",    "qfrc_bias",      "qfrc_spring",    "qfrc_damper", "qfrc_gravcomp",
    "qfrc_fluid", "qfrc_passive", "qfrc_actuator",  "qfrc_smooth",    "qacc_smooth", "cacc",
    "cfrc_int",   "cfrc_ext",     "subtree_linvel", "subtree_angmom", "qLD",
};
static const char* const parameters[] = {"jnt_stiffness", "dof_damping", "dof_armature", "body_gravcomp",
                                         "body_mass",     "geom_fluid",  "opt.density",  "opt.viscosity"};
enum {
    FIELDS = sizeof fields / sizeof *fields,
    PARAMETERS = sizeof parameters / sizeof *parameters,
};

static snBatch* makeSmooth(const snModel* m, int n, int width)
{
    snBatch* b = makeBatch(m, n, width, NULL);
    for (int f = 0; f < FIELDS; f++) assert_int_equal(sn_batchBind(b, fields[f], NULL), SN_STATUS_OK);
    for (int p = 0; p < PARAMETERS; p++)
        assert_int_equal(sn_batchParameter(b, parameters[p], NULL), SN_STATUS_OK);
    return b;
}

// A state and parameters by a number; zeros among the latter, where the model has others.
static void start(snBatch* b, int i, int seed)
{
    const snModel* m = sn_batchModel(b);
    disturbRow(b, i, seed);
    for (int k = 0; k < m->nq; k++) rowOf(b, "qpos", i)[k] += 0.3 * noise(seed, 400 + k);
    if (seed % 3 == 0)
        for (int k = 6; k < 6 * m->nbody; k++) rowOf(b, "xfrc_applied", i)[k] = noise(seed, 500 + k);
    for (int p = 0; p < PARAMETERS; p++) {
        int columns;
        (void)sn_batchArray(b, parameters[p], &columns);
        double* x = rowOf(b, parameters[p], i);
        const bool zero = (seed >> p % 5) % 5 == 1 && strcmp(parameters[p], "body_mass") != 0;
        for (int k = 0; k < columns; k++) x[k] *= zero ? 0 : 1 + 0.3 * noise(seed, 600 + k);
    }
}

// What fills up groups in the rows of qLD means nothing.
static bool counts(const snModel* m, const char* field, int k)
{
    if (strcmp(field, "qLD") != 0) return true;
    for (int i = 0; i < m->nv; i++) {
        const int c = k - m->dof_LDadr[i];
        if (c >= 0 && c <= (m->dof_simplenum[i] ? 0 : m->D_diag[i])) return true;
    }
    return false;
}

static double largest(const double* x, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
    return most;
}

// Of rounding, against the largest number of the row; what is solved for M has more of it.
static void holdNear(snBatch* b, snBatch* wanted, const char* name, double tolerance)
{
    int columns;
    (void)sn_batchArray(b, name, &columns);
    for (int i = 0; i < sn_batchCount(b); i++) {
        const double *x = rowOf(b, name, i), *y = rowOf(wanted, name, i), most = largest(y, columns);
        for (int k = 0; k < columns; k++)
            if (counts(sn_batchModel(b), name, k) && !(fabs(x[k] - y[k]) <= tolerance * (1 + most)))
                fail_msg("width %d, simulation %d: %s[%d] is %.17g, should be %.17g", sn_batchWidth(b), i,
                         name, k, x[k], y[k]);
    }
}

static void check_fields(void** state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        snModel* m = loadSmooth(k);
        snBatch* wanted = makeSmooth(m, SEEDS, 1);
        for (int i = 0; i < SEEDS; i++) start(wanted, i, i);
        assert_int_equal(sn_batchForward(wanted, NULL, 0, NULL), SN_STATUS_OK);
        for (const int* width = widths(m) + 1; *width; width++) {
            snBatch* b = makeSmooth(m, SEEDS, *width);
            for (int i = 0; i < SEEDS; i++) start(b, i, i);
            assert_int_equal(sn_batchForward(b, NULL, 0, NULL), SN_STATUS_OK);
            for (int f = 0; f < FIELDS; f++) holdNear(b, wanted, fields[f], 1e-12);
            holdNear(b, wanted, "sensordata", 1e-12);
            sn_deleteBatch(b);
        }
        sn_deleteBatch(wanted);
        sn_deleteModel(m);
    }
}

static void check_steps(void** state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        snModel* m = loadSmooth(k);
        snBatch* wanted = makeSmooth(m, SEEDS, 1);
        for (int i = 0; i < SEEDS; i++) start(wanted, i, i);
        sn_batchStep(wanted, &(snBatchRun){.nstep = 20}, NULL);
        for (const int* width = widths(m) + 1; *width; width++) {
            snBatch* b = makeSmooth(m, SEEDS, *width);
            for (int i = 0; i < SEEDS; i++) start(b, i, i);
            sn_batchStep(b, &(snBatchRun){.nstep = 20}, NULL);
            holdNear(b, wanted, "time", 0);
            holdNear(b, wanted, "qpos", 1e-11);
            holdNear(b, wanted, "qvel", 1e-11);
            holdNear(b, wanted, "act", 1e-13);
            sn_deleteBatch(b);
        }
        sn_deleteBatch(wanted);
        sn_deleteModel(m);
    }
}

// Steps simulations i with seed `first` + i; that of one of them (-1: none) is another.
static snBatch* stepped(const snModel* m, int width, int first, int changed)
{
    snBatch* b = makeSmooth(m, N, width);
    for (int i = 0; i < N; i++) start(b, i, i == changed ? 77 + first : first + i);
    assert_int_equal(sn_batchStep(b, &(snBatchRun){.nstep = 2}, NULL), SN_STATUS_OK);
    return b;
}

static void check_neighbours(void** state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        snModel* m = loadSmooth(k);
        for (const int* width = widths(m) + 1; *width; width++)
            for (int first = 0; first < 6; first++) {
                const int changed = (3 * first + k) % N;
                snBatch *b = stepped(m, *width, first, -1), *other = stepped(m, *width, first, changed);
                for (int i = 0; i < N; i++)
                    for (int f = 0; f < FIELDS && i != changed; f++) {
                        int columns;
                        (void)sn_batchArray(b, fields[f], &columns);
                        holdBits(fields[f], rowOf(other, fields[f], i), rowOf(b, fields[f], i), columns);
                    }
                sn_deleteBatch(b);
                sn_deleteBatch(other);
            }
        sn_deleteModel(m);
    }
}

// ---- lanes that are left to the scalar engine have its bits

static const char slider[] = "<mujoco><option integrator='RK4' timestep='.1'/><worldbody><body>"
                             "<joint type='slide'/><joint axis='0 1 0'/><geom size='.1' mass='1'/></body>"
                             "</worldbody></mujoco>";

static void holdStep(void (*change)(snBatch* b, int i), snWarning warned)
{
    snModel* m = sn_loadModelText(slider, sizeof slider - 1, NULL, 0, NULL, NULL);
    for (const int* width = widths(m) + 1; *width; width++) {
        snBatch *b = makeSmooth(m, N, *width), *wanted = makeSmooth(m, N, 1),
                *calm = makeSmooth(m, N, *width);
        for (int i = 0; i < N; i++) disturbRow(b, i, i), disturbRow(wanted, i, i), disturbRow(calm, i, i);
        for (int i = 0; i < N; i += 3) change(b, i), change(wanted, i);
        snBatch* const all[] = {b, wanted, calm};
        for (int k = 0; k < 3; k++) assert_int_equal(sn_batchStep(all[k], NULL, NULL), SN_STATUS_OK);
        for (int i = 0; i < N; i++) {
            snBatch* from = i % 3 ? calm : wanted;
            holdBits("qpos", rowOf(b, "qpos", i), rowOf(from, "qpos", i), m->nq);
            holdBits("qvel", rowOf(b, "qvel", i), rowOf(from, "qvel", i), m->nv);
            holdBits("time", rowOf(b, "time", i), rowOf(from, "time", i), 1);
            if (warned < SN_NWARNING) assert_int_equal(sn_batchWarnings(b, i)[warned].number > 0, i % 3 == 0);
        }
        for (int k = 0; k < 3; k++) sn_deleteBatch(all[k]);
    }
    sn_deleteModel(m);
}

// Within bounds before the step, beyond them in its second stage.
static void pushBeyond(snBatch* b, int i)
{
    rowOf(b, "qvel", i)[0] = 0.9999 * SN_MAXVAL;
    rowOf(b, "qfrc_applied", i)[0] = 0.9 * SN_MAXVAL;
}

static void takeMass(snBatch* b, int i)
{
    rowOf(b, "body_mass", i)[1] = 0;
}

static void check_ejected(void** state)
{
    (void)state;
    holdStep(pushBeyond, SN_NWARNING);
    holdStep(takeMass, SN_WARN_INERTIA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_fields),
        cmocka_unit_test(check_steps),
        cmocka_unit_test(check_neighbours),
        cmocka_unit_test(check_ejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
