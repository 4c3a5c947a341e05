// Derivatives of rangefinders and of distances between geoms.
#include "derivative/sensor_case.h"

static void check(snModel* m, unsigned long long seed, double far, double tolerance)
{
    snData* d = sn_makeData(m);
    Random r = {seed};
    for (int trial = 0; trial < 4; trial++) {
        randomise(m, d, &r, far, 1);
        assert_true(checkSensorsAt(m, d, &r, 1e-4, 1, tolerance));
    }
    sn_deleteData(d);
}

// A ray from a moving body down on a moving geom of each kind.
static void rays(void** state)
{
    (void)state;
    static const char* const geoms[] = {
        "type='plane' size='5 5 1'",
        "type='sphere' size='.5'",
        "type='capsule' size='.4 .3' euler='80 5 0'",
        "type='capsule' size='.4 .3' pos='.1 0 -.2' euler='5 10 0'",
        "type='ellipsoid' size='.7 .5 .4' euler='20 30 40'",
        "type='cylinder' size='.6 .3' euler='10 20 0'",
        "type='cylinder' size='.4 .9' euler='85 10 0'",
        "type='box' size='.6 .5 .4' euler='10 20 30'",
        "type='mesh' mesh='tetra' euler='10 5 3'",
        "type='hfield' hfield='hills' pos='.05 .1 0'",
    };
    for (size_t i = 0; i < sizeof geoms / sizeof *geoms; i++) {
        char xml[2000];
        const bool still =
            strstr(geoms[i], "plane") || strstr(geoms[i], "hfield"); // these stand in the world
        snprintf(
            xml, sizeof xml,
            "<mujoco><option><flag contact='disable'/></option><asset><mesh name='tetra' vertex='-1 -1 0 1 "
            "-1 .1 .1 1.2 -.1 0 .1 .9'/><hfield name='hills' nrow='4' ncol='5' size='1 1.2 .5 .2' "
            "elevation='0 .3 .5 .1 .2 .6 .3 .8 .4 .1 .2 .9 .7 .5 1 .2 .4 .3 .5 .1'/></asset><worldbody>"
            "<body name='b'>%s<geom %s/></body>"
            "<body pos='.1 .05 2'><freejoint/><geom size='.1'/><site name='s' pos='0 0 .1' euler='175 3 0'/>"
            "<site name='up' pos='0 0 .3'/></body></worldbody><sensor><rangefinder site='s'/><rangefinder "
            "site='s' cutoff='.2'/><rangefinder site='up'/></sensor></mujoco>",
            still ? ""
                  : "<joint type='ball'/><joint type='slide' axis='1 .2 3'/><geom size='.1' pos='9 9 9'/>",
            geoms[i]);
        snModel* m = load(xml);
        snData* d = sn_makeData(m);
        sn_forward(m, d);
        assert_true(d->sensordata[0] > 0);
        sn_deleteData(d);
        check(m, 3 + i, 0.05, 1e-9);
        sn_deleteModel(m);
    }
}

