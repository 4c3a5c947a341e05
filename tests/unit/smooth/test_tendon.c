// Tendons by routes of their own: moment arms against differences of the length, lengths in closed form,
// power of a spring against the change of its energy, nothing allocated in a step.
#include <sinew/sinew.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model_text.h"

static const char arm[] =
    "<mujoco><worldbody><site name='w0' pos='.02 .01 .3'/><site name='w1' pos='0 -.15 .3'/>"
    "<body pos='0 0 .1'><joint name='a' axis='1 .2 0'/><joint name='b' axis='0 1 .1'/>"
    "<geom name='ball' size='.05' pos='0 .01 -.02'/>"
    "<geom name='roll' type='cylinder' size='.03 .1' pos='.01 0 -.12' euler='80 20 10'/>"
    "<site name='u0' pos='.01 .08 .05'/><site name='out' pos='0 .12 -.1'/><site name='in' pos='0 .01 .01'/>"
    "<site name='inroll' pos='.01 .005 -.12'/>"
    "<body pos='0 0 -.25'><joint name='c' axis='1 0 0'/><joint name='d' type='slide' axis='0 0 1'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -.15' size='.02'/><site name='l0' pos='.01 .06 -.03'/>"
    "<site name='l1' pos='-.02 -.04 -.12'/></body></body>"
    "<body pos='.3 .2 0'><freejoint/><geom size='.05'/><site name='o' pos='.02 .01 .03'/></body></worldbody>"
    "<tendon>"
    "<fixed stiffness='3'><joint joint='a' coef='2'/><joint joint='d' coef='-3'/></fixed>"
    "<spatial><site site='w0'/><geom geom='ball'/><site site='l0'/></spatial>"
    "<spatial><site site='w0'/><geom geom='ball' sidesite='out'/><site site='l0'/></spatial>"
    "<spatial><site site='w1'/><geom geom='ball' sidesite='in'/><site site='l1'/></spatial>"
    "<spatial><site site='u0'/><geom geom='roll'/><site site='l1'/></spatial>"
    "<spatial><site site='u0'/><geom geom='roll' sidesite='inroll'/><site site='l0'/></spatial>"
    "<spatial stiffness='7' springlength='.1 .2'><pulley divisor='2'/><site site='w0'/><site site='l1'/>"
    "<pulley divisor='3'/><site site='w1'/><geom geom='ball'/><site site='l1'/><site site='o'/></spatial>"
    "</tendon></mujoco>";

static double uniform(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

static void positions(const snModel* m, snData* d)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_tendon(m, d);
}

