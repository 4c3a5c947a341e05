// Batches of random models with random parameters, states and inputs, some of which mean nothing: each
// simulation has its own bits however it is grouped, and sane ones step as the scalar engine steps them.
// SINEW_FUZZ: how many models (default few), SINEW_FUZZ_FIRST: the first one's seed.
#include "batch/scenes.h"
#include "control/random_robot.h"

enum { N = 11, STEPS = 4 };

static Robot robot;

// ---- models

static void putGeom(Robot* t, Random* r)
{
    static const char* const TYPE[] = {"sphere",   "capsule", "ellipsoid",
                                       "cylinder", "box",     "mesh' mesh='rock"};
    static const int CONDIM[] = {1, 3, 4, 6};
    const double size = chance(r, .05) ? 1e-7 : chance(r, .05) ? 30 : .12;
    put(t, "<geom type='%s' pos='%g %g %g' euler='%g %g 0' condim='%d'", TYPE[randomInt(r, 6)],
        .2 * randomReal(r), .2 * randomReal(r), .2 * randomReal(r), randomReal(r), randomReal(r),
        CONDIM[randomInt(r, 4)]);
    put(t, " size='%g %g %g'", size * (1.1 + randomReal(r)), size * (1.1 + randomReal(r)),
        size * (1.1 + randomReal(r)));
    if (chance(r, .2)) put(t, " margin='%g' gap='%g'", .05 * (1 + randomReal(r)), .02 * (1 + randomReal(r)));
    if (chance(r, .2)) put(t, " friction='%g %g %g'", 1 + randomReal(r), .1 * (1 + randomReal(r)), .01);
    if (chance(r, .1)) put(t, " solref='%g %g'", -300 * (1 + randomReal(r)), -20 * (1 + randomReal(r)));
    if (chance(r, .1)) put(t, " solimp='.8 .99 %g .5 %g'", .01 * (1 + randomReal(r)), 2 + randomReal(r));
    if (chance(r, .1)) put(t, " priority='1' solmix='%g'", 1 + randomReal(r));
    if (chance(r, .2)) put(t, " fluidshape='ellipsoid'");
    put(t, "/>");
}

static void putThing(Robot* t, Random* r, bool top)
{
    const int kind = randomInt(r, 10);
    put(t, "<body name='b%d' pos='%g %g %g' euler='%g %g %g'>", t->bodies++, .4 * randomReal(r),
        .4 * randomReal(r), top ? .3 + .3 * randomReal(r) : .3 * randomReal(r), randomReal(r), randomReal(r),
        randomReal(r));
    if (top && kind < 5)
        put(t, "<freejoint/>");
    else if (kind < 2)
        put(t, "<joint type='ball' damping='.1'%s/>", chance(r, .5) ? " range='0 .6'" : "");
    else if (kind < 8 || top)
        for (int k = 0; k < (kind < 6 ? 1 : kind == 6 ? 2 : 3); k++) putScalar(t, r);
    for (int k = chance(r, .3) ? 2 : 1; k > 0; k--) putGeom(t, r);
    put(t, "<inertial pos='%g 0 0' mass='%g' diaginertia='.01 .012 .015'/>", .1 * randomReal(r),
        chance(r, .05) ? 1e-9 : 1.05 + randomReal(r));
    put(t,
        "<geom name='g%d' size='.01' contype='0' conaffinity='0'/><site name='s%d' pos='0 %g .1' "
        "size='%g'/>",
        t->bodies, t->bodies, .1 * randomReal(r), .1 * (1.1 + randomReal(r)));
}

static void putThings(Robot* t, Random* r, int most)
{
    int open = 0;
    while (t->bodies < most) {
        putThing(t, r, open++ == 0);
        for (; open && chance(r, .35); open--) put(t, "</body>");
    }
    while (open--) put(t, "</body>");
}

