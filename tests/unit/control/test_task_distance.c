// Distance: rates and accelerations against differences of the engine's distance on all pairs of shapes, and
// geoms that are driven against each other and stay apart.
#include "task_case.h"

static const char* const SHAPES[] = {
    "type='sphere' size='.1'",       "type='capsule' size='.08 .15'", "type='ellipsoid' size='.1 .15 .2'",
    "type='cylinder' size='.1 .12'", "type='box' size='.1 .15 .08'",  "type='mesh' mesh='tetrahedron'",
    "type='plane' size='1 1 1'",
};
enum { CYLINDER = 3, PLANE = 6, NSHAPE };

static void openPair(TaskCase* c, Random* r, const char* first, const char* second, double most)
{
    char text[1600];
    const bool fixed = strstr(first, "plane") != NULL;
    snprintf(text, sizeof text,
             "<mujoco><asset><mesh name='tetrahedron' vertex='0 0 0 .2 0 0 0 .3 0 0 0 .25'/></asset>"
             "<worldbody><body pos='0 0 0'>%s<geom %s/></body><body><freejoint/><geom pos='.02 .01 .03' "
             "euler='20 30 50' %s/><geom size='.01' mass='.1'/></body></worldbody></mujoco>",
             fixed ? "" : "<freejoint/><geom size='.01' mass='.1'/>", first, second);
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = SN_TASK_DISTANCE;
    s.objtype = s.reftype = SN_OBJ_GEOM;
    s.objid = fixed ? 0 : 1;
    s.refid = fixed ? 1 : 2;
    s.distance_max = most;
    openCase(c, load(text), &s, r);
}

static void distance(const TaskCase* c, const snData* d, double* out)
{
    out[0] = sn_geomDistance(c->m, d, c->t->set.objid, c->t->set.refid, 10, NULL);
}

// A random state with the geoms so far apart, or overlapping.
static void bringTogether(TaskCase* c, Random* r, double gap)
{
    randomState(c->m, c->d, r);
    computeTask(c->m, c->d);
    double fromto[6];
    for (int k = 0; k < 60; k++) { // moves the second body along the shortest way
        const double dist = sn_geomDistance(c->m, c->d, c->t->set.objid, c->t->set.refid, 10, fromto);
        double* q = c->d->qpos + c->m->nq - 7;
        if (dist == gap) break;
        for (int i = 0; i < 3; i++) q[i] -= (1 - gap / dist) * (fromto[3 + i] - fromto[i]);
        computeTask(c->m, c->d);
    }
}

// Velocity mode: A qvel is the rate of the distance.
static int checkRate(TaskCase* c)
{
    double found, rate;
    rowsOf(c, SN_CONTROL_VELOCITY);
    assert_int_equal(c->rows, 1);
    timesRows(c, c->d->qvel, &found);
    if (!smoothRateAlong(c, distance, 1, &rate)) return 0;
    if (!(fabs(found - rate) < 1e-8)) fail_msg("rate %.12g, differences %.12g", found, rate);
    return 1;
}

static void testRates(void** state)
{
    (void)state;
    Random r = {61};
    for (int a = 0; a < NSHAPE; a++)
        for (int b = 0; b < PLANE; b++) {
            TaskCase c;
            int count = 0;
            openPair(&c, &r, SHAPES[a], SHAPES[b], 10);
            for (int round = 0; round < 10; round++) {
                bringTogether(&c, &r, round % 2 ? -0.01 : 0.1);
                count += checkRate(&c);
            }
            assert_true(count > 3);
            closeCase(&c);
        }
}

// The rate by the rows of velocity mode, which testRates has looked at.
static void rateOfDistance(const TaskCase* c, const snData* d, double* out)
{
    double A[MOST_COLUMNS], lower, upper;
    sn_taskRows(c->m, c->moving, c->t, SN_CONTROL_VELOCITY, 0, c->columns, A, &lower, &upper, NULL);
    out[0] = 0;
    for (int k = 0; k < c->m->nv; k++) out[0] += A[k] * d->qvel[k];
}

// Without gains and steps A qacc less the bound is the second derivative, normals that turn and points that
// slide included.
static int checkAcceleration(TaskCase* c)
{
    double found, rate;
    c->t->kp[0] = c->t->kd[0] = 0;
    for (int i = 0; i < MOST_ROWS * MOST_COLUMNS; i++) c->A[i] = NAN;
    c->rows = sn_taskRows(c->m, c->d, c->t, SN_CONTROL_ACCELERATION, 0, c->columns, c->A, c->lower, c->upper,
                          c->weight);
    assert_int_equal(c->rows, 1);
    assert_true(c->upper[0] == (double)INFINITY);
    timesRows(c, c->d->qacc, &found);
    found -= c->lower[0];
    if (!smoothRateAlong(c, rateOfDistance, 1, &rate)) return 0;
    if (!(fabs(found - rate) < 1e-7 * fmax(1, fabs(rate))))
        fail_msg("acceleration %.12g, differences %.12g", found, rate);
    return 1;
}

