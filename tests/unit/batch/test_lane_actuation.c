// Transmissions, tendons, activations and forces of actuators in lanes are those of the scalar engine.
#include "batch/lane_compare.h"

static const char* const fields[] = {"actuator_length", "actuator_velocity", "actuator_force",
                                     "qfrc_actuator",   "act_dot",           NULL};

static const char* const tendon_fields[] = {"ten_length",
                                            "ten_velocity",
                                            "actuator_length",
                                            "actuator_force",
                                            "qfrc_actuator",
                                            "qfrc_bias",
                                            "qfrc_passive",
                                            "act_dot",
                                            "qM",
                                            NULL};

static const char* const parameters[] = {"actuator_gear",
                                         "actuator_gainprm",
                                         "actuator_biasprm",
                                         "actuator_dynprm",
                                         "actuator_ctrlrange",
                                         "actuator_acc0",
                                         "actuator_actrange",
                                         "actuator_lengthrange",
                                         "site_pos",
                                         "actuator_cranklength",
                                         "opt.timestep",
                                         "jnt_actfrcrange",
                                         "actuator_forcerange",
                                         NULL};

static const char* const tendon_parameters[] = {
    "tendon_stiffness", "tendon_damping", "tendon_armature",    "tendon_lengthspring",
    "geom_size",        "site_pos",       "tendon_actfrcrange", NULL};

// Cancellation in sums of some ten terms.
static const double rounding = 1e-13;

#define ARM                                                                                                  \
    "<worldbody><site name='w' pos='1 0 0' euler='30 0 0'/>"                                                 \
    "<body name='f'><freejoint name='f'/><geom size='.1'/><site name='s0' pos='.1 0 .1' euler='20 0 "        \
    "0'/></body>"                                                                                            \
    "<body name='b1' pos='0 0 1'><joint name='j' axis='1 2 0' actuatorfrcrange='-2 2' "                      \
    "actuatorfrclimited='true'/>"                                                                            \
    "<geom size='.1' pos='.1 0 .1'/><site name='s1' pos='0 0 .3' euler='10 20 0'/>"                          \
    "<body pos='.3 0 0' gravcomp='1'><joint name='k' type='slide' axis='0 1 0' actuatorgravcomp='true'/>"    \
    "<geom size='.1'/><site name='s2' pos='0 .1 0' euler='0 40 30'/>"                                        \
    "<body pos='.3 .1 0'><joint name='b' type='ball'/><geom type='box' size='.1 .05 .03' pos='.1 0 0'/>"     \
    "<site name='s3' pos='.02 .1 0'/></body></body>"                                                         \
    "<body pos='0 .3 0'><joint name='l'/><geom size='.1' pos='0 .2 .1'/><site name='s4' pos='0 .1 "          \
    "0'/></body></body>"                                                                                     \
    "</worldbody>"

static void check_transmissions(void** state)
{
    (void)state;
    compareLanes("<mujoco><option><flag contact='disable'/></option>" ARM "<actuator>"
                 "<motor joint='f' gear='1 2 3 4 5 6'/><motor jointinparent='f' gear='1 2 3 4 5 6'/>"
                 "<motor joint='b' gear='1 2 3'/><motor jointinparent='b' gear='1 2 3'/><motor joint='k'/>"
                 "<motor site='s3' gear='1 2 3 4 5 6'/><motor site='s3' refsite='s4' gear='1 2 3 4 5 6'/>"
                 "<motor site='s0' refsite='w' gear='1 0 0 0 0 1'/>"
                 "<motor cranksite='s2' slidersite='s1' cranklength='.45' gear='3'/>"
                 "<motor cranksite='s4' slidersite='s1' cranklength='.3'/></actuator></mujoco>",
                 fields, parameters, rounding);
}

static void check_actuators(void** state)
{
    (void)state;
    compareLanes(
        "<mujoco><option actuatorgroupdisable='3'><flag contact='disable'/></option>" ARM "<actuator>"
        "<motor joint='j' ctrllimited='true' ctrlrange='-.5 .7' gear='4'/>"
        "<position joint='j' kp='8' kv='2' forcerange='-1 2'/><velocity joint='k' kv='3'/>"
        "<intvelocity joint='j' actrange='-.2 .9' kp='3' kv='2'/>"
        "<damper joint='k' ctrlrange='0 2' kv='3'/><cylinder joint='l' timeconst='.3' bias='1 2 3'/>"
        "<general joint='l' dyntype='filterexact' dynprm='.02' actearly='true' actrange='-1 1'/>"
        "<general joint='l' dyntype='filter' dynprm='.1' gaintype='affine' gainprm='1 2 3'/>"
        "<general joint='l' dyntype='integrator' actearly='true'/><motor joint='k' group='3'/>"
        "<muscle joint='j' lengthrange='-1 1' tausmooth='.2' force='30'/>"
        "<muscle joint='l' lengthrange='-.2 .2' range='.9 1.1' scale='50'/>"
        "<general joint='l' gaintype='user' biastype='user' dyntype='user' actdim='2'/></actuator></mujoco>",
        fields, parameters, rounding);
}

