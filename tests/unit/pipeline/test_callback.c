// Callbacks of the user: when each is called, what it changes, copies, resets, no allocation, same bits.
#include <sinew/sinew.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/memory.h"
#include "model_text.h"

static const char xml[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 1'/>"
    "<body pos='0 0 .1'><freejoint/><geom name='ball' size='.11'/>"
    "<geom name='other' size='.11' pos='.3 0 0' contype='2' conaffinity='2'/></body>"
    "<body pos='0 0 2'><joint name='j' axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body></worldbody>"
    "<actuator><general joint='j' dyntype='user' gaintype='user' biastype='user'/>"
    "<general joint='j' dyntype='user' actdim='3'/><motor joint='j'/></actuator>"
    "<sensor><user dim='2' needstage='pos' cutoff='5'/><clock/><user dim='1' "
    "needstage='acc'/></sensor></mujoco>";

// What the callbacks saw: one letter a call.
typedef struct Log {
    char calls[256];
    int count;
    int drop; // what the filter answers
} Log;

static void note(void* user, char what)
{
    Log* log = user;
    if (log->count < (int)sizeof log->calls - 1) log->calls[log->count++] = what;
}

static void passive(const snModel* m, snData* d, void* user)
{
    note(user, 'p');
    d->qfrc_passive[m->nv - 1] += 3;
}

static void control(const snModel* m, snData* d, void* user)
{
    note(user, 'c');
    d->ctrl[m->nu - 1] = 10 * d->time + 1;
}

static int filter(const snModel* m, snData* d, int geom1, int geom2, void* user)
{
    (void)d;
    note(user, 'f');
    assert_true(geom1 >= 0 && geom1 < m->ngeom && geom2 >= 0 && geom2 < m->ngeom);
    return ((Log*)user)->drop;
}

static void sensor(const snModel* m, snData* d, int stage, void* user)
{
    (void)m;
    note(user, stage == SN_STAGE_POS ? '1' : stage == SN_STAGE_VEL ? '2' : '3');
    if (stage == SN_STAGE_POS) d->sensordata[0] = 7, d->sensordata[1] = 4;
    if (stage == SN_STAGE_ACC) d->sensordata[3] = -8;
}

static double rate(const snModel* m, snData* d, int i, void* user)
{
    note(user, 'd');
    const int first = m->actuator_actadr[i];
    for (int k = 0; m->actuator_actnum[i] == 3 && k < 3; k++) d->act_dot[first + k] = k + 1;
    return 100;
}

static double gain(const snModel* m, snData* d, int i, void* user)
{
    (void)m, (void)d;
    note(user, 'g');
    return 2 + i;
}

static double bias(const snModel* m, snData* d, int i, void* user)
{
    (void)m, (void)d, (void)i;
    note(user, 'b');
    return 5;
}

static snCallbacks all(Log* log)
{
    return (snCallbacks){log, passive, control, filter, sensor, rate, gain, bias, NULL, 0};
}

static void expectCalls(Log* log, const char* expected)
{
    log->calls[log->count] = 0;
    assert_string_equal(log->calls, expected);
    log->count = 0;
}

// The floor is near two geoms; the free body's second geom has other masks than the floor, but its body has
// not.
static void calledInTheOrderOfTheStages(void** state)
{
    (void)state;
    snModel* m = load(xml);
    snData* d = sn_makeData(m);
    Log log = {0};
    d->callback = all(&log);
    sn_forward(m, d);
    expectCalls(&log, "ff1pcddgb3");
    sn_step(m, d);
    expectCalls(&log, "ff1pcddgb3");
    sn_step1(m, d);
    expectCalls(&log, "ff1pc");
    sn_step2(m, d);
    expectCalls(&log, "ddgb3");
    sn_inverse(m, d);
    expectCalls(&log, "ff1p3");
    sn_forwardSkip(m, d, SN_STAGE_VEL, 1);
    expectCalls(&log, "cddgb");
    m->opt.integrator = SN_INT_RK4;
    sn_step(m, d);
    expectCalls(&log, "ff1pcddgb3ffpcddgbffpcddgbffpcddgb");
    m->opt.integrator = SN_INT_EULER;
    m->opt.disableflags = SN_DSBL_ACTUATION | SN_DSBL_SENSOR | SN_DSBL_SPRING | SN_DSBL_DAMPER;
    sn_forward(m, d);
    expectCalls(&log, "ff");
    sn_step1(m, d);
    expectCalls(&log, "ffc");
    m->opt.disableflags = SN_DSBL_CONTACT;
    m->opt.disableactuator = 1;
    sn_forward(m, d);
    expectCalls(&log, "1pcdd3");
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void eachDoesItsPart(void** state)
{
    (void)state;
    snModel* m = load(xml);
    snData* d = sn_makeData(m);
    Log log = {0};
    sn_forward(m, d);
    assert_int_equal(d->ncon, 1); // masks: the floor and the first geom
    assert_true(d->actuator_force[0] == 0 && d->sensordata[0] == 0 && d->act_dot[0] == 0);
    d->act[0] = 3;
    sn_forward(m, d);
    assert_true(d->actuator_force[0] == 3); // gain 1, bias 0
    d->callback = all(&log);
    d->time = 2;
    sn_forward(m, d);
    assert_int_equal(d->ncon, 2);
    assert_true(d->qfrc_passive[m->nv - 1] == 3);
    assert_true(d->ctrl[2] == 21 && d->actuator_force[2] == 21);
    assert_true(d->actuator_force[0] == 2 * 3 + 5);
    assert_true(d->act_dot[0] == 100 && d->act_dot[1] == 1 && d->act_dot[2] == 2 && d->act_dot[3] == 3);
    assert_true(d->sensordata[0] == 5 && d->sensordata[1] == 4); // cut off at 5
    assert_true(d->sensordata[2] == 2 && d->sensordata[3] == -8);
    log.drop = 1;
    sn_forward(m, d);
    assert_int_equal(d->ncon, 0);
    sn_deleteData(d);
    sn_deleteModel(m);
}

#ifdef SN_TEST_HOOKS
static int countAllocation(size_t size, void* user)
{
    (void)size;
    ++*(int*)user;
    return 1;
}
#endif

// A copy has the callbacks and goes on with the same bits; a reset keeps them; nothing is allocated.
static void copiedKeptAndFree(void** state)
{
    (void)state;
    snModel* m = load(xml);
    snData *a = sn_makeData(m), *b = sn_makeData(m);
    Log log = {0};
    a->callback = all(&log);
#ifdef SN_TEST_HOOKS
    int allocations = 0;
    sn_setAllocHook(countAllocation, &allocations);
#endif
    for (int i = 0; i < 100; i++) sn_step(m, a);
    sn_copyData(b, m, a);
    assert_ptr_equal(b->callback.control, control);
    for (int i = 0; i < 100; i++) sn_step(m, a);
    for (int i = 0; i < 100; i++) sn_step(m, b);
#ifdef SN_TEST_HOOKS
    sn_setAllocHook(NULL, NULL);
    assert_int_equal(allocations, 0);
#endif
    assert_memory_equal(a->qpos, b->qpos, sizeof(double) * (size_t)m->nq);
    assert_memory_equal(a->act, b->act, sizeof(double) * (size_t)m->na);
    sn_resetData(m, a);
    assert_ptr_equal(a->callback.user, &log);
    sn_deleteData(a);
    sn_deleteData(b);
    sn_deleteModel(m);
}

static void userTypesAreChecked(void** state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"<actuator><general joint='j' dyntype='integrator' actdim='2'/></actuator>", "actdim is 2"},
        {"<actuator><general joint='j' dyntype='user' actdim='0'/></actuator>", "actdim is 0"},
        {"<actuator><general joint='j' dyntype='user' actdim='2000000000'/></actuator>",
         "actdim is 2000000000"},
        {"<sensor><user dim='1000000'/><user dim='1000000'/></sensor>", "dim is 1000000"},
        {"<sensor><user dim='-1'/></sensor>", "dim is -1, must not be negative"},
        {"<sensor><user dim='3' datatype='axis' cutoff='1'/></sensor>", "cutoff makes no sense"},
        {"<sensor><user dim='1' objtype='body' objname='nobody'/></sensor>", "nobody"},
    };
    for (int i = 0; i < (int)(sizeof wrong / sizeof *wrong); i++) {
        char text[400];
        strcpy(text, "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>");
        strcat(text, wrong[i].text);
        strcat(text, "</mujoco>");
        snError error = {0};
        assert_null(sn_loadModelText(text, strlen(text), NULL, 0, NULL, &error));
        if (!strstr(error.message, wrong[i].says)) fail_msg("%s", error.message);
    }
}

