// Derivatives of actuators, their arms and their activations against differences of the stages.
#include <stdio.h>
#include <sinew/muscle.h>
#include "derivative/force/force.h"
#include "model/arena.h"
#include "smooth/actuator/law/muscle.h"
#include "derivative/stage_difference.h"

static void actuatorForce(const snModel* m, snData* d, double* out)
{
    memcpy(out, d->qfrc_actuator, (size_t)m->nv * sizeof(double));
}

static void lengths(const snModel* m, snData* d, double* out)
{
    memcpy(out, d->actuator_length, (size_t)m->nout * sizeof(double));
}

static void rates(const snModel* m, snData* d, double* out)
{
    memcpy(out, d->act_dot, (size_t)m->na * sizeof(double));
}

// Activations after a step.
static void next(const snModel* m, snData* d, double* out)
{
    snData* stepped = sn_makeData(m);
    sn_copyData(stepped, m, d);
    sn_step(m, stepped);
    memcpy(out, stepped->act, (size_t)m->na * sizeof(double));
    sn_deleteData(stepped);
}

static int output;

static void arms(const snModel* m, snData* d, double* out)
{
    memset(out, 0, (size_t)m->nv * sizeof(double));
    for (int e = d->moment_rowadr[output], end = e + d->moment_rownnz[output]; e < end; e++)
        out[d->moment_colind[e]] = d->actuator_moment[e];
}

static double* zeros(int rows, int columns)
{
    return calloc((size_t)rows * (size_t)columns + 1, sizeof(double));
}

static void checkForces(const char* what, const snModel* m, snData* d, double h)
{
    const int nv = m->nv;
    double *q = zeros(nv, nv), *v = zeros(nv, nv), *act = zeros(nv, m->na), *u = zeros(nv, m->nu);
    snForceDerivative sum = {q, v, act, u};
    snError error = {0};
    if (sn_actuatorDerivative(m, d, &sum, &error)) fail_msg("%s: %s", what, error.message);
    assertDerivative(what, m, d, BY_POSITION, actuatorForce, nv, h, 1e-9, q);
    assertDerivative(what, m, d, BY_VELOCITY, actuatorForce, nv, h, 1e-9, v);
    assertDerivative(what, m, d, BY_ACTIVATION, actuatorForce, nv, h, 1e-9, act);
    assertDerivative(what, m, d, BY_CONTROL, actuatorForce, nv, h, 1e-9, u);
    free(q);
    free(v);
    free(act);
    free(u);
}

static void checkLengths(const char* what, const snModel* m, snData* d, double h)
{
    double *g = zeros(m->nout, m->nv), *H = zeros(m->nv, m->nv);
    for (int i = 0; i < m->nactuator; i++)
        for (int k = 0; k < m->actuator_outnum[i]; k++) {
            output = m->actuator_outadr[i] + k;
            memset(H, 0, (size_t)(m->nv * m->nv) * sizeof(double));
            if (m->actuator_outnum[i] > 1) {
                sn_axisLengthGradient(m, d, i, k, 1, g + output * m->nv);
                sn_axisMomentDerivative(m, d, i, k, 1, H);
            } else {
                sn_actuatorLengthGradient(m, d, i, 1, g + output * m->nv);
                sn_momentDerivative(m, d, i, 1, H);
            }
            assertDerivative(what, m, d, BY_POSITION, arms, m->nv, h, 1e-9, H);
        }
    assertDerivative(what, m, d, BY_POSITION, lengths, m->nout, h, 1e-9, g);
    free(g);
    free(H);
}

// Columns [at, at + count) of the slopes of activations, in to.
static void takeSlopes(const snActivationSlopes* from, int at, int count, double* to)
{
    for (int e = 0; e < from->count; e++) {
        const snActivationSlope* s = from->list + e;
        if (at <= s->column && s->column < at + count) to[s->row * count + s->column - at] += s->slope;
    }
}

