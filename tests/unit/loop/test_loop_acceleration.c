// Accelerations of closed loops against figures that others found, and against the equations themselves.
#include "model_text.h"
#include <math.h>
#include <stdio.h>
#include "loop/acceleration.h"
#include "model/arena.h"

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.15g, not %.15g", a, b);
}

static const char* const FOUR_BAR =
    "<mujoco><option gravity='0 0 -9.81'/><custom><text name='sinew_loop_tip' data='%s c "
    "r'/></custom><worldbody>"
    "<body><joint axis='0 1 0'/><inertial pos='.15 0 0' mass='.6' diaginertia='.0045 .0045 .0045'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0'/>"
    "<inertial pos='.275 0 0' mass='1.1' diaginertia='.027729166666666666 .027729166666666666 "
    ".027729166666666666'/>"
    "<site name='c' pos='.55 0 0' euler='90 0 0'/></body></body>"
    "<body pos='.5 0 0'><joint axis='0 1 0'/>"
    "<inertial pos='.2 0 0' mass='.8' diaginertia='.010666666666666666 .010666666666666666 "
    ".010666666666666666'/>"
    "<site name='r' pos='.4 0 0' euler='90 0 0'/></body>"
    "</worldbody></mujoco>";

static void accelerate(const char* type, const double q[3], const double v[3], const double expected[3],
                       int rank)
{
    char text[4096];
    snprintf(text, sizeof text, FOUR_BAR, type);
    snModel* m = load(text);
    snData* d = sn_makeData(m);
    double qacc[3];
    for (int i = 0; i < 3; i++) {
        d->qpos[i] = -q[i]; // positive turns x to z, ours about y turn z to x
        d->qvel[i] = -v[i];
    }
    sn_forward(m, d);
    const size_t mark = sn_scratchMark(d);
    snLoopSystem s;
    assert_true(sn_loopSystem(m, d, &s));
    assert_int_equal(s.ncluster, 1);
    assert_int_equal(s.cluster[0].rank, rank);
    for (int r = 0; r < s.cluster[0].nrow; r++) {
        near(s.cluster[0].delta[r], 0, 1e-14);
        near(s.cluster[0].speed[r], 0, 1e-14);
    }
    assert_true(sn_loopAccelerationY(m, d, &s, d->qM, d->qfrc_smooth, qacc));
    for (int i = 0; i < 3; i++) near(-qacc[i], expected[i], 1e-11);
    sn_scratchRelease(d, mark);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_four_bar(void** state)
{
    (void)state;
    static const char* const TYPES[] = {"revolute", "spherical", "sphere-in-cylinder", "cylindrical"};
    const double q[3] = {1.2, -1.0342949058371855, 1.183232582669018}, rest[3] = {0};
    const double v[3] = {0.2739233746429086, -0.2709789517430515, 0.2075410649139025};
    const double from_rest[3] = {-13.851627927482394, 13.702735739938534, -10.494838619042513};
    const double moving[3] = {-13.856596275219731, 13.718934517550986, -10.491383521814903};
    for (int t = 0; t < 4; t++) {
        accelerate(TYPES[t], q, rest, from_rest, 2);
        accelerate(TYPES[t], q, v, moving, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_four_bar)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
