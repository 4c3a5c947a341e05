// Plugins of C: when each function is called, what it changes, sizes, states in vectors, copies and files,
// and every way in which one can fail.
#include <sinew/sinew.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/memory.h"
#include "model_text.h"

// What was called: a letter and the instance for each call.
static char calls[1024];

static void note(char what, int instance)
{
    const size_t n = strlen(calls);
    snprintf(calls + n, sizeof calls - n, "%c%d ", what, instance);
}

static bool parse(const char* const* values, double* numbers, void* user, snError* error)
{
    (void)user;
    numbers[0] = values[0] ? strtod(values[0], NULL) : 7;
    if (numbers[0] >= 0) return true;
    snprintf(error->message, sizeof error->message, "alpha is %s, must not be negative", values[0]);
    return false;
}

static int stateSize(const snModel* m, int i, void* user, snError* error)
{
    (void)user;
    snprintf(error->message, sizeof error->message, "no state for %s", sn_pluginConfig(m, i, "beta"));
    return *sn_pluginConfig(m, i, "beta") ? atoi(sn_pluginConfig(m, i, "beta")) : 2;
}

static int sensorSize(const snModel* m, int i, int sensor, void* user, snError* error)
{
    (void)user, (void)error;
    assert_int_equal(m->sensor_plugin[sensor], i);
    return 3;
}

static int alive; // inits less destroys

static bool init(const snModel* m, snData* d, int i, void* user, snError* error)
{
    (void)user;
    assert_int_equal(m->plugin_statenum[i], m->nplugin ? stateSize(m, i, NULL, error) : 0);
    d->plugin_data[i] = sn_malloc(16);
    alive += d->plugin_data[i] != NULL;
    return d->plugin_data[i] != NULL;
}

static void destroy(snData* d, int i, void* user)
{
    (void)user;
    sn_free(d->plugin_data[i]);
    alive--;
}

static void reset(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    for (int k = 0; k < m->plugin_statenum[i]; k++) {
        assert_true(sn_pluginState(m, d, i)[k] == 0);
        sn_pluginState(m, d, i)[k] = 0.5 + k;
    }
}

static void copy(snData* to, const snModel* m, const snData* from, int i, void* user)
{
    (void)m, (void)user;
    note('c', i);
    assert_true(to->plugin_data[i] != from->plugin_data[i]);
}

static bool passive(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    note('p', i);
    d->qfrc_passive[0] += sn_pluginNumbers(m, i)[0];
    return true;
}

static bool rates(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    note('r', i);
    for (int a = 0; a < m->nactuator; a++)
        if (m->actuator_plugin[a] == i && m->actuator_actnum[a]) d->act_dot[m->actuator_actadr[a]] = 7;
    return true;
}

static bool force(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    note('a', i);
    for (int a = 0; a < m->nactuator; a++)
        if (m->actuator_plugin[a] == i) d->actuator_force[a] = 100 + 10 * d->ctrl[a];
    return true;
}

static bool measure(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    note('s', i);
    for (int s = 0; s < m->nsensor; s++)
        for (int k = 0; m->sensor_plugin[s] == i && k < m->sensor_dim[s]; k++)
            d->sensordata[m->sensor_adr[s] + k] = 5;
    return true;
}

static bool advance(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    note('t', i);
    sn_pluginState(m, d, i)[0] += d->time;
    return true;
}

static bool fails(const snModel* m, snData* d, int i, void* user)
{
    (void)m, (void)d, (void)i, (void)user;
    return false;
}

static bool refuses(const snModel* m, snData* d, int i, void* user, snError* error)
{
    (void)m, (void)d, (void)i, (void)user;
    snprintf(error->message, sizeof error->message, "no room at the inn");
    return false;
}

static bool pushesNan(const snModel* m, snData* d, int i, void* user)
{
    (void)m, (void)i, (void)user;
    d->qfrc_passive[0] = NAN;
    return true;
}

