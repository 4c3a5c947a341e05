// Gradients by arrays of the model: each array against differences of the engine's own step.
#include "derivative/parameter_case.h"
#include "sanitized.h"

static const int integrators[4] = {SN_INT_EULER, SN_INT_RK4, SN_INT_IMPLICIT, SN_INT_IMPLICITFAST};

static const char joints[] =
    "<mujoco><option timestep='0.004'/><default><geom contype='0'/></default><worldbody>"
    "<body pos='0 0 3' gravcomp='.3'><freejoint/><inertial pos='.1 .02 -.1' quat='1 .2 .3 .1' mass='2' "
    "diaginertia='.1 .2 .15'/>"
    " <body pos='.2 0 .1'><joint name='ball' type='ball' damping='.3' armature='.05' stiffness='2'/>"
    "<inertial pos='.1 .2 .1' quat='1 0 .3 .1' mass='1' diaginertia='.02 .04 .03'/>"
    "  <body pos='.1 .2 .1' gravcomp='.7'><joint name='slide' type='slide' axis='1 1 0' damping='.2' "
    "stiffness='3'/>"
    "   <joint name='hinge' axis='0 1 .3' damping='.4' stiffness='2' springref='20' "
    "actuatorgravcomp='true'/>"
    "<inertial pos='.1 .2 -.1' quat='1 .5 .3 .1' mass='.7' diaginertia='.02 .01 .02'/>"
    "   <site name='tip' pos='.1 .1 .3'/>"
    "   <body pos='0 .2 0'><joint name='last' axis='1 0 0' damping='.1'/>"
    "<inertial pos='.1 0 .2' quat='1 0 .3 .8' mass='.5' diaginertia='.01 .01 .005'/>"
    "<site name='end' pos='.1 0 .2'/></body></body></body></body>"
    "<body pos='2 0 1'><joint name='other' damping='.1'/><geom size='.1 .1' type='capsule' pos='.2 0 "
    "0'/></body>"
    "</worldbody><tendon><spatial name='rope' stiffness='30' damping='2' springlength='.1'><site site='tip'/>"
    "<site site='end'/></spatial>"
    "<fixed name='sum' stiffness='3' damping='.2' springlength='-.1'><joint joint='hinge' coef='2'/><joint "
    "joint='last' coef='-1'/></fixed></tendon>"
    "<actuator><motor joint='hinge' gear='3'/><position joint='last' kp='20' kv='2'/>"
    "<general joint='slide' dyntype='filter' dynprm='.05' gainprm='4' biastype='affine' biasprm='.1 -2 -.5'/>"
    "<general joint='slide' dyntype='filter' dynprm='.05' gainprm='4' actearly='true'/>"
    "<general joint='other' dyntype='integrator' gainprm='4' gaintype='affine' gear='.7'/>"
    "<general joint='other' dyntype='filterexact' dynprm='.03' gainprm='4 -1 -.5' gaintype='affine' "
    "gear='2'/>"
    "<general tendon='sum' gainprm='3' biastype='affine' biasprm='.1 -2 -.5' gear='1.5'/>"
    "<general tendon='rope' gainprm='3 1 -.4' gaintype='affine'/>"
    "<general site='end' gear='1 2 3 .4 .5 .6' gainprm='2'/>"
    "<general site='end' refsite='tip' gear='1 2 3 .4 .5 .6' gainprm='2' biastype='affine' biasprm='.1 -2 "
    "-.5'/>"
    "<general jointinparent='ball' gear='1 -2 3' gainprm='2'/>"
    "<motor joint='ball' gear='1 2 3'/></actuator><sensor><jointvel joint='hinge'/><gyro "
    "site='tip'/></sensor></mujoco>";

static void moved(const snModel* m, snData* d, Random* r, double scale)
{
    double tangent[MOST];
    sn_resetData(m, d);
    for (int i = 0; i < m->nv; i++) tangent[i] = scale * randomReal(r);
    sn_integratePos(m, d->qpos, tangent, 1);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = 2 * scale * randomReal(r);
    for (int i = 0; i < m->na; i++) d->act[i] = randomReal(r);
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = randomReal(r);
    for (int i = 6; i < 6 * m->nbody; i++) d->xfrc_applied[i] = randomReal(r);
}