static void putSensors(Robot* t, Random* r)
{
    static const char* const OF_SITE[] = {"touch", "accelerometer", "velocimeter",  "gyro",
                                          "force", "torque",        "magnetometer", "rangefinder"};
    static const char* const OF_BODY[] = {"framepos",    "framequat",   "framelinvel", "frameangvel",
                                          "framelinacc", "frameangacc", "framexaxis"};
    put(t, "<sensor><clock/>");
    while (chance(r, .85)) {
        const int kind = randomInt(r, 5), body = randomInt(r, t->bodies);
        if (kind == 0) put(t, "<%s site='s%d'/>", OF_SITE[randomInt(r, 8)], body + 1);
        if (kind == 1)
            put(t, "<%s objtype='%s' objname='b%d'/>", OF_BODY[randomInt(r, 7)],
                chance(r, .5) ? "body" : "xbody", body);
        if (kind == 2 && t->hinges)
            put(t, "<%s joint='h%d'/>", chance(r, .5) ? "jointpos" : "jointvel", randomInt(r, t->hinges));
        if (kind == 3) put(t, "<%s body='b%d'/>", chance(r, .5) ? "subtreecom" : "subtreeangmom", body);
        if (kind == 4 && body + 1 < t->bodies)
            put(t, "<%s geom1='g%d' geom2='g%d' cutoff='1'/>", chance(r, .5) ? "distance" : "fromto",
                body + 1, body + 2);
    }
    put(t, "</sensor>");
}

static void putOptions(Robot* t, Random* r)
{
    static const char* const INTEGRATOR[] = {"Euler", "implicitfast", "RK4", "Euler", "implicit"};
    static const char* const FLAG[] = {
        "energy='enable'",        "eulerdamp='disable'", "warmstart='disable'",
        "filterparent='disable'", "refsafe='disable'",   "override='enable'",
        "frictionloss='disable'", "contact='disable'",   "autoreset='disable'"};
    put(t, "<option integrator='%s' timestep='%g' cone='%s' solver='%s'",
        INTEGRATOR[randomInt(r, chance(r, .2) ? 5 : 4)],
        chance(r, .1)   ? 1.
        : chance(r, .1) ? 1e-12
                        : .002,
        chance(r, .5) ? "elliptic" : "pyramidal",
        chance(r, .75)  ? "Newton"
        : chance(r, .7) ? "PGS"
                        : "CG");
    if (chance(r, .1)) put(t, " density='1.2' viscosity='.1' wind='1 0 %g'", randomReal(r));
    if (chance(r, .1)) put(t, " impratio='%g'", 5 * (1.1 + randomReal(r)));
    if (chance(r, .1)) put(t, " iterations='%d'", randomInt(r, 4));
    if (chance(r, .05)) put(t, " noslip_iterations='2'");
    put(t, "><flag");
    if (chance(r, .4)) put(t, " %s", FLAG[randomInt(r, 9)]);
    put(t, "/></option>");
}

static snModel* randomModel(Robot* t, Random* r, snError* error)
{
    *t = (Robot){0};
    put(t, "<mujoco><compiler autolimits='true' angle='radian'/><size memory='1M'/>");
    putOptions(t, r);
    put(t, "<asset><mesh name='rock' vertex='-.1 -.1 -.1 .1 -.1 -.1 0 .1 -.1 0 0 .1 .1 .1 .1'/>"
           "<hfield name='hill' nrow='3' ncol='3' size='2 2 .2 .1' elevation='0 1 0 1 2 0 0 0 1'/></asset>"
           "<worldbody>");
    put(t, chance(r, .8) ? "<geom type='plane' size='0 0 1'/>" : "<geom type='hfield' hfield='hill'/>");
    if (chance(r, .2)) put(t, "<body name='m' mocap='true' pos='0 0 .4'><geom size='.1'/></body>");
    putThings(t, r, 1 + randomInt(r, 7));
    put(t, "</worldbody>");
    putTendons(t, r);
    putEqualities(t, r);
    putActuators(t, r);
    putSensors(t, r);
    put(t, "<keyframe><key time='2'/></keyframe></mujoco>");
    return sn_loadModelText(t->text, t->length, NULL, 0, NULL, error);
}

