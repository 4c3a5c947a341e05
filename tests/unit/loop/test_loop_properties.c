// Counts of 8.10 on mechanisms whose mobility is known, and the warning of singular poses.
#include "model_text.h"
#include <math.h>
#include <stdio.h>

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.15g, not %.15g", a, b);
}

// Figure 8.2(a): a crank OA of length 1 about O turns by theta; P is the point of the ground where its tip is
// at theta = 0. Two arms join A and P, each of two links of one length, with a pin in the middle. Off theta =
// 0 all of it moves as one (r = 4). At theta = 0 tip and pivot coincide, and each arm turns about them, the
// crank being held (r = 3). Where both arms also lie along the crank, all may start to move (r = 2).
static snModel* loadArms(void)
{
    char text[4096], arms[2048];
    char *at = arms, *rockers = arms + 1024;
    static const double length[2] = {0.7, 0.9};
    for (int k = 0; k < 2; k++) {
        at += sprintf(at,
                      "<body pos='1 0 0'><joint axis='0 -1 0'/><geom size='.02' fromto='0 0 0 %g 0 0' "
                      "type='capsule'/><site name='c%d' pos='%g 0 0' euler='90 0 0'/></body>",
                      length[k], k, length[k]);
        rockers += sprintf(rockers,
                           "<body pos='1 0 0'><joint axis='0 -1 0'/><geom size='.02' fromto='0 0 0 %g 0 0' "
                           "type='capsule'/><site name='r%d' pos='%g 0 0' euler='90 0 0'/></body>",
                           length[k], k, length[k]);
    }
    snprintf(text, sizeof text,
             "<mujoco><option><flag contact='disable'/></option><custom>"
             "<text name='sinew_loop_one' data='revolute c0 r0'/>"
             "<text name='sinew_loop_two' data='revolute c1 r1'/></custom>"
             "<worldbody><body><joint axis='0 -1 0'/><geom size='.02' fromto='0 0 0 1 0 0' type='capsule'/>%s"
             "</body>%s</worldbody></mujoco>",
             arms, arms + 1024);
    return load(text);
}

// Crank at theta, not 0: both pins on the line that halves theta, beyond A and P or before them.
static void setArms(snData* d, double theta, const double* side)
{
    static const double length[2] = {0.7, 0.9};
    const double middle = cos(0.5 * theta), half = sin(0.5 * theta);
    d->qpos[0] = theta;
    for (int k = 0; k < 2; k++) {
        const double reach = middle + side[k] * sqrt(length[k] * length[k] - half * half);
        const double x = reach * cos(0.5 * theta), z = reach * sin(0.5 * theta);
        d->qpos[1 + k] = atan2(z - sin(theta), x - cos(theta)) - theta;
        d->qpos[3 + k] = atan2(z, x - 1);
    }
}

static snLoopProperties propertiesOf(const snModel* m, snData* d)
{
    snLoopProperties whole, own;
    sn_forward(m, d);
    near(d->loop_error, 0, 1e-14);
    assert_int_equal(d->ncluster, 1);
    assert_int_equal(sn_loopProperties(m, d, 0, &own), 1);
    assert_int_equal(sn_loopProperties(m, d, -1, &whole), 1);
    assert_memory_equal(&own, &whole, sizeof own); // all dofs are in the cluster
    return own;
}

