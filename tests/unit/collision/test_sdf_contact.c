// Signed distance fields against all shapes: formulas where there are some, else all of a surface sampled;
// what motions keep; nothing allocated, the same each time.
#include "model_text.h"
#include <math.h>
#include <sinew/plugin.h>
#include <stdio.h>
#include "base/memory.h"
#include "math/vec.h"
#include "sanitized.h"
#include "sdf/sdf.h"

// A model whose geoms of the names of shapes are these: boxes in the text.
static void becomeShapes(snModel* m)
{
    for (int i = 0; i < m->nplugin; i++) {
        const int g = sn_name2id(m, SN_OBJ_GEOM, m->names + m->name_pluginadr[i]);
        if (g < 0) continue;
        m->geom_type[g] = SN_GEOM_SDF;
        m->geom_plugin[g] = i;
        double* box = m->geom_aabb + 6 * g;
        sn_pluginOf(m, i)->sdf_box(sn_pluginNumbers(m, i), box, NULL);
        m->geom_rbound[g] = sn_v3Norm(sn_v3Load(box)) + sn_v3Norm(sn_v3Load(box + 3));
    }
}

typedef struct Scene {
    snModel* m;
    snData* d;
} Scene;

static Scene open(const char* extension, const char* rest)
{
    char text[8192];
    snprintf(text, sizeof text, "<mujoco><extension>%s</extension>%s</mujoco>", extension, rest);
    Scene s = {.m = load(text)};
    becomeShapes(s.m);
    s.d = sn_makeData(s.m);
    assert_non_null(s.d);
    sn_kinematics(s.m, s.d);
    return s;
}

static void shut(Scene s)
{
    sn_deleteData(s.d);
    sn_deleteModel(s.m);
}

#define SHAPE(name) "<plugin plugin='mujoco.sdf." name "'><instance name='" name "'/></plugin>"
#define BOX(name) "<geom name='" name "' type='box' size='1 1 1'/>"

// ---- numbers of a fixed sequence

static double next(unsigned* state)
{
    *state = 1664525u * *state + 1013904223u;
    return (*state >> 8) / (double)(1u << 24);
}

static snVec3 nextIn(unsigned* state, const double box[6], double scale)
{
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = box[k] + scale * box[3 + k] * (2 * next(state) - 1);
    return sn_v3Load(x);
}

static double distanceAt(const Scene* s, int geom, snVec3 world, snVec3* gradient)
{
    double point[3], g[3];
    const snMat3 R = sn_m3Load(s->d->geom_xmat + 9 * geom);
    sn_v3Store(point, sn_m3TMul(R, sn_v3Sub(world, sn_v3Load(s->d->geom_xpos + 3 * geom))));
    const double d = sn_sdfDistance(s->m, s->d, geom, point, g);
    if (gradient) *gradient = sn_m3Mul(R, sn_v3Load(g));
    return d;
}

// ---- formulas

static void test_a_ball_on_a_torus(void** state)
{
    (void)state;
    Scene s = open(SHAPE("torus"),
                   "<worldbody>" BOX("torus") "<body><freejoint/><geom size='.1'/></body></worldbody>");
    for (int i = 0; i < 60; i++) { // around the tube, but where it is near to the other side
        const double round = 2.2 * sin(0.7 * i), turn = 1.3 * i, deep = 0.002 * (i % 7) + 1e-4;
        const double r = 0.35 + (0.25 - deep) * cos(round), z = (0.25 - deep) * sin(round);
        sn_v3Store(s.d->qpos, sn_v3(r * cos(turn), r * sin(turn), z));
        sn_kinematics(s.m, s.d);
        sn_collision(s.m, s.d);
        assert_int_equal(s.d->ncon, 1);
        const snContact* c = s.d->contact;
        assert_true(fabs(c->dist + deep) < 1e-9);
        const snVec3 n = sn_v3(cos(round) * cos(turn), cos(round) * sin(turn), sin(round)); // out of the tube
        assert_true(sn_v3Norm(sn_v3Add(sn_v3Load(c->frame), n)) < 1e-6);
        const snVec3 x = sn_v3AddScaled(sn_v3(0.35 * cos(turn), 0.35 * sin(turn), 0), 0.15 - 0.5 * deep, n);
        assert_true(sn_v3Norm(sn_v3Sub(sn_v3Load(c->pos), x)) < 1e-6);
        assert_int_equal(c->geom[0], 1);
    }
    shut(s);
}

