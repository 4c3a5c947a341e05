// Forces of given actuators on closed loops, and G and g for y of the user's own: example 8.2, a redundantly
// actuated four-bar, and random mechanisms with every set of actuated dofs.
#include "model_text.h"
#include <math.h>
#include <stdio.h>

enum { MOST = 8 }; // dofs

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * (1 + fabs(b)))) fail_msg("%.15g, not %.15g", a, b);
}

static double largest(const double* x, int n)
{
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

// Arrays of one unit: the largest number says what rounding is.
static void nearAll(const double* a, const double* b, int n, double tolerance)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance * (1 + largest(b, n))))
            fail_msg("[%d]: %.15g, not %.15g; largest %g", i, a[i], b[i], largest(b, n));
}

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// Rank of A [m x n] by elimination with complete pivoting.
static int rankOf(const double* matrix, int m, int n)
{
    double A[MOST * MOST], first = 0;
    memcpy(A, matrix, (size_t)m * (size_t)n * sizeof(double));
    for (int k = 0;; k++) {
        int row = k, column = k;
        for (int i = k; i < m; i++)
            for (int j = k; j < n; j++)
                if (fabs(A[i * n + j]) > fabs(A[row * n + column])) row = i, column = j;
        if (k >= m || k >= n) return k;
        const double pivot = A[row * n + column];
        if (k == 0) first = fabs(pivot);
        if (!(fabs(pivot) > 1e-9 * first)) return k;
        for (int j = 0; j < n; j++) {
            const double kept = A[k * n + j];
            A[k * n + j] = A[row * n + j];
            A[row * n + j] = kept;
        }
        for (int i = 0; i < m; i++) {
            const double kept = A[i * n + k];
            A[i * n + k] = A[i * n + column];
            A[i * n + column] = kept;
        }
        for (int i = k + 1; i < m; i++)
            for (int j = n - 1; j >= k; j--) A[i * n + j] -= A[i * n + k] / pivot * A[k * n + j];
    }
}

// ---- figure 8.3

static snModel* excavator(void)
{
    snError error = {0};
    snModel* m = sn_loadModel(SINEW_SOURCE_DIR "/examples/models/excavator_boom.xml", NULL, &error);
    if (!m) fail_msg("%s", error.message);
    return m;
}

static void dofsOf(const snModel* m, int dof[4])
{
    static const char* const NAMES[4] = {"joint1", "joint2", "joint3", "joint4"};
    for (int i = 0; i < 4; i++) dof[i] = m->jnt_dofadr[sn_name2id(m, SN_OBJ_JOINT, NAMES[i])];
}

// u1 and u2, the rates of theta2 and d, from the sides 0.8 and 1.7 and the angle y1 between them.
static void rates(double y1, double* u1, double* u2)
{
    const double l1 = 0.8, l2 = 1.7, d2 = l1 * l1 + l2 * l2 - 2 * l1 * l2 * cos(y1);
    *u1 = l2 * (l2 - l1 * cos(y1)) / d2;
    *u2 = l1 * l2 * sin(y1) / sqrt(d2);
}

// A moving state, and its acceleration under some forces.
static void setInMotion(const snModel* m, snData* d, uint64_t* seed, int steps, double force)
{
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < m->nv && s % 20 == 0; i++) d->qfrc_applied[i] = force * uniform(seed);
        sn_step(m, d);
    }
    for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = force * uniform(seed);
    sn_forward(m, d);
}

