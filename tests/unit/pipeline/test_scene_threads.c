// One scene on several threads: the bits of all stages, the statistics and the warnings are those of one
// thread, at any number of threads.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model_text.h"
#include "sanitized.h"

enum { STEPS = SANITIZED ? 12 : 100, SIZE = 400000 };

static const int counts[] = {3, 2, 8};
enum { COUNTS = SANITIZED ? 1 : 3 };

// ---- scenes

typedef struct Text {
    char* at;
    size_t used;
} Text;

static void add(Text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));

static void add(Text* text, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    const int more = vsnprintf(text->at + text->used, SIZE - text->used, format, list);
    va_end(list);
    assert_true(more >= 0 && text->used + (size_t)more < SIZE);
    text->used += (size_t)more;
}

static const char rock[] =
    "<asset><mesh name='rock' vertex='.1 0 0 -.1 0 0 0 .08 0 0 -.09 0 0 0 .07 0 0 -.1 .05 .05 .05'/></asset>";

// Bodies that fall onto each other in a bin: one island of many dofs.
static void pile(Text* text)
{
    static const char* const shapes[] = {"type='box' size='.1 .08 .06'", "type='sphere' size='.09'",
                                         "type='capsule' size='.05 .06'", "type='mesh' mesh='rock'"};
    add(text, "%s<worldbody><geom type='plane' size='5 5 1'/>", rock);
    for (int k = 0; k < 2; k++)
        add(text,
            "<geom type='box' size='.5 1.5 1' pos='%d.1 0 1'/><geom type='box' size='1.5 .5 1' pos='0 %d.1 "
            "1'/>",
            k ? -1 : 1, k ? -1 : 1);
    for (int i = 0; i < 160; i++)
        add(text, "<body pos='%g %g %g' quat='1 %g %g %g'><freejoint/><geom %s/></body>",
            0.21 * (i % 5 - 2) + 0.01 * (i % 3), 0.21 * (i / 5 % 4 - 1.5) + 0.007 * (i % 7),
            0.1 + 0.16 * (i / 20), 0.1 * (i % 5), 0.2 * (i % 3), 0.1 * (i % 11), shapes[i % 4]);
    add(text, "</worldbody>");
}

// Islands of 6 to 36 dofs, a few that lean, and arms with limits and friction among them.
static void towers(Text* text)
{
    add(text, "<worldbody><geom type='plane' size='50 50 1'/>");
    for (int t = 0; t < 110; t++) {
        const double x = t % 10, y = t / 10,
                     lean = t % 7 == 0 ? 0.3 : 0.01; // NOLINT(bugprone-integer-division)
        for (int k = 0; k < 1 + t % 6; k++)
            add(text, "<body pos='%g %g %g'><freejoint/><geom type='%s' size='.1 .1 .1'/></body>",
                x + lean * k, y, 0.0999 + 0.1998 * k, t % 9 == 8 ? "sphere" : "box");
        if (t % 5 == 0)
            add(text,
                "<body pos='%g %g .6'><joint axis='0 1 0' range='-20 20' frictionloss='.1'/><geom "
                "type='capsule' "
                "size='.04' fromto='0 0 0 .3 0 0'/><body pos='.3 0 0'><joint axis='0 0 1' range='-10 "
                "10'/><geom "
                "type='capsule' size='.04' fromto='0 0 0 .3 0 0'/></body></body>",
                x + 0.3, y + 0.4);
    }
    add(text, "</worldbody>");
}

// A cloth over balls, and towers beside it.
static void cloth(Text* text)
{
    add(text, "<worldbody><geom type='plane' size='50 50 1'/><geom type='sphere' size='.2' pos='0 0 .3'/>"
              "<flexcomp name='cloth' type='grid' dim='2' count='12 12 1' spacing='.08 .08 1' pos='0 0 .55' "
              "mass='.3' radius='.01'><contact selfcollide='none'/><elasticity young='1e4' poisson='.3' "
              "thickness='.002' damping='.002' elastic2d='both'/></flexcomp>");
    for (int i = 0; i < 90; i++)
        add(text, "<body pos='%g %g %g'><freejoint/><geom type='box' size='.1 .1 .05'/></body>",
            2 + 0.4 * (i / 3 % 6), 0.4 * (i / 18),
            0.0499 + 0.0998 * (i % 3)); // NOLINT(bugprone-integer-division)
    add(text, "</worldbody>");
}

typedef struct Scene {
    void (*write)(Text*);
    const char* option;
    int contacts; // there are at least so many in the end
} Scene;

#define LCP "<custom><text name='sinew_contact' data='lcp'/></custom>"