static void testAccelerations(void** state)
{
    (void)state;
    Random r = {62};
    for (int a = 0; a < NSHAPE; a++)
        for (int b = 0; b < PLANE; b++) {
            TaskCase c;
            int count = 0;
            openPair(&c, &r, SHAPES[a], SHAPES[b], 10);
            for (int round = 0; round < 10; round++) {
                bringTogether(&c, &r, round % 2 ? -0.01 : 0.1);
                count += checkAcceleration(&c);
            }
            assert_true(count > 3);
            closeCase(&c);
        }
}

// One step of dt towards the other geom and across, as far as the row lets it; returns the distance.
static double step(TaskCase* c, Random* r, int mode, double push, double dt)
{
    const int nv = c->m->nv;
    double x[MOST_COLUMNS], row = 0, square = 0, dist;
    rowsOf(c, mode);
    randomNumbers(r, x, nv);
    for (int k = 0; k < nv; k++) {
        x[k] = push * (x[k] - (c->rows ? c->A[k] : 0));
        row += c->rows ? c->A[k] * x[k] : 0;
        square += c->rows ? c->A[k] * c->A[k] : 0;
    }
    for (int k = 0; k < nv && c->rows && row < c->lower[0]; k++)
        x[k] += (c->lower[0] - row) / square * c->A[k];
    for (int k = 0; k < nv; k++)
        c->d->qvel[k] = mode == SN_CONTROL_VELOCITY ? x[k] : c->d->qvel[k] + dt * x[k];
    sn_integratePos(c->m, c->d->qpos, c->d->qvel, dt);
    computeTask(c->m, c->d);
    distance(c, c->d, &dist);
    return dist;
}

static void start(TaskCase* c, Random* r, double gap)
{
    bringTogether(c, r, gap);
    memset(c->d->qvel, 0, (size_t)c->m->nv * sizeof(double));
    computeTask(c->m, c->d);
}

// From outside distance_min they stay outside, pushed as hard as may be, to what a step of dt moves beyond
// the second order, or, with velocities as the unknown, beyond the first: (1e-3)^2 / 2 over a radius of 0.1.
static void testStayApart(void** state)
{
    (void)state;
    Random r = {63};
    for (int mode = SN_CONTROL_VELOCITY; mode <= SN_CONTROL_ACCELERATION; mode++)
        for (int a = 0; a < NSHAPE; a++)
            for (int b = 0; b < PLANE; b++) {
                TaskCase c;
                openPair(&c, &r, SHAPES[a], SHAPES[b], 0.2);
                start(&c, &r, 0.05);
                double least = 1;
                for (int k = 0; k < 500; k++)
                    least = fmin(least, step(&c, &r, mode, mode == SN_CONTROL_VELOCITY ? 1 : 20, 0.001));
                const bool edges = a >= CYLINDER && b >= CYLINDER; // which may come nearer within a step
                if (least < c.t->set.distance_min - (edges ? 1e-4 : 1e-5))
                    fail_msg("%s, %s: %g m too near", SHAPES[a], SHAPES[b], c.t->set.distance_min - least);
                closeCase(&c);
            }
}

// What is too near, or overlaps, comes apart.
static void testComeApart(void** state)
{
    (void)state;
    Random r = {64};
    for (int mode = SN_CONTROL_VELOCITY; mode <= SN_CONTROL_ACCELERATION; mode++)
        for (int a = 0; a < NSHAPE; a++)
            for (int b = 0; b < PLANE; b++) {
                TaskCase c;
                openPair(&c, &r, SHAPES[a], SHAPES[b], 0.2);
                start(&c, &r, -0.01);
                const double deep = step(&c, &r, mode, 0, 0.001);
                double dist = deep, least = deep;
                for (int k = 0; k < 2000; k++) {
                    dist = step(&c, &r, mode, 0, 0.001);
                    least = fmin(least, dist);
                }
                assert_true(least >= fmin(deep, c.t->set.distance_min) - 1e-9);
                if (!(dist > 0.02 - 1e-3)) fail_msg("%s, %s: %g m", SHAPES[a], SHAPES[b], dist);
                closeCase(&c);
            }
}

