// Hulls that have no inside, and what a search over a hull's graph finds.
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

// A ring of vertices joined to their neighbours: from any start the graph leads to the farthest.
static void graphFindsTheFarthest(void** state)
{
    (void)state;
    enum { N = 40 };
    snVec3 ring[N];
    int adr[N], edge[3 * N];
    for (int i = 0; i < N; i++) {
        ring[i] = sn_v3(cos(2 * SN_PI * i / N), sin(2 * SN_PI * i / N), 0);
        adr[i] = 3 * i;
        edge[3 * i] = (i + 1) % N;
        edge[3 * i + 1] = (i + N - 1) % N;
        edge[3 * i + 2] = -1;
    }
    const snHull graph = {.point = ring, .edge_adr = adr, .edge = edge, .count = N, .radius = 1};
    const snHull all = {.point = ring, .count = N, .radius = 1};
    for (int k = 0; k < 500; k++) {
        const snVec3 n = sn_v3(sin(0.1 + 7.0 * k), cos(11.0 * k), 0.3);
        assert_int_equal(sn_hullFarthest(&graph, n), sn_hullFarthest(&all, n));
    }
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

static snHull hullOf(const snModel* m)
{
    snHull hull = sn_meshHull(m, 0);
    hull.radius = m->geom_rbound[0];
    return hull;
}

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

// The first of the farthest of all vertices, wherever the walk over the graph starts.
static void startsChangeNothing(void** state)
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
        const snHull made = hullOf(m);
        snHull all = made, first = made, random = made;
        int starts[SN_NHULLDIR];
        all.edge = NULL;
        first.start = NULL;
        random.start = starts;
        assert_true(made.count > 40);
        for (int k = 0; k < made.count + 3000; k++) {
            for (int s = 0; s < SN_NHULLDIR; s++) starts[s] = (int)(fabs(next(&seed)) * made.count);
            const snVec3 n = testDirection(m, k, &seed);
            const int best = sn_hullFarthest(&all, n);
            assert_int_equal(sn_hullFarthest(&made, n), best);
            assert_int_equal(sn_hullFarthest(&first, n), best);
            assert_int_equal(sn_hullFarthest(&random, n), best);
        }
        sn_deleteModel(m);
    }
}

// What the model keeps is, for the middle of each cell as the field's meaning has it, as far as any vertex.
static void startsAreFar(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><asset><mesh name='m' builtin='sphere' params='4' scale='1 2 .5'/></asset>"
                      "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
    snHull all = sn_meshHull(m, 0);
    all.edge = NULL;
    const int* start = m->mesh_hullstart;
    for (int axis = 0; axis < 3; axis++)
        for (int sign = 1; sign >= -1; sign -= 2)
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++, start++) {
                    double n[3];
                    n[axis] = sign;
                    n[(axis + 1) % 3] = (2 * i + 1) / 8.0 - 1;
                    n[(axis + 2) % 3] = (2 * j + 1) / 8.0 - 1;
                    const snVec3 v = sn_v3Load(n);
                    const double most = sn_v3Dot(v, sn_hullVertex(&all, sn_hullFarthest(&all, v)));
                    assert_true(sn_v3Dot(v, sn_hullVertex(&all, *start)) >= most - 1e-6);
                }
    sn_deleteModel(m);
}

// Directions that are none, or not finite, find some vertex.
static void anyDirectionEnds(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><asset><mesh name='m' builtin='sphere' params='2'/></asset>"
                      "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
    const snHull hull = hullOf(m);
    const double odd[] = {0, 1e-320, 1, 1e308, INFINITY, -INFINITY, NAN};
    enum { N = sizeof odd / sizeof *odd };
    for (int k = 0; k < N * N * N; k++) {
        const int v = sn_hullFarthest(&hull, sn_v3(odd[k % N], odd[k / N % N], odd[k / N / N]));
        assert_in_range(v, 0, hull.count - 1);
    }
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flatHullsHaveADistance), cmocka_unit_test(squareAndSphere),
        cmocka_unit_test(planeUnderFlatHulls),    cmocka_unit_test(graphFindsTheFarthest),
        cmocka_unit_test(startsChangeNothing),    cmocka_unit_test(startsAreFar),
        cmocka_unit_test(anyDirectionEnds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
