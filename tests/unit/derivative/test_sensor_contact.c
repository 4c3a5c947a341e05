// Derivatives of sensors behind constraints: contacts, welds, limits; the solver converged to rounding.
#include "derivative/sensor_case.h"

// Forces of contacts and limits are some 10 N and more. Those of the solver are good to some 1e-11, over
// steps of 1e-4; those on a free body sum to 0 that well.
static const double FORCE = 10, TOLERANCE = 1e-7;

typedef void (*Placed)(const snModel* m, snData* d, Random* r);

static void check(const char* xml, unsigned long long seed, double h, Placed place)
{
    snModel* m = load(xml);
    snData* d = sn_makeData(m);
    Random r = {seed};
    converge(m);
    int held = 0;
    for (int trial = 0; trial < 9; trial++) {
        place(m, d, &r);
        assert_true(d->nefc > 0);
        held += checkSensorsAt(m, d, &r, h, FORCE, TOLERANCE);
    }
    assert_true(held >= 3);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void fewAway(const snModel* m, snData* d, Random* r)
{
    randomise(m, d, r, 0.02, 0.3);
}

static void farAway(const snModel* m, snData* d, Random* r)
{
    randomise(m, d, r, 0.4, 1);
}

#define SENSORS                                                                                              \
    "<sensor><touch site='sa'/><touch site='sb'/><force site='sb'/><torque site='sb'/><accelerometer "       \
    "site='sb'/><force site='sa'/><torque site='sa'/>"                                                       \
    "<contact geom1='floor' num='2' data='found force torque dist pos normal tangent'/>"                     \
    "<contact geom1='ga' geom2='floor' num='1' reduce='mindist' data='found force torque dist pos normal "   \
    "tangent'/><actuatorvel actuator='stick'/><actuatorfrc actuator='stick'/><contact subtree1='a' "         \
    "subtree2='world' num='2' reduce='maxforce' data='force pos'/>"                                          \
    "<contact body1='a' reduce='netforce' data='found force torque dist pos normal tangent'/>"               \
    "<contact geom1='gt' geom2='ga' data='force torque dist pos normal tangent'/><contact body1='a' "        \
    "geom2='gt' data='force torque dist pos normal tangent'/>"                                               \
    "<framelinacc objtype='body' objname='b'/></sensor>"
#define BODIES                                                                                               \
    "<worldbody><geom name='floor' type='plane' size='5 5 1' euler='1 2 0'/>"                                \
    "<body name='a' pos='0 0 .19'><freejoint/><geom name='ga' size='.2'/>"                                   \
    "<site name='sa' type='sphere' size='.5'/>"                                                              \
    "<body name='b' pos='.5 0 0' euler='10 20 30'><joint axis='1 1 0' damping='.1'/><geom "                  \
    "pos='.1 0 -.02' "                                                                                       \
    "type='ellipsoid' size='.2 .25 .22'/><site name='sb' type='box' size='.4 .4 .4' euler='20 30 "           \
    "5'/></body></body>"                                                                                     \
    "<body pos='.05 0 .56'><freejoint/><geom name='gt' size='.2'/></body></worldbody><actuator><adhesion "   \
    "name='stick' body='b' ctrlrange='0 2' gain='3'/></actuator>"

static void elliptic_contacts(void** state)
{
    (void)state;
    check("<mujoco><option cone='elliptic' impratio='3'/><default><geom solimp='.9 .95 .05' condim='4' "
          "friction='.6 .02 .01'/>"
          "</default>" BODIES SENSORS "</mujoco>",
          3, 1e-5, fewAway);
}

static void pyramidal_contacts(void** state)
{
    (void)state;
    check("<mujoco><default><geom solimp='.9 .95 .05' condim='3' friction='.6 .02 .01'/></default>" BODIES
              SENSORS "</mujoco>",
          5, 5e-5, fewAway);
    check("<mujoco><default><geom solimp='.9 .95 .05' condim='1'/></default>" BODIES SENSORS "</mujoco>", 5,
          5e-5, fewAway);
    check("<mujoco><default><geom solimp='.9 .95 .05' condim='6' friction='.6 .02 .01'/></default>" BODIES
              SENSORS "</mujoco>",
          8, 5e-5, fewAway);
}

static void welds_and_connects(void** state)
{
    (void)state;
    check(
        "<mujoco><option><flag contact='disable'/></option><worldbody>"
        "<body name='a'><freejoint/><geom size='.2'/><site name='sa' pos='.1 .2 .3' euler='10 20 30'/>"
        "<body name='b' pos='.5 0 0'><joint axis='1 2 3'/><geom size='.1' pos='.2 0 0'/>"
        "<site name='sb' pos='.1 0 .3' euler='40 20 10'/></body></body>"
        "<body name='c' pos='1 0 0'><joint type='ball'/><geom size='.2' pos='.1 .2 0'/><site name='sc' "
        "pos='0 .1 .1' euler='20 50 3'/></body></worldbody>"
        "<equality><weld body1='b' body2='c' torquescale='.7'/><connect body1='a' anchor='.1 .2 .3'/>"
        "<weld site1='sb' site2='sc'/><connect site1='sa' site2='sc'/><weld body1='a'/></equality>"
        "<sensor><force site='sa'/><torque site='sa'/><force site='sb'/><torque site='sb'/><force site='sc'/>"
        "<torque site='sc'/></sensor></mujoco>",
        4, 1e-3, farAway);
}

static void limits(void** state)
{
    (void)state;
    check(
        "<mujoco><option><flag contact='disable'/></option><worldbody><site name='w' pos='1 1 1'/><body>"
        "<joint name='h' axis='1 2 3' limited='true' range='-10 -.2' margin='.9'/><geom size='.2'/>"
        "<body pos='.5 0 0'><joint name='ball' type='ball' limited='true' range='0 .1' margin='1'/>"
        "<geom size='.1' pos='.2 .1 0'/><site name='s' pos='.1 0 .3'/>"
        "<body><joint name='u' axis='0 1 0' limited='true' range='.3 9' margin='.9'/><geom size='.1' pos='.1 "
        ".2 0'/>"
        "</body></body></body></worldbody>"
        "<tendon><spatial name='t' limited='true' range='0 .5' margin='.1'><site site='w'/><site "
        "site='s'/></spatial>"
        "<spatial name='t2' limited='true' range='3 5' margin='.1'><site site='w'/><site site='s'/></spatial>"
        "</tendon><sensor><jointlimitpos joint='h'/><jointlimitvel joint='h'/><jointlimitfrc joint='h'/>"
        "<jointlimitpos joint='u'/><jointlimitvel joint='u'/><jointlimitfrc joint='u'/>"
        "<jointlimitpos joint='ball'/><jointlimitvel joint='ball'/><jointlimitfrc joint='ball'/>"
        "<tendonlimitpos tendon='t'/><tendonlimitvel tendon='t'/><tendonlimitfrc tendon='t'/>"
        "<tendonlimitpos tendon='t2'/><tendonlimitvel tendon='t2'/><tendonlimitfrc "
        "tendon='t2'/></sensor></mujoco>",
        6, 1e-4, farAway);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elliptic_contacts),
        cmocka_unit_test(pyramidal_contacts),
        cmocka_unit_test(welds_and_connects),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
