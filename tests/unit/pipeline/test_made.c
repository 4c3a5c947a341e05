// Asserts from the tables: what is not made is poison, a stage that reads it stops, and a step makes all.
#include <sinew/sinew.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/memory.h"
#include "lcp/forward.h"
#include "model/made.h"
#include "model_text.h"

#ifdef SN_POISON

static const char robot[] =
    "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<camera pos='0 0 1'/><light pos='0 0 1'/>"
    "<body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .2 .1'/><site name='s'/>"
    "  <body pos='.2 0 0'><joint name='j' axis='0 1 0' range='-60 60' frictionloss='.1' damping='.1'/>"
    "    <geom type='capsule' fromto='0 0 0 .3 0 0' size='.05'/><site name='t' pos='.3 0 0'/></body></body>"
    "</worldbody><tendon><spatial name='w' springlength='.1' stiffness='2'><site site='s'/><site site='t'/>"
    "</spatial></tendon><actuator><motor joint='j'/><position tendon='w'/></actuator>"
    "<sensor><force site='t'/><subtreelinvel body='world'/></sensor></mujoco>";

typedef struct Field {
    const char *name, *rows;
    size_t offset;
    snPass pass;
} Field;

enum {
#define X(maker, pass) PASS_OF_##maker = SN_PASS_##pass,
    SN_MAKER_TABLE(X)
#undef X
};

static const Field fields[] = {
#define X(type, name, rows, columns, stage, by, meaning)                                                     \
    {#name, #rows, offsetof(snData, name), (snPass)PASS_OF_##by},
    SN_DATA_FIELDS(X)
#undef X
#define X(type, name, rows, columns, by, meaning)                                                            \
    {#name, #rows, offsetof(snData, name), (snPass)PASS_OF_##by},
        SN_ARENA_FIELDS(X)
#undef X
};
enum { NFIELDS = sizeof fields / sizeof *fields };

// Arms and paths have room that a position may leave, and this model has no loops.
static bool mayBeUnmade(const Field* f)
{
    return !strcmp(f->name, "cfrc_loop") || !strcmp(f->rows, "nJten") || !strcmp(f->rows, "nJmom") ||
           !strcmp(f->rows, "nwrap");
}

static void makes(const snModel* m, const snData* d, int passes, bool wanted)
{
    for (int i = 0; i < NFIELDS; i++)
        if (fields[i].pass & passes && !mayBeUnmade(fields + i) &&
            sn_areMade(m, d, &fields[i].offset, 1) != wanted)
            fail_msg("%s is %s", fields[i].name, wanted ? "not made" : "made");
}

static void test_a_step_makes_what_its_passes_own(void** state)
{
    (void)state;
    snModel* m = load(robot);
    snData* d = sn_makeData(m);
    for (int k = 0; k < 20; k++) sn_step(m, d);
    assert_true(d->ncon > 0 && d->nefc > 0);
    makes(m, d, SN_PASS_position | SN_PASS_velocity | SN_PASS_acceleration, true);
    for (int i = 0; i < m->nv; i++) assert_true(isfinite(d->qacc[i]) && isfinite(d->qvel[i]));
    sn_deleteData(d);
    sn_deleteModel(m);
}

// What a pass takes away is its own; the state, inputs, sensors and the last step's acceleration stay.
static void test_what_a_pass_takes_away(void** state)
{
    (void)state;
    snModel* m = load(robot);
    snData *d = sn_makeData(m), *before = sn_makeData(m);
    sn_step(m, d);
    sn_copyData(before, m, d);
    const size_t cvel = offsetof(snData, cvel), qacc = offsetof(snData, qacc),
                 efc = offsetof(snData, efc_vel);
    sn_unmake(m, d, SN_PASS_velocity);
    makes(m, d, SN_PASS_position | SN_PASS_acceleration, true);
    assert_false(sn_areMade(m, d, &cvel, 1));
    assert_false(sn_areMade(m, d, &efc, 1));
    assert_true(sn_areMade(m, d, &qacc, 1));
    sn_unmake(m, d, SN_PASS_position | SN_PASS_velocity | SN_PASS_acceleration | SN_PASS_asked);
    assert_false(sn_areMade(m, d, &qacc, 1));
    assert_true(isnan(d->xpos[0]) && isnan(d->efc_J[0]));
    assert_true(d->efc_id[0] < -1 && d->contact[0].geom[0] < -1);
    assert_memory_equal(d->qpos, before->qpos, (size_t)m->nq * sizeof(double));
    assert_memory_equal(d->qacc_warmstart, before->qacc_warmstart, (size_t)m->nv * sizeof(double));
    assert_memory_equal(d->sensordata, before->sensordata, (size_t)m->nsensordata * sizeof(double));
    sn_deleteData(before);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Whoever makes a field is a function of that name; this does not compile otherwise.
static void test_makers_are_functions(void** state)
{
    (void)state;
#define IS_kept(maker)
#define IS_position(maker) assert_true(sizeof(&sn_##maker) > 0);
#define IS_velocity(maker) IS_position(maker)
#define IS_acceleration(maker) IS_position(maker)
#define IS_asked(maker) IS_position(maker)
#define X(maker, pass) IS_##pass(maker)
    SN_MAKER_TABLE(X)
#undef X
}

#ifndef NDEBUG
// A step whose bias force comes before the velocities that it reads.
static void stageBeforeItsTime(const snModel* m, snData* d)
{
    sn_unmake(m, d, SN_PASS_position | SN_PASS_velocity | SN_PASS_acceleration);
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_rne(m, d, 0, d->qfrc_bias);
}

static void test_a_stage_that_reads_what_a_later_one_makes_stops(void** state)
{
    (void)state;
    int ends[2], status;
    char said[1024] = "";
    snModel* m = load(robot);
    snData* d = sn_makeData(m);
    sn_step(m, d);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        stageBeforeItsTime(m, d);
        _exit(0);
    }
    close(ends[1]);
    const ssize_t count = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(count > 0);
    assert_non_null(strstr(said, "cvel is read before sn_comVel has made it"));
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    sn_deleteData(d);
    sn_deleteModel(m);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_step_makes_what_its_passes_own),
        cmocka_unit_test(test_what_a_pass_takes_away),
        cmocka_unit_test(test_makers_are_functions),
#ifndef NDEBUG
        cmocka_unit_test(test_a_stage_that_reads_what_a_later_one_makes_stops),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else // this build takes nothing away

int main(void)
{
    return 0;
}

#endif
