// Derivatives of steps of mechanisms whose loops are held exactly: against differences of the engine's own
// step, the adjoint against the forward mode.
#include <stdio.h>
#include "step_case.h"

static const int integrators[4] = {SN_INT_EULER, SN_INT_RK4, SN_INT_IMPLICIT, SN_INT_IMPLICITFAST};

// ---- loops as they stand, open or not: without projection

#define MECHANISM                                                                                            \
    "<worldbody>"                                                                                            \
    "<body pos='3 -2 1'><freejoint/><geom size='.1'/>"                                                       \
    "<body pos='.3 0 .1'><joint type='ball' damping='.1'/><geom size='.1' pos='.1 0 0'/>"                    \
    "<body name='a' pos='.2 .1 0'><joint name='j1' axis='1 .5 .2' damping='.2'/>"                            \
    "<geom size='.1' pos='0 .2 .1'/><site name='p' pos='.1 .2 .3' euler='20 30 40'/></body></body>"          \
    "<body pos='-.3 .2 0'><joint name='j2' type='slide' axis='.3 1 .2' stiffness='3'/><geom size='.1'/>"     \
    "<body name='b' pos='0 .2 .3'><joint name='j3' axis='0 1 .4' damping='.1'/><joint axis='1 0 .1'/>"       \
    "<geom size='.1' pos='.2 .1 0'/><site name='s' pos='-.1 .1 .2' euler='50 -30 10'/></body></body></body>" \
    "<body pos='2.9 -2 1'><joint name='j4' axis='0 0 1'/><geom size='.1' pos='.1 .1 .1'/>"                   \
    "<site name='q' pos='.2 0 .1' euler='0 40 10'/></body>"                                                  \
    "<site name='w' pos='3 -1.9 1' euler='10 20 30'/></worldbody>"                                           \
    "<tendon><fixed name='t'><joint joint='j1' coef='1.3'/><joint joint='j2' coef='-.7'/></fixed>"           \
    "<fixed name='u'><joint joint='j3' coef='.4'/><joint joint='j4' coef='2'/></fixed></tendon>"             \
    "<actuator><motor joint='j1' gear='3'/><position joint='j3' kp='20' kv='2'/>"                            \
    "<general joint='j2' dyntype='filter' dynprm='.05' gainprm='4' biastype='affine' biasprm='.1 -2 -.5'/>"  \
    "</actuator><sensor><accelerometer site='s'/><gyro site='p'/><framepos objtype='site' objname='q'/>"     \
    "<jointvel joint='j3'/><subtreelinvel body='a'/></sensor>"
#define OPEN                                                                                                 \
    "<mujoco><option timestep='.004'/><default><geom contype='0'/></default>" OPEN_LOOPS                     \
    "<custom><text name='sinew_loops' data='exact tstab=.1 project=0'/>"

static const char* const JOINTS[] = {"fixed p s",
                                     "revolute p s stiffness=3 ref=.3 damping=.5",
                                     "prismatic w s stiffness=4 ref=.1 damping=.6",
                                     "helical p s pitch=.3 stiffness=2 damping=.4",
                                     "cylindrical s w",
                                     "planar p s",
                                     "spherical q p",
                                     "universal s p",
                                     "sphere-in-cylinder p s",
                                     "sphere-in-plane w s",
                                     "distance p s length=.4"};

static snModel* mechanism(const char* joint, const char* equalities)
{
    char xml[8192];
    snprintf(xml, sizeof xml,
             OPEN "<text name='sinew_loop_k' data='%s'/></custom>" MECHANISM
                  "<equality>%s</equality></mujoco>",
             joint, equalities);
    return withLoops(load(xml));
}

static void stepsOf(snModel* m, Random* r, double scale)
{
    snData* d = sn_makeData(m);
    for (int k = 0; k < 4; k++) {
        m->opt.integrator = integrators[k];
        sn_resetData(m, d);
        moved(m, d, r, scale);
        sn_forward(m, d);
        assert_true(d->nclosure > 0);
        agrees(m, d, 5e-4, 1e-8);
        adjointOf(m, d, r);
        productOf(m, d, r);
    }
    sn_deleteData(d);
}

static void openJoints(void** state)
{
    (void)state;
    Random r = {5};
    for (size_t k = 0; k < sizeof JOINTS / sizeof *JOINTS; k++) {
        snModel* m = mechanism(JOINTS[k], "");
        stepsOf(m, &r, 0.4);
        sn_deleteModel(m);
    }
}

