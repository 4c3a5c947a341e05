// Finite differences of a step and of inverse dynamics: against steps made one by one, on models with
// everything that a step may have; what is left alone; threads; what is refused.
#include <sinew/sinew.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "model_text.h"

// A ball joint, a free body in contact, dry friction, limits, activations and sensors of all stages.
static const char rich[] =
    "<mujoco><option timestep='.004'>%s</option><worldbody><geom type='plane' size='3 3 .1' condim='%d'/>"
    "<body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .2 .1' pos='.01 0 0' condim='%d'/><site "
    "name='s'/>"
    "<body name='b' pos='.2 0 0'><joint name='j' axis='0 1 0' range='-60 60' damping='.1' "
    "frictionloss='.02'/>"
    "<geom type='capsule' size='.05 .2' condim='%d'/></body></body>"
    "<body pos='0 1 1'><joint name='ball' type='ball' damping='.02'/><geom type='box' size='.1 .04 .2' "
    "pos='0 0 -.3'/>"
    "<body name='last' pos='0 0 -.5'><joint name='k' axis='1 0 0' range='0 90'/><geom size='.06' pos='0 .1 "
    "0'/>"
    "<site name='t' pos='0 .1 0'/></body></body></worldbody>"
    "<actuator><motor joint='j' ctrllimited='true' ctrlrange='-1 1'/>"
    "<general joint='k' dyntype='filter' dynprm='.05' gainprm='2'/><velocity joint='k' kv='.2'/>"
    "<muscle joint='j' lengthrange='-1 1' force='3'/></actuator>"
    "<sensor><framepos objtype='site' objname='t'/><gyro site='s'/><accelerometer site='s'/><touch site='s'/>"
    "<jointvel joint='k'/><actuatorfrc actuator='m'/><subtreeangmom "
    "body='b'/><e_kinetic/></sensor>%s</mujoco>";

static snModel* loadRich(const char* option, int condim, const char* more)
{
    char xml[4000];
    snprintf(xml, sizeof xml, rich, option, condim, condim, condim, more);
    char* at = strstr(xml, "<motor joint='j'");
    memmove(at + 15, at + 6, strlen(at + 6) + 1); // room for a name
    memcpy(at, "<motor name='m'", 15);
    return load(xml);
}

static snData* settle(const snModel* m)
{
    snData* d = sn_makeData(m);
    for (int i = 0; i < 120; i++) {
        for (int u = 0; u < m->nu; u++) d->ctrl[u] = 0.3 * sin(i + 2 * u);
        sn_step(m, d);
    }
    for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = 0.1 * cos(i);
    sn_forward(m, d);
    return d;
}

typedef struct Result {
    int nx;
    size_t count; // numbers of A, B, C, D
    double *all, *A, *B, *C, *D;
} Result;

static Result makeResult(const snModel* m)
{
    const int nx = 2 * m->nv + m->na;
    const size_t a = (size_t)(nx * nx), b = (size_t)(nx * m->nu), c = (size_t)(m->nsensordata * nx),
                 e = (size_t)(m->nsensordata * m->nu);
    Result r = {.nx = nx, .count = a + b + c + e, .all = malloc((a + b + c + e + 1) * sizeof(double))};
    assert_non_null(r.all);
    r.A = r.all, r.B = r.A + a, r.C = r.B + b, r.D = r.C + c;
    return r;
}

static void difference(const snModel* m, snData* d, double eps, int centered, const Result* r,
                       const snDifferenceThreads* threads)
{
    snError error = {0};
    memset(r->all, 0xff, r->count * sizeof(double));
    if (sn_transitionFD(m, d, eps, centered, r->A, r->B, r->C, r->D, threads, &error))
        fail_msg("%s", error.message);
}

// ---- one by one

static void move(const snModel* m, snData* d, int column, double eps)
{
    const int nv = m->nv, na = m->na;
    double* dq = calloc((size_t)nv, sizeof *dq);
    if (column < nv) {
        dq[column] = eps;
        sn_integratePos(m, d->qpos, dq, 1);
    } else if (column < 2 * nv) {
        d->qvel[column - nv] += eps;
    } else if (column < 2 * nv + na) {
        d->act[column - 2 * nv] += eps;
    } else {
        d->ctrl[column - 2 * nv - na] += eps;
    }
    free(dq);
}

