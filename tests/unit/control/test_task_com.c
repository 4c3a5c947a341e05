// Centre of mass: rows against the engine's Jacobian and against differences, and the error that they make
// decay as asked, on random trees of all joint types, subtrees of several trees and of one.
#include "task_case.h"

static snTaskSettings comSettings(int body)
{
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = SN_TASK_COM;
    s.objid = body;
    s.kp = 30;
    s.kd = 4;
    return s;
}

static void openCom(TaskCase* c, Random* r, int body)
{
    const snTaskSettings s = comSettings(body);
    openCase(c, randomTree(r), &s, r);
    randomNumbers(r, c->t->pos, 3);
    randomNumbers(r, c->t->vel, 3);
    randomNumbers(r, c->t->acc, 3);
}

static bool moves(const TaskCase* c)
{
    for (int i = 0; i < c->m->nv; i++)
        if (c->A[i] != 0) return true;
    return false;
}

static void position(const TaskCase* c, const snData* d, double* out)
{
    const Whole w = wholeOf(c->m, d, c->t->set.objid);
    memcpy(out, w.pos, sizeof w.pos);
}

static void velocity(const TaskCase* c, const snData* d, double* out)
{
    const Whole w = wholeOf(c->m, d, c->t->set.objid);
    for (int i = 0; i < 3; i++) out[i] = w.momentum[i] / w.mass;
}

// Velocity mode: A qvel is the rate of the centre, and the engine's Jacobian.
static void testJacobian(void** state)
{
    (void)state;
    Random r = {11};
    for (int round = 0; round < 100; round++) {
        TaskCase c;
        double rate[3], found[3], J[3 * MOST_COLUMNS];
        openCom(&c, &r, round % TREE_BODIES);
        rowsOf(&c, SN_CONTROL_VELOCITY);
        assert_int_equal(c.rows, 3);
        timesRows(&c, c.d->qvel, found);
        rateAlong(&c, position, 3, rate);
        assertNear(found, rate, 3, 1e-10);
        sn_jacSubtreeCom(c.m, c.d, J, c.t->set.objid);
        // the engine's has what is fixed to the world in the world's subtree
        const double share = c.m->body_subtreemass[c.t->set.objid] / wholeOf(c.m, c.d, c.t->set.objid).mass;
        for (int k = 0; k < 3 * c.m->nv; k++) J[k] *= share;
        for (int i = 0; i < 3; i++) assertNear(c.A + i * c.columns, J + i * c.m->nv, c.m->nv, 1e-13);
        for (int i = 0; i < 3; i++) {
            const double e = c.t->pos[i] - wholeOf(c.m, c.d, c.t->set.objid).pos[i];
            assert_true(fabs(c.t->error[i] - e) < 1e-14);
            assert_true(fabs(c.lower[i] - c.t->vel[i] - 30 * e) < 1e-12 && c.upper[i] == c.lower[i]);
        }
        closeCase(&c);
    }
}

// Acceleration mode: with the rows met e'' + kd e' + kp e = 0, e = reference - centre.
static void testErrorDecays(void** state)
{
    (void)state;
    Random r = {12};
    int count = 0;
    for (int round = 0; round < 100; round++) {
        TaskCase c;
        double acceleration[3], found[3];
        openCom(&c, &r, round % TREE_BODIES);
        rowsOf(&c, SN_CONTROL_ACCELERATION);
        if (c.t->set.objid < 2 && moves(&c)) { // three rows of full rank: a free body is in it
            meetRows(&c, c.d->qacc);
            rateAlong(&c, velocity, 3, acceleration);
            velocity(&c, c.d, found);
            for (int i = 0; i < 3; i++) {
                const double e = c.t->pos[i] - wholeOf(c.m, c.d, c.t->set.objid).pos[i];
                found[i] = c.t->acc[i] + 4 * (c.t->vel[i] - found[i]) + 30 * e;
            }
            assertNear(acceleration, found, 3, 1e-9);
            count++;
        }
        closeCase(&c);
    }
    assert_true(count > 10);
}

// A qacc less what the rows are to be, with gains and reference 0, is the acceleration of any motion.
static void testDrift(void** state)
{
    (void)state;
    Random r = {13};
    for (int round = 0; round < 100; round++) {
        TaskCase c;
        double acceleration[3], found[3];
        openCom(&c, &r, round % TREE_BODIES);
        for (int i = 0; i < 3; i++) c.t->kp[i] = c.t->kd[i] = c.t->acc[i] = 0;
        rowsOf(&c, SN_CONTROL_ACCELERATION);
        timesRows(&c, c.d->qacc, found);
        for (int i = 0; i < 3; i++) found[i] -= c.lower[i];
        rateAlong(&c, velocity, 3, acceleration);
        assertNear(found, acceleration, 3, 1e-9);
        closeCase(&c);
    }
}

// What is fixed to the world is not of "all that moves", though the world's subtree has it; nothing that
// moves: rows of 0.
static void testFixedBodies(void** state)
{
    (void)state;
    const char* text =
        "<mujoco><worldbody><body pos='5 0 0'><geom size='1' mass='9'/></body><body pos='0 0 1'>"
        "<freejoint/><geom size='.1' mass='2'/></body></worldbody></mujoco>";
    Random r = {14};
    TaskCase c;
    const snTaskSettings s = comSettings(0);
    openCase(&c, load(text), &s, &r);
    assert_true(fabs(c.t->pos[2] - 1) < 1e-15 && c.t->pos[0] == 0); // the reference starts at qpos0
    rowsOf(&c, SN_CONTROL_VELOCITY);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(c.A[i * c.columns + i] - 1) < 1e-15);
        assert_true(fabs(c.t->pos[i] - c.t->error[i] - c.d->qpos[i]) < 1e-15);
    }
    closeCase(&c);
    openCase(&c, load("<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>"), &s, &r);
    rowsOf(&c, SN_CONTROL_ACCELERATION);
    assert_true(c.rows == 3 && isfinite(c.lower[0]));
    closeCase(&c);
}

static void testAxes(void** state)
{
    (void)state;
    Random r = {15};
    snTaskSettings s = comSettings(1);
    TaskCase c;
    s.axes = 5; // x and z
    s.weight = 3;
    openCase(&c, randomTree(&r), &s, &r);
    double J[3 * MOST_COLUMNS];
    rowsOf(&c, SN_CONTROL_VELOCITY);
    assert_int_equal(c.rows, 2);
    sn_jacSubtreeCom(c.m, c.d, J, 1);
    assertNear(c.A + c.columns, J + 2 * c.m->nv, c.m->nv, 1e-13);
    assert_true(c.weight[1] == 3);
    closeCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testJacobian),    cmocka_unit_test(testErrorDecays), cmocka_unit_test(testDrift),
        cmocka_unit_test(testFixedBodies), cmocka_unit_test(testAxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