// Distances of what is apart, from wherever
static void test_distances_to_a_torus(void** state)
{
    (void)state;
    Scene s = open(SHAPE("torus"),
                   "<worldbody>" BOX("torus") "<body><freejoint/><geom size='.1'/></body></worldbody>");
    unsigned seed = 1;
    for (int i = 0; i < 60; i++) {
        const double box[6] = {0, 0, 0, 2, 2, 2};
        const snVec3 x = nextIn(&seed, box, 1);
        const double gap = distanceAt(&s, 0, x, NULL) - 0.1;
        double ends[6];
        sn_v3Store(s.d->qpos, x);
        sn_kinematics(s.m, s.d);
        const double d = sn_geomDistance(s.m, s.d, 0, 1, 10, ends);
        if (!(fabs(d - gap) < 1e-6)) fail_msg("%d: %.9f, must be %.9f", i, d, gap);
        assert_true(fabs(distanceAt(&s, 0, sn_v3Load(ends), NULL)) < 1e-6);
        assert_true(sn_geomDistance(s.m, s.d, 0, 1, 0.5 * gap, NULL) == 0.5 * gap || gap <= 0);
    }
    shut(s);
}

static void test_a_torus_lies_on_a_plane(void** state)
{
    (void)state;
    Scene s = open(SHAPE("torus"),
                   "<worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .149'><freejoint/>"
                   "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>" BOX("torus") "</body></worldbody>");
    sn_collision(s.m, s.d);
    assert_in_range(s.d->ncon, 6, 30);
    double low = 1, high = -1;
    for (int i = 0; i < s.d->ncon; i++) {
        const snContact* c = s.d->contact + i;
        assert_true(fabs(c->dist + 0.001) < 1e-9 && fabs(c->frame[2] - 1) < 1e-12);
        assert_true(fabs(hypot(c->pos[0], c->pos[1]) - 0.35) < 1e-3);
        low = fmin(low, c->pos[0]), high = fmax(high, c->pos[0]);
    }
    assert_true(low < -0.25 && high > 0.25); // all around
    shut(s);
}

// ---- surfaces, sampled

static const char* const solids[] = {
    "<geom size='.15'/>",
    "<geom type='capsule' size='.08 .2'/>",
    "<geom type='ellipsoid' size='.1 .2 .15'/>",
    "<geom type='cylinder' size='.12 .15'/>",
    "<geom type='box' size='.1 .15 .2'/>",
    "<geom type='mesh' mesh='wedge'/>",
};
enum { SOLIDS = sizeof solids / sizeof *solids };

// The least of the field over points of a geom's surface, to which points of its box are brought.
static double leastOver(const Scene* s, int field, int solid, unsigned* seed)
{
    const double* box = s->m->geom_aabb + 6 * solid;
    const snVec3 at = sn_v3Load(s->d->geom_xpos + 3 * solid);
    const snMat3 R = sn_m3Load(s->d->geom_xmat + 9 * solid);
    double least = HUGE_VAL;
    for (int i = 0; i < (SANITIZED ? 300 : 3000); i++) {
        snVec3 g, x = sn_v3Add(at, sn_m3Mul(R, nextIn(seed, box, 1.2)));
        for (int k = 0; k < 8; k++) {
            const double d = distanceAt(s, solid, x, &g);
            if (d <= 0) break;
            x = sn_v3AddScaled(x, -d, g);
        }
        if (distanceAt(s, solid, x, NULL) > 1e-9) continue;
        least = fmin(least, distanceAt(s, field, x, NULL));
    }
    return least;
}

static double deepest(const snData* d)
{
    double least = HUGE_VAL;
    for (int i = 0; i < d->ncon; i++) least = fmin(least, d->contact[i].dist);
    return least;
}

