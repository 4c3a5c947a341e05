// Tasks near and beyond the end of their reach: the step to the nearest point, what contacts take of it, what
// is told, memory.
#include "controller_case.h"
#include "base/memory.h"

#define TWO_LINKS                                                                                            \
    "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.03' mass='1' pos='.2 0 0'/>"                 \
    "<body pos='.4 0 0'><joint axis='0 1 0'/><geom size='.03' mass='1' pos='.2 0 0'/>"                       \
    "<site name='tip' pos='.35 0 0'/></body></body></worldbody></mujoco>"

static const double UPPER = .4, FORE = .35;

static snController* kinematic(const snModel* m, double dt, double singular)
{
    snControllerSettings set;
    sn_defaultController(&set);
    set.mode = SN_CONTROL_VELOCITY;
    set.dt = dt;
    if (singular >= 0) set.singular = singular;
    return controllerOf(m, &set);
}

// The tip on the x axis, the elbow bent by an angle.
static void bend(snData* d, double elbow)
{
    d->qpos[0] = -atan2(FORE * sin(elbow), UPPER + FORE * cos(elbow));
    d->qpos[1] = elbow;
}

// The elbow goes straight at the rate kp, and rests a little before; the tip stays
// on the line. Its way along itself is -h a^2 / 2 of unit steps (-FORE, UPPER + FORE) / norm.
static void test_goes_straight_at_the_rate_of_its_gain(void** state)
{
    (void)state;
    snModel* m = load(TWO_LINKS);
    snData* d = sn_makeData(m);
    snController* c = kinematic(m, .001, -1);
    snTask* tip = addSite(c, SN_TASK_POSITION, "tip", 1);
    const double kp = tip->kp[0] = tip->kp[1] = tip->kp[2] = 8, reach = UPPER + FORE;
    const double square = 1 + reach * reach / (FORE * FORE), h = UPPER * reach / FORE / square;
    const double rest = 2e-3 * hypot(reach, 0) / h * reach / FORE / sqrt(square); // of the elbow
    for (double beyond = 1e-3; beyond < .02; beyond *= 2)
        for (double elbow = -.02; elbow < .03; elbow += .01) {
            if (fabs(elbow) < 1e-9) continue;
            bend(d, elbow);
            tip->pos[0] = reach + beyond;
            solve(c, d);
            near(c->qvel[1], -kp * (elbow - copysign(rest, elbow)), .05 * kp * fabs(elbow));
            assert_true(tip->out_of_reach);
            near(tip->beyond[0], beyond, 1e-5 + 1e-4 * beyond);
            near(tip->beyond[1], 0, 1e-12);
        }
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Inwards an arm that is all but straight bends, as far in one second's way as the target is in.
static void test_bends_for_what_is_inside(void** state)
{
    (void)state;
    snModel* m = load(TWO_LINKS);
    snData* d = sn_makeData(m);
    snController* c = kinematic(m, .001, -1);
    snTask* tip = addSite(c, SN_TASK_POSITION, "tip", 1);
    tip->kp[0] = tip->kp[1] = tip->kp[2] = 1;
    const double inside = 1e-3, elbow = acos((pow(UPPER + FORE - inside, 2) - UPPER * UPPER - FORE * FORE) /
                                             (2 * UPPER * FORE));
    for (int side = -1; side <= 1; side += 2) {
        bend(d, side * 1e-4);
        tip->pos[0] = UPPER + FORE - inside;
        solve(c, d);
        near(c->qvel[1], side * elbow, .01 * elbow);
        assert_false(tip->out_of_reach);
    }
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Where no direction is small the bits are those without; where one is they are not.
static void test_regular_bits(void** state)
{
    (void)state;
    snModel* m = load(TWO_LINKS);
    snData* d = sn_makeData(m);
    snController *with = kinematic(m, .001, -1), *without = kinematic(m, .001, 0);
    snTask* tip[] = {addSite(with, SN_TASK_POSITION, "tip", 1), addSite(without, SN_TASK_POSITION, "tip", 1)};
    for (double elbow = .5; elbow < 2.5; elbow += .1) {
        bend(d, elbow);
        for (int k = 0; k < 2; k++) tip[k]->pos[0] = .5;
        solve(with, d);
        solve(without, d);
        assert_memory_equal(with->x, without->x, sizeof(double[2]));
        assert_int_equal(with->result.passes, without->result.passes);
    }
    bend(d, .01);
    solve(with, d);
    solve(without, d);
    assert_true(fabs(without->x[1]) > 10 * fabs(with->x[1]));
    sn_freeController(with);
    sn_freeController(without);
    sn_deleteData(d);
    sn_deleteModel(m);
}

#ifdef SN_TEST_HOOKS
static int refuse(size_t size, void* user)
{
    (void)size;
    ++*(int*)user;
    return 0;
}

static void test_allocates_nothing(void** state)
{
    (void)state;
    snModel* m = load(TWO_LINKS);
    snData* d = sn_makeData(m);
    snController* c = controllerOf(m, NULL);
    snTask* tip = addSite(c, SN_TASK_POSITION, "tip", 1);
    addWhole(c, SN_TASK_POSTURE, 2);
    bend(d, 1);
    solve(c, d);
    bend(d, .01);
    tip->pos[0] = 1;
    int calls = 0;
    sn_setAllocHook(refuse, &calls);
    solve(c, d);
    sn_setAllocHook(NULL, NULL);
    assert_int_equal(calls, 0);
    assert_true(tip->out_of_reach);
    sn_freeController(c);
    sn_deleteData(d);
    sn_deleteModel(m);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_straight_at_the_rate_of_its_gain),
        cmocka_unit_test(test_bends_for_what_is_inside),
        cmocka_unit_test(test_regular_bits),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(test_allocates_nothing),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
