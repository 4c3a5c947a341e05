// sn_loopDynamics against sn_forward on random mechanisms: what either makes of the same equations.
#include "model_text.h"
#include <math.h>
#include <sinew/loop.h>
#include <stdio.h>
#include "base/memory.h"

static uint32_t seed;

static double uniform(void) // in [-1, 1]
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 23) - 1;
}

static int choose(int n)
{
    return (int)(fabs(uniform()) * 0.999999 * n);
}

// What a random model has.
typedef struct Plan {
    int bodies, loops;
    bool gears, tendons, free; // joint and tendon equalities; balls and free bodies
} Plan;

typedef struct Text {
    char data[60000];
    size_t size;
    int joints; // hinges and slides, named j0, j1, ...
} Text;

#define ADD(t, ...)                                                                                          \
    ((t)->size += (size_t)snprintf((t)->data + (t)->size, sizeof(t)->data - (t)->size, __VA_ARGS__))

static void addJoints(Text* t, const Plan* plan, bool root)
{
    const int kind = choose(10);
    if (plan->free && kind == 0) {
        ADD(t, root ? "<freejoint/>" : "<joint type='ball' armature='.01'/>");
        return;
    }
    for (int i = kind == 1 ? 0 : kind == 2 ? 2 : 1; i > 0; i--)
        ADD(t, "<joint name='j%d' type='%s' axis='%g %g %g' pos='%g %g 0' armature='%g'/>", t->joints++,
            choose(4) ? "hinge" : "slide", uniform(), uniform(), uniform(), 0.1 * uniform(), 0.1 * uniform(),
            choose(2) ? 0 : 0.1);
}

// Bodies `from` to `end` as a random tree.
static void addBodies(Text* t, const Plan* plan, int from, int end, bool root)
{
    while (from < end) {
        const int size = 1 + choose(end - from);
        ADD(t,
            "<body pos='%g %g %g' euler='%g %g %g'><inertial pos='%g %g 0' mass='%g' diaginertia='%g %g "
            ".1'/>",
            uniform(), uniform(), uniform(), 90 * uniform(), 90 * uniform(), 90 * uniform(), 0.3 * uniform(),
            0.3 * uniform(), 1.5 + uniform(), 0.1 + 0.04 * uniform(), 0.1 + 0.04 * uniform());
        addJoints(t, plan, root);
        ADD(t, "<site name='s%d' pos='%g %g %g' euler='%g %g 0'/>", from, uniform(), uniform(), uniform(),
            90 * uniform(), 90 * uniform());
        addBodies(t, plan, from + 1, from + size, false);
        ADD(t, "</body>");
        from += size;
    }
}

static void addLoops(Text* t, const Plan* plan)
{
    static const char* const types[] = {
        "fixed",     "revolute",  "prismatic",          "helical",         "cylindrical", "planar",
        "spherical", "universal", "sphere-in-cylinder", "sphere-in-plane", "distance"};
    ADD(t, "<custom><text name='sinew_loops' data='exact'/>");
    for (int i = 0; i < plan->loops; i++) {
        const int type = choose(11), a = choose(plan->bodies),
                  b = (a + 1 + choose(plan->bodies - 1)) % plan->bodies;
        ADD(t, "<text name='sinew_loop_%d' data='%s s%d s%d %s'/>", i, types[type], a, b,
            type == 3    ? "pitch=.2"
            : type == 10 ? "length=1"
                         : "");
    }
    ADD(t, "</custom>");
}

static void addEqualities(Text* t, const Plan* plan)
{
    if (t->joints < 4) return;
    if (plan->tendons)
        ADD(t,
            "<tendon><fixed name='t'%s><joint joint='j0' coef='1'/><joint joint='j2' "
            "coef='-.7'/></fixed></tendon>",
            choose(2) ? " armature='.2'" : "");
    ADD(t, "<equality>");
    if (plan->gears) ADD(t, "<joint joint1='j1' joint2='j3' polycoef='0 .5 .1 0 0'/>");
    if (plan->tendons) ADD(t, "<tendon tendon1='t' active='%s'/>", choose(2) ? "true" : "false");
    ADD(t, "</equality>");
}

// A model, or NULL: its loops are none that a model may have, as two sites on one body.
static snModel* mechanism(const Plan* plan)
{
    static Text t;
    snError error = {0};
    t.size = 0;
    t.joints = 0;
    ADD(&t, "<mujoco><option gravity='1 -2 -9'/>" OPEN_LOOPS "<worldbody>");
    addBodies(&t, plan, 0, plan->bodies, true);
    ADD(&t, "</worldbody>");
    addEqualities(&t, plan);
    addLoops(&t, plan);
    ADD(&t, "</mujoco>");
    assert_true(t.size < sizeof t.data);
    return withLoops(sn_loadModelText(t.data, t.size, NULL, 0, NULL, &error));
}

static void randomState(const snModel* m, snData* d)
{
    for (int i = 0; i < m->nq; i++) d->qpos[i] += 0.5 * uniform();
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = uniform();
        d->qfrc_applied[i] = 3 * uniform();
    }
    sn_forward(m, d);
}

