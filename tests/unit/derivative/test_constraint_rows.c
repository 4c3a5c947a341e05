// The derivative of the constraint force J' f at held qacc, and the Hessian of the solver's problem, against
// differences of the engine's own stages: every kind of row, both cones, every zone.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "derivative/constraint/constraint.h"
#include "derivative/constraint/polish.h"
#include "model_text.h"

enum { STENCIL = 3 };
static const double weight[STENCIL] = {3.0 / 4, -3.0 / 20, 1.0 / 60}; // sixth order, steps h, 2 h, 3 h

// A state, what is held, and a second data that is moved about it.
typedef struct Place {
    const snModel* m;
    snData *d, *moved;
    double *qacc, *force, *row, *dx; // [nv], [nv], [nefc], [nv]
} Place;

// qfrc_constraint and efc_force at a state `s` times dx away, in velocity if `velocity`, else in position.
static void evaluate(Place* p, const double* dx, double s, int kind)
{
    const snModel* m = p->m;
    snData* d = p->moved;
    memcpy(d->qpos, p->d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, p->d->qvel, (size_t)m->nv * sizeof(double));
    memcpy(d->eq_active, p->d->eq_active, (size_t)m->neq * sizeof *d->eq_active);
    memcpy(d->mocap_pos, p->d->mocap_pos, 3 * (size_t)m->nmocap * sizeof(double));
    memcpy(d->mocap_quat, p->d->mocap_quat, 4 * (size_t)m->nmocap * sizeof(double));
    if (kind == 0) sn_integratePos(m, d->qpos, dx, s);
    for (int i = 0; i < m->nv; i++) {
        if (kind == 1) d->qvel[i] += s * dx[i];
    }
    sn_fwdPosition(m, d);
    sn_fwdVelocity(m, d);
    for (int i = 0; i < m->nv; i++) d->qacc[i] = p->qacc[i] + (kind == 2 ? s * dx[i] : 0);
    sn_invConstraint(m, d);
}

// Whether the same rows stand in the same states, and no frame of a contact has jumped to other tangents.
static bool isSamePiece(const snData* a, const snData* b)
{
    if (a->nefc != b->nefc || a->ncon != b->ncon) return false;
    if (memcmp(a->efc_state, b->efc_state, (size_t)a->nefc * sizeof(int))) return false;
    for (int c = 0; c < a->ncon; c++)
        for (int k = 0; k < 9; k++)
            if (fabs(a->contact[c].frame[k] - b->contact[c].frame[k]) > 0.1) return false;
    return true;
}

// Sixth-order difference along dx of the forces of dofs [nv] and rows [nefc]. false: at a switch.
static bool difference(Place* p, const double* dx, double h, int kind)
{
    const int nv = p->m->nv, nefc = p->d->nefc;
    memset(p->force, 0, (size_t)nv * sizeof(double));
    memset(p->row, 0, (size_t)nefc * sizeof(double));
    for (int k = 0; k < STENCIL; k++)
        for (int side = -1; side <= 1; side += 2) {
            evaluate(p, dx, side * (k + 1) * h, kind);
            if (!isSamePiece(p->moved, p->d)) return false;
            for (int i = 0; i < nv; i++) p->force[i] += side * weight[k] / h * p->moved->qfrc_constraint[i];
            for (int r = 0; r < nefc; r++) p->row[r] += side * weight[k] / h * p->moved->efc_force[r];
        }
    return true;
}