// ---- simulations: what each is made of depends on its seed alone

static const char* const PARAMETERS[] = {
    "body_mass",        "body_inertia",  "body_pos",         "body_quat",        "geom_size",
    "geom_friction",    "geom_pos",      "geom_quat",        "geom_margin",      "dof_damping",
    "dof_armature",     "jnt_range",     "dof_frictionloss", "actuator_gear",    "actuator_gainprm",
    "tendon_length0",   "opt.gravity",   "opt.timestep",     "geom_solref",      "geom_solimp",
    "actuator_biasprm", "opt.viscosity", "dof_invweight0",   "opt.impratio",     "eq_data",
    "jnt_axis",         "qpos0",         "tendon_range",     "stat.meaninertia", "geom_rbound"};
enum { NPARAMETER = sizeof PARAMETERS / sizeof *PARAMETERS, GIVEN = 6 };

static double wild(Random* r)
{
    static const double WILD[] = {NAN, INFINITY, -INFINITY, 1e30, -1e30, 1e-30, 0, -1, 1e160, 1e9, -1e-9};
    return WILD[randomInt(r, sizeof WILD / sizeof *WILD)];
}

static void disturbArray(snBatch* b, const char* name, int i, Random* r, double scale, double p)
{
    int columns = 0;
    double* rows = sn_batchArray(b, name, &columns);
    double* row = rows + (size_t)i * (size_t)columns;
    for (int k = 0; k < columns; k++) {
        row[k] += scale * randomReal(r);
        if (chance(r, p)) row[k] = wild(r);
    }
}

static void scaleParameter(snBatch* b, const char* name, int i, Random* r, double p)
{
    int columns = 0;
    double* rows = sn_batchArray(b, name, &columns);
    double* row = rows + (size_t)i * (size_t)columns;
    for (int k = 0; k < columns; k++) {
        row[k] *= 1 + .1 * randomReal(r);
        if (chance(r, p)) row[k] = wild(r);
    }
}

// Every third simulation is wild: in its state, in its parameters or in both.
static bool isWild(int seed)
{
    return seed % 3 == 1;
}

static void start(snBatch* b, int i, int seed, int model, const int* given)
{
    static const struct {
        const char* name;
        double scale;
    } STATE[] = {{"qpos", .03},      {"qvel", .5},         {"act", .3},
                 {"ctrl", 1},        {"qfrc_applied", .3}, {"mocap_pos", .05},
                 {"mocap_quat", .3}, {"xfrc_applied", .2}, {"qacc_warmstart", 1}};
    Random r = {(unsigned long long)(seed + 1) * 6364136223846793005ull + (unsigned long long)model};
    for (int k = 0; k < 8; k++) randomReal(&r);
    const double p = isWild(seed) ? .03 : 0;
    for (size_t k = 0; k < sizeof STATE / sizeof *STATE; k++)
        disturbArray(b, STATE[k].name, i, &r, STATE[k].scale, chance(&r, .5) ? p : 0);
    for (int k = 0; k < GIVEN; k++) scaleParameter(b, PARAMETERS[given[k]], i, &r, 3 * p);
}

// ---- runs of them

typedef struct Case {
    const snModel* m;
    int number, width;
    const int* given; // [GIVEN] parameters
    bool constants;   // by sn_batchSetConst
} Case;

typedef struct Traces {
    double rows[N][4096];
    int columns;
} Traces;

static snBatch* startAll(const Case* c, const int* seeds, int n, snThreadPool* pool)
{
    snBatch* b = makeBatch(c->m, n, c->width, pool);
    sn_batchBind(b, "xpos", NULL);
    sn_batchBind(b, "cfrc_ext", NULL);
    sn_batchBind(b, "qfrc_constraint", NULL);
    for (int k = 0; k < GIVEN; k++)
        assert_int_equal(sn_batchParameter(b, PARAMETERS[c->given[k]], NULL), SN_STATUS_OK);
    for (int i = 0; i < n; i++) start(b, i, seeds[i], c->number, c->given);
    if (c->constants) assert_int_equal(sn_batchSetConst(b, NULL, 0, NULL), SN_STATUS_OK);
    return b;
}