static double largest(const double* x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// The largest difference of the two accelerations at some states, beside the largest acceleration; in data
// that is fresh, and in data that has been used.
static double compare(const snModel* m)
{
    double tau[200], qacc[200], again[200], worst = 0;
    assert_true(m->nv <= 200);
    snData *d = sn_makeData(m), *used = sn_makeData(m);
    for (int k = 0; k < 3; k++) {
        randomState(m, d);
        for (int i = 0; i < m->nv; i++)
            tau[i] = d->qfrc_passive[i] + d->qfrc_applied[i] + d->qfrc_actuator[i];
        memcpy(used->qpos, d->qpos, (size_t)m->nq * sizeof(double));
        memcpy(used->qvel, d->qvel, (size_t)m->nv * sizeof(double));
        memcpy(used->eq_active, d->eq_active, (size_t)m->neq);
        if (k == 2 && m->neq) { // a loop is switched
            d->eq_active[0] = used->eq_active[0] = !d->eq_active[0];
            sn_forward(m, d);
        }
        snData* fresh = sn_makeData(m);
        memcpy(fresh->qpos, d->qpos, (size_t)m->nq * sizeof(double));
        memcpy(fresh->qvel, d->qvel, (size_t)m->nv * sizeof(double));
        memcpy(fresh->eq_active, d->eq_active, (size_t)m->neq);
        sn_loopDynamics(m, used, tau, qacc);
        sn_loopDynamics(m, fresh, tau, again);
        assert_memory_equal(qacc, again, (size_t)m->nv * sizeof(double));
        assert_int_equal(used->loop_rank, d->loop_rank);
        for (int i = 0; i < m->nv; i++) again[i] = qacc[i] - d->qacc[i];
        worst = fmax(worst, largest(again, m->nv) / largest(d->qacc, m->nv));
        sn_deleteData(fresh);
    }
    sn_deleteData(used);
    sn_deleteData(d);
    return worst;
}

static void test_random_mechanisms(void** state)
{
    (void)state;
    int models = 0, with_loops = 0;
    for (int k = 0; k < 300; k++) {
        const Plan plan = {.bodies = 2 + k % 12,
                           .loops = k % 4,
                           .gears = k % 5 == 0,
                           .tendons = k % 7 == 0,
                           .free = k % 3 == 0};
        seed = (uint32_t)k + 1;
        snModel* m = mechanism(&plan);
        if (!m) continue;
        if (m->nv > 0) {
            const double worst = compare(m);
            if (!(worst < 1e-12)) fail_msg("model %d: %g", k, worst);
            models++;
            with_loops += m->nloop > 0;
        }
        sn_deleteModel(m);
    }
    assert_true(models > 250 && with_loops > 200); // the others have a loop that no model may have
}

// A mechanism of which clusters are joints (gears and tendons: not so), with the data at some state.
static snModel* example(bool gears, snData** d)
{
    const Plan plan = {.bodies = 12, .loops = 3, .gears = gears, .tendons = gears, .free = true};
    snModel* m = NULL;
    for (seed = 7; !m || (gears && m->neq < 2); seed++) {
        sn_deleteModel(m);
        m = mechanism(&plan);
    }
    *d = sn_makeData(m);
    randomState(m, *d);
    assert_true((*d)->nclosure > 0);
    return m;
}

#ifdef SN_TEST_HOOKS
static int count(size_t size, void* user)
{
    (void)size;
    ++*(int*)user;
    return 1;
}
#endif

// Nothing is allocated, and the arena does not grow from call to call.
static void test_memory(void** state)
{
    (void)state;
    for (int gears = 0; gears < 2; gears++) {
        snData* d;
        snModel* m = example(gears, &d);
        double qacc[200];
        int allocations = 0;
        sn_loopDynamics(m, d, d->qfrc_applied, qacc);
        const size_t arena = d->parena, stack = d->pstack;
#ifdef SN_TEST_HOOKS
        sn_setAllocHook(count, &allocations);
#endif
        for (int i = 0; i < 20; i++) sn_loopDynamics(m, d, d->qfrc_applied, qacc);
#ifdef SN_TEST_HOOKS
        sn_setAllocHook(NULL, NULL);
#endif
        assert_int_equal(allocations, 0);
        assert_int_equal(d->parena, arena);
        assert_int_equal(d->pstack, stack);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// An arena of any size, too small at first: zeros and a warning, then the acceleration.
static void test_full_arena(void** state)
{
    (void)state;
    for (int gears = 0; gears < 2; gears++) {
        snData *d, *small;
        snModel* m = example(gears, &d);
        double expected[200], qacc[200];
        int full = 0;
        sn_loopDynamics(m, d, d->qfrc_applied, expected);
        for (size_t size = 0;; size += 512) {
            m->narena = size;
            small = sn_makeData(m);
            memcpy(small->qpos, d->qpos, (size_t)m->nq * sizeof(double));
            memcpy(small->qvel, d->qvel, (size_t)m->nv * sizeof(double));
            small->warning[SN_WARN_CNSTRFULL].number = 0; // of the start, which is assembled
            sn_loopDynamics(m, small, d->qfrc_applied, qacc);
            const bool warned = small->warning[SN_WARN_CNSTRFULL].number > 0;
            sn_deleteData(small);
            if (!warned) break;
            full++;
            assert_true(largest(qacc, m->nv) == 0);
        }
        assert_true(full > 3);
        assert_memory_equal(qacc, expected, (size_t)m->nv * sizeof(double));
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// Steps go on with the same bits as if it had not been called.
static void test_between_steps(void** state)
{
    (void)state;
    snData *d, *plain;
    snModel* m = example(false, &d);
    double qacc[200];
    plain = sn_makeData(m);
    sn_copyData(plain, m, d);
    for (int i = 0; i < 5; i++) {
        sn_loopDynamics(m, d, d->qfrc_applied, qacc);
        sn_step(m, d);
        sn_step(m, plain);
        assert_memory_equal(d->qpos, plain->qpos, (size_t)m->nq * sizeof(double));
        assert_memory_equal(d->qacc, plain->qacc, (size_t)m->nv * sizeof(double));
    }
    sn_deleteData(plain);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_mechanisms),
                                       cmocka_unit_test(test_memory), cmocka_unit_test(test_full_arena),
                                       cmocka_unit_test(test_between_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