// A clock that goes on by one when it is read.
static double ticks(void* user)
{
    return (double)(*(int*)user)++;
}

static void theClockIsReadInSomeSteps(void** state)
{
    (void)state;
    enum { STEPS = 40, EVERY = 4, TIMED = 2 * EVERY + (STEPS - 2 * EVERY) / EVERY };
    snModel* m = load(xml);
    int each = 0, some = 0;
    snData *all = sn_makeData(m), *few = sn_makeData(m);
    all->callback = (snCallbacks){.user = &each, .time = ticks};
    few->callback = (snCallbacks){.user = &some, .time = ticks, .time_every = EVERY};
    for (int k = 0; k < STEPS; k++) {
        sn_step(m, all);
        sn_step(m, few);
    }
    assert_int_equal(each % STEPS, 0);
    assert_int_equal(some, each / STEPS * TIMED);
    for (int i = 0; i < SN_NTIMER; i++) {
        assert_int_equal(few->timer[i].number, all->timer[i].number);
        assert_true(few->timer[i].duration == all->timer[i].duration);
    }
    sn_forward(m, few); // outside of a step it is read
    assert_true(some > each / STEPS * TIMED);
    assert_memory_equal(few->qpos, all->qpos, (size_t)m->nq * sizeof *all->qpos);
    sn_deleteData(all);
    sn_deleteData(few);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calledInTheOrderOfTheStages), cmocka_unit_test(eachDoesItsPart),
        cmocka_unit_test(copiedKeptAndFree),           cmocka_unit_test(userTypesAreChecked),
        cmocka_unit_test(theClockIsReadInSomeSteps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
