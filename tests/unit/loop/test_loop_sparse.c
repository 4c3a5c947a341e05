// The sparse matrix method against sn_forward, whose equations are those of the tree, on random mechanisms
// with every joint and every loop; against figures that others found; redundant loops; what it refuses.
#include "model_text.h"
#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "loop/joint/closure.h"
#include "four_bar.h"
#include "long_mechanism.h"
#include "random_tree.h"
#include "smooth/kinematics/jacobian.h"

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.15g, not %.15g, by %.3g", a, b, a - b);
}

typedef struct Solution {
    double *qacc, *lambda;
    snSparseCount count;
    double least; // norm of lambda
} Solution;

static void freeSolution(Solution* s)
{
    test_free(s->qacc);
    test_free(s->lambda);
}

static Solution solveWith(snSparseDynamics* s, const snModel* m, const snData* d)
{
    snError error = {0};
    Solution out = {test_calloc((size_t)m->nv + 1, sizeof(double)),
                    test_calloc((size_t)sn_sparseRowsMax(s) + 1, sizeof(double)),
                    {0},
                    0};
    if (sn_sparseDynamics(s, m, d, NULL, out.qacc, out.lambda, &error) != SN_STATUS_OK)
        fail_msg("%s", error.message);
    out.count = sn_sparseCount(s);
    for (int r = 0; r < out.count.rows; r++) out.least += out.lambda[r] * out.lambda[r];
    return out;
}

