// Plugins and threads: those that may be called from several give the same bits at any count; one that must
// be called from one thread is called from the one that steps, and refused by name where there is more than
// one.
#include <sinew/sinew.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include "model_text.h"

static _Thread_local bool home; // set in the thread of the test
static atomic_int calls, alien; // of functions of a plugin; from another thread

static bool note(void)
{
    atomic_fetch_add(&calls, 1);
    if (!home) atomic_fetch_add(&alien, 1);
    return true;
}

static int oneNumber(const snModel* m, int i, void* user, snError* error)
{
    (void)m, (void)i, (void)user, (void)error;
    return 1;
}

static bool push(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    d->qfrc_passive[0] += 0.3 * sn_pluginState(m, d, i)[0] - 0.2 * d->qvel[0];
    return note();
}

static bool measure(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_plugin[s] == i)
            d->sensordata[m->sensor_adr[s]] = d->qpos[0] + sn_pluginState(m, d, i)[0];
    return note();
}

static bool advance(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    sn_pluginState(m, d, i)[0] += m->opt.timestep * d->qvel[0];
    return note();
}

static double ball(const double* numbers, const double point[3], double gradient[3], void* user)
{
    (void)numbers, (void)user;
    const double length = sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
    for (int k = 0; k < 3 && gradient; k++) gradient[k] = length > 0 ? point[k] / length : 0;
    note();
    return length - 0.1;
}

static void ballBox(const double* numbers, double box[6], void* user)
{
    (void)numbers, (void)user;
    for (int k = 0; k < 3; k++) box[k] = 0, box[3 + k] = 0.1;
}

static int begin(void** state)
{
    (void)state;
    home = true;
    snPlugin plugin = {.size = sizeof plugin,
                       .name = "t.free",
                       .state_size = oneNumber,
                       .passive = push,
                       .sensor = measure,
                       .sensor_stage = SN_STAGE_VEL,
                       .advance = advance,
                       .sdf_distance = ball,
                       .sdf_box = ballBox};
    snError error;
    if (sn_registerPlugin(&plugin, &error) != SN_STATUS_OK) return 1;
    plugin.name = "t.serial";
    plugin.serial = true;
    return sn_registerPlugin(&plugin, &error) != SN_STATUS_OK;
}

// A plugin on a body, a sensor and a shape that rests on a box; a controller, a cable and a skin of Sinew's
// own.
static snModel* make(const char* plugin)
{
    static const char text[] =
        "<mujoco>" AS_3_3_7 "<extension><plugin plugin='%s'><instance name='i'/></plugin>"
        "<plugin plugin='mujoco.pid'/><plugin plugin='mujoco.elasticity.cable'/>"
        "<plugin plugin='mujoco.sensor.touch_grid'/></extension>"
        "<asset><mesh name='m'><plugin instance='i'/></mesh></asset><worldbody>"
        "<body><plugin instance='i'/><joint name='j' axis='0 1 0'/><geom size='.05' pos='.3 0 2'/></body>"
        "<geom type='box' size='1 1 .1'/><body pos='0 0 .199'><freejoint/><geom type='sdf' mesh='m'>"
        "<plugin instance='i'/></geom><site name='eye' pos='0 0 .3'/></body>"
        "<composite type='cable' prefix='c' curve='s' count='4 1 1' size='.4' offset='0 1 .5' initial='none'>"
        "<plugin plugin='mujoco.elasticity.cable'><config key='bend' value='1e6'/></plugin>"
        "<joint kind='main'/><geom type='capsule' size='.01'/></composite></worldbody>"
        "<actuator><plugin plugin='mujoco.pid' joint='j' actdim='1'><config key='kp' value='3'/>"
        "<config key='ki' value='2'/></plugin></actuator>"
        "<sensor><plugin instance='i'/><plugin plugin='mujoco.sensor.touch_grid' objtype='site' "
        "objname='eye'>"
        "<config key='size' value='3 3'/><config key='fov' value='40 40'/></plugin></sensor></mujoco>";
    char xml[sizeof text + 40];
    snprintf(xml, sizeof xml, text, plugin);
    return load(xml);
}

