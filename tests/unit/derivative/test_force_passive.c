// Derivatives of passive and applied forces against differences of the stages.
#include <stdio.h>
#include "derivative/force/force.h"
#include "derivative/stage_difference.h"

static void passive(const snModel* m, snData* d, double* out)
{
    memcpy(out, d->qfrc_passive, (size_t)m->nv * sizeof(double));
}

static void check(const char* what, const char* xml, int states, double far, double speed, double h)
{
    snModel* m = load(xml);
    snData* d = sn_makeData(m);
    const size_t square = (size_t)m->nv * (size_t)m->nv;
    double *q = malloc(square * sizeof(double)), *v = malloc(square * sizeof(double));
    for (int s = 0; s < states; s++) {
        randomState(m, d, (unsigned)s, far, speed);
        memset(q, 0, square * sizeof(double));
        memset(v, 0, square * sizeof(double));
        snForceDerivative sum = {.q = q, .v = v};
        snError error = {0};
        if (sn_passiveDerivative(m, d, &sum, &error)) fail_msg("%s: %s", what, error.message);
        assertDerivative(what, m, d, BY_POSITION, passive, m->nv, h, 1e-9, q);
        assertDerivative(what, m, d, BY_VELOCITY, passive, m->nv, h, 1e-9, v);
    }
    free(q);
    free(v);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Every type of joint, some of them several a body.
#define TREE(HEAD, SPRING, GEOM, TAIL)                                                                       \
    "<mujoco>" HEAD "<worldbody><site name='w' pos='.1 .2 .5'/>"                                             \
    "<body pos='0 0 1'><joint type='free' " SPRING "/>" GEOM "<site name='a' pos='.05 .01 .1'/>"             \
    "<body pos='.1 .2 .3'><joint type='ball' pos='.02 0 .01' " SPRING "/>" GEOM                              \
    "<site name='b' pos='.1 .05 0'/>"                                                                        \
    "<body pos='.1 0 .2'><joint axis='1 2 3' " SPRING "/><joint type='slide' axis='0 1 1' " SPRING "/>" GEOM \
    "<site name='c' pos='0 .05 .1'/></body></body></body>"                                                   \
    "<body pos='1 0 0'><joint type='ball' " SPRING "/>" GEOM "<site name='e' pos='0 .1 .1'/>"                \
    "<body pos='0 0 .3'><joint type='ball' " SPRING "/>" GEOM "<site name='f' pos='.1 0 .1'/></body></body>" \
    "</worldbody>" TAIL "</mujoco>"

#define OFF "<option><flag contact='disable'/></option>"
#define BALL "<geom size='.1' pos='.02 .05 .03'/>"
#define EGG "<geom type='ellipsoid' size='.1 .06 .03' pos='.02 .05 .01' euler='20 30 40'/>"
#define SWIMMER                                                                                              \
    "<geom type='ellipsoid' size='.1 .06 .03' pos='.02 .05 .01' euler='20 30 40' fluidshape='ellipsoid'/>"

static void springsOfJoints(void** state)
{
    (void)state;
    check("springs", TREE(OFF, "stiffness='3' damping='.7'", BALL, ""), 4, 1.5, 3, 1e-3);
}

static void tendons(void** state)
{
    (void)state;
    check(
        "straight",
        TREE(OFF, "damping='.1'", BALL,
             "<tendon><spatial stiffness='20' damping='3' springlength='.1'><site site='w'/><site site='a'/>"
             "<site site='b'/><site site='c'/><site site='e'/></spatial>"
             "<spatial stiffness='5' springlength='.2 .3'><site site='f'/><site site='e'/>"
             "<pulley divisor='2'/><site site='f'/><site site='w'/><site site='c'/></spatial></tendon>"),
        4, .5, 3, 1e-3);
    check("fixed",
          "<mujoco><worldbody><body><joint name='a' axis='1 0 0'/><geom size='.1'/><body pos='0 0 1'>"
          "<joint name='b' axis='0 1 0'/><geom size='.1'/></body></body></worldbody><tendon>"
          "<fixed stiffness='3' damping='2' springlength='.1 .2'><joint joint='a' coef='2'/>"
          "<joint joint='b' coef='-3'/></fixed></tendon></mujoco>",
          3, 1, 3, 1e-3);
}

static void gravityCompensation(void** state)
{
    (void)state;
    check("gravcomp",
          "<mujoco><option gravity='1 2 -9'><flag contact='disable'/></option><worldbody>"
          "<body gravcomp='.5'><joint type='free'/>" BALL
          "<body gravcomp='1' pos='0 0 .5'><joint type='ball'/>" EGG
          "<body pos='.1 .2 .3' gravcomp='2'><joint axis='1 1 0' actuatorgravcomp='true'/><joint axis='0 1 "
          "1'/>" EGG "</body></body></body></worldbody></mujoco>",
          4, 1, 1, 1e-3);
}

static void fluids(void** state)
{
    (void)state;
    check("box",
          TREE("<option density='1000' viscosity='2' wind='1 2 3'><flag contact='disable'/></option>", "",
               EGG, ""),
          4, 1, 1, 1e-4);
    check("ellipsoid",
          TREE("<option density='1000' viscosity='2' wind='1 2 3'><flag contact='disable'/></option>", "",
               SWIMMER, ""),
          4, 1, 1, 1e-3);
}

// Vertices on every type of joint, on a child without joints, on three slides and in the world.
#define CARRIED(ATTRIBUTES, CHILDREN)                                                                        \
    "<mujoco>" OFF "<worldbody><body name='a'><joint axis='0 1 0'/>" BALL                                    \
    "<body name='b' pos='.2 0 0'><joint axis='0 0 1'/><joint type='slide' axis='1 1 0'/>" BALL               \
    "<body name='c' pos='.1 0 .1'>" BALL "</body></body></body>"                                             \
    "<body name='d' pos='0 .3 0'><freejoint/>" BALL "</body>"                                                \
    "<body name='e' pos='.2 .2 .3'><joint type='ball'/>" BALL "</body>"                                      \
    "<body name='s' pos='.1 .1 -.2'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"    \
    "<joint type='slide' axis='.1 0 1'/>" BALL "</body></worldbody><deformable><flex name='f' "              \
    "body='a b c d e s world' vertex='.01 0 0 0 .02 0 .05 .03 0 0 0 .06 .1 0 0 .02 .03 0 .1 .1 "             \
    ".5' " ATTRIBUTES "><contact selfcollide='none'/>" CHILDREN "</flex></deformable></mujoco>"

static void flexes(void** state)
{
    (void)state;
    check("string",
          CARRIED("dim='1' element='0 1 1 2 2 3 3 4 4 5 5 6 6 0'", "<edge stiffness='30' damping='.5'/>"), 4,
          .2, 1, 1e-4);
    check("sheet",
          CARRIED("dim='2' element='0 1 3 3 1 4 3 4 5 5 4 6'",
                  "<edge damping='.5'/><elasticity young='1e3' poisson='.3' thickness='.1' damping='.02' "
                  "elastic2d='both'/>"),
          4, .2, 1, 1e-4);
    check("solid",
          CARRIED("dim='3' element='0 1 3 4 1 3 4 5 3 4 5 6'",
                  "<elasticity young='1e3' poisson='.3' damping='.02'/>"),
          4, .2, 1, 1e-4);
}

static void nothingWithoutFlags(void** state)
{
    (void)state;
    check("off",
          TREE("<option density='1000' viscosity='2'><flag contact='disable' spring='disable' "
               "damper='disable'/></option>",
               "stiffness='3' damping='.7'", SWIMMER, ""),
          1, 1, 1, 1e-3);
}

// ---- wrapping

static const char wrapping[] =
    "<mujoco>" OFF "<worldbody><site name='w0' pos='.02 .01 .3'/><site name='w1' pos='0 -.15 .3'/>"
    "<body pos='0 0 .1'><joint name='a' axis='1 .2 0'/><joint name='b' axis='0 1 .1'/>"
    "<geom name='ball' size='.05' pos='0 .01 -.02'/>"
    "<geom name='roll' type='cylinder' size='.03 .1' pos='.01 0 -.12' euler='80 20 10'/>"
    "<site name='u0' pos='.01 .08 .05'/><site name='out' pos='0 .12 -.1'/><site name='in' pos='0 .01 .01'/>"
    "<site name='inroll' pos='.01 .005 -.12'/>"
    "<body pos='0 0 -.25'><joint name='c' type='ball'/><joint name='d' type='slide' axis='0 0 1'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -.15' size='.02'/><site name='l0' pos='.01 .06 -.03'/>"
    "<site name='l1' pos='-.02 -.04 -.12'/></body></body>"
    "<body pos='.3 .2 0'><freejoint/><geom size='.05'/><site name='o' pos='.02 .01 .03'/></body></worldbody>"
    "<tendon>"
    "<spatial><site site='w0'/><geom geom='ball'/><site site='l0'/></spatial>"
    "<spatial><site site='w0'/><geom geom='ball' sidesite='out'/><site site='l0'/></spatial>"
    "<spatial><site site='u0'/><geom geom='roll'/><site site='l1'/></spatial>"
    "<spatial><site site='w1'/><geom geom='roll' sidesite='out'/><site site='l1'/></spatial>"
    "<spatial><pulley divisor='2'/><site site='w0'/><site site='l1'/>"
    "<pulley divisor='3'/><site site='w0'/><geom geom='ball'/><site site='l0'/><site site='o'/></spatial>"
    "<spatial><site site='w1'/><geom geom='ball' sidesite='in'/><site site='l1'/></spatial>"
    "<spatial><site site='u0'/><geom geom='roll' sidesite='inroll'/><site site='l0'/></spatial>"
    "</tendon></mujoco>";
enum { OUTSIDE = 5, TENDONS = 7 };

static int tendon;

static void arms(const snModel* m, snData* d, double* out)
{
    double* J = malloc((size_t)(m->ntendon * m->nv) * sizeof(double));
    sn_tenJ(m, d, J);
    memcpy(out, J + (size_t)tendon * (size_t)m->nv, (size_t)m->nv * sizeof(double));
    free(J);
}

// Around the inside Newton's method for the touching point stops at 1e-6: so far the arms themselves are off.
static void wrappedTendons(void** state)
{
    (void)state;
    snModel* m = load(wrapping);
    snData* d = sn_makeData(m);
    const size_t square = (size_t)m->nv * (size_t)m->nv;
    double* H = malloc(square * sizeof(double));
    int around[TENDONS] = {0};
    for (int s = 0; s < 20; s++) {
        randomState(m, d, (unsigned)s, .3, 1);
        for (tendon = 0; tendon < m->ntendon; tendon++) {
            for (int k = 0; k < d->ten_wrapnum[tendon]; k++)
                around[tendon] += d->wrap_obj[d->ten_wrapadr[tendon] + k] >= 0;
            memset(H, 0, square * sizeof(double));
            sn_tendonLengthDerivative(m, d, tendon, 1, H);
            char what[40];
            snprintf(what, sizeof what, "tendon %d, state %d", tendon, s);
            assertDerivative(what, m, d, BY_POSITION, arms, m->nv, 3e-5, tendon < OUTSIDE ? 1e-9 : 1e-5, H);
        }
    }
    for (int t = 0; t < TENDONS; t++) assert_true(around[t] > 0);
    free(H);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- applied forces

static void appliedForce(const snModel* m, snData* d, double* out)
{
    memset(out, 0, (size_t)m->nv * sizeof(double));
    for (int b = 1; b < m->nbody; b++) {
        const double* f = d->xfrc_applied + 6 * b;
        sn_applyFT(m, d, f, f + 3, d->xipos + 3 * b, b, out);
    }
}

// The part of axes that wrenches held in the world leave: column k of row i is (S_k x S_i)'f.
static void addHeldWrenches(const snModel* m, const snData* d, const double* wrench, double* H)
{
    for (int b = 1; b < m->nbody; b++)
        for (int i = m->body_dofadr[b] + m->body_dofnum[b] - 1; i >= 0; i = m->dof_parentid[i])
            for (int k = 0; k < m->nv; k++) {
                bool carries = false;
                for (int p = i; p >= 0; p = m->dof_parentid[p]) carries |= p == k;
                const int type = m->jnt_type[m->dof_jntid[i]], first = m->jnt_dofadr[m->dof_jntid[i]];
                if (type == SN_JNT_BALL) carries |= k >= first && k < first + 3;
                if (type == SN_JNT_FREE) carries = i >= first + 3 && k >= first && k < first + 6;
                const double *a = d->cdof + 6 * k, *c = d->cdof + 6 * i, *f = wrench + 6 * b;
                if (!carries) continue;
                for (int x = 0; x < 3; x++) {
                    const int y = (x + 1) % 3, z = (x + 2) % 3;
                    H[i * m->nv + k] += (a[y] * c[z] - a[z] * c[y]) * f[x];
                    H[i * m->nv + k] += (a[y] * c[3 + z] - a[z] * c[3 + y]) * f[3 + x];
                    H[i * m->nv + k] += (a[3 + y] * c[z] - a[3 + z] * c[y]) * f[3 + x];
                }
            }
}

static void appliedForces(void** state)
{
    (void)state;
    snModel* m = load(TREE(OFF, "", EGG, ""));
    snData* d = sn_makeData(m);
    double *H = calloc((size_t)(m->nv * m->nv), sizeof(double)),
           *wrench = calloc(6 * (size_t)m->nbody, sizeof(double));
    unsigned seed = 5;
    randomState(m, d, 3, 1, 1);
    for (int k = 6; k < 6 * m->nbody; k++) d->xfrc_applied[k] = uniform(&seed);
    snForceDerivative sum = {.q = H};
    assert_int_equal(sn_appliedDerivative(m, d, wrench, &sum, NULL), SN_STATUS_OK);
    addHeldWrenches(m, d, wrench, H);
    assertDerivative("applied", m, d, BY_POSITION, appliedForce, m->nv, 1e-3, 1e-9, H);
    free(H);
    free(wrench);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- what has none

static void push(const snModel* m, snData* d, void* user)
{
    (void)m, (void)user;
    d->qfrc_passive[0] += 1;
}

static void callbacksAreRefused(void** state)
{
    (void)state;
    snModel* m = load(TREE(OFF, "", EGG, ""));
    snData* d = sn_makeData(m);
    double* H = calloc((size_t)(m->nv * m->nv), sizeof(double));
    d->callback.passive = push;
    sn_forward(m, d);
    snForceDerivative sum = {.q = H};
    snError error = {0};
    assert_int_equal(sn_passiveDerivative(m, d, &sum, &error), SN_STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.message, "sn_transitionFD"));
    free(H);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springsOfJoints),
        cmocka_unit_test(tendons),
        cmocka_unit_test(gravityCompensation),
        cmocka_unit_test(fluids),
        cmocka_unit_test(flexes),
        cmocka_unit_test(wrappedTendons),
        cmocka_unit_test(appliedForces),
        cmocka_unit_test(nothingWithoutFlags),
        cmocka_unit_test(callbacksAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