// All that stands in doubles of simulation i.
static void trace(snBatch* b, int i, double* row, int* columns)
{
    static const char* const NAMES[] = {"time", "qpos",       "qvel", "act",      "qacc_warmstart",
                                        "ctrl", "sensordata", "xpos", "cfrc_ext", "qfrc_constraint"};
    int at = 0;
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        int count = 0;
        double* rows = sn_batchArray(b, NAMES[k], &count);
        assert_true(at + count <= 4096);
        memcpy(row + at, rows + (size_t)i * (size_t)count, (size_t)count * sizeof *row);
        at += count;
    }
    *columns = at;
}

static void holdAlike(const Case* c, int seed, const char* how, const double* found, const double* wanted,
                      int n)
{
    for (int k = 0; k < n; k++)
        if (memcmp(found + k, wanted + k, sizeof *found) != 0 && !(isnan(found[k]) && isnan(wanted[k])))
            fail_msg("model %d, width %d, simulation %d %s: number %d is %.17g, was %.17g alone\n%s",
                     c->number, c->width, seed, how, k, found[k], wanted[k], robot.text);
}

static void eachAlone(const Case* c, Traces* t)
{
    for (int seed = 0; seed < N; seed++) {
        snBatch* b = startAll(c, &seed, 1, NULL);
        assert_int_equal(sn_batchStep(b, &(snBatchRun){.nstep = STEPS}, NULL), SN_STATUS_OK);
        trace(b, 0, t->rows[seed], &t->columns);
        sn_deleteBatch(b);
    }
}

// All at once in some order, by steps of subsets; the last of the order is reset and begins again.
static void allTogether(const Case* c, Random* r, snThreadPool* pool, const Traces* t)
{
    int seeds[N], ids[N];
    static double row[4096], state[N * STEPS * 1024];
    for (int i = 0; i < N; i++) seeds[i] = i;
    for (int i = N - 1; i > 0; i--) {
        const int k = randomInt(r, i + 1), kept = seeds[i];
        seeds[i] = seeds[k];
        seeds[k] = kept;
    }
    snBatch* b = startAll(c, seeds, N, pool);
    const int some = 1 + randomInt(r, N - 1), every = 1 + randomInt(r, 3);
    for (int i = 0; i < N; i++) ids[i] = (i + 5) % N;
    assert_true(sn_stateSize(c->m, SN_STATE_FULLPHYSICS) <= 1024);
    sn_batchForward(b, ids, some, NULL);
    for (int left = STEPS; left > 0; left -= 2) // parts of them, two steps a call
        for (int part = 0; part < 2; part++) {
            const snBatchRun run = {.ids = part ? ids + some : ids,
                                    .nid = part ? N - some : some,
                                    .nstep = 2,
                                    .every = every,
                                    .state = chance(r, .5) ? state : NULL};
            assert_int_equal(sn_batchStep(b, &run, NULL), SN_STATUS_OK);
        }
    for (int i = 0; i < N; i++) {
        int columns;
        trace(b, i, row, &columns);
        holdAlike(c, seeds[i], "among others", row, t->rows[seeds[i]], columns);
    }
    assert_int_equal(sn_batchReset(b, NULL, chance(r, .5) ? (int[N]){0} : NULL, N, NULL), SN_STATUS_OK);
    sn_batchStep(b, NULL, NULL);
    sn_deleteBatch(b);
}

#define BOUND 1e-7 // of the largest number; solvers end where they do

static int compared, stepped;
static double worst;

