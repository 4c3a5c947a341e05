// Torques to controls: what sn_fwdActuation makes of them is the torque asked for, within limits that are
// just those of the actuators; what they cannot give goes to qfrc_applied.
#include <float.h>
#include <math.h>
#include "base/memory.h"
#include "control/actuator/torque.h"
#include "math/vec.h"
#include "model_text.h"
#include "random_tree.h"

// A chain of two hinges and a slide on a free base, with what `rest` adds behind the bodies.
#define CHAIN(joint, rest)                                                                                   \
    "<mujoco><option><flag contact='disable'/></option><worldbody>"                                          \
    "<body name='base'><freejoint/><geom size='.1'/><site name='base'/><site name='top' pos='.15 .05 .25'/>" \
    "<body pos='.1 0 .2'><joint name='a' axis='0 1 0' " joint                                                \
    "/><geom type='capsule' size='.03' fromto='0 0 0 0 0 .4'/>"                                              \
    "<site name='middle' pos='.05 .02 .3'/>"                                                                 \
    "<body pos='0 0 .4'><joint name='b' axis='1 0 0'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 "   \
    "0'/>"                                                                                                   \
    "<site name='end' pos='.2 .05 .02'/>"                                                                    \
    "<body pos='.3 0 0'><joint name='c' type='slide' axis='1 1 0'/><geom size='.04'/><site name='tip' "      \
    "pos='.02 .03 .04'/>"                                                                                    \
    "</body></body></body></body></worldbody>" rest "</mujoco>"

typedef struct Case {
    snModel* m;
    snData* d;
    snControlActuators* a;
    double *tau, *lower, *upper;
} Case;

static Case open(const char* xml)
{
    Case c = {.m = load(xml)};
    c.d = sn_makeData(c.m);
    snError error = {0};
    c.a = sn_makeControlActuators(c.m, &error);
    if (!c.a) fail_msg("%s", error.message);
    c.tau = sn_malloc((size_t)c.m->nv * 3 * sizeof(double));
    c.lower = c.tau + c.m->nv;
    c.upper = c.lower + c.m->nv;
    return c;
}

static void close(Case* c)
{
    sn_free(c->tau);
    sn_freeControlActuators(c->a);
    sn_deleteData(c->d);
    sn_deleteModel(c->m);
}

static void anyState(Case* c, Random* random)
{
    for (int i = 0; i < c->m->nq; i++) c->d->qpos[i] = c->m->qpos0[i] + randomReal(random);
    for (int i = 0; i < c->m->nv; i++) c->d->qvel[i] = randomReal(random);
    for (int i = 0; i < c->m->nu; i++) c->d->ctrl[i] = randomReal(random);
    for (int i = 0; i < c->m->na; i++) c->d->act[i] = 0.5 + 0.5 * randomReal(random);
    sn_fwdPosition(c->m, c->d);
    sn_fwdVelocity(c->m, c->d);
    sn_controlTorqueLimits(c->m, c->d, c->a, c->lower, c->upper);
    for (int i = 0; i < c->m->nv; i++) assert_true(c->lower[i] <= c->upper[i]);
}

// Torques inside the limits of actuated dofs, given ones elsewhere.
static void randomTorque(Case* c, Random* random)
{
    sn_controlGiven(c->m, c->d, c->a, c->tau);
    for (int i = 0; i < c->m->nv; i++) {
        if (!c->a->actuated[i]) continue;
        const double low = fmax(c->lower[i], -100), high = fmin(c->upper[i], 100);
        c->tau[i] = low + (high - low) * 0.5 * (1 + randomReal(random));
    }
}

static void expectNear(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.17g, not %.17g", value, wanted);
}

static void expectControls(const Case* c)
{
    for (int i = 0; i < c->m->nu; i++) {
        const double* range = c->m->actuator_ctrlrange + 2 * i;
        assert_true(isfinite(c->d->ctrl[i]));
        if (c->m->actuator_ctrllimited[i] && c->a->spanned[i])
            assert_true(c->d->ctrl[i] >= range[0] && c->d->ctrl[i] <= range[1]);
    }
}