static void checkActivations(const char* what, const snModel* m, snData* d, double h)
{
    const int nv = m->nv, na = m->na, nu = m->nu;
    for (int step = 0; step < 2; step++) {
        double *q = zeros(na, nv), *v = zeros(na, nv), *act = zeros(na, na), *u = zeros(na, nu);
        const size_t mark = sn_scratchMark(d);
        snActivationSlopes slopes;
        assert_int_equal((step ? sn_activationDerivative : sn_activationRateDerivative)(m, d, &slopes, NULL),
                         SN_STATUS_OK);
        takeSlopes(&slopes, 0, nv, q);
        takeSlopes(&slopes, nv, nv, v);
        takeSlopes(&slopes, 2 * nv, na, act);
        takeSlopes(&slopes, 2 * nv + na, nu, u);
        sn_scratchRelease(d, mark);
        StageOutput* const out = step ? next : rates;
        assertDerivative(what, m, d, BY_POSITION, out, na, h, 1e-9, q);
        assertDerivative(what, m, d, BY_VELOCITY, out, na, h, 1e-9, v);
        assertDerivative(what, m, d, BY_ACTIVATION, out, na, h, 1e-9, act);
        assertDerivative(what, m, d, BY_CONTROL, out, na, h, 1e-9, u);
        free(q);
        free(v);
        free(act);
        free(u);
    }
}