// A solid beside the field, turned anyhow, some of it inside
static void placeBeside(Scene* s, unsigned* seed)
{
    snVec3 g, x = nextIn(seed, s->m->geom_aabb, 1.1);
    const double d = distanceAt(s, 0, x, &g), deep = 0.08 + 0.04 * next(seed);
    sn_v3Store(s->d->qpos, sn_v3AddScaled(x, deep - d, g));
    for (int k = 3; k < 7; k++) s->d->qpos[k] = 2 * next(seed) - 1;
    sn_kinematics(s->m, s->d);
}

static void sweepShape(const char* shape, const char* solid)
{
    char extension[200], rest[900];
    snprintf(extension, sizeof extension, "<plugin plugin='mujoco.sdf.%s'><instance name='%s'/></plugin>",
             shape, shape);
    snprintf(rest, sizeof rest,
             "<asset><mesh name='wedge' vertex='-.2 -.15 -.1  .2 -.15 -.1  .2 .15 -.1  -.2 .15 -.1  -.1 0 "
             ".15  .1 0 .15'/></asset>"
             "<worldbody><geom name='%s' type='box' size='1 1 1'/><body><freejoint/>%s</body></worldbody>",
             shape, solid);
    Scene s = open(extension, rest);
    unsigned seed = 7;
    for (int i = 0; i < 6; i++) {
        placeBeside(&s, &seed);
        sn_collision(s.m, s.d);
        const double least = leastOver(&s, 0, 1, &seed);
        if (least < -1e-3 && !(deepest(s.d) < least + 2e-3))
            fail_msg("%s and %s, pose %d: deepest %.6f of %d, sampled %.6f", shape, solid, i, deepest(s.d),
                     s.d->ncon, least);
        const double d = sn_geomDistance(s.m, s.d, 1, 0, 10, NULL);
        if (least < 0 && !(d < least + 2e-3))
            fail_msg("%s and %s, pose %d: distance %.6f, sampled %.6f", shape, solid, i, d, least);
    }
    shut(s);
}

static void test_nothing_is_deeper_than_the_contacts(void** state)
{
    (void)state;
    for (int k = 0; k < SOLIDS; k++) {
        sweepShape("torus", solids[k]);
        sweepShape("bowl", solids[k]);
        sweepShape("gear", solids[k]);
        sweepShape("bolt", solids[k]);
    }
}

// Points of contacts are half way between surfaces, and normals lead from the first geom to the second.
static void test_contacts_lie_between(void** state)
{
    (void)state;
    Scene s = open(
        SHAPE("bowl"),
        "<worldbody>" BOX("bowl") "<body><freejoint/><geom type='box' size='.1 .15 .2'/></body></worldbody>");
    unsigned seed = 3;
    for (int i = 0; i < 20; i++) {
        placeBeside(&s, &seed);
        sn_v3Store(s.d->qpos, sn_v3Scale(sn_v3Load(s.d->qpos), 1.08)); // barely inside, mostly
        sn_kinematics(s.m, s.d);
        sn_collision(s.m, s.d);
        for (int k = 0; k < s.d->ncon; k++) {
            const snContact* c = s.d->contact + k;
            if (c->dist < -0.015) continue; // through the shell
            const snVec3 n = sn_v3Load(c->frame), x = sn_v3Load(c->pos), half = sn_v3Scale(n, 0.5 * c->dist);
            assert_int_equal(c->geom[0], 1);
            assert_true(fabs(distanceAt(&s, 1, sn_v3Sub(x, half), NULL)) < 1e-6);
            assert_true(fabs(distanceAt(&s, 0, sn_v3Sub(x, half), NULL) - c->dist) < 1e-6);
        }
    }
    shut(s);
}