// qfrc_actuator is tau, and with qfrc_applied of owned dofs in any case. `scale`: of the forces that cancel.
static void expectTorque(Case* c, double scale, bool alone)
{
    sn_fwdActuation(c->m, c->d);
    expectControls(c);
    for (int i = 0; i < c->m->nv; i++) {
        const double own = c->a->owned[i] ? c->d->qfrc_applied[i] : 0;
        if (alone) assert_false(c->a->owned[i]);
        expectNear(c->d->qfrc_actuator[i] + own, c->tau[i], 1e-12 * (scale + fabs(c->tau[i])));
    }
}

static void writeMany(const char* xml, double scale, int output)
{
    Case c = open(xml);
    Random random = {7};
    for (int k = 0; k < 200; k++) {
        anyState(&c, &random);
        randomTorque(&c, &random);
        assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), output);
        expectTorque(&c, scale, output == SN_OUTPUT_CTRL);
    }
    close(&c);
}

static void test_motors(void** state)
{
    (void)state;
    writeMany(CHAIN("",
                    "<actuator><motor joint='a' gear='50' ctrlrange='-1 1' ctrllimited='true'/>"
                    "<motor joint='b' gear='-3'/><motor joint='c' gear='2' forcerange='-7 9'/></actuator>"),
              0, SN_OUTPUT_CTRL);
}

static void test_servos(void** state)
{
    (void)state;
    writeMany(
        CHAIN("actuatorfrcrange='-20 30'",
              "<actuator><position joint='a' kp='200' kv='3' ctrlrange='-1 1.5'/>"
              "<velocity joint='b' kv='30' gear='2' ctrlrange='-4 3' forcerange='-50 20'/>"
              "<general joint='c' gainprm='5' biastype='affine' biasprm='1 -20 -2' gear='.5'/></actuator>"),
        200, SN_OUTPUT_CTRL);
}

static void test_gain_affine(void** state)
{
    (void)state;
    writeMany(CHAIN("", "<actuator><general joint='a' gaintype='affine' gainprm='3 .5 .2' ctrlrange='-2 2'/>"
                        "<damper joint='b' kv='20' ctrlrange='0 1'/>"
                        "<motor joint='c'/></actuator>"),
              20, SN_OUTPUT_CTRL);
}

// Several actuators on one dof: of those that give the torque within their limits the least forces.
static void test_several(void** state)
{
    (void)state;
    const char* xml = CHAIN(
        "", "<actuator><motor joint='a' gear='2' ctrlrange='-1 1'/>"
            "<motor joint='a' gear='-3' ctrlrange='0 4'/>"
            "<position joint='a' kp='10' ctrlrange='-1 1'/>"
            "<motor joint='a' gear='1' ctrlrange='-20 30'/>"
            "<motor joint='b'/><motor joint='b' gear='2' ctrlrange='-1 1'/><motor joint='c'/></actuator>");
    writeMany(xml, 50, SN_OUTPUT_CTRL);
    Case c = open(xml);
    Random random = {8};
    for (int k = 0; k < 100; k++) {
        anyState(&c, &random);
        randomTorque(&c, &random);
        sn_controlWrite(c.m, c.d, c.a, c.tau);
        sn_fwdActuation(c.m, c.d);
        // Forces inside their limits are arm lambda for one lambda.
        const double high[4] = {1, 4, DBL_MAX, 30}, low[4] = {-1, 0, -DBL_MAX, -20}, arm[4] = {2, -3, 1, 1};
        double lambda = NAN;
        for (int i = 0; i < 4; i++) {
            const double force = c.d->actuator_force[i];
            if (i == 2 || force <= low[i] + 1e-9 || force >= high[i] - 1e-9) continue;
            if (isnan(lambda)) lambda = force / arm[i];
            expectNear(force / arm[i], lambda, 1e-12 * (20 + fabs(lambda)));
        }
    }
    close(&c);
}

