// Capture point: with its rows met it moves as asked, whether the height is fixed or the centre's own.
#include "task_case.h"

static void openCapture(TaskCase* c, Random* r, double height)
{
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = SN_TASK_CAPTURE_POINT;
    s.objid = 1; // a free body and what it carries
    s.kp = 7;
    s.height = height;
    openCase(c, randomTree(r), &s, r);
    randomNumbers(r, c->t->pos, 2);
    randomNumbers(r, c->t->vel, 2);
    c->d->qpos[2] += 4; // above the ground
    computeTask(c->m, c->d);
}

// c + c'/omega, x and y
static void capturePoint(const TaskCase* c, const snData* d, double* out)
{
    const Whole w = wholeOf(c->m, d, 1);
    const double height = c->t->set.height > 0 ? c->t->set.height : w.pos[2];
    const double omega = sqrt(-c->m->opt.gravity[2] / height);
    for (int i = 0; i < 2; i++) out[i] = w.pos[i] + w.momentum[i] / w.mass / omega;
}

static void testAcceleration(void** state)
{
    (void)state;
    Random r = {31};
    for (int round = 0; round < 60; round++) {
        TaskCase c;
        double xi[2], rate[2];
        openCapture(&c, &r, round % 2 ? 0.8 : 0);
        rowsOf(&c, SN_CONTROL_ACCELERATION);
        assert_int_equal(c.rows, 2);
        meetRows(&c, c.d->qacc);
        capturePoint(&c, c.d, xi);
        rateAlong(&c, capturePoint, 2, rate);
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(c.t->error[i] - (c.t->pos[i] - xi[i])) < 1e-13);
            xi[i] = c.t->vel[i] + 7 * (c.t->pos[i] - xi[i]);
        }
        assertNear(rate, xi, 2, 1e-9);
        closeCase(&c);
    }
}

// The velocity that is found has the capture point of the reference.
static void testVelocity(void** state)
{
    (void)state;
    Random r = {32};
    for (int round = 0; round < 30; round++) {
        TaskCase c;
        double xi[2];
        openCapture(&c, &r, round % 2 ? 0.8 : 0);
        rowsOf(&c, SN_CONTROL_VELOCITY);
        meetRows(&c, c.d->qvel);
        computeTask(c.m, c.d);
        capturePoint(&c, c.d, xi);
        assertNear(xi, c.t->pos, 2, 1e-12);
        closeCase(&c);
    }
}

// Below the ground and without gravity all stays finite.
static void testNoPendulum(void** state)
{
    (void)state;
    Random r = {33};
    TaskCase c;
    openCapture(&c, &r, 0);
    c.d->qpos[2] = -9;
    computeTask(c.m, c.d);
    for (int k = 0; k < 3; k++) {
        for (int mode = SN_CONTROL_VELOCITY; mode <= SN_CONTROL_ACCELERATION; mode++) {
            rowsOf(&c, mode);
            for (int i = 0; i < 2; i++) assert_true(isfinite(c.lower[i]) && isfinite(c.t->error[i]));
        }
        c.m->opt.gravity[2] = 0;
    }
    closeCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAcceleration),
        cmocka_unit_test(testVelocity),
        cmocka_unit_test(testNoPendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