// Column of A over C, or of B over D, by whole steps from fresh copies.
static void columnByHand(const snModel* m, const snData* d, int column, double eps, double* out)
{
    snData *ahead = sn_makeData(m), *back = sn_makeData(m);
    sn_copyData(ahead, m, d);
    sn_copyData(back, m, d);
    move(m, ahead, column, eps);
    move(m, back, column, -eps);
    sn_step(m, ahead);
    sn_step(m, back);
    sn_differentiatePos(m, out, 2 * eps, back->qpos, ahead->qpos);
    for (int i = 0; i < m->nv; i++) out[m->nv + i] = (ahead->qvel[i] - back->qvel[i]) / (2 * eps);
    for (int i = 0; i < m->na; i++) out[2 * m->nv + i] = (ahead->act[i] - back->act[i]) / (2 * eps);
    for (int i = 0; i < m->nsensordata; i++)
        out[2 * m->nv + m->na + i] = (ahead->sensordata[i] - back->sensordata[i]) / (2 * eps);
    sn_deleteData(ahead);
    sn_deleteData(back);
}

// Largest difference from steps made one by one, of max(1, largest entry of the column).
static double worstByHand(const snModel* m, const snData* d, double eps, const Result* r)
{
    const int nx = r->nx, rows = nx + m->nsensordata;
    double *hand = malloc((size_t)rows * sizeof *hand), worst = 0;
    for (int column = 0; column < nx + m->nu; column++) {
        const bool control = column >= nx;
        const int width = control ? m->nu : nx, place = control ? column - nx : column;
        const double *state = control ? r->B : r->A, *sensors = control ? r->D : r->C;
        columnByHand(m, d, column, eps, hand);
        double scale = 1;
        for (int i = 0; i < rows; i++) scale = fmax(scale, fabs(hand[i]));
        for (int i = 0; i < rows; i++) {
            const double ours = i < nx ? state[i * width + place] : sensors[(i - nx) * width + place];
            const double error = fabs(ours - hand[i]) / scale;
            if (!(error <= worst)) worst = error;
        }
    }
    free(hand);
    return worst;
}