// (l(q + h e_k) - l(q - h e_k)) / 2h, with h = 1e-6: its error is some 1e-9, more where a string lifts off.
static void momentArmsAreGradients(void** state)
{
    (void)state;
    snModel* m = load(arm);
    snData* d = sn_makeData(m);
    unsigned seed = 5;
    double q[16], step[16], J[7 * 10], side[2][7];
    const double h = 1e-6;
    int wrapped = 0;
    for (int trial = 0; trial < 50; trial++) {
        for (int k = 0; k < m->nv; k++) step[k] = 0.6 * uniform(&seed);
        memcpy(q, m->qpos0, (size_t)m->nq * sizeof(double));
        sn_integratePos(m, q, step, 1);
        memcpy(d->qpos, q, (size_t)m->nq * sizeof(double));
        positions(m, d);
        sn_tenJ(m, d, J);
        for (int i = 1; i < 6; i++) wrapped += d->ten_wrapnum[i] > 2;
        for (int k = 0; k < m->nv; k++) {
            for (int s = 0; s < 2; s++) {
                memset(step, 0, sizeof step);
                step[k] = s ? h : -h;
                memcpy(d->qpos, q, (size_t)m->nq * sizeof(double));
                sn_integratePos(m, d->qpos, step, 1);
                positions(m, d);
                memcpy(side[s], d->ten_length, sizeof side[s]);
            }
            for (int i = 0; i < m->ntendon; i++)
                assert_true(fabs((side[1][i] - side[0][i]) / (2 * h) - J[i * m->nv + k]) < 1e-6);
        }
    }
    assert_true(wrapped > 50);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A string over the top of a circle of radius r, ends at (-a, 0) and (a, 0): 2 sqrt(a^2 - r^2) and an arc of
// 2 asin(r/a) r + ..., the angle between the tangent points being pi - 2 acos(r/a).
static void stringOverACircle(void** state)
{
    (void)state;
    const double a = 0.5, r = 0.2;
    snModel* m =
        load("<mujoco><worldbody><geom name='g' type='cylinder' size='.2 1'/><site name='p' pos='-.5 0 0'/>"
             "<site name='q' pos='.5 0 .3'/><site name='up' pos='0 .5 0'/></worldbody><tendon>"
             "<spatial><site site='p'/><geom geom='g' sidesite='up'/><site "
             "site='q'/></spatial></tendon></mujoco>");
    snData* d = sn_makeData(m);
    positions(m, d);
    const double flat = 2 * sqrt(a * a - r * r) + r * (SN_PI - 2 * acos(r / a));
    assert_true(fabs(d->ten_length[0] - sqrt(flat * flat + 0.09)) < 1e-14);
    assert_int_equal(d->ten_wrapnum[0], 4);
    assert_true(d->wrap_xpos[4] > 0 && d->wrap_xpos[7] > 0); // touches above
    sn_deleteData(d);
    sn_deleteModel(m);
}

// d(energy)/dt = - qfrc_spring . qvel
static void springPower(void** state)
{
    (void)state;
    snModel* m = load(arm);
    snData* d = sn_makeData(m);
    unsigned seed = 6;
    double energy[2], step[10], q[16];
    for (int k = 0; k < 3; k++) m->opt.gravity[k] = 0;
    for (int k = 0; k < m->nv; k++) step[k] = 0.4 * uniform(&seed);
    sn_integratePos(m, d->qpos, step, 1);
    for (int k = 0; k < m->nv; k++) d->qvel[k] = uniform(&seed);
    memcpy(q, d->qpos, (size_t)m->nq * sizeof(double));
    sn_forward(m, d);
    double power = 0;
    for (int k = 0; k < m->nv; k++) power -= d->qfrc_spring[k] * d->qvel[k];
    assert_true(fabs(power) > 1e-3);
    for (int s = 0; s < 2; s++) {
        memcpy(d->qpos, q, (size_t)m->nq * sizeof(double));
        sn_integratePos(m, d->qpos, d->qvel, s ? 1e-6 : -1e-6);
        positions(m, d);
        sn_energyPos(m, d);
        energy[s] = d->energy[0];
    }
    assert_true(fabs((energy[1] - energy[0]) / 2e-6 - power) < 1e-7);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void namesAreFound(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><tendon>"
                      "<fixed name='t'><joint joint='j' coef='1'/></fixed></tendon></mujoco>");
    assert_int_equal(sn_name2id(m, SN_OBJ_TENDON, "t"), 0);
    assert_string_equal(sn_id2name(m, SN_OBJ_TENDON, 0), "t");
    m->wrap_objid[0] = 7;
    assert_int_not_equal(sn_validateModel(m, NULL), SN_STATUS_OK);
    sn_deleteModel(m);
}

// The lists of dofs that tendons may touch, as a file may have them.
static void dofsAreChecked(void** state)
{
    (void)state;
    snModel* m = load(arm);
    snError error;
    assert_int_equal(sn_validateModel(m, &error), SN_STATUS_OK);
    struct {
        int *field, value;
        const char* name;
    } wrong[] = {{m->tendon_dofid, -1, "tendon_dofid"},      {m->tendon_dofid + 1, m->nv, "tendon_dofid"},
                 {m->tendon_dofid + 1, 0, "tendon_dofid"},   {m->tendon_dofadr + 1, 1, "tendon_dofadr"},
                 {m->tendon_dofnum, 100, "tendon_dofadr"},   {m->tendon_dofnum, -1, "tendon_dofadr"},
                 {m->tendon_dofnum + 6, 0, "tendon_dofadr"}, {&m->nJten, 100, "tendon_dofadr"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int right = *wrong[i].field;
        *wrong[i].field = wrong[i].value;
        assert_int_equal(sn_validateModel(m, &error), SN_STATUS_MODEL);
        assert_non_null(strstr(error.message, wrong[i].name));
        *wrong[i].field = right;
    }
    assert_int_equal(sn_validateModel(m, &error), SN_STATUS_OK);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentArmsAreGradients),
        cmocka_unit_test(stringOverACircle),
        cmocka_unit_test(springPower),
        cmocka_unit_test(namesAreFound),
        cmocka_unit_test(dofsAreChecked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
