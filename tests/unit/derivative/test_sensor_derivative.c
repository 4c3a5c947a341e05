// Derivatives of sensors that no constraint is needed for.
#include "derivative/sensor_case.h"

static void check(const char* xml, unsigned long long seed, double far, double speed, double h,
                  double tolerance)
{
    snModel* m = load(xml);
    snData* d = sn_makeData(m);
    Random r = {seed};
    for (int trial = 0; trial < 3; trial++) {
        randomise(m, d, &r, far, speed);
        assert_true(checkSensorsAt(m, d, &r, h, 1, tolerance));
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

#define TREE                                                                                                 \
    "<option gravity='1 2 -9' magnetic='.3 -.5 .2'><flag contact='disable'/></option>"                       \
    "<worldbody><site name='w' pos='.3 .2 .1' euler='10 20 30'/>"                                            \
    "<camera name='still' pos='3 1 2' xyaxes='0 1 0 0 0 1'/>"                                                \
    "<body name='a' pos='0 0 1'><freejoint/><geom size='.1' pos='.1 .2 .3'/><site name='sa' pos='.1 0 .2'/>" \
    "<geom name='ball' size='.15' pos='.5 .1 .2' mass='.1'/>"                                                \
    "<body name='b' pos='.2 .1 0' euler='10 20 30'><joint name='h' axis='1 2 3' stiffness='3' damping='.1' " \
    "armature='.3'/><joint name='sl' type='slide' axis='1 0 2' springref='.3' stiffness='2'/>"               \
    "<geom name='gb' type='box' size='.1 .2 .3' pos='.1 0 .3' euler='50 20 10'/>"                            \
    "<site name='sb' pos='.1 .2 -.1' euler='60 1 2'/>"                                                       \
    "<camera name='track' mode='track' pos='1 .2 .1'/><camera name='com' mode='trackcom' pos='.2 1 .1'/>"    \
    "<body name='c' pos='0 .2 .4'><joint name='ball' type='ball' pos='.1 0 0' stiffness='2' "                \
    "armature='.1'/>"                                                                                        \
    "<geom name='gc' type='capsule' size='.05 .2' pos='.1 .1 .2' euler='1 2 70'/>"                           \
    "<body name='e' pos='.1 .2 .1' euler='80 1 3'><geom size='.1'/>"                                         \
    "<site name='s' type='box' size='.2 .3 .4' pos='.1 -.1 .2' euler='30 40 10'/>"                           \
    "<camera name='fix' pos='.3 .1 .1' euler='5 6 80' focal='.02 .03' resolution='640 480' sensorsize='.03 " \
    ".02'/>"                                                                                                 \
    "</body></body></body></body>"                                                                           \
    "<body name='f' pos='2 0 1'><joint name='h2' axis='0 1 0'/><joint name='h3' axis='0 0 1' pos='.1 .2 "    \
    "0'/>"                                                                                                   \
    "<geom type='ellipsoid' size='.1 .2 .15' pos='.1 0 .1' euler='30 50 20'/><site name='sf' pos='.2 0 "     \
    ".3'/>"                                                                                                  \
    "<camera name='look' mode='targetbody' target='c' pos='.1 0 .3'/>"                                       \
    "<camera name='lookcom' mode='targetbodycom' target='b' pos='.1 .4 .3'/></body></worldbody>"

static void frames(void** state)
{
    (void)state;
    check("<mujoco>" TREE "<sensor>"
          "<magnetometer site='s'/><velocimeter site='s'/><gyro site='s'/><accelerometer site='s'/>"
          "<accelerometer site='w'/><velocimeter site='w'/>"
          "<camprojection site='s' camera='still'/><camprojection site='s' camera='fix'/>"
          "<camprojection site='sa' camera='look'/><camprojection site='sa' camera='lookcom'/>"
          "<framepos objtype='site' objname='s'/><framepos objtype='body' objname='c' reftype='body' "
          "refname='f'/>"
          "<framepos objtype='camera' objname='track' reftype='site' refname='sf'/>"
          "<framepos objtype='xbody' objname='e' reftype='camera' refname='look'/>"
          "<framepos objtype='xbody' objname='e' reftype='camera' refname='com'/>"
          "<framequat objtype='site' objname='s'/><framequat objtype='geom' objname='gc' reftype='body' "
          "refname='f'/><framequat objtype='camera' objname='look' reftype='xbody' refname='b'/>"
          "<framequat objtype='body' objname='b' reftype='camera' refname='track'/>"
          "<framexaxis objtype='geom' objname='gc'/><frameyaxis objtype='body' objname='c' reftype='site' "
          "refname='sf'/><framezaxis objtype='camera' objname='lookcom' reftype='xbody' refname='a'/>"
          "<framexaxis objtype='camera' objname='look'/>"
          "<framelinvel objtype='site' objname='s'/><framelinvel objtype='geom' objname='gc' reftype='body' "
          "refname='b'/><framelinvel objtype='camera' objname='track' reftype='camera' refname='look'/>"
          "<frameangvel objtype='body' objname='c'/><frameangvel objtype='xbody' objname='e' reftype='site' "
          "refname='sf'/><framelinacc objtype='site' objname='s'/><framelinacc objtype='camera' "
          "objname='com'/><framelinacc objtype='site' objname='w'/>"
          "<frameangacc objtype='geom' objname='gc'/>"
          "<subtreecom body='b'/><subtreecom body='world'/><subtreelinvel body='a'/><subtreelinvel body='c'/>"
          "<subtreeangmom body='b'/><subtreeangmom body='a'/><subtreeangmom body='world'/>"
          "<insidesite site='s' objtype='body' objname='b'/><clock/>"
          "</sensor></mujoco>",
          3, 0.4, 1, 1e-3, 1e-9);
}

// Three numbers a sensor, within the bound of the torque and at it.
static void orientation_servos(void** state)
{
    (void)state;
    check("<mujoco>" TREE "<actuator><motor name='m' joint='h'/>"
          "<orientation name='o' joint='ball' kp='3' kv='.4' input='quat'/>"
          "<orientation name='p' site='s' refsite='sf' kp='2' kv='.3' forcerange='0 .4'/>"
          "<general name='q' site='w' refsite='sb' gaintype='so3' biastype='so3' gainprm='2' biasprm='1 -2 "
          "-.3' "
          "dyntype='integrator' actearly='true'/></actuator><sensor>"
          "<actuatorpos actuator='m'/><actuatorpos actuator='o'/><actuatorpos actuator='p'/>"
          "<actuatorvel actuator='o'/><actuatorvel actuator='p'/><actuatorvel actuator='q'/>"
          "<actuatorfrc actuator='m'/><actuatorfrc actuator='o'/><actuatorfrc actuator='p'/>"
          "<actuatorfrc actuator='q'/><jointactuatorfrc joint='h'/></sensor>"
          "<custom><text name='sinew_physics' data='4.0'/></custom></mujoco>",
          5, 0.4, 1, 1e-3, 1e-9);
}

static void joints_forces_and_energy(void** state)
{
    (void)state;
    // by 4.0 forces of tendons would be in those sensors
    check("<mujoco>" AS_3_3_7 TREE "<tendon><spatial name='t' stiffness='5' damping='.2' springlength='.1'>"
          "<site site='w'/><site site='sa'/><geom geom='ball'/><site site='sf'/></spatial>"
          "<spatial name='heavy' armature='.2'><site site='w'/><site site='sb'/><site site='s'/><site "
          "site='sf'/>"
          "</spatial><fixed name='fix' armature='.3'><joint joint='h' coef='2'/><joint joint='sl' "
          "coef='-1'/></fixed></tendon>"
          "<sensor><jointpos joint='h'/><jointpos joint='sl'/><jointvel joint='h2'/><ballquat joint='ball'/>"
          "<ballangvel joint='ball'/><tendonpos tendon='t'/><tendonvel tendon='t'/><tendonpos tendon='fix'/>"
          "<tendonvel tendon='fix'/><force site='s'/><torque site='s'/><force site='sa'/><torque site='sa'/>"
          "<force site='sf'/><torque site='sb'/><e_potential/><e_kinetic/></sensor></mujoco>",
          7, 0.4, 1, 1e-3, 1e-9);
}

static void actuators(void** state)
{
    (void)state;
    check(
        "<mujoco>" TREE
        "<tendon><spatial name='t'><site site='w'/><site site='sa'/><site site='sf'/></spatial>"
        "<fixed name='fix' actuatorfrclimited='true' actuatorfrcrange='-.1 .1'><joint joint='h' coef='2'/>"
        "<joint joint='sl' coef='-1'/></fixed></tendon>"
        "<actuator><motor name='m' joint='h' gear='2'/><position name='p' joint='sl' kp='3' kv='.5'/>"
        "<general name='bm' joint='ball' gear='1 2 3' gainprm='2' biastype='affine' biasprm='.1 -2 -.3'/>"
        "<general name='bp' jointinparent='ball' gear='1 -2 .5' gainprm='2' biastype='affine' biasprm='.1 -1 "
        "-.2'/>"
        "<position name='pt' tendon='t' kp='2' kv='.3'/><motor name='f1' tendon='fix' gear='2'/>"
        "<velocity name='f2' tendon='fix' kv='.8'/>"
        "<general name='si' site='s' refsite='sf' gear='1 2 3 .1 .2 .3' gainprm='1' biastype='affine' "
        "biasprm='0 -1 -.1'/>"
        "<general name='sc' cranksite='sb' slidersite='sf' cranklength='5' gainprm='1' biastype='affine' "
        "biasprm='0 -1 -.1'/>"
        "<muscle name='mu' tendon='t' lengthrange='.5 4'/><muscle name='mj' joint='h2' lengthrange='-2 2'/>"
        "<intvelocity name='iv' joint='h3' kp='2' actrange='-2 2'/>"
        "<general name='fe' joint='h' dyntype='filterexact' dynprm='.1' actearly='true' gainprm='2'/>"
        "<motor name='cut' joint='h2' gear='3' ctrllimited='true' ctrlrange='-.01 .01' forcelimited='true' "
        "forcerange='-9 9'/></actuator>"
        "<sensor><actuatorpos actuator='m'/><actuatorpos actuator='bm'/><actuatorpos actuator='bp'/>"
        "<actuatorpos actuator='pt'/><actuatorpos actuator='si'/><actuatorpos actuator='sc'/>"
        "<actuatorvel actuator='m'/><actuatorvel actuator='bm'/><actuatorvel actuator='bp'/>"
        "<actuatorvel actuator='pt'/><actuatorvel actuator='si'/><actuatorvel actuator='sc'/>"
        "<actuatorfrc actuator='m'/><actuatorfrc actuator='p'/><actuatorfrc actuator='bm'/><actuatorfrc "
        "actuator='bp'/><actuatorfrc actuator='pt'/><actuatorfrc actuator='f1'/><actuatorfrc actuator='f2'/>"
        "<actuatorfrc actuator='si'/><actuatorfrc actuator='sc'/><actuatorfrc actuator='mu'/>"
        "<actuatorfrc actuator='mj'/><actuatorfrc actuator='iv'/><actuatorfrc actuator='fe'/>"
        "<actuatorfrc actuator='cut'/>"
        "<jointactuatorfrc joint='h'/><jointactuatorfrc joint='sl'/><jointactuatorfrc joint='h2'/>"
        "<tendonactuatorfrc tendon='t'/><tendonactuatorfrc tendon='fix'/></sensor></mujoco>",
        5, 0.3, 1, 1e-3, 1e-9);
}

// At the cutoff nothing changes; below it everything does.
static void cutoffs(void** state)
{
    (void)state;
    check("<mujoco>" TREE "<sensor><jointpos joint='h' cutoff='.001'/><jointvel joint='h2' cutoff='1e-4'/>"
          "<jointpos joint='sl' cutoff='10'/><subtreecom body='a' cutoff='.9'/>"
          "<accelerometer site='s' cutoff='3'/></sensor></mujoco>",
          9, 0.4, 1, 1e-5, 1e-7);
}

static void ownSensor(const snModel* m, snData* d, int stage, void* user)
{
    (void)stage, (void)user;
    for (int i = 0; i < m->nsensordata; i++) d->sensordata[i] = d->qpos[0];
}

static void fails(const char* xml, bool callback, const char* word)
{
    snModel* m = load(xml);
    snData* d = sn_makeData(m);
    double* out = numbers(m->nsensordata);
    snError error = {0};
    const snDirections along = {.n = 1};
    if (callback) d->callback.sensor = ownSensor;
    sn_forward(m, d);
    assert_int_equal(sn_sensorDerivative(m, d, &along, out, &error), SN_STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.message, word));
    assert_non_null(strstr(error.message, "sn_transitionFD"));
    free(out);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void without_derivative(void** state)
{
    (void)state;
    const char* user = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody><sensor><user "
                       "name='mine' dim='2' datatype='real' needstage='pos'/></sensor></mujoco>";
    fails(user, true, "'mine'");
    check(user, 2, 1, 1, 1e-3, 1e-9); // nobody writes it
    check("<mujoco><worldbody><body><joint name='h'/><geom size='1'/></body></worldbody><sensor>"
          "<jointactuatorfrc joint='h'/></sensor></mujoco>",
          2, 1, 1, 1e-3, 1e-9);
    const char* loop =
        "<mujoco><option><flag contact='disable'/></option><custom><text name='sinew_loops' data='exact'/>"
        "</custom><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='1 0 0'/><body name='b' pos='1 0 "
        "0'>"
        "<joint axis='0 1 0'/><geom size='.1' pos='.5 0 1'/><site "
        "name='s'/></body></body></worldbody><equality>"
        "<connect body1='b' anchor='.5 0 1'/></equality><sensor><force name='held' "
        "site='s'/></sensor></mujoco>";
    fails(loop, false, "loops are held exactly");
}

// Little memory makes small blocks, less is an error; and no directions are none.
static void little_memory(void** state)
{
    (void)state;
    enum { MANY = 40, SENSORS = 9 };
    static const size_t memory[] = {1 << 20, 12000, 1000};
    static double out[3][SENSORS * MANY], q[20 * MANY];
    for (int k = 0; k < 3; k++) {
        snModel* m = load("<mujoco>" TREE "<sensor><accelerometer site='s'/><torque site='sb'/><framepos "
                          "objtype='body' objname='e'/></sensor></mujoco>");
        m->narena = (int64_t)memory[k];
        snData* d = sn_makeData(m);
        Random r = {4};
        assert_true(m->nv <= 20);
        randomise(m, d, &r, 0.3, 1);
        for (int i = 0; i < m->nv * MANY; i++) q[i] = randomReal(&r);
        snError error = {0};
        const snDirections along = {.n = MANY, .q = q};
        assert_int_equal(sn_sensorDerivative(m, d, &along, out[k], &error),
                         k < 2 ? SN_STATUS_OK : SN_STATUS_NO_MEMORY);
        assert_int_equal(sn_sensorDerivative(m, d, &(snDirections){.n = 0}, out[k], &error), SN_STATUS_OK);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
    assert_true(relativeError(out[0], out[1], SENSORS * MANY, 1) < 1e-13);
}

// Many directions, in several blocks, give what each gives alone.
static void blocks(void** state)
{
    (void)state;
    enum { MANY = 100 };
    snModel* m = load("<mujoco>" TREE "<sensor><accelerometer site='s'/><torque site='sb'/><e_kinetic/>"
                      "<subtreeangmom body='a'/></sensor></mujoco>");
    snData* d = sn_makeData(m);
    Random r = {4};
    randomise(m, d, &r, 0.3, 1);
    double* x[3];
    double *out = numbers(m->nsensordata * MANY), *one = numbers(m->nsensordata), *column[3];
    snError error = {0};
    for (int k = 0; k < 3; k++) {
        x[k] = numbers(m->nv * MANY), column[k] = numbers(m->nv);
        for (int i = 0; i < m->nv * MANY; i++) x[k][i] = randomReal(&r);
    }
    assert_int_equal(
        sn_sensorDerivative(m, d, &(snDirections){.n = MANY, .q = x[0], .v = x[1], .a = x[2]}, out, &error),
        SN_STATUS_OK);
    for (int j = 0; j < MANY; j += 9) {
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < m->nv; i++) column[k][i] = x[k][i * MANY + j];
        const snDirections alone = {.n = 1, .q = column[0], .v = column[1], .a = column[2]};
        assert_int_equal(sn_sensorDerivative(m, d, &alone, one, &error), SN_STATUS_OK);
        for (int i = 0; i < m->nsensordata; i++) assert_true(fabs(one[i] - out[i * MANY + j]) < 1e-11);
    }
    for (int k = 0; k < 3; k++) free(x[k]), free(column[k]);
    free(out), free(one);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames),
        cmocka_unit_test(joints_forces_and_energy),
        cmocka_unit_test(orientation_servos),
        cmocka_unit_test(actuators),
        cmocka_unit_test(cutoffs),
        cmocka_unit_test(without_derivative),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