// The limits are tight: at them the torque comes out, a little beyond it does not.
static void test_limits_tight(void** state)
{
    (void)state;
    Case c = open(CHAIN("actuatorfrcrange='-9 9'",
                        "<actuator><motor joint='a' gear='10' ctrlrange='-1 1'/>"
                        "<position joint='b' kp='100' ctrlrange='-.5 .5' forcerange='-30 20'/>"
                        "<position joint='c' kp='50' kv='4' ctrlrange='-1 1'/>"
                        "<motor joint='c' ctrlrange='-3 2'/></actuator>"));
    Random random = {9};
    for (int k = 0; k < 300; k++) {
        anyState(&c, &random);
        for (int side = 0; side < 2; side++) {
            const double* limit = side ? c.upper : c.lower;
            for (int i = 6; i < 9; i++) c.tau[i] = limit[i];
            for (int i = 0; i < 6; i++) c.tau[i] = 0;
            assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), SN_OUTPUT_CTRL);
            expectTorque(&c, 100, true);
            for (int i = 6; i < 9; i++) c.tau[i] = limit[i] + (side ? 1 : -1);
            assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), SN_OUTPUT_CTRL);
            sn_fwdActuation(c.m, c.d);
            expectControls(&c);
            for (int i = 6; i < 9; i++) expectNear(c.d->qfrc_actuator[i], limit[i], 1e-11);
        }
    }
    close(&c);
}

// What holds in any state holds the limits of each.
static void test_range(void** state)
{
    (void)state;
    Case c = open(CHAIN("", "<actuator><motor joint='a' gear='-10' ctrlrange='-1 2' forcerange='-5 1.5'/>"
                            "<position joint='b' kp='100' ctrlrange='-.5 .5' forcerange='-30 20' gear='2'/>"
                            "<motor joint='b' ctrlrange='-3 2'/><motor joint='c'/></actuator>"));
    double low[9], high[9];
    sn_controlTorqueRange(c.m, c.a, low, high);
    assert_true(low[6] == -15 && high[6] == 10 && low[7] == -63 && high[7] == 42);
    assert_true(isinf(low[8]) && isinf(high[8]) && isinf(low[0]) && isinf(high[0]));
    Random random = {10};
    for (int k = 0; k < 50; k++) {
        anyState(&c, &random);
        for (int i = 6; i < 9; i++)
            assert_true(c.lower[i] >= low[i] - 1e-12 && c.upper[i] <= high[i] + 1e-12);
    }
    close(&c);
}

static void test_gravity_compensation(void** state)
{
    (void)state;
    static const char xml[] =
        "<mujoco><worldbody><body gravcomp='1'><joint name='a' axis='0 1 0' actuatorgravcomp='true' "
        "actuatorfrcrange='-40 40'/><geom size='.1' pos='.2 0 0' mass='10'/>"
        "<body pos='.3 0 0' gravcomp='.7'><joint name='b' axis='0 1 0' actuatorgravcomp='true'/>"
        "<geom size='.1' pos='.2 0 0' mass='3'/></body></body></worldbody>"
        "<actuator><motor joint='a' ctrlrange='-20 20'/></actuator></mujoco>";
    Case c = open(xml);
    assert_true(c.a->actuated[0] && !c.a->actuated[1]);
    Random random = {11};
    for (int k = 0; k < 100; k++) {
        anyState(&c, &random);
        randomTorque(&c, &random);
        assert_true(fabs(c.d->qfrc_gravcomp[0]) > 0.1);
        assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), SN_OUTPUT_CTRL);
        expectTorque(&c, 20, true);
    }
    close(&c);
}

