// Posture and joint velocities: rows of the identity, errors on quaternions, dofs selected.
#include "task_case.h"

static void openPosture(TaskCase* c, Random* r, int type, const int* dof, int ndof)
{
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = type;
    s.dof = dof;
    s.ndof = ndof;
    s.kp = 9;
    openCase(c, randomTree(r), &s, r);
    for (int i = 0; i < c->t->npos; i++) c->t->pos[i] = randomReal(r);
    randomNumbers(r, c->t->vel, c->t->nvel);
    randomNumbers(r, c->t->acc, c->t->nvel);
}

static void assertIdentity(const TaskCase* c)
{
    for (int i = 0; i < c->rows; i++)
        for (int k = 0; k < c->columns; k++)
            assert_true(c->A[i * c->columns + k] == (k == c->t->set.dof[i] ? 1 : 0));
}

// The error is the engine's tangent; bounds as the formulas have them, kd = 2 sqrt(kp).
static void testPosture(void** state)
{
    (void)state;
    Random r = {41};
    for (int round = 0; round < 50; round++) {
        TaskCase c;
        double e[MOST_COLUMNS];
        openPosture(&c, &r, SN_TASK_POSTURE, NULL, 0);
        sn_normalizeQuat(c.m, c.t->pos);
        sn_differentiatePos(c.m, e, 1, c.d->qpos, c.t->pos);
        for (int mode = SN_CONTROL_VELOCITY; mode <= SN_CONTROL_ACCELERATION; mode++) {
            rowsOf(&c, mode);
            assertIdentity(&c);
            int count = 0;
            for (int i = 0; i < c.rows; i++) {
                const int k = c.t->set.dof[i];
                const double goal = mode == SN_CONTROL_VELOCITY
                                        ? c.t->vel[k] + 9 * e[k]
                                        : c.t->acc[k] + 6 * (c.t->vel[k] - c.d->qvel[k]) + 9 * e[k];
                assert_true(c.t->error[i] == e[k] && fabs(c.lower[i] - goal) < 1e-12);
                assert_true(c.upper[i] == c.lower[i]);
            }
            for (int k = 0; k < c.m->nv; k++) count += c.m->jnt_type[c.m->dof_jntid[k]] != SN_JNT_FREE;
            assert_int_equal(c.rows, count);
        }
        closeCase(&c);
    }
}

// A step of 1/kp with the velocity asked for ends at the reference, on quaternions, too.
static void testReachesReference(void** state)
{
    (void)state;
    Random r = {42};
    for (int round = 0; round < 50; round++) {
        TaskCase c;
        double v[MOST_COLUMNS] = {0}, e[MOST_COLUMNS];
        openPosture(&c, &r, SN_TASK_POSTURE, NULL, 0);
        sn_normalizeQuat(c.m, c.t->pos);
        memset(c.t->vel, 0, (size_t)c.m->nv * sizeof(double));
        rowsOf(&c, SN_CONTROL_VELOCITY);
        for (int i = 0; i < c.rows; i++) v[c.t->set.dof[i]] = c.lower[i];
        sn_integratePos(c.m, c.d->qpos, v, 1. / 9);
        sn_differentiatePos(c.m, e, 1, c.d->qpos, c.t->pos);
        for (int i = 0; i < c.rows; i++) assert_true(fabs(e[c.t->set.dof[i]]) < 1e-14);
        closeCase(&c);
    }
}

static const char* const CHAIN =
    "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1'/><body pos='1 0 0'><joint type='ball'/>"
    "<geom size='.1'/><body pos='1 0 0'><joint type='slide'/><geom size='.1'/></body></body></body>"
    "</worldbody></mujoco>";

// Dofs in the order in which they are given; a reference that is no unit quaternion.
static void testSelection(void** state)
{
    (void)state;
    Random r = {43};
    TaskCase c;
    snTaskSettings s;
    const int dof[] = {4, 2, 0};
    sn_defaultTask(&s);
    s.type = SN_TASK_POSTURE;
    s.dof = dof;
    s.ndof = 3;
    openCase(&c, load(CHAIN), &s, &r);
    rowsOf(&c, SN_CONTROL_ACCELERATION);
    assert_int_equal(c.rows, 3);
    assertIdentity(&c);
    assert_true(c.t->error[2] == c.t->pos[0] - c.d->qpos[0]);
    const double before = c.t->error[1];
    for (int i = 1; i < 5; i++) c.t->pos[i] *= 7;
    rowsOf(&c, SN_CONTROL_ACCELERATION);
    assert_true(fabs(c.t->error[1] - before) < 1e-15);
    for (int i = 1; i < 5; i++) c.t->pos[i] = 0;
    rowsOf(&c, SN_CONTROL_ACCELERATION);
    assert_true(isfinite(c.t->error[1]) && isfinite(c.lower[1]));
    closeCase(&c);
}

static void testJointVelocity(void** state)
{
    (void)state;
    Random r = {44};
    TaskCase c;
    openPosture(&c, &r, SN_TASK_JOINT_VELOCITY, NULL, 0);
    for (int mode = SN_CONTROL_VELOCITY; mode <= SN_CONTROL_ACCELERATION; mode++) {
        rowsOf(&c, mode);
        assertIdentity(&c);
        for (int i = 0; i < c.rows; i++) {
            const int k = c.t->set.dof[i];
            const double e = c.t->vel[k] - c.d->qvel[k];
            assert_true(c.t->error[i] == e && c.lower[i] == c.upper[i]);
            assert_true(fabs(c.lower[i] - (mode == SN_CONTROL_VELOCITY ? c.t->vel[k] : c.t->acc[k] + 9 * e)) <
                        1e-14);
        }
    }
    closeCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPosture),
        cmocka_unit_test(testReachesReference),
        cmocka_unit_test(testSelection),
        cmocka_unit_test(testJointVelocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
