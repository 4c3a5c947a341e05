// Accelerations of closed loops against figures that others found, and against the equations themselves.
#include "model_text.h"
#include <math.h>
#include <stdio.h>
#include <sinew/loop.h>
#include "four_bar.h"
#include "math/spatial.h"

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.15g, not %.15g", a, b);
}

static void accelerate(const char* type, int solution, const double q[3], const double v[3],
                       const double expected[3], const double force[2])
{
    char text[4096];
    snprintf(text, sizeof text, FOUR_BAR, type);
    snModel* m = load(text);
    snData* d = sn_makeData(m);
    m->opt.loop_solution = solution;
    for (int i = 0; i < 3; i++) {
        d->qpos[i] = -q[i]; // positive turns x to z, ours about y turn z to x
        d->qvel[i] = -v[i];
    }
    sn_forward(m, d);
    assert_int_equal(d->nclosure, 1);
    assert_int_equal(d->ncluster, 1);
    assert_int_equal(d->cluster_rank[0], 2);
    assert_int_equal(sn_loopMobility(m, d), 1);
    for (int r = 0; r < d->nlooprow; r++) {
        near(d->loop_delta[r], 0, 1e-14);
        near(d->loop_speed[r], 0, 1e-14);
    }
    for (int i = 0; i < 3; i++) near(-d->qacc[i], expected[i], 2e-11);
    double spatial[6], world[3];
    sn_loopForceOf(m, d, 0, spatial);
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * m->loop_siteid[1]);
    sn_v3Store(world, sn_m3Mul(R, sn_v3Load(spatial + 3)));
    for (int k = 0; k < 2 && force; k++) near(world[2 * k], force[k], 1e-11);
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
    const double force[2] = {-2.253076799980566, -4.557431979053805};
    for (int t = 0; t < 4; t++)
        for (int solution = 1; solution <= 3; solution++) {
            accelerate(TYPES[t], solution, q, rest, from_rest, force);
            accelerate(TYPES[t], solution, q, v, moving, NULL);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_four_bar)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
