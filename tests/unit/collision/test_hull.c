// Hulls that have no inside, and what a search over a hull's graph finds.
#include <sinew/sinew.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include "collision/analytic/colliders.h"
#include "collision/convex/convex.h"
#include <cmocka.h>

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
        assert_int_equal(sn_hullFarthest(&graph, n, k % N), sn_hullFarthest(&all, n, 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flatHullsHaveADistance),
        cmocka_unit_test(squareAndSphere),
        cmocka_unit_test(planeUnderFlatHulls),
        cmocka_unit_test(graphFindsTheFarthest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
