// Derivatives of a whole step: against differences of the engine's own, the adjoint against the forward mode,
// gradients over many steps against themselves with other checkpoints.
#include "step_case.h"

// ---- models

#define SENSORS                                                                                              \
    "<sensor><accelerometer site='tip'/><gyro site='tip'/><framepos objtype='site' objname='tip'/>"          \
    "<force site='tip'/><torque site='tip'/><jointvel joint='hinge'/></sensor>"

#define SENSORS_TOUCHING                                                                                     \
    "<sensor><framepos objtype='body' objname='upper'/><jointlimitfrc joint='arm'/><actuatorfrc "            \
    "actuator='push'/>"                                                                                      \
    "<frameangacc objtype='body' objname='upper'/><touch site='pad'/><subtreecom body='upper'/></sensor>"

static const char joints[] =
    "<mujoco><option timestep='0.004'/><default><geom contype='0'/></default><worldbody>"
    "<body pos='0 0 3'><freejoint/><geom size='.1 .2 .3' type='box'/>"
    " <body pos='.2 0 .1'><joint name='ball' type='ball' damping='.3' armature='.05'/><geom size='.1' "
    "pos='.1 .2 0'/>"
    "  <body pos='.1 .2 .1'><joint name='slide' type='slide' axis='1 1 0' damping='.2' stiffness='3'/>"
    "   <joint name='hinge' axis='0 1 .3' damping='.4' stiffness='2' springref='.3'/>"
    "   <geom type='capsule' size='.05 .2' pos='0 .1 .2'/><site name='tip' pos='.1 .1 .3'/>"
    "   <body pos='0 .2 0'><joint name='last' axis='1 0 0' damping='.1'/><geom size='.1' pos='.1 0 .2'/>"
    "</body></body></body></body>"
    "<body pos='2 0 1'><joint name='other' damping='.1'/><geom size='.1 .1' type='capsule' pos='.2 0 "
    "0'/></body>"
    "</worldbody><actuator><motor joint='hinge' gear='3'/><position joint='last' kp='20' kv='2'/>"
    "<general joint='slide' dyntype='filter' dynprm='.05' gainprm='4' biastype='affine' biasprm='.1 -2 -.5'/>"
    "<general joint='other' dyntype='integrator' gainprm='4'/>"
    "<general joint='other' dyntype='filterexact' dynprm='.03' gainprm='4' gear='2'/>"
    "<motor joint='ball' gear='1 2 3'/></actuator>" SENSORS "</mujoco>";

static const int integrators[4] = {SN_INT_EULER, SN_INT_RK4, SN_INT_IMPLICIT, SN_INT_IMPLICITFAST};