static bool actsInfinitely(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    for (int a = 0; a < m->nactuator; a++)
        if (m->actuator_plugin[a] == i) d->actuator_force[a] = INFINITY;
    return true;
}

static bool measuresNan(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_plugin[s] == i) {
            d->sensordata[m->sensor_adr[s]] = NAN;
            d->sensordata[m->sensor_adr[s] + 1] = INFINITY; // such as nothing in sight
        }
    return true;
}

static bool advancesToNan(const snModel* m, snData* d, int i, void* user)
{
    (void)user;
    sn_pluginState(m, d, i)[1] = NAN;
    return true;
}

// A ball that is there at compile time only.
static bool gone;

static double vanishes(const double* numbers, const double point[3], double gradient[3], void* user)
{
    (void)numbers, (void)user;
    const double length = sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
    for (int k = 0; k < 3 && gradient; k++) gradient[k] = point[k] / length;
    return gone ? (double)NAN : length - 0.2;
}

static void ballBox(const double* numbers, double result[6], void* user)
{
    (void)numbers, (void)user;
    for (int k = 0; k < 3; k++) result[k] = 0, result[3 + k] = 0.2;
}

// Red where the configuration says, and a ball of its own.
static void paint(const snModel* m, const snData* d, int i, float* rgba, struct snvScene* scene, void* user)
{
    (void)d, (void)user;
    assert_int_equal(scene->ngeom, 0);
    for (int g = 0; g < m->ngeom; g++)
        if (m->body_plugin[m->geom_bodyid[g]] == i) rgba[4 * g] = (float)sn_pluginNumbers(m, i)[0];
    const double size[3] = {.1, .1, .1}, pos[3] = {0, 0, 3};
    snv_initGeom(scene->geoms + scene->ngeom++, SN_GEOM_SPHERE, size, pos, NULL, NULL);
}

static const char* const keys[] = {"alpha", "beta"};
#define PLUGIN(text)                                                                                         \
    .size = sizeof(snPlugin), .name = text, .attributes = keys, .nattribute = 2, .nnumber = 1,               \
    .parse = parse, .state_size = stateSize, .init = init, .destroy = destroy, .reset = reset, .copy = copy, \
    .sensor_size = sensorSize

static int begin(void** state)
{
    static const snPlugin plugins[] = {
        {PLUGIN("t.all"), .passive = passive, .act_dot = rates, .actuator = force, .sensor = measure,
         .sensor_stage = SN_STAGE_VEL, .advance = advance},
        {PLUGIN("t.act"), .act_dot = rates, .actuator = force, .advance = advance},
        {PLUGIN("t.sen"), .sensor = measure, .sensor_stage = SN_STAGE_POS, .advance = advance},
        {PLUGIN("t.pas"), .passive = passive, .advance = advance},
        {PLUGIN("t.fails"), .passive = fails, .actuator = fails, .sensor = fails, .advance = fails,
         .sensor_stage = SN_STAGE_ACC},
        {PLUGIN("t.nan"), .passive = pushesNan, .actuator = actsInfinitely},
        {PLUGIN("t.nans"), .sensor = measuresNan, .sensor_stage = SN_STAGE_ACC, .advance = advancesToNan},
        {PLUGIN("t.paint"), .passive = passive, .visualize = paint},
        {PLUGIN("t.ball"), .sdf_distance = vanishes, .sdf_box = ballBox},
        {.size = sizeof(snPlugin), .name = "t.refuses", .init = refuses, .passive = passive, .nnumber = 1},
    };
    snError error;
    (void)state;
    for (size_t i = 0; i < sizeof plugins / sizeof *plugins; i++)
        if (sn_registerPlugin(plugins + i, &error) != SN_STATUS_OK) return 1;
    return 0;
}

