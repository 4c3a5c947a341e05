// Momentum: rows against the engine's sums and against differences, on random trees of all joint types, and
// the momentum of floating robots, which no inner force changes.
#include "task_case.h"

static snTaskSettings momentumSettings(int body)
{
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = SN_TASK_MOMENTUM;
    s.objid = body;
    s.kp = 7;
    return s;
}

static void openMomentum(TaskCase* c, Random* r, int body)
{
    const snTaskSettings s = momentumSettings(body);
    openCase(c, randomTree(r), &s, r);
    randomNumbers(r, c->t->vel, 6);
    randomNumbers(r, c->t->acc, 6);
}

static void momentum(const TaskCase* c, const snData* d, double* out)
{
    const Whole w = wholeOf(c->m, d, c->t->set.objid);
    memcpy(out, w.momentum, sizeof w.momentum);
}

static void testMomentum(void** state)
{
    (void)state;
    Random r = {21};
    for (int round = 0; round < 100; round++) {
        TaskCase c;
        double found[6], summed[6];
        const int body = round % TREE_BODIES;
        openMomentum(&c, &r, body);
        rowsOf(&c, SN_CONTROL_VELOCITY);
        assert_int_equal(c.rows, 6);
        timesRows(&c, c.d->qvel, found);
        momentum(&c, c.d, summed);
        assertNear(found, summed, 6, 1e-13);
        if (body) { // the engine's have what is fixed to the world in the world's subtree
            for (int i = 0; i < 3; i++)
                summed[i] = c.m->body_subtreemass[body] * c.d->subtree_linvel[3 * body + i];
            memcpy(summed + 3, c.d->subtree_angmom + 3 * body, 3 * sizeof(double));
            assertNear(found, summed, 6, 1e-13);
        }
        for (int i = 0; i < 6; i++) {
            assert_true(c.lower[i] == c.t->vel[i] && c.upper[i] == c.lower[i]);
            assert_true(fabs(c.t->error[i] - (c.t->vel[i] - found[i])) < 1e-12);
        }
        closeCase(&c);
    }
}

// A qacc less what the rows are to be, but for the reference and the gain, is the rate of any motion.
static void testRate(void** state)
{
    (void)state;
    Random r = {22};
    for (int round = 0; round < 100; round++) {
        TaskCase c;
        double rate[6], found[6];
        openMomentum(&c, &r, round % TREE_BODIES);
        rowsOf(&c, SN_CONTROL_ACCELERATION);
        timesRows(&c, c.d->qacc, found);
        for (int i = 0; i < 6; i++) found[i] -= c.lower[i] - c.t->acc[i] - 7 * c.t->error[i];
        rateAlong(&c, momentum, 6, rate);
        assertNear(found, rate, 6, 1e-9);
        closeCase(&c);
    }
}

static void testRowsMet(void** state)
{
    (void)state;
    Random r = {23};
    for (int round = 0; round < 30; round++) {
        TaskCase c;
        double rate[6], found[6];
        openMomentum(&c, &r, round % 2); // a free body is in it
        rowsOf(&c, SN_CONTROL_ACCELERATION);
        meetRows(&c, c.d->qacc);
        rateAlong(&c, momentum, 6, rate);
        momentum(&c, c.d, found);
        for (int i = 0; i < 6; i++) found[i] = c.t->acc[i] + 7 * (c.t->vel[i] - found[i]);
        assertNear(rate, found, 6, 1e-9);
        closeCase(&c);
    }
}

// Under inner forces alone the rows that ask for no rate hold.
static void testInnerForces(void** state)
{
    (void)state;
    const char* text =
        "<mujoco><option gravity='0 0 0'/><worldbody><body pos='0 0 1'><freejoint/><geom size='.2' mass='3'/>"
        "<body pos='.3 0 0'><joint axis='0 1 0' armature='.1'/><geom size='.1' pos='.2 0 0' mass='1'/>"
        "<body pos='.4 0 0'><joint type='ball'/><geom type='box' size='.1 .2 .05' pos='0 .1 .1' mass='1'/>"
        "</body></body><body pos='0 .3 0'><joint type='slide' axis='1 1 0'/><geom size='.1' pos='0 0 .3' "
        "mass='.5'/></body></body></worldbody></mujoco>";
    Random r = {24};
    const snTaskSettings s = momentumSettings(0);
    for (int round = 0; round < 20; round++) {
        TaskCase c;
        double found[6];
        openCase(&c, load(text), &s, &r);
        for (int k = 6; k < c.m->nv; k++) c.d->qfrc_applied[k] = 10 * randomReal(&r);
        c.m->opt.disableflags |= SN_DSBL_CONTACT;
        sn_forward(c.m, c.d);
        for (int i = 0; i < 6; i++) c.t->kp[i] = 0;
        rowsOf(&c, SN_CONTROL_ACCELERATION);
        timesRows(&c, c.d->qacc, found);
        assertNear(found, c.lower, 6, 1e-12);
        closeCase(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testMomentum),
        cmocka_unit_test(testRate),
        cmocka_unit_test(testRowsMet),
        cmocka_unit_test(testInnerForces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