// Without actuators: all but free joints, in qfrc_applied.
static void test_none(void** state)
{
    (void)state;
    Case c = open(CHAIN("actuatorfrcrange='-20 30'", ""));
    for (int i = 0; i < 9; i++) assert_int_equal(c.a->actuated[i], i >= 6);
    double low[9], high[9];
    sn_controlTorqueRange(c.m, c.a, low, high);
    assert_true(low[6] == -20 && high[6] == 30 && isinf(low[7]) && isinf(high[7]));
    Random random = {12};
    anyState(&c, &random);
    c.d->qfrc_applied[0] = 5;
    for (int i = 0; i < 9; i++) c.tau[i] = i < 6 ? 0 : i;
    assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), SN_OUTPUT_APPLIED);
    for (int i = 6; i < 9; i++) assert_true(c.d->qfrc_applied[i] == i && c.a->owned[i]);
    assert_true(c.d->qfrc_applied[0] == 5 && !c.a->owned[0]);
    close(&c);
}

// A dof that the caller has made actuated, and actuators on the others.
static void test_both(void** state)
{
    (void)state;
    Case c = open(CHAIN("", "<actuator><motor joint='a'/></actuator>"));
    assert_true(c.a->actuated[6] && !c.a->actuated[7]);
    Random random = {13};
    anyState(&c, &random);
    for (int i = 0; i < 9; i++) c.tau[i] = i < 7 ? 0 : 3;
    assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), SN_OUTPUT_BOTH);
    expectTorque(&c, 1, false);
    assert_true(c.a->owned[7] && c.a->owned[8] && c.d->qfrc_applied[7] == 3);
    c.tau[7] = c.tau[8] = 0;
    assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), SN_OUTPUT_CTRL);
    assert_true(!c.a->owned[7] && c.d->qfrc_applied[7] == 0);
    close(&c);
}

// Muscles and filters are not spanned: their dofs are actuated, and qfrc_applied gives what they do not.
static void test_not_spanned(void** state)
{
    (void)state;
    writeMany(
        CHAIN("range='-1 1'",
              "<actuator><muscle joint='a' lengthrange='.5 1.5'/>"
              "<motor joint='a' ctrlrange='-5 5'/>"
              "<general joint='b' dyntype='filter' dynprm='.1' gainprm='4'/><motor joint='c'/></actuator>"),
        1000, SN_OUTPUT_BOTH);
    Case c = open(CHAIN("", "<actuator><general joint='b' dyntype='integrator' gainprm='4'/></actuator>"));
    assert_true(c.a->actuated[7] && !c.a->actuated[6] && !c.a->spanned[0]);
    close(&c);
}

// tau of random forces of the spanned actuators: those rows hold it, and the controls give it.
static void coupled(const char* xml, double scale, bool independent)
{
    Case c = open(xml);
    const int nv = c.m->nv;
    double *G = sn_malloc((size_t)(c.a->rows * nv + 2 * nv) * sizeof(double)), *low = G + c.a->rows * nv;
    Random random = {14};
    for (int k = 0; k < 100; k++) {
        anyState(&c, &random);
        sn_fwdActuation(c.m, c.d);
        memcpy(c.tau, c.d->qfrc_actuator, (size_t)nv * sizeof(double));
        const int rows = sn_controlTorqueRows(c.m, c.d, c.a, nv, G, low, low + nv);
        assert_true(rows <= c.a->rows);
        for (int r = 0; r < rows; r++) {
            double sum = 0;
            for (int i = 0; i < nv; i++) sum += G[r * nv + i] * c.tau[i];
            if (independent) assert_true(low[r] <= low[nv + r]);
            assert_true(sum >= low[r] - 1e-8 * scale && sum <= low[nv + r] + 1e-8 * scale);
        }
        for (int i = 0; i < nv; i++)
            assert_true(c.tau[i] >= c.lower[i] - 1e-10 * scale && c.tau[i] <= c.upper[i] + 1e-10 * scale);
        for (int i = 0; i < c.m->nu; i++)
            if (c.a->spanned[i]) c.d->ctrl[i] = 0;
        assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), SN_OUTPUT_CTRL);
        expectTorque(&c, scale, true);
    }
    sn_free(G);
    close(&c);
}

