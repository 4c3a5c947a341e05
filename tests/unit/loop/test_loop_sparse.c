// The sparse matrix method against sn_forward, whose equations are those of the tree, on random mechanisms with
// every joint and every loop; against figures that others found; redundant loops; what it refuses.
#include "model_text.h"
#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "random_tree.h"

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

static const char* const FOUR_BAR =
    "<mujoco><option gravity='0 0 -9.81'/><custom><text name='sinew_loop_tip' data='%s c "
    "r'/></custom><worldbody>"
    "<body><joint axis='0 1 0'/><inertial pos='.15 0 0' mass='.6' diaginertia='.0045 .0045 .0045'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0'/>"
    "<inertial pos='.275 0 0' mass='1.1' diaginertia='.027729166666666666 .027729166666666666 "
    ".027729166666666666'/>"
    "<site name='c' pos='.55 0 0' euler='90 0 0'/></body></body>"
    "<body pos='.5 0 0'><joint axis='0 1 0'/>"
    "<inertial pos='.2 0 0' mass='.8' diaginertia='.010666666666666666 .010666666666666666 "
    ".010666666666666666'/>"
    "<site name='r' pos='.4 0 0' euler='90 0 0'/></body>"
    "</worldbody></mujoco>";

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
    addVector(t, r, "pos", 0.2);
    if (strcmp(type, "ball")) addVector(t, r, "axis", 1);
    if (randomReal(r) > 0.2) add(t, " armature='%.17g'", randomReal(r) > 0 ? 0.3 + 0.2 * randomReal(r) : 0.01);
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
    static const char* const TYPES[] = {"fixed",     "revolute",           "prismatic",       "helical",
                                        "planar",    "cylindrical",        "spherical",       "universal",
                                        "distance",  "sphere-in-cylinder", "sphere-in-plane"};
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

static snModel* randomMechanism(Random* r)
{
    Text t = {.size = 0};
    int parent[BODIES] = {0};
    for (int b = 2; b < BODIES; b++) parent[b] = randomInt(r, 3) ? b - 1 - randomInt(r, b < 3 ? b - 1 : 3) : 0;
    add(&t, "<mujoco>");
    addLoops(&t, r);
    add(&t, "<worldbody><site name='s0' pos='.2 .1 .3'/>");
    for (int b = 1; b < BODIES; b++)
        if (parent[b] == 0) addBody(&t, r, parent, b);
    add(&t, "</worldbody></mujoco>");
    snError error = {0};
    return sn_loadModelText(t.data, t.size, NULL, 0, NULL, &error);
}

static void randomise(const snModel* m, snData* d, Random* r)
{
    for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.5 * randomReal(r);
    sn_integratePos(m, d->qpos, d->qvel, 1);
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = randomReal(r);
        d->qfrc_applied[i] = randomReal(r);
    }
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
        snModel* m = randomMechanism(&r);
        if (!m) continue; // a loop between bodies that cannot move against each other
        snData* d = sn_makeData(m);
        randomise(m, d, &r);
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
    assert_true(compared > 200 && looped > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_four_bar), cmocka_unit_test(test_random_mechanisms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
