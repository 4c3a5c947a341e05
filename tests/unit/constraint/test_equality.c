// Equality constraints: closed forms on one body, Jacobians against differences of residuals, a closed chain
// that stays closed, what eq_active and the flag switch off.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/sinew.h>
#include "model_text.h"

static double uniform(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

// Rows with J = 1 at a mass m have D = d m/(1 - d), so that the minimum of
//     1/2 m (a - a0)^2 + 1/2 D (a - aref)^2   is   a = (1 - d) a0 + d aref.
static void isBlendOf(double a, double d, double a0, double aref)
{
    const double expected = (1 - d) * a0 + d * aref;
    assert_true(fabs(a - expected) < 1e-12 * (1 + fabs(expected)));
}

static void lockedSlider(void** state)
{
    (void)state;
    snModel* m =
        load("<mujoco><option gravity='0 0 -10'/><worldbody><body><joint name='j' type='slide' axis='0 0 1'/>"
             "<geom size='.1' mass='3'/></body></worldbody><equality><joint joint1='j' polycoef='.5'"
             " solref='.1 .8' solimp='.7 .7'/></equality></mujoco>");
    snData* d = sn_makeData(m);
    d->qpos[0] = 0.6;
    d->qvel[0] = 2;
    sn_forward(m, d);
    assert_int_equal(d->ne, 1);
    const double K = 1 / (0.7 * 0.7 * 0.1 * 0.1 * 0.8 * 0.8), B = 2 / (0.7 * 0.1);
    isBlendOf(d->qacc[0], 0.7, -10, -B * 2 - K * 0.7 * 0.1);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A ball held at its centre by a connect: three sliders at once, and free to turn.
static void heldBall(void** state)
{
    (void)state;
    snModel* m =
        load("<mujoco><option gravity='1 2 -10'/><worldbody><body name='b'><freejoint/>"
             "<geom size='.1' mass='3'/></body></worldbody><equality><connect body1='b' anchor='0 0 0'"
             " solref='.1 1' solimp='.6 .6'/></equality></mujoco>");
    snData* d = sn_makeData(m);
    for (int k = 0; k < 3; k++) {
        d->qpos[k] = 0.1 * (k + 1);
        d->qvel[k] = -0.3 * k;
        d->qvel[3 + k] = k - 1;
    }
    sn_forward(m, d);
    assert_int_equal(d->ne, 3);
    const double a0[3] = {1, 2, -10}, K = 1 / (0.6 * 0.6 * 0.1 * 0.1), B = 2 / (0.6 * 0.1);
    for (int k = 0; k < 3; k++) {
        isBlendOf(d->qacc[k], 0.6, a0[k], B * 0.3 * k - K * 0.6 * 0.1 * (k + 1));
        assert_true(fabs(d->qacc[3 + k]) < 1e-12);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Every kind of row on two trees.
static const char two_trees[] =
    "<mujoco><worldbody><site name='w' pos='.1 .2 .3'/><body name='a' pos='0 0 1'><freejoint/>"
    "<geom type='box' size='.1 .2 .3'/><site name='s' pos='.1 0 .1' euler='20 30 40'/><body name='c' pos='.3 "
    "0 0'>"
    "<joint name='j' axis='0 1 0'/><geom type='capsule' size='.05 .1'/></body></body><body name='b' pos='1 0 "
    "0'>"
    "<joint name='l' type='ball'/><joint name='k' axis='1 1 0' type='slide'/><geom type='box' size='.1 .1 "
    ".3'/>"
    "<site name='t' pos='0 .1 .1' euler='80 0 10'/></body></worldbody><tendon><fixed name='f'>"
    "<joint joint='j' coef='2'/></fixed><spatial name='g'><site site='w'/><site site='s'/><site "
    "site='t'/></spatial>"
    "</tendon><equality><connect body1='c' body2='b' anchor='.1 .2 .3'/><connect body1='c' body2='a' "
    "anchor='.1 .2 "
    ".3'/><weld body1='a' body2='b' torquescale='.7' anchor='.1 0 0'/><weld site1='s' site2='t'/><weld "
    "body1='c'/>"
    "<joint joint1='j' joint2='k' polycoef='.1 .2 .3 .4 .5'/><tendon tendon1='g' tendon2='f' polycoef='0 1 "
    "2'/>"
    "<tendon tendon1='g'/></equality></mujoco>";

// dr/dq by central differences: their error is some 1e-9.
static void rowsAreGradients(void** state)
{
    (void)state;
    enum { ROWS = 3 + 3 + 6 + 6 + 6 + 1 + 1 + 1 };
    snModel* m = load(two_trees);
    snData* d = sn_makeData(m);
    unsigned seed = 3;
    double q[32], step[16], J[ROWS * 16], side[2][ROWS];
    const double h = 1e-6;
    m->opt.disableflags |= SN_DSBL_CONTACT;
    for (int trial = 0; trial < 20; trial++) {
        for (int k = 0; k < m->nv; k++) step[k] = uniform(&seed);
        memcpy(q, m->qpos0, (size_t)m->nq * sizeof(double));
        sn_integratePos(m, q, step, 1);
        memcpy(d->qpos, q, (size_t)m->nq * sizeof(double));
        sn_fwdPosition(m, d);
        assert_int_equal(d->nefc, ROWS);
        sn_efcJ(m, d, J);
        for (int k = 0; k < m->nv; k++) {
            for (int s = 0; s < 2; s++) {
                memset(step, 0, sizeof step);
                step[k] = s ? h : -h;
                memcpy(d->qpos, q, (size_t)m->nq * sizeof(double));
                sn_integratePos(m, d->qpos, step, 1);
                sn_fwdPosition(m, d);
                memcpy(side[s], d->efc_pos, sizeof side[s]);
            }
            for (int r = 0; r < ROWS; r++)
                assert_true(fabs((side[1][r] - side[0][r]) / (2 * h) - J[r * m->nv + k]) < 1e-7);
        }
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Two bars on two pivots, their ends connected: the chain stays closed for two seconds, while the bars swing.
static void closedChain(void** state)
{
    (void)state;
    snModel* m =
        load("<mujoco><option timestep='.001' integrator='RK4'/><worldbody>"
             "<body name='a'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -1' size='.02'/>"
             "<body name='c' pos='0 0 -1'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .7 0 0' "
             "size='.02'/></body></body><body name='b' pos='.7 0 0'><joint axis='0 1 0'/>"
             "<geom type='capsule' fromto='0 0 0 0 0 -1' size='.02'/></body></worldbody>"
             "<equality><connect body1='c' body2='b' anchor='.7 0 0'/></equality><contact>"
             "<exclude body1='a' body2='c'/><exclude body1='b' body2='c'/></contact></mujoco>");
    snData* d = sn_makeData(m);
    d->qvel[0] = d->qvel[2] = 2; // a parallelogram: the coupler does not turn
    d->qvel[1] = -2;
    double highest = 0;
    for (int k = 0; k < 2000; k++) {
        sn_step(m, d);
        assert_int_equal(d->ne, 3);
        for (int r = 0; r < 3; r++) assert_true(fabs(d->efc_pos[r]) < 1e-3);
        assert_true(fabs(d->qpos[0] - d->qpos[2]) < 2e-3 && fabs(d->qpos[0] + d->qpos[1]) < 2e-3);
        highest = fmax(highest, fabs(d->qpos[0]));
    }
    assert_true(highest > 0.3);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void switchedOff(void** state)
{
    (void)state;
    snModel* m = load(two_trees);
    snData* d = sn_makeData(m);
    m->opt.disableflags |= SN_DSBL_CONTACT;
    for (int i = 0; i < m->neq; i++) d->eq_active[i] = i == 5;
    sn_forward(m, d);
    assert_int_equal(d->ne, 1);
    m->opt.disableflags |= SN_DSBL_EQUALITY;
    sn_forward(m, d);
    assert_int_equal(d->nefc, 0);
    m->eq_active0[2] = 0;
    sn_resetData(m, d);
    for (int i = 0; i < m->neq; i++) assert_int_equal(d->eq_active[i], i != 2);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// An arena too small for all rows keeps whole constraints and says so.
static void fullArenaIsSurvived(void** state)
{
    (void)state;
    snModel* m = load(two_trees);
    int kept[2] = {0, 0};
    for (size_t size = 0; size < 1 << 15; size += 512) {
        m->narena = size;
        snData* d = sn_makeData(m);
        sn_step(m, d);
        kept[d->ne == 27]++;
        assert_true(d->ne <= 27);
        if (d->ne < 27) assert_true(d->warning[SN_WARN_CNSTRFULL].number > 0);
        sn_deleteData(d);
    }
    assert_true(kept[0] && kept[1]);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lockedSlider), cmocka_unit_test(heldBall),    cmocka_unit_test(rowsAreGradients),
        cmocka_unit_test(closedChain),  cmocka_unit_test(switchedOff), cmocka_unit_test(fullArenaIsSurvived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
