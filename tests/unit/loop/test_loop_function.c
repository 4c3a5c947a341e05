// Closure functions: the mechanism of figure 8.3 by its triangle against the same with its loop joint; y that
// are no part of q; C; integrators; soft rows; what goes wrong.
#include "model_text.h"
#include <math.h>
#include <stdio.h>
#include "base/memory.h"

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * (1 + fabs(b)))) fail_msg("%.15g, not %.15g", a, b);
}

// Arrays of one unit: the largest number says what rounding is.
static void nearAll(const double* a, const double* b, int n, double tolerance)
{
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(b[i]));
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance * (1 + largest)))
            fail_msg("[%d]: %.15g, not %.15g; largest %g", i, a[i], b[i], largest);
}

static snModel* excavator(void)
{
    snError error = {0};
    snModel* m = sn_loadModel(SINEW_SOURCE_DIR "/examples/models/excavator_boom.xml", NULL, &error);
    if (!m) fail_msg("%s", error.message);
    return m;
}

// ---- figure 8.3: sides l1 and l2 of a triangle, the angle y1 between them, the third side d opposite

typedef struct Triangle {
    double l1, l2;
    int dof[4];  // of joints 1 to 4
    double sign; // 1; else a mistake in G
} Triangle;

typedef struct Side {
    double angle, length, u1, u2; // theta2, d and their derivatives by y1
    double u1_rate, u2_rate;      // second derivatives
} Side;

static Side sideOf(const Triangle* t, double y)
{
    const double c = cos(y), s = sin(y), x = t->l2 * c - t->l1, z = t->l2 * s;
    Side r = {.angle = atan2(z, x), .length = sqrt(x * x + z * z)};
    const double d = r.length;
    r.u2 = t->l1 * t->l2 * s / d;                      // d d' = l1 l2 sin
    r.u1 = t->l2 * (t->l2 - t->l1 * c) / (d * d);      // d^2 theta2' = x z' - z x'
    r.u2_rate = (t->l1 * t->l2 * c - r.u2 * r.u2) / d; // (d d')' = l1 l2 cos
    r.u1_rate = r.u2 * (1 - 2 * r.u1) / d;             // (d^2 theta2')' = l1 l2 sin
    return r;
}

static void triangleGamma(const double* y, double* q, void* user)
{
    const Triangle* t = user;
    const Side s = sideOf(t, y[0]);
    q[t->dof[0]] = y[0];
    q[t->dof[1]] = s.angle;
    q[t->dof[2]] = s.length;
    q[t->dof[3]] = y[1];
}

static void triangleG(const double* y, double* G, void* user)
{
    const Triangle* t = user;
    const Side s = sideOf(t, y[0]);
    G[2 * t->dof[0]] = 1;
    G[2 * t->dof[1]] = s.u1;
    G[2 * t->dof[2]] = t->sign * s.u2;
    G[2 * t->dof[3] + 1] = 1;
}

static void triangleBias(const double* y, const double* yd, double* g, void* user)
{
    const Triangle* t = user;
    const Side s = sideOf(t, y[0]);
    g[t->dof[1]] = s.u1_rate * yd[0] * yd[0];
    g[t->dof[2]] = t->sign * s.u2_rate * yd[0] * yd[0];
}

// d > 0
static int triangleContains(const double* y, void* user)
{
    const Triangle* t = user;
    return t->l1 != t->l2 || y[0] != 0;
}

static snLoopFunction functionOf(const snModel* m, Triangle* t)
{
    static const char* const NAMES[4] = {"joint1", "joint2", "joint3", "joint4"};
    *t = (Triangle){.l1 = 0.8, .l2 = 1.7, .sign = 1};
    for (int i = 0; i < 4; i++) t->dof[i] = m->jnt_dofadr[sn_name2id(m, SN_OBJ_JOINT, NAMES[i])];
    return (snLoopFunction){2, t, triangleGamma, triangleG, triangleBias, triangleContains};
}

static const double POSES[][4] = {{1.0808390005411683, 0, 0, 0}, // y, yd
                                  {1.3, 0.4, 0.7, -1.1},
                                  {0.3, -1.2, -2, 1.5},
                                  {0, 0.2, 1, 3}, // flat, l1 != l2
                                  {-1.9, 2, 3, 0.1}};
enum { NPOSES = sizeof POSES / sizeof *POSES };

