// Tendons with armature in the derivatives of inverse and forward dynamics and of kinetic energy.
#include "central.h"
#include "derivative/smooth/bias.h"
#include "model_text.h"

enum { MAXV = 32, MAXM = MAXV * MAXV };

// Branches, every type of joint, a pulley, a fixed tendon, a second tree; sites of one body in a row.
static const char MODEL[] =
    "<mujoco><worldbody><site name='w' pos='.3 -.2 1'/>"
    "<body name='base' pos='0 0 1'><freejoint/><geom size='.1' mass='2' pos='.1 0 0'/><site name='b' pos='.1 "
    ".2 0'/>"
    "<body pos='.3 0 0'><joint type='ball' pos='0 .1 0'/><geom size='.1' mass='1' pos='.1 .1 0'/>"
    "<site name='c' pos='.2 0 .1'/>"
    "<body pos='.2 .1 0'><joint name='h' axis='1 2 0'/><joint name='s' type='slide' axis='0 1 1'/>"
    "<geom size='.1' pos='0 .1 .1'/><site name='e' pos='0 .3 0'/><site name='f' pos='.1 .3 0'/></body></body>"
    "<body pos='-.3 0 0'><joint name='g' axis='0 1 .5'/><geom size='.1' pos='-.1 .1 0'/><site name='x' "
    "pos='-.2 0 .1'/>"
    "</body></body>"
    "<body pos='1 1 1'><joint axis='1 0 1'/><joint type='slide' axis='0 0 1'/><geom size='.1' pos='.1 .1 0'/>"
    "<site name='y' pos='.2 0 .1'/></body></worldbody>"
    "<tendon><spatial armature='.3'><site site='b'/><site site='c'/><site site='e'/><site site='f'/><site "
    "site='x'/>"
    "</spatial><spatial armature='.7'><site site='w'/><site site='e'/><pulley divisor='2'/><site "
    "site='x'/><site site='y'/>"
    "<pulley divisor='3'/><site site='c'/><site site='w'/></spatial>"
    "<fixed armature='.2'><joint joint='h' coef='2'/><joint joint='g' coef='-1'/></fixed></tendon></mujoco>";

static void inverse(const snModel* m, snData* d, void* user, double* out)
{
    (void)user;
    sn_fwdPosition(m, d);
    sn_fwdVelocity(m, d);
    sn_mulM(m, d, out, d->qacc);
    for (int k = 0; k < m->nv; k++) out[k] += d->qfrc_bias[k];
}

static void forward(const snModel* m, snData* d, void* user, double* out)
{
    sn_fwdPosition(m, d);
    sn_fwdVelocity(m, d);
    for (int k = 0; k < m->nv; k++) out[k] = ((const double*)user)[k] - d->qfrc_bias[k];
    sn_solveM(m, d, out, out, 1);
}

static void kineticEnergy(const snModel* m, snData* d, void* user, double* out)
{
    (void)user;
    sn_fwdPosition(m, d);
    sn_energyVel(m, d);
    *out = d->energy[1];
}

static void start(const snModel* m, snData* d)
{
    double tangent[MAXV];
    for (int k = 0; k < m->nv; k++) {
        tangent[k] = 0.7 * sin(1 + 3 * k);
        d->qvel[k] = cos(2 + 5 * k);
        d->qacc[k] = 2 * sin(4 + 7 * k);
    }
    sn_integratePos(m, d->qpos, tangent, 1);
    sn_fwdPosition(m, d);
    sn_fwdVelocity(m, d);
}

static void armature(void** state)
{
    (void)state;
    snModel* m = load(MODEL);
    snData* d = sn_makeData(m);
    const int n = m->nv;
    double q[MAXM] = {0}, v[MAXM] = {0}, a_q[MAXM], a_v[MAXM], energy[MAXV], expected[MAXM], force[MAXV];
    assert_true(n <= MAXV);
    start(m, d);
    inverse(m, d, NULL, force);
    assert_int_equal(sn_biasDerivative(m, d, d->qacc, NULL, q, v, NULL), SN_STATUS_OK);
    assert_int_equal(sn_forwardDynamicsDerivative(m, d, d->qacc, a_q, a_v, NULL, NULL), SN_STATUS_OK);
    assert_int_equal(sn_energyDerivative(m, d, NULL, energy, NULL, NULL), SN_STATUS_OK);
    central(m, d, BY_POSITION, inverse, NULL, n, expected);
    assertClose(q, expected, n * n, 1e-10);
    central(m, d, BY_VELOCITY, inverse, NULL, n, expected);
    assertClose(v, expected, n * n, 1e-10);
    central(m, d, BY_POSITION, forward, force, n, expected);
    assertClose(a_q, expected, n * n, 1e-9);
    central(m, d, BY_VELOCITY, forward, force, n, expected);
    assertClose(a_v, expected, n * n, 1e-9);
    central(m, d, BY_POSITION, kineticEnergy, NULL, 1, expected);
    assertClose(energy, expected, n, 1e-10);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// The compiler refuses armature around geoms; a model may get it afterwards.
static void around_geoms(void** state)
{
    (void)state;
    snModel* m =
        load("<mujoco><worldbody><site name='a' pos='0 0 1'/><geom name='g' size='.1' pos='0 .05 .5'/>"
             "<body><joint axis='1 0 0'/><geom size='.1'/><site name='b' pos='0 .01 .1'/></body></worldbody>"
             "<tendon><spatial><site site='a'/><geom geom='g'/><site site='b'/></spatial></tendon></mujoco>");
    m->tendon_armature[0] = 1;
    snData* d = sn_makeData(m);
    snError error;
    double q[1] = {5}, v[1] = {5};
    sn_forward(m, d);
    assert_int_equal(sn_rneDerivative(m, d, d->qacc, q, v, NULL, &error), SN_STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.message, "tendon 0"));
    assert_non_null(strstr(error.message, "sn_transitionFD"));
    assert_int_equal(sn_energyDerivative(m, d, NULL, q, NULL, &error), SN_STATUS_UNSUPPORTED);
    assert_true(q[0] == 5 && v[0] == 5);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(armature), cmocka_unit_test(around_geoms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