#define TENDONS                                                                                              \
    "<tendon><fixed name='f'><joint joint='a' coef='1'/><joint joint='b' coef='-.5'/></fixed>"               \
    "<spatial name='s'><site site='top'/><site site='end'/></spatial>"                                       \
    "<spatial name='t'><site site='middle'/><site site='tip'/></spatial></tendon>"

static void test_tendons(void** state)
{
    (void)state;
    coupled(CHAIN("", TENDONS "<actuator><motor tendon='f' ctrlrange='-10 10'/></actuator>"), 10, true);
    coupled(CHAIN("", TENDONS "<actuator><position tendon='f' kp='10'/><motor tendon='s' ctrlrange='-2 2'/>"
                              "<motor joint='c' gear='3'/></actuator>"),
            100, true);
    coupled(CHAIN("",
                  TENDONS "<actuator><motor tendon='s' ctrlrange='-2 0'/><motor tendon='t' ctrlrange='-2 0'/>"
                          "<motor joint='b' ctrlrange='-1 1'/></actuator>"),
            1000, true);
}

// The base is never among the dofs of a tendon inside the robot.
static void test_tendon_inside(void** state)
{
    (void)state;
    Case c = open(CHAIN("", TENDONS "<actuator><motor tendon='s'/><motor tendon='t'/></actuator>"));
    for (int i = 0; i < 9; i++) assert_int_equal(c.a->actuated[i], i >= 6);
    assert_int_equal(c.a->rows, 3);
    close(&c);
}

// Thrusters on a free body: four of six dofs; what they do not span needs qfrc_applied.
static void test_thrusters(void** state)
{
    (void)state;
    static const char xml[] =
        "<mujoco><worldbody><body><freejoint/><geom type='box' size='.2 .2 .03'/>"
        "<site name='p' pos='.2 .2 0'/><site name='q' pos='-.2 .2 0'/><site name='r' pos='-.2 -.2 0'/>"
        "<site name='s' pos='.2 -.2 0'/></body></worldbody><actuator>"
        "<motor site='p' gear='0 0 1 0 0 .1' ctrlrange='0 9'/><motor site='q' gear='0 0 1 0 0 -.1' "
        "ctrlrange='0 9'/>"
        "<motor site='r' gear='0 0 1 0 0 .1' ctrlrange='0 9'/><motor site='s' gear='0 0 1 0 0 -.1' "
        "ctrlrange='0 9'/>"
        "</actuator></mujoco>";
    Case c = open(xml);
    for (int i = 0; i < 6; i++) assert_true(c.a->actuated[i]);
    assert_int_equal(c.a->rows, 6);
    Random random = {15};
    for (int k = 0; k < 50; k++) {
        anyState(&c, &random);
        for (int i = 0; i < 4; i++) c.d->ctrl[i] = 4 + 3 * randomReal(&random);
        sn_fwdActuation(c.m, c.d);
        memcpy(c.tau, c.d->qfrc_actuator, sizeof(double) * 6);
        assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), SN_OUTPUT_CTRL);
        expectTorque(&c, 10, true);
        c.tau[0] += 1; // along the world's x: hardly ever what they span
        assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), SN_OUTPUT_BOTH);
        sn_fwdActuation(c.m, c.d);
        if (c.d->ctrl[0] > 0 && c.d->ctrl[1] > 0 && c.d->ctrl[2] > 0 && c.d->ctrl[3] > 0)
            expectTorque(&c, 10, false);
    }
    close(&c);
}

