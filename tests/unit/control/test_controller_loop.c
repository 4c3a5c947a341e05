// Closed loops in a cycle of control: exact ones, and equalities that the engine holds softly.
#include "controller_case.h"
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include <stdio.h>
#include "loop/four_bar.h"

// Motor on the crank alone, which drives the coupler's tip along x.
static snController* driven(const snModel* m)
{
    snController* c = controllerOf(m, NULL);
    c->actuated[1] = c->actuated[2] = 0;
    snTask* tip = addSite(c, SN_TASK_POSITION, "c", 1);
    tip->acc[0] = 3;
    for (int k = 0; k < 3; k++) tip->kp[k] = tip->kd[k] = 0;
    return c;
}

static void pose(snData* d)
{
    const double q[3] = {-1.2, 1.0342949058371855, -1.183232582669018};
    const double v[3] = {-.2739233746429086, .2709789517430515, -.2075410649139025};
    memcpy(d->qpos, q, sizeof q);
    memcpy(d->qvel, v, sizeof v);
}

// One freedom for a task of three rows: least squares of them.
static void test_exact_loop(void** state)
{
    (void)state;
    static const char* const TYPE[] = {"revolute", "spherical", "sphere-in-cylinder"};
    for (int t = 0; t < 3; t++) {
        char text[4096];
        snprintf(text, sizeof text, FOUR_BAR, TYPE[t]);
        snModel* m = load(text);
        m->opt.integrator = SN_INT_RK4;
        snData* d = sn_makeData(m);
        snController* c = driven(m);
        pose(d);
        solve(c, d);
        assert_int_equal(c->infeasible, -1);
        assert_int_equal(c->rank[0], 4); // two of dynamics, two of the loop
        assert_int_equal(c->rank[1], 1);
        near(c->tau[1], 0, 0);
        near(c->tau[2], 0, 0);
        movesAsPlanned(c, d, 1e-9);
        sn_freeController(c);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// What the rest of the equations of motion leaves is the force of the rows, and the rows have what they aim
// for.
static void test_soft_equality_is_taken_as_rigid(void** state)
{
    (void)state;
    snModel* m =
        load("<mujoco><option integrator='RK4'/><worldbody><site name='g' pos='.5 0 .2'/>"
             "<body name='a'><joint axis='0 1 0'/><geom size='.05' mass='1' pos='.2 0 0'/>"
             "<body name='b' pos='.4 0 0'><joint axis='0 1 0'/><geom size='.05' mass='1' pos='0 0 .1'/>"
             "<body name='t' pos='0 0 .4'><joint axis='0 1 0'/><geom size='.05' mass='.5'/>"
             "<site name='c' pos='0 0 .1'/></body></body></body></worldbody>"
             "<equality><connect body1='b' body2='world' anchor='0 0 .3'/></equality></mujoco>");
    snData* d = sn_makeData(m);
    snController* c = controllerOf(m, NULL);
    c->actuated[1] = 0;
    snTask* tip = addSite(c, SN_TASK_POSITION, "c", 1);
    tip->acc[2] = 1;
    d->qpos[2] = .2;
    d->qvel[2] = 1;
    solve(c, d);
    assert_int_equal(d->ne, 3);
    assert_int_equal(c->infeasible, -1);
    assert_int_equal(c->nx, m->nv + 3);
    double K[9], Ma[3];
    sn_efcJ(m, d, K);
    sn_mulM(m, d, Ma, c->qacc);
    for (int r = 0; r < 3; r++) {
        double sum = 0;
        for (int j = 0; j < 3; j++) sum += K[3 * r + j] * c->qacc[j];
        near(sum, d->efc_aref[r], 1e-9);
    }
    for (int i = 0; i < 3; i++) {
        double force = 0;
        for (int r = 0; r < 3; r++) force += K[3 * r + i] * c->x[3 + r];
        near(Ma[i] + d->qfrc_bias[i] - d->qfrc_passive[i] - force, c->tau[i], 1e-9);
    }
    near(c->tau[1], 0, 0);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Positions follow velocities that keep the loop shut, and close what is open.
static void test_loop_in_mode_velocity(void** state)
{
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, FOUR_BAR, "revolute");
    snModel* m = load(text);
    snData* d = sn_makeData(m);
    snControllerSettings set;
    sn_defaultController(&set);
    set.mode = SN_CONTROL_VELOCITY;
    set.dt = 1e-3;
    snController* c = controllerOf(m, &set);
    snTask* tip = addSite(c, SN_TASK_POSITION, "c", 1);
    tip->vel[0] = .1;
    for (int k = 0; k < 3; k++) tip->kp[k] = 0;
    pose(d);
    d->qpos[2] += 1e-3;
    for (int k = 0; k < 1000; k++) {
        solve(c, d);
        assert_int_equal(sn_controllerApply(c, d), SN_OUTPUT_NONE);
        sn_integratePos(m, d->qpos, d->qvel, set.dt);
    }
    solve(c, d);
    assert_true(largest(d->loop_delta, d->nlooprow) < 1e-5);
    assert_int_equal(c->nx, 3);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_loop),
        cmocka_unit_test(test_soft_equality_is_taken_as_rigid),
        cmocka_unit_test(test_loop_in_mode_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