// Of two fields the one that has no edge where they touch says what the normal is.
static void test_corners_on_a_flat_side(void** state)
{
    (void)state;
    Scene s = open("<plugin plugin='mujoco.sdf.gear'><instance name='gear'><config key='innerdiameter' "
                   "value='0'/></instance></plugin>" SHAPE("bolt"),
                   "<worldbody>" BOX("gear") "<body pos='0 0 1'><freejoint/>"
                                             "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>" BOX(
                                                 "bolt") "</body></worldbody>");
    for (int i = 0; i < 12; i++) {
        const double tilt = 0.3 + 0.1 * i;
        s.d->qpos[2] = 1.5;
        s.d->qpos[3] = cos(tilt), s.d->qpos[4] = sin(tilt), s.d->qpos[5] = 0.2 * sin(i), s.d->qpos[6] = 0;
        sn_kinematics(s.m, s.d);
        s.d->qpos[2] -= sn_geomDistance(s.m, s.d, 0, 1, 10, NULL) + 0.003;
        sn_kinematics(s.m, s.d);
        sn_collision(s.m, s.d);
        assert_true(s.d->ncon > 0);
        for (int k = 0; k < s.d->ncon; k++)
            if (!(s.d->contact[k].frame[2] > 0.999))
                fail_msg("pose %d: normal %.3f %.3f %.3f at %.3f %.3f %.3f", i, s.d->contact[k].frame[0],
                         s.d->contact[k].frame[1], s.d->contact[k].frame[2], s.d->contact[k].pos[0],
                         s.d->contact[k].pos[1], s.d->contact[k].pos[2]);
    }
    shut(s);
}

static void test_terrain_under_a_torus(void** state)
{
    (void)state;
    Scene s = open(
        SHAPE("torus"),
        "<asset><hfield name='h' nrow='3' ncol='3' size='1 1 .3 .1' elevation='0 0 0 0 1 0 0 0 0'/></asset>"
        "<worldbody><geom type='hfield' hfield='h'/><body pos='0 0 .3'><freejoint/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>" BOX("torus") "</body></worldbody>");
    sn_collision(s.m, s.d);
    assert_true(s.d->ncon >= 4); // a ring over a peak
    unsigned seed = 5;
    const double least = leastOver(&s, 1, 0, &seed);
    assert_true(deepest(s.d) < least + 1e-3);
    assert_true(deepest(s.d) > least - 0.02); // on a ridge, which samples miss
    shut(s);
}

// A sheet that hangs over a ring touches it with its elements, as deep as they are in it.
static void test_a_flex_over_a_torus(void** state)
{
    (void)state;
    Scene s = open(
        SHAPE("torus"),
        "<worldbody>" BOX("torus") "<flexcomp name='sheet' type='grid' count='9 9 1' spacing='.1 .1 .1' "
                                   "pos='0 0 .15' radius='.01' dim='2' mass='1'>"
                                   "<contact selfcollide='none' internal='false'/></flexcomp></worldbody>");
    sn_forward(s.m, s.d);
    assert_true(s.d->ncon > 8);
    for (int i = 0; i < s.d->ncon; i++) {
        const snContact* c = s.d->contact + i;
        assert_int_equal(c->geom[0], 0);
        assert_true(c->dist < 0 && c->dist > -0.0101);
        assert_true(c->frame[2] > 0.5); // out of the ring
    }
    assert_true(fabs(deepest(s.d) + 0.01) < 1e-4);
    shut(s);
}

// ---- motions

static double energyOf(const Scene* s, double length)
{
    const double *v = s->d->qvel, *x = s->d->qpos;
    double square = 0;
    for (int k = 0; k < 3; k++) square += v[k] * v[k];
    return 9.81 * (x[2] + length) + 0.5 * square;
}

static void test_a_ball_swings_in_a_bowl(void** state)
{
    (void)state;
    const double length = 1 - 0.02 - 0.1, angle = 0.6;
    Scene s =
        open(SHAPE("bowl"),
             "<option timestep='0.002'/><default><geom condim='1' solref='.004 1'/></default><worldbody>" BOX(
                 "bowl") "<body><freejoint/><geom size='.1' mass='1'/></body></worldbody>");
    sn_v3Store(s.d->qpos, sn_v3(length * sin(angle), 0, -length * cos(angle)));
    const int swings = SANITIZED ? 1 : 10,
              steps = (int)(swings * 2 * 3.14159 * sqrt(length / 9.81) * 1.023 / 0.002);
    for (int i = 0; i < 20; i++) sn_step(s.m, s.d);
    const double start = energyOf(&s, length);
    for (int i = 0; i < steps; i++) {
        sn_step(s.m, s.d);
        assert_int_equal(s.d->ncon, 1);
        assert_true(fabs(energyOf(&s, length) / start - 1) < 0.01);
    }
    assert_true(fabs(s.d->qvel[3]) + fabs(s.d->qvel[4]) + fabs(s.d->qvel[5]) < 1e-6);
    shut(s);
}