static void check(const char* what, const char* xml, int states, double far, double speed, double h)
{
    snModel* m = load(xml);
    snData* d = sn_makeData(m);
    for (int s = 0; s < states; s++) {
        randomState(m, d, (unsigned)s, far, speed);
        char name[80];
        snprintf(name, sizeof name, "%s, state %d", what, s);
        checkForces(name, m, d, h);
        checkLengths(name, m, d, h);
        checkActivations(name, m, d, h);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

#define HEAD "<mujoco><option gravity='0 0 -9'><flag contact='disable'/></option><worldbody>"
#define EGG "<geom type='ellipsoid' size='.1 .06 .03' pos='.02 .05 .01' euler='20 30 40'/>"
#define TREE                                                                                                 \
    HEAD "<site name='w' pos='.1 .2 .5' euler='20 30 40'/>"                                                  \
         "<body pos='0 0 1'><joint name='free' type='free'/>" EGG                                            \
         "<site name='a' pos='.05 .01 .1' euler='10 5 7'/>"                                                  \
         "<body pos='.1 .2 .3'><joint name='ball' type='ball' pos='.02 0 .01'/>" EGG                         \
         "<site name='b' pos='.1 .05 0' euler='50 10 20'/>"                                                  \
         "<body pos='.1 0 .2'><joint name='hinge' axis='1 2 3'/><joint name='slide' type='slide' axis='0 1 " \
         "1'/>" EGG "<site name='c' pos='0 .05 .1' euler='30 60 10'/></body></body>"                         \
         "<body pos='.1 0 -.2'><joint name='side' axis='0 1 0'/>" EGG                                        \
         "<site name='s' pos='0 .02 .1'/></body></body></worldbody>"

static void transmissions(void** state)
{
    (void)state;
    const char* servo =
        TREE "<tendon><spatial name='t'><site site='w'/><site site='b'/><site site='c'/></spatial>"
             "<fixed name='f'><joint joint='hinge' coef='2'/><joint joint='side' "
             "coef='-1'/></fixed></tendon><actuator>"
             "<position joint='hinge' kp='3' kv='.5' gear='2'/><position joint='slide' kp='3' kv='.5'/>"
             "<position joint='ball' kp='2' kv='.3' gear='1 2 3'/><position jointinparent='ball' kp='2' "
             "kv='.3' gear='1 2 3'/>"
             "<general joint='free' gear='1 2 3 4 5 6' biastype='affine' biasprm='0 0 -1'/>"
             "<general jointinparent='free' gear='1 2 3 4 5 6' biastype='affine' biasprm='0 0 -1'/>"
             "<position tendon='t' kp='5' kv='.5' gear='2'/><position tendon='f' kp='5' kv='.5'/>"
             "<position site='c' kp='2' kv='.4' gear='1 2 3 .1 .2 .3'/>"
             "<position site='c' refsite='s' kp='2' kv='.4' gear='1 2 3 .1 .2 .3'/>"
             "<position site='b' refsite='w' kp='2' kv='.4' gear='1 2 3 .1 .2 .3'/>"
             "<position slidersite='a' cranksite='c' cranklength='1' kp='1' kv='.2' gear='3'/>"
             "<position slidersite='s' cranksite='b' cranklength='1' kp='1' kv='.2'/>"
             "<position slidersite='w' cranksite='c' cranklength='.01' kp='1' kv='.2'/>"
             "</actuator></mujoco>";
    check("transmissions", servo, 3, .6, 2, 1e-4);
}

static void gains(void** state)
{
    (void)state;
    const char* model = TREE
        "<actuator><general joint='hinge' gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='.5 -1 "
        "-.3'/>"
        "<general joint='slide' dyntype='integrator' gaintype='affine' gainprm='1 2 3'/>"
        "<general joint='side' dyntype='filter' dynprm='.1' gainprm='2' actearly='true'/>"
        "<general joint='ball' gear='1 2 1' dyntype='filterexact' dynprm='.01' gainprm='2' actearly='true'/>"
        "<general site='c' refsite='a' gear='1 2 1' dyntype='filterexact' dynprm='.01' gaintype='affine' "
        "gainprm='2 1 3'/>"
        "<general joint='side' dyntype='integrator' actlimited='true' actrange='.2 .7'/>"
        "<general joint='side' dyntype='integrator' actlimited='true' actrange='.2 .7' actearly='true'/>"
        "</actuator></mujoco>";
    check("gains", model, 4, .6, 2, 1e-4);
}

// Inputs, setpoints that are free and that go as fast as they may, integrals that move and stand, full turns.
static void pids(void** state)
{
    (void)state;
    const char* model = TREE
        "<custom><text name='sinew_physics' data='4.0'/></custom>"
        "<tendon><fixed name='f'><joint joint='hinge' coef='.5'/><joint joint='slide' "
        "coef='-2'/></fixed></tendon>"
        "<actuator><motor joint='side'/><pid joint='hinge' kp='3' kv='.3' gear='2'/>"
        "<pid joint='slide' kp='3' kv='.3' ki='5' imax='.5' slewmax='2000' input='pos vel ff'/>"
        "<general joint='hinge' dyntype='filter' dynprm='.1' gainprm='2'/>"
        "<pid joint='side' kp='3' kv='.3' ki='5' imax='.5' slewmax='5' input='pos ff' posrange='-.4 .5'/>"
        "<pid joint='ball' gear='.2 .1 .2' kp='2' ki='3' input='pos'/><pid tendon='f' input='vel ff' kv='2'/>"
        "<pid jointinparent='ball' gear='.1 .3 .1' kp='2' ki='3' slewmax='200'/>"
        "<pid site='c' refsite='s' gear='0 0 0 .2 .1 .3' kp='2' ki='3' slewmax='3' imax='.7'/>"
        "<general joint='side' gaintype='pid' gainprm='4' biastype='affine' biasprm='.3 -2 -.1' dynprm='.4 "
        "20' "
        "dyntype='pid' actearly='true' input='pos'/>"
        "<general joint='slide' gaintype='pid' gainprm='4' biastype='affine' biasprm='.3 -2 -.1' dynprm='0 "
        "900' "
        "dyntype='pid' actearly='true' actlimited='true' actrange='.3 .6' input='pos'/></actuator></mujoco>";
    check("pids", model, 6, .6, 2, 1e-4);
}

static void muscles(void** state)
{
    (void)state;
    const char* model =
        TREE "<actuator><muscle joint='hinge' lengthrange='-1 1'/>"
             "<muscle joint='side' lengthrange='-.6 .4' tausmooth='.5'/>"
             "<muscle joint='slide' lengthrange='-2 2' force='30' vmax='3' fvmax='1.7' range='.6 1.2'/>"
             "<general site='c' refsite='s' gear='1 0 0' lengthrange='-.3 .3' dyntype='muscle' dynprm='.01 "
             ".04 .3' "
             "gaintype='muscle' gainprm='.75 1.05 10 200 .5 1.6 1.5 1.3 1.2' biastype='muscle' "
             "biasprm='.75 1.05 10 200 .5 1.6 1.5 1.3 1.2' actearly='true'/></actuator></mujoco>";
    check("muscles", model, 8, .8, 2, 3e-5);
}

// Sixth-order difference of a function of x.
static double slope(double (*f)(double x, const double* prm), double x, const double* prm)
{
    const double h = 1e-4;
    return (45 * (f(x + h, prm) - f(x - h, prm)) - 9 * (f(x + 2 * h, prm) - f(x - 2 * h, prm)) +
            f(x + 3 * h, prm) - f(x - 3 * h, prm)) /
           (60 * h);
}

static void assertNear(double x, double y, double tolerance)
{
    if (!(fabs(x - y) <= tolerance * fmax(1, fabs(y)))) fail_msg("%.15g is not %.15g", x, y);
}

static const double stretch[2] = {1, 2};
static double gainOfLength(double x, const double* prm)
{
    return sn_muscleGain(x, -.4, stretch, 1, prm);
}
static double gainOfVelocity(double x, const double* prm)
{
    return sn_muscleGain(1.6, x, stretch, 1, prm);
}
static double biasOfLength(double x, const double* prm)
{
    return sn_muscleBias(x, stretch, 1, prm);
}
static double rateOfAct(double x, const double* prm)
{
    return sn_muscleDynamics(.6, x, prm);
}
static double rateOfCtrl(double x, const double* prm)
{
    return sn_muscleDynamics(x, .4, prm);
}

// All pieces of the curves of a muscle, from far outside on one side to far outside on the other.
static void musclePieces(void** state)
{
    (void)state;
    const double prm[9] = {.75, 1.05, 10, 200, .5, 1.6, 1.5, 1.3, 1.4};
    const double dynamics[2][3] = {{.01, .04, 0}, {.01, .04, .8}};
    for (double x = -.4937; x < 5; x += .0313) {
        const snLawPoint length = {
            .length = x, .velocity = -.4, .acc0 = 1, .lengthrange = stretch, .prm = prm};
        const snLawPoint velocity = {
            .length = 1.6, .velocity = 2 * x - 5, .acc0 = 1, .lengthrange = stretch, .prm = prm};
        assertNear(sn_muscleGainSlopes(&length).length, slope(gainOfLength, x, prm), 1e-9);
        assertNear(sn_muscleBiasSlopes(&length).length, slope(biasOfLength, x, prm), 1e-9);
        assertNear(sn_muscleGainSlopes(&velocity).velocity, slope(gainOfVelocity, 2 * x - 5, prm), 1e-9);
        for (int k = 0; k < 2; k++) {
            assertNear(sn_muscleRateSlopes(.6, x - 1, dynamics[k]).act, slope(rateOfAct, x - 1, dynamics[k]),
                       1e-7);
            assertNear(sn_muscleRateSlopes(x - 1, .4, dynamics[k]).ctrl,
                       slope(rateOfCtrl, x - 1, dynamics[k]), 1e-7);
        }
    }
}

// An arm with muscles over wrapped geoms, driven as such models are.
static void muscleArm(void** state)
{
    (void)state;
    const char* model =
        "<mujoco><option><flag contact='disable'/></option><default><site size='.005'/><muscle ctrlrange='0 "
        "1' "
        "ctrllimited='true' scale='400'/></default><worldbody><site name='s0' pos='0 .06 .9'/>"
        "<site name='s1' pos='0 -.07 .92'/><body pos='0 0 .8'><joint name='shoulder' type='ball' "
        "damping='.2'/>"
        "<geom name='cap' type='sphere' size='.045'/><geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02'/>"
        "<geom name='elbow' type='cylinder' size='.03 .05' pos='0 0 -.3' zaxis='0 1 0'/>"
        "<site name='side' pos='-.1 0 -.3'/><site name='out' pos='0 .2 0'/><site name='u0' pos='0 .03 -.12'/>"
        "<site name='u1' pos='-.03 0 -.2'/><site name='u2' pos='0 -.03 -.1'/><site name='u3' pos='.03 0 "
        "-.15'/>"
        "<body pos='0 0 -.3'><joint name='bend' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.25' "
        "size='.02'/>"
        "<site name='f0' pos='-.03 0 -.06'/><site name='f1' pos='.03 0 "
        "-.08'/></body></body></worldbody><tendon>"
        "<spatial name='deltoid' stiffness='30' springlength='.2'><site site='s0'/><geom geom='cap' "
        "sidesite='out'/>"
        "<site site='u0'/></spatial>"
        "<spatial name='pectoral' damping='2'><site site='s1'/><geom geom='cap'/><site site='u2'/></spatial>"
        "<spatial name='triceps'><site site='u1'/><geom geom='elbow' sidesite='side'/><site "
        "site='f0'/></spatial>"
        "<spatial name='biceps' damping='1'><site site='u3'/><site site='f1'/></spatial></tendon><actuator>"
        "<muscle tendon='deltoid' lengthrange='.1 .35'/><muscle tendon='pectoral' lengthrange='.1 .35'/>"
        "<muscle tendon='triceps' lengthrange='.1 .3'/><muscle tendon='biceps' lengthrange='.1 "
        ".3'/></actuator></mujoco>";
    check("arm", model, 8, .6, .4, 2e-5);
}

static void limits(void** state)
{
    (void)state;
    const char* model = HEAD
        "<body gravcomp='.7'><joint name='a' axis='0 1 0' actuatorgravcomp='true' actuatorfrcrange='-5 "
        "5'/>" EGG
        "<body gravcomp='.5' pos='.1 .2 .4'><joint name='b' axis='1 0 0' actuatorgravcomp='true'/>" EGG
        "<site name='x' pos='.1 0 .1'/><body pos='0 .2 .1'><joint name='c' axis='1 0 1' actuatorfrcrange='-1 "
        "1'/>" EGG
        "<site name='y' pos='0 .3 0'/></body></body></body><site name='w' pos='1 1 1'/></worldbody>"
        "<tendon><spatial name='t' actuatorfrclimited='true' actuatorfrcrange='-7 7'><site site='w'/><site "
        "site='x'/><site "
        "site='y'/></spatial>"
        "</tendon><actuator><motor joint='a' gear='3' ctrlrange='-.5 .5'/><position joint='b' kp='3' kv='1' "
        "forcerange='-1 1'/><position joint='c' kp='2' kv='1'/><motor joint='c' group='3'/>"
        "<position tendon='t' kp='2' kv='1' gear='2'/><general tendon='t' gaintype='affine' gainprm='1 1 1' "
        "forcerange='-2 2'/><motor tendon='t' gear='0'/></actuator></mujoco>";
    snModel* m = load(model);
    snData* d = sn_makeData(m);
    int tendon = 0, joint = 0, force = 0; // how often a limit cuts
    m->opt.disableactuator = 1 << 3;
    for (int s = 0; s < 20; s++) {
        randomState(m, d, (unsigned)s, .8, 1);
        checkForces("limits", m, d, 1e-4);
        const double sum = d->actuator_force[4] + d->actuator_force[5] + d->actuator_force[6];
        tendon += fabs(fabs(sum) - 7) < 1e-9;
        joint += fabs(d->qfrc_actuator[0]) == 5;
        force += fabs(d->actuator_force[5]) == 2;
    }
    assert_in_range(tendon, 1, 19);
    assert_in_range(joint, 1, 19);
    assert_in_range(force, 1, 19);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Pairs of round and flat shapes; the damping counts the velocity of the arms, too.
static void adhesion(void** state)
{
    (void)state;
    snModel* m = load(
        "<mujoco><worldbody><geom type='plane' size='5 5 .1' euler='5 3 0'/>"
        "<body name='foot' pos='0 0 .1'><joint type='free'/><geom type='capsule' size='.1 .2' euler='80 0 "
        "0'/>"
        "<geom size='.12' pos='.2 .1 0'/><body pos='0 0 .25'><joint name='hip' axis='1 2 0'/>"
        "<geom size='.1' pos='0 0 .1'/></body></body><body pos='.2 .1 .2'><joint axis='0 1 1' pos='0 0 .3'/>"
        "<geom size='.1' margin='.1' gap='.1'/></body></worldbody>"
        "<actuator><adhesion body='foot' ctrlrange='0 1' gain='30'/>"
        "<general body='foot' biastype='affine' biasprm='0 0 -2' gainprm='5'/></actuator></mujoco>");
    snData* d = sn_makeData(m);
    double* H = zeros(m->nv, m->nv);
    for (unsigned s = 0; s < 4; s++) {
        randomState(m, d, s, .02, 1);
        d->ctrl[0] = .5;
        sn_forward(m, d);
        assert_true(d->ncon >= 3);
        checkForces("adhesion", m, d, 1e-4);
        memset(H, 0, (size_t)(m->nv * m->nv) * sizeof(double));
        assert_int_equal(sn_adhesionDerivative(m, d, 0, 1, H, NULL), SN_STATUS_OK);
        output = 0;
        assertDerivative("arms of adhesion", m, d, BY_POSITION, arms, m->nv, 1e-4, 1e-9, H);
    }
    free(H);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// All inputs, within the bound of the torque and at it.
static void orientations(void** state)
{
    (void)state;
    const char* model =
        TREE "<actuator><motor joint='hinge'/><orientation joint='ball' kp='3' kv='.4' input='quat'/>"
             "<orientation joint='ball' kp='3' kv='.4' ctrlrange='-.5 .5'/>"
             "<orientation site='c' refsite='s' kp='2' kv='.3' forcerange='0 .4'/>"
             "<orientation site='b' refsite='w' kp='2' input='quat' forcerange='0 1'/>"
             "<orientation site='w' refsite='c' kp='1' kv='.3'/>"
             "<general joint='ball' gaintype='so3' biastype='so3' gainprm='2' biasprm='.5 -2 -.1' "
             "dyntype='integrator' forcerange='0 .7'/>"
             "<general site='c' refsite='a' gaintype='so3' biastype='so3' gainprm='2' biasprm='0 -2 -.3' "
             "dyntype='integrator' actearly='true' actrange='-.4 .7'/></actuator>"
             "<custom><text name='sinew_physics' data='4.0'/></custom></mujoco>";
    check("orientations", model, 6, .6, 2, 1e-4);
}

// At the bound of a control the derivative is the one from within.
static void boundsAreWithin(void** state)
{
    (void)state;
    snModel* m = load(HEAD "<body><joint name='a'/>" EGG "</body></worldbody><actuator><motor joint='a' "
                           "ctrlrange='-1 1'/><muscle joint='a' lengthrange='-1 1'/></actuator></mujoco>");
    snData* d = sn_makeData(m);
    double u[2] = {0}, by_ctrl[2] = {0};
    snActivationSlopes slopes;
    snForceDerivative sum = {.u = u};
    d->ctrl[0] = 1;
    sn_forward(m, d);
    assert_int_equal(sn_actuatorDerivative(m, d, &sum, NULL), SN_STATUS_OK);
    assert_true(u[0] == 1 && u[1] == 0);
    assert_int_equal(sn_activationRateDerivative(m, d, &slopes, NULL), SN_STATUS_OK);
    takeSlopes(&slopes, 2 * m->nv + m->na, m->nu, by_ctrl);
    assert_true(by_ctrl[0] == 0 && by_ctrl[1] > 0);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static double callback(const snModel* m, snData* d, int i, void* user)
{
    (void)m, (void)d, (void)i, (void)user;
    return 1;
}

static void callbacksAreRefused(void** state)
{
    (void)state;
    snModel* m =
        load(HEAD "<body><joint name='a'/>" EGG "</body></worldbody><actuator><general name='own' joint='a' "
                  "dyntype='user' gaintype='user' biastype='user'/></actuator></mujoco>");
    snData* d = sn_makeData(m);
    double u[1] = {0};
    snActivationSlopes slopes;
    snForceDerivative sum = {.u = u};
    sn_forward(m, d);
    assert_int_equal(sn_actuatorDerivative(m, d, &sum, NULL), SN_STATUS_OK);
    for (int k = 0; k < 3; k++) {
        snError error = {0};
        memset(&d->callback, 0, sizeof d->callback);
        *(k == 0 ? &d->callback.act_gain : k == 1 ? &d->callback.act_bias : &d->callback.act_dyn) = callback;
        sn_forward(m, d);
        assert_int_equal(sn_actuatorDerivative(m, d, &sum, &error), SN_STATUS_UNSUPPORTED);
        assert_non_null(strstr(error.message, "own"));
        assert_non_null(strstr(error.message, "sn_transitionFD"));
    }
    assert_int_equal(sn_activationDerivative(m, d, &slopes, NULL), SN_STATUS_UNSUPPORTED);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transmissions),
        cmocka_unit_test(gains),
        cmocka_unit_test(pids),
        cmocka_unit_test(muscles),
        cmocka_unit_test(limits),
        cmocka_unit_test(boundsAreWithin),
        cmocka_unit_test(callbacksAreRefused),
        cmocka_unit_test(adhesion),
        cmocka_unit_test(muscleArm),
        cmocka_unit_test(musclePieces),
        cmocka_unit_test(orientations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