static const char xml[] =
    "<mujoco>" AS_3_3_7
    "<option timestep='.1'/><extension><plugin plugin='t.all'><instance name='i1'><config "
    "key='alpha' value='3'/></instance></plugin><plugin plugin='t.act'/><plugin plugin='t.pas'/>"
    "<plugin plugin='t.sen'/></extension>"
    "<worldbody><body name='b'><plugin plugin='t.pas'/><joint name='j' axis='0 1 0'/>"
    "<geom size='.1' pos='.3 0 0'/><site name='s'/></body></worldbody>"
    "<actuator><plugin name='p0' joint='j' instance='i1' forcerange='-105 105' ctrlrange='-1 1' actdim='1'/>"
    "<plugin joint='j' name='p' plugin='t.act' actdim='2' dyntype='filter' dynprm='.1'/></actuator>"
    "<sensor><plugin name='t' plugin='t.sen' cutoff='3'/><jointpos joint='j'/><plugin instance='i1'/>"
    "</sensor></mujoco>";

// The order is MuJoCo's, as a plugin of its own that prints its calls shows it.
static void calls_come_at_their_stages(void** state)
{
    (void)state;
    snModel* m = load(xml);
    assert_int_equal(m->nplugin, 4);
    assert_int_equal(m->npluginstate, 8);
    assert_int_equal(m->body_plugin[1], 3);
    assert_int_equal(m->actuator_plugin[1], 1);
    assert_int_equal(m->sensor_plugin[0], 2);
    assert_int_equal(m->sensor_adr[2], 4);
    assert_int_equal(m->nsensordata, 7);
    assert_string_equal(sn_id2name(m, SN_OBJ_PLUGIN, 0), "i1");
    assert_int_equal(sn_name2id(m, SN_OBJ_PLUGIN, "i1"), 0);
    assert_string_equal(sn_pluginConfig(m, 0, "alpha"), "3");
    assert_string_equal(sn_pluginConfig(m, 0, "beta"), "");
    assert_null(sn_pluginConfig(m, 0, "gamma"));
    snData* d = sn_makeData(m);
    d->ctrl[0] = d->ctrl[1] = 1;
    *calls = 0;
    sn_step(m, d);
    assert_string_equal(calls, "s2 p0 p3 s0 r0 r1 a0 a1 t0 t1 t2 t3 ");
    assert_true(d->actuator_force[0] == 105 && d->actuator_force[1] == 110);
    assert_true(d->act[0] == 7 * .1 && d->act[1] == 7 * .1 && fabs(d->act[2] - 1) < 1e-15);
    assert_true(d->qfrc_passive[0] == 10);
    assert_true(d->sensordata[0] == 3 && d->sensordata[2] == 3 && d->sensordata[4] == 5);
    assert_true(d->plugin_state[0] == .6 && d->plugin_state[1] == 1.5);
    *calls = 0;
    sn_forward(m, d);
    assert_string_equal(calls, "s2 p0 p3 s0 r0 r1 a0 a1 ");
    *calls = 0;
    sn_inverse(m, d);
    assert_string_equal(calls, "s2 p0 p3 s0 ");
    *calls = 0;
    m->opt.disableflags = SN_DSBL_SPRING | SN_DSBL_DAMPER | SN_DSBL_ACTUATION;
    sn_step(m, d);
    assert_string_equal(calls, "s2 s0 t0 t1 t2 t3 ");
    m->opt.disableflags = 0;
    m->opt.disableactuator = 1;
    *calls = 0;
    sn_forward(m, d);
    assert_string_equal(calls, "s2 p0 p3 s0 r0 r1 a0 a1 ");
    assert_true(d->actuator_force[0] == 105); // as MuJoCo has it
    m->opt.integrator = SN_INT_RK4;
    *calls = 0;
    sn_step(m, d);
    assert_string_equal(calls,
                        "s2 p0 p3 s0 r0 r1 a0 a1 p0 p3 r0 r1 a0 a1 p0 p3 r0 r1 a0 a1 p0 p3 r0 r1 a0 a1 "
                        "t0 t1 t2 t3 ");
    sn_deleteData(d);
    sn_deleteModel(m);
    assert_int_equal(alive, 0);
}