// One step of a point of 1 kg inside of a sphere of this radius about the origin, which it may pass through
// as contacts do by their defaults: acceleration d (aref - a0 . n) along n, aref = -b v . n - k d r (docs of
// solref = (0.02, 1) and solimp), n = -x / |x|, r = radius - |x|.
static void slide(double radius, double h, snVec3* x, snVec3* v)
{
    const double tc = 0.02, least = 0.9, most = 0.95, width = 0.001;
    const snVec3 n = sn_v3Scale(*x, -1 / sn_v3Norm(*x));
    const double r = radius - sn_v3Norm(*x), share = fmin(fabs(r) / width, 1);
    const double rise = share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) * (1 - share);
    const double d = least + rise * (most - least), k = 1 / (most * most * tc * tc), b = 2 / (most * tc);
    const double own = -9.81 * n.z, push = d * (-b * sn_v3Dot(*v, n) - k * d * r - own);
    *v = sn_v3AddScaled(*v, -9.81 * h, sn_v3(0, 0, 1));
    if (r < 0 && push > 0) *v = sn_v3AddScaled(*v, push * h, n);
    *x = sn_v3AddScaled(*x, h, *v);
}

// By the default solref a ball loses 1.3 % of its energy in ten swings: all of it in the damper of the
// contact, whose depth follows the force. It is where a point in an exact sphere would be, which loses as
// much.
static void test_what_a_ball_loses_is_in_the_contact_model(void** state)
{
    (void)state;
    const double length = 1 - 0.02 - 0.1, angle = 0.6, h = 0.002;
    Scene s =
        open(SHAPE("bowl"), "<option timestep='0.002'/><default><geom condim='1'/></default><worldbody>" BOX(
                                "bowl") "<body><freejoint/><geom size='.1' mass='1'/></body></worldbody>");
    snVec3 x = sn_v3(length * sin(angle), 0, -length * cos(angle)), v = sn_v3(0, 0, 0);
    sn_v3Store(s.d->qpos, x);
    const int swings = SANITIZED ? 1 : 10;
    const int steps = (int)(swings * 2 * 3.14159 * sqrt(length / 9.81) * 1.023 / h);
    const double start = energyOf(&s, length);
    for (int i = 0; i < steps; i++) {
        sn_step(s.m, s.d);
        slide(length, h, &x, &v);
        // the contact is found to 1e-9, and errors grow as time does
        const double off = sn_v3Norm(sn_v3Sub(sn_v3Load(s.d->qpos), x));
        if (!(off < 1e-8)) fail_msg("step %d: %.3g from the exact place", i, off);
    }
    const double lost = 1 - energyOf(&s, length) / start;
    assert_true(lost > 0 && lost < 0.016);
    assert_true(SANITIZED || lost > 0.012);
    shut(s);
}

// A nut above the end of a bolt that stands on its head, after a second: its angular velocity about the axis.
static double turnsDown(double friction, double* fall)
{
    char rest[900];
    snprintf(rest, sizeof rest,
             "<default><geom friction='%g'/></default><worldbody><geom name='bolt' type='box' size='1 1 1' "
             "euler='180 0 0'/>"
             "<body pos='0 0 .6666667' euler='180 0 0'><freejoint/><inertial pos='0 0 -.25' mass='1' "
             "diaginertia='.1 .1 .1'/>" BOX("nut") "</body></worldbody>",
             friction);
    Scene s = open("<plugin plugin='mujoco.sdf.bolt'><instance name='bolt'><config key='radius' "
                   "value='0.255'/></instance></plugin>" SHAPE("nut"),
                   rest);
    for (int i = 0; i < 500; i++) sn_step(s.m, s.d);
    const double spin = s.d->qvel[5];
    *fall = 0.6666667 - s.d->qpos[2];
    for (int k = 0; k < 2; k++) assert_true(fabs(s.d->qpos[k]) < 1e-3 && fabs(s.d->qvel[3 + k]) < 0.1);
    shut(s);
    return spin;
}

