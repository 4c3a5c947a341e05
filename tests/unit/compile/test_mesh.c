// Meshes by closed forms and invariants: hulls of random points, their graphs and polygons, volume and
// inertia of boxes and tetrahedra in every way to count them, built-in shapes, and memory that runs out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/load.h>
#include "base/memory.h"
#include "math/vec.h"
#include "model_text.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance) * (1 + fabs((double)(b))))

static snModel* loadMesh(const char* mesh, const char* geom)
{
    static char text[1 << 17];
    snprintf(text, sizeof text,
             "<mujoco><asset><mesh name='m' "
             "%s/></asset><worldbody><body><freejoint/>%s</body></worldbody></mujoco>",
             mesh, geom);
    return load(text);
}

// Numbers that look random, from -1 to 1.
static double next(unsigned* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

static const char* cloud(unsigned seed, int n)
{
    static char text[1 << 15];
    size_t used = (size_t)snprintf(text, sizeof text, "vertex='");
    for (int i = 0; i < 3 * n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%.9f ", next(&seed));
    snprintf(text + used, sizeof text - used, "'");
    return text;
}

static snVec3 vertex(const snModel* m, int i)
{
    const float* v = m->mesh_vert + 3 * (size_t)i;
    return sn_v3((double)v[0], (double)v[1], (double)v[2]);
}

// Parts of the graph of the only mesh.
typedef struct {
    int numvert, numface;
    const int *edgeadr, *globalid, *edge, *face;
} Graph;

static Graph graphOf(const snModel* m)
{
    assert_int_equal(m->mesh_graphadr[0], 0);
    const int* g = m->mesh_graph;
    Graph graph = {g[0], g[1], g + 2, NULL, NULL, NULL};
    graph.globalid = graph.edgeadr + graph.numvert;
    graph.edge = graph.globalid + graph.numvert;
    graph.face = graph.edge + graph.numvert + 3 * graph.numface;
    assert_int_equal(m->nmeshgraph, 2 + 3 * graph.numvert + 6 * graph.numface);
    return graph;
}

// Every vertex lies below every triangle; the triangles are seen anticlockwise from outside.
static void hullIsConvex(void** state)
{
    (void)state;
    for (unsigned seed = 0; seed < 5; seed++) {
        snModel* m = loadMesh(cloud(seed, 40 + 30 * (int)seed), "<geom type='mesh' mesh='m'/>");
        const Graph g = graphOf(m);
        for (int f = 0; f < g.numface; f++) {
            const snVec3 a = vertex(m, g.face[3 * f]), b = vertex(m, g.face[3 * f + 1]),
                         c = vertex(m, g.face[3 * f + 2]);
            const snVec3 n = sn_v3Normalize(sn_v3Cross(sn_v3Sub(b, a), sn_v3Sub(c, a)));
            // floats of size 2 lie 1e-7 off a triangle's plane; more beside a thin one
            for (int v = 0; v < m->nmeshvert; v++) assert_true(sn_v3Dot(n, sn_v3Sub(vertex(m, v), a)) < 1e-4);
        }
        // Euler: V - E + F = 2 with 2 E = 3 F
        assert_int_equal(2 * g.numvert - g.numface, 4);
        sn_deleteModel(m);
    }
}

static bool hasEdge(const Graph* g, int from, int to)
{
    for (const int* e = g->edge + g->edgeadr[from]; *e >= 0; e++)
        if (*e == to) return true;
    return false;
}

static int localId(const Graph* g, int global)
{
    for (int i = 0; i < g->numvert; i++)
        if (g->globalid[i] == global) return i;
    return -1;
}

static void graphIsSymmetric(void** state)
{
    (void)state;
    snModel* m = loadMesh(cloud(9, 120), "<geom type='mesh' mesh='m'/>");
    const Graph g = graphOf(m);
    int edges = 0;
    for (int v = 0; v < g.numvert; v++)
        for (const int* e = g.edge + g.edgeadr[v]; *e >= 0; e++, edges++) {
            assert_int_not_equal(*e, v);
            assert_true(hasEdge(&g, *e, v));
        }
    assert_int_equal(edges, 3 * g.numface);
    for (int i = 0; i < 3 * g.numface; i++)
        assert_true(hasEdge(&g, localId(&g, g.face[i]), localId(&g, g.face[i % 3 == 2 ? i - 2 : i + 1])));
    sn_deleteModel(m);
}

// Climbing from any vertex to its best neighbour ends at the vertex that is farthest of all.
static void graphLeadsToSupport(void** state)
{
    (void)state;
    snModel* m = loadMesh(cloud(3, 200), "<geom type='mesh' mesh='m'/>");
    const Graph g = graphOf(m);
    unsigned seed = 1;
    for (int k = 0; k < 50; k++) {
        const snVec3 d = sn_v3(next(&seed), next(&seed), next(&seed));
        double farthest = -HUGE_VAL;
        for (int v = 0; v < m->nmeshvert; v++) farthest = fmax(farthest, sn_v3Dot(d, vertex(m, v)));
        int at = k % g.numvert;
        for (bool moved = true; moved;) {
            moved = false;
            double best = sn_v3Dot(d, vertex(m, g.globalid[at]));
            for (const int* e = g.edge + g.edgeadr[at]; *e >= 0; e++) {
                const double here = sn_v3Dot(d, vertex(m, g.globalid[*e]));
                if (here <= best) continue;
                best = here;
                at = *e;
                moved = true;
            }
        }
        NEAR(sn_v3Dot(d, vertex(m, g.globalid[at])), farthest, 1e-12);
    }
    sn_deleteModel(m);
}

static void hullObeysLimit(void** state)
{
    (void)state;
    for (int most = 4; most < 20; most += 5) {
        char mesh[1 << 16];
        snprintf(mesh, sizeof mesh, "%s maxhullvert='%d'", cloud(4, 200), most);
        snModel* m = loadMesh(mesh, "<geom type='mesh' mesh='m'/>");
        assert_true(graphOf(m).numvert <= most);
        sn_deleteModel(m);
    }
}

#define BOX(x, y, z, dx, dy, dz)                                                                             \
#x " " #y " " #z " " #dx " " #y " " #z " " #x " " #dy " " #z " " #dx " " #dy " " #z " " #x " " #y        \
       " " #dz " " #dx " " #y " " #dz " " #x " " #dy " " #dz " " #dx " " #dy " " #dz
#define BOX_FACES "0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5"

static void checkMass(const char* mesh, double mass, snVec3 centre, const double moments[3])
{
    snModel* m = loadMesh(mesh, "<geom type='mesh' mesh='m' density='1'/>");
    NEAR(m->body_mass[1], mass, 1e-12);
    const double at[3] = {centre.x, centre.y, centre.z};
    for (int k = 0; k < 3; k++) {
        NEAR(m->body_ipos[3 + k], at[k], 1e-12);
        NEAR(m->body_inertia[3 + k], moments[k], 1e-12);
        NEAR(m->mesh_pos[k], at[k], 1e-12);
    }
    sn_deleteModel(m);
}

// A box of 2 x 4 x 6 around (2, 3, 4): mass 48, moments m (b^2 + c^2)/12; its surface: three pairs of plates.
static void boxHasItsMass(void** state)
{
    (void)state;
    static const char* const ways[] = {"exact", "legacy", "convex"};
    const double solid[3] = {48 * (16 + 36) / 12., 48 * (4 + 36) / 12., 48 * (4 + 16) / 12.};
    for (int i = 0; i < 3; i++) {
        char mesh[600];
        snprintf(mesh, sizeof mesh, "vertex='%s' face='%s' inertia='%s'", BOX(1, 1, 1, 3, 5, 7), BOX_FACES,
                 ways[i]);
        checkMass(mesh, 48, sn_v3(2, 3, 4), solid);
    }
    // plates across x (4 x 6), y (2 x 6), z (2 x 4), each pair of mass 2 A, at distance 1, 2, 3
    const double A[3] = {24, 12, 8}, s[3] = {2, 4, 6};
    double shell[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        shell[k] += 2 * A[k] * (s[i] * s[i] + s[j] * s[j]) / 12;
        shell[i] += 2 * A[k] * (s[j] * s[j] / 12 + s[k] * s[k] / 4);
        shell[j] += 2 * A[k] * (s[i] * s[i] / 12 + s[k] * s[k] / 4);
    }
    checkMass("vertex='" BOX(1, 1, 1, 3, 5, 7) "' face='" BOX_FACES "' inertia='shell'", 88, sn_v3(2, 3, 4),
              shell);
}

// The corner tetrahedron with legs a b c: V = abc/6, centre at a quarter of each, and from the second moments
// a^2/10 V about the corner: I_xx = V (b^2 + c^2) 3/80, I_xy = V ab/80 (products have the other sign).
static void tetrahedronHasItsMass(void** state)
{
    (void)state;
    const double legs[3] = {1, 2, 3};
    snModel* m = loadMesh("vertex='0 0 0 1 0 0 0 2 0 0 0 3' inertia='exact'",
                          "<geom type='mesh' mesh='m' density='10'/>");
    const double mass = 10;
    NEAR(m->body_mass[1], mass, 1e-12);
    const snMat3 R = sn_quatToMat(sn_quatLoad(m->body_iquat + 4));
    for (int i = 0; i < 3; i++) {
        NEAR(m->body_ipos[3 + i], legs[i] / 4, 1e-12);
        for (int j = 0; j < 3; j++) {
            double tensor = 0;
            for (int k = 0; k < 3; k++) tensor += R.m[3 * i + k] * m->body_inertia[3 + k] * R.m[3 * j + k];
            const double p = legs[(i + 1) % 3], q = legs[(i + 2) % 3];
            const double closed = i == j ? mass * 3 * (p * p + q * q) / 80 : mass * legs[i] * legs[j] / 80;
            NEAR(tensor, closed, 2e-6); // principal axes are good to 1.4e-6, see sn_eig3
        }
    }
    sn_deleteModel(m);
}

// Fine spheres: volume and area come near 4/3 pi and 4 pi; a cube's polygons are its six sides.
static void shapesAreWhatTheySay(void** state)
{
    (void)state;
    snModel* m =
        loadMesh("builtin='sphere' params='4' inertia='exact'", "<geom type='mesh' mesh='m' density='1'/>");
    assert_int_equal(m->nmeshvert, 2562);
    NEAR(m->body_mass[1], 4 * SN_PI / 3, 2e-3);
    NEAR(m->body_inertia[3], 0.4 * m->body_mass[1], 2e-3);
    sn_deleteModel(m);
    m = loadMesh("builtin='supertorus' params='60 .25 1 1' inertia='exact'",
                 "<geom type='mesh' mesh='m' density='1'/>");
    NEAR(m->body_mass[1], 2 * SN_PI * SN_PI * 0.0625, 5e-3);
    sn_deleteModel(m);
    m = loadMesh("builtin='cone' params='200 0'", "<geom type='mesh' mesh='m' density='1'/>");
    NEAR(m->body_mass[1], 2 * SN_PI / 3, 2e-3);
    NEAR(m->body_ipos[5], -0.5, 1e-9);
    sn_deleteModel(m);
    m = loadMesh("vertex='" BOX(-1, -2, -3, 1, 2, 3) "'", "<geom type='mesh' mesh='m'/>");
    assert_int_equal(m->mesh_polynum[0], 6);
    for (int p = 0; p < 6; p++) {
        assert_int_equal(m->mesh_polyvertnum[p], 4);
        const double* n = m->mesh_polynormal + 3 * (size_t)p;
        NEAR(fabs(n[0]) + fabs(n[1]) + fabs(n[2]), 1, 1e-12);
        for (int k = 0; k < 4; k++) { // all corners in its plane
            const int* v = m->mesh_polyvert + m->mesh_polyvertadr[p];
            NEAR(sn_v3Dot(sn_v3Load(n), sn_v3Sub(vertex(m, v[k]), vertex(m, v[0]))), 0, 1e-7);
        }
    }
    for (int v = 0; v < 8; v++) assert_int_equal(m->mesh_polymapnum[v], 3);
    sn_deleteModel(m);
}

// Counts that no int can hold, some of which another processor would take for 0.
static void countsOfShapesAreChecked(void** state)
{
    (void)state;
    static const char* const shapes[] = {"sphere", "hemisphere"};
    static const char* const counts[] = {"1e300", "-1e300", "1e10", "5e9", "nan", "-1", "11"};
    for (int s = 0; s < 2; s++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            char text[256];
            snError error = {0};
            const int size = snprintf(text, sizeof text,
                                      "<mujoco><asset><mesh name='m' builtin='%s' params='%s'/></asset>"
                                      "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>",
                                      shapes[s], counts[k]);
            assert_null(sn_loadModelText(text, (size_t)size, NULL, 0, NULL, &error));
            assert_non_null(strstr(error.message, s ? "resolution is 0 to 10" : "cut 0 to 4 times"));
        }
}

// A geom is seen where it was put: pose of the geom times its vertices are pose times vertices of the file.
static void geomStaysInPlace(void** state)
{
    (void)state;
    static const float given[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
    snModel* m = loadMesh("vertex='0 0 0 1 0 0 0 2 0 0 0 3' refpos='1 2 3' refquat='1 1 0 0' scale='-1 2 1'",
                          "<geom type='mesh' mesh='m' pos='4 5 6' euler='10 20 30' mass='1'/>");
    snModel* box =
        loadMesh("vertex='0 0 0 1 0 0 0 2 0 0 0 3'", "<geom size='1' pos='4 5 6' euler='10 20 30'/>");
    const snPose put = {sn_v3Load(box->geom_pos), sn_quatLoad(box->geom_quat)};
    const snPose pose = {sn_v3Load(m->geom_pos), sn_quatLoad(m->geom_quat)};
    const snQuat turn = {sqrt(0.5), -sqrt(0.5), 0, 0};
    for (int i = 0; i < 4; i++) {
        const snVec3 moved = sn_v3Sub(
            sn_v3((double)given[3 * i], (double)given[3 * i + 1], (double)given[3 * i + 2]), sn_v3(1, 2, 3));
        const snVec3 back = sn_quatRotate(turn, moved);
        const snVec3 want = sn_v3Add(put.pos, sn_quatRotate(put.quat, sn_v3(-back.x, 2 * back.y, back.z)));
        const snVec3 got = sn_v3Add(pose.pos, sn_quatRotate(pose.quat, vertex(m, i)));
        assert_true(sn_v3Norm(sn_v3Sub(want, got)) < 1e-6); // vertices are floats of size 5
    }
    sn_deleteModel(m);
    sn_deleteModel(box);
}

#ifdef SN_TEST_HOOKS
// Each allocation on the way fails once: an error, nothing left behind (the sanitizer looks).
static void memoryRunsOut(void** state)
{
    (void)state;
    static const char* const meshes[] = {
        ("<mesh name='m' vertex='0 0 0 1 0 0 0 2 0 0 0 3 1 1 1' texcoord='0 0 0 1 1 0 1 1 0 0'"
         " inertia='exact'/>"),
        "<mesh name='m' builtin='sphere' params='1'/>",
        "<mesh name='m' builtin='wedge' params='3 3 60 30 0'/>",
    };
    for (int k = 0; k < 3; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "<mujoco><asset>%s</asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>",
                 meshes[k]);
        for (int n = 0;; n++) {
            int left = n;
            snError error = {0};
            sn_setAllocHook(countdown, &left);
            snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, NULL, &error);
            sn_setAllocHook(NULL, NULL);
            if (m) {
                sn_deleteModel(m);
                assert_true(left >= 0);
                break;
            }
            assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
            assert_true(n < 1000);
        }
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hullIsConvex),         cmocka_unit_test(graphIsSymmetric),
        cmocka_unit_test(graphLeadsToSupport),  cmocka_unit_test(hullObeysLimit),
        cmocka_unit_test(boxHasItsMass),        cmocka_unit_test(tetrahedronHasItsMass),
        cmocka_unit_test(shapesAreWhatTheySay), cmocka_unit_test(countsOfShapesAreChecked),
        cmocka_unit_test(geomStaysInPlace),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(memoryRunsOut),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
