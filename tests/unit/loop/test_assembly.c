// Assembly: linkages closed from where they are not, against closed forms; what cannot be closed; starts.
#include "model_text.h"
#include <math.h>
#include <stdio.h>
#include "base/memory.h"

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.15g, not %.15g", a, b);
}

// Ground 0.5, crank 0.3, coupler 0.55, rocker: its length is to be given, then joint attributes of the
// rocker, then its start.
static const char* const FOUR_BAR =
    "<mujoco><custom><text name='sinew_loop_tip' data='%s c r'/></custom><compiler "
    "angle='radian'/><worldbody>"
    "<body><joint name='crank' axis='0 -1 0'/><geom size='.02' fromto='0 0 0 .3 0 0' type='capsule'/>"
    "<body pos='.3 0 0'><joint name='coupler' axis='0 -1 0'/>"
    "<geom size='.02' fromto='0 0 0 .55 0 0' type='capsule'/>"
    "<site name='c' pos='.55 0 0' euler='1.5707963267948966 0 0'/></body></body>"
    "<body pos='.5 0 0'><joint name='rocker' axis='0 -1 0' %s/>"
    "<geom size='.02' fromto='0 0 0 %g 0 0' type='capsule'/>"
    "<site name='r' pos='%g 0 0' euler='1.5707963267948966 0 0'/></body>"
    "</worldbody>%s</mujoco>";

static const char* fourBar(const char* type, const char* joint, double length, const char* more)
{
    static char text[4096];
    snprintf(text, sizeof text, FOUR_BAR, type, joint, length, length, more);
    return text;
}

// Angles of coupler, against the crank, and rocker for a crank angle: two circles, two branches.
static void closedForm(double crank, double side, double* coupler, double* rocker)
{
    const double x = 0.3 * cos(crank) - 0.5, z = 0.3 * sin(crank), d2 = x * x + z * z, d = sqrt(d2);
    const double along = (0.4 * 0.4 - 0.55 * 0.55 + d2) / (2 * d),
                 off = side * sqrt(0.4 * 0.4 - along * along);
    const double bx = (along * x - off * z) / d,
                 bz = (along * z + off * x) / d; // the tip seen from the rocker
    *rocker = atan2(bz, bx);
    *coupler = atan2(bz - z, bx - x) - crank;
}

static double wrapped(double angle)
{
    return remainder(angle, 2 * 3.14159265358979323846);
}

static double loopError(const snModel* m, snData* d)
{
    sn_forward(m, d);
    double error = 0;
    for (int r = 0; r < d->nlooprow; r++) error = fmax(error, fabs(d->loop_delta[r]));
    assert_true(d->nlooprow > 0);
    return error;
}

// |K qvel|, largest
static double loopSpeed(const snModel* m, snData* d)
{
    sn_forward(m, d);
    double K[64 * 64], speed = 0;
    assert_true(d->nlooprow * m->nv <= 64 * 64);
    sn_loopK(m, d, K);
    for (int r = 0; r < d->nlooprow; r++) {
        double sum = 0;
        for (int i = 0; i < m->nv; i++) sum += K[r * m->nv + i] * d->qvel[i];
        speed = fmax(speed, fabs(sum));
    }
    return speed;
}