#define CABLES                                                                                               \
    CHAIN("", "<tendon><fixed name='f'><joint joint='a' coef='1'/><joint joint='b' coef='1'/></fixed>"       \
              "<fixed name='g'><joint joint='a' coef='-1'/><joint joint='b' coef='.5'/></fixed>"             \
              "<fixed name='h'><joint joint='a' coef='.3'/><joint joint='b' coef='-1'/></fixed></tendon>"    \
              "<actuator><motor tendon='f' ctrlrange='0 1'/><motor tendon='g' ctrlrange='0 1'/>"             \
              "<motor tendon='h' ctrlrange='0 1'/></actuator>")

// Cables that only pull, more of them than dofs.
static void test_antagonists(void** state)
{
    (void)state;
    coupled(CABLES, 1, false);
}

// Of all forces in their limits that give the torque those of least norm: none is less along what the cables
// can do against each other, (a x b) of their arms on the two dofs.
static void test_antagonists_least(void** state)
{
    (void)state;
    Case c = open(CABLES);
    const double against[3] = {1 * 1 - 0.3 * 0.5, 0.3 * 1 + 1 * 1, 1 * 0.5 + 1 * 1};
    Random random = {17};
    int limited = 0;
    for (int k = 0; k < 200; k++) {
        anyState(&c, &random);
        for (int i = 0; i < 3; i++) c.d->ctrl[i] = 0.5 + 0.5 * randomReal(&random);
        sn_fwdActuation(c.m, c.d);
        memcpy(c.tau, c.d->qfrc_actuator, 9 * sizeof(double));
        sn_controlWrite(c.m, c.d, c.a, c.tau);
        // The norm along f + s against is least at s = 0, or a limit is in the way.
        double slope = 0, square = 0;
        for (int i = 0; i < 3; i++) slope += c.d->ctrl[i] * against[i], square += against[i] * against[i];
        if (fabs(slope) <= 1e-12 * square) continue;
        bool held = false; // `against` is positive: a positive slope wants all forces less
        for (int i = 0; i < 3; i++)
            held = held || (slope > 0 ? c.d->ctrl[i] <= 1e-12 : c.d->ctrl[i] >= 1 - 1e-12);
        assert_true(held);
        limited++;
    }
    assert_true(limited > 20);
    close(&c);
}

// Beyond what they can give: the nearest torque, in their limits.
static void test_antagonists_saturated(void** state)
{
    (void)state;
    Case c = open(CABLES);
    Random random = {18};
    for (int k = 0; k < 200; k++) {
        anyState(&c, &random);
        memset(c.tau, 0, 9 * sizeof(double));
        c.tau[6] = 3 * randomReal(&random);
        c.tau[7] = 3 * randomReal(&random);
        assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), SN_OUTPUT_CTRL);
        sn_fwdActuation(c.m, c.d);
        expectControls(&c);
        const double* f = c.d->qfrc_actuator;
        const double away = hypot(f[6] - c.tau[6], f[7] - c.tau[7]);
        for (int i = 0; i < 200; i++) {
            double p[3];
            for (int e = 0; e < 3; e++) p[e] = 0.5 + 0.5 * randomReal(&random);
            const double a = p[0] - p[1] + 0.3 * p[2], b = p[0] + 0.5 * p[1] - p[2];
            assert_true(hypot(a - c.tau[6], b - c.tau[7]) >= away - 1e-9);
        }
    }
    close(&c);
}

static void test_ball(void** state)
{
    (void)state;
    coupled("<mujoco><worldbody><body><joint name='k' type='ball'/><geom size='.1' pos='.2 0 "
            "0'/></body></worldbody>"
            "<actuator><motor joint='k' gear='1 0 0'/><motor joint='k' gear='0 2 .1'/>"
            "<motor jointinparent='k' gear='0 0 1'/></actuator></mujoco>",
            10, true);
}