static void checkByHand(snModel* m, double tolerance)
{
    snData* d = settle(m);
    const Result r = makeResult(m);
    assert_true(d->nefc > 0);
    m->opt.tolerance = 0;
    m->opt.iterations = 200;
    difference(m, d, 1e-5, 1, &r, NULL);
    const double worst = worstByHand(m, d, 1e-5, &r);
    if (!(worst < tolerance)) fail_msg("differs by %g", worst);
    free(r.all);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Both are differences of the same width, so that what parts them is rounding, 1e-13 / eps.
static void steps_by_all_integrators(void** state)
{
    (void)state;
    for (int integrator = 0; integrator < 4; integrator++)
        for (int cone = 0; cone < 2; cone++) {
            snModel* m = loadRich("", cone ? 6 : 3, "");
            m->opt.integrator = integrator;
            m->opt.cone = cone;
            checkByHand(m, 2e-7);
        }
}

// Seen are: a wall past the arms, an arm in front of it, the one arm from the other, nothing, and something
// beyond the cutoff. The last mass of the arm hangs in the way of a ray, but is not seen by its own body's.
static const char rays[] =
    "<mujoco><option timestep='.002'>%s</option><worldbody><geom type='box' size='.1 2 2' pos='2 0 0'/>"
    "<geom type='plane' size='3 3 .1' pos='0 0 -2'/><site name='past' pos='0 0 1' zaxis='1 0 .1'/>"
    "<site name='at' pos='-1 .02 -.3' zaxis='1 0 0'/><site name='up' zaxis='.1 0 1'/>"
    "<body><joint type='ball' damping='.1'/><geom type='capsule' size='.05 .3' pos='0 0 -.35'/>"
    "<site name='side' pos='0 .02 -.3' zaxis='1 .01 -.6'/>"
    "<body pos='0 0 -.7'><joint name='j' axis='0 1 0' damping='.1'/><geom type='ellipsoid' size='.1 .2 .3' "
    "pos='.2 0 "
    "-.2'/><site name='own' pos='.2 0 -.2' zaxis='0 .1 -1'/></body></body>"
    "<body pos='0 .5 -1.88'><freejoint/><geom type='box' size='.2 .3 .1'/><site name='free' zaxis='0 -1 "
    ".8'/></body></worldbody><sensor><rangefinder site='past'/><rangefinder site='at'/><rangefinder "
    "site='up'/><rangefinder site='side'/><rangefinder site='own'/><rangefinder site='free'/><jointpos "
    "joint='j'/><rangefinder site='at' cutoff='.3'/></sensor></mujoco>";

static void range_finders(void** state)
{
    (void)state;
    static const char* const options[] = {"", "<flag sensor='disable'/>"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char xml[3000];
        snprintf(xml, sizeof xml, rays, options[i]);
        checkByHand(load(xml), 1e-6);
    }
}

static void other_solvers_lead_to_the_optimum(void** state)
{
    (void)state;
    snModel* m = loadRich("", 1, "");
    m->opt.solver = SN_SOL_CG;
    checkByHand(m, 1e-5);
}

static void noslip(void** state)
{
    (void)state;
    snModel* m = loadRich("", 3, "");
    m->opt.noslip_iterations = 1000;
    m->opt.noslip_tolerance = 0;
    checkByHand(m, 1e-5);
}

static void rigid_contact(void** state)
{
    (void)state;
    snModel* m = loadRich("", 3, "<custom><text name='sinew_contact' data='lcp'/></custom>");
    assert_int_equal(m->opt.contact, SN_CONTACT_LCP);
    m->opt.lcp_tolerance = 0;
    checkByHand(m, 1e-4); // sweeps end where they end
}

static void loops(void** state)
{
    (void)state;
    static const char xml[] =
        "<mujoco><option timestep='.004'/><worldbody><body><joint name='a' axis='0 1 0'/><geom "
        "type='capsule' "
        "fromto='0 0 0 0 0 1' size='.05'/><body pos='0 0 1'><joint axis='0 1 0' damping='.1'/><geom "
        "type='capsule' "
        "fromto='0 0 0 1 0 0' size='.05'/><body name='c' pos='1 0 0'><joint axis='0 1 0'/><geom "
        "type='capsule' "
        "fromto='0 0 0 0 0 -1' size='.05'/></body></body></body></worldbody><contact><exclude body1='c' "
        "body2='world'/></contact><equality><connect body1='c' body2='world' anchor='0 0 -1'/></equality>"
        "<actuator><motor name='m' joint='a'/></actuator><sensor><jointvel joint='a'/><actuatorfrc "
        "actuator='m'/>"
        "</sensor><custom><text name='sinew_loops' data='exact'/></custom></mujoco>";
    snModel* m = load(xml);
    snData* d = sn_makeData(m);
    const Result r = makeResult(m);
    d->ctrl[0] = 3;
    for (int i = 0; i < 50; i++) sn_step(m, d);
    sn_forward(m, d);
    assert_true(d->nclosure > 0);
    difference(m, d, 1e-5, 1, &r, NULL);
    assert_true(worstByHand(m, d, 1e-5, &r) < 1e-7);
    free(r.all);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void pushBack(const snModel* m, snData* d, void* user)
{
    (void)user;
    for (int i = 0; i < m->nv; i++) d->qfrc_passive[i] -= 0.3 * d->qvel[i] * fabs(d->qvel[i]);
}

static void steer(const snModel* m, snData* d, void* user)
{
    (void)m, (void)user;
    d->ctrl[0] = -0.2 * d->qvel[6];
    d->qfrc_applied[0] = d->qvel[0];
}

static void callbacks(void** state)
{
    (void)state;
    snModel* m = loadRich("", 3, "");
    snData* d = settle(m);
    const Result r = makeResult(m);
    m->opt.tolerance = 0;
    d->callback.passive = pushBack;
    d->callback.control = steer;
    d->ctrl[0] = 0.125;
    difference(m, d, 1e-5, 1, &r, NULL);
    assert_true(worstByHand(m, d, 1e-5, &r) < 1e-7);
    assert_true(d->ctrl[0] == 0.125);
    for (int i = 0; i < r.nx; i++) assert_true(r.B[i * m->nu] == 0);
    free(r.all);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- what is left alone

static void nothingChanged(const snModel* m, const snData* before, const snData* after)
{
    int count, narena;
    const snField* fields = sn_dataFields(&count, &narena);
    for (int i = 0; i < count; i++) {
        int rows, columns;
        const char* name = fields[i].name;
        if (!strcmp(fields[i].group, "cache") && strcmp(name, "loop_seen")) continue;
        // what an integrator computes is of the last step
        if (!strcmp(name, "qH") || !strcmp(name, "qHDiagInv") || !strcmp(name, "qDeriv") ||
            !strcmp(name, "qLU"))
            continue;
        sn_dataFieldShape(m, before, i, &rows, &columns);
        const void *a = *(void*const*)((const char*)before + fields[i].offset),
                   *b = *(void*const*)((const char*)after + fields[i].offset);
        if (rows && memcmp(a, b, (size_t)rows * (size_t)columns * fields[i].itemsize))
            fail_msg("%s has changed", name);
    }
    assert_memory_equal(before->warning, after->warning, sizeof before->warning);
    assert_memory_equal(before->timer, after->timer, sizeof before->timer);
    assert_true(before->time == after->time && before->pstack == after->pstack);
    assert_true(before->nimpulse == after->nimpulse && before->nefc == after->nefc);
    assert_true(before->solver_residual_max == after->solver_residual_max);
    assert_memory_equal(before->impulse, after->impulse, (size_t)before->nimpulse * sizeof(snImpulse));
}

static int countAllocation(size_t size, void* user)
{
    (void)size;
    ++*(int*)user;
    return 1;
}

static void stateStays(snModel* m)
{
    int allocations = 0;
    snData *d = settle(m), *before = sn_makeData(m);
    const Result r = makeResult(m);
    d->warning[SN_WARN_INERTIA].number = 3;
    sn_copyData(before, m, d);
    before->pstack = d->pstack;
#ifdef SN_TEST_HOOKS
    sn_setAllocHook(countAllocation, &allocations);
#endif
    difference(m, d, 1e-6, 0, &r, NULL);
#ifdef SN_TEST_HOOKS
    sn_setAllocHook(NULL, NULL);
#endif
    (void)countAllocation;
    assert_int_equal(allocations, 0);
    nothingChanged(m, before, d);
    free(r.all);
    sn_deleteData(before);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void state_stays(void** state)
{
    (void)state;
    for (int integrator = 0; integrator < 4; integrator++) {
        snModel* m = loadRich("", 3, "");
        m->opt.integrator = integrator;
        stateStays(m);
    }
    stateStays(loadRich("", 3, "<custom><text name='sinew_contact' data='lcp'/></custom>"));
}

// ---- threads

static void sameAtAnyThreadCount(snModel* m)
{
    enum { MOST = 5 };
    snData *d = settle(m), *others[MOST];
    const Result alone = makeResult(m), shared = makeResult(m);
    for (int i = 0; i < MOST; i++) others[i] = sn_makeData(m);
    difference(m, d, 1e-6, 0, &alone, NULL);
    for (int count = 1; count <= MOST + 1; count += 2) {
        snThreadPool* pool = sn_makeThreadPool(count);
        const snDifferenceThreads threads = {pool, others, MOST};
        assert_non_null(pool);
        difference(m, d, 1e-6, 0, &shared, &threads);
        assert_memory_equal(alone.all, shared.all, alone.count * sizeof(double));
        sn_deleteThreadPool(pool);
    }
    for (int i = 0; i < MOST; i++) sn_deleteData(others[i]);
    free(alone.all);
    free(shared.all);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void threads_give_the_same_bits(void** state)
{
    (void)state;
    for (int integrator = 0; integrator < 4; integrator++) {
        snModel* m = loadRich("", 3, "");
        m->opt.integrator = integrator;
        sameAtAnyThreadCount(m);
    }
    sameAtAnyThreadCount(loadRich("", 3, "<custom><text name='sinew_contact' data='lcp'/></custom>"));
}

// ---- controls

static void controls_stay_in_range(void** state)
{
    (void)state;
    snModel* m = loadRich("", 3, "");
    snData* d = settle(m);
    const Result r = makeResult(m);
    const double eps = 1e-6, ctrl[] = {0, 1, -1, 2, -2, 1 - 0.5 * eps};
    const bool moves[] = {true, true, true, false, false, true};
    double full = 0;
    for (int i = 0; i < 6; i++)
        for (int centered = 0; centered < 2; centered++) {
            d->ctrl[0] = ctrl[i];
            difference(m, d, eps, centered, &r, NULL);
            const double b = r.B[(m->nv + 6) * m->nu];
            if (i == 0 && !centered) full = b;
            assert_true(full != 0);
            assert_true(moves[i] ? fabs(b - full) < 1e-3 * fabs(full) : b == 0);
        }
    m->actuator_ctrlrange[0] = 0;
    m->actuator_ctrlrange[1] = 0.5 * eps;
    d->ctrl[0] = 0.25 * eps;
    difference(m, d, eps, 1, &r, NULL);
    for (int i = 0; i < r.nx; i++) assert_true(r.B[i * m->nu] == 0);
    // where nothing is clamped the range is none
    m->opt.disableflags |= SN_DSBL_CLAMPCTRL;
    difference(m, d, eps, 1, &r, NULL);
    assert_true(fabs(r.B[(m->nv + 6) * m->nu] - full) < 1e-3 * fabs(full));
    free(r.all);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- refused

static void odd_input_is_an_error(void** state)
{
    (void)state;
    snModel* m = loadRich("", 3, "");
    snData *d = settle(m), *other = sn_makeData(m);
    const Result r = makeResult(m);
    snError error;
    const double bad[] = {0, -1e-6, (double)NAN, HUGE_VAL};
#define FD(eps, threads) sn_transitionFD(m, d, eps, 0, r.A, r.B, r.C, r.D, threads, &error)
    for (int i = 0; i < 4; i++) {
        assert_int_equal(FD(bad[i], NULL), SN_STATUS_ARGUMENT);
        assert_non_null(strstr(error.message, "eps"));
        assert_int_equal(sn_inverseFD(m, d, bad[i], 0, r.A, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &error),
                         SN_STATUS_ARGUMENT);
    }
    double* const parts[] = {d->qpos + 2, d->qvel + 1,         d->act,
                             d->ctrl,     d->qfrc_applied + 3, d->xfrc_applied + 7};
    const char* const names[] = {"qpos[2]", "qvel[1]",         "act[0]",
                                 "ctrl[0]", "qfrc_applied[3]", "xfrc_applied[7]"};
#define INVERSE() sn_inverseFD(m, d, 1e-6, 0, r.A, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &error)
    for (int i = 0; i < 6; i++) {
        const double good = *parts[i];
        *parts[i] = (double)NAN;
        assert_int_equal(FD(1e-6, NULL), SN_STATUS_ARGUMENT);
        assert_non_null(strstr(error.message, names[i]));
        assert_int_equal(INVERSE(), SN_STATUS_ARGUMENT);
        assert_non_null(strstr(error.message, names[i]));
        assert_true(isnan(*parts[i]));
        *parts[i] = good;
    }
    d->qacc[1] = (double)NAN;
    assert_int_equal(INVERSE(), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "qacc[1]"));
    d->qacc[1] = 0;
#undef INVERSE
    const double before = d->qpos[2];
    d->qfrc_applied[3] = 1e10;
    assert_int_equal(FD(1e-6, NULL), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "qacc"));
    d->qfrc_applied[3] = 0;
    d->qvel[0] = 9e9;
    assert_int_equal(FD(5e9, NULL), SN_STATUS_ARGUMENT);
    assert_true(d->qpos[2] == before && d->qvel[0] == 9e9);
    d->qvel[0] = 0;

    snThreadPool* pool = sn_makeThreadPool(3);
    snData* twice[] = {other, other};
    assert_int_equal(FD(1e-6, (&(snDifferenceThreads){pool, twice, 1})), SN_STATUS_ARGUMENT);
    assert_int_equal(FD(1e-6, (&(snDifferenceThreads){pool, twice, 2})), SN_STATUS_ARGUMENT);
    twice[1] = d;
    assert_int_equal(FD(1e-6, (&(snDifferenceThreads){pool, twice, 2})), SN_STATUS_ARGUMENT);
    sn_deleteThreadPool(pool);
    assert_int_equal(sn_transitionFD(m, d, 1e-6, 0, NULL, NULL, NULL, NULL, NULL, &error), SN_STATUS_OK);
    m->opt.contact = SN_CONTACT_LCP;
    assert_int_equal(sn_inverseFD(m, d, 1e-6, 0, r.A, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &error),
                     SN_STATUS_UNSUPPORTED);
    free(r.all);
    sn_deleteData(other);
    sn_deleteData(d);
    sn_deleteModel(m);
#undef FD
}

// The arena is less and less, so that each piece of scratch is once the one that does not fit.
static void a_full_arena_is_an_error(void** state)
{
    (void)state;
    snModel* m = loadRich("", 3, "");
    snData *d = settle(m), *before = sn_makeData(m);
    const Result r = makeResult(m);
    const size_t room = d->narena;
    snError error = {0};
    sn_transitionFD(m, d, 1e-6, 0, r.A, r.B, r.C, r.D, NULL, &error);
    const size_t most = d->maxuse_arena;
    sn_copyData(before, m, d);
    int refused = 0;
    for (size_t bytes = most; bytes > 4096; bytes -= bytes / 32) {
        d->narena = bytes & ~(size_t)63;
        const snStatus status = sn_transitionFD(m, d, 1e-6, 0, r.A, r.B, r.C, r.D, NULL, &error);
        assert_true(status == SN_STATUS_OK || status == SN_STATUS_NO_MEMORY);
        refused += status == SN_STATUS_NO_MEMORY;
        assert_memory_equal(d->qpos, before->qpos, (size_t)m->nq * sizeof(double));
        assert_memory_equal(d->qvel, before->qvel, (size_t)m->nv * sizeof(double));
        assert_int_equal(d->pstack, 0);
    }
    d->narena = room;
    assert_true(refused > 3);
    free(r.all);
    sn_deleteData(before);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- inverse dynamics

static void inverse_of_forward(void** state)
{
    (void)state;
    snModel* m = loadRich("", 3, "");
    snData *d = settle(m), *other = sn_makeData(m);
    const int nv = m->nv, ns = m->nsensordata;
    const double eps = 1e-6;
    double* out[7];
    for (int i = 0; i < 7; i++) out[i] = malloc(sizeof(double) * (size_t)nv * (size_t)(nv + ns + m->nM));
    snError error = {0};
    for (int flag = 0; flag < 2; flag++) {
        if (sn_inverseFD(m, d, eps, flag, out[0], out[1], out[2], out[3], out[4], out[5], out[6], NULL,
                         &error))
            fail_msg("%s", error.message);
        for (int kind = 0; kind < 3; kind++)
            for (int k = 0; k < nv; k++) {
                sn_copyData(other, m, d);
                if (kind < 2) move(m, other, kind * nv + k, eps);
                if (kind == 2) other->qacc[k] += eps;
                sn_inverse(m, other);
                sn_fwdActuation(m, other);
                sn_inverse(m, d);
                sn_fwdActuation(m, d);
                for (int i = 0; i < nv; i++) {
                    double f = other->qfrc_inverse[i] - d->qfrc_inverse[i];
                    if (flag) f -= other->qfrc_actuator[i] - d->qfrc_actuator[i];
                    assert_true(fabs(out[kind][k * nv + i] - f / eps) < 1e-9 * fmax(1, fabs(f / eps)));
                }
                for (int i = 0; i < ns; i++) {
                    const double s = (other->sensordata[i] - d->sensordata[i]) / eps;
                    assert_true(fabs(out[3 + kind][k * ns + i] - s) < 1e-9 * fmax(1, fabs(s)));
                }
                for (int i = 0; kind == 0 && i < m->nM; i++)
                    assert_true(fabs(out[6][k * m->nM + i] - (other->qM[i] - d->qM[i]) / eps) < 1e-9);
            }
    }
    for (int i = 0; i < 7; i++) free(out[i]);
    sn_deleteData(other);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- quaternions

static void turned(double out[4], const double q[4], int axis, double angle)
{
    double v[3] = {0};
    v[axis] = 1;
    memcpy(out, q, 4 * sizeof *q);
    sn_integrateQuat(out, v, angle);
}

// A central difference of order 6 of the rotation from qb to qa by a rotation of one of them.
static void subQuatByDifference(const double qa[4], const double qb[4], bool first, int axis, double out[3])
{
    static const double weight[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double h = 1e-3;
    for (int i = 0; i < 3; i++) out[i] = 0;
    for (int k = 1; k <= 3; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double q[4], r[3];
            turned(q, first ? qa : qb, axis, sign * k * h);
            sn_subQuat(r, first ? q : qa, first ? qb : q);
            for (int i = 0; i < 3; i++) out[i] += sign * weight[k - 1] * r[i] / h;
        }
}

static void difference_of_quaternions(void** state)
{
    (void)state;
    const double angles[] = {0, 1e-12, 1e-8, 1e-4, 0.1, 1, 2, 3, 3.1, -0.5, -3};
    const double axis[3] = {2.0 / 7, -3.0 / 7, 6.0 / 7}, start[4] = {0.5, -0.5, 0.5, 0.5};
    for (size_t n = 0; n < sizeof angles / sizeof *angles; n++) {
        double qa[4], Da[9], Db[9], da[3], db[3];
        memcpy(qa, start, sizeof qa);
        sn_integrateQuat(qa, axis, angles[n]);
        for (int flip = 0; flip < 2; flip++) { // both signs are one rotation
            for (int i = 0; i < 4; i++) qa[i] = -qa[i];
            sn_subQuatDerivative(qa, start, Da, Db);
            for (int k = 0; k < 3; k++) {
                subQuatByDifference(qa, start, true, k, da);
                subQuatByDifference(qa, start, false, k, db);
                for (int i = 0; i < 3; i++) {
                    assert_true(fabs(Da[3 * i + k] - da[i]) < 2e-11);
                    assert_true(fabs(Db[3 * i + k] - db[i]) < 2e-11);
                }
            }
        }
    }
    // at pi, where the rotation vector jumps, that of the side it is on: a half turn about z
    double Da[9];
    sn_subQuatDerivative((const double[]){0, 0, 0, 1}, (const double[]){1, 0, 0, 0}, Da, NULL);
    const double half = 1.5707963267948966, expected[9] = {0, -half, 0, half, 0, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++) assert_true(fabs(Da[i] - expected[i]) < 1e-15);
    sn_subQuatDerivative((const double[]){1, 0, 0, 0}, (const double[]){-1, 0, 0, 0}, Da, NULL);
    for (int i = 0; i < 9; i++) assert_true(Da[i] == (i % 4 == 0));
}

static void integration_of_quaternions(void** state)
{
    (void)state;
    const double speeds[] = {0, 1e-12, 1e-6, 0.3, 2, 30}, scales[] = {0, 0.01, 1, -0.4}, h = 1e-6;
    const double axis[3] = {2.0 / 7, -3.0 / 7, 6.0 / 7}, start[4] = {0.5, -0.5, 0.5, 0.5};
    for (int n = 0; n < 24; n++) {
        const double speed = speeds[n / 4], scale = scales[n % 4];
        double Dquat[9], Dvel[9], Dscale[3], v[3], ahead[4], back[4], r[3];
        for (int i = 0; i < 3; i++) v[i] = speed * axis[i];
        sn_quatIntegrateDerivative(v, scale, Dquat, Dvel, Dscale);
        for (int k = 0; k < 7; k++) {
            double w[2][3], s[2] = {scale, scale};
            for (int i = 0; i < 3; i++) w[0][i] = w[1][i] = v[i];
            memcpy(ahead, start, sizeof ahead);
            memcpy(back, start, sizeof back);
            if (k < 3) turned(ahead, start, k, h), turned(back, start, k, -h);
            if (k >= 3 && k < 6) w[0][k - 3] += h, w[1][k - 3] -= h;
            if (k == 6) s[0] += h, s[1] -= h;
            sn_integrateQuat(ahead, w[0], s[0]);
            sn_integrateQuat(back, w[1], s[1]);
            sn_subQuat(r, ahead, back);
            for (int i = 0; i < 3; i++) {
                const double D = k < 3 ? Dquat[3 * i + k] : k < 6 ? Dvel[3 * i + k - 3] : Dscale[i];
                assert_true(fabs(D - r[i] / (2 * h)) < 2e-9 * fmax(1, fabs(D)));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_all_integrators),
        cmocka_unit_test(range_finders),
        cmocka_unit_test(other_solvers_lead_to_the_optimum),
        cmocka_unit_test(noslip),
        cmocka_unit_test(rigid_contact),
        cmocka_unit_test(loops),
        cmocka_unit_test(callbacks),
        cmocka_unit_test(state_stays),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(controls_stay_in_range),
        cmocka_unit_test(odd_input_is_an_error),
        cmocka_unit_test(a_full_arena_is_an_error),
        cmocka_unit_test(inverse_of_forward),
        cmocka_unit_test(difference_of_quaternions),
        cmocka_unit_test(integration_of_quaternions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