static const Scene scenes[] = {
    {pile, "<option/>", 250},
    {pile, "<option cone='elliptic'/>", 250},
    {pile, "<option solver='CG'/>", 250},
    {pile, "<option solver='PGS' iterations='20' noslip_iterations='3'/>", 250},
    {towers, "<option/>", 700},
    {towers, "<option cone='elliptic' impratio='3'/>", 700},
    {towers, "<option solver='CG'/>", 700},
    {towers, "<option solver='PGS' iterations='20'/>", 700},
    {towers, "<option integrator='discrete'/>", 700},
    {towers, "<option><flag sleep='enable'/></option>", 500},
    {towers, "<option><flag speculative='enable' diagexact='enable'/></option>", 700},
    {towers, "<option><flag island='disable'/></option>", 700},
    {towers, "<option iterations='2' ls_iterations='3'/>", 700},
    {cloth, "<option integrator='discrete' solver='CG' tolerance='1e-8'/>", 200},
    {cloth, "<option integrator='discrete'/>", 200},
    {towers, LCP, 700},
    {towers, LCP "<option cone='elliptic'/>", 700},
    {pile, LCP, 250},
};

static snModel* model(const Scene* scene)
{
    Text text = {malloc(SIZE), 0};
    assert_non_null(text.at);
    add(&text, "<mujoco><option timestep='.005'/>%s", scene->option);
    scene->write(&text);
    add(&text, "</mujoco>");
    snModel* m = load(text.at);
    free(text.at);
    return m;
}

// ---- runs

static snData* data(const snModel* m, int threads)
{
    snError error = {0};
    snData* d = sn_makeData(m);
    assert_non_null(d);
    if (sn_setThreads(d, threads, &error) != SN_STATUS_OK) fail_msg("%s", error.message);
    assert_int_equal(sn_threadCount(d->pool), threads);
    return d;
}

static void compare(const snModel* m, const snData* expected, const snData* actual, const Scene* scene,
                    int step)
{
    uint64_t a[SN_NMAKER], b[SN_NMAKER];
    sn_stageHashes(m, expected, a);
    sn_stageHashes(m, actual, b);
    for (int k = 0; k < SN_NMAKER; k++)
        if (a[k] != b[k])
            fail_msg("scene %d, step %d, %d threads: %s differs", (int)(scene - scenes), step,
                     sn_threadCount(actual->pool), sn_makerName(k));
    assert_memory_equal(expected->solver, actual->solver, sizeof expected->solver);
    assert_memory_equal(expected->warning, actual->warning, sizeof expected->warning);
    assert_int_equal(expected->solver_niter, actual->solver_niter);
    assert_memory_equal(&expected->solver_nnz, &actual->solver_nnz, sizeof(double));
    assert_memory_equal(&expected->solver_nmul, &actual->solver_nmul, sizeof(double));
    assert_memory_equal(&expected->solver_residual, &actual->solver_residual, sizeof(double));
    assert_memory_equal(&expected->noslip_residual, &actual->noslip_residual, sizeof(double));
    assert_int_equal(expected->nbroad, actual->nbroad);
}

// Returns the most contacts that there are.
static int runScene(const Scene* scene, snModel* m)
{
    snData *one = data(m, 1), *several[COUNTS];
    for (int i = 0; i < COUNTS; i++) several[i] = data(m, counts[i]);
    for (int step = 0; step < STEPS; step++) {
        sn_step(m, one);
        for (int i = 0; i < COUNTS; i++) {
            sn_step(m, several[i]);
            compare(m, one, several[i], scene, step);
        }
    }
    const int contacts = one->maxuse_con;
    for (int i = 0; i < COUNTS; i++) sn_deleteData(several[i]);
    sn_deleteData(one);
    return contacts;
}

static void theSameBits(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        snModel* m = model(scenes + i);
        const int contacts = runScene(scenes + i, m);
        if (!SANITIZED) assert_true(contacts >= scenes[i].contacts);
        sn_deleteModel(m);
    }
}

// Arenas from too small for all contacts to room for what one thread needs: what has no room is the same.
static void theSameWhereMemoryIsShort(void** state)
{
    static const int which[] = {0, 5};
    (void)state;
    for (int i = 0; i < 2; i++) {
        snModel* m = model(scenes + which[i]);
        snData* d = data(m, 1);
        for (int k = 0; k < STEPS; k++) sn_step(m, d);
        const size_t most = d->maxuse_arena;
        sn_deleteData(d);
        for (int part = 1; part <= 5; part += SANITIZED ? 2 : 1) {
            m->narena = most / 5 * (size_t)part;
            runScene(scenes + which[i], m);
        }
        sn_deleteModel(m);
    }
}

// ---- life of the threads