static void openEqualities(void** state)
{
    (void)state;
    static const char* const equalities[] = {
        "<connect body1='a' body2='b' anchor='.1 .2 .3'/>", "<weld site1='q' site2='s'/>",
        "<joint joint1='j1' joint2='j3' polycoef='.1 .5 .3 -.4 .2'/><joint joint1='j2'/>",
        "<tendon tendon1='t' tendon2='u' polycoef='.1 .5 .3 -.4 .2'/>"};
    Random r = {7};
    for (size_t k = 0; k < sizeof equalities / sizeof *equalities; k++) {
        snModel* m = mechanism("distance w q length=.3", equalities[k]);
        stepsOf(m, &r, 0.4);
        sn_deleteModel(m);
    }
}

// ---- closed, with projection: mechanisms of the examples

// Moves on for a while, so that velocities are there and loops are closed as steps leave them.
static void run(const snModel* m, snData* d, Random* r, double force, int steps)
{
    sn_resetDataKeyframe(m, d, m->nkey - 1);
    for (int i = 0; i < m->nu; i++) d->ctrl[i] += .01 * randomReal(r);
    for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = force * randomReal(r);
    for (int t = 0; t < steps; t++) sn_step(m, d);
}

static snModel* example(const char* name)
{
    char path[512];
    snError error = {0};
    snprintf(path, sizeof path, SINEW_SOURCE_DIR "/examples/models/%s.xml", name);
    snModel* m = sn_loadModel(path, NULL, &error);
    if (!m) fail_msg("%s", error.message);
    m->opt.solver = SN_SOL_NEWTON, m->opt.tolerance = 0, m->opt.iterations = 100;
    return m;
}

// A step from a state moved by s along direction k: of the velocities, activations and controls, and of those
// changes of position that loops allow, on which it stays closed: a curve.
static void stepFrom(const snModel* m, snData* d, const Start* start, const double* G, int ny, int k,
                     double s, const double* end, double* y)
{
    double change[MOST], qvel[MOST];
    if (k >= ny) {
        column(m, d, start, k - ny + m->nv, s, end, y);
        return;
    }
    sn_setState(m, d, start->state, SN_STATE_INTEGRATION);
    sn_fwdPosition(m, d);
    for (int i = 0; i < m->nv; i++) change[i] = s * G[i * ny + k];
    memcpy(qvel, d->qvel, sizeof(double) * (size_t)m->nv);
    sn_integratePos(m, d->qpos, change, 1);
    sn_loopProject(m, d, 0);
    memcpy(d->qvel, qvel, sizeof(double) * (size_t)m->nv);
    sn_step(m, d);
    sn_differentiatePos(m, y, 1, end, d->qpos);
    memcpy(y + m->nv, d->qvel, sizeof(double) * (size_t)m->nv);
    memcpy(y + 2 * m->nv, d->act, sizeof(double) * (size_t)m->na);
}

// Products along these directions against differences of sixth order.
static void followsLoops(const snModel* m, snData* d, double step, double tolerance)
{
    static const double weight[7] = {-1, 9, -45, 0, 45, -9, 1};
    static Start start;
    static double G[MOST * MOST];
    double end[MOST], y[4 * MOST], slope[2 * MOST], along[2 * MOST];
    const int nv = m->nv, nx = 2 * nv + m->na;
    sn_getState(m, d, start.state, SN_STATE_INTEGRATION);
    sn_forward(m, d);
    assert_true(d->nclosure > 0 && d->loop_error < 1e-7);
    const int ny = sn_loopMobility(m, d);
    sn_loopG(m, d, G);
    sn_step(m, d);
    memcpy(end, d->qpos, sizeof(double) * (size_t)m->nq);
    for (int k = 0; k < ny + nv + m->na + m->nu; k++) {
        double x[2 * MOST] = {0}, size = 1, off = 0;
        snError error = {0};
        for (int i = 0; i < nv && k < ny; i++) x[i] = G[i * ny + k];
        if (k >= ny) x[nv + k - ny] = 1;
        sn_setState(m, d, start.state, SN_STATE_INTEGRATION);
        const snStepTangent tangent = {.x = x, .u = x + nx};
        if (sn_stepJVP(m, d, &tangent, along, NULL, &error)) fail_msg("%s", error.message);
        memset(slope, 0, sizeof slope);
        for (int e = -3; e <= 3; e++) {
            if (e == 0) continue;
            stepFrom(m, d, &start, G, ny, k, e * step, end, y);
            for (int i = 0; i < nx; i++) slope[i] += weight[e + 3] / (60 * step) * y[i];
        }
        for (int i = 0; i < nx; i++) size = fmax(size, fabs(slope[i]));
        for (int i = 0; i < nx; i++) off = fmax(off, fabs(slope[i] - along[i]) / size);
        if (!(off <= tolerance)) fail_msg("direction %d of %d: off by %g", k, ny, off);
    }
    sn_setState(m, d, start.state, SN_STATE_INTEGRATION);
}

