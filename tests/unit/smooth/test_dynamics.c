// Poses, inverse dynamics and mass matrices alone against the stages of the step, on random trees of every
// joint type and on models with what those have not.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <stdlib.h>
#include "model_text.h"
#include "random_tree.h"

enum { TREES = 60 };

static void allClose(const double* a, const double* b, int count, double tolerance)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance * (1 + fabs(b[i])))) { // NaN, too
            print_error("%d of %d: %.17g against %.17g\n", i, count, a[i], b[i]);
            fail();
        }
}

static double* numbers(int count)
{
    double* x = malloc((size_t)(count + 1) * sizeof *x);
    assert_non_null(x);
    for (int i = 0; i <= count; i++) x[i] = 12345;
    return x;
}

// Nothing behind the last number was written.
static void release(double* x, int count)
{
    assert_true(x[count] == 12345);
    free(x);
}

static void poses(const snModel* m, snData* d, const snData* stages)
{
    double *xpos = numbers(3 * m->nbody), *xmat = numbers(9 * m->nbody);
    assert_int_equal(sn_bodyPoses(m, d, stages->qpos, xpos, xmat), SN_STATUS_OK);
    allClose(xpos, stages->xpos, 3 * m->nbody, 1e-13);
    allClose(xmat, stages->xmat, 9 * m->nbody, 1e-13);
    release(xpos, 3 * m->nbody);
    release(xmat, 9 * m->nbody);
}

static void inverse(const snModel* m, snData* d, snData* stages)
{
    double *tau = numbers(m->nv), *expected = numbers(m->nv);
    sn_comVel(m, stages);
    sn_rne(m, stages, 1, expected);
    for (int k = 0; k < m->nv; k++) expected[k] += m->dof_armature[k] * stages->qacc[k];
    assert_int_equal(sn_inverseDynamics(m, d, stages->qpos, stages->qvel, stages->qacc, tau), SN_STATUS_OK);
    allClose(tau, expected, m->nv, 1e-12);
    memcpy(expected, stages->qacc, sizeof(double) * (size_t)m->nv); // in place
    assert_int_equal(sn_inverseDynamics(m, d, stages->qpos, stages->qvel, expected, expected), SN_STATUS_OK);
    assert_memory_equal(tau, expected, sizeof(double) * (size_t)m->nv);
    release(tau, m->nv);
    release(expected, m->nv);
}

// L and D, without what fills rows up.
static void factorsClose(const snModel* m, const double* LD, const double* expected)
{
    for (int k = 0; k < m->nv; k++) {
        const int above = m->dof_simplenum[k] ? 0 : m->D_diag[k], at = m->dof_LDadr[k];
        allClose(LD + at, expected + at, above + 1, 1e-11);
    }
}

static void mass(const snModel* m, snData* d, snData* stages)
{
    double *qM = numbers(m->nM), *inverse = numbers(m->nv), *room = numbers(m->nLD + 4);
    sn_comPos(m, stages);
    sn_crb(m, stages);
    sn_factorM(m, stages);
    for (int shift = 0; shift < 2; shift++) { // one of them is not aligned
        double* LD = room + shift;
        assert_int_equal(sn_massMatrix(m, d, stages->qpos, qM, LD, inverse), SN_STATUS_OK);
        allClose(qM, stages->qM, m->nM, 1e-12);
        factorsClose(m, LD, stages->qLD);
        allClose(inverse, stages->qLDiagInv, m->nv, 1e-11);
    }
    memset(qM, 0, sizeof(double) * (size_t)m->nM);
    assert_int_equal(sn_massMatrix(m, d, stages->qpos, qM, NULL, NULL), SN_STATUS_OK);
    allClose(qM, stages->qM, m->nM, 1e-12);
    release(qM, m->nM);
    release(inverse, m->nv);
    release(room, m->nLD + 4);
}

// The functions use the scratch of `d`, whose own state is another one and stays.
static void compare(const snModel* m, snData* stages)
{
    snData* d = sn_makeData(m);
    assert_non_null(d);
    memcpy(d->mocap_pos, stages->mocap_pos, sizeof(double) * 3 * (size_t)m->nmocap);
    memcpy(d->mocap_quat, stages->mocap_quat, sizeof(double) * 4 * (size_t)m->nmocap);
    snData* before = sn_makeData(m);
    sn_copyData(before, m, d);
    sn_kinematics(m, stages);
    poses(m, d, stages);
    mass(m, d, stages);
    inverse(m, d, stages);
    assert_int_equal(d->pstack, 0);
    assert_memory_equal(d->qpos, before->qpos, sizeof(double) * (size_t)m->nq);
    assert_memory_equal(d->xpos, before->xpos, sizeof(double) * 3 * (size_t)m->nbody);
    assert_memory_equal(d->qM, before->qM, sizeof(double) * (size_t)m->nM);
    sn_deleteData(before);
    sn_deleteData(d);
}

// Four joints that are taken at once: hinges and slides in a row.
static bool hasFour(const snModel* m)
{
    int run = 0;
    for (int j = 0; j < m->njnt && run < 4; j++) run = m->jnt_type[j] >= SN_JNT_SLIDE ? run + 1 : 0;
    return run == 4;
}

