// Derivatives of loops that are held exactly, every type between bodies of all joint types and every
// equality: K' lambda and K qacc - k - k_stab at held qacc and lambda against differences of what the engine
// makes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sinew/support.h>
#include "derivative/constraint/constraint.h"
#include "derivative/constraint/loop.h"
#include "derivative/constraint/loop_system.h"
#include "derivative/constraint/polish.h"
#include "derivative/smooth/bias.h"
#include "model_text.h"

#define MECHANISM                                                                                            \
    "<worldbody>"                                                                                            \
    "<body pos='3 -2 1'><freejoint/><geom size='.1'/>"                                                       \
    "<body pos='.3 0 .1'><joint type='ball'/><geom size='.1' pos='.1 0 0'/>"                                 \
    "<body name='a' pos='.2 .1 0'><joint name='j1' axis='1 .5 .2'/><geom size='.1' pos='0 .2 .1'/>"          \
    "<site name='p' pos='.1 .2 .3' euler='20 30 40'/></body></body>"                                         \
    "<body pos='-.3 .2 0'><joint name='j2' type='slide' axis='.3 1 .2'/><geom size='.1'/>"                   \
    "<body name='b' pos='0 .2 .3'><joint name='j3' axis='0 1 .4'/><joint axis='1 0 .1'/>"                    \
    "<geom size='.1' pos='.2 .1 0'/><site name='s' pos='-.1 .1 .2' euler='50 -30 10'/></body></body></body>" \
    "<body pos='2.9 -2 1'><joint name='j4' axis='0 0 1'/><geom size='.1' pos='.1 .1 .1'/>"                   \
    "<site name='q' pos='.2 0 .1' euler='0 40 10'/></body>"                                                  \
    "<site name='w' pos='3 -1.9 1' euler='10 20 30'/></worldbody>"                                           \
    "<tendon><fixed name='t'><joint joint='j1' coef='1.3'/><joint joint='j2' coef='-.7'/></fixed>"           \
    "<fixed name='u'><joint joint='j3' coef='.4'/><joint joint='j4' coef='2'/></fixed>"                      \
    "<spatial name='x'><site site='p'/><site site='s'/></spatial></tendon>"

static const char* const TYPES[] = {
    "fixed",     "revolute",  "prismatic",          "helical",         "cylindrical", "planar",
    "spherical", "universal", "sphere-in-cylinder", "sphere-in-plane", "distance"};
static const char* const PAIRS[][2] = {{"p", "s"}, {"s", "p"}, {"w", "s"}, {"s", "w"}, {"q", "p"}};

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static double* zeros(size_t n)
{
    double* x = calloc(n + 1, sizeof(double));
    assert_non_null(x);
    return x;
}

// What is held, and a data that moves.
typedef struct Place {
    const snModel* m;
    snData *d, *moved;
    double *qacc, *lambda, *K, *force, *rows;
} Place;

// force [nv] = K' lambda and rows [nlooprow] = K qacc - k - k_stab at a state that is moved by s along dof c
// of position or of velocity; both added `weight` times.
static void add(Place* p, int c, bool velocity, double s, double weight)
{
    const snModel* m = p->m;
    snData* d = p->moved;
    double* dx = zeros((size_t)m->nv);
    dx[c] = 1;
    memcpy(d->qpos, p->d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, p->d->qvel, (size_t)m->nv * sizeof(double));
    if (velocity)
        d->qvel[c] += s;
    else
        sn_integratePos(m, d->qpos, dx, s);
    sn_fwdPosition(m, d);
    sn_fwdVelocity(m, d);
    assert_int_equal(d->nlooprow, p->d->nlooprow);
    sn_loopK(m, d, p->K);
    for (int r = 0; r < d->nlooprow; r++) {
        double sum = -d->loop_k[r];
        for (int i = 0; i < m->nv; i++) {
            sum += p->K[r * m->nv + i] * p->qacc[i];
            p->force[i] += weight * p->K[r * m->nv + i] * p->lambda[r];
        }
        p->rows[r] += weight * sum;
    }
    free(dx);
}