// Three forces each, and what sensors show of them.
static void check_orientations(void** state)
{
    (void)state;
    static const char* const shown[] = {"actuator_length",
                                        "actuator_velocity",
                                        "actuator_force",
                                        "qfrc_actuator",
                                        "act_dot",
                                        "sensordata",
                                        NULL};
    compareLanes(
        "<mujoco><option actuatorgroupdisable='3'><flag contact='disable'/></option>" ARM "<actuator>"
        "<orientation name='o' joint='b' kp='3' kv='.4' input='quat' forcerange='0 2'/>"
        "<motor name='m' joint='j'/>"
        "<orientation name='p' site='s3' refsite='s4' kp='4' dampratio='.3' ctrlrange='-.5 .7'/>"
        "<orientation site='w' refsite='s0' kp='2'/><orientation site='s1' refsite='s1' kp='2' group='3'/>"
        "<general name='q' site='s2' refsite='s0' gaintype='so3' biastype='so3' gainprm='2' "
        "biasprm='1 -2 -.3' dyntype='integrator' actearly='true' actrange='-1 1'/></actuator><sensor>"
        "<actuatorpos actuator='o'/><actuatorvel actuator='p'/><actuatorfrc actuator='q' cutoff='1'/>"
        "<actuatorfrc actuator='m'/></sensor>"
        "<custom><text name='sinew_physics' data='4.0'/></custom></mujoco>",
        shown, parameters, rounding);
}

#define ROPES                                                                                                \
    "<worldbody><site name='a' pos='-.5 0 1'/><body pos='0 .05 1'><joint type='slide' axis='0 0 1'/>"        \
    "<joint name='y' axis='0 1 0'/><geom name='ball' size='.15'/><site name='in' pos='0 0 .02'/>"            \
    "<site name='out' pos='0 .05 .3'/><body pos='.4 0 0'><joint name='x' axis='1 .5 0' pos='-.2 0 0'/>"      \
    "<geom name='cyl' type='cylinder' size='.1 .2' euler='80 10 0'/><site name='b' pos='0 .2 .2'/>"          \
    "<site name='axis' pos='.02 0 0'/><body pos='.3 0 0'><joint type='ball'/><geom size='.05'/>"             \
    "<site name='z' pos='0 .1 .1'/></body></body></body></worldbody><tendon>"                                \
    "<spatial name='t0' stiffness='3' damping='1' springlength='.2 .5'><site site='a'/><geom geom='ball'/>"  \
    "<site site='b'/><geom geom='cyl'/><site site='z'/></spatial>"                                           \
    "<spatial name='t1' actuatorfrcrange='-1 1' actuatorfrclimited='true'><site site='a'/>"                  \
    "<geom geom='ball' sidesite='out'/><site site='b'/><pulley divisor='2'/><site site='a'/><site "          \
    "site='z'/>"                                                                                             \
    "<pulley divisor='3'/><site site='b'/><geom geom='cyl' sidesite='out'/><site site='z'/></spatial>"       \
    "<spatial name='t2'><site site='a'/><geom geom='ball' sidesite='in'/><site site='z'/></spatial>"         \
    "<spatial name='t3'><site site='a'/><geom geom='cyl' sidesite='axis'/><site site='z'/></spatial>"        \
    "<spatial name='t4' armature='.3'><site site='a'/><site site='z'/></spatial>"                            \
    "<fixed name='t5' armature='.2' damping='.1'><joint joint='x' coef='2'/><joint joint='y' "               \
    "coef='-1'/></fixed></tendon>"

static void check_tendons(void** state)
{
    (void)state;
    compareLanes(
        "<mujoco><option gravity='0 0 -1'><flag contact='disable'/></option>" ROPES "<actuator>"
        "<muscle tendon='t0' lengthrange='.3 1.6'/><muscle tendon='t1' lengthrange='.3 2' tausmooth='.1'/>"
        "<motor tendon='t1' gear='3'/><motor tendon='t2' gear='3'/><motor tendon='t3'/>"
        "<position tendon='t4' kp='3' kv='1'/><motor tendon='t5' gear='-2'/></actuator></mujoco>",
        tendon_fields, tendon_parameters, rounding);
}

static void check_adhesion(void** state)
{
    (void)state;
    compareLanes(
        "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body name='b' pos='0 0 .1'><freejoint/>"
        "<geom size='.15'/><geom size='.15' pos='.3 0 0'/><body pos='0 0 .3'><joint/><geom size='.1'/>"
        "</body></body></worldbody><actuator><adhesion body='b' ctrlrange='0 2' "
        "gain='3'/></actuator></mujoco>",
        fields, parameters, rounding);
}

// The scalar engine warns of bad controls; the lanes beside them go on.
static void check_bad_control(void** state)
{
    (void)state;
    const char* xml = "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"
                      "<actuator><motor joint='j'/></actuator></mujoco>";
    snModel* m = sn_loadModelText(xml, strlen(xml), NULL, 0, NULL, NULL);
    assert_non_null(m);
    const double bad[] = {NAN, INFINITY, -1e11};
    for (const int* width = widths(m) + 1; *width; width++) {
        snBatch* b = makeBatch(m, *width, *width, NULL);
        assert_int_equal(sn_batchBind(b, "actuator_force", NULL), SN_STATUS_OK);
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < *width; i++) *rowOf(b, "ctrl", i) = 1;
            *rowOf(b, "ctrl", 1) = bad[k];
            sn_batchForward(b, NULL, 0, NULL);
            assert_int_equal(leftOf(b), 2);
            for (int i = 0; i < *width; i++) assert_true(*rowOf(b, "actuator_force", i) == (i != 1));
        }
        sn_deleteBatch(b);
    }
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_transmissions), cmocka_unit_test(check_actuators),
        cmocka_unit_test(check_tendons),       cmocka_unit_test(check_adhesion),
        cmocka_unit_test(check_bad_control),   cmocka_unit_test(check_orientations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