static void states_are_state(void** state)
{
    (void)state;
    snModel* m = load(xml);
    snData *d = sn_makeData(m), *e = sn_makeData(m);
    for (int i = 0; i < 3; i++) sn_step(m, d);
    *calls = 0;
    sn_copyData(e, m, d);
    assert_string_equal(calls, "c0 c1 c2 c3 ");
    assert_memory_equal(e->plugin_state, d->plugin_state, 8 * sizeof(double));
    assert_int_equal(sn_stateSize(m, SN_STATE_PLUGIN), 8);
    double full[64];
    assert_true(sn_stateSize(m, SN_STATE_FULLPHYSICS) < 64);
    sn_resetData(m, e);
    assert_true(e->plugin_state[0] == .5 && e->plugin_state[7] == 1.5);
    sn_getState(m, d, full, SN_STATE_FULLPHYSICS);
    sn_setState(m, e, full, SN_STATE_FULLPHYSICS);
    for (int i = 0; i < 3; i++) sn_step(m, d), sn_step(m, e);
    assert_memory_equal(e->plugin_state, d->plugin_state, 8 * sizeof(double));
    assert_memory_equal(e->qpos, d->qpos, sizeof(double));
    sn_deleteData(d);
    sn_deleteData(e);
    sn_deleteModel(m);
}

static void files_name_their_plugins(void** state)
{
    (void)state;
    snError error;
    snModel* m = load(xml);
    const size_t size = sn_sizeModel(m);
    char* bytes = malloc(size);
    assert_int_equal(sn_saveModelBytes(m, bytes, size, &error), SN_STATUS_OK);
    for (int i = 0; i < m->nplugin; i++) m->plugin[i] = 0; // slots are of a process
    assert_int_equal(sn_validateModel(m, &error), SN_STATUS_MODEL);
    snModel* again = sn_loadModelBytes(bytes, size, NULL, &error);
    if (!again) fail_msg("%s", error.message);
    for (int i = 0; i < m->nplugin; i++) m->plugin[i] = again->plugin[i];
    assert_int_equal(sn_compareModel(m, again), -1);
    sn_deleteModel(again);
    sn_deleteModel(m);
    free(bytes);
}

#define ONE(plugin, inside)                                                                                  \
    "<mujoco><extension><plugin plugin='" plugin "'>" inside                                                 \
    "</plugin></extension><worldbody><body name='b'>"                                                        \
    "<plugin plugin='" plugin "'/><joint name='j'/><geom size='.1'/></body></worldbody></mujoco>"
#define WITH(extension, body, rest)                                                                          \
    "<mujoco><extension>" extension "</extension><worldbody><body name='b'>" body                            \
    "<joint name='j'/><geom size='.1'/></body></worldbody>" rest "</mujoco>"
#define PAS "<plugin plugin='t.pas'/>"