// One step from where the scalar engine is after a few.
static void againstScalar(const Case* c)
{
    static const char* const NAMES[] = {"qpos", "qvel", "act", "sensordata", "qfrc_constraint", "time"};
    const Case scalar = {c->m, c->number, 1, c->given, c->constants};
    int seeds[N];
    for (int i = 0; i < N; i++) seeds[i] = i;
    snBatch *lanes = startAll(c, seeds, N, NULL), *one = startAll(&scalar, seeds, N, NULL);
    sn_batchStep(lanes, NULL, NULL);
    sn_batchStep(one, NULL, NULL);
    for (int i = 0; i < N; i++) {
        stepped++;
        bool sane = !isWild(i);
        for (int k = 0; k < c->m->nv; k++)
            sane = sane && fabs(rowOf(one, "qvel", i)[k]) < 1e3 &&
                   fabs(rowOf(one, "qacc_warmstart", i)[k]) < 1e6;
        assert_memory_equal(sn_batchWarnings(lanes, i), sn_batchWarnings(one, i),
                            sane ? SN_NWARNING * sizeof(snWarningStat) : 0);
        if (!sane) continue;
        compared++;
        for (size_t f = 0; f < sizeof NAMES / sizeof *NAMES; f++) {
            int columns = 0;
            sn_batchArray(one, NAMES[f], &columns);
            const double *found = rowOf(lanes, NAMES[f], i), *wanted = rowOf(one, NAMES[f], i);
            double scale = 1;
            for (int k = 0; k < columns; k++) scale = fmax(scale, fabs(wanted[k]));
            for (int k = 0; k < columns; k++) {
                const double error = fabs(found[k] - wanted[k]) / scale;
                if (!(error <= BOUND))
                    fail_msg("model %d, width %d, simulation %d: %s[%d] is %.17g, should be %.17g\n%s",
                             c->number, c->width, i, NAMES[f], k, found[k], wanted[k], robot.text);
                worst = fmax(worst, error);
            }
        }
    }
    sn_deleteBatch(lanes);
    sn_deleteBatch(one);
}

static bool run(int number, snThreadPool* pool)
{
    static Traces traces;
    snError error = {0};
    Random r = {(unsigned long long)number * 2654435761u + 1442695040888963407u};
    snModel* m = randomModel(&robot, &r, &error);
    if (!m && getenv("SINEW_FUZZ_SHOW")) print_message("%d: %s\n", number, error.message);
    if (!m) return false;
    // results are comparable where solvers go on to the end and nothing is as small as rounding
    const bool exact = number % 2 == 0 && !strstr(robot.text, "e-0") && !strstr(robot.text, "e-12");
    if (exact) {
        m->opt.tolerance = 1e-15;
        m->opt.iterations = 300;
    }
    if (m->nv) {
        int given[GIVEN];
        for (int k = 0; k < GIVEN; k++) given[k] = randomInt(&r, NPARAMETER);
        const bool constants = chance(&r, .3);
        for (const int* width = widths(m); *width; width++) {
            const Case c = {m, number, *width, given, constants};
            eachAlone(&c, &traces);
            allTogether(&c, &r, pool, &traces);
            if (*width > 1 && exact) againstScalar(&c);
        }
    }
    sn_deleteModel(m);
    return true;
}

static void test_anything(void** state)
{
    (void)state;
    const char *count = getenv("SINEW_FUZZ"), *first = getenv("SINEW_FUZZ_FIRST");
    const int runs = count ? atoi(count) : 12, from = first ? atoi(first) : 1;
    snThreadPool* pool = sn_makeThreadPool(2);
    int loaded = 0;
    for (int i = from; i < from + runs; i++) {
        if (getenv("SINEW_FUZZ_SHOW")) print_message("model %d\n", i);
        loaded += run(i, pool);
    }
    sn_deleteThreadPool(pool);
    print_message("%d of %d models, %d of %d simulations compared, worst %g\n", loaded, runs, compared,
                  stepped, worst);
    assert_true(2 * loaded > runs || runs < 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_anything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