static void badNumbersAreErrors(void** state)
{
    (void)state;
    static const int bad[] = {0, -1, SN_MAX_THREADS + 1, 1000000};
    snModel* m = load("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    snData* d = data(m, 2);
    snThreadPool* pool = d->pool;
    for (int i = 0; i < 4; i++) {
        char expected[100];
        snError error = {0};
        snprintf(expected, sizeof expected, "threads are %d, must be 1 to %d", bad[i], SN_MAX_THREADS);
        assert_int_equal(sn_setThreads(d, bad[i], &error), SN_STATUS_ARGUMENT);
        assert_string_equal(error.message, expected);
        assert_int_equal(sn_setThreads(d, bad[i], NULL), SN_STATUS_ARGUMENT);
        assert_ptr_equal(d->pool, pool); // as it was
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A pool of the caller's own stays the caller's; threads of the data end with it, or when others come.
static void aPoolOfTheCallers(void** state)
{
    (void)state;
    snModel* m = model(scenes + 5);
    snThreadPool* own = sn_makeThreadPool(2);
    snData *d = data(m, 3), *one = data(m, 1);
    d->pool = own;
    assert_int_equal(sn_setThreads(d, 2, NULL), SN_STATUS_OK);
    assert_ptr_not_equal(d->pool, own);
    d->pool = own;
    for (int k = 0; k < 5; k++) {
        sn_step(m, d);
        sn_step(m, one);
        compare(m, one, d, scenes + 5, k);
    }
    assert_int_equal(sn_setThreads(d, 1, NULL), SN_STATUS_OK);
    assert_null(d->pool);
    sn_deleteData(d);
    sn_deleteData(one);
    sn_deleteThreadPool(own);
    sn_deleteModel(m);
}

// A copy keeps the threads that it has, and goes on with the same bits; a reset keeps them, too.
static void copiesAndResets(void** state)
{
    (void)state;
    snModel* m = model(scenes + 5);
    snData *d = data(m, 3), *copy = data(m, 2), *plain = data(m, 1);
    for (int k = 0; k < 10; k++) sn_step(m, d);
    sn_copyData(copy, m, d);
    sn_copyData(plain, m, d);
    assert_int_equal(sn_threadCount(copy->pool), 2);
    assert_int_equal(sn_threadCount(plain->pool), 1);
    assert_ptr_not_equal(copy->pool, d->pool);
    for (int k = 0; k < 10; k++) {
        sn_step(m, d);
        sn_step(m, copy);
        sn_step(m, plain);
        compare(m, d, copy, scenes + 5, k);
        compare(m, d, plain, scenes + 5, k);
    }
    sn_resetData(m, d);
    assert_int_equal(sn_threadCount(d->pool), 3);
    sn_deleteData(plain);
    sn_deleteData(copy);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// In a process that forked the threads do not exist: it works alone, and frees what there is.
static void aFork(void** state)
{
    (void)state;
    snModel* m = model(scenes + 5);
    snData *d = data(m, 3), *one = data(m, 1);
    for (int k = 0; k < 3; k++) sn_step(m, d), sn_step(m, one);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int k = 0; k < 3; k++) sn_step(m, d), sn_step(m, one);
        const bool same = memcmp(d->qpos, one->qpos, (size_t)m->nq * sizeof(double)) == 0;
#ifdef __SANITIZE_THREAD__ // knows no threads after a fork
        const bool anew = true;
#else
        const bool anew = sn_setThreads(d, 2, NULL) == SN_STATUS_OK; // threads of its own
#endif
        sn_step(m, d);
        sn_deleteData(d);
        _exit(same && anew ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    for (int k = 0; k < 3; k++) {
        sn_step(m, d);
        sn_step(m, one);
        compare(m, one, d, scenes + 5, k);
    }
    sn_deleteData(one);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void count(const snModel* m, snData* d, void* user)
{
    pthread_t* caller = user;
    (void)m;
    (void)d;
    assert_true(pthread_equal(*caller, pthread_self()));
}

static int filter(const snModel* m, snData* d, int g1, int g2, void* user)
{
    count(m, d, user);
    return (g1 + g2) % 7 == 0;
}

// Callbacks are called by who steps.
static void callbacksStayWithTheCaller(void** state)
{
    (void)state;
    snModel* m = model(scenes + 5);
    snData *d = data(m, 3), *one = data(m, 1);
    pthread_t caller = pthread_self();
    const snCallbacks callback = {
        .user = &caller, .passive = count, .control = count, .contactfilter = filter};
    d->callback = one->callback = callback;
    for (int k = 0; k < 10; k++) {
        sn_step(m, d);
        sn_step(m, one);
        compare(m, one, d, scenes + 5, k);
    }
    sn_deleteData(one);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(theSameBits),
                                       cmocka_unit_test(theSameWhereMemoryIsShort),
                                       cmocka_unit_test(badNumbersAreErrors),
                                       cmocka_unit_test(aPoolOfTheCallers),
                                       cmocka_unit_test(copiesAndResets),
                                       cmocka_unit_test(callbacksStayWithTheCaller),
                                       cmocka_unit_test(aFork)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