static double norm(const double* x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

// The same qacc and lambda as sn_forward's, relative to their norms.
static void compare(snSparseDynamics* s, const snModel* m, const snData* d, double tolerance)
{
    Solution out = solveWith(s, m, d);
    assert_int_equal(out.count.rows, d->nlooprow);
    for (int i = 0; i < m->nv; i++) near(out.qacc[i], d->qacc[i], tolerance * (1 + norm(d->qacc, m->nv)));
    const double scale = 1 + norm(d->loop_force, d->nlooprow);
    for (int l = 0; l < d->nclosure; l++) {
        const int row = sn_sparseLoopRow(s, d->closure_id[l]);
        assert_true(row >= 0);
        for (int r = 0; r < d->closure_rownum[l]; r++)
            near(out.lambda[row + r], d->loop_force[d->closure_rowadr[l] + r], 10 * tolerance * scale);
    }
    freeSolution(&out);
}

static snSparseDynamics* make(const snModel* m)
{
    snError error = {0};
    snSparseDynamics* s = sn_makeSparseDynamics(m, &error);
    if (!s) fail_msg("%s", error.message);
    return s;
}

// ---- figures of the planar four-bar

static void fourBar(const char* type, const double v[3], const double expected[3])
{
    const double q[3] = {1.2, -1.0342949058371855, 1.183232582669018};
    char text[4096];
    snprintf(text, sizeof text, FOUR_BAR, type);
    snModel* m = load(text);
    snData* d = sn_makeData(m);
    for (int i = 0; i < 3; i++) {
        d->qpos[i] = -q[i];
        d->qvel[i] = -v[i];
    }
    sn_kinematics(m, d); // all that is needed, for forces that are given
    snSparseDynamics* s = make(m);
    double qacc[3], lambda[6];
    const double tau[3] = {0, 0, 0};
    assert_true(sn_sparseRowsMax(s) <= 6);
    assert_int_equal(sn_sparseDynamics(s, m, d, tau, qacc, lambda, NULL), SN_STATUS_OK);
    for (int i = 0; i < 3; i++) near(-qacc[i], expected[i], 1e-11);
    const snSparseCount count = sn_sparseCount(s);
    assert_int_equal(count.dependent, count.rows - 2);
    assert_int_equal(count.unknowns, 18 + 15 + count.rows);
    sn_forward(m, d);
    compare(s, m, d, 1e-12);
    sn_deleteSparseDynamics(s);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_four_bar(void** state)
{
    (void)state;
    static const char* const TYPES[] = {"revolute", "spherical", "sphere-in-cylinder", "cylindrical"};
    const double rest[3] = {0}, v[3] = {0.2739233746429086, -0.2709789517430515, 0.2075410649139025};
    const double from_rest[3] = {-13.851627927482394, 13.702735739938534, -10.494838619042513};
    const double moving[3] = {-13.856596275219731, 13.718934517550986, -10.491383521814903};
    for (int t = 0; t < 4; t++) {
        fourBar(TYPES[t], rest, from_rest);
        fourBar(TYPES[t], v, moving);
    }
}

// ---- random mechanisms

typedef struct Text {
    char data[32768];
    size_t size;
    char joint[40][32]; // names of hinges and slides
    int joints;
} Text;

__attribute__((format(printf, 2, 3))) static void add(Text* t, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    t->size += (size_t)vsnprintf(t->data + t->size, sizeof t->data - t->size, format, list);
    va_end(list);
    assert_true(t->size < sizeof t->data);
}

static void addVector(Text* t, Random* r, const char* name, double scale)
{
    const snVec3 v = randomVec(r, scale);
    add(t, " %s='%.17g %.17g %.17g'", name, v.x, v.y, v.z);
}

static void addJoint(Text* t, Random* r, int body, int place, const char* type)
{
    add(t, "<joint name='j%d_%d' type='%s'", body, place, type);
    if (strcmp(type, "ball")) snprintf(t->joint[t->joints++], sizeof *t->joint, "j%d_%d", body, place);
    addVector(t, r, "pos", 0.2);
    if (strcmp(type, "ball")) addVector(t, r, "axis", 1);
    if (randomReal(r) > 0.2)
        add(t, " armature='%.17g'", randomReal(r) > 0 ? 0.3 + 0.2 * randomReal(r) : 0.01);
    add(t, " damping='%.17g' stiffness='%.17g'/>", 1 + randomReal(r), 1 + randomReal(r));
}

// Joints of a body, a letter each; "" welds it to its parent.
static void addJoints(Text* t, Random* r, int body, bool root)
{
    static const char* const KINDS[] = {"h", "s", "b", "hsh", "bs", "sb", "hh", "shs", "", "f"};
    const char* kind = KINDS[body == 1 ? 9 : randomInt(r, root ? 10 : 9)];
    for (int k = 0; kind[k]; k++) {
        if (kind[k] == 'f')
            add(t, "<joint name='j%d_%d' type='free' armature='%g'/>", body, k, randomInt(r, 2) * 0.2);
        else
            addJoint(t, r, body, k, kind[k] == 'h' ? "hinge" : kind[k] == 's' ? "slide" : "ball");
    }
}

enum { BODIES = 9 };

static void addBody(Text* t, Random* r, const int* parent, int body)
{
    add(t, "<body name='b%d'", body);
    addVector(t, r, "pos", 0.5);
    addVector(t, r, "euler", 90);
    add(t, "><inertial mass='%.17g'", 1.5 + randomReal(r));
    addVector(t, r, "pos", 0.2);
    addVector(t, r, "euler", 90);
    add(t, " diaginertia='%g .3 %g'/>", 0.3 + 0.09 * randomReal(r), 0.3 + 0.09 * randomReal(r));
    addJoints(t, r, body, parent[body] == 0);
    add(t, "<site name='s%d'", body);
    addVector(t, r, "pos", 0.3);
    addVector(t, r, "euler", 90);
    add(t, "/>");
    for (int b = body + 1; b < BODIES; b++)
        if (parent[b] == body) addBody(t, r, parent, b);
    add(t, "</body>");
}

static void addLoops(Text* t, Random* r)
{
    static const char* const TYPES[] = {"fixed",    "revolute",           "prismatic",      "helical",
                                        "planar",   "cylindrical",        "spherical",      "universal",
                                        "distance", "sphere-in-cylinder", "sphere-in-plane"};
    add(t, "<custom><text name='sinew_loops' data='exact'/>");
    for (int l = randomInt(r, 3); l >= 0; l--) {
        const char* type = TYPES[randomInt(r, 11)];
        const int first = randomInt(r, BODIES), second = (first + 1 + randomInt(r, BODIES - 1)) % BODIES;
        add(t, "<text name='sinew_loop_l%d' data='%s s%d s%d%s'/>", l, type, first, second,
            !strcmp(type, "helical")    ? " pitch=0.1"
            : !strcmp(type, "distance") ? " length=0.5"
                                        : "");
    }
    add(t, "</custom>");
}

// A joint that follows another one, a fixed tendon that follows a spatial one.
static void addEqualities(Text* t, Random* r)
{
    const char *a = t->joint[randomInt(r, t->joints)], *b = t->joint[randomInt(r, t->joints)];
    if (t->joints < 2 || !strcmp(a, b)) return;
    add(t, "<tendon><fixed name='fixed'><joint joint='%s' coef='.7'/><joint joint='%s' coef='-.4'/></fixed>",
        a, b);
    add(t, "<spatial name='spatial'><site site='s%d'/><site site='s0'/></spatial></tendon>",
        1 + randomInt(r, BODIES - 1));
    add(t, "<equality><joint joint1='%s' joint2='%s' polycoef='.1 .5 .3 0 .1' active='%s'/>", a, b,
        randomInt(r, 2) ? "true" : "false");
    add(t, "<tendon tendon1='fixed' tendon2='spatial' polycoef='0 .6 .2 0 0' active='%s'/></equality>",
        randomInt(r, 2) ? "true" : "false");
    add(t, "<actuator><motor joint='%s' gear='3'/><position joint='%s' kp='2'/></actuator>", a, b);
}

// Equalities that are closed at qpos0, one of them twice.
static void addClosed(Text* t, Random* r)
{
    const int first = 1 + randomInt(r, BODIES - 1),
              second = 1 + (first + randomInt(r, BODIES - 2)) % (BODIES - 1);
    add(t, "<equality><weld body1='b%d'/>", 1 + randomInt(r, BODIES - 1));
    for (int k = 0; k < 2; k++) add(t, "<connect body1='b%d' body2='b%d' anchor='.1 .2 .3'/>", first, second);
    add(t, "</equality>");
}

static snModel* randomMechanism(Random* r, bool closed)
{
    Text t = {.size = 0};
    int parent[BODIES] = {0};
    for (int b = 2; b < BODIES; b++)
        parent[b] = randomInt(r, 3) ? b - 1 - randomInt(r, b < 3 ? b - 1 : 3) : 0;
    add(&t, "<mujoco>" OPEN_LOOPS);
    if (closed)
        add(&t, "<custom><text name='sinew_loops' data='exact'/></custom>");
    else
        addLoops(&t, r);
    add(&t, "<worldbody><site name='s0' pos='.2 .1 .3'/>");
    for (int b = 1; b < BODIES; b++)
        if (parent[b] == 0) addBody(&t, r, parent, b);
    add(&t, "</worldbody>");
    closed ? addClosed(&t, r) : addEqualities(&t, r);
    add(&t, "</mujoco>");
    snError error = {0};
    return withLoops(sn_loadModelText(t.data, t.size, NULL, 0, NULL, &error));
}

static void randomise(const snModel* m, snData* d, Random* r)
{
    for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.5 * randomReal(r);
    sn_integratePos(m, d->qpos, d->qvel, 1);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = randomReal(r);
}

static void push(const snModel* m, snData* d, Random* r)
{
    for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = randomReal(r);
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = randomReal(r);
    for (int b = 1; b < m->nbody; b++)
        for (int k = 0; k < 6; k++) d->xfrc_applied[6 * b + k] = randomReal(r);
}

// Whether sn_forward's own equations are fit to be compared with.
static bool isRegular(const snData* d)
{
    for (int c = 0; c < d->ncluster; c++)
        if (d->cluster_rank[c] < d->cluster_rownum[c] || d->cluster_condition[c] > 1e3) return false;
    return true;
}

static void test_random_mechanisms(void** state)
{
    (void)state;
    Random r = {12345};
    int compared = 0, looped = 0;
    for (int trial = 0; trial < 300; trial++) {
        snModel* m = randomMechanism(&r, false);
        if (!m) continue; // a loop between bodies that cannot move against each other
        snData* d = sn_makeData(m);
        randomise(m, d, &r);
        push(m, d, &r);
        m->opt.loop_solution = 1 + trial % 3;
        sn_forward(m, d);
        if (isRegular(d)) {
            snSparseDynamics* s = make(m);
            compare(s, m, d, 1e-9);
            compared++;
            looped += d->nclosure > 0;
            sn_deleteSparseDynamics(s);
        }
        sn_deleteData(d);
        sn_deleteModel(m);
    }
    assert_true(compared > 150 && looped > 150);
}

// At rest, with more constraints than can be independent: the same accelerations, and the least forces.
static void test_redundant_mechanisms(void** state)
{
    (void)state;
    Random r = {999};
    int compared = 0;
    for (int trial = 0; trial < 100; trial++) {
        snModel* m = randomMechanism(&r, true);
        if (!m) continue;
        snData* d = sn_makeData(m);
        push(m, d, &r);
        m->opt.loop_solution = 1 + trial % 3;
        sn_forward(m, d);
        snSparseDynamics* s = make(m);
        compare(s, m, d, 1e-9);
        compared += sn_sparseCount(s).dependent > 0;
        assert_int_equal(sn_sparseCount(s).dependent, d->nlooprow - d->loop_rank);
        sn_deleteSparseDynamics(s);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
    assert_true(compared > 50);
}

// ---- singular poses and rows that contradict each other

static const char* const PARALLELOGRAM =
    "<mujoco>" OPEN_LOOPS
    "<custom><text name='sinew_loops' data='exact'/><text name='sinew_loop_tip' data='revolute c r'/>"
    "</custom><worldbody>"
    "<body><joint axis='0 1 0'/><inertial pos='.15 0 0' mass='.6' diaginertia='.004 .005 .006'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0'/><inertial pos='.25 0 .02' mass='1' diaginertia='.02 .03 .04'/>"
    "<site name='c' pos='.5 0 0' euler='90 0 0'/></body></body>"
    "<body pos='.5 0 0'><joint axis='0 1 0'/><inertial pos='.15 .01 0' mass='.8' diaginertia='.01 .01 .01'/>"
    "<site name='r' pos='.3 %g 0' euler='90 0 0'/></body></worldbody></mujoco>";

static snModel* parallelogram(double offset)
{
    char text[2048];
    snprintf(text, sizeof text, PARALLELOGRAM, offset);
    return withLoops(load(text));
}

// At, near and far from the flat pose, where the rank drops from two to one.
static void test_flat_parallelogram(void** state)
{
    (void)state;
    snModel* m = parallelogram(0);
    snData* d = sn_makeData(m);
    snSparseDynamics* s = make(m);
    static const double ANGLES[] = {0, 1, 0.1, 1e-2, 1e-3, 1e-4};
    for (size_t k = 0; k < sizeof ANGLES / sizeof *ANGLES; k++) {
        const double a = ANGLES[k], pose[3] = {a, -a, a};
        memcpy(d->qpos, pose, sizeof pose);
        memset(d->qvel, 0, sizeof pose);
        sn_forward(m, d);
        assert_int_equal(d->loop_rank, a == 0 ? 1 : 2);
        compare(s, m, d, a == 0 || a > 1e-3 ? 1e-11 : 1e-9);
        assert_int_equal(sn_sparseCount(s).dependent, 5 - d->loop_rank);
    }
    sn_deleteSparseDynamics(s);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// The tips are 3 mm apart along the axes, where nothing can move: that row is left out, not one of a joint.
static void test_contradiction(void** state)
{
    (void)state;
    double expected[3], qacc[3], lambda[6];
    for (int open = 0; open < 2; open++) {
        snModel* m = parallelogram(open * 3e-3);
        snData* d = sn_makeData(m);
        snSparseDynamics* s = make(m);
        d->qpos[0] = d->qpos[2] = 0.7;
        d->qpos[1] = -0.7;
        sn_kinematics(m, d);
        const double tau[3] = {0};
        assert_int_equal(sn_sparseDynamics(s, m, d, tau, open ? qacc : expected, lambda, NULL), SN_STATUS_OK);
        for (int r = 0; r < 5; r++) assert_true(fabs(lambda[r]) < 100);
        sn_deleteSparseDynamics(s);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
    for (int i = 0; i < 3; i++) near(qacc[i], expected[i], 1e-12 * norm(expected, 3));
}

// ---- long mechanisms

// Poses, velocities, and what sn_rne and loops on the tree read.
// A start as it is: these models have no trees in which it could be assembled.
static snData* longData(snModel* m)
{
    m->opt.disableflags = SN_DSBL_EQUALITY;
    snData* d = sn_makeData(m);
    m->opt.disableflags = 0;
    memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
    return d;
}

// M qacc + bias - tau - K' lambda, of which sn_rne gives the first two, is zero.
static void checkForces(const snModel* m, snData* d)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_comVel(m, d);
    snSparseDynamics* s = make(m);
    Solution out = solveWith(s, m, d);
    double* residual = test_calloc((size_t)m->nv, sizeof(double));
    memcpy(d->qacc, out.qacc, (size_t)m->nv * sizeof(double));
    sn_rne(m, d, 1, residual);
    for (int i = 0; i < m->nv; i++) residual[i] -= d->qfrc_applied[i];
    const double scale = 1 + norm(out.lambda, out.count.rows);
    for (int id = 0; id < m->nloop; id++) {
        const snClosure c = sn_closure(m, d, id);
        const snLoopPose pose = sn_loopPlace(&c.frames);
        const snLoopRows rows = sn_loopJoint(c.type, c.parameter, &pose);
        snForce f = {{0, 0, 0}, {0, 0, 0}};
        for (int r = 0; r < rows.count; r++) {
            const double lambda = -out.lambda[sn_sparseLoopRow(s, id) + r];
            f = (snForce){sn_v3AddScaled(f.ang, lambda, rows.T[r].ang),
                          sn_v3AddScaled(f.lin, lambda, rows.T[r].lin)};
        }
        for (int side = 0; side < 2; side++)
            sn_addForce(m, d, c.frames.body[side], sn_forceOnSide(m, d, &c.frames, f, side), residual);
    }
    for (int i = 0; i < m->nv; i++) near(residual[i], 0, 1e-10 * scale);
    test_free(residual);
    freeSolution(&out);
    sn_deleteSparseDynamics(s);
}

static void test_long_mechanisms_obey_newton(void** state)
{
    (void)state;
    Random r = {4};
    snModel* models[] = {fourBarChain(50, SN_LOOP_REVOLUTE), ladder(50, SN_JNT_BALL, SN_LOOP_SPHERICAL),
                         ladder(30, SN_JNT_HINGE, SN_LOOP_REVOLUTE), star(40)};
    for (int k = 0; k < 4; k++) {
        snData* d = longData(models[k]);
        if (k == 0) fourBarPose(models[k], d);
        for (int i = 0; i < models[k]->nv; i++) d->qfrc_applied[i] = randomReal(&r);
        for (int i = 0; i < models[k]->nv && k % 2; i++) d->qvel[i] = randomReal(&r);
        checkForces(models[k], d);
        sn_deleteData(d);
        sn_deleteModel(models[k]);
    }
}

static double nonzerosPerBody(snModel* m, bool fourBars, double** qacc)
{
    snData* d = longData(m);
    if (fourBars) fourBarPose(m, d);
    sn_kinematics(m, d);
    snSparseDynamics* s = make(m);
    *qacc = test_calloc((size_t)m->nv, sizeof(double));
    assert_int_equal(sn_sparseDynamics(s, m, d, NULL, *qacc, NULL, NULL), SN_STATUS_OK);
    const double result = (double)sn_sparseCount(s).nonzeros / (m->nbody - 1);
    sn_deleteSparseDynamics(s);
    sn_deleteData(d);
    sn_deleteModel(m);
    return result;
}

// L has as many numbers a body in a long mechanism as in a short one.
static void test_linear_growth(void** state)
{
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        double few = 0, *qacc;
        for (int n = 30; n <= 3000; n *= 10) {
            snModel* m = kind == 0   ? fourBarChain(n / 3, SN_LOOP_REVOLUTE)
                         : kind == 1 ? fourBarChain(n / 3, SN_LOOP_SPHERE_IN_CYLINDER)
                         : kind == 2 ? ladder(n / 2, SN_JNT_BALL, SN_LOOP_SPHERICAL)
                         : kind == 3 ? ladder(n / 2, SN_JNT_HINGE, SN_LOOP_REVOLUTE)
                                     : star(n);
            const double all = nonzerosPerBody(m, kind < 2, &qacc);
            if (n <= 300) few = all; // the ends of shorter ones have less
            assert_true(all < 1.05 * few && all < 270);
            test_free(qacc);
        }
    }
}

// Two chains whose loops ask the same in different rows, one of them redundant.
static void test_long_chains_agree(void** state)
{
    (void)state;
    double *a, *b;
    const int n = 1000;
    nonzerosPerBody(fourBarChain(n, SN_LOOP_REVOLUTE), true, &a);
    nonzerosPerBody(fourBarChain(n, SN_LOOP_SPHERE_IN_CYLINDER), true, &b);
    for (int i = 0; i < 3 * n; i++) near(a[i], b[i], 1e-10 * norm(b, 3 * n));
    test_free(a);
    test_free(b);
}

// ---- loops that come and go, bits, memory, errors

static const char* const SWITCHED =
    "<mujoco><custom><text name='sinew_loops' data='exact'/></custom><worldbody>"
    "<body name='a'><joint type='ball'/><geom size='.1' pos='.2 0 0' contype='0'/>"
    "<body name='b' pos='.3 0 0'><joint name='x' axis='0 1 0' armature='.1'/><joint name='y' axis='0 0 1'/>"
    "<geom size='.1' pos='.2 .1 0' contype='0'/></body></body>"
    "<body name='c' pos='.6 0 0'><freejoint/><geom size='.1 .1 .2' type='box' "
    "contype='0'/></body></worldbody>"
    "<equality><connect body1='b' body2='c' anchor='.2 0 0'/><weld body1='a' body2='c' active='false'/>"
    "<joint joint1='x' joint2='y' active='false'/></equality></mujoco>";

static void test_switched_loops(void** state)
{
    (void)state;
    snModel* m = load(SWITCHED);
    snData* d = sn_makeData(m);
    snSparseDynamics* s = make(m);
    assert_int_equal(sn_sparseRowsMax(s), 10);
    for (int turn = 0; turn < 9; turn++) {
        for (int k = 0; k < 3; k++) d->eq_active[k] = turn >> k & 1;
        m->opt.disableflags = turn == 8 ? SN_DSBL_EQUALITY : 0;
        for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = 0.1 * i;
        sn_forward(m, d);
        snSparseDynamics* fresh = make(m);
        Solution a = solveWith(s, m, d), b = solveWith(fresh, m, d);
        assert_memory_equal(a.qacc, b.qacc, (size_t)m->nv * sizeof(double));
        assert_memory_equal(a.lambda, b.lambda, (size_t)a.count.rows * sizeof(double));
        for (int i = 0; i < m->nv; i++) near(a.qacc[i], d->qacc[i], 1e-11 * (1 + norm(d->qacc, m->nv)));
        for (int id = 0; id < 3; id++)
            assert_int_equal(sn_sparseLoopRow(s, id) >= 0, turn < 8 && turn >> id & 1);
        assert_int_equal(sn_sparseLoopRow(s, -1), -1);
        assert_int_equal(sn_sparseLoopRow(s, 3), -1);
        freeSolution(&a);
        freeSolution(&b);
        sn_deleteSparseDynamics(fresh);
    }
    sn_deleteSparseDynamics(s);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void expectStatus(snStatus got, snStatus expected, const snError* error, const char* part)
{
    assert_int_equal(got, expected);
    assert_int_equal(error->status, expected);
    if (!strstr(error->message, part)) fail_msg("\"%s\" has no \"%s\"", error->message, part);
}

static void test_refused_models(void** state)
{
    (void)state;
    snError error = {0};
    snModel* m =
        load("<mujoco><worldbody><body name='one'><joint name='j'/><geom size='.1' pos='.1 0 0'/></body>"
             "</worldbody><tendon><fixed name='t' armature='.1'><joint joint='j' coef='1'/></fixed>"
             "</tendon></mujoco>");
    assert_null(sn_makeSparseDynamics(m, &error));
    expectStatus(error.status, SN_STATUS_UNSUPPORTED, &error, "tendon 't'");
    assert_null(sn_makeSparseDynamics(m, NULL));
    m->tendon_armature[0] = 0;
    m->body_mass[1] = 0;
    assert_null(sn_makeSparseDynamics(m, &error));
    expectStatus(error.status, SN_STATUS_MODEL, &error, "body 'one'");
    sn_deleteModel(m);
    sn_deleteSparseDynamics(NULL);
}

static void test_refused_calls(void** state)
{
    (void)state;
    snError error = {0};
    snModel* m = load("<mujoco><worldbody><body name='two'><joint axis='0 0 1'/><joint axis='0 0 1'/>"
                      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>");
    snModel* other = load(SWITCHED);
    snData *d = sn_makeData(m), *d_other = sn_makeData(other);
    snSparseDynamics* s = make(m);
    double qacc[32];
    sn_forward(m, d);
    sn_forward(other, d_other);
    expectStatus(sn_sparseDynamics(s, m, d, NULL, qacc, NULL, &error), SN_STATUS_MODEL, &error, "body 'two'");
    expectStatus(sn_sparseDynamics(s, other, d_other, NULL, qacc, NULL, &error), SN_STATUS_ARGUMENT, &error,
                 "another model");
    m->dof_armature[1] = 1;
    expectStatus(sn_sparseDynamics(s, m, d, NULL, qacc, NULL, &error), SN_STATUS_ARGUMENT, &error,
                 "armature");
    sn_deleteSparseDynamics(s);
    s = make(m);
    sn_forward(m, d);
    assert_int_equal(sn_sparseDynamics(s, m, d, NULL, qacc, NULL, &error), SN_STATUS_OK);
    for (int i = 0; i < m->nv; i++) near(qacc[i], d->qacc[i], 1e-12);
    d->qvel[0] = NAN;
    expectStatus(sn_sparseDynamics(s, m, d, NULL, qacc, NULL, &error), SN_STATUS_ARGUMENT, &error,
                 "not finite");
    assert_int_equal(sn_sparseDynamics(s, m, d, NULL, qacc, NULL, NULL), SN_STATUS_ARGUMENT);
    sn_deleteSparseDynamics(s);
    sn_deleteData(d);
    sn_deleteData(d_other);
    sn_deleteModel(m);
    sn_deleteModel(other);
}

// Static bodies alone: nothing to solve.
static void test_nothing_moves(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>");
    snData* d = sn_makeData(m);
    snSparseDynamics* s = make(m);
    assert_int_equal(sn_sparseDynamics(s, m, d, NULL, NULL, NULL, NULL), SN_STATUS_OK);
    assert_int_equal(sn_sparseCount(s).unknowns, 0);
    sn_deleteSparseDynamics(s);
    sn_deleteData(d);
    sn_deleteModel(m);
}

#ifdef SN_TEST_HOOKS
static void test_out_of_memory(void** state)
{
    (void)state;
    snModel* m = fourBarChain(200, SN_LOOP_REVOLUTE);
    int allowed = 0, tries = 0;
    snSparseDynamics* s = NULL;
    for (; !s; tries++) {
        snError error = {0};
        allowed = tries;
        sn_setAllocHook(countdown, &allowed);
        s = sn_makeSparseDynamics(m, &error);
        sn_setAllocHook(NULL, NULL);
        if (!s) assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
    }
    assert_true(tries > 3);
    snData* d = longData(m);
    sn_kinematics(m, d);
    double* qacc = test_calloc((size_t)m->nv, sizeof(double));
    allowed = 0; // from here on nothing may be taken
    sn_setAllocHook(countdown, &allowed);
    assert_int_equal(sn_sparseDynamics(s, m, d, NULL, qacc, NULL, NULL), SN_STATUS_OK);
    m->opt.disableflags = SN_DSBL_EQUALITY;
    assert_int_equal(sn_sparseDynamics(s, m, d, NULL, qacc, NULL, NULL), SN_STATUS_OK);
    sn_setAllocHook(NULL, NULL);
    assert_int_equal(allowed, 0);
    test_free(qacc);
    sn_deleteSparseDynamics(s);
    sn_deleteData(d);
    sn_deleteModel(m);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_bar),
        cmocka_unit_test(test_random_mechanisms),
        cmocka_unit_test(test_redundant_mechanisms),
        cmocka_unit_test(test_flat_parallelogram),
        cmocka_unit_test(test_contradiction),
        cmocka_unit_test(test_long_mechanisms_obey_newton),
        cmocka_unit_test(test_linear_growth),
        cmocka_unit_test(test_long_chains_agree),
        cmocka_unit_test(test_switched_loops),
        cmocka_unit_test(test_refused_models),
        cmocka_unit_test(test_refused_calls),
        cmocka_unit_test(test_nothing_moves),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(test_out_of_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