static void smooth(void** state)
{
    (void)state;
    snModel* m = load(joints);
    snData* d = sn_makeData(m);
    Random r = {5};
    for (int k = 0; k < 8; k++) {
        m->opt.integrator = integrators[k % 4];
        moved(m, d, &r, 1);
        agrees(m, d, 2e-3, 1e-9);
        sn_resetData(m, d);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- in contact, at limits, with dry friction and equalities

static const char touching[] =
    "<mujoco><option timestep='0.004' tolerance='0' iterations='200'/><worldbody><geom name='floor' "
    "type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .29'><freejoint/><geom size='.2 .3 .3' type='box' condim='4'/>"
    " <body name='upper' pos='.3 0 0'><joint name='arm' axis='0 1 0' damping='.4' range='-20 40' "
    "limited='true' frictionloss='.3'/>"
    "  <geom type='capsule' size='.05' fromto='0 0 0 .4 0 0'/>"
    "  <body pos='.4 0 0'><joint name='hand' axis='0 1 .2' damping='.1'/><geom size='.08' pos='.1 0 -.23' "
    "condim='6'/>"
    "   <site name='pad' size='.2' pos='.1 0 -.23'/>"
    "</body></body></body>"
    "<body pos='1.5 0 .19'><freejoint/><geom size='.2'/></body>"
    "<body pos='3 0 1'><joint name='left' axis='0 1 0'/><geom type='capsule' size='.05 .2' pos='.2 0 "
    "0'/></body>"
    "<body pos='3 1 1'><joint name='right' axis='0 1 0'/><geom type='capsule' size='.05 .2' pos='.2 0 "
    "0'/></body>"
    "</worldbody><equality><joint joint1='left' joint2='right' polycoef='0 1 .3'/></equality>"
    "<actuator><motor name='push' joint='arm' gear='3'/><position joint='hand' kp='20' kv='2'/>"
    "<general joint='left' dyntype='filter' dynprm='.05' gainprm='4'/></actuator>" SENSORS_TOUCHING
    "</mujoco>";

// Lets things fall until they touch and slide.
static void settle(const snModel* m, snData* d, Random* r, int steps)
{
    sn_resetData(m, d);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = .3 * randomReal(r);
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = randomReal(r);
    for (int t = 0; t < steps; t++) sn_step(m, d);
}

static void constrained(void** state)
{
    (void)state;
    snModel* m = load(touching);
    snData* d = sn_makeData(m);
    Random r = {7};
    for (int k = 0; k < 16; k++) {
        m->opt.integrator = integrators[k % 4];
        m->opt.cone = k / 4 % 2 ? SN_CONE_ELLIPTIC : SN_CONE_PYRAMIDAL;
        settle(m, d, &r, 30 + 5 * k);
        agrees(m, d, 1e-6, 1e-6);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Flags take forces away, and their derivatives.
static void flags(void** state)
{
    (void)state;
    static const int bits[] = {
        SN_DSBL_DAMPER,    SN_DSBL_EULERDAMP, SN_DSBL_SPRING,     SN_DSBL_GRAVITY,
        SN_DSBL_ACTUATION, SN_DSBL_CONTACT,   SN_DSBL_CONSTRAINT, SN_DSBL_DAMPER | SN_DSBL_SPRING};
    Random r = {11};
    for (int k = 0; k < 16; k++) {
        snModel* m = load(k % 2 ? touching : joints);
        snData* d = sn_makeData(m);
        m->opt.disableflags |= bits[k / 2];
        if (k % 2)
            settle(m, d, &r, 30);
        else
            moved(m, d, &r, 1);
        agrees(m, d, k % 2 ? 1e-6 : 2e-3, k % 2 ? 1e-6 : 1e-9);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// ---- products

static void products(void** state)
{
    (void)state;
    Random r = {23};
    for (int k = 0; k < 8; k++) {
        snModel* m = load(k % 2 ? touching : joints);
        snData* d = sn_makeData(m);
        m->opt.integrator = integrators[k / 2];
        m->opt.cone = SN_CONE_ELLIPTIC;
        if (k % 2)
            settle(m, d, &r, 40);
        else
            moved(m, d, &r, 1);
        adjointOf(m, d, &r);
        productOf(m, d, &r);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// ---- many steps

enum { STEPS = 17 };

typedef struct Loss {
    double target[MOST];
    int calls;
} Loss;

// Half the square of qvel - target, and of ctrl.
static double loss(const snModel* m, snData* d, int t, const snLossGradient* gradient, void* user)
{
    Loss* by = user;
    double sum = 0;
    by->calls++;
    for (int i = 0; i < m->nv; i++) {
        const double off = d->qvel[i] - by->target[i];
        gradient->x[m->nv + i] = off;
        sum += off * off / 2;
    }
    for (int i = 0; i < m->nu && t < STEPS; i++) {
        gradient->u[i] = d->ctrl[i];
        sum += d->ctrl[i] * d->ctrl[i] / 2;
    }
    return sum;
}

static double lossOf(const snModel* m, snData* d, const double* start, const double* ctrl, Loss* by)
{
    double sum = 0, x[2 * MOST], u[MOST];
    const snLossGradient gradient = {x, u, NULL};
    sn_setState(m, d, start, SN_STATE_INTEGRATION);
    for (int t = 0; t <= STEPS; t++) {
        if (t < STEPS) memcpy(d->ctrl, ctrl + t * m->nu, (size_t)m->nu * sizeof(double));
        sum += loss(m, d, t, &gradient, by);
        if (t < STEPS) sn_step(m, d);
    }
    return sum;
}

static void rolloutOf(const snModel* m, snData* d, Random* r, double tolerance)
{
    static Start start;
    double ctrl[STEPS * 8], x[2][MOST], u[2][STEPS * 8], by[STEPS * MOST];
    Loss term = {.calls = 0};
    snError error = {0};
    fill(r, ctrl, STEPS * m->nu), fill(r, term.target, m->nv);
    sn_getState(m, d, start.state, SN_STATE_INTEGRATION);
    double value[2];
    for (int k = 0; k < 2; k++) {
        const snRollout rollout = {
            .nstep = STEPS, .ctrl = ctrl, .loss = loss, .user = &term, .checkpoints = k ? 1 : 0};
        snRolloutGradient gradient = {.x = x[k], .ctrl = u[k], .qfrc = by};
        if (sn_rolloutGradient(m, d, &rollout, &gradient, &error)) fail_msg("%s", error.message);
        value[k] = gradient.loss;
    }
    assert_int_equal(term.calls, 2 * (STEPS + 1));
    assert_memory_equal(x[0], x[1], (size_t)(2 * m->nv + m->na) * sizeof(double));
    assert_memory_equal(u[0], u[1], (size_t)(STEPS * m->nu) * sizeof(double));
    assert_memory_equal(&value[0], &value[1], sizeof(double));
    const double expected = lossOf(m, d, start.state, ctrl, &term);
    assert_true(fabs(value[0] - expected) <= 1e-12 * fabs(expected));
    for (int i = 0; i < STEPS * m->nu; i += 5) {
        const double step = 1e-5, at = ctrl[i];
        ctrl[i] = at + step;
        const double more = lossOf(m, d, start.state, ctrl, &term);
        ctrl[i] = at - step;
        const double slope = (more - lossOf(m, d, start.state, ctrl, &term)) / (2 * step);
        ctrl[i] = at;
        if (!(fabs(slope - u[0][i]) <= tolerance * fmax(1, fabs(slope))))
            fail_msg("gradient %d: %g, by differences %g", i, u[0][i], slope);
    }
    sn_setState(m, d, start.state, SN_STATE_INTEGRATION);
}

static void rollouts(void** state)
{
    (void)state;
    Random r = {29};
    for (int k = 0; k < 4; k++) {
        snModel* m = load(k % 2 ? touching : joints);
        snData* d = sn_makeData(m);
        m->opt.integrator = integrators[k / 2];
        if (k % 2)
            settle(m, d, &r, 40);
        else
            moved(m, d, &r, 1);
        rolloutOf(m, d, &r, k % 2 ? 1e-5 : 1e-6);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// ---- refusals

static void noControl(const snModel* m, snData* d, void* user)
{
    (void)m, (void)d, (void)user;
}

static void refuses(const snModel* m, snData* d, const char* cause)
{
    Matrices x = make(m);
    snError error = {0};
    x.A[0] = 42;
    assert_int_equal(sn_transitionDerivative(m, d, x.A, x.B, NULL, NULL, &error), SN_STATUS_UNSUPPORTED);
    if (!strstr(error.message, cause) || !strstr(error.message, "sn_transitionFD"))
        fail_msg("'%s' does not name %s", error.message, cause);
    assert_true(x.A[0] == 42);
    const snRollout rollout = {.nstep = 2};
    snRolloutGradient gradient = {.x = x.A};
    assert_int_equal(sn_rolloutGradient(m, d, &rollout, &gradient, &error), SN_STATUS_UNSUPPORTED);
    assert_true(x.A[0] == 42);
    drop(x);
}

static void refusals(void** state)
{
    (void)state;
    snModel* m = load(touching);
    snData* d = sn_makeData(m);
    m->opt.noslip_iterations = 3;
    refuses(m, d, "noslip");
    m->opt.noslip_iterations = 0;
    m->opt.contact = SN_CONTACT_LCP;
    refuses(m, d, "lcp");
    m->opt.contact = SN_CONTACT_SOFT;
    d->callback.control = noControl;
    refuses(m, d, "callback.control");
    d->callback.control = NULL;
    double A[MOST * MOST] = {7};
    d->qvel[0] = NAN;
    assert_int_equal(sn_transitionDerivative(m, d, A, NULL, NULL, NULL, NULL), SN_STATUS_ARGUMENT);
    assert_true(A[0] == 7);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// The state stays, and what follows from it is that of sn_forward; nothing is taken from the arena for good.
static void leavesNothing(void** state)
{
    (void)state;
    snModel* m = load(touching);
    Random r = {3};
    for (int k = 0; k < 4; k++) {
        snData *d = sn_makeData(m), *other = sn_makeData(m);
        static Start before, after;
        double A[MOST * MOST];
        m->opt.integrator = integrators[k];
        settle(m, d, &r, 40);
        sn_getState(m, d, before.state, SN_STATE_INTEGRATION);
        assert_int_equal(sn_transitionDerivative(m, d, A, NULL, NULL, NULL, NULL), SN_STATUS_OK);
        sn_getState(m, d, after.state, SN_STATE_INTEGRATION);
        assert_memory_equal(before.state, after.state,
                            (size_t)sn_stateSize(m, SN_STATE_INTEGRATION) * sizeof(double));
        sn_setState(m, other, before.state, SN_STATE_INTEGRATION);
        sn_forward(m, other);
        assert_int_equal(d->nefc, other->nefc);
        assert_int_equal((int)d->pstack, 0);
        assert_memory_equal(d->xpos, other->xpos, (size_t)(3 * m->nbody) * sizeof(double));
        assert_memory_equal(d->efc_J, other->efc_J, (size_t)d->nJ * sizeof(double));
        assert_true(worst(d->qacc, other->qacc, m->nv) < 1e-8);
        sn_deleteData(other);
        sn_deleteData(d);
    }
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth),        cmocka_unit_test(constrained), cmocka_unit_test(flags),
        cmocka_unit_test(products),      cmocka_unit_test(rollouts),    cmocka_unit_test(refusals),
        cmocka_unit_test(leavesNothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