static void test_trees(void** state)
{
    (void)state;
    Random r = {4321};
    int fours = 0, others = 0;
    for (int t = 0; t < TREES; t++) {
        snModel* m = randomTree(&r);
        snData* d = sn_makeData(m);
        randomState(m, d, &r);
        for (int i = 0; i < m->nq; i++) d->qpos[i] *= 1 + 0.1 * randomReal(&r); // quaternions are not unit
        for (int i = 0; i < 4 * m->nbody; i++) m->body_quat[i] *= 1.5;
        for (int k = 0; k < m->nv; k++) m->dof_armature[k] = 0.1 * (1 + randomReal(&r));
        if (t % 3 == 0) memset(m->jnt_pos, 0, sizeof(double) * 3 * (size_t)m->njnt);
        if (t % 5 == 0) m->opt.disableflags |= SN_DSBL_GRAVITY;
        compare(m, d);
        hasFour(m) ? fours++ : others++;
        sn_deleteData(d);
        sn_deleteModel(m);
    }
    assert_true(fours >= 5 && others >= 5);
}

// Bodies alone whose dofs are simple, a mocap body that carries one, fixed bodies, none that moves.
static void test_models(void** state)
{
    (void)state;
    static const char* const models[] = {
        "<mujoco><worldbody/></mujoco>",
        "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>",
        "<mujoco><worldbody><body pos='1 2 3'><freejoint/><geom type='box' size='.1 .2 .3'/></body>"
        "<body><joint type='slide'/><joint type='slide' axis='0 1 0'/><geom size='.1'/></body>"
        "</worldbody></mujoco>",
        "<mujoco><worldbody><body mocap='true' pos='1 2 3' quat='1 2 3 4'><body pos='0 1 0'>"
        "<joint axis='1 2 3' armature='2'/><geom size='.1' pos='1 0 0'/><body pos='0 0 1' euler='30 0 0'>"
        "<geom size='.1'/><body pos='.5 0 0'><joint type='ball' pos='.1 0 0'/><geom size='.2' pos='.1 0 0'/>"
        "</body></body></body></body></worldbody></mujoco>"};
    Random r = {99};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        snModel* m = load(models[i]);
        snData* d = sn_makeData(m);
        for (int k = 0; k < m->nq; k++) d->qpos[k] += 0.3 * randomReal(&r);
        for (int k = 0; k < m->nv; k++) d->qvel[k] = randomReal(&r), d->qacc[k] = randomReal(&r);
        for (int k = 0; k < 4 * m->nmocap; k++) d->mocap_quat[k] += 0.2 * randomReal(&r);
        compare(m, d);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// Without scratch nothing is written.
static void test_full_arena(void** state)
{
    (void)state;
    Random r = {7};
    snModel* m = randomTree(&r);
    m->narena = 256;
    snData* d = sn_makeData(m);
    assert_non_null(d);
    double *a = numbers(9 * m->nbody + m->nM), *b = numbers(9 * m->nbody + m->nM),
           *c = numbers(m->nLD + m->nv);
    assert_int_equal(sn_bodyPoses(m, d, d->qpos, a, b), SN_STATUS_NO_MEMORY);
    assert_int_equal(sn_inverseDynamics(m, d, d->qpos, d->qvel, d->qacc, a), SN_STATUS_NO_MEMORY);
    assert_int_equal(sn_massMatrix(m, d, d->qpos, a, b, c), SN_STATUS_NO_MEMORY);
    assert_true(a[0] == 12345 && b[0] == 12345 && c[0] == 12345);
    assert_int_equal(d->pstack, 0);
    free(a);
    free(b);
    free(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A program may write any number into jnt_type: a joint that is none has one coordinate, which moves nothing.
static void test_numbers_that_are_no_joint(void** state)
{
    (void)state;
    Random r = {11};
    snModel* m = randomTree(&r);
    snData* d = sn_makeData(m);
    assert_non_null(d);
    const int kinds[] = {-99999999, -1, 4, 49, 99999999};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int j = 0; j < m->njnt; j++) {
            const int kept = m->jnt_type[j];
            m->jnt_type[j] = kinds[k];
            double *a = numbers(9 * m->nbody + m->nM), *b = numbers(9 * m->nbody + m->nM),
                   *c = numbers(m->nLD + m->nv), *tau = numbers(m->nv);
            assert_int_equal(sn_inverseDynamics(m, d, d->qpos, d->qvel, d->qacc, tau), SN_STATUS_OK);
            assert_true(tau[m->jnt_dofadr[j]] == 0); // armature times no acceleration
            sn_bodyPoses(m, d, d->qpos, a, b);
            sn_massMatrix(m, d, d->qpos, a, b, c);
            release(a, 9 * m->nbody + m->nM);
            release(b, 9 * m->nbody + m->nM);
            release(c, m->nLD + m->nv);
            release(tau, m->nv);
            m->jnt_type[j] = kept;
        }
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trees), cmocka_unit_test(test_models),
                                       cmocka_unit_test(test_full_arena),
                                       cmocka_unit_test(test_numbers_that_are_no_joint)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