// Up to the edges of a height field, which belong to its last cells: it rises by .8 along x and falls by
// .2 along y.
static void raysAtEdges(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><asset><hfield name='ramp' nrow='3' ncol='3' size='.5 .5 1 .2' elevation='"
                      "0 4 8 1 5 9 2 6 10'/></asset>"
                      "<worldbody><geom type='hfield' hfield='ramp'/><body pos='0 0 2'><joint type='slide' "
                      "axis='1 0 0'/><joint type='slide' axis='0 1 0'/><geom size='.1'/><site name='s' "
                      "zaxis='0 0 -1'/></body></worldbody><sensor><rangefinder site='s'/></sensor></mujoco>");
    static const double at[] = {-0.5, -0.25, 0.25, 0.5};
    snData* d = sn_makeData(m);
    for (int k = 0; k < 16; k++) {
        double out[2];
        snError error = {0};
        d->qpos[0] = at[k / 4];
        d->qpos[1] = at[k % 4];
        sn_forward(m, d);
        const double height = 0.8 * (d->qpos[0] + 0.5) + 0.2 * (0.5 - d->qpos[1]);
        if (!(fabs(d->sensordata[0] - (2 - height)) < 1e-7)) // heights are floats
            fail_msg("at %g %g: %.9g for %.9g", d->qpos[0], d->qpos[1], d->sensordata[0], 2 - height);
        assert_int_equal(
            sn_sensorDerivative(m, d, &(snDirections){.n = 2, .q = (double[]){1, 0, 0, 1}}, out, &error),
            SN_STATUS_OK);
        assert_true(fabs(out[0] + 0.8) < 1e-7 && fabs(out[1] - 0.2) < 1e-7);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void distance(const char* first, const char* second, const char* joint, double height)
{
    char xml[2000];
    snprintf(
        xml, sizeof xml,
        "<mujoco><option><flag contact='disable'/></option><asset><mesh name='tetra' vertex='-.3 -.3 -.2 .3 "
        "-.3 -.1 .1 .4 -.2 0 .1 .3'/></asset><worldbody><body name='a'>%s<geom name='g1' %s/></body>"
        "<body name='b' pos='.1 .05 %g'><freejoint/><geom name='g2' %s/></body></worldbody><sensor>"
        "<distance name='d' geom1='g1' geom2='g2' cutoff='5'/><normal geom1='g1' geom2='g2' cutoff='5'/>"
        "<fromto geom1='g1' geom2='g2' cutoff='5'/><normal geom1='g2' geom2='g1' cutoff='5'/>"
        "<distance body1='a' body2='b' cutoff='5'/><distance geom1='g1' geom2='g2' cutoff='.01'/></sensor>"
        "</mujoco>",
        joint, first, height, second);
    snModel* m = load(xml);
    check(m, 7, 0.05, 1e-8); // nearest points of round shapes end within some 1e-13
    sn_deleteModel(m);
}

// Both ways round, apart and overlapping.
static void distances(void** state)
{
    (void)state;
    static const char* const geoms[] = {
        "type='sphere' size='.3'",
        "type='capsule' size='.2 .3' euler='20 50 0'",
        "type='ellipsoid' size='.4 .3 .2' euler='10 60 20'",
        "type='box' size='.2 .3 .25' euler='33 51 12'",
        "type='cylinder' size='.3 .2' euler='40 20 0'",
        "type='mesh' mesh='tetra' euler='20 30 0'",
    };
    const int kinds = (int)(sizeof geoms / sizeof *geoms);
    for (int i = 0; i < kinds; i++) {
        for (int k = 0; k < kinds; k++) {
            distance(geoms[i], geoms[k], "<freejoint/>", 1.5);
            distance(geoms[i], geoms[k], "<freejoint/>", 0.45);
        }
        distance("type='plane' size='5 5 1'", geoms[i], "", 1.5);
        distance("type='plane' size='5 5 1'", geoms[i], "", 0.1);
    }
}

// Of parallel faces, nearest in a patch, one point is followed; how far they are is clear.
static void patch(void** state)
{
    (void)state;
    snModel* m =
        load("<mujoco><worldbody><body><freejoint/><geom name='a' type='box' size='1 1 1'/></body><body "
             "pos='0 0 3'><freejoint/><geom name='b' type='box' size='1 1 1'/></body></worldbody><sensor>"
             "<distance geom1='a' geom2='b' cutoff='5'/><fromto geom1='a' geom2='b' cutoff='5'/>"
             "</sensor></mujoco>");
    snData* d = sn_makeData(m);
    sn_forward(m, d);
    const double up[12] = {[8] = 1};
    double out[7];
    snError error = {0};
    assert_int_equal(sn_sensorDerivative(m, d, &(snDirections){.n = 1, .q = up}, out, &error), SN_STATUS_OK);
    assert_true(fabs(out[0] - 1) < 1e-12 && fabs(out[3]) < 1e-12 && fabs(out[6] - 1) < 1e-12);
    for (int i = 0; i < 7; i++) assert_true(isfinite(out[i]));
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays),
        cmocka_unit_test(raysAtEdges),
        cmocka_unit_test(distances),
        cmocka_unit_test(patch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
