// Cycles in mode velocity: differential inverse kinematics with levels, limits and frozen dofs.
#include "controller_case.h"
#include "arm_case.h"

static snController* kinematic(const snModel* m, double dt)
{
    snControllerSettings set;
    sn_defaultController(&set);
    set.mode = SN_CONTROL_VELOCITY;
    set.dt = dt;
    return controllerOf(m, &set);
}

static void advance(snController* c, snData* d)
{
    solve(c, d);
    assert_int_equal(sn_controllerApply(c, d), SN_OUTPUT_NONE);
    assert_memory_equal(d->qvel, c->x, (size_t)c->model->nv * sizeof(double));
    sn_integratePos(c->model, d->qpos, d->qvel, c->set.dt);
}

// One task: the shortest velocity that meets it.
static void test_shortest_velocity(void** state)
{
    (void)state;
    snModel* m = load(ONE_ARM);
    snData* d = sn_makeData(m);
    snController* c = kinematic(m, 0);
    Random r = {5};
    disturb(m, d, &r, .7, 0);
    snTask* hand = addSite(c, SN_TASK_POSE, "left_hand", 0);
    hand->vel[1] = .3;
    solve(c, d);
    double x[ARM_MOST];
    meet(m, d, hand, SN_CONTROL_VELOCITY, c->set.dt, x);
    for (int i = 0; i < m->nv; i++) near(c->qvel[i], x[i], 1e-9 * (1 + largest(x, m->nv)));
    assert_int_equal(c->result.freedom, 1);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// The hand comes to its reference; limits hold on the way, one dof is frozen.
static void test_reaches_within_limits(void** state)
{
    (void)state;
    snModel* m = load(ONE_ARM);
    snData *d = sn_makeData(m), *goal = sn_makeData(m);
    snController* c = kinematic(m, .01);
    snTask* hand = addSite(c, SN_TASK_POSITION, "left_hand", 1);
    for (int i = 0; i < m->nv; i++) {
        goal->qpos[i] = .3 + .1 * i;
        c->velocity_max[i] = 1;
        c->acceleration_max[i] = 10;
        c->qpos_upper[i] = -(c->qpos_lower[i] = -1.2);
    }
    goal->qpos[2] = 0;
    c->frozen[2] = 1;
    sn_kinematics(m, goal);
    memcpy(hand->pos, goal->site_xpos + 3 * hand->set.objid, sizeof(double[3]));
    for (int k = 0; k < 3; k++) hand->kp[k] = 5;
    double before[7] = {0};
    for (int k = 0; k < 300; k++) {
        advance(c, d);
        for (int i = 0; i < m->nv; i++) {
            assert_true(fabs(d->qvel[i]) <= 1 + 1e-9 && fabs(d->qpos[i]) <= 1.2 + 1e-9);
            assert_true(fabs(d->qvel[i] - before[i]) <= 10 * .01 + 1e-9);
            before[i] = d->qvel[i];
        }
    }
    near(d->qpos[2], 0, 0);
    near(largest(hand->error, 3), 0, 1e-6);
    sn_freeController(c);
    sn_deleteData(goal);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Levels: the second task gets what freedom the first leaves; a contact is held by the legs.
static void test_levels(void** state)
{
    (void)state;
    snModel* m = load(BIPED_MODEL(""));
    snData* d = sn_makeData(m);
    crouch(m, d);
    snController* c = kinematic(m, .005);
    snContactSettings left = soleOn(m, "left_foot"), right = soleOn(m, "right_foot");
    left.kp = right.kp = 10;
    addContact(c, &left);
    addContact(c, &right);
    snTask* com = addWhole(c, SN_TASK_COM, 1);
    snTask* hand = addSite(c, SN_TASK_POSITION, "left_hand", 2);
    for (int k = 0; k < 3; k++) com->kp[k] = hand->kp[k] = 10;
    sn_kinematics(m, d);
    sn_comPos(m, d);
    double feet[2][3];
    for (int k = 0; k < 2; k++) memcpy(feet[k], d->site_xpos + 3 * c->contact[k]->set.objid, sizeof feet[k]);
    memcpy(com->pos, d->subtree_com + 3, sizeof(double[3]));
    com->pos[0] += .02;
    com->pos[2] -= .03;
    memcpy(hand->pos, d->site_xpos + 3 * hand->set.objid, sizeof(double[3]));
    hand->pos[0] += .08;
    hand->pos[2] += .05;
    for (int k = 0; k < 400; k++) advance(c, d);
    sn_kinematics(m, d);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) near(d->site_xpos[3 * c->contact[k]->set.objid + i], feet[k][i], 1e-5);
    near(largest(com->error, 3), 0, 1e-6);
    near(largest(hand->error, 3), 0, 1e-6);
    assert_int_equal(c->nx, m->nv);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Geoms keep their distance, whatever the task below asks.
static void test_distance(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><geom name='wall' type='box' size='.1 1 1' pos='1 0 0'/>"
                      "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
                      "<geom name='ball' size='.1'/><site name='s'/></body></worldbody></mujoco>");
    snData* d = sn_makeData(m);
    snController* c = kinematic(m, .01);
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = SN_TASK_DISTANCE;
    s.objtype = s.reftype = SN_OBJ_GEOM;
    s.objid = idOf(m, SN_OBJ_GEOM, "ball");
    s.refid = idOf(m, SN_OBJ_GEOM, "wall");
    s.distance_min = .05;
    s.kp = 10;
    addTask(c, &s);
    snTask* ball = addSite(c, SN_TASK_POSITION, "s", 1);
    ball->pos[0] = 2;
    ball->pos[1] = .5;
    for (int k = 0; k < 3; k++) ball->kp[k] = 5;
    for (int k = 0; k < 400; k++) advance(c, d);
    near(d->qpos[0], .75, 1e-6);
    near(d->qpos[1], .5, 1e-6);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shortest_velocity),
        cmocka_unit_test(test_reaches_within_limits),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