static void test_a_nut_turns_down_its_bolt(void** state)
{
    (void)state;
    if (SANITIZED) return;
    double slipping, holding;
    assert_true(turnsDown(0.03, &slipping) >
                0.1); // tan of the lead 0.047 > friction / cos of the flank 0.042
    assert_true(fabs(turnsDown(0.1, &holding)) < 0.01);
    assert_true(slipping > holding);
}

// ---- what holds of all of them

#ifdef SN_TEST_HOOKS
static int asked;

static int count(size_t size, void* user)
{
    (void)size, (void)user;
    asked++;
    return 1;
}

static void collideWithoutMemory(const Scene* s)
{
    asked = 0;
    sn_setAllocHook(count, NULL);
    sn_collision(s->m, s->d);
    sn_setAllocHook(NULL, NULL);
    assert_int_equal(asked, 0);
}
#else
static void collideWithoutMemory(const Scene* s)
{
    sn_collision(s->m, s->d);
}
#endif

static void test_the_same_each_time_without_memory(void** state)
{
    (void)state;
    Scene s = open(SHAPE("gear"),
                   "<worldbody>" BOX("gear") "<body pos='1.3 0 .1' euler='10 20 30'><freejoint/><geom "
                                             "type='box' size='.2 .2 .1'/></body></worldbody>");
    sn_step(s.m, s.d);
    sn_collision(s.m, s.d);
    const int ncon = s.d->ncon;
    assert_in_range(ncon, 1, 40);
    snContact kept[40];
    memcpy(kept, s.d->contact, (size_t)ncon * sizeof *kept);
    collideWithoutMemory(&s);
    assert_int_equal(s.d->ncon, ncon);
    assert_memory_equal(kept, s.d->contact, (size_t)ncon * sizeof *kept);
    shut(s);
}

// Options that say little still find something, those that say much no more than there is room for.
static void test_any_options(void** state)
{
    (void)state;
    Scene s = open(SHAPE("gear"),
                   "<worldbody>" BOX("gear") "<body pos='1 0 .19'><freejoint/>"
                                             "<geom type='box' size='.2 .2 .1'/></body></worldbody>");
    const int points[] = {0, 1, 3, 64, 10000};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 2; k++) {
            s.m->opt.sdf_initpoints = points[i];
            s.m->opt.sdf_iterations = 1000 * k;
            sn_collision(s.m, s.d);
            assert_in_range(s.d->ncon, 1, 24);
            assert_true(fabs(deepest(s.d) + 0.01) < 1e-9);
        }
    shut(s);
}

static void test_bad_numbers_touch_nothing(void** state)
{
    (void)state;
    Scene s = open(SHAPE("torus"),
                   "<worldbody>" BOX("torus") "<body><freejoint/><geom size='.1'/></body></worldbody>");
    for (int k = 0; k < 3; k++) {
        s.d->geom_xpos[3] = k == 0 ? HUGE_VAL - HUGE_VAL : k == 1 ? HUGE_VAL : 1e300;
        sn_collision(s.m, s.d);
        assert_int_equal(s.d->ncon, 0);
        assert_true(sn_geomDistance(s.m, s.d, 0, 1, 1, NULL) == 1);
    }
    shut(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_on_a_torus),
        cmocka_unit_test(test_distances_to_a_torus),
        cmocka_unit_test(test_a_torus_lies_on_a_plane),
        cmocka_unit_test(test_nothing_is_deeper_than_the_contacts),
        cmocka_unit_test(test_contacts_lie_between),
        cmocka_unit_test(test_corners_on_a_flat_side),
        cmocka_unit_test(test_terrain_under_a_torus),
        cmocka_unit_test(test_a_flex_over_a_torus),
        cmocka_unit_test(test_a_ball_swings_in_a_bowl),
        cmocka_unit_test(test_what_a_ball_loses_is_in_the_contact_model),
        cmocka_unit_test(test_a_nut_turns_down_its_bolt),
        cmocka_unit_test(test_the_same_each_time_without_memory),
        cmocka_unit_test(test_any_options),
        cmocka_unit_test(test_bad_numbers_touch_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