static void test_example_8_2(void** state)
{
    (void)state;
    uint64_t seed = 1;
    snModel* m = excavator();
    snData* d = sn_makeData(m);
    int dof[4];
    dofsOf(m, dof);
    m->opt.disableflags = SN_DSBL_ACTUATION;
    for (int trial = 0; trial < 10; trial++) {
        setInMotion(m, d, &seed, 50, 2e4);
        uint8_t actuated[4] = {0};
        actuated[dof[2]] = actuated[dof[3]] = 1;
        double u[2], tau[4], G_u[4], G_0[4], qacc[4], u1, u2;
        memcpy(qacc, d->qacc, sizeof qacc);
        snLoopInverse o = {.actuated = actuated, .u = u, .tau = tau, .G_u = G_u, .G_0 = G_0};
        assert_int_equal(sn_loopInverse(m, d, &o, NULL), 0);
        assert_true(o.p == 2 && o.ny == 2 && o.rank == 2 && !o.underactuated && !o.redundant && !o.kernel);
        // u = (1/u2, u1/u2, 1, 0; 0, 0, 0, 1) tau_ID
        rates(d->qpos[dof[0]], &u1, &u2);
        const double* id = d->qfrc_inverse;
        const int lift = dof[2] < dof[3] ? 0 : 1;
        const double expected = id[dof[0]] / u2 + id[dof[1]] * u1 / u2 + id[dof[2]];
        assert_true(fabs(u[lift] - expected) < 1e-11 * (1 + largest(id, 4) * (1 + 1 / fabs(u2))));
        near(u[1 - lift], id[dof[3]], 1e-11);
        assert_true(tau[dof[0]] == 0 && tau[dof[1]] == 0 && tau[dof[2]] == u[lift]);
        assert_true(o.inconsistency < 1e-10 * (1 + largest(qacc, 4)));
        memcpy(d->qfrc_applied, tau, sizeof tau);
        sn_forward(m, d);
        nearAll(d->qacc, qacc, 4, 1e-11);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// The same by the model's actuators, both ways of saying it; a third one that is switched off, or not.
static void test_by_the_models_actuators(void** state)
{
    (void)state;
    uint64_t seed = 2;
    snModel* m = excavator();
    snData* d = sn_makeData(m);
    int dof[4];
    dofsOf(m, dof);
    setInMotion(m, d, &seed, 80, 1e4);
    double u[2], by_dof[2], tau[4];
    uint8_t actuated[4] = {0};
    actuated[dof[2]] = actuated[dof[3]] = 1;
    snLoopInverse o = {.u = u, .tau = tau}, other = {.actuated = actuated, .u = by_dof};
    assert_int_equal(sn_loopInverse(m, d, &o, NULL), 0);
    assert_int_equal(sn_loopInverse(m, d, &other, NULL), 0);
    const int lift = dof[2] < dof[3] ? 0 : 1;
    near(u[0], by_dof[lift], 1e-11);
    near(u[1], by_dof[1 - lift], 1e-11);
    assert_true(tau[dof[2]] == u[0] && tau[dof[3]] == u[1]);
    m->opt.disableactuator = 1;
    m->actuator_group[0] = 0;
    m->actuator_group[1] = 1;
    assert_int_equal(sn_loopInverse(m, d, &o, NULL), 0);
    assert_true(o.p == 2 && o.rank == 1 && o.underactuated && o.redundant && o.kernel == 1);
    assert_true(u[0] == 0 && o.residual > 1);
    near(u[1], by_dof[1 - lift], 1e-11); // joint 4 is not coupled to the others in G'tau
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- a planar four-bar with three joints and more motors than mobility

static const char* const FOUR_BAR =
    "<mujoco><compiler angle='radian'/><custom><text name='sinew_loop_tip' data='revolute c r'/></custom>"
    "<option timestep='.001' integrator='RK4'/><worldbody><site name='pull' pos='1 0 2'/>"
    "<body><joint name='j0' axis='0 -1 0'/><geom type='capsule' size='.02' fromto='0 0 0 0 0 .3'/>"
    "<site name='hook' pos='0 .1 .2'/>"
    "<body pos='0 0 .3'><joint name='j1' axis='0 -1 0'/><geom type='capsule' size='.02' fromto='0 0 0 .5 0 "
    ".1'/>"
    "<site name='c' pos='.5 0 .1' zaxis='0 1 0'/></body></body>"
    "<body pos='.5 0 0'><joint name='j2' axis='0 -1 0' damping='.1'/>"
    "<geom type='capsule' size='.02' fromto='0 0 0 0 0 .4'/><site name='r' pos='0 0 .4' zaxis='0 1 "
    "0'/></body>"
    "</worldbody><tendon><fixed name='t'><joint joint='j0' coef='.3'/><joint joint='j2' coef='-.7'/></fixed>"
    "<spatial name='s'><site site='pull'/><site site='hook'/></spatial></tendon>"
    "<actuator><motor joint='j0' gear='2'/><motor joint='j1'/><motor tendon='t'/><motor tendon='s'/>"
    "<motor site='c' refsite='hook' gear='.3 0 .5 0 .1 0'/></actuator></mujoco>";

static void test_redundantly_actuated_four_bar(void** state)
{
    (void)state;
    uint64_t seed = 3;
    snModel* m = load(FOUR_BAR);
    snData* d = sn_makeData(m);
    assert_int_equal(m->nu, 5);
    for (int trial = 0; trial < 20; trial++) {
        setInMotion(m, d, &seed, 30, 1);
        double u[5], tau[3], a[5], G[3], qacc[3], weight[5], b = 0, sum[2] = {0};
        memcpy(qacc, d->qacc, sizeof qacc);
        snLoopInverse o = {.u = u, .tau = tau, .G_u = a};
        assert_int_equal(sn_loopInverse(m, d, &o, NULL), 0);
        assert_true(o.p == 5 && o.ny == 1 && o.rank == 1 && o.kernel == 4 && o.redundant && !o.underactuated);
        sn_loopG(m, d, G);
        for (int i = 0; i < 3; i++) b += G[i] * d->qfrc_inverse[i];
        for (int i = 0; i < 5; i++) {
            weight[i] = 2 + uniform(&seed);
            sum[0] += a[i] * a[i];
            sum[1] += a[i] * a[i] / weight[i];
        }
        // least norm, a' u = b: u = a b / a'a; with weights u = inv(W) a b / a' inv(W) a
        for (int i = 0; i < 5; i++) near(u[i], a[i] * b / sum[0], 1e-12);
        memset(d->qfrc_applied, 0, sizeof qacc);
        memcpy(d->ctrl, u, sizeof u);
        sn_forward(m, d);
        nearAll(d->qacc, qacc, 3, 1e-11);
        nearAll(d->qfrc_actuator, tau, 3, 1e-13);
        o.weight = weight;
        assert_int_equal(sn_loopInverse(m, d, &o, NULL), 0);
        for (int i = 0; i < 5; i++) near(u[i], a[i] / weight[i] * b / sum[1], 1e-12);
        memcpy(d->ctrl, u, sizeof u);
        sn_forward(m, d);
        nearAll(d->qacc, qacc, 3, 1e-11);
        memset(d->ctrl, 0, sizeof u);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_what_is_refused(void** state)
{
    (void)state;
    snModel* m = load(FOUR_BAR);
    snData* d = sn_makeData(m);
    snError error = {0};
    double u[5], weight[5] = {1, 1, 0, 1, 1};
    snLoopInverse o = {.u = u, .weight = weight};
    sn_forward(m, d);
    assert_int_equal(sn_loopInverse(m, d, &o, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "weight[2]"));
    const uint8_t actuated[3] = {1, 1, 0};
    weight[2] = 1;
    weight[0] = weight[1] = 1e-300;
    d->qacc[1] = (double)NAN;
    assert_int_equal(sn_loopInverse(m, d, &o, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "qacc[1]"));
    d->qacc[1] = 0;
    o.actuated = actuated;
    assert_int_equal(sn_loopInverse(m, d, &o, &error), 0); // alike
    sn_deleteData(d);
    sn_deleteModel(m);
    m = excavator();
    d = sn_makeData(m);
    int dof[4];
    dofsOf(m, dof);
    uint8_t both[4] = {0};
    both[dof[2]] = both[dof[3]] = 1;
    const double apart[2] = {1, 1e30};
    o = (snLoopInverse){.actuated = both, .weight = apart};
    assert_int_equal(sn_loopInverse(m, d, &o, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "far apart"));
    sn_deleteData(d);
    o = (snLoopInverse){.actuated = both, .u = u, .project = 1};
    double right[2] = {0};
    int refused = 0;
    for (int size = 64; size > 0; size--) { // wherever the arena ends
        m->narena = (size_t)size * 512;
        d = sn_makeData(m);
        d->qacc[0] = 1;
        const snStatus status = sn_loopInverse(m, d, &o, &error);
        assert_true(d->pstack == 0 && (status == SN_STATUS_OK || status == SN_STATUS_NO_MEMORY));
        refused += status != SN_STATUS_OK;
        if (size == 64) memcpy(right, u, sizeof right);
        if (!status) assert_memory_equal(right, u, sizeof right);
        double G[16];
        const snStatus chosen = sn_loopIndependent(m, d, both, G, NULL, &error);
        assert_true(d->pstack == 0 && (chosen == SN_STATUS_OK || chosen == SN_STATUS_NO_MEMORY));
        sn_deleteData(d);
    }
    assert_true(refused > 3 && refused < 60);
    sn_deleteModel(m);
}

// A qacc that the loops do not allow: told; projected, it is the nearest in the metric of M.
static void test_an_inconsistent_acceleration(void** state)
{
    (void)state;
    uint64_t seed = 4;
    snModel* m = excavator();
    snData* d = sn_makeData(m);
    setInMotion(m, d, &seed, 60, 1e4);
    double given[4], Mx[4], G[8], tau[4];
    const uint8_t all[4] = {1, 1, 1, 1};
    for (int i = 0; i < 4; i++) given[i] = d->qacc[i] += uniform(&seed);
    snLoopInverse o = {.actuated = all, .tau = tau, .project = 0};
    assert_int_equal(sn_loopInverse(m, d, &o, NULL), 0);
    assert_true(o.inconsistency > 0.01 && o.kernel == 2);
    assert_memory_equal(d->qacc, given, sizeof given);
    const double told = o.inconsistency;
    o.project = 1;
    assert_int_equal(sn_loopInverse(m, d, &o, NULL), 0);
    assert_true(o.inconsistency == told);
    for (int i = 0; i < 4; i++) given[i] -= d->qacc[i];
    sn_mulM(m, d, Mx, given); // G' M (given - qacc) = 0
    sn_loopG(m, d, G);
    for (int k = 0; k < 2; k++) {
        double sum = 0;
        for (int i = 0; i < 4; i++) sum += G[2 * i + k] * Mx[i];
        assert_true(fabs(sum) < 1e-11 * (1 + largest(Mx, 4)));
    }
    double moved[4];
    memcpy(moved, d->qacc, sizeof moved);
    o.project = 0;
    assert_int_equal(sn_loopInverse(m, d, &o, NULL), 0);
    assert_true(o.inconsistency < 1e-11 * (1 + largest(moved, 4)));
    sn_resetData(m, d);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Contacts that the acceleration brings with it are counted.
static void test_with_a_contact(void** state)
{
    (void)state;
    static const char* const TEXT =
        "<mujoco><option timestep='.001' tolerance='0' iterations='200'/><custom><text name='sinew_loop_l' "
        "data='spherical a b'/></custom><worldbody><geom type='plane' size='1 1 1' pos='0 0 -.09'/>"
        "<body><joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/>"
        "<body pos='.5 0 0'><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/><site name='a' pos='.4 0 0'/>"
        "</body></body><body pos='.9 0 .5'><joint axis='0 1 0'/>"
        "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.5'/><site name='b' pos='0 0 -.5'/></body>"
        "</worldbody></mujoco>";
    snModel* m = load(TEXT);
    snData* d = sn_makeData(m);
    d->qfrc_applied[0] = 3;
    sn_forward(m, d);
    assert_true(d->nefc > 0 && largest(d->efc_force, d->nefc) > 1);
    double qacc[3], tau[3];
    memcpy(qacc, d->qacc, sizeof qacc);
    const uint8_t last[3] = {0, 1, 1};
    snLoopInverse o = {.actuated = last, .tau = tau};
    assert_int_equal(sn_loopInverse(m, d, &o, NULL), 0);
    assert_true(!o.underactuated && o.redundant && o.residual < 1e-10);
    memcpy(d->qfrc_applied, tau, sizeof tau);
    sn_forward(m, d);
    nearAll(d->qacc, qacc, 3, 1e-9);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- random mechanisms: two chains of four joints, tips joined by loops of every type, closed at qpos0

static const char* const TYPES[] = {
    "fixed",     "revolute",  "prismatic",          "helical",         "cylindrical", "planar",
    "spherical", "universal", "sphere-in-cylinder", "sphere-in-plane", "distance"};
enum { NTYPES = sizeof TYPES / sizeof *TYPES };

static int addChain(char* text, size_t room, const char* site, const double at[3], const double tip[3],
                    uint64_t* seed)
{
    int used = 0;
    double x[3] = {at[0], at[1], at[2]};
    for (int b = 0; b < 4; b++) {
        const double step[3] = {b ? 0.3 * uniform(seed) : at[0], b ? 0.3 * uniform(seed) : at[1],
                                b ? 0.3 : at[2]};
        for (int k = 0; k < 3 && b; k++) x[k] += step[k];
        used += snprintf(text + used, room - (size_t)used,
                         "<body pos='%.17g %.17g %.17g'><joint type='%s' axis='%g %g %g'/>"
                         "<geom size='.1' pos='%g %g .1' contype='0' conaffinity='0'/>",
                         step[0], step[1], step[2], b == 2 ? "slide" : "hinge", uniform(seed), uniform(seed),
                         uniform(seed), 0.1 * uniform(seed), 0.1 * uniform(seed));
    }
    used += snprintf(text + used, room - (size_t)used,
                     "<site name='%s' pos='%.17g %.17g %.17g' euler='20 30 40'/></body></body></body></body>",
                     site, tip[0] - x[0], tip[1] - x[1], tip[2] - x[2]);
    return used;
}

// A second loop, the same again, makes all constraints redundant.
static snModel* randomMechanism(int type, bool twice, uint64_t* seed)
{
    char text[16384];
    const double first[3] = {0, 0, 0}, second[3] = {0.6, 0.1, 0}, tip[3] = {0.3, 0.2, 1.2};
    const double far[3] = {0.3, 0.5, 1.2}; // the other end of a distance
    const char* keys = !strcmp(TYPES[type], "distance")  ? "length=0.3"
                       : !strcmp(TYPES[type], "helical") ? "pitch=0.1"
                                                         : "";
    int used = snprintf(text, sizeof text, "<mujoco><option timestep='.001' integrator='RK4'/><custom>");
    for (int k = 0; k <= twice; k++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "<text name='sinew_loop_%d' data='%s p s %s'/>", k, TYPES[type], keys);
    used += snprintf(text + used, sizeof text - (size_t)used, "</custom><worldbody>");
    used += addChain(text + used, sizeof text - (size_t)used, "p", first, tip, seed);
    used += addChain(text + used, sizeof text - (size_t)used, "s", second,
                     strcmp(TYPES[type], "distance") ? tip : far, seed);
    snprintf(text + used, sizeof text - (size_t)used, "</worldbody></mujoco>");
    return load(text);
}

// u of least norm is in the range of G_u: nothing of it is left beside its columns, made orthonormal. Where
// not everything can be produced, what is left of G'tau is at right angles to what can.
static void checkSolution(const snLoopInverse* o, const double* u, const double* G_u, const double* b)
{
    double Q[MOST * MOST], rest[MOST], left[MOST];
    int count = 0;
    for (int k = 0; k < o->ny && o->p; k++) {
        double column[MOST];
        for (int i = 0; i < o->p; i++) column[i] = G_u[i * o->ny + k];
        const double before = largest(column, o->p);
        for (int again = 0; again < 2; again++)
            for (int q = 0; q < count; q++) {
                double sum = 0;
                for (int i = 0; i < o->p; i++) sum += Q[q * MOST + i] * column[i];
                for (int i = 0; i < o->p; i++) column[i] -= sum * Q[q * MOST + i];
            }
        double norm = 0;
        for (int i = 0; i < o->p; i++) norm += column[i] * column[i];
        if (sqrt(norm) < 1e-9 * (1e-9 + before)) continue;
        for (int i = 0; i < o->p; i++) Q[count * MOST + i] = column[i] / sqrt(norm);
        count++;
    }
    memcpy(rest, u, (size_t)o->p * sizeof(double));
    for (int q = 0; q < count; q++) {
        double sum = 0;
        for (int i = 0; i < o->p; i++) sum += Q[q * MOST + i] * rest[i];
        for (int i = 0; i < o->p; i++) rest[i] -= sum * Q[q * MOST + i];
    }
    assert_true(largest(rest, o->p) < 1e-8 * (1 + largest(u, o->p)));
    for (int k = 0; k < o->ny; k++) {
        left[k] = b[k];
        for (int i = 0; i < o->p; i++) left[k] -= G_u[i * o->ny + k] * u[i];
    }
    near(o->residual, largest(left, o->ny), 1e-9);
    for (int i = 0; i < o->p; i++) {
        double sum = 0;
        for (int k = 0; k < o->ny; k++) sum += G_u[i * o->ny + k] * left[k];
        assert_true(fabs(sum) < 1e-9 * (1 + largest(b, o->ny)) * (1 + largest(G_u, o->p * o->ny)));
    }
}

static void everyActuation(const snModel* m, snData* d)
{
    const int nv = m->nv;
    double qacc[MOST], G[MOST * MOST], b[MOST] = {0};
    memcpy(qacc, d->qacc, (size_t)nv * sizeof(double));
    for (int mask = 0; mask < 1 << nv; mask++) {
        uint8_t actuated[MOST];
        int p = 0;
        for (int i = 0; i < nv; i++) p += actuated[i] = mask >> i & 1;
        double u[MOST], tau[MOST], G_u[MOST * MOST], G_0[MOST * MOST];
        snLoopInverse o = {.actuated = actuated, .u = u, .tau = tau, .G_u = G_u, .G_0 = G_0};
        assert_int_equal(sn_loopInverse(m, d, &o, NULL), 0);
        sn_loopG(m, d, G);
        const double *row_u = G_u, *row_0 = G_0;
        for (int k = 0; k < o.ny; k++) b[k] = 0;
        for (int i = 0; i < nv; i++) {
            const double* row = actuated[i] ? row_u : row_0;
            for (int k = 0; k < o.ny; k++) near(row[k], G[i * o.ny + k], 1e-9);
            if (actuated[i])
                row_u += o.ny;
            else
                row_0 += o.ny;
            for (int k = 0; k < o.ny; k++) b[k] += G[i * o.ny + k] * d->qfrc_inverse[i];
        }
        assert_int_equal(o.p, p);
        assert_int_equal(o.ny, nv - d->loop_rank);
        assert_int_equal(o.rank, rankOf(G_u, p, o.ny));
        assert_int_equal(o.kernel, p - o.rank);
        assert_int_equal(o.underactuated, o.rank < o.ny);
        assert_int_equal(o.redundant, p > o.rank);
        assert_true(o.inconsistency < 1e-10 * (1 + largest(qacc, nv)));
        checkSolution(&o, u, G_u, b);
        if (o.underactuated) continue;
        assert_true(o.residual < 1e-11 * (1 + largest(b, o.ny) + largest(u, p)));
        memcpy(d->qfrc_applied, tau, (size_t)nv * sizeof(double));
        sn_forward(m, d);
        nearAll(d->qacc, qacc, nv, 1e-9);
        memcpy(d->qacc, qacc, (size_t)nv * sizeof(double));
    }
}

// Every choice of y: right ones give K G = 0, K g = k with y a part of qacc, others are told.
static void everyIndependent(const snModel* m, snData* d)
{
    const int nv = m->nv, ny = sn_loopMobility(m, d), rows = d->nlooprow;
    double K[2 * 6 * MOST], G[MOST * MOST], g[MOST];
    int good = 0;
    sn_loopK(m, d, K);
    for (int mask = 0; mask < 1 << nv; mask++) {
        uint8_t independent[MOST];
        double rest[MOST * MOST];
        int count = 0, columns = 0;
        for (int i = 0; i < nv; i++) count += independent[i] = mask >> i & 1;
        const int r = nv - count;
        for (int i = 0; i < nv; i++) { // columns of K of dependent dofs, the first loop's rows
            if (independent[i]) continue;
            for (int k = 0; k < rows && k < 6; k++) rest[k * r + columns] = K[k * nv + i];
            columns++;
        }
        const bool right = count == ny && rankOf(rest, rows < 6 ? rows : 6, r) == r;
        snError error = {0};
        const snStatus status = sn_loopIndependent(m, d, independent, G, g, &error);
        if (!right) {
            assert_int_equal(status, SN_STATUS_ARGUMENT);
            assert_non_null(strstr(error.message, count == ny ? "singular" : "mark"));
            assert_non_null(strstr(error.message, "\"0\""));
            continue;
        }
        good++;
        assert_int_equal(status, 0);
        for (int i = 0, y = 0; i < nv; i++) {
            if (!independent[i]) continue;
            for (int k = 0; k < ny; k++) assert_true(G[i * ny + k] == (k == y));
            assert_true(g[i] == 0);
            y++;
        }
        const double size = (1 + largest(G, nv * ny)) * (1 + largest(K, rows * nv));
        for (int l = 0; l < rows; l++) {
            double sum = -d->loop_k[l];
            for (int i = 0; i < nv; i++) sum += K[l * nv + i] * g[i];
            assert_true(fabs(sum) < 1e-12 * size * (1 + largest(g, nv)));
            for (int k = 0; k < ny; k++) {
                double product = 0;
                for (int i = 0; i < nv; i++) product += K[l * nv + i] * G[i * ny + k];
                assert_true(fabs(product) < 1e-12 * size);
            }
        }
    }
    assert_true(good > 0);
}

static void test_random_mechanisms(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int type = 0; type < NTYPES; type++)
        for (int twice = 0; twice < 2; twice++) {
            snModel* m = randomMechanism(type, twice != 0, &seed);
            snData* d = sn_makeData(m);
            assert_int_equal(m->nv, MOST);
            sn_forward(m, d);
            if (!(d->loop_error < 1e-14)) fail_msg("%s: open by %g", TYPES[type], d->loop_error);
            setInMotion(m, d, &seed, 100, 3);
            assert_true(d->loop_error < 1e-9);
            everyIndependent(m, d);
            everyActuation(m, d);
            sn_deleteData(d);
            sn_deleteModel(m);
        }
}

static void test_y_of_the_excavator(void** state)
{
    (void)state;
    snModel* m = excavator();
    snData* d = sn_makeData(m);
    snError error = {0};
    int dof[4];
    dofsOf(m, dof);
    d->qvel[dof[0]] = 0.3;
    sn_forward(m, d);
    uint8_t y[4] = {0};
    double G[8], g[4];
    // joint 4 is in no loop: y without being marked
    y[dof[2]] = 1;
    assert_int_equal(sn_loopIndependent(m, d, y, G, g, &error), 0);
    double u1, u2;
    rates(d->qpos[dof[0]], &u1, &u2);
    const int first = dof[2] < dof[3] ? 0 : 1;
    near(G[2 * dof[0] + first], 1 / u2, 1e-14);
    near(G[2 * dof[1] + first], u1 / u2, 1e-14);
    assert_true(G[2 * dof[2] + first] == 1 && G[2 * dof[3] + 1 - first] == 1 && g[dof[3]] == 0);
    assert_int_equal(sn_loopIndependent(m, d, y, NULL, NULL, &error), 0);
    y[dof[0]] = 1;
    assert_int_equal(sn_loopIndependent(m, d, y, G, g, &error), SN_STATUS_ARGUMENT);
    assert_string_equal(error.message,
                        "the loops \"joint5\" leave 1 of their 3 dofs free, but y has 2 of them: "
                        "mark 1");
    // with the triangle flat its third side does not tell the angle
    y[dof[0]] = 0;
    d->qpos[dof[0]] = 0;
    d->qpos[dof[1]] = 0;
    d->qpos[dof[2]] = 0.9;
    sn_forward(m, d);
    assert_true(d->loop_error < 1e-14);
    assert_int_equal(sn_loopIndependent(m, d, y, G, g, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "singular"));
    assert_non_null(strstr(error.message, "\"joint"));
    // and the actuator cannot move the boom: no NaN
    double u[1] = {(double)NAN};
    uint8_t actuated[4] = {0};
    actuated[dof[2]] = 1;
    d->qacc[dof[0]] = 1;
    snLoopInverse o = {.actuated = actuated, .u = u, .project = 1};
    assert_int_equal(sn_loopInverse(m, d, &o, &error), 0);
    assert_true(o.rank == 0 && o.underactuated && u[0] == 0 && o.residual > 1);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_8_2),
        cmocka_unit_test(test_by_the_models_actuators),
        cmocka_unit_test(test_redundantly_actuated_four_bar),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_an_inconsistent_acceleration),
        cmocka_unit_test(test_with_a_contact),
        cmocka_unit_test(test_random_mechanisms),
        cmocka_unit_test(test_y_of_the_excavator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
