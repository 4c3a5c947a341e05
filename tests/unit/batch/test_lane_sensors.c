// Sensors in lanes are those of the scalar engine.
#include "batch/lane_compare.h"

static const char* const fields[] = {"sensordata", NULL};

static const char* const parameters[] = {
    "geom_size", "geom_rbound", "sensor_cutoff", "site_size",    "site_pos", "opt.magnetic",
    "jnt_range", "cam_fovy",    "body_mass",     "tendon_range", NULL};

// Accelerations and forces are sums of many terms over inertias that differ by orders.
static const double rounding = 1e-10;

#define SCENE(contact)                                                                                       \
    "<mujoco><option magnetic='1 -2 .5'>" contact "</option><worldbody><geom type='plane' size='0 0 1'/>"    \
    "<site name='world' pos='.3 .2 .1' size='.4'/>"                                                          \
    "<camera name='eye' pos='0 -2 1' xyaxes='1 0 0 0 .3 1' resolution='640 480'/>"                           \
    "<camera name='lens' pos='0 -2 1' xyaxes='1 0 0 0 .3 1' resolution='64 48' focal='.01 .02' "             \
    "sensorsize='.03 .02'/><body name='a' pos='0 0 .3' gravcomp='.2'><freejoint name='free'/>"               \
    "<geom name='ga' type='box' size='.1 .2 .1'/><site name='sa' pos='.1 0 .1' euler='20 30 0' "             \
    "type='box' size='.2 .2 .2'/>"                                                                           \
    "<body name='b' pos='.2 0 0'><joint name='j' axis='0 1 .2' range='-10 10' damping='.1' margin='.1'/>"    \
    "<geom name='gb' type='capsule' size='.05 .2'/><site name='sb' size='.3 .2' type='capsule'/>"            \
    "<body name='c' pos='0 .1 .3'><joint name='ball' type='ball' range='0 20'/>"                             \
    "<geom name='gc' size='.05' pos='0 0 .1'/><site name='sc' size='.3 .2 .3' type='ellipsoid'/>"            \
    "<site name='sd' size='.1 .3' type='cylinder' euler='40 0 0'/></body></body></body>"                     \
    "<body name='e' pos='0 .5 .12'><freejoint/><geom name='ge' size='.15'/><geom size='.1' pos='.2 0 0'/>"   \
    "<site name='se' size='.3'/></body></worldbody>"                                                         \
    "<tendon><fixed name='t' range='-.2 .1'><joint joint='j' coef='2'/></fixed>"                             \
    "<spatial name='u' range='.1 .3'><site site='world'/><site site='sc'/></spatial></tendon>"               \
    "<actuator><motor name='m' joint='j' gear='3'/><motor name='n' tendon='u'/><motor "                      \
    "tendon='u'/></actuator><sensor>"

#define FRAME(kind, of)                                                                                      \
    "<" kind " objtype='body' objname='c'" of "/><" kind " objtype='xbody' objname='b'" of "/>"              \
    "<" kind " objtype='geom' objname='gc'" of "/><" kind " objtype='site' objname='sb'" of "/>"             \
    "<" kind " objtype='camera' objname='eye'" of "/>"

#define FRAMES(of)                                                                                           \
    FRAME("framepos", of)                                                                                    \
    FRAME("framequat", of)                                                                                   \
    FRAME("framexaxis", of)                                                                                  \
    FRAME("frameyaxis", of) FRAME("framezaxis", of) FRAME("framelinvel", of) FRAME("frameangvel", of)

static void check_frames(void** state)
{
    (void)state;
    compareLanes(SCENE("") FRAMES("") "</sensor></mujoco>", fields, parameters, rounding);
    compareLanes(SCENE("") FRAMES(" reftype='site' refname='se'") "</sensor></mujoco>", fields, parameters,
                 rounding);
    compareLanes(SCENE("") FRAME("framelinacc", "") FRAME("frameangacc", "") "</sensor></mujoco>", fields,
                 parameters, rounding);
}

static void check_joints(void** state)
{
    (void)state;
    compareLanes(
        SCENE("") "<jointpos joint='j'/><jointvel joint='j' cutoff='.3'/><ballquat joint='ball'/>"
                  "<ballangvel joint='ball'/><jointlimitpos joint='j'/><jointlimitvel joint='j'/>"
                  "<jointlimitfrc joint='j'/><jointlimitpos joint='ball'/><jointlimitvel joint='ball'/>"
                  "<jointlimitfrc joint='ball'/><jointactuatorfrc joint='j'/><tendonpos tendon='t'/>"
                  "<tendonvel tendon='u'/><tendonlimitpos tendon='t'/><tendonlimitvel tendon='t'/>"
                  "<tendonlimitfrc tendon='t'/><tendonlimitpos tendon='u'/><tendonlimitfrc tendon='u'/>"
                  "<tendonactuatorfrc tendon='u'/><actuatorpos actuator='m'/><actuatorvel actuator='n'/>"
                  "<actuatorfrc actuator='m' cutoff='1.2'/></sensor></mujoco>",
        fields, parameters, rounding);
}