static double largest(const double* x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

// Largest difference over columns, relative to the largest entry. -1: switches all around.
static double compare(Place* p, const double* A, const double* F, double h, int kind)
{
    const int nv = p->m->nv, nefc = p->d->nefc;
    double error = 0, rows = 0;
    const double scale = largest(A, (size_t)nv * (size_t)nv) + 1e-300;
    const double scaleF = largest(F, (size_t)nefc * (size_t)nv) + 1e-300;
    for (int c = 0; c < nv; c++) {
        memset(p->dx, 0, (size_t)nv * sizeof(double));
        p->dx[c] = 1;
        if (!difference(p, p->dx, h, kind)) return -1;
        for (int i = 0; i < nv; i++) {
            const double e = fabs(A[i * nv + c] - p->force[i]) / scale;
            if (!(e <= error)) error = e;
        }
        for (int r = 0; r < nefc; r++) {
            const double e = fabs(F[r * nv + c] - p->row[r]) / scaleF;
            if (!(e <= rows)) rows = e;
        }
    }
    return fmax(error, rows);
}

static double* zeros(size_t n)
{
    double* x = calloc(n + 1, sizeof(double));
    assert_non_null(x);
    return x;
}

static double* identity(int n)
{
    double* x = zeros((size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) x[i * n + i] = 1;
    return x;
}

static void succeeds(snStatus status, const snError* error)
{
    if (status) fail_msg("%s", error->message);
}

// Errors of the derivatives by q, v and qacc of the state in d, into out [3].
static void errorsAt(const snModel* m, snData* d, const double* qacc, const double h[3], double out[3])
{
    snError error = {0};
    const size_t nv = (size_t)m->nv, n = (size_t)d->nefc;
    Place p = {m, d, sn_makeData(m), zeros(nv), zeros(nv), zeros(n), zeros(nv)};
    memcpy(p.qacc, qacc, nv * sizeof(double));
    double *A[3], *F[3], *one = identity(m->nv);
    for (int k = 0; k < 3; k++) {
        A[k] = zeros(nv * nv);
        F[k] = zeros(n * nv);
    }
    const size_t stack = d->pstack;
    succeeds(sn_constraintDerivative(m, d, qacc, A[0], A[1], &error), &error);
    succeeds(sn_constraintHessian(m, d, A[2], &error), &error);
    for (size_t i = 0; i < nv * nv; i++) A[2][i] = -A[2][i];
    for (int k = 0; k < 3; k++)
        succeeds(sn_constraintForces(m, d, qacc, m->nv, k == 0 ? one : NULL, k == 1 ? one : NULL,
                                     k == 2 ? one : NULL, F[k], &error),
                 &error);
    assert_int_equal(d->pstack, stack);
    for (int k = 0; k < 3; k++) out[k] = compare(&p, A[k], F[k], h[k], k);
    for (int k = 0; k < 3; k++) {
        free(A[k]);
        free(F[k]);
    }
    free(one);
    free(p.qacc);
    free(p.force);
    free(p.row);
    free(p.dx);
    sn_deleteData(p.moved);
}

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// A state near that in d: positions and velocities by so much, and an acceleration of size `force`.
static void shake(const snModel* m, snData* d, uint64_t* seed, double turn, double speed)
{
    double* dx = zeros((size_t)m->nv);
    for (int i = 0; i < m->nv; i++) dx[i] = turn * uniform(seed);
    sn_integratePos(m, d->qpos, dx, 1);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = speed * uniform(seed);
    free(dx);
}

typedef struct Case {
    const char *name, *xml;
    double turn, speed, acc;
    double tolerance;
    int states; // bits of snConstraintState that must have been seen
} Case;

// Many states of one model; each either has an error below the tolerance or stands by a switch.
static void follow(const Case* c)
{
    snModel* m = load(c->xml);
    snData* d = sn_makeData(m);
    double* qacc = zeros((size_t)m->nv);
    uint64_t seed = 7;
    int seen = 0, good = 0, rows = 0;
    double worst[3] = {0};
    for (int trial = 0; trial < 40; trial++) {
        sn_resetData(m, d);
        shake(m, d, &seed, c->turn, c->speed);
        sn_fwdPosition(m, d);
        sn_fwdVelocity(m, d);
        for (int i = 0; i < m->nv; i++) d->qacc[i] = qacc[i] = c->acc * uniform(&seed);
        sn_invConstraint(m, d);
        if (d->nefc == 0) continue;
        double error[3];
        errorsAt(m, d, qacc, (double[]){3e-4, 3e-4, 1e-2}, error);
        if (error[0] < 0 || error[1] < 0 || error[2] < 0) continue;
        good++;
        rows += d->nefc;
        for (int r = 0; r < d->nefc; r++) seen |= 1 << d->efc_state[r];
        for (int k = 0; k < 3; k++) worst[k] = fmax(worst[k], error[k]);
    }
    printf("%-28s %2d states %3d rows, seen %2d: q %.1e v %.1e a %.1e\n", c->name, good, rows, seen, worst[0],
           worst[1], worst[2]);
    assert_true(good >= 5);
    assert_int_equal(seen & c->states, c->states);
    for (int k = 0; k < 3; k++)
        if (!(worst[k] < c->tolerance)) fail_msg("%s: %g %g %g", c->name, worst[0], worst[1], worst[2]);
    free(qacc);
    sn_deleteData(d);
    sn_deleteModel(m);
}

enum {
    SATISFIED = 1 << SN_CNSTRSTATE_SATISFIED,
    QUADRATIC = 1 << SN_CNSTRSTATE_QUADRATIC,
    LINEAR = 1 << SN_CNSTRSTATE_LINEARNEG | 1 << SN_CNSTRSTATE_LINEARPOS,
    CONE = 1 << SN_CNSTRSTATE_CONE
};

// Two arms of mixed joints; A and B are the elements that a case adds to their ends, C those of the model.
#define ARMS(OPTION, A, B, C)                                                                                \
    "<mujoco><option " OPTION "/><worldbody>"                                                                \
    "<body name='r'><joint name='r1' type='hinge' axis='1 1 0'/><joint name='r2' type='slide' axis='0 1 "    \
    "1'/>"                                                                                                   \
    "<geom type='sphere' size='.1' contype='0' conaffinity='0'/>"                                            \
    "<body name='a' pos='.3 0 .1'><joint name='a1' type='ball' pos='.1 0 .1'/>"                              \
    "<geom type='capsule' size='.05 .2' contype='0' conaffinity='0'/>"                                       \
    "<body name='a2' pos='0 .1 .3'><joint name='a3' axis='1 .3 0'/>" A "</body></body>"                      \
    "<body name='b' pos='0 .3 .1'><joint name='b1' type='hinge' axis='0 .2 1'/>"                             \
    "<joint name='b2' type='hinge' axis='1 0 0' pos='.1 0 0'/>" B "</body></body>"                           \
    "<body name='f' pos='.1 .1 .5'><freejoint/><geom type='box' size='.1 .2 .3' contype='0' "                \
    "conaffinity='0'/><site name='fs' pos='.1 .2 0' euler='20 30 40'/></body>"                               \
    "</worldbody>" C "</mujoco>"
#define BALL "<geom type='sphere' size='.1' contype='0' conaffinity='0'/>"
#define SOFT "solref='.05 1.2' solimp='.3 .9 2.5 .4 3'"

#define TENDON_A "<site name='s' pos='.1 0 .1'/>"
#define TENDON_B "<site name='t' pos='.1 .2 .1'/>"
#define TENDON(X)                                                                                            \
    "<tendon><spatial name='t' " X "><site site='s'/><site site='t'/><site site='fs'/></spatial>"            \
    "<fixed name='u'><joint joint='r2' coef='1.3'/><joint joint='a3' coef='-.7'/></fixed></tendon>"

static const Case cases[] = {
    {"connect",
     ARMS("", BALL, BALL, "<equality><connect body1='a2' body2='b' anchor='.1 .2 .3' " SOFT "/></equality>"),
     .5, 1, 10, 1e-9, QUADRATIC},
    {"connect, world",
     ARMS("", BALL, BALL, "<equality><connect body1='a2' anchor='.1 .2 .3' " SOFT "/></equality>"), .5, 1, 10,
     1e-9, QUADRATIC},
    {"connect, free",
     ARMS("", BALL, BALL, "<equality><connect body1='f' body2='a2' anchor='.1 .2 .3' " SOFT "/></equality>"),
     .5, 1, 10, 1e-9, QUADRATIC},
    {"weld",
     ARMS("", BALL, BALL, "<equality><weld body1='a2' body2='b' torquescale='.7' " SOFT "/></equality>"), .5,
     1, 10, 1e-9, QUADRATIC},
    {"weld, free",
     ARMS("", BALL, BALL,
          "<equality><weld body1='f' body2='b' anchor='.1 .2 .3' relpose='.1 .2 .3 .5 .5 .1 .7' "
          "torquescale='1.4' " SOFT "/></equality>"),
     1, 1, 10, 1e-9, QUADRATIC},
    {"weld, parent", ARMS("", BALL, BALL, "<equality><weld body1='a2' body2='r' " SOFT "/></equality>"), .5,
     1, 10, 1e-9, QUADRATIC},
    {"weld, sites",
     ARMS("", BALL "<site name='s' pos='.1 0 .1' euler='10 50 0'/>", BALL,
          "<equality><weld site1='s' site2='fs' " SOFT "/></equality>"),
     1, 1, 10, 1e-9, QUADRATIC},
    {"joint equality",
     ARMS("", BALL, BALL,
          "<equality><joint joint1='a3' joint2='b1' polycoef='.1 .5 .3 -.4 .2' " SOFT
          "/><joint joint1='b2' " SOFT "/></equality>"),
     1, 1, 10, 1e-9, QUADRATIC},
    {"joint equality, other order",
     ARMS("", BALL, BALL,
          "<equality><joint joint1='b1' joint2='r2' polycoef='.1 .5 .3 -.4 .2' " SOFT "/></equality>"),
     1, 1, 10, 1e-9, QUADRATIC},
    {"limits",
     "<mujoco><worldbody><body><joint type='hinge' axis='0 1 0' limited='true' range='-20 20' margin='.1' "
     "solreflimit='.1 1' solimplimit='.1 .9 .7 .5 2'/><geom size='.1'/>"
     "<body pos='0 0 1'><joint type='slide' limited='true' range='-.1 .1' solreflimit='-100 -10' "
     "solimplimit='.1 .9 .7 .3 4'/><geom size='.1'/>"
     "<body pos='1 0 0'><joint type='ball' limited='true' range='0 30' margin='.2' solimplimit='.1 .9 .7 .5 "
     "2'/><geom size='.1'/></body></body></body></worldbody></mujoco>",
     .8, 1, 30, 1e-9, QUADRATIC | SATISFIED},
    {"dry friction", ARMS("", BALL, BALL, "<default><joint frictionloss='2'/></default>"), .5, .1, 3, 1e-9,
     QUADRATIC | LINEAR},
    {"dry friction of a tendon",
     ARMS("", BALL TENDON_A, BALL TENDON_B, TENDON("frictionloss='2' solreffriction='.1 1'")), .5, .1, 3,
     1e-9, QUADRATIC | LINEAR},
    {"tendon limits",
     ARMS("", BALL TENDON_A, BALL TENDON_B,
          TENDON("limited='true' range='.8 1.1' margin='.2' solimplimit='.1 .9 .7 .5 2'")),
     .5, 1, 3, 1e-9, QUADRATIC | SATISFIED},
    {"tendon equality",
     ARMS("", BALL TENDON_A, BALL TENDON_B,
          TENDON("") "<equality><tendon tendon1='t' tendon2='u' polycoef='.1 .5 .3 -.4 .2' " SOFT
                     "/><tendon tendon1='u' " SOFT "/></equality>"),
     .5, 1, 3, 1e-9, QUADRATIC},
};

// Things that touch a plane and each other. CONE: attributes of the option.
#define TOUCH(CONE, GEOM, WORLD)                                                                             \
    "<mujoco><option " CONE "/><default><geom " GEOM                                                         \
    " margin='.15' solref='.04 1.1' solimp='.2 .9 .8 .9 2'/>"                                                \
    "</default><worldbody><geom type='plane' size='2 2 .1'/>"                                                \
    "<body pos='0 0 .15'><freejoint/><geom size='.1'/>"                                                      \
    "<body pos='.4 0 0'><joint type='ball' pos='-.2 0 0'/><geom type='sphere' size='.12'/>"                  \
    "<body pos='-.1 .3 0'><joint axis='1 0 0' pos='0 -.1 0'/><joint type='slide' axis='0 1 1'/>"             \
    "<geom type='sphere' size='.15'/></body></body></body>" WORLD "</worldbody></mujoco>"
#define DIMS(DIM) "condim='" DIM "' friction='.6 .05 .02'"

#define OTHER "<body pos='.1 .1 .5'><freejoint/><geom size='.3'/></body>"
// A pair with a damping of its own along the tangents, and an impedance beyond its middle.
#define PAIR                                                                                                 \
    "<mujoco><option cone='elliptic'/><worldbody><geom name='p' type='plane' size='2 2 .1' euler='10 20 "    \
    "0'/>"                                                                                                   \
    "<body pos='0 0 .15'><freejoint/><geom name='s' size='.1'/></body></worldbody><contact><pair geom1='p' " \
    "geom2='s' condim='4' margin='.3' friction='.2 .15 .01' solref='.04 1.1' solreffriction='.1 .7' "        \
    "solimp='.2 .9 .5 .1 3'/></contact></mujoco>"

static const Case contacts[] = {
    {"condim 1", TOUCH("", DIMS("1"), ""), .1, 1, 10, 1e-9, QUADRATIC},
    {"pyramid 3", TOUCH("", DIMS("3"), ""), .1, 1, 10, 1e-9, QUADRATIC | SATISFIED},
    {"pyramid 4", TOUCH("impratio='3'", DIMS("4"), ""), .1, 1, 10, 1e-9, QUADRATIC | SATISFIED},
    {"pyramid 6", TOUCH("", DIMS("6"), ""), .1, 1, 10, 1e-9, QUADRATIC | SATISFIED},
    {"elliptic 3", TOUCH("cone='elliptic'", DIMS("3"), ""), .1, 1, 10, 1e-9, CONE},
    {"elliptic 4", TOUCH("cone='elliptic' impratio='4'", DIMS("4"), ""), .1, 1, 10, 1e-9, CONE},
    {"elliptic 6", TOUCH("cone='elliptic'", DIMS("6"), ""), .1, 1, 10, 1e-9, CONE},
    {"elliptic 3, sticking", TOUCH("cone='elliptic'", "condim='3' friction='40 .05 .02'", ""), .1, .3, 10,
     1e-9, QUADRATIC},
    {"two trees", TOUCH("cone='elliptic'", DIMS("6"), OTHER), .1, 1, 10, 1e-9, CONE},
    {"two trees, pyramids", TOUCH("", DIMS("6"), OTHER), .1, 1, 10, 1e-9, QUADRATIC | SATISFIED},
    {"solreffriction", PAIR, .1, 1, 10, 1e-9, CONE},
};

static void allRows(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) follow(cases + k);
}

static void allContacts(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof contacts / sizeof *contacts; k++) follow(contacts + k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allRows),
        cmocka_unit_test(allContacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
