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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bias),
        cmocka_unit_test(tendonsAndActuators),
        cmocka_unit_test(fluids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