static void test_functions_are_checked(void** state)
{
    (void)state;
    snModel* m = excavator();
    snData* d = sn_makeData(m);
    Triangle t;
    snError error;
    const snLoopFunction f = functionOf(m, &t);
    snLoopFunctionErrors errors;
    for (int i = 0; i < NPOSES; i++) {
        t.sign = 1;
        assert_int_equal(sn_loopFunctionCheck(m, d, &f, POSES[i], POSES[i] + 2, &errors, &error), 0);
        if (!(errors.G < 1e-10 && errors.g < 1e-10 && errors.K < 1e-14 && errors.closure < 1e-14))
            fail_msg("%g %g %g %g", errors.G, errors.g, errors.K, errors.closure);
        t.sign = 0.999; // mistakes are told
        assert_int_equal(sn_loopFunctionCheck(m, d, &f, POSES[i], POSES[i] + 2, &errors, &error), 0);
        if (POSES[i][0] != 0) assert_true(errors.G > 1e-5 && errors.K > 1e-5);
        if (POSES[i][2] != 0) assert_true(errors.g < 1e-10); // g is still the rate of that G
    }
    t.sign = 1;
    t.l1 = 0.7; // not this model
    assert_int_equal(sn_loopFunctionCheck(m, d, &f, POSES[1], POSES[1] + 2, &errors, &error), 0);
    assert_true(errors.G < 1e-10 && errors.g < 1e-10 && errors.K > 1e-3 && errors.closure > 1e-3);
    assert_true(d->qpos[0] == m->qpos0[0] && d->pstack == 0);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void setInputs(const snModel* m, snData* d, int trial)
{
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = 1.2 + 0.3 * trial - i;
    for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = 300 * sin(1 + i + trial);
    d->xfrc_applied[6 * (m->nbody - 1) + 1] = 50;
}

// qacc, forces within the tree and sensors by a closure function, and by the loop joint.
static void compareAccelerations(const snModel* m, snData* d, snData* by_joint, const snLoopFunction* f,
                                 const double* y, const double* yd, double tolerance)
{
    double ydd[8];
    snError error = {0};
    if (sn_loopFunctionForward(m, d, f, y, yd, ydd, &error)) fail_msg("%s", error.message);
    assert_null(d->loop_basis);
    memcpy(by_joint->qpos, d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(by_joint->qvel, d->qvel, (size_t)m->nv * sizeof(double));
    sn_forward(m, by_joint);
    nearAll(d->qacc, by_joint->qacc, m->nv, tolerance);
    nearAll(d->qfrc_constraint, by_joint->qfrc_constraint, m->nv, tolerance);
    assert_int_equal(d->nlooprow, by_joint->nlooprow);
    assert_int_equal(d->ncluster, by_joint->ncluster);
    nearAll(d->loop_force, by_joint->loop_force, d->nlooprow, tolerance);
    if (by_joint->nclosure) nearAll(d->cfrc_loop, by_joint->cfrc_loop, 6 * m->nbody, tolerance);
    nearAll(d->sensordata, by_joint->sensordata, m->nsensordata, tolerance);
    double G[64] = {0}, g[8] = {0};
    f->G(y, G, f->user);
    f->g(y, yd, g, f->user);
    for (int i = 0; i < m->nv; i++) {
        double sum = g[i];
        for (int k = 0; k < f->ny; k++) sum += G[i * f->ny + k] * ydd[k];
        near(sum, d->qacc[i], 1e-13);
    }
}

static void test_accelerations_as_with_the_loop_joint(void** state)
{
    (void)state;
    snModel* m = excavator();
    snData *d = sn_makeData(m), *by_joint = sn_makeData(m);
    Triangle t;
    const snLoopFunction f = functionOf(m, &t);
    for (int i = 0; i < NPOSES; i++)
        for (int solution = 1; solution <= 3; solution++) {
            m->opt.loop_solution = solution;
            setInputs(m, d, i);
            setInputs(m, by_joint, i);
            compareAccelerations(m, d, by_joint, &f, POSES[i], POSES[i] + 2, 1e-11);
            assert_true(d->loop_error < 1e-14);
        }
    sn_deleteData(by_joint);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Joint 5 gone: y'' stays what it was, and is what the reduced equation says.
static void test_a_model_without_the_loop_joint(void** state)
{
    (void)state;
    snModel *m = excavator(), *tree = excavator();
    tree->nloop = 0;
    snData *d = sn_makeData(m), *bare = sn_makeData(tree);
    Triangle t;
    const snLoopFunction f = functionOf(m, &t);
    double ydd[2], again[2], H[64], G[8], g[4], rest[4], A[3] = {0}, b[2] = {0};
    for (int i = 0; i < NPOSES; i++) {
        setInputs(m, d, i);
        setInputs(m, bare, i);
        assert_int_equal(sn_loopFunctionForward(m, d, &f, POSES[i], POSES[i] + 2, ydd, NULL), 0);
        assert_int_equal(sn_loopFunctionForward(tree, bare, &f, POSES[i], POSES[i] + 2, again, NULL), 0);
        nearAll(again, ydd, 2, 1e-13);
        assert_int_equal(d->nclosure, 1);
        assert_int_equal(bare->nclosure, 0);
        // G'HG y'' = G' (tau - C - H g), two equations by Cramer's rule
        memset(G, 0, sizeof G);
        memset(g, 0, sizeof g);
        triangleG(POSES[i], G, &t);
        triangleBias(POSES[i], POSES[i] + 2, g, &t);
        sn_fullM(tree, bare->qM, H);
        memset(A, 0, sizeof A);
        memset(b, 0, sizeof b);
        for (int r = 0; r < 4; r++) {
            double HG[2] = {0};
            rest[r] = bare->qfrc_smooth[r];
            for (int c = 0; c < 4; c++) {
                rest[r] -= H[4 * r + c] * g[c];
                for (int k = 0; k < 2; k++) HG[k] += H[4 * r + c] * G[2 * c + k];
            }
            A[0] += G[2 * r] * HG[0];
            A[1] += G[2 * r] * HG[1];
            A[2] += G[2 * r + 1] * HG[1];
            for (int k = 0; k < 2; k++) b[k] += G[2 * r + k] * rest[r];
        }
        const double determinant = A[0] * A[2] - A[1] * A[1];
        near(again[0], (b[0] * A[2] - b[1] * A[1]) / determinant, 1e-11);
        near(again[1], (b[1] * A[0] - b[0] * A[1]) / determinant, 1e-11);
    }
    sn_deleteData(bare);
    sn_deleteData(d);
    sn_deleteModel(tree);
    sn_deleteModel(m);
}

static void command(snData* d)
{
    d->ctrl[0] = 1.5 + 0.4 * sin(1.5 * d->time);
    d->ctrl[1] = 0.6 * sin(2 * d->time);
}

static void test_trajectories_as_with_the_loop_joint(void** state)
{
    (void)state;
    snModel* m = excavator();
    snData *d = sn_makeData(m), *by_joint = sn_makeData(m);
    Triangle t;
    snError error = {0};
    const snLoopFunction f = functionOf(m, &t);
    double y[2] = {m->qpos0[t.dof[0]], 0}, yd[2] = {0}, worst = 0;
    int left = 1000;
#ifdef SN_TEST_HOOKS
    sn_setAllocHook(countdown, &left);
#endif
    for (int i = 0; i < 5000; i++) {
        command(d);
        command(by_joint);
        if (sn_loopFunctionStep(m, d, &f, y, yd, &error)) fail_msg("%s", error.message);
        worst = fmax(worst, d->loop_error);
        sn_step(m, by_joint);
        // those of the last stage, where the loop joint is open by what a stage errs
        if (i % 100 == 0) nearAll(d->loop_force, by_joint->loop_force, d->nlooprow, 1e-6);
        assert_true(d->time == by_joint->time);
    }
#ifdef SN_TEST_HOOKS
    sn_setAllocHook(NULL, NULL);
#endif
    assert_int_equal(left, 1000);
    nearAll(d->qpos, by_joint->qpos, m->nq, 1e-8);
    nearAll(d->qvel, by_joint->qvel, m->nv, 1e-8);
    assert_true(worst < 2e-15); // nothing has to be closed
    assert_true(d->qpos[t.dof[0]] == y[0] && d->qvel[t.dof[3]] == yd[1]);
    sn_deleteData(by_joint);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Each integrator goes to the exact motion with its order; damping that Euler cannot take explicitly is
// taken.
static void test_integrators(void** state)
{
    (void)state;
    static const int INTEGRATORS[] = {SN_INT_EULER, SN_INT_IMPLICIT, SN_INT_IMPLICITFAST, SN_INT_RK4};
    snModel* m = excavator();
    snData* d = sn_makeData(m);
    Triangle t;
    const snLoopFunction f = functionOf(m, &t);
    double reference[2] = {0};
    for (int i = 3; i >= 0; i--) {
        double error[2];
        for (int finer = 0; finer < 2; finer++) {
            double y[2] = {m->qpos0[t.dof[0]], 0}, yd[2] = {0};
            sn_resetData(m, d);
            m->opt.integrator = INTEGRATORS[i];
            m->opt.timestep = i == 3 ? 2e-4 : finer ? 2e-4 : 4e-4;
            const int steps = (int)lround(0.4 / m->opt.timestep);
            command(d);
            d->ctrl[1] = 0.3;
            for (int s = 0; s < steps; s++) assert_int_equal(sn_loopFunctionStep(m, d, &f, y, yd, NULL), 0);
            if (i == 3) memcpy(reference, y, sizeof y);
            error[finer] = hypot(y[0] - reference[0], y[1] - reference[1]);
        }
        if (i == 3) continue;
        if (!(error[1] > 1e-7 && error[0] / error[1] > 1.8 && error[0] / error[1] < 2.2))
            fail_msg("integrator %d: %g, %g", INTEGRATORS[i], error[0], error[1]);
    }
    for (int i = 0; i < 3; i++) { // h c / (effective mass) is some 100
        double y[2] = {m->qpos0[t.dof[0]], 0}, yd[2] = {0, 1};
        sn_resetData(m, d);
        m->opt.integrator = INTEGRATORS[i];
        m->opt.timestep = 0.01;
        m->opt.disableflags = SN_DSBL_ACTUATION;
        m->dof_damping[t.dof[2]] = m->dof_damping[t.dof[3]] = 1e7;
        for (int s = 0; s < 100; s++) assert_int_equal(sn_loopFunctionStep(m, d, &f, y, yd, NULL), 0);
        assert_true(d->nclosure == 1 && d->loop_error < 1e-14 && d->pstack == 0);
        assert_true(fabs(yd[0]) < 0.1 && fabs(yd[1]) < 0.1);
    }
    m->dof_damping[t.dof[2]] = m->dof_damping[t.dof[3]] = 0;
    for (int i = 0; i < 3; i++) { // of the loop joint
        double y[2] = {m->qpos0[t.dof[0]], 0}, yd[2] = {1, 0};
        sn_resetData(m, d);
        m->opt.integrator = INTEGRATORS[i];
        m->loop_damping[0] = 1e7;
        for (int s = 0; s < 100; s++) assert_int_equal(sn_loopFunctionStep(m, d, &f, y, yd, NULL), 0);
        assert_true(fabs(yd[0]) < 0.1);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void assertSame(const snModel* m, const snData* d, const snData* before)
{
    assert_memory_equal(d->qpos, before->qpos, (size_t)m->nq * sizeof(double));
    assert_memory_equal(d->qvel, before->qvel, (size_t)m->nv * sizeof(double));
    assert_memory_equal(d->act, before->act, (size_t)m->na * sizeof(double));
    assert_true(d->time == before->time && d->pstack == before->pstack && !d->loop_basis);
}

// l1 = l2: y1 = 0 is not in C, and nothing changes.
static void test_outside_of_C(void** state)
{
    (void)state;
    snModel* m = excavator();
    snData *d = sn_makeData(m), *before = sn_makeData(m);
    Triangle t;
    const snLoopFunction f = functionOf(m, &t);
    snError error = {0};
    double flat[2] = {0, 0.3}, rest[2] = {0};
    assert_int_equal(sn_loopFunctionForward(m, d, &f, flat, rest, NULL, &error), 0);
    t.l2 = t.l1;
    sn_resetData(m, d);
    sn_forward(m, d);
    sn_copyData(before, m, d);
    assert_int_equal(sn_loopFunctionForward(m, d, &f, flat, rest, NULL, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "outside"));
    assert_int_equal(sn_loopFunctionStep(m, d, &f, flat, rest, NULL), SN_STATUS_ARGUMENT);
    snLoopFunctionErrors errors;
    assert_int_equal(sn_loopFunctionCheck(m, d, &f, flat, rest, &errors, NULL), SN_STATUS_ARGUMENT);
    assertSame(m, d, before);
    assert_memory_equal(d->buffer, before->buffer, d->nbuffer);
    assert_int_equal(d->nclosure, 1);
    sn_deleteData(before);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static int isHigh(const double* y, void* user)
{
    (void)user;
    return y[0] > 0.9;
}

static void test_too_near_to_the_edge_for_differences(void** state)
{
    (void)state;
    snModel* m = excavator();
    snData* d = sn_makeData(m);
    Triangle t;
    snLoopFunction f = functionOf(m, &t);
    snLoopFunctionErrors errors;
    snError error = {0};
    f.contains = isHigh;
    double y[2] = {0.9 + 1e-5, 0.3}, yd[2] = {1, 2};
    assert_int_equal(sn_loopFunctionCheck(m, d, &f, y, yd, &errors, &error), 0); // by shorter steps
    assert_true(errors.G < 1e-9 && errors.g < 1e-9);
    y[0] = 0.9 + 1e-9;
    assert_int_equal(sn_loopFunctionCheck(m, d, &f, y, yd, &errors, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "edge"));
    sn_deleteData(d);
    sn_deleteModel(m);
}

// The boom falls out of C: the step that would end there, or look there, is refused, and nothing changes.
static void test_a_step_out_of_C(void** state)
{
    (void)state;
    snModel* m = excavator();
    snData *d = sn_makeData(m), *before = sn_makeData(m);
    Triangle t;
    snLoopFunction f = functionOf(m, &t);
    f.contains = isHigh;
    m->opt.disableflags = SN_DSBL_ACTUATION | SN_DSBL_DAMPER;
    for (int i = 0; i < 2; i++) {
        m->opt.integrator = i ? SN_INT_RK4 : SN_INT_EULER;
        sn_resetData(m, d);
        double y[2] = {1.0808390005411683, 0}, yd[2] = {0}, was[4];
        snError error = {0};
        int steps = 0;
        for (snStatus status = SN_STATUS_OK; status == SN_STATUS_OK; steps++) {
            memcpy(was, y, sizeof y);
            memcpy(was + 2, yd, sizeof yd);
            sn_copyData(before, m, d);
            status = sn_loopFunctionStep(m, d, &f, y, yd, &error);
            assert_true(steps < 5000);
        }
        assert_true(steps > 100 && y[0] > 0.9 && y[0] + 1.1 * m->opt.timestep * yd[0] < 0.9);
        assert_memory_equal(was, y, sizeof y);
        assert_memory_equal(was + 2, yd, sizeof yd);
        assertSame(m, d, before);
        assert_memory_equal(d->qacc_warmstart, before->qacc_warmstart, (size_t)m->nv * sizeof(double));
        assert_non_null(strstr(error.message, "outside"));
    }
    sn_deleteData(before);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- y that are no part of q: the length of the actuator, and the angle of the arm in the world

static double angleOf(const Triangle* t, double d)
{
    return acos((t->l1 * t->l1 + t->l2 * t->l2 - d * d) / (2 * t->l1 * t->l2));
}

static void lengthGamma(const double* y, double* q, void* user)
{
    const Triangle* t = user;
    const double inner[2] = {angleOf(t, y[0]), 0};
    triangleGamma(inner, q, user);
    q[t->dof[3]] = y[1] - inner[0];
}

static void lengthG(const double* y, double* G, void* user)
{
    const Triangle* t = user;
    const Side s = sideOf(t, angleOf(t, y[0]));
    G[2 * t->dof[0]] = 1 / s.u2;
    G[2 * t->dof[1]] = s.u1 / s.u2;
    G[2 * t->dof[2]] = 1;
    G[2 * t->dof[3]] = -1 / s.u2;
    G[2 * t->dof[3] + 1] = 1;
}

static void lengthBias(const double* y, const double* yd, double* g, void* user)
{
    const Triangle* t = user;
    const Side s = sideOf(t, angleOf(t, y[0]));
    const double rate = yd[0] / s.u2, bias = -s.u2_rate * rate * rate / s.u2; // d'' = u2 q1'' + u2' q1'^2 = 0
    g[t->dof[0]] = bias;
    g[t->dof[1]] = s.u1 * bias + s.u1_rate * rate * rate;
    g[t->dof[3]] = -bias;
}

static void test_y_beside_q(void** state)
{
    (void)state;
    snModel* m = excavator();
    snData *d = sn_makeData(m), *by_joint = sn_makeData(m);
    Triangle t;
    functionOf(m, &t);
    const snLoopFunction f = {2, &t, lengthGamma, lengthG, lengthBias, NULL};
    static const double STATES[][4] = {{1.5, 0, 0, 0}, {1.2, 1, 0.4, -2}, {2.3, -0.5, -0.7, 1}};
    for (int i = 0; i < 3; i++) {
        snLoopFunctionErrors errors;
        assert_int_equal(sn_loopFunctionCheck(m, d, &f, STATES[i], STATES[i] + 2, &errors, NULL), 0);
        if (!(errors.G < 1e-9 && errors.g < 1e-9 && errors.K < 1e-13 && errors.closure < 1e-13))
            fail_msg("%g %g %g %g", errors.G, errors.g, errors.K, errors.closure);
        setInputs(m, d, i);
        setInputs(m, by_joint, i);
        compareAccelerations(m, d, by_joint, &f, STATES[i], STATES[i] + 2, 1e-11);
    }
    double y[2] = {1.5, 1.0808390005411683}, yd[2] = {0};
    sn_resetData(m, d);
    sn_resetData(m, by_joint);
    for (int i = 0; i < 1000; i++) {
        command(d);
        command(by_joint);
        assert_int_equal(sn_loopFunctionStep(m, d, &f, y, yd, NULL), 0);
        sn_step(m, by_joint);
    }
    nearAll(d->qpos, by_joint->qpos, m->nq, 1e-8);
    near(y[0], d->qpos[t.dof[2]], 1e-15);
    sn_deleteData(by_joint);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- a ball joint by three angles: nothing is closed, so that qacc is the tree's

static void ballGamma(const double* y, double* q, void* user)
{
    (void)user;
    const double a[3] = {cos(y[0] / 2), cos(y[1] / 2), cos(y[2] / 2)},
                 b[3] = {sin(y[0] / 2), sin(y[1] / 2), sin(y[2] / 2)};
    q[0] = a[0] * a[1] * a[2] - b[0] * b[1] * b[2]; // about x, then y, then z of the body
    q[1] = b[0] * a[1] * a[2] + a[0] * b[1] * b[2];
    q[2] = a[0] * b[1] * a[2] - b[0] * a[1] * b[2];
    q[3] = a[0] * a[1] * b[2] + b[0] * b[1] * a[2];
}

static void ballG(const double* y, double* G, void* user)
{
    (void)user;
    const double cb = cos(y[1]), sb = sin(y[1]), c = cos(y[2]), s = sin(y[2]);
    const double values[9] = {c * cb, s, 0, -s * cb, c, 0, sb, 0, 1};
    memcpy(G, values, sizeof values);
}

static void ballBias(const double* y, const double* yd, double* g, void* user)
{
    (void)user;
    const double cb = cos(y[1]), sb = sin(y[1]), c = cos(y[2]), s = sin(y[2]);
    g[0] = yd[0] * (-s * cb * yd[2] - c * sb * yd[1]) + yd[1] * c * yd[2];
    g[1] = yd[0] * (-c * cb * yd[2] + s * sb * yd[1]) - yd[1] * s * yd[2];
    g[2] = yd[0] * cb * yd[1];
}

static void test_a_ball_by_angles(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><body><joint type='ball' damping='.1'/>"
                      "<geom type='box' size='.1 .2 .3' pos='.2 .1 .3'/></body></worldbody></mujoco>");
    snData *d = sn_makeData(m), *tree = sn_makeData(m);
    const snLoopFunction f = {3, NULL, ballGamma, ballG, ballBias, NULL};
    const double y[3] = {0.5, -0.7, 1.9}, yd[3] = {1, -2, 3};
    snLoopFunctionErrors errors;
    assert_int_equal(sn_loopFunctionCheck(m, d, &f, y, yd, &errors, NULL), 0);
    assert_true(errors.G < 1e-10 && errors.g < 1e-10 && errors.K == 0 && errors.closure == 0);
    compareAccelerations(m, d, tree, &f, y, yd, 1e-12);
    // where two axes are parallel G is singular
    const double lock[3] = {0.5, 1.5707963267948966, 1.9};
    snError error = {0};
    assert_int_equal(sn_loopFunctionForward(m, d, &f, lock, yd, NULL, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "rank 2"));
    sn_deleteData(tree);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- soft rows in y: a slider-crank whose slider has a limit and dry friction, and hits a wall

typedef struct Crank {
    double r, l, start; // crank, rod, angle at qpos0
} Crank;

static const Crank CRANK = {0.2, 0.5, 0.5};

typedef struct Rod {
    double angle, angle1, angle2, x, x1, x2; // of the rod in the world and of the slider, derivatives
} Rod;

static Rod rodOf(const Crank* k, double y)
{
    const double c = cos(y), s = sin(y);
    Rod o = {.angle = -asin(k->r * s / k->l)};
    const double along = k->l * cos(o.angle), across = k->l * sin(o.angle);
    o.angle1 = -k->r * c / along;
    o.angle2 = (k->r * s + across * o.angle1 * o.angle1) / along;
    o.x = k->r * c + along;
    o.x1 = -k->r * s - across * o.angle1;
    o.x2 = -k->r * c - along * o.angle1 * o.angle1 - across * o.angle2;
    return o;
}

static void crankGamma(const double* y, double* q, void* user)
{
    const Crank* k = user;
    const Rod now = rodOf(k, y[0]), start = rodOf(k, k->start);
    q[0] = y[0];
    q[1] = now.angle - start.angle - (y[0] - k->start);
    q[2] = now.x - start.x;
}

static void crankG(const double* y, double* G, void* user)
{
    const Rod now = rodOf(user, y[0]);
    G[0] = 1;
    G[1] = now.angle1 - 1;
    G[2] = now.x1;
}

static void crankBias(const double* y, const double* yd, double* g, void* user)
{
    const Rod now = rodOf(user, y[0]);
    g[1] = now.angle2 * yd[0] * yd[0];
    g[2] = now.x2 * yd[0] * yd[0];
}

static snModel* sliderCrank(void)
{
    static const char text[] =
        "<mujoco><compiler angle='radian'/><option timestep='.001' tolerance='0' iterations='1000' "
        "ls_tolerance='1e-12'/>"
        "<custom><text name='sinew_loop_pin' data='revolute a b'/></custom><worldbody>"
        "<geom type='plane' pos='%.17g 0 0' zaxis='-1 0 0' size='1 1 1'/>"
        "<body><joint axis='0 -1 0' ref='.5' frictionloss='.05'/>"
        "<geom type='capsule' size='.02' fromto='0 0 0 .2 0 0' contype='0' conaffinity='0'/>"
        "<body pos='%.17g 0 %.17g'><joint axis='0 -1 0'/>"
        "<geom type='capsule' size='.02' fromto='0 0 0 .4 0 -.1' contype='0' conaffinity='0'/>"
        "<site name='a' pos='%.17g 0 %.17g' zaxis='0 1 0'/></body></body>"
        "<body pos='%.17g 0 0'><joint name='slider' type='slide' axis='1 0 0' limited='true' "
        "range='-1 .005' damping='.2'/>"
        "<geom type='sphere' size='.05'/><site name='b' zaxis='0 1 0'/></body></worldbody>"
        "<actuator><general joint='slider' dyntype='filter' dynprm='.05' gainprm='3'/></actuator>"
        "<sensor><force site='b'/><torque site='a'/></sensor></mujoco>";
    char xml[4096];
    const double c = CRANK.r * cos(CRANK.start), s = CRANK.r * sin(CRANK.start), x = rodOf(&CRANK, 0.5).x;
    snprintf(xml, sizeof xml, text, x + 0.06, c, s, x - c, -s, x);
    return load(xml);
}

static void test_soft_rows(void** state)
{
    (void)state;
    snModel* m = sliderCrank();
    snData *d = sn_makeData(m), *by_joint = sn_makeData(m);
    const snLoopFunction f = {1, (void*)&CRANK, crankGamma, crankG, crankBias, NULL};
    static const int SOLVERS[] = {SN_SOL_NEWTON, SN_SOL_CG, SN_SOL_PGS};
    static const double STATES[][2] = {{0.5, 0.3}, {0.35, -2}, {0.3, 4}, {-0.2, 0}}; // from free to pressed
    int most = 0;
    for (int i = 0; i < 4; i++)
        for (int cone = 0; cone < 2; cone++)
            for (int s = 0; s < 3; s++) {
                snLoopFunctionErrors errors;
                assert_int_equal(sn_loopFunctionCheck(m, d, &f, STATES[i], STATES[i] + 1, &errors, NULL), 0);
                assert_true(errors.G < 1e-10 && errors.g < 1e-10 && errors.K < 1e-14 &&
                            errors.closure < 1e-14);
                m->opt.cone = cone;
                m->opt.solver = SOLVERS[s];
                sn_resetData(m, d);
                sn_resetData(m, by_joint);
                d->act[0] = by_joint->act[0] = 5;
                compareAccelerations(m, d, by_joint, &f, STATES[i], STATES[i] + 1, 1e-8);
                assert_int_equal(d->nefc, by_joint->nefc);
                if (d->nefc > most) most = d->nefc;
            }
    assert_true(most >= 4); // friction, a limit, a contact
    sn_deleteData(by_joint);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_activations_time_and_warm_start(void** state)
{
    (void)state;
    snModel* m = sliderCrank();
    snData *d = sn_makeData(m), *by_joint = sn_makeData(m);
    const snLoopFunction f = {1, (void*)&CRANK, crankGamma, crankG, crankBias, NULL};
    for (int i = 0; i < 2; i++) {
        double y = 0.8, yd = 0.5;
        m->opt.integrator = i ? SN_INT_RK4 : SN_INT_EULER;
        sn_resetData(m, d);
        sn_resetData(m, by_joint);
        assert_int_equal(sn_loopFunctionForward(m, by_joint, &f, &y, &yd, NULL, NULL), 0);
        for (int step = 0; step < 20; step++) {
            d->ctrl[0] = by_joint->ctrl[0] = sin(0.1 * step);
            assert_int_equal(sn_loopFunctionStep(m, d, &f, &y, &yd, NULL), 0);
            sn_step(m, by_joint);
            assert_true(d->time == by_joint->time && d->act[0] == by_joint->act[0]);
            nearAll(d->qacc_warmstart, by_joint->qacc_warmstart, m->nv, 1e-3);
        }
        assert_true(d->act[0] != 0);
        nearAll(d->qpos, by_joint->qpos, m->nq, i ? 1e-9 : 1e-4);
    }
    sn_deleteData(by_joint);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- what goes wrong

static void notANumber(const double* y, double* q, void* user)
{
    triangleGamma(y, q, user);
    q[0] = (double)NAN;
}

static void dependent(const double* y, double* G, void* user)
{
    triangleG(y, G, user);
    for (int i = 0; i < 4; i++) G[2 * i + 1] = 3 * G[2 * i];
}

static void refuse(const snModel* m, snData* d, const snLoopFunction* f, double y0, double yd1,
                   const char* text)
{
    snData* before = sn_makeData(m);
    double y[8] = {y0, 0.1}, yd[8] = {0, yd1};
    snError error = {0};
    sn_copyData(before, m, d);
    assert_int_equal(sn_loopFunctionForward(m, d, f, y, yd, NULL, &error), SN_STATUS_ARGUMENT);
    if (!strstr(error.message, text)) fail_msg("\"%s\" not in \"%s\"", text, error.message);
    assert_int_equal(sn_loopFunctionStep(m, d, f, y, yd, NULL), SN_STATUS_ARGUMENT);
    assertSame(m, d, before);
    assert_memory_equal(d->buffer, before->buffer, d->nbuffer);
    sn_deleteData(before);
}

static void test_what_is_refused(void** state)
{
    (void)state;
    snModel* m = excavator();
    snData* d = sn_makeData(m);
    Triangle t;
    const snLoopFunction good = functionOf(m, &t);
    snLoopFunction f = good;
    sn_forward(m, d);
    f.ny = 0;
    refuse(m, d, &f, 1, 0, "of 0 y");
    f.ny = 5;
    refuse(m, d, &f, 1, 0, "nv = 4");
    f = good;
    f.g = NULL;
    refuse(m, d, &f, 1, 0, "without g");
    refuse(m, d, &good, (double)NAN, 0, "y[0] of a closure function is nan");
    refuse(m, d, &good, 1, HUGE_VAL, "yd[1] of a closure function is inf");
    f = good;
    f.gamma = notANumber;
    refuse(m, d, &f, 1, 0, "gamma[0]");
    f = good;
    f.G = dependent;
    refuse(m, d, &f, 1, 0, "rank 1");
    // a force beyond all numbers
    double y[2] = {1, 0}, yd[2] = {0};
    snError error = {0};
    d->qfrc_applied[0] = 1e300;
    const double before = d->qpos[0];
    assert_int_equal(sn_loopFunctionStep(m, d, &good, y, yd, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "qacc["));
    assert_true(y[0] == 1 && d->qpos[0] == before && d->time == 0);
    assert_int_equal(d->warning[SN_WARN_BADQACC].number, 1);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Wherever the arena ends, it is said, or the result is right.
static void test_small_arenas(void** state)
{
    (void)state;
    snModel* m = excavator();
    Triangle t;
    const snLoopFunction f = functionOf(m, &t);
    double right[2][2] = {{0}};
    int refused = 0, done = 0;
    for (int size = 64; size > 0; size--) {
        m->narena = (size_t)size * 512;
        snData* d = sn_makeData(m);
        for (int i = 0; i < 2; i++) {
            double y[2] = {1, 0.2}, yd[2] = {0.1, -0.3};
            snError error = {0};
            m->opt.integrator = i ? SN_INT_RK4 : SN_INT_IMPLICIT;
            sn_resetData(m, d);
            const snStatus status = sn_loopFunctionStep(m, d, &f, y, yd, &error);
            assert_true(!d->loop_basis && d->pstack == 0);
            if (status) {
                assert_int_equal(status, SN_STATUS_NO_MEMORY);
                assert_true(y[0] == 1 && d->time == 0 && d->qpos[0] == m->qpos0[0]);
                refused++;
                continue;
            }
            done++;
            if (right[i][0] == 0) memcpy(right[i], yd, sizeof yd);
            assert_memory_equal(right[i], yd, sizeof yd);
        }
        sn_deleteData(d);
    }
    assert_true(refused > 10 && done > 10);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_are_checked),
        cmocka_unit_test(test_accelerations_as_with_the_loop_joint),
        cmocka_unit_test(test_a_model_without_the_loop_joint),
        cmocka_unit_test(test_trajectories_as_with_the_loop_joint),
        cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_outside_of_C),
        cmocka_unit_test(test_too_near_to_the_edge_for_differences),
        cmocka_unit_test(test_a_step_out_of_C),
        cmocka_unit_test(test_y_beside_q),
        cmocka_unit_test(test_a_ball_by_angles),
        cmocka_unit_test(test_soft_rows),
        cmocka_unit_test(test_activations_time_and_warm_start),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_small_arenas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