static void difference(Place* p, int c, bool velocity)
{
    static const double weight[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double h = 1e-3;
    memset(p->force, 0, (size_t)p->m->nv * sizeof(double));
    memset(p->rows, 0, (size_t)p->d->nlooprow * sizeof(double));
    for (int k = 0; k < 3; k++) {
        add(p, c, velocity, (k + 1) * h, weight[k] / h);
        add(p, c, velocity, -(k + 1) * h, -weight[k] / h);
    }
}

static double worse(double most, double a, double b, double scale)
{
    const double e = fabs(a - b) / scale;
    return e <= most ? most : e;
}

static double largest(const double* x, size_t n)
{
    double most = 1e-3;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// Largest error of all three, relative to the largest entry of each.
static double errorAt(Place* p)
{
    const size_t nv = (size_t)p->m->nv, n = (size_t)p->d->nlooprow;
    double *q = zeros(nv * nv), *rowq = zeros(n * nv), *rowv = zeros(n * nv), error = 0;
    snError failure = {0};
    memcpy(p->d->qacc, p->qacc, nv * sizeof(double));
    memcpy(p->d->loop_force, p->lambda, n * sizeof(double));
    if (sn_loopDerivative(p->m, p->d, q, rowq, rowv, &failure)) fail_msg("%s", failure.message);
    const double sq = largest(q, nv * nv), sp = largest(rowq, n * nv), sv = largest(rowv, n * nv);
    for (size_t c = 0; c < nv; c++) {
        difference(p, (int)c, false);
        for (size_t i = 0; i < nv; i++) error = worse(error, q[i * nv + c], p->force[i], sq);
        for (size_t r = 0; r < n; r++) error = worse(error, rowq[r * nv + c], p->rows[r], sp);
        difference(p, (int)c, true);
        for (size_t r = 0; r < n; r++) error = worse(error, rowv[r * nv + c], p->rows[r], sv);
    }
    free(q);
    free(rowq);
    free(rowv);
    return error;
}

// Loops at any position, open as they are.
static void check(const char* xml, const char* name, double turn)
{
    snModel* m = withLoops(load(xml));
    snData* d = sn_makeData(m);
    uint64_t seed = 3;
    const size_t nv = (size_t)m->nv;
    Place p = {m, d, sn_makeData(m), zeros(nv), zeros(64), zeros(64 * nv), zeros(nv), zeros(64)};
    double* dx = zeros(nv);
    for (int trial = 0; trial < 3; trial++) {
        sn_resetData(m, d);
        for (size_t i = 0; i < nv; i++) {
            dx[i] = turn * uniform(&seed);
            d->qvel[i] = uniform(&seed);
            p.qacc[i] = 3 * uniform(&seed);
        }
        sn_integratePos(m, d->qpos, dx, 1);
        sn_fwdPosition(m, d);
        sn_fwdVelocity(m, d);
        assert_true(d->nlooprow > 0 && d->nlooprow < 64);
        for (int r = 0; r < d->nlooprow; r++) p.lambda[r] = uniform(&seed);
        const double error = errorAt(&p);
        if (!(error < 1e-10)) fail_msg("%s: %g", name, error);
    }
    free(dx);
    free(p.qacc);
    free(p.lambda);
    free(p.K);
    free(p.force);
    free(p.rows);
    sn_deleteData(p.moved);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void loopJoints(void** state)
{
    (void)state;
    for (size_t t = 0; t < sizeof TYPES / sizeof *TYPES; t++)
        for (size_t k = 0; k < sizeof PAIRS / sizeof *PAIRS; k++) {
            char xml[4096], name[64];
            const char* parameter = t == SN_LOOP_HELICAL    ? "pitch=0.3"
                                    : t == SN_LOOP_DISTANCE ? "length=0.4"
                                                            : "";
            snprintf(name, sizeof name, "%s %s %s", TYPES[t], PAIRS[k][0], PAIRS[k][1]);
            snprintf(xml, sizeof xml,
                     "<mujoco>" OPEN_LOOPS
                     "<custom><text name='sinew_loop_k' data='%s %s'/></custom>" MECHANISM "</mujoco>",
                     name, parameter);
            check(xml, name, 0.4);
        }
}

#define EXACT(EQUALITY)                                                                                      \
    "<mujoco>" OPEN_LOOPS "<custom><text name='sinew_loops' data='exact'/></custom>" MECHANISM               \
    "<equality>" EQUALITY "</equality></mujoco>"

static void equalities(void** state)
{
    (void)state;
    check(EXACT("<connect body1='a' body2='b' anchor='.1 .2 .3'/><weld site1='q' site2='s'/>"), "bodies", .4);
    check(EXACT("<joint joint1='j1' joint2='j3' polycoef='.1 .5 .3 -.4 .2'/><joint joint1='j2'/>"), "joints",
          .8);
    check(EXACT("<tendon tendon1='t' tendon2='u' polycoef='.1 .5 .3 -.4 .2'/>"), "tendons", .8);
}

static void spatialTendonsAreNamed(void** state)
{
    (void)state;
    snModel* m = withLoops(load(EXACT("<tendon name='line' tendon1='x'/>")));
    snData* d = sn_makeData(m);
    snError error = {0};
    sn_forward(m, d);
    double* x = zeros((size_t)(m->nv * m->nv));
    assert_int_equal(d->nclosure, 1);
    assert_int_equal(sn_loopDerivative(m, d, x, x, x, &error), SN_STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.message, "'line'"));
    free(x);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// The whole: qacc of a mechanism that touches the ground and its own limits, polished, by position and by
// velocity.
static const char* const WHOLE =
    "<mujoco><option cone='elliptic' tolerance='0'/>" OPEN_LOOPS
    "<custom><text name='sinew_loops' data='exact'/><text name='sinew_loop_k' data='universal p s'/>"
    "<text name='sinew_loop_l' data='spherical p s'/></custom>" MECHANISM
    "<worldbody><geom type='plane' size='9 9 1' pos='0 0 .93' condim='4'/></worldbody>"
    "<equality><joint joint1='j4' joint2='j2' polycoef='0 1 .3 0 0'/></equality></mujoco>";

static void polished(const snModel* m, snData* d)
{
    snError error = {0};
    sn_forward(m, d);
    if (sn_polish(m, d, &error)) fail_msg("%s", error.message);
}

static void moveTo(const snModel* m, snData* d, const snData* from, size_t c, double s)
{
    const size_t nv = (size_t)m->nv;
    double* dx = zeros(nv);
    dx[c % nv] = 1;
    memcpy(d->qpos, from->qpos, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, from->qvel, nv * sizeof(double));
    if (c >= nv)
        d->qvel[c - nv] += s;
    else
        sn_integratePos(m, d->qpos, dx, s);
    polished(m, d);
    free(dx);
}

// X [nv x 2 nv] = dqacc/d(q, v)
static void accelerationBy(const snModel* m, snData* d, double* X)
{
    const size_t nv = (size_t)m->nv, n = (size_t)d->nlooprow, columns = 2 * nv;
    double *q = zeros(nv * nv), *v = zeros(nv * nv), *bq = zeros(nv * nv), *bv = zeros(nv * nv);
    double *rowq = zeros(n * nv), *rowv = zeros(n * nv), *rows = zeros(n * columns), *H = zeros(nv * nv);
    double *F = zeros(nv * columns), *P = zeros(nv * nv);
    snError error = {0};
    snStatus status = sn_constraintDerivative(m, d, d->qacc, q, v, &error);
    if (!status) status = sn_biasDerivative(m, d, d->qacc, NULL, bq, bv, &error);
    if (!status) status = sn_loopDerivative(m, d, q, rowq, rowv, &error);
    sn_fullM(m, d->qM, H);
    if (!status) status = sn_constraintHessian(m, d, H, &error);
    for (size_t i = 0; i < nv; i++)
        for (size_t c = 0; c < nv; c++) {
            F[i * columns + c] = q[i * nv + c] - bq[i * nv + c];
            F[i * columns + nv + c] = v[i * nv + c] - bv[i * nv + c];
        }
    for (size_t r = 0; r < n; r++) {
        memcpy(rows + r * columns, rowq + r * nv, nv * sizeof(double));
        memcpy(rows + r * columns + nv, rowv + r * nv, nv * sizeof(double));
    }
    if (!status) status = sn_loopResponseMatrix(m, d, H, P, m->nv, &error);
    if (status) fail_msg("%s", error.message);
    for (size_t i = 0; i < nv; i++)
        for (size_t k = 0; k < nv; k++)
            for (size_t c = 0; c < columns; c++) X[i * columns + c] += P[i * nv + k] * F[k * columns + c];
    assert_true(sn_loopPrescribed(m, d, H, P, m->nv, (int)columns, rows, X, (int)columns));
    double* const all[] = {q, v, bq, bv, rowq, rowv, rows, H, F, P};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

static void accelerationsFollow(void** state)
{
    (void)state;
    static const double weight[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double h = 1e-4;
    snModel* m = withLoops(load(WHOLE));
    snData *d = sn_makeData(m), *moved = sn_makeData(m);
    const size_t nv = (size_t)m->nv;
    double *X = zeros(nv * 2 * nv), *change = zeros(nv), worst = 0;
    for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.3 * sin(2.0 * i + 1);
    polished(m, d);
    assert_true(d->nclosure == 3 && d->ncon > 1);
    accelerationBy(m, d, X);
    const double scale = largest(X, nv * 2 * nv);
    for (size_t c = 0; c < 2 * nv; c++) {
        memset(change, 0, nv * sizeof(double));
        for (int k = 0; k < 3; k++)
            for (int side = -1; side <= 1; side += 2) {
                moveTo(m, moved, d, c, side * (k + 1) * h);
                assert_int_equal(moved->nefc, d->nefc);
                assert_memory_equal(moved->efc_state, d->efc_state, (size_t)d->nefc * sizeof(int));
                for (size_t i = 0; i < nv; i++) change[i] += side * weight[k] / h * moved->qacc[i];
            }
        for (size_t i = 0; i < nv; i++) worst = worse(worst, X[i * 2 * nv + c], change[i], scale);
    }
    if (!(worst < 1e-10)) fail_msg("%g", worst);
    free(X);
    free(change);
    sn_deleteData(moved);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loopJoints),
        cmocka_unit_test(equalities),
        cmocka_unit_test(spatialTendonsAreNamed),
        cmocka_unit_test(accelerationsFollow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