static void test_four_bar_from_everywhere(void** state)
{
    (void)state;
    snModel* m = load(fourBar("revolute", "", 0.4, ""));
    snData* d = sn_makeData(m);
    const uint8_t fixed[3] = {1, 0, 0};
    for (int k = 0; k < 60; k++) {
        const double crank = 0.1 * k;
        double coupler, rocker, noise[2];
        closedForm(crank, 1, &coupler, &rocker);
        sn_noise(noise, 2, 3, 2 * (uint64_t)k);
        d->qpos[0] = crank;
        d->qpos[1] = coupler + 0.1 * noise[0];
        d->qpos[2] = rocker + 0.1 * noise[1];
        memset(d->qvel, 0, 3 * sizeof(double));
        snAssembly a;
        snError error;
        sn_defaultAssembly(&a);
        a.fixed = fixed;
        if (sn_assemble(m, d, &a, &error)) fail_msg("%s", error.message);
        assert_true(d->qpos[0] == crank);
        near(wrapped(d->qpos[1] - coupler), 0, 1e-11);
        near(wrapped(d->qpos[2] - rocker), 0, 1e-11);
        assert_true(a.error <= 1e-12 && a.loop == 0);
        assert_in_range(a.niter, 1, 12);
        assert_true(loopError(m, d) < 1e-12);
        // what is closed stays, bit by bit
        double before[3];
        memcpy(before, d->qpos, sizeof before);
        assert_int_equal(sn_assemble(m, d, &a, &error), SN_STATUS_OK);
        assert_memory_equal(before, d->qpos, sizeof before);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_branches_by_seed(void** state)
{
    (void)state;
    snModel* m = load(fourBar("revolute", "", 0.4, ""));
    snData* d = sn_makeData(m);
    const uint8_t fixed[3] = {1, 0, 0};
    int found[2] = {0};
    for (uint64_t seed = 0; seed < 12; seed++) {
        double expected[2][2], qpos[2][3];
        for (int side = 0; side < 2; side++)
            closedForm(1.2, side ? -1 : 1, expected[side], expected[side] + 1);
        for (int round = 0; round < 2; round++) {
            snAssembly a;
            sn_defaultAssembly(&a);
            a.fixed = fixed;
            a.seed = seed;
            d->qpos[0] = 1.2;
            d->qpos[1] = expected[1][0];
            d->qpos[2] = expected[1][1];
            assert_int_equal(sn_assemble(m, d, &a, NULL), SN_STATUS_OK);
            memcpy(qpos[round], d->qpos, sizeof qpos[round]);
        }
        assert_memory_equal(qpos[0], qpos[1], sizeof qpos[0]);
        const int side = fabs(wrapped(d->qpos[2] - expected[1][1])) < 1e-9;
        near(wrapped(d->qpos[1] - expected[side][0]), 0, 1e-11);
        near(wrapped(d->qpos[2] - expected[side][1]), 0, 1e-11);
        if (seed == 0) assert_int_equal(side, 1);
        found[side]++;
        snLoopProperties p;
        sn_forward(m, d);
        assert_int_equal(sn_loopProperties(m, d, 0, &p), 1);
        assert_int_equal(p.mobility, 1);
    }
    assert_true(found[0] > 0 && found[1] > 0);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Crank 0.3 on a slide along x through a rod of 0.7.
static void test_slider_crank(void** state)
{
    (void)state;
    snModel* m = load(
        "<mujoco><custom><text name='sinew_loop_pin' data='revolute c s'/></custom><worldbody>"
        "<body><joint axis='0 -1 0'/><geom size='.02' fromto='0 0 0 .3 0 0' type='capsule'/>"
        "<body pos='.3 0 0'><joint axis='0 -1 0'/><geom size='.02' fromto='0 0 0 .7 0 0' type='capsule'/>"
        "<site name='c' pos='.7 0 0' euler='90 0 0'/></body></body>"
        "<body pos='1 0 0'><joint type='slide' axis='1 0 0'/><geom size='.03'/>"
        "<site name='s' euler='90 0 0'/></body></worldbody></mujoco>");
    snData* d = sn_makeData(m);
    assert_int_equal(d->warning[SN_WARN_LOOPOPEN].number, 0);
    const uint8_t fixed[3] = {1, 0, 0};
    snAssembly a;
    sn_defaultAssembly(&a);
    a.fixed = fixed;
    for (int k = 0; k < 20; k++) {
        const double crank = 0.3 * k, rod = -asin(0.3 / 0.7 * sin(crank));
        d->qpos[0] = crank;
        d->qpos[1] = rod - crank + 0.2;
        d->qpos[2] += 0.1;
        assert_int_equal(sn_assemble(m, d, &a, NULL), SN_STATUS_OK);
        near(d->qpos[1], rod - crank, 1e-11);
        near(d->qpos[2], 0.3 * cos(crank) + 0.7 * cos(rod) - 1, 1e-11);
        assert_true(d->qpos[0] == crank && loopError(m, d) < 1e-12);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Six legs, each a universal joint, a prismatic one and a ball on the platform. Anchors are fixed, the
// lengths of legs follow from the platform's pose.
static snModel* loadStewart(double base[6][3], double top[6][3])
{
    static char text[16384], legs[8192], sites[2048], loops[1024];
    char* leg = legs;
    char *site = sites, *loop = loops;
    for (int k = 0; k < 6; k++) {
        const double turn = 2.0943951023931953 * (k / 2), spread = k % 2 ? 0.3 : -0.3;
        const double b[3] = {cos(turn + spread), sin(turn + spread), 0};
        const double p[3] = {0.6 * cos(turn + 3.5 * spread), 0.6 * sin(turn + 3.5 * spread), 0};
        memcpy(base[k], b, sizeof b);
        memcpy(top[k], p, sizeof p);
        leg +=
            sprintf(leg,
                    "<body pos='%.17g %.17g 0'><joint axis='1 0 0'/><joint axis='0 1 0'/><geom size='.03'/>"
                    "<body pos='0 0 1'><joint type='slide' axis='0 0 1'/><geom size='.03'/>"
                    "<site name='l%d'/></body></body>",
                    b[0], b[1], k);
        site += sprintf(site, "<site name='p%d' pos='%.17g %.17g 0'/>", k, p[0], p[1]);
        loop += sprintf(loop, "<text name='sinew_loop_leg%d' data='spherical l%d p%d'/>", k, k, k);
    }
    snprintf(text, sizeof text,
             "<mujoco><custom>%s</custom><worldbody>%s<body pos='0 0 1'><freejoint/>"
             "<geom type='cylinder' size='.6 .05'/>%s</body></worldbody></mujoco>",
             loops, legs, sites);
    return load(text);
}

static void test_stewart_platform(void** state)
{
    (void)state;
    double base[6][3], top[6][3];
    snModel* m = loadStewart(base, top);
    snData* d = sn_makeData(m);
    assert_int_equal(m->nv, 24);
    assert_int_equal(d->warning[SN_WARN_LOOPOPEN].number, 1);
    assert_true(loopError(m, d) < 1e-12);
    uint8_t fixed[24] = {0};
    for (int i = 18; i < 24; i++) fixed[i] = 1; // the platform stays
    snAssembly a;
    sn_defaultAssembly(&a);
    a.fixed = fixed;
    for (int k = 0; k < 10; k++) {
        double noise[24], pose[7];
        sn_noise(noise, 24, 5, 24 * (uint64_t)k);
        for (int i = 0; i < 24; i++) noise[i] *= i < 18 ? 0.2 : 0.1;
        memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
        sn_integratePos(m, d->qpos, noise, 1);
        for (int i = 0; i < m->nv; i++) d->qvel[i] = noise[i];
        memcpy(pose, d->qpos + 18, sizeof pose);
        assert_int_equal(sn_assemble(m, d, &a, NULL), SN_STATUS_OK);
        assert_memory_equal(pose, d->qpos + 18, sizeof pose);
        assert_true(loopError(m, d) < 1e-12);
        assert_true(loopSpeed(m, d) < 1e-13);
        for (int leg = 0; leg < 6; leg++) {
            double p[3], world[3];
            sn_rotVecQuat(p, top[leg], pose + 3);
            for (int i = 0; i < 3; i++) world[i] = pose[i] + p[i] - base[leg][i];
            const double length = sqrt(world[0] * world[0] + world[1] * world[1] + world[2] * world[2]);
            near(1 + d->qpos[3 * leg + 2], length, 1e-11);
        }
    }
    // forward kinematics: the legs stay, the platform is found
    memset(fixed, 0, sizeof fixed);
    for (int leg = 0; leg < 6; leg++) fixed[3 * leg + 2] = 1;
    double legs[6];
    for (int leg = 0; leg < 6; leg++) legs[leg] = d->qpos[3 * leg + 2] += 0.02 * leg;
    assert_int_equal(sn_assemble(m, d, &a, NULL), SN_STATUS_OK);
    for (int leg = 0; leg < 6; leg++) assert_true(legs[leg] == d->qpos[3 * leg + 2]);
    assert_true(loopError(m, d) < 1e-12);
    snLoopProperties p;
    assert_int_equal(sn_loopProperties(m, d, -1, &p), 1);
    assert_int_equal(p.mobility, 6);
    assert_int_equal(p.gruebler, 6);
    assert_int_equal(p.nloop, 6);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Coupler and rocker reach 0.35 between pivots that are 0.8 apart with the crank out to the left.
static const char* const SHORT =
    "<mujoco><custom><text name='sinew_loop_gap' data='spherical c r'/></custom><worldbody>"
    "<body><joint axis='0 -1 0'/><geom size='.02'/><body pos='.1 0 0'><joint axis='0 -1 0'/><geom "
    "size='.02'/>"
    "<site name='c' pos='.15 0 0'/></body></body>"
    "<body pos='%g 0 0'><joint axis='0 -1 0'/><geom size='.02' pos='.1 0 0'/><site name='r' pos='.2 0 0'/>"
    "</body></worldbody></mujoco>";

static void test_too_short(void** state)
{
    (void)state;
    char text[2048];
    snprintf(text, sizeof text, SHORT, 0.8);
    snError error = {0};
    assert_null(sn_loadModelText(text, strlen(text), NULL, 0, NULL, &error));
    assert_non_null(strstr(error.message, "sinew_loop_gap"));
    double gap;
    assert_int_equal(sscanf(strstr(error.message, "open by") + 7, "%lf", &gap), 1);
    near(gap, 0.8 - 0.45, 1e-6);
    assert_true(error.line > 0);
    snprintf(text, sizeof text, SHORT, 0.3);
    snModel* m = load(text);
    snData* d = sn_makeData(m);
    m->body_pos[9] = 0.8;
    const double qpos[3] = {0.3, 0.4, 2.0}, qvel[3] = {1, 2, 3};
    memcpy(d->qpos, qpos, sizeof qpos);
    memcpy(d->qvel, qvel, sizeof qvel);
    snAssembly a;
    sn_defaultAssembly(&a);
    memset(&error, 0, sizeof error);
    assert_int_equal(sn_assemble(m, d, &a, &error), SN_STATUS_MODEL);
    assert_non_null(strstr(error.message, "\"gap\""));
    near(a.error, 0.35, 1e-6);
    assert_int_equal(a.loop, 0);
    assert_memory_equal(d->qpos, qpos, sizeof qpos);
    assert_memory_equal(d->qvel, qvel, sizeof qvel);
    // a reset leaves it open and says so
    sn_resetData(m, d);
    assert_int_equal(d->warning[SN_WARN_LOOPOPEN].number, 1);
    assert_memory_equal(d->qpos, m->qpos0, 3 * sizeof(double));
    near(d->loop_error_max, 0.75, 1e-12);
    for (int k = 0; k < 100; k++) sn_step(m, d);
    for (int i = 0; i < 3; i++) assert_true(isfinite(d->qpos[i]) && isfinite(d->qvel[i]));
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_wrong_input(void** state)
{
    (void)state;
    snModel* m = load(fourBar("revolute", "", 0.4, ""));
    snData* d = sn_makeData(m);
    const uint8_t all[3] = {1, 1, 1};
    snAssembly a;
    snError error = {0};
    sn_defaultAssembly(&a);
    a.seeds = -1;
    assert_int_equal(sn_assemble(m, d, &a, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "seeds"));
    sn_defaultAssembly(&a);
    a.iterations = 0;
    assert_int_equal(sn_assemble(m, d, &a, &error), SN_STATUS_ARGUMENT);
    sn_defaultAssembly(&a);
    a.tolerance = NAN;
    assert_int_equal(sn_assemble(m, d, &a, &error), SN_STATUS_ARGUMENT);
    sn_defaultAssembly(&a);
    a.fixed = all;
    assert_int_equal(sn_assemble(m, d, &a, NULL), SN_STATUS_OK); // closed already
    const double kept = d->qpos[1] += 0.25;
    assert_int_equal(sn_assemble(m, d, &a, &error), SN_STATUS_MODEL);
    assert_non_null(strstr(error.message, "free more dofs"));
    near(a.error, 2 * 0.55 * sin(0.125), 1e-9);
    assert_true(d->qpos[1] == kept);
    a.fixed = NULL;
    d->qpos[1] = NAN;
    assert_int_equal(sn_assemble(m, d, &a, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "qpos[1]"));
    assert_true(isnan(d->qpos[1]));
    d->qpos[1] = kept;
    d->qvel[2] = INFINITY;
    assert_int_equal(sn_assemble(m, d, &a, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "qvel[2]"));
    // no loops: nothing to do
    m->opt.disableflags |= SN_DSBL_EQUALITY;
    d->qvel[2] = 1;
    assert_int_equal(sn_assemble(m, d, &a, &error), SN_STATUS_OK);
    assert_int_equal(a.loop, -1);
    assert_true(d->qpos[1] == kept && d->qvel[2] == 1);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Its start is flat, where K has no row along the links: only other starts lead away.
static void test_start_is_assembled(void** state)
{
    (void)state;
    snModel* m = load(fourBar("revolute", "", 0.4,
                              "<keyframe><key qpos='1.2 -1 1.2' qvel='1 0 0'/>"
                              "<key qpos='0 0 0'/></keyframe>"));
    snData* d = sn_makeData(m);
    double first[3];
    memcpy(first, d->qpos, sizeof first);
    assert_int_equal(d->warning[SN_WARN_LOOPOPEN].number, 1);
    assert_int_equal(d->warning[SN_WARN_LOOPOPEN].lastinfo, 0);
    near(d->loop_error_max, 0.05, 1e-15);
    assert_true(loopError(m, d) < 1e-12);
    for (int k = 0; k < 5; k++) sn_step(m, d);
    sn_resetData(m, d);
    assert_memory_equal(first, d->qpos, sizeof first);
    assert_int_equal(d->warning[SN_WARN_LOOPOPEN].number, 1);
    assert_true(d->qvel[0] == 0 && d->dof_cluster[0] == 0 && d->xpos[3] == 0); // nothing else is set
    sn_resetDataKeyframe(m, d, 0);
    assert_int_equal(d->warning[SN_WARN_LOOPOPEN].number, 1);
    near(d->qpos[0], 1.2, 0.1);
    near(d->qpos[1], -1.03, 0.1);
    assert_true(d->qvel[0] > 0.1 && loopSpeed(m, d) < 1e-14 && loopError(m, d) < 1e-12);
    // a keyframe that is closed is taken as it stands
    sn_setKeyframe(m, d, 1, NULL);
    memcpy(first, d->qpos, sizeof first);
    sn_resetDataKeyframe(m, d, 1);
    assert_int_equal(d->warning[SN_WARN_LOOPOPEN].number, 0);
    assert_memory_equal(first, d->qpos, sizeof first);
    assert_memory_equal(m->key_qvel + 3, d->qvel, sizeof first);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Bodies whose equality cannot hold; one that can, but does not.
static void test_loading_equalities(void** state)
{
    (void)state;
    static const char* const TEXT =
        "<mujoco><custom><text name='sinew_loops' data='exact'/></custom><worldbody>\n"
        "<body name='a'><joint axis='0 0 1'/><geom size='.1' pos='1 0 0'/></body>\n"
        "<body name='b'><joint name='b' axis='0 0 1'/><geom size='.1' pos='1 0 0'/></body></worldbody>\n"
        "<equality><joint joint1='b' polycoef='%g'/>\n"
        "<weld %s body1='a' relpose='0 0 %g 1 0 0 .25'/></equality></mujoco>";
    static const struct {
        double turn;
        const char* name;
        double height;
        int line;
        const char* words;
    } cases[] = {{0, "", 0.25, 5, "<weld>: the loop cannot be closed from qpos0, it stays open by 0.25 m"},
                 {0, "name='w'", 0.25, 5, "<weld name=\"w\">: the loop cannot be closed"},
                 {0.5, "", 0, 5, NULL},
                 {0, "", 0, 5, NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[2048];
        snWarnings warnings = {0};
        snLoadOptions options = {.warnings = &warnings};
        snError error = {0};
        const int size = snprintf(text, sizeof text, TEXT, cases[k].turn, cases[k].name, cases[k].height);
        snModel* m = sn_loadModelText(text, (size_t)size, NULL, 0, &options, &error);
        if (cases[k].words) {
            assert_null(m);
            if (!strstr(error.message, cases[k].words)) fail_msg("%s", error.message);
            assert_int_equal(error.line, cases[k].line);
        } else {
            if (!m) fail_msg("%s", error.message);
            assert_int_equal(warnings.count, 1); // of the worst: the weld is open by 0.49 rad
            if (!strstr(warnings.list[0].message, cases[k].turn > 0 ? "<joint>: the loop is open by 0.5 rad"
                                                                    : "<weld>: the loop is open by 0.489957"))
                fail_msg("%s", warnings.list[0].message);
            options.strict = true;
            assert_null(sn_loadModelText(text, (size_t)size, NULL, 0, &options, &error));
        }
        sn_freeWarnings(&warnings);
        sn_deleteModel(m);
    }
}

static void test_loading_warns(void** state)
{
    (void)state;
    snWarnings warnings = {0};
    snLoadOptions options = {.warnings = &warnings};
    snError error = {0};
    const char* text = fourBar("revolute", "", 0.4, "");
    snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, &options, &error);
    assert_non_null(m);
    assert_int_equal(warnings.count, 1);
    sn_freeWarnings(&warnings);
    sn_deleteModel(m);
}

// Joints that are in their limits stay there: the rocker's open one branch alone.
static void test_limits(void** state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        snModel* m = load(fourBar(
            "spherical", side ? "range='0 3' limited='true'" : "range='-3 0' limited='true'", 0.4, ""));
        snData* d = sn_makeData(m);
        const uint8_t fixed[3] = {1, 0, 0};
        for (int k = 0; k < 20; k++) {
            snAssembly a;
            double coupler, rocker;
            sn_defaultAssembly(&a);
            a.fixed = fixed;
            a.seed = (uint64_t)k;
            closedForm(1.2, side ? -1 : 1, &coupler, &rocker);
            d->qpos[0] = 1.2;
            d->qpos[1] = -1.2;
            d->qpos[2] = side ? 0.1 : -0.1;
            assert_int_equal(sn_assemble(m, d, &a, NULL), SN_STATUS_OK);
            near(d->qpos[2], rocker, 1e-11);
            near(wrapped(d->qpos[1] - coupler), 0, 1e-11);
        }
        // where no position in the limits is closed, they are left
        m->jnt_range[4] = -0.1;
        m->jnt_range[5] = 0.1;
        d->qpos[0] = 1.2;
        d->qpos[2] = 0;
        snAssembly a;
        sn_defaultAssembly(&a);
        a.fixed = fixed;
        assert_int_equal(sn_assemble(m, d, &a, NULL), SN_STATUS_OK);
        assert_true(fabs(d->qpos[2]) > 0.1 && loopError(m, d) < 1e-12);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// Of all turns that take the tip to its place some have an angle within the ball's range.
static void test_ball_limit(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><compiler angle='radian'/><custom>"
                      "<text name='sinew_loop_tip' data='spherical w t'/></custom><worldbody>"
                      "<site name='w' pos='.87758256189037276 .479425538604203 0'/>"
                      "<body><joint type='ball' limited='true' range='0 .7'/><geom size='.1' pos='.5 0 0'/>"
                      "<site name='t' pos='1 0 0'/></body></worldbody></mujoco>");
    snData* d = sn_makeData(m);
    for (int k = 0; k < 2; k++) {
        const double twist = k ? 0.69 : 0.1;
        d->qpos[0] = cos(0.5 * twist);
        d->qpos[1] = sin(0.5 * twist);
        d->qpos[2] = d->qpos[3] = 0;
        snAssembly a;
        sn_defaultAssembly(&a);
        assert_int_equal(sn_assemble(m, d, &a, NULL), SN_STATUS_OK);
        assert_true(2 * acos(d->qpos[0]) <= 0.7 && loopError(m, d) < 1e-12);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// No other starts: what is near is closed, what is flat is not, and dofs in no loop keep their bits.
static void test_one_start(void** state)
{
    (void)state;
    snModel* m = load(fourBar("revolute", "", 0.4, ""));
    snData* d = sn_makeData(m);
    snAssembly a;
    for (uint64_t seed = 0; seed < 2; seed++) {
        const double near[3] = {1.2, -1, 1.2}, flat[3] = {0};
        sn_defaultAssembly(&a);
        a.seeds = 0;
        a.seed = seed;
        memcpy(d->qpos, near, sizeof near);
        assert_int_equal(sn_assemble(m, d, &a, NULL), SN_STATUS_OK);
        memcpy(d->qpos, flat, sizeof flat);
        assert_int_equal(sn_assemble(m, d, &a, NULL), SN_STATUS_MODEL);
        assert_true(fabs(a.error - 0.05) < 1e-15);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Balls, free bodies, every kind of loop joint, equalities: random chains that are closed where they were
// built, and pushed open.
static const char* const MIXED =
    "<mujoco><custom><text name='sinew_loops' data='exact'/>"
    "<text name='sinew_loop_a' data='%s p s %s'/></custom>"
    "<worldbody><body pos='%g 0 1'><freejoint/><geom size='.1'/>"
    "<body pos='.3 0 .1'><joint type='ball'/><geom size='.1' pos='.1 0 0'/>"
    "<body pos='.2 .1 0'><joint name='j1' axis='1 .5 .2'/><geom size='.1' pos='0 .2 .1'/>"
    "<site name='p' pos='.2 .3 .4' euler='20 30 40'/></body></body>"
    "<body pos='-.3 .2 0'><joint name='j2' type='slide' axis='.3 1 .2'/><geom size='.1'/>"
    "<body pos='0 .2 .3'><joint axis='0 1 .4'/><joint axis='1 0 .1'/><joint type='ball' pos='.1 0 0'/>"
    "<geom size='.1' pos='.2 .1 0'/><site name='s' pos='-.1 .1 .2' euler='50 -30 10'/></body></body></body>"
    "<body name='free' pos='%g 1 1'><freejoint/><geom size='.1'/></body><body name='other' pos='%g 1.2 1'>"
    "<joint type='ball'/><geom size='.1' pos='.1 0 0'/></body></worldbody>"
    "<equality><joint joint1='j1' joint2='j2' polycoef='.2 .5 .3 0 0'/>"
    "<weld body1='free' body2='other' relpose='.1 .2 .3 1 .2 .3 .4'/></equality></mujoco>";

static void test_every_type(void** state)
{
    (void)state;
    static const char* const TYPES[][2] = {
        {"fixed", ""},           {"revolute", ""},         {"prismatic", ""},
        {"helical", "pitch=.1"}, {"cylindrical", ""},      {"planar", ""},
        {"spherical", ""},       {"universal", ""},        {"sphere-in-cylinder", ""},
        {"sphere-in-plane", ""}, {"distance", "length=.7"}};
    for (size_t t = 0; t < sizeof TYPES / sizeof *TYPES; t++)
        for (double x = 0; x < 2e4; x += 1e4) {
            char text[4096];
            snprintf(text, sizeof text, MIXED, TYPES[t][0], TYPES[t][1], x, x, x);
            snModel* m = load(text);
            snData* d = sn_makeData(m);
            for (int k = 0; k < 5; k++) {
                snAssembly a;
                snError error;
                double change[64];
                sn_resetData(m, d);
                sn_noise(change, m->nv, t + 1, 64 * (uint64_t)k);
                for (int i = 0; i < m->nv; i++) change[i] *= 0.3;
                sn_integratePos(m, d->qpos, change, 1);
                memcpy(d->qvel, change, (size_t)m->nv * sizeof(double));
                sn_defaultAssembly(&a);
                if (sn_assemble(m, d, &a, &error)) fail_msg("%s: %s", TYPES[t][0], error.message);
                const double tolerance = x > 0 ? 1e-9 : 1e-12;
                if (!(loopError(m, d) < tolerance)) fail_msg("%s: %g", TYPES[t][0], loopError(m, d));
                near(loopSpeed(m, d), 0, x > 0 ? 1e-9 : 1e-13);
                assert_in_range(a.niter, 1, 40);
            }
            sn_deleteData(d);
            sn_deleteModel(m);
        }
}

// Positions whose squares are not numbers: projection leaves the state, and says that a loop is open.
static void test_projection_of_what_overflows(void** state)
{
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, MIXED, "spherical", "", 0.0, 0.0, 0.0);
    snModel* m = load(text);
    snData* d = sn_makeData(m);
    const int slide = m->jnt_qposadr[sn_name2id(m, SN_OBJ_JOINT, "j2")];
    static const double FAR[] = {1e160, 1e300, -1.7e308};
    for (int type = 0; type < SN_LOOP_DISTANCE + 1; type++)
        for (int k = 0; k < 3; k++) {
            m->loop_type[0] = type;
            m->loop_parameter[0] = 0.3;
            sn_resetData(m, d);
            d->eq_active[0] = d->eq_active[1] = 0;
            sn_forward(m, d);
            d->qpos[slide] = FAR[k];
            for (int i = 0; i < m->nv; i++) d->qvel[i] = 1;
            sn_loopProject(m, d, 0);
            for (int i = 0; i < m->nq; i++) assert_true(isfinite(d->qpos[i]));
            for (int i = 0; i < m->nv; i++) assert_true(isfinite(d->qvel[i]));
            assert_true(d->warning[SN_WARN_LOOPOPEN].number > 0);
        }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// qvel that is made consistent is the nearest in the metric of M: what was taken away is M-orthogonal to all
// velocities that the loops allow.
static void test_velocities_are_nearest(void** state)
{
    (void)state;
    double base[6][3], top[6][3], G[24 * 24], M[24 * 24], change[24];
    snModel* m = loadStewart(base, top);
    snData* d = sn_makeData(m);
    snAssembly a;
    sn_defaultAssembly(&a);
    for (int i = 0; i < 24; i++) d->qvel[i] = change[i] = cos(i);
    assert_int_equal(sn_assemble(m, d, &a, NULL), SN_STATUS_OK);
    sn_forward(m, d);
    sn_loopG(m, d, G);
    sn_fullM(m, d->qM, M);
    for (int i = 0; i < 24; i++) change[i] -= d->qvel[i];
    const int ny = sn_loopMobility(m, d);
    assert_int_equal(ny, 6);
    for (int y = 0; y < ny; y++) {
        double sum = 0, size = 0;
        for (int i = 0; i < 24; i++)
            for (int j = 0; j < 24; j++) {
                sum += G[i * ny + y] * M[i * 24 + j] * change[j];
                size += fabs(G[i * ny + y] * M[i * 24 + j] * change[j]);
            }
        near(sum, 0, 1e-13 * size);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Anything finite in qpos steps without NaN, and comes back or stays open.
static void test_far_open_steps(void** state)
{
    (void)state;
    snModel* m = load(fourBar("revolute", "", 0.4, ""));
    snData* d = sn_makeData(m);
    for (int k = 0; k < 200; k++) {
        double noise[6];
        sn_noise(noise, 6, 9, 6 * (uint64_t)k);
        const double size = pow(10, k % 20 - 10);
        sn_resetData(m, d);
        for (int i = 0; i < 3; i++) {
            d->qpos[i] = noise[i] * size;
            d->qvel[i] = noise[3 + i];
        }
        for (int step = 0; step < 3; step++) {
            sn_step(m, d);
            for (int i = 0; i < 3; i++) assert_true(isfinite(d->qpos[i]) && isfinite(d->qvel[i]));
        }
        assert_int_equal(d->warning[SN_WARN_BADQPOS].number, 0);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

#ifdef SN_TEST_HOOKS
static int refuse(size_t size, void* user)
{
    (void)size;
    ++*(int*)user;
    return 0;
}

static void test_no_allocation(void** state)
{
    (void)state;
    int calls = 0;
    snModel* m = load(fourBar("revolute", "", 0.4, ""));
    snData* d = sn_makeData(m);
    snAssembly a;
    sn_defaultAssembly(&a);
    sn_setAllocHook(refuse, &calls);
    d->qpos[1] += 0.5;
    d->qvel[0] = 1;
    const snStatus status = sn_assemble(m, d, &a, NULL);
    sn_resetData(m, d);
    sn_setAllocHook(NULL, NULL);
    assert_int_equal(status, SN_STATUS_OK);
    assert_int_equal(calls, 0);
    sn_deleteData(d);
    sn_deleteModel(m);
}
#endif

static void test_small_arena(void** state)
{
    (void)state;
    double base[6][3], top[6][3];
    snModel* m = loadStewart(base, top);
    snData* d = sn_makeData(m);
    const size_t whole = d->narena;
    d->narena = 4096;
    sn_resetData(m, d);
    assert_int_equal(d->warning[SN_WARN_CNSTRFULL].number, 1);
    assert_memory_equal(d->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
    for (size_t size = 4096; size < 400000; size += 4096) {
        snAssembly a;
        d->narena = size;
        memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
        sn_defaultAssembly(&a);
        const snStatus status = sn_assemble(m, d, &a, NULL);
        if (status == SN_STATUS_OK) break;
        assert_int_equal(status, SN_STATUS_NO_MEMORY);
        assert_memory_equal(d->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
    }
    d->narena = whole;
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_bar_from_everywhere),
        cmocka_unit_test(test_branches_by_seed),
        cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_stewart_platform),
        cmocka_unit_test(test_too_short),
        cmocka_unit_test(test_wrong_input),
        cmocka_unit_test(test_start_is_assembled),
        cmocka_unit_test(test_loading_warns),
        cmocka_unit_test(test_loading_equalities),
        cmocka_unit_test(test_ball_limit),
        cmocka_unit_test(test_one_start),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_every_type),
        cmocka_unit_test(test_velocities_are_nearest),
        cmocka_unit_test(test_far_open_steps),
        cmocka_unit_test(test_small_arena),
        cmocka_unit_test(test_projection_of_what_overflows),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(test_no_allocation),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
