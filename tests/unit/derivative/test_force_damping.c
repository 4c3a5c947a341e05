// How D w changes, D = qDeriv of implicit steps, against differences of D.
#include <stdio.h>
#include <sinew/smooth.h>
#include "derivative/force/force.h"
#include "derivative/stage_difference.h"

static double w[64];
static int with_bias;

static void product(const snModel* m, snData* d, double* out)
{
    sn_smoothVel(m, d, with_bias);
    for (int i = 0; i < m->nv; i++) {
        out[i] = 0;
        for (int e = m->D_rowadr[i]; e < m->D_rowadr[i] + m->D_rownnz[i]; e++)
            out[i] += d->qDeriv[e] * w[m->D_colind[e]];
    }
}

static double* zeros(int rows, int columns)
{
    return calloc((size_t)rows * (size_t)columns + 1, sizeof(double));
}

static void checkData(const char* what, const snModel* m, snData* d, double h)
{
    const int nv = m->nv;
    for (with_bias = 0; with_bias < 2; with_bias++) {
        double *q = zeros(nv, nv), *v = zeros(nv, nv), *act = zeros(nv, m->na), *u = zeros(nv, m->nu);
        snError error = {0};
        if (sn_dampingDerivative(m, d, w, with_bias, q, v, act, u, &error))
            fail_msg("%s: %s", what, error.message);
        assertDerivative(what, m, d, BY_POSITION, product, nv, h, 1e-9, q);
        assertDerivative(what, m, d, BY_VELOCITY, product, nv, h, 1e-9, v);
        assertDerivative(what, m, d, BY_ACTIVATION, product, nv, h, 1e-9, act);
        assertDerivative(what, m, d, BY_CONTROL, product, nv, h, 1e-9, u);
        free(q);
        free(v);
        free(act);
        free(u);
    }
}