// Arms that the pose decides, inside the robot and from the world; adhesion is the caller's.
static void test_sites(void** state)
{
    (void)state;
    coupled(CHAIN("",
                  "<actuator><motor site='tip' refsite='base' gear='1 2 3 .1 .2 .3' ctrlrange='-3 3'/>"
                  "<general site='end' refsite='top' gear='0 0 0 1 2 3' biastype='affine' biasprm='1 2 3'/>"
                  "<motor cranksite='end' slidersite='top' cranklength='2'/></actuator>"),
            100, true);
    coupled(CHAIN("", "<actuator><motor site='tip' gear='1 2 3 .1 .2 .3' ctrlrange='-3 3'/>"
                      "<motor site='base' gear='1 0 0 0 0 0'/><motor joint='b'/>"
                      "<adhesion body='base' ctrlrange='0 1'/></actuator>"),
            100, true);
    Case c = open(CHAIN("", "<actuator><adhesion body='base' ctrlrange='0 1'/></actuator>"));
    for (int i = 0; i < 9; i++) assert_true(c.a->actuated[i] == (i >= 6) && !c.a->spanned[0]);
    close(&c);
}

static void test_switched_off(void** state)
{
    (void)state;
    Case c = open(CHAIN("", "<actuator><motor joint='a' group='1'/><motor joint='b'/></actuator>"));
    c.m->opt.disableactuator = 2;
    Random random = {16};
    anyState(&c, &random);
    assert_true(c.lower[6] == 0 && c.upper[6] == 0);
    sn_freeControlActuators(c.a);
    c.a = sn_makeControlActuators(c.m, NULL);
    assert_true(!c.a->actuated[6] && c.a->actuated[7]);
    c.m->opt.disableflags |= SN_DSBL_ACTUATION;
    sn_freeControlActuators(c.a);
    c.a = sn_makeControlActuators(c.m, NULL);
    for (int i = 0; i < 9; i++) assert_int_equal(c.a->actuated[i], i >= 6);
    for (int i = 0; i < 9; i++) c.tau[i] = i < 6 ? 0 : i;
    assert_int_equal(sn_controlWrite(c.m, c.d, c.a, c.tau), SN_OUTPUT_APPLIED);
    for (int i = 6; i < 9; i++) assert_true(c.d->qfrc_applied[i] == i);
    close(&c);
}

static void test_memory(void** state)
{
    (void)state;
#ifdef SN_TEST_HOOKS
    snModel* m = load(CHAIN("", TENDONS "<actuator><motor tendon='s'/><motor joint='c'/></actuator>"));
    snControlActuators* a = NULL;
    for (int allowed = 0; !a && allowed < 100; allowed++) {
        int left = allowed;
        snError error = {0};
        sn_setAllocHook(countdown, &left);
        a = sn_makeControlActuators(m, &error);
        sn_setAllocHook(NULL, NULL);
        if (!a) assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
    }
    assert_non_null(a);
    snData* d = sn_makeData(m);
    sn_fwdPosition(m, d);
    sn_fwdVelocity(m, d);
    const double tau[9] = {0, 0, 0, 0, 0, 0, 1, 2, 3};
    int none = 0;
    sn_setAllocHook(countdown, &none);
    sn_controlWrite(m, d, a, tau);
    sn_setAllocHook(NULL, NULL);
    assert_int_equal(none, 0);
    sn_deleteData(d);
    sn_freeControlActuators(a);
    sn_freeControlActuators(NULL);
    sn_deleteModel(m);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motors),
        cmocka_unit_test(test_servos),
        cmocka_unit_test(test_gain_affine),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_limits_tight),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_gravity_compensation),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_not_spanned),
        cmocka_unit_test(test_tendons),
        cmocka_unit_test(test_tendon_inside),
        cmocka_unit_test(test_thrusters),
        cmocka_unit_test(test_antagonists),
        cmocka_unit_test(test_antagonists_least),
        cmocka_unit_test(test_antagonists_saturated),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_sites),
        cmocka_unit_test(test_switched_off),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