static void smooth(void** state)
{
    (void)state;
    snModel* m = load(joints);
    snData* d = sn_makeData(m);
    Random r = {5};
    // the rest pose of the ball has no gradient
    static const char* const without[2] = {"qpos_spring", "qpos_spring actuator_dynprm"};
    for (int k = 0; k < 8; k++) {
        m->opt.integrator = integrators[k % 4];
        moved(m, d, &r, .5);
        holds(m, d, &r, 1, k<4, k> 3, without[k % 4 == 1], 1e-2, 1e-9);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- constraints

static const char touching[] =
    "<mujoco><option timestep='0.004' tolerance='0' iterations='200' impratio='2'/><worldbody><geom "
    "name='floor' type='plane' size='5 5 .1' friction='.3 .004 .0002'/>"
    "<body pos='0 0 .28'><freejoint/><geom size='.2 .3 .3' type='box' condim='4' friction='.7 .02 .001'/>"
    " <body name='upper' pos='.3 0 0'><joint name='arm' axis='0 1 0' damping='.4' range='-20 40' "
    "limited='true' frictionloss='.3'/>"
    "  <geom type='capsule' size='.05' fromto='0 0 0 .4 0 0'/>"
    "  <body pos='.4 0 0'><joint name='hand' axis='0 1 .2' damping='.1' frictionloss='5' stiffness='.4' "
    "springref='30'/><geom size='.08' "
    "pos='.1 0 -.23' condim='6' friction='.5 .03 .02'/><geom size='.01' mass='.1' pos='0 .02 -.1'/>"
    "   <site name='pad' size='.2' pos='.1 0 -.23'/>"
    "</body></body></body>"
    "<body pos='1.5 0 .19'><freejoint/><geom name='ball' size='.2' friction='.2 .02 .01' "
    "priority='1'/></body>"
    "<body pos='-1.5 0 .19'><freejoint/><geom name='puck' type='cylinder' size='.2 .195'/></body>"
    "<body pos='3 0 1'><joint name='left' axis='0 1 0'/><geom type='capsule' size='.05 .2' pos='.2 0 "
    "0'/></body>"
    "<body pos='3 1 1'><joint name='right' axis='0 1 0'/><geom type='capsule' size='.05 .2' pos='.2 0 "
    "0'/></body>"
    "<body pos='5 1 1'><joint type='slide' axis='0 0 1'/><joint type='slide' axis='1 0 0'/><joint "
    "name='spin' axis='0 1 0'/>"
    "<geom type='box' size='.05 .2 .1' pos='.2 0 0'/><site name='s' pos='.3 0 0'/></body>"
    "<body pos='7 1 .5'><joint name='lift' type='slide' axis='0 0 1' limited='true' range='.01 1'/><geom "
    "size='.1' mass='2'/></body>"
    "</worldbody><contact><pair geom1='floor' geom2='puck' condim='6' friction='.4 .5 .03 .02 .03'/>"
    "</contact><tendon><fixed name='t' frictionloss='.2' limited='true' range='.1 1'><joint joint='left' "
    "coef='1'/><joint joint='spin' coef='.5'/></fixed></tendon>"
    "<equality><joint joint1='left' joint2='right' polycoef='0 1 .3'/>"
    "<connect site1='s' site2='w'/></equality>"
    "<actuator><motor name='push' joint='arm' gear='3'/><position joint='hand' kp='20' kv='2'/>"
    "<general joint='left' dyntype='filter' dynprm='.05' gainprm='4'/></actuator>"
    "<sensor><touch site='pad'/><jointlimitfrc joint='arm'/><accelerometer site='pad'/></sensor>"
    "</mujoco>";

static snModel* loadTouching(void)
{
    static char text[sizeof touching + 64];
    const char* at = strstr(touching, "<body pos='7");
    memcpy(text, touching, (size_t)(at - touching));
    strcpy(text + (at - touching), "<site name='w' pos='5.3 1 1'/>");
    strcat(text, at);
    return load(text);
}

// Lets things fall until they touch and slide.
static void settle(const snModel* m, snData* d, Random* r, int steps)
{
    sn_resetData(m, d);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = .3 * randomReal(r);
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = randomReal(r);
    for (int t = 0; t < steps; t++) sn_step(m, d);
}

static void constrained(void** state)
{
    (void)state;
    snModel* m = loadTouching();
    snData* d = sn_makeData(m);
    Random r = {8};
    for (int k = 0; k < (SANITIZED ? 10 : 16); k++) {
        m->opt.integrator = integrators[k % 4];
        m->opt.cone = k / 4 % 2 ? SN_CONE_ELLIPTIC : SN_CONE_PYRAMIDAL;
        settle(m, d, &r, 12 + 6 * k);
        // sensors show gravity
        const char* without = k % 4 == 1 ? "actuator_dynprm gravity" : "gravity";
        holds(m, d, &r, 1, k<8, k> 7, k < 8 ? without : without + (k % 4 == 1 ? 0 : 7), 1e-3, 1e-6);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(smooth), cmocka_unit_test(constrained)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