static void check(const char* what, const char* xml, int states, double h)
{
    snModel* m = load(xml);
    snData* d = sn_makeData(m);
    for (int s = 0; s < states; s++) {
        unsigned seed = (unsigned)s + 77;
        for (int k = 0; k < m->nv; k++) w[k] = uniform(&seed);
        randomState(m, d, (unsigned)s, .6, 1);
        char name[80];
        snprintf(name, sizeof name, "%s, state %d", what, s);
        checkData(name, m, d, h);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

#define BODIES(GEOM)                                                                                         \
    "<worldbody><site name='w' pos='.1 .2 .5' euler='20 30 40'/>"                                            \
    "<body pos='0 0 1'><joint name='free' type='free'/>" GEOM                                                \
    "<site name='a' pos='.05 .01 .1' euler='10 5 7'/>"                                                       \
    "<body pos='.1 .2 .3'><joint name='ball' type='ball' pos='.02 0 .01' damping='.3'/>" GEOM                \
    "<site name='b' pos='.1 .05 0' euler='50 10 20'/>"                                                       \
    "<body pos='.1 0 .2'><joint name='hinge' axis='1 2 3'/><joint name='slide' type='slide' axis='0 1 "      \
    "1'/>" GEOM "<site name='c' pos='0 .05 .1' euler='30 60 10'/></body></body>"                             \
    "<body pos='.1 0 -.2'><joint name='side' axis='0 1 0'/>" GEOM                                            \
    "<site name='s' pos='0 .02 .1'/></body></body>"                                                          \
    "</worldbody>"
#define PLAIN "<geom type='ellipsoid' size='.1 .06 .03' pos='.02 .05 .01' euler='20 30 40'/>"
#define SWIMMER                                                                                              \
    "<geom type='ellipsoid' size='.1 .06 .03' pos='.02 .05 .01' euler='20 30 40' fluidshape='ellipsoid'/>"
#define OFF "<option><flag contact='disable'/></option>"

static void bias(void** state)
{
    (void)state;
    check("bias", "<mujoco>" OFF BODIES(PLAIN) "</mujoco>", 3, 1e-3);
}

static void tendonsAndActuators(void** state)
{
    (void)state;
    check("squares",
          "<mujoco>" OFF BODIES(
              PLAIN) "<tendon><spatial name='t' damping='3'><site site='w'/><site site='b'/><site "
                     "site='c'/><site site='s'/></spatial>"
                     "<fixed damping='2'><joint joint='hinge' coef='2'/><joint joint='side' "
                     "coef='-1'/></fixed></tendon><actuator>"
                     "<position joint='hinge' kp='3' kv='.5' gear='2'/>"
                     "<position jointinparent='ball' kp='2' kv='.3' gear='1 2 3'/>"
                     "<general jointinparent='free' gear='1 2 3 4 5 6' biastype='affine' biasprm='0 0 -1'/>"
                     "<general tendon='t' gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='0 0 "
                     "-1'/>"
                     "<general site='c' refsite='s' gear='1 2 3 .1 .2 .3' gaintype='affine' gainprm='1 2 3' "
                     "dyntype='filter' dynprm='.1' actearly='true'/>"
                     "<position slidersite='a' cranksite='c' cranklength='1' kp='1' kv='.2' gear='3'/>"
                     "<muscle joint='hinge' lengthrange='-1 1'/><muscle tendon='t' lengthrange='.5 2'/>"
                     "<motor joint='side' forcerange='-.1 .1'/>"
                     "<general joint='side' forcerange='-1 1' gaintype='affine' gainprm='1 2 3' "
                     "ctrlrange='-.5 .5'/>"
                     "</actuator></mujoco>",
          4, 1e-4);
}

static void fluids(void** state)
{
    (void)state;
    check(
        "box",
        "<mujoco><option density='1000' viscosity='2' wind='1 2 3'><flag contact='disable'/></option>" BODIES(
            PLAIN) "</mujoco>",
        4, 1e-4);
    check(
        "ellipsoid",
        "<mujoco><option density='1000' viscosity='2' wind='1 2 3'><flag contact='disable'/></option>" BODIES(
            SWIMMER) "</mujoco>",
        4, 1e-3);
}

// Points that coincide, ends in the surface of a geom or opposite each other, at rest in a fluid, joints at
// their rest, a rod out of reach: numbers, whatever they are.
static void neverNaN(void** state)
{
    (void)state;
    snModel* m = load(
        "<mujoco><option density='1000' viscosity='1'><flag contact='disable'/></option><worldbody>"
        "<site name='w' pos='0 0 .5'/><geom name='ball' size='.1' pos='0 0 .4' contype='0'/>"
        "<geom name='roll' type='cylinder' size='.1 .1' pos='0 0 .4' contype='0'/><site name='far' pos='0 0 "
        ".2'/>"
        "<site name='in' pos='0 0 .401'/><body pos='0 0 .5'><joint name='b' type='ball' "
        "stiffness='1'/>" SWIMMER
        "<site name='s'/><site name='t' pos='0 0 .1'/></body><body><freejoint/>" PLAIN
        "</body></worldbody><tendon>"
        "<spatial name='none' damping='1' stiffness='1'><site site='w'/><site site='s'/></spatial>"
        "<spatial damping='1' stiffness='1'><site site='t'/><geom geom='ball'/><site site='far'/></spatial>"
        "<spatial damping='1' stiffness='1'><site site='s'/><geom geom='ball'/><site site='far'/></spatial>"
        "<spatial damping='1' stiffness='1'><site site='t'/><geom geom='ball' sidesite='in'/><site "
        "site='far'/></spatial>"
        "<spatial damping='1' stiffness='1'><site site='s'/><geom geom='roll'/><site site='far'/></spatial>"
        "<spatial damping='1' stiffness='1'><site site='t'/><geom geom='roll' sidesite='in'/><site "
        "site='t'/></spatial>"
        "</tendon><actuator><position joint='b' kp='1' kv='1' gear='1 1 1'/><position tendon='none' kv='1'/>"
        "<position site='s' refsite='w' gear='1 1 1 1 1 1' kv='1'/>"
        "<position slidersite='w' cranksite='s' cranklength='1e-9' kv='1'/></actuator></mujoco>");
    snData* d = sn_makeData(m);
    const int count = m->nv * m->nv;
    double *q = zeros(m->nv, m->nv), *v = zeros(m->nv, m->nv), *u = zeros(m->nv, m->nu);
    snForceDerivative sum = {.q = q, .v = v, .u = u};
    for (int moving = 0; moving < 2; moving++) {
        for (int k = 0; k < m->nv; k++) d->qvel[k] = moving;
        sn_forward(m, d);
        assert_int_equal(sn_passiveDerivative(m, d, &sum, NULL), SN_STATUS_OK);
        assert_int_equal(sn_actuatorDerivative(m, d, &sum, NULL), SN_STATUS_OK);
        for (int bias = 0; bias < 2; bias++)
            assert_int_equal(sn_dampingDerivative(m, d, w, bias, q, v, NULL, u, NULL), SN_STATUS_OK);
        for (int e = 0; e < count; e++) assert_true(isfinite(q[e]) && isfinite(v[e]));
    }
    free(q);
    free(v);
    free(u);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Each force of a servo is a square; at the bound of a torque there is none.
static void orientations(void** state)
{
    (void)state;
    check("orientations",
          "<mujoco>" OFF BODIES(
              PLAIN) "<actuator><orientation joint='ball' kp='3' kv='.4'/>"
                     "<orientation site='c' refsite='s' kp='2' kv='.3' input='quat'/>"
                     "<orientation site='b' refsite='w' kp='2' kv='.7' forcerange='0 .1'/></actuator>"
                     "<custom><text name='sinew_physics' data='4.0'/></custom></mujoco>",
          3, 1e-4);
}

// In a full arena: an error, and the data as it was.
static void fullArena(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><option density='9'/>" BODIES(
        SWIMMER) "<actuator><motor joint='side'/></actuator></mujoco>");
    snData *d = sn_makeData(m), *before = sn_makeData(m);
    double *q = zeros(m->nv, m->nv), *v = zeros(m->nv, m->nv);
    snForceDerivative sum = {.q = q, .v = v};
    randomState(m, d, 1, .6, 1);
    sn_copyData(before, m, d);
    for (size_t left = 0; left < 16384; left += 64) {
        snError error = {0};
        const size_t stack = d->pstack;
        d->pstack = d->narena - d->parena - left;
        const snStatus status[3] = {sn_actuatorDerivative(m, d, &sum, &error),
                                    sn_passiveDerivative(m, d, &sum, &error),
                                    sn_dampingDerivative(m, d, w, 1, q, v, NULL, NULL, &error)};
        d->pstack = stack;
        for (int k = 0; k < 3; k++)
            assert_true(status[k] == SN_STATUS_NO_MEMORY || (left >= 1024 && status[k] == SN_STATUS_OK));
        if (left == 0) assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
        assert_memory_equal(d->cvel, before->cvel, 6 * (size_t)m->nbody * sizeof(double));
        assert_memory_equal(d->cdof_dot, before->cdof_dot, 6 * (size_t)m->nv * sizeof(double));
        assert_memory_equal(d->qvel, before->qvel, (size_t)m->nv * sizeof(double));
    }
    free(q);
    free(v);
    sn_deleteData(before);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bias),     cmocka_unit_test(tendonsAndActuators),
        cmocka_unit_test(fluids),   cmocka_unit_test(fullArena),
        cmocka_unit_test(neverNaN), cmocka_unit_test(orientations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