// ---- many trajectories

enum { COUNT = 12, STEPS = 20 };

typedef struct Starts {
    int nstate;
    double *state0, *end;
} Starts;

static Starts startsOf(const snModel* m)
{
    snData* d = sn_makeData(m);
    Starts s = {.nstate = sn_stateSize(m, SN_STATE_FULLPHYSICS)};
    s.state0 = malloc(COUNT * (size_t)s.nstate * sizeof(double));
    s.end = calloc(COUNT * STEPS * (size_t)s.nstate, sizeof(double));
    for (int i = 0; i < COUNT; i++) {
        d->qpos[0] = 0.1 * i;
        if (m->npluginstate) d->plugin_state[0] = i - 3;
        sn_getState(m, d, s.state0 + (size_t)i * (size_t)s.nstate, SN_STATE_FULLPHYSICS);
    }
    sn_deleteData(d);
    return s;
}

static void freeStarts(Starts* s)
{
    free(s->state0);
    free(s->end);
}

static snStatus roll(const snModel* m, const Starts* s, int nthread, double* end, snError* error)
{
    const snModel* models[COUNT];
    snData* data[4];
    for (int i = 0; i < COUNT; i++) models[i] = m;
    for (int i = 0; i < nthread; i++) data[i] = sn_makeData(m);
    snThreadPool* pool = sn_makeThreadPool(nthread);
    const snTrajectories batch = {
        .count = COUNT, .nstep = STEPS, .state0 = s->state0, .state = end, .chunk = 1};
    const snStatus status = sn_rollout(models, data, pool, &batch, error);
    sn_deleteThreadPool(pool);
    for (int i = 0; i < nthread; i++) sn_deleteData(data[i]);
    return status;
}

static void rollouts_are_the_same_at_any_count(void** state)
{
    (void)state;
    snModel* m = make("t.free");
    Starts one = startsOf(m), four = startsOf(m);
    snError error = {0};
    assert_int_equal(roll(m, &one, 1, one.end, &error), SN_STATUS_OK);
    assert_int_equal(roll(m, &four, 4, four.end, &error), SN_STATUS_OK);
    assert_memory_equal(one.end, four.end, COUNT * STEPS * (size_t)one.nstate * sizeof(double));
    freeStarts(&one);
    freeStarts(&four);
    sn_deleteModel(m);
}

static void batches_are_the_same_as_steps(void** state)
{
    (void)state;
    snModel* m = make("t.free");
    snThreadPool* pool = sn_makeThreadPool(3);
    snError error = {0};
    snBatch* b = sn_makeBatch(m, COUNT, &(snBatchOption){.pool = pool}, &error);
    if (!b) fail_msg("%s", error.message);
    assert_int_equal(sn_batchWidth(b), 1);
    int columns;
    double* states = sn_batchArray(b, "plugin_state", &columns);
    assert_true(states && columns == m->npluginstate);
    for (int i = 0; i < COUNT; i++) states[(size_t)i * (size_t)columns] = i - 3;
    for (int k = 0; k < STEPS; k++) sn_batchStep(b, NULL, &error);
    snData* d = sn_makeData(m);
    for (int i = 0; i < COUNT; i++) {
        sn_resetData(m, d);
        d->plugin_state[0] = i - 3;
        for (int k = 0; k < STEPS; k++) sn_step(m, d);
        assert_memory_equal(states + (size_t)i * (size_t)columns, d->plugin_state,
                            (size_t)columns * sizeof(double));
    }
    sn_deleteData(d);
    sn_deleteBatch(b);
    sn_deleteThreadPool(pool);
    sn_deleteModel(m);
}

// ---- differences

