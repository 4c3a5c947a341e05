// Hulls that have no inside, and what a search of a hull's tables finds.
#include <stdio.h>
#include "collision/analytic/colliders.h"
#include "collision/convex/convex.h"
#include "model_text.h"

// Vertices of degenerate hulls: one point twice, a segment, a square, a tetrahedron as thin as rounding
static const float points[][4][3] = {
    {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {{-0.1f, 0, 0}, {0.1f, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {{-0.1f, -0.1f, 0}, {0.1f, -0.1f, 0}, {-0.1f, 0.1f, 0}, {0.1f, 0.1f, 0}},
    {{-0.1f, -0.1f, 0}, {0.1f, -0.1f, 1e-12f}, {-0.1f, 0.1f, -1e-12f}, {0.1f, 0.1f, 1e-9f}},
};
enum { NHULL = sizeof points / sizeof *points };

static snShape hullShape(int k, snVec3 pos, snMat3 mat)
{
    return (snShape){.pos = pos,
                     .mat = mat,
                     .size = sn_v3(0.1, 0.1, 0.1),
                     .type = SN_GEOM_MESH,
                     .geom = -1,
                     .hull = {.vert = points[k][0], .count = 4, .radius = 0.1415}};
}

static void checkWitness(const snWitness* w)
{
    const double sum = w->dist + w->n.x + w->n.y + w->n.z + w->pa.x + w->pa.y + w->pa.z + w->pb.x;
    assert_true(isfinite(sum));
    assert_true(fabs(sn_v3Norm(w->n) - 1) < 1e-9);
}

static void flatHullsHaveADistance(void** state)
{
    (void)state;
    const snMat3 turned = sn_quatToMat(sn_quatNormalize((snQuat){1, 0.3, -0.2, 0.5}));
    for (int k = 0; k < NHULL; k++)
        for (int type = SN_GEOM_SPHERE; type <= SN_GEOM_MESH; type++)
            for (int step = 0; step < 8; step++) {
                const snVec3 pos = sn_v3Scale(sn_v3(0.05, -0.03, 0.06), step * 0.5);
                snShape a = {
                    .pos = pos, .mat = turned, .size = sn_v3(0.1, 0.12, 0.08), .type = type, .geom = -1};
                if (type == SN_GEOM_MESH) a = hullShape((k + step) % NHULL, pos, turned);
                const snShape b = hullShape(k, sn_v3(0, 0, 0), sn_m3Identity());
                snWitness w;
                assert_true(sn_convexDistance(&a, &b, INFINITY, SN_CONVEX_AUTO, &w));
                checkWitness(&w);
                if (step == 0 && type == SN_GEOM_SPHERE) assert_true(w.dist <= -0.1 + 1e-9);
            }
}

// A sphere over a square: by hand.
static void squareAndSphere(void** state)
{
    (void)state;
    const snShape square = hullShape(2, sn_v3(0, 0, 0), sn_m3Identity());
    const struct {
        snVec3 at;
        double dist;
    } cases[] = {{{0, 0.05, 0.3}, 0.2}, {{0.4, 0, 0}, 0.2}, {{0.02, 0.03, 0.05}, -0.05}, {{0, 0, 0}, -0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const snShape ball = {.pos = cases[i].at,
                              .mat = sn_m3Identity(),
                              .size = sn_v3(0.1, 0, 0),
                              .type = SN_GEOM_SPHERE,
                              .geom = -1};
        snWitness w;
        assert_true(sn_convexDistance(&ball, &square, INFINITY, SN_CONVEX_AUTO, &w));
        checkWitness(&w);
        assert_true(fabs(w.dist - cases[i].dist) < 1e-8); // vertices are floats
    }
}

static void planeUnderFlatHulls(void** state)
{
    (void)state;
    const snShape plane = {.mat = sn_m3Identity(), .type = SN_GEOM_PLANE, .geom = -1};
    static const int expected[NHULL] = {1, 3, 3, 3};
    for (int k = 0; k < NHULL; k++) {
        const snShape b = hullShape(k, sn_v3(0, 0, -0.01), sn_m3Identity());
        snContactPoint found[SN_MAXCONPAIR];
        assert_int_equal(sn_planeMesh(&plane, &b, 0, found), expected[k]);
        assert_true(fabs(found[0].dist + 0.01) < 1e-8);
    }
    snShape none = hullShape(0, sn_v3(0, 0, -1), sn_m3Identity());
    none.hull.count = 0;
    snContactPoint found[SN_MAXCONPAIR];
    assert_int_equal(sn_planeMesh(&plane, &none, 0, found), 0);
}

// Meshes with flat sides of many vertices, where rounding to floats decides which is the farthest
static const char* const shapes[] = {
    "builtin='sphere' params='4'",
    "builtin='cone' params='60 .7'",
    "builtin='supersphere' params='30 .1 .1'",
    "builtin='supersphere' params='41 .6 1'",
    "builtin='wedge' params='9 9 60 30 .5'",
    "builtin='supersphere' params='50 1 .05' scale='1 .01 3'",
};

static double next(unsigned* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

// Along axes, across the faces of the hull, and anywhere
static snVec3 testDirection(const snModel* m, int k, unsigned* seed)
{
    const int numvert = m->mesh_graph[0], numface = m->mesh_graph[1];
    const int* face = m->mesh_graph + 2 + 3 * numvert + 3 * numface + 3 * k;
    if (k >= numface + 6) return sn_v3(next(seed), next(seed), next(seed));
    if (k >= numface) {
        double n[3] = {0, 0, 0};
        n[(k - numface) / 2] = k & 1 ? -1 : 1;
        return sn_v3Load(n);
    }
    snVec3 v[3];
    for (int i = 0; i < 3; i++) {
        const float* x = m->mesh_vert + 3 * (size_t)face[i];
        v[i] = sn_v3((double)x[0], (double)x[1], (double)x[2]);
    }
    return sn_v3Normalize(sn_v3Cross(sn_v3Sub(v[1], v[0]), sn_v3Sub(v[2], v[0])));
}

// Near the borders of cells, and on them
static snVec3 borderDirection(unsigned* seed)
{
    double n[3];
    for (int i = 0; i < 3; i++) n[i] = floor(10 * next(seed)) / 9 * (1 + 1e-15 * next(seed));
    return sn_v3(n[0], n[1], n[2]);
}

// The tables lead to the first of the farthest of all vertices.
static void tablesFindTheFarthest(void** state)
{
    (void)state;
    unsigned seed = 5;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "<mujoco><asset><mesh name='m' %s/></asset><worldbody><geom type='mesh' mesh='m'/>"
                 "</worldbody></mujoco>",
                 shapes[i]);
        snModel* m = load(text);
        const snHull made = sn_geomHull(m, 0);
        snHull all = made;
        all.cell = NULL;
        assert_non_null(made.cell);
        assert_true(made.count > 40);
        for (int k = 0; k < made.count + 6000; k++) {
            const snVec3 n = k % 3 ? testDirection(m, k, &seed) : borderDirection(&seed);
            const snHullPoint found = sn_hullFarthest(&made, n), best = sn_hullFarthest(&all, n);
            const snVec3 x = sn_hullVertex(&made, found.id);
            assert_int_equal(found.id, best.id);
            assert_true(found.x.x == x.x && found.x.y == x.y && found.x.z == x.z);
        }
        sn_deleteModel(m);
    }
}

// A search looks at a few blocks, not at all vertices: the reason for the tables.
static void tablesAreShort(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><asset><mesh name='m' builtin='sphere' params='4' scale='1 2 .5'/></asset>"
                      "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
    const snHull hull = sn_geomHull(m, 0);
    int sum = 0;
    for (int i = 0; i < SN_NHULLDIR; i++) sum += hull.cell[2 * i + 1];
    assert_true(hull.count > 1000);
    assert_true(sum < 8 * SN_NHULLDIR);
    sn_deleteModel(m);
}

// The inner ball is in the hull, and most of what fits there.
static void innerBallIsInside(void** state)
{
    (void)state;
    unsigned seed = 6;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            char text[300];
            snprintf(text, sizeof text,
                     "<mujoco><asset><mesh name='m' %s%s/></asset><worldbody><geom type='mesh' mesh='m'/>"
                     "</worldbody></mujoco>",
                     shapes[i], mirrored && !strstr(shapes[i], "scale") ? " scale='1 1 -1'" : "");
            snModel* m = load(text);
            const snHull hull = sn_geomHull(m, 0);
            double least = INFINITY;
            for (int k = 0; k < m->mesh_graph[1] + 2000; k++) {
                const snVec3 n = sn_v3Normalize(testDirection(m, k, &seed));
                least = fmin(least, sn_v3Dot(n, sn_hullFarthest(&hull, n).x));
                least = fmin(least, sn_v3Dot(sn_v3Neg(n), sn_hullFarthest(&hull, sn_v3Neg(n)).x));
            }
            assert_true(hull.inner > 0);
            assert_true(hull.inner < least && hull.inner > 0.8 * least);
            sn_deleteModel(m);
        }
}

// ---- two polytopes: a portal and EPA against GJK and EPA

// A mesh or a box or a capsule anywhere, near or in the other; every third time in quarter turns on a grid.
static snShape anyShape(const snModel* m, int type, unsigned* seed, int k)
{
    const snHull hull = sn_geomHull(m, 0);
    const bool grid = k % 3 == 0;
    const snQuat any = {next(seed), next(seed), next(seed), next(seed)};
    const snVec3 pos = sn_v3(next(seed), next(seed), next(seed));
    const double turn = floor(4 * next(seed)) * SN_PI / 4;
    return (snShape){
        .pos = grid ? sn_v3(floor(3 * pos.x) / 4, floor(3 * pos.y) / 4, floor(3 * pos.z) / 4) : pos,
        .mat =
            sn_quatToMat(grid ? sn_quatAxisAngle(sn_v3(k % 2, 1 - k % 2, 0), turn) : sn_quatNormalize(any)),
        .size = sn_v3(0.3, 0.5, 0.4),
        .type = type,
        .geom = -1,
        .hull = type == SN_GEOM_MESH ? hull : (snHull){0}};
}

static double along(const snShape* s, snVec3 n)
{
    const snVec3 l = sn_m3TMul(s->mat, n), z = s->size;
    const double centre = sn_v3Dot(n, s->pos);
    switch (s->type) {
    case SN_GEOM_SPHERE: return centre + z.x;
    case SN_GEOM_CAPSULE: return centre + z.x + z.y * fabs(l.z);
    case SN_GEOM_BOX: return centre + z.x * fabs(l.x) + z.y * fabs(l.y) + z.z * fabs(l.z);
    default: return centre + sn_v3Dot(l, sn_hullFarthest(&s->hull, l).x);
    }
}

// The same distance from either way, and a gap of that along the normal; points that far apart along it.
static void portalAgreesWithGjk(void** state)
{
    (void)state;
    static const int types[] = {SN_GEOM_SPHERE, SN_GEOM_CAPSULE, SN_GEOM_BOX, SN_GEOM_MESH};
    unsigned seed = 11;
    int deep = 0, apart = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "<mujoco><asset><mesh name='m' %s/></asset><worldbody><geom type='mesh' mesh='m'/>"
                 "</worldbody></mujoco>",
                 shapes[i]);
        snModel* m = load(text);
        for (int k = 0; k < 1200; k++) {
            const snShape a = anyShape(m, types[k % 4], &seed, k),
                          b = anyShape(m, SN_GEOM_MESH, &seed, k + 1);
            const double margin = k % 5 ? (k % 2 ? 0 : 0.05) : (double)INFINITY;
            snWitness w, plain;
            const bool found = sn_convexDistance(&a, &b, margin, SN_CONVEX_AUTO, &w);
            assert_true(sn_convexDistance(&a, &b, INFINITY, SN_CONVEX_POLYTOPE, &plain));
            if (fabs(plain.dist - margin) > 1e-9) assert_int_equal(found, plain.dist <= margin);
            if (!found) continue;
            checkWitness(&w);
            assert_true(fabs(w.dist - plain.dist) < 1e-12);
            assert_true(fabs(-along(&a, w.n) - along(&b, sn_v3Neg(w.n)) - w.dist) < 1e-11);
            const snVec3 off = sn_v3AddScaled(sn_v3Sub(w.pb, w.pa), -w.dist, w.n);
            assert_true(sn_v3Norm(off) < 1e-9);
            deep += w.dist < -1e-3;
            apart += w.dist > 0;
        }
        sn_deleteModel(m);
    }
    assert_true(deep > 1000 && apart > 300);
}

// Directions that are none, or not finite, find some vertex.
static void anyDirectionEnds(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><asset><mesh name='m' builtin='sphere' params='2'/></asset>"
                      "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
    const snHull hull = sn_geomHull(m, 0);
    const double odd[] = {0, 1e-320, 1, 1e308, INFINITY, -INFINITY, NAN};
    enum { N = sizeof odd / sizeof *odd };
    for (int k = 0; k < N * N * N; k++) {
        const int v = sn_hullFarthest(&hull, sn_v3(odd[k % N], odd[k / N % N], odd[k / N / N])).id;
        assert_in_range(v, 0, hull.count - 1);
    }
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flatHullsHaveADistance), cmocka_unit_test(squareAndSphere),
        cmocka_unit_test(planeUnderFlatHulls),    cmocka_unit_test(tablesFindTheFarthest),
        cmocka_unit_test(tablesAreShort),         cmocka_unit_test(innerBallIsInside),
        cmocka_unit_test(portalAgreesWithGjk),    cmocka_unit_test(anyDirectionEnds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