static void test_variable_mobility(void** state)
{
    (void)state;
    snModel* m = loadArms();
    snData* d = sn_makeData(m);
    const double sides[2] = {1, -1};
    assert_int_equal(m->nv, 5);
    setArms(d, 0.8, sides);
    snLoopProperties p = propertiesOf(m, d);
    assert_int_equal(p.n, 5);
    assert_int_equal(p.nc, 10);
    assert_int_equal(p.r, 4);
    assert_int_equal(p.mobility, 1);
    assert_int_equal(p.redundancy, 6);
    assert_int_equal(p.nloop, 2);
    assert_int_equal(p.ntot, 7);
    assert_int_equal(p.gruebler, -5);
    assert_int_equal(p.mobility, p.gruebler + p.redundancy); // (8.55)
    assert_true(p.condition >= 1 && p.condition < 20);
    assert_int_equal(d->warning[SN_WARN_LOOPSINGULAR].number, 0);
    const double apart[5] = {0, 0.5, -0.8, 0.5, -0.8}, along[5] = {0};
    memcpy(d->qpos, apart, sizeof apart);
    p = propertiesOf(m, d);
    assert_int_equal(p.r, 3);
    assert_int_equal(p.mobility, 2);
    memcpy(d->qpos, along, sizeof along);
    p = propertiesOf(m, d);
    assert_int_equal(p.r, 2);
    assert_int_equal(p.mobility, 3);
    assert_int_equal(p.redundancy, 8);
    assert_int_equal(d->warning[SN_WARN_LOOPSINGULAR].number, 2);
    // each arm turns alone, the crank rests
    memcpy(d->qpos, apart, sizeof apart);
    memset(d->qacc_warmstart, 0, sizeof apart);
    const double speed[5] = {0, 1, -2, 1, -2};
    memcpy(d->qvel, speed, sizeof speed);
    m->opt.gravity[2] = 0;
    for (int k = 0; k < 100; k++) sn_step(m, d);
    near(d->qpos[0], 0, 1e-12);
    near(d->qpos[1], d->qpos[3], 1e-12);
    near(d->qpos[2], d->qpos[4], 1e-12);
    assert_true(d->qpos[1] > 0.55 && d->qpos[2] < -1);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// An overconstrained four-bar and a free body beside it, in two trees; a gear that is an equality.
static const char* const BESIDE =
    "<mujoco><custom><text name='sinew_loops' data='exact'/><text name='sinew_loop_pin' data='%s c "
    "r'/></custom>"
    "<worldbody><body pos='0 0 3'><freejoint/><geom size='.1'/></body>"
    "<body><joint axis='0 -1 0' ref='0'/><geom size='.02' fromto='0 0 0 0 0 .3' type='capsule'/>"
    "<body pos='0 0 .3'><joint axis='0 -1 0'/><geom size='.02' fromto='0 0 0 .5 0 0' type='capsule'/>"
    "<site name='c' pos='.5 0 0' euler='90 0 0'/></body></body>"
    "<body pos='.5 0 0'><joint axis='0 -1 0'/><geom size='.02' fromto='0 0 0 0 0 .3' type='capsule'/>"
    "<site name='r' pos='0 0 .3' euler='90 0 0'/></body>"
    "<body pos='0 3 0'><joint name='a' axis='0 1 0'/><geom size='.1'/></body>"
    "<body pos='0 4 0'><joint name='b' axis='0 1 0'/><geom size='.1'/></body></worldbody>"
    "<equality><joint joint1='a' joint2='b' polycoef='0 2 0 0 0'/></equality></mujoco>";

static void test_counts(void** state)
{
    (void)state;
    static const struct {
        const char* type;
        int nc;
    } kinds[] = {{"revolute", 5}, {"spherical", 3}, {"sphere-in-cylinder", 2}};
    for (int k = 0; k < 3; k++) {
        char text[4096];
        snLoopProperties p;
        snprintf(text, sizeof text, BESIDE, kinds[k].type);
        snModel* m = load(text);
        snData* d = sn_makeData(m);
        sn_forward(m, d);
        assert_int_equal(d->ncluster, 2);
        assert_int_equal(sn_loopProperties(m, d, 0, &p), 1);
        assert_int_equal(p.n, 3);
        assert_int_equal(p.nc, kinds[k].nc);
        assert_int_equal(p.r, 2);
        assert_int_equal(p.mobility, 1);
        assert_int_equal(p.redundancy, kinds[k].nc - 2);
        assert_int_equal(p.ntot, 3 + 6 - kinds[k].nc);
        assert_int_equal(p.gruebler, p.ntot - 6);
        near(p.error, 0, 1e-15);
        const double condition = p.condition;
        assert_int_equal(sn_loopProperties(m, d, 1, &p), 1); // the gear
        assert_int_equal(p.n, 2);
        assert_int_equal(p.nc, 1);
        assert_int_equal(p.nloop, 0);
        assert_int_equal(p.ntot, 1);
        assert_int_equal(p.mobility, 1);
        assert_int_equal(p.gruebler, 1);
        near(p.condition, 1, 0);
        d->qpos[m->jnt_qposadr[4]] += 0.25;
        sn_forward(m, d);
        assert_int_equal(sn_loopProperties(m, d, -1, &p), 1);
        assert_int_equal(p.n, 11);
        assert_int_equal(p.mobility, sn_loopMobility(m, d));
        assert_int_equal(p.mobility, 8);
        assert_int_equal(p.gruebler, 11 - kinds[k].nc - 1);
        near(p.error, 0.25, 1e-15);
        near(p.condition, condition, 0);
        // no such cluster
        assert_int_equal(sn_loopProperties(m, d, 2, &p), 0);
        assert_int_equal(sn_loopProperties(m, d, -2, &p), 0);
        assert_int_equal(p.n, 0);
        // without loops the mobility is that of the tree
        m->opt.disableflags |= SN_DSBL_EQUALITY;
        sn_forward(m, d);
        assert_int_equal(sn_loopProperties(m, d, -1, &p), 1);
        assert_true(p.n == 11 && p.mobility == 11 && p.nc == 0 && p.gruebler == 11 && p.condition == 1);
        assert_int_equal(sn_loopProperties(m, d, 0, &p), 0);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// A parallelogram is singular where it is flat: its condition grows on the way there, the warning is of the
// loop that is at it, and a cluster that never had more rank warns of nothing.
static void test_singular_pose(void** state)
{
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, BESIDE, "revolute");
    snModel* m = load(text);
    snData* d = sn_makeData(m);
    const int crank = m->jnt_qposadr[1];
    const double flat = 1.5707963267948966;
    double last = 0;
    const double angles[] = {0, 0.5, 1, 1.4, 1.5, 1.57, 1.5707, 1.57078};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        snLoopProperties p;
        d->qpos[crank] = d->qpos[crank + 2] = -angles[k];
        d->qpos[crank + 1] = angles[k];
        sn_forward(m, d);
        sn_loopProperties(m, d, 0, &p);
        near(p.error, 0, 1e-15);
        assert_true(p.r == 2 && p.condition >= last);
        last = p.condition;
    }
    assert_true(last > 2e4);
    assert_int_equal(d->warning[SN_WARN_LOOPSINGULAR].number, 0);
    d->qpos[crank] = d->qpos[crank + 2] = -flat;
    d->qpos[crank + 1] = flat;
    sn_forward(m, d);
    assert_int_equal(d->warning[SN_WARN_LOOPSINGULAR].number, 1);
    assert_int_equal(d->warning[SN_WARN_LOOPSINGULAR].lastinfo, 0);
    // forgotten after a reset, and when the loops are others
    snData* other = sn_makeData(m);
    memcpy(other->qpos, d->qpos, (size_t)m->nq * sizeof(double));
    sn_forward(m, other);
    assert_int_equal(other->warning[SN_WARN_LOOPSINGULAR].number, 0);
    assert_memory_equal(other->qacc, d->qacc, (size_t)m->nv * sizeof(double)); // and no result hangs on it
    sn_deleteData(other);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Two welds of one cluster, of which one goes: other loops, no singular pose. The lower rank of a cluster is
// told though another cluster has come.
static void test_loops_that_change(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><custom><text name='sinew_loops' data='exact'/></custom><worldbody>"
                      "<body name='a'><freejoint/><geom size='.1'/></body>"
                      "<body name='b' pos='1 0 0'><freejoint/><geom size='.1'/></body>"
                      "<body name='c' pos='2 0 0'><freejoint/><geom size='.1'/></body></worldbody><equality>"
                      "<connect body1='a' body2='b' anchor='0 0 0'/><weld body1='b' body2='a'/>"
                      "<connect body1='c' anchor='0 0 0' active='false'/></equality></mujoco>");
    snData* d = sn_makeData(m);
    sn_forward(m, d);
    assert_true(d->ncluster == 1 && d->cluster_rank[0] == 6 && d->cluster_rownum[0] == 9);
    d->eq_active[1] = 0;
    d->eq_active[2] = 1;
    sn_forward(m, d);
    assert_true(d->ncluster == 2 && d->cluster_rank[0] == 3 && d->cluster_rank[1] == 3);
    assert_int_equal(d->warning[SN_WARN_LOOPSINGULAR].number, 0);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variable_mobility),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_singular_pose),
        cmocka_unit_test(test_loops_that_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