static void examples(void** state)
{
    (void)state;
    static const char* const names[] = {"four_bar", "slider_crank", "gears", "excavator", "delta", "stewart"};
    Random r = {11};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snModel* m = example(names[k]);
        snData* d = sn_makeData(m);
        for (int i = 0; i < 4; i++) {
            m->opt.integrator = integrators[i];
            run(m, d, &r, .2, 50);
            followsLoops(m, d, 1e-3, 1e-8);
            if (m->nv < 6) agrees(m, d, 2e-7, 1e-5);
            adjointOf(m, d, &r);
        }
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// With contacts, limits and rows of soft equalities.
static void touching(void** state)
{
    (void)state;
    Random r = {13};
    static const char* const names[] = {"gripper", "cassie_legs"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snModel* m = example(names[k]);
        snData* d = sn_makeData(m);
        for (int i = 0; i < 4; i++) {
            m->opt.integrator = integrators[i];
            run(m, d, &r, 0, 100);
            sn_forward(m, d);
            assert_true(d->nefc > 0);
            followsLoops(m, d, 1e-5, 5e-7);
            adjointOf(m, d, &r);
        }
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// A full arena is said, and leaves state and outputs as they were.
static void fullArenas(void** state)
{
    (void)state;
    static Start before, after;
    static double A[MOST * MOST], y[MOST];
    snModel* m = example("slider_crank");
    int full = 0, fits = 0;
    for (int64_t size = 4096; size < 1 << 20; size += size / 4) {
        m->narena = size;
        snData* d = sn_makeData(m);
        if (!d) continue;
        sn_getState(m, d, before.state, SN_STATE_INTEGRATION);
        for (int i = 0; i < 4; i++) {
            snError error = {0};
            m->opt.integrator = integrators[i];
            A[0] = y[0] = 42;
            const snStatus status = sn_transitionDerivative(m, d, A, NULL, NULL, NULL, &error);
            const snStepGradient gradient = {.x = y};
            const snStatus back = sn_stepVJP(m, d, A + 1, NULL, &gradient, &error);
            assert_true(status == SN_STATUS_OK || status == SN_STATUS_NO_MEMORY);
            assert_true(back == SN_STATUS_OK || back == SN_STATUS_NO_MEMORY);
            if (status) assert_true(A[0] == 42);
            if (back) assert_true(y[0] == 42);
            *(status ? &full : &fits) += 1;
            sn_getState(m, d, after.state, SN_STATE_INTEGRATION);
            assert_memory_equal(before.state, after.state,
                                (size_t)sn_stateSize(m, SN_STATE_INTEGRATION) * sizeof(double));
        }
        sn_deleteData(d);
    }
    assert_true(full > 4 && fits > 4);
    sn_deleteModel(m);
}

// What cannot be closed behind a step, and loops over spatial tendons, are refused by name.
static void refusals(void** state)
{
    (void)state;
    double A[MOST] = {42};
    snError error = {0};
    snModel* m = example("swinging_atwood");
    snData* d = sn_makeData(m);
    assert_int_equal(sn_transitionDerivative(m, d, A, NULL, NULL, NULL, &error), SN_STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.message, "'cable'"));
    sn_deleteData(d);
    sn_deleteModel(m);
    m = example("four_bar");
    d = sn_makeData(m);
    d->qpos[0] += 2;
    for (int i = 0; i < 4; i++) {
        m->opt.integrator = integrators[i];
        assert_int_equal(sn_transitionDerivative(m, d, A, NULL, NULL, NULL, &error), SN_STATUS_UNSUPPORTED);
        assert_non_null(strstr(error.message, "sn_transitionFD"));
    }
    assert_true(A[0] == 42);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A state far along leaves nothing behind: derivatives do not change what a simulation does next.
static void leavesNothing(void** state)
{
    (void)state;
    static Start a, b;
    static double A[4 * MOST * MOST];
    Random r = {17};
    snModel* m = example("stewart");
    snData *d = sn_makeData(m), *other = sn_makeData(m);
    for (int i = 0; i < 4; i++) {
        m->opt.integrator = integrators[i];
        run(m, d, &r, .2, 20);
        sn_getState(m, d, a.state, SN_STATE_INTEGRATION);
        sn_setState(m, other, a.state, SN_STATE_INTEGRATION);
        assert_int_equal(sn_transitionDerivative(m, d, A, NULL, NULL, NULL, NULL), SN_STATUS_OK);
        sn_step(m, d);
        sn_step(m, other);
        sn_getState(m, d, a.state, SN_STATE_INTEGRATION);
        sn_getState(m, other, b.state, SN_STATE_INTEGRATION);
        assert_memory_equal(a.state, b.state, (size_t)sn_stateSize(m, SN_STATE_INTEGRATION) * sizeof(double));
    }
    sn_deleteData(other);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openJoints),    cmocka_unit_test(openEqualities), cmocka_unit_test(examples),
        cmocka_unit_test(touching),      cmocka_unit_test(fullArenas),     cmocka_unit_test(refusals),
        cmocka_unit_test(leavesNothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