static void mistakes_have_their_words(void** state)
{
    (void)state;
    static const struct {
        const char *xml, *message;
    } cases[] = {
        {WITH("<plugin plugin='t.pax'/>", "", ""),
         "there is no such plugin, did you mean \"t.pas\"?; load the"},
        {WITH("<plugin plugin='t.pas'><config key='alpha' value='1'/></plugin>", "", ""), "unknown element"},
        {WITH("<plugin plugin='t.pas'><instance/></plugin>", "", ""), "'name' is missing"},
        {WITH("<plugin plugin='t.pas'><instance name='a'><config key='alphs' value='1'/></instance></plugin>",
              "", ""),
         "key=\"alphs\": plugin \"t.pas\" has no such attribute, did you mean \"alpha\"?"},
        {WITH("<plugin plugin='t.pas'><instance name='a'><config key='alpha' value='1'/><config key='alpha' "
              "value='1'/></instance></plugin>",
              "", ""),
         "is given at line 1 already"},
        {WITH("<plugin plugin='t.pas'><instance name='a'><config value='1'/></instance></plugin>", "", ""),
         "'key' is missing"},
        {WITH("<plugin plugin='t.pas'><instance name='a'/></plugin><plugin plugin='t.act'><instance "
              "name='a'/></plugin>",
              "", ""),
         "has this name already"},
        {WITH("", PAS, ""), "it must be declared"},
        {WITH(PAS, "<plugin/>", ""), "give 'plugin' or 'instance'"},
        {WITH(PAS, "<plugin instance='x'/>", ""), "instance=\"x\": there is no such plugin"},
        {WITH(PAS, PAS PAS, ""), "an element has one"},
        {WITH("<plugin plugin='t.sen'/>", "<plugin plugin='t.sen'/>", ""), "gives no passive forces"},
        {WITH(PAS, "", "<sensor>" PAS "</sensor>"), "is no sensor"},
        {WITH(PAS, "", "<actuator><plugin plugin='t.pas' joint='j'/></actuator>"), "is no actuator"},
        {WITH(PAS, "<geom size='.1'>" PAS "</geom>", ""), "is no shape"},
        {WITH("<plugin plugin='t.act'/>", "", "<actuator><plugin plugin='t.act'/></actuator>"),
         "drives nothing"},
        {WITH("<plugin plugin='t.act'/>", "",
              "<actuator><plugin plugin='t.act' joint='j' gainprm='3'/></actuator>"),
         "'gainprm'"},
        {WITH("<plugin plugin='t.act'/>", "",
              "<actuator><plugin plugin='t.act' joint='j' dyntype='filter' actdim='0'/></actuator>"),
         "actdim is 0"},
        {WITH(PAS, "<plugin plugin='t.pas'><config key='alpha' value='-2'/></plugin>", ""),
         "plugin \"t.pas\": alpha is -2, must not be negative"},
        {WITH(PAS, "<plugin plugin='t.pas'><config key='beta' value='-1'/></plugin>", ""), "no state for -1"},
        {WITH(PAS, "<plugin plugin='t.pas'><config key='beta' value='2000000000'/></plugin>", ""),
         "asks for 2000000000 numbers, must be 0 to 16777216"},
        {WITH("<plugin plugin='t.refuses'/>", "<plugin plugin='t.refuses'/>", ""),
         "plugin 't.refuses' (instance 0): no room at the inn at"},
        {WITH("<plugin plugin='t.sen'/>", "", "<sensor><plugin plugin='t.sen' objtype='body'/></sensor>"),
         "both or none of 'objtype' and 'objname'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snError error = {0};
        snModel* m = sn_loadModelText(cases[i].xml, strlen(cases[i].xml), NULL, 0, NULL, &error);
        if (m || !strstr(error.message, cases[i].message))
            fail_msg("%s: %s", cases[i].message, m ? "loads" : error.message);
    }
    assert_int_equal(alive, 0);
}

// What fails in a step is counted, nothing is lost.
static void failures_in_a_step_are_counted(void** state)
{
    (void)state;
    for (int nan = 0; nan < 2; nan++) {
        const char* texts[] = {WITH("<plugin plugin='t.fails'/>", "<plugin plugin='t.fails'/>",
                                    "<actuator><plugin plugin='t.fails' joint='j'/></actuator>"),
                               WITH("<plugin plugin='t.nan'/>", "<plugin plugin='t.nan'/>",
                                    "<actuator><plugin plugin='t.nan' joint='j'/></actuator>")};
        snModel* m = load(texts[nan]);
        snData* d = sn_makeData(m);
        d->qvel[0] = 1;
        sn_step(m, d);
        assert_int_equal(d->warning[SN_WARN_PLUGIN].number, nan ? 3 : 6);
        assert_int_equal(d->warning[SN_WARN_PLUGIN].lastinfo, !nan);
        assert_true(d->time > 0 && isfinite(d->qpos[0]) && d->actuator_force[0] == 0);
        char text[200];
        sn_warningText(d, SN_WARN_PLUGIN, text, sizeof text);
        assert_true(strstr(text, "a plugin failed") != NULL);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

static void numbers_of_sensors_and_states_are_cleaned(void** state)
{
    (void)state;
    snModel* m = load(WITH("<plugin plugin='t.nans'/>", "", "<sensor><plugin plugin='t.nans'/></sensor>"));
    snData* d = sn_makeData(m);
    sn_step(m, d);
    assert_int_equal(d->warning[SN_WARN_PLUGIN].number, 2);
    assert_true(d->sensordata[0] == 0 && isinf(d->sensordata[1]));
    assert_true(d->plugin_state[0] == .5 && d->plugin_state[1] == 0);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A step in which a shape gives no distances has no contacts with it and says so; distances asked for between
// steps are none of its.
static void shapes_that_give_no_distance_are_counted(void** state)
{
    (void)state;
    gone = false;
    snModel* m = load(
        "<mujoco><extension><plugin plugin='t.pas'/><plugin plugin='t.ball'><instance name='i'/></plugin>"
        "</extension><asset><mesh name='m'><plugin instance='i'/></mesh></asset><worldbody>"
        "<geom name='a' type='box' size='1 1 .1'/><body pos='0 0 .29'><plugin plugin='t.pas'/><freejoint/>"
        "<geom name='b' type='sdf' mesh='m'><plugin instance='i'/></geom></body></worldbody>"
        "<sensor><distance geom1='a' geom2='b' cutoff='5'/></sensor></mujoco>");
    snData* d = sn_makeData(m);
    sn_step(m, d);
    assert_true(d->ncon > 0 && !d->warning[SN_WARN_PLUGIN].number);
    gone = true;
    double fromto[6];
    assert_true(sn_geomDistance(m, d, 0, 1, 5, fromto) == 5);
    gone = false;
    sn_step(m, d);
    assert_int_equal(d->warning[SN_WARN_PLUGIN].number, 0);
    gone = true;
    sn_step(m, d);
    assert_int_equal(d->ncon, 0);
    assert_int_equal(d->warning[SN_WARN_PLUGIN].number, 2); // of contacts, and of the sensor
    assert_int_equal(d->warning[SN_WARN_PLUGIN].lastinfo, 0);
    gone = false;
    sn_step(m, d);
    assert_true(d->ncon > 0 && isfinite(d->qpos[2]));
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void scenes_show_what_plugins_paint(void** state)
{
    (void)state;
    snError error;
    snModel* m = load("<mujoco><extension><plugin plugin='t.paint'/></extension><worldbody><geom size='.1'/>"
                      "<body><plugin plugin='t.paint'><config key='alpha' value='.25'/></plugin><joint/>"
                      "<geom size='.1' rgba='.5 .6 .7 .8'/></body></worldbody></mujoco>");
    snData* d = sn_makeData(m);
    sn_forward(m, d);
    snvOption option;
    snvCamera camera;
    snv_defaultOption(&option);
    snv_defaultCamera(&camera);
    snvScene* scene = snv_makeScene(m, 10, &error);
    assert_int_equal(snv_updateScene(m, d, &option, NULL, &camera, SN_CAT_ALL, scene, &error), SN_STATUS_OK);
    assert_int_equal(scene->ngeom, 3);
    const float *wall = scene->geoms[1].rgba, *painted = scene->geoms[2].rgba;
    assert_true(scene->geoms[0].type == SN_GEOM_SPHERE && scene->geoms[0].pos[2] == 3);
    assert_true(wall[0] == .5F && painted[0] == .25F && painted[1] == .6F && painted[3] == .8F);
    assert_true(m->geom_rgba[4] == .5F); // the model keeps its own
    snv_freeScene(scene);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void registering_is_checked(void** state)
{
    (void)state;
    static const char* const twice[] = {"a", "a"};
    static const char* const empty[] = {""};
    const struct {
        snPlugin plugin;
        const char* message;
    } cases[] = {
        {{.size = 8, .name = "x"}, "another release"},
        {{.size = sizeof(snPlugin)}, "without a name"},
        {{.size = sizeof(snPlugin), .name = "t.pas"}, "plugin 't.pas': this name is taken"},
        {{.size = sizeof(snPlugin), .name = "x", .nattribute = 1}, "no list"},
        {{.size = sizeof(snPlugin), .name = "x", .nattribute = 2, .attributes = twice}, "'a' is there twice"},
        {{.size = sizeof(snPlugin), .name = "x", .nattribute = 1, .attributes = empty}, "has no name"},
        {{.size = sizeof(snPlugin), .name = "x", .nnumber = -1}, "nnumber is -1"},
        {{.size = sizeof(snPlugin), .name = "x", .sensor = fails}, "sensor_stage is 0"},
    };
    const int count = sn_pluginCount();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snError error;
        assert_int_equal(sn_registerPlugin(&cases[i].plugin, &error), SN_STATUS_ARGUMENT);
        if (!strstr(error.message, cases[i].message)) fail_msg("%s: %s", cases[i].message, error.message);
    }
    assert_int_equal(sn_pluginCount(), count);
    assert_null(sn_pluginAt(count));
    assert_null(sn_pluginAt(-1));
    assert_null(sn_findPlugin("x", NULL));
}

// Numbers of a compiled model that cannot be, as a harmed file may have them.
static void harmed_models_are_refused(void** state)
{
    (void)state;
    snError error;
    snModel* m = load(xml);
    int* const fields[] = {m->plugin,           m->plugin_nameadr,  m->plugin_attradr,  m->plugin_numberadr,
                           m->plugin_numbernum, m->plugin_stateadr, m->plugin_statenum, m->name_pluginadr,
                           m->body_plugin,      m->actuator_plugin, m->sensor_plugin,   m->geom_plugin};
    static const int values[] = {-7, 1 << 20};
    for (size_t k = 0; k < 2 * sizeof fields / sizeof *fields; k++) {
        const int kept = *fields[k / 2];
        *fields[k / 2] = values[k % 2];
        if (sn_validateModel(m, &error) == SN_STATUS_OK)
            fail_msg("field %zu may be %d", k / 2, values[k % 2]);
        *fields[k / 2] = kept;
    }
    m->plugin_name[m->npluginname - 1] = m->plugin_name[m->npluginname - 2] = 'x';
    assert_int_equal(sn_validateModel(m, &error), SN_STATUS_MODEL);
    sn_deleteModel(m);
}

#ifdef SN_TEST_HOOKS
static void no_memory_is_no_crash(void** state)
{
    (void)state;
    snModel* m = load(xml);
    for (int allowed = 0;; allowed++) {
        int left = allowed;
        snError error = {0};
        sn_setAllocHook(countdown, &left);
        snData* d = sn_tryMakeData(m, &error);
        sn_setAllocHook(NULL, NULL);
        const bool done = d;
        assert_true(done || *error.message);
        sn_deleteData(d);
        assert_int_equal(alive, 0);
        if (done) break;
    }
    sn_deleteModel(m);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_come_at_their_stages),
        cmocka_unit_test(states_are_state),
        cmocka_unit_test(files_name_their_plugins),
        cmocka_unit_test(mistakes_have_their_words),
        cmocka_unit_test(failures_in_a_step_are_counted),
        cmocka_unit_test(registering_is_checked),
        cmocka_unit_test(numbers_of_sensors_and_states_are_cleaned),
        cmocka_unit_test(shapes_that_give_no_distance_are_counted),
        cmocka_unit_test(scenes_show_what_plugins_paint),
        cmocka_unit_test(harmed_models_are_refused),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(no_memory_is_no_crash),
#endif
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
