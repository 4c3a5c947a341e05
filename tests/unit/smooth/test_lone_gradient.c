// The bias gradient of bodies that move alone, by its own way, against the sums along chains.
#include <math.h>
#include <stdlib.h>
#include "model_text.h"
#include "random_tree.h"
#include "smooth/velocity_derivative.h"

#define BODY(AT, INERTIAL, MORE)                                                                             \
    "<body pos='" AT "'><freejoint/>" INERTIAL MORE "<geom size='.1' contype='0' conaffinity='0'/></body>"
#define CENTRED "<inertial pos='0 0 0' quat='1 .4 .1 -.3' mass='1.7' diaginertia='1 .8 .3'/>"
#define BESIDE "<inertial pos='.2 -.1 .05' quat='1 .4 .1 -.3' mass='1.7' diaginertia='1 .8 .3'/>"
#define WELDED "<body pos='.3 0 0'><geom type='box' size='.1 .2 .05' contype='0' conaffinity='0'/></body>"
#define WORLD(BODIES) "<mujoco><option integrator='implicitfast'/><worldbody>" BODIES "</worldbody></mujoco>"

static void randomMotion(const snModel* m, snData* d, Random* r)
{
    for (int j = 0; j < m->njnt; j++) {
        double* q = d->qpos + m->jnt_qposadr[j];
        const snQuat turned = randomQuat(r);
        for (int k = 0; k < 3; k++) q[k] += randomReal(r);
        q[3] = turned.w, q[4] = turned.x, q[5] = turned.y, q[6] = turned.z;
    }
    for (int k = 0; k < m->nv; k++) d->qvel[k] = 10 * randomReal(r);
    sn_forward(m, d);
}

// Differences to the general sums, and by how much the numbers of those are not zero.
static void check(const char* xml, bool couples)
{
    snModel* m = load(xml);
    snData* d = sn_makeData(m);
    double* general = calloc((size_t)m->nD, sizeof *general);
    Random r = {1};
    double most = 0;
    for (int trial = 0; trial < 100; trial++) {
        randomMotion(m, d, &r);
        sn_bodyVel(m, d, SN_GYRO_ALL);
        memcpy(general, d->qDeriv, (size_t)m->nD * sizeof *general);
        sn_bodyVel(m, d, SN_GYRO_LONE);
        double size = 0, off = 0;
        for (int k = 0; k < m->nD; k++) {
            size = fmax(size, fabs(general[k]));
            off = fmax(off, fabs(d->qDeriv[k] - general[k]));
        }
        for (int k = 0; k < 6; k++) most = fmax(most, fabs(general[m->D_rowadr[0] + k])); // of a push
        assert_true(size > 1 && off <= 1e-13 * size);
    }
    assert_true(couples == (most > 1e-10)); // a centred body's pushes depend on no velocity
    free(general);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void centredBodies(void** state)
{
    (void)state;
    check(WORLD(BODY("0 0 1", CENTRED, "") BODY("5 0 1", CENTRED, "")), false);
}

static void bodiesBesideTheirCentre(void** state)
{
    (void)state;
    check(WORLD(BODY("0 0 1", BESIDE, "") BODY("5 0 1", CENTRED, "")), true);
    check(WORLD(BODY("0 0 1", CENTRED, WELDED) BODY("5 0 1", CENTRED, "")), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(centredBodies),
        cmocka_unit_test(bodiesBesideTheirCentre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
