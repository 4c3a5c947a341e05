// Islands of rigid contact on threads: the same bits at any count, also where the arena is too small for all
// islands at once.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "model_text.h"

enum { TOWERS = 100, STEPS = 60 };

// Towers of boxes that stand apart, some of them leaning onto the next, spheres and a hinge among them.
static char* scene(void)
{
    enum { SIZE = 200000 };
    char* xml = malloc(SIZE);
    size_t n = (size_t)snprintf(xml, SIZE, "<mujoco><worldbody><geom type='plane' size='50 50 1'/>");
    for (int t = 0; t < TOWERS; t++) {
        const double x = t % 10, y = t / 10, lean = t % 7 == 0 ? 0.3 : 0.01;
        for (int k = 0; k < 2 + t % 3; k++)
            n += (size_t)snprintf(xml + n, SIZE - n,
                                  "<body pos='%g %g %g'><freejoint/><geom type='%s' size='.1 .1 .1'/></body>",
                                  x + lean * k, y, 0.0999 + 0.1998 * k, t % 9 == 8 ? "sphere" : "box");
    }
    snprintf(xml + n, SIZE - n,
             "<body pos='-2 0 .2'><joint axis='0 1 0' range='-10 10' frictionloss='.1' damping='.2'/>"
             "<geom type='capsule' size='.05' fromto='0 0 0 .5 0 0'/></body></worldbody></mujoco>");
    return xml;
}

static double* states(snModel* m, int threads, int* full)
{
    const size_t size = (size_t)sn_stateSize(m, SN_STATE_INTEGRATION);
    double* result = malloc(size * sizeof *result);
    snData* d = sn_makeData(m);
    snThreadPool* pool = threads ? sn_makeThreadPool(threads) : NULL;
    assert_true(result && d && (pool || !threads));
    d->pool = pool;
    for (int k = 0; k < STEPS; k++) sn_step(m, d);
    assert_true(d->ncon > 500);
    assert_int_equal(d->warning[SN_WARN_LCP].number, 0);
    *full = d->warning[SN_WARN_CNSTRFULL].number + d->warning[SN_WARN_CONTACTFULL].number;
    sn_getState(m, d, result, SN_STATE_INTEGRATION);
    sn_deleteData(d);
    sn_deleteThreadPool(pool);
    return result;
}

static void holdAtAnyCount(snModel* m)
{
    const size_t size = (size_t)sn_stateSize(m, SN_STATE_INTEGRATION) * sizeof(double);
    int full;
    double* expected = states(m, 0, &full);
    assert_int_equal(full, 0);
    for (int threads = 1; threads <= 4; threads++) {
        double* actual = states(m, threads, &full);
        assert_int_equal(full, 0);
        assert_memory_equal(actual, expected, size);
        free(actual);
    }
    free(expected);
}

static void theSameBitsAtAnyCount(void** state)
{
    (void)state;
    char* xml = scene();
    snModel* m = load(xml);
    m->opt.contact = SN_CONTACT_LCP;
    holdAtAnyCount(m);
    m->opt.cone = SN_CONE_ELLIPTIC;
    holdAtAnyCount(m);
    // room for what one island needs at a time, and so for some at once, not for all
    snData* d = sn_makeData(m);
    for (int k = 0; k < STEPS; k++) sn_step(m, d);
    m->narena = d->maxuse_arena;
    sn_deleteData(d);
    holdAtAnyCount(m);
    sn_deleteModel(m);
    free(xml);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(theSameBitsAtAnyCount)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