static void check_bodies(void** state)
{
    (void)state;
    // by 4.0 the scalar engine adds forces of tendons to those of joints
    compareLanes(
        SCENE(
            "</option><custom><text name='sinew_physics' data='3.3.7'/></custom><option>") "<accelerometer "
                                                                                           "site='sb'/"
                                                                                           "><velocimeter "
                                                                                           "site='sc'/><gyro "
                                                                                           "site='sc'/"
                                                                                           "><force "
                                                                                           "site='sc'/>"
                                                                                           "<torque "
                                                                                           "site='sc'/"
                                                                                           "><force "
                                                                                           "site='sa'/"
                                                                                           "><magnetometer "
                                                                                           "site='sa'/"
                                                                                           "><subtreecom "
                                                                                           "body='b'/>"
                                                                                           "<subtreelinvel "
                                                                                           "body='b'/"
                                                                                           "><subtreeangmom "
                                                                                           "body='a'/><clock/"
                                                                                           "><e_potential/"
                                                                                           "><e_kinetic/>"
                                                                                           "<camprojection "
                                                                                           "site='sc' "
                                                                                           "camera='eye'/"
                                                                                           "><camprojection "
                                                                                           "site='sc' "
                                                                                           "camera='lens'/>"
                                                                                           "<insidesite "
                                                                                           "site='sa' "
                                                                                           "objtype='site' "
                                                                                           "objname='sc'/>"
                                                                                           "<insidesite "
                                                                                           "site='sb' "
                                                                                           "objtype='body' "
                                                                                           "objname='c'/>"
                                                                                           "<insidesite "
                                                                                           "site='sc' "
                                                                                           "objtype='geom' "
                                                                                           "objname='gb'/>"
                                                                                           "<insidesite "
                                                                                           "site='sd' "
                                                                                           "objtype='site' "
                                                                                           "objname='sb'/>"
                                                                                           "<insidesite "
                                                                                           "site='se' "
                                                                                           "objtype='site' "
                                                                                           "objname='world'/"
                                                                                           "></sensor></"
                                                                                           "mujoco>",
        fields, parameters, rounding);
}

static void check_shapes(void** state)
{
    (void)state;
    compareLanes(
        SCENE("") "<rangefinder site='sa'/><rangefinder site='sc'/><rangefinder site='world' cutoff='.2'/>"
                  "<distance body1='a' body2='e' cutoff='.5'/><normal geom1='gc' geom2='ge' cutoff='9'/>"
                  "<fromto geom1='ga' body2='e' cutoff='2'/></sensor></mujoco>",
        fields, parameters, rounding);
}

#define CONTACT(how)                                                                                         \
    "<contact data='found force torque dist pos normal tangent' " how " reduce='none' num='3'/>"             \
    "<contact data='found dist pos' " how " reduce='mindist' num='2'/>"                                      \
    "<contact data='found force normal' " how " reduce='maxforce' num='2'/>"                                 \
    "<contact data='found force torque pos' " how " reduce='netforce'/>"

static void check_contacts(void** state)
{
    (void)state;
    compareLanes(
        SCENE("") "<touch site='sa'/><touch site='sb'/><touch site='sc' cutoff='2'/><touch site='sd'/>"
                  "<touch site='se'/>" CONTACT("") CONTACT("body1='e'") CONTACT("subtree1='a'")
                      CONTACT("geom1='ge' subtree2='a'") CONTACT("site='world'") "</sensor></mujoco>",
        fields, parameters, rounding);
}

static void check_off(void** state)
{
    (void)state;
    compareLanes(
        SCENE("<flag sensor='disable'/>") "<clock/><jointpos joint='j'/><user dim='2'/></sensor></mujoco>",
        fields, parameters, 0);
    compareLanes(SCENE("") "<user dim='2'/><clock/></sensor></mujoco>", fields, parameters, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_frames), cmocka_unit_test(check_joints),   cmocka_unit_test(check_bodies),
        cmocka_unit_test(check_shapes), cmocka_unit_test(check_contacts), cmocka_unit_test(check_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