static snStatus differ(const snModel* m, int nthread, double* A, snError* error)
{
    snData *d = sn_makeData(m), *more[3] = {NULL};
    sn_step(m, d);
    const double kept = d->plugin_state[0];
    for (int i = 0; i < nthread - 1; i++) more[i] = sn_makeData(m);
    snThreadPool* pool = sn_makeThreadPool(nthread);
    const snDifferenceThreads threads = {.pool = pool, .data = more, .ndata = nthread - 1};
    const snStatus status =
        sn_transitionFD(m, d, 1e-6, 1, A, NULL, NULL, NULL, nthread > 1 ? &threads : NULL, error);
    assert_true(d->plugin_state[0] == kept);
    sn_deleteThreadPool(pool);
    for (int i = 0; i < nthread - 1; i++) sn_deleteData(more[i]);
    sn_deleteData(d);
    return status;
}

static void differences_are_the_same_at_any_count(void** state)
{
    (void)state;
    snModel* m = make("t.free");
    const size_t nx = 2 * (size_t)m->nv + (size_t)m->na;
    double *one = calloc(nx * nx, sizeof *one), *four = calloc(nx * nx, sizeof *four);
    snError error = {0};
    assert_int_equal(differ(m, 1, one, &error), SN_STATUS_OK);
    assert_int_equal(differ(m, 4, four, &error), SN_STATUS_OK);
    assert_memory_equal(one, four, nx * nx * sizeof(double));
    free(one);
    free(four);
    sn_deleteModel(m);
}

// ---- one thread alone

static void serial_plugins_are_called_where_steps_are_made(void** state)
{
    (void)state;
    snModel* m = make("t.serial");
    snData* d = sn_makeData(m);
    m->opt.contact = SN_CONTACT_LCP; // which is what a pool of a data is for
    d->pool = sn_makeThreadPool(4);
    atomic_store(&calls, 0);
    atomic_store(&alien, 0);
    for (int i = 0; i < STEPS; i++) sn_step(m, d);
    assert_true(atomic_load(&calls) > 3 * STEPS && d->ncon > 0);
    sn_deleteThreadPool(d->pool);
    d->pool = NULL;
    m->opt.contact = SN_CONTACT_SOFT;
    Starts one = startsOf(m);
    snError error = {0};
    assert_int_equal(roll(m, &one, 1, one.end, &error), SN_STATUS_OK);
    double* A = calloc((size_t)(4 * m->nv * m->nv) + 100 * (size_t)m->nv, sizeof *A);
    assert_int_equal(differ(m, 1, A, &error), SN_STATUS_OK);
    assert_int_equal(atomic_load(&alien), 0);
    free(A);
    freeStarts(&one);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void serial_plugins_are_refused_by_name(void** state)
{
    (void)state;
    snModel* m = make("t.serial");
    Starts one = startsOf(m);
    snError error = {0};
    atomic_store(&calls, 0);
    atomic_store(&alien, 0);
    assert_int_equal(roll(m, &one, 2, one.end, &error), SN_STATUS_ARGUMENT);
    assert_string_equal(error.message,
                        "a rollout on 2 threads: the plugin 't.serial' must be called from one thread");
    double* A = calloc((size_t)(4 * m->nv * m->nv) + 100 * (size_t)m->nv, sizeof *A);
    assert_int_equal(differ(m, 3, A, &error), SN_STATUS_ARGUMENT);
    assert_string_equal(error.message,
                        "transitionFD on 3 threads: the plugin 't.serial' must be called from one thread");
    assert_null(sn_makeBatch(m, 2, NULL, &error));
    assert_non_null(strstr(error.message, "no batch: the plugin 't.serial' must be called from one thread"));
    assert_int_equal(atomic_load(&alien), 0);
    free(A);
    freeStarts(&one);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rollouts_are_the_same_at_any_count),
        cmocka_unit_test(batches_are_the_same_as_steps),
        cmocka_unit_test(differences_are_the_same_at_any_count),
        cmocka_unit_test(serial_plugins_are_called_where_steps_are_made),
        cmocka_unit_test(serial_plugins_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