// Bounds of a known pair: two balls on a line.
static void testBounds(void** state)
{
    (void)state;
    Random r = {65};
    TaskCase c;
    openPair(&c, &r, SHAPES[0], SHAPES[0], 0.2);
    memset(c.d->qvel, 0, 12 * sizeof(double));
    const double at = 0.2 + 0.05, dt = 0.001, from[7] = {0, 0, 0, 1, 0, 0, 0};
    memcpy(c.d->qpos, from, sizeof from);
    memcpy(c.d->qpos + 7, from, sizeof from);
    computeTask(c.m, c.d);
    for (int i = 0; i < 3; i++)
        c.d->qpos[7 + i] = c.d->geom_xpos[3 + i] - c.d->geom_xpos[6 + i] + (i == 0 ? at : 0);
    c.d->qvel[6] = -2;
    computeTask(c.m, c.d);
    rowsOf(&c, SN_CONTROL_VELOCITY);
    assert_true(c.rows == 1 && fabs(c.lower[0] + 100 * 0.03) < 1e-12 && c.t->error[0] == 0);
    c.t->kp[0] = 5000; // not beyond in one step
    rowsOf(&c, SN_CONTROL_VELOCITY);
    assert_true(fabs(c.lower[0] + 0.03 / dt) < 1e-9);
    c.t->kp[0] = 100;
    rowsOf(&c, SN_CONTROL_ACCELERATION);
    assert_true(fabs(c.lower[0] - (20 * 2 - 100 * 0.03)) < 1e-9);
    c.t->kd[0] = 0; // no damping: the step alone bounds it
    c.d->qvel[6] = -40;
    computeTask(c.m, c.d);
    rowsOf(&c, SN_CONTROL_ACCELERATION);
    assert_true(fabs(c.lower[0] - (40 - 0.03 / dt) / dt) < 1e-6);
    c.d->qpos[7] -= at - 0.19; // an overlap of 0.01: 0.03 too near
    computeTask(c.m, c.d);
    rowsOf(&c, SN_CONTROL_VELOCITY);
    assert_true(fabs(c.t->error[0] - 0.03) < 1e-12 && fabs(c.lower[0] - 3) < 1e-10);
    c.d->qpos[7] += 1;
    computeTask(c.m, c.d);
    rowsOf(&c, SN_CONTROL_VELOCITY);
    assert_int_equal(c.rows, 0);
    closeCase(&c);
}

// Two links of one arm on a cart: what moves both does not change their distance.
static void testOneTree(void** state)
{
    (void)state;
    Random r = {67};
    const char* text =
        "<mujoco><worldbody><body><freejoint/><geom size='.1' mass='9'/><body><joint axis='0 1 0'/>"
        "<geom type='capsule' size='.05 .3' pos='.4 0 0'/><body pos='.8 0 0'><joint type='ball'/><geom "
        "type='ellipsoid' size='.05 .1 .2' pos='.2 0 .1'/></body></body><body><joint type='slide' axis='0 0 "
        "1'/>"
        "<joint axis='1 0 0'/><geom type='capsule' size='.05 .3' pos='0 .5 "
        "0'/></body></body></worldbody></mujoco>";
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = SN_TASK_DISTANCE;
    s.objtype = s.reftype = SN_OBJ_GEOM;
    s.objid = 3;
    s.refid = 2;
    s.distance_max = 10;
    for (int round = 0; round < 20; round++) {
        TaskCase c;
        openCase(&c, load(text), &s, &r);
        checkRate(&c);
        for (int k = 0; k < 6; k++) assert_true(c.A[k] == 0);
        checkAcceleration(&c);
        closeCase(&c);
    }
}

// Centres that coincide, surfaces that touch, positions that are no numbers: rows are finite or not there.
static void testDegenerate(void** state)
{
    (void)state;
    Random r = {66};
    for (int a = 0; a < NSHAPE; a++)
        for (int b = 0; b < PLANE; b++) {
            TaskCase c;
            openPair(&c, &r, SHAPES[a], SHAPES[b], 0.2);
            for (int k = 0; k < 3; k++) {
                if (k < 2) bringTogether(&c, &r, 0);
                double* q = c.d->qpos + c.m->nq - 7;
                for (int i = 0; i < 3 && k == 1; i++)
                    q[i] += c.d->geom_xpos[3 * c.t->set.objid + i] - c.d->geom_xpos[3 * c.t->set.refid + i];
                if (k == 2) q[0] = NAN;
                computeTask(c.m, c.d);
                for (int mode = SN_CONTROL_VELOCITY; mode <= SN_CONTROL_ACCELERATION; mode++) {
                    rowsOf(&c, mode); // A is finite
                    if (c.rows) assert_true(isfinite(c.lower[0]) && isfinite(c.t->error[0]));
                    if (k == 2) assert_int_equal(c.rows, 0);
                    if (k == 1) assert_int_equal(c.rows, 1);
                }
            }
            closeCase(&c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRates),     cmocka_unit_test(testAccelerations),
        cmocka_unit_test(testStayApart), cmocka_unit_test(testComeApart),
        cmocka_unit_test(testBounds),    cmocka_unit_test(testDegenerate),
        cmocka_unit_test(testOneTree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
