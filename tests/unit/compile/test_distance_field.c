// Distance fields of meshes: against the distances to all triangles and the winding numbers of all, against
// differences of themselves, and what is said of meshes that have no inside.
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "model/asset.h"
#include "model_text.h"
#include "sanitized.h"
#include "sdf/field/field.h"
#include "sdf/field/nearest.h"
#include "sdf/sdf.h"

// Meshes of the tests: the text of their attributes, and the part of the longest side that an error may have.
#define BOX_VERTICES                                                                                         \
    "vertex='-.5 -.4 -.3  -.5 -.4 .3  -.5 .4 -.3  -.5 .4 .3  .5 -.4 -.3  .5 -.4 .3  .5 .4 -.3  .5 .4 .3' "
#define BOX_FACES "0 1 3 0 3 2 4 6 7 4 7 5 0 4 5 0 5 1 2 3 7 2 7 6 0 2 6 0 6 4 1 5 7"
static const char box[] = BOX_VERTICES "face='" BOX_FACES " 1 7 3'";
static const char open_box[] = BOX_VERTICES "face='" BOX_FACES "'";
static const char turned[] = BOX_VERTICES "face='" BOX_FACES " 1 3 7'";
static const char doubled[] = BOX_VERTICES "face='" BOX_FACES " 1 7 3 " BOX_FACES " 1 7 3'";
static const char inverted[] =
    BOX_VERTICES "inertia='legacy' face='0 3 1 0 2 3 4 7 6 4 5 7 0 5 4 0 1 5 2 7 3 2 6 7 "
                 "0 6 2 0 4 6 1 7 5 1 3 7'";
// two boxes of which one is shifted along x
static const char crossing[] =
    "vertex='-.5 -.4 -.3  -.5 -.4 .3  -.5 .4 -.3  -.5 .4 .3  .5 -.4 -.3  .5 -.4 .3  .5 .4 -.3  .5 .4 .3 "
    "-.2 -.3 -.2  -.2 -.3 .2  -.2 .3 -.2  -.2 .3 .2  .8 -.3 -.2  .8 -.3 .2  .8 .3 -.2  .8 .3 .2' "
    "face='" BOX_FACES " 1 7 3 8 9 11 8 11 10 12 14 15 12 15 13 8 12 13 8 13 9 10 11 15 10 15 14 8 10 14 8 "
    "14 12 9 13 15 9 15 11'";
// an L with a wall of 0.02
static const char wall[] = "inertia='exact' vertex='0 0 0 1 0 0 1 .02 0 .02 .02 0 .02 1 0 0 1 0 0 0 .4 1 0 "
                           ".4 1 .02 .4 .02 .02 .4 .02 1 .4 0 1 .4' "
                           "face='0 3 1 1 3 2 0 5 3 3 5 4 6 7 9 7 8 9 6 9 11 9 10 11 0 1 7 0 7 6 1 2 8 1 8 7 "
                           "2 3 9 2 9 8 3 4 10 3 10 9 "
                           "4 5 11 4 11 10 5 0 6 5 6 11'";
static const char ball[] = "builtin='sphere' params='1'";
static const char frustum[] = "builtin='cone' params='5 .3'";

static snModel* tryField(const char* mesh, const char* type, snWarnings* warnings, bool strict,
                         snError* error)
{
    char text[4000];
    snprintf(text, sizeof text,
             "<mujoco><asset><mesh name='M' %s/></asset><worldbody><body><freejoint/>"
             "<geom type='%s' mesh='M' contype='0' conaffinity='0'/></body></worldbody></mujoco>",
             mesh, type);
    const snLoadOptions options = {.warnings = warnings, .strict = strict};
    return sn_loadModelText(text, strlen(text), NULL, 0, &options, error);
}

static snModel* loadField(const char* mesh)
{
    snError error = {0};
    snModel* m = tryField(mesh, "sdf", NULL, false, &error);
    if (!m) fail_msg("%s", error.message);
    assert_true(sn_hasField(m, 0));
    return m;
}

static double next(unsigned* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

static double longestSide(const snModel* m)
{
    const double* half = m->geom_aabb + 3;
    return 2 * fmax(half[0], fmax(half[1], half[2]));
}

// Signed distance by all triangles.
static double plainDistance(const snModel* m, snVec3 p)
{
    snTriangles t = sn_meshTriangles(m, 0);
    t.nodes = 0; // no tree

    const double square = sn_nearestOfTriangles(&t, p).square;
    double angle = 0;
    for (int f = 0; f < t.count; f++) {
        snVec3 v[3];
        for (int k = 0; k < 3; k++) {
            const float* x = t.vert + 3 * (size_t)t.face[3 * f + k];
            v[k] = sn_v3Sub(sn_v3((double)x[0], (double)x[1], (double)x[2]), p);
        }
        const double a = sn_v3Norm(v[0]), b = sn_v3Norm(v[1]), c = sn_v3Norm(v[2]);
        angle += 2 * atan2(sn_v3Dot(v[0], sn_v3Cross(v[1], v[2])), a * b * c + sn_v3Dot(v[0], v[1]) * c +
                                                                       sn_v3Dot(v[1], v[2]) * a +
                                                                       sn_v3Dot(v[2], v[0]) * b);
    }
    return fabs(angle) > 2 * M_PI ? -sqrt(square) : sqrt(square);
}

// A point in the box of the field or beside it; every second one within a hundredth of the surface.
static snVec3 somewhere(const snModel* m, int i, unsigned* seed)
{
    const double* b = m->mesh_sdfbox;
    if (i % 2)
        return sn_v3(b[0] + 1.1 * b[3] * next(seed), b[1] + 1.1 * b[4] * next(seed),
                     b[2] + 1.1 * b[5] * next(seed));
    const snTriangles t = sn_meshTriangles(m, 0);
    const int face = (int)(0.5 * (1 + next(seed)) * t.count) % t.count;
    double u = 0.5 * (1 + next(seed)), v = 0.5 * (1 + next(seed)), p[3];
    if (u + v > 1) u = 1 - u, v = 1 - v;
    for (int k = 0; k < 3; k++) {
        double x[3];
        for (int j = 0; j < 3; j++) x[j] = (double)t.vert[3 * (size_t)t.face[3 * face + j] + (size_t)k];
        p[k] = x[0] + u * (x[1] - x[0]) + v * (x[2] - x[0]) + 0.01 * longestSide(m) * next(seed);
    }
    return sn_v3Load(p);
}

static void itIsTheDistanceToTheTriangles(void** state)
{
    (void)state;
    const char* const meshes[] = {box, wall, ball, frustum};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        snModel* m = loadField(meshes[i]);
        unsigned seed = 1;
        const double side = longestSide(m);
        for (int k = 0; k < (SANITIZED ? 100 : 1000); k++) {
            const snVec3 at = somewhere(m, k, &seed);
            const double p[3] = {at.x, at.y, at.z}, plain = plainDistance(m, at);
            const double distance = sn_sdfDistance(m, NULL, 0, p, NULL);
            const double most = fabs(plain) < 0.1 * side ? 1e-3 : 2e-3;
            if (!(fabs(distance - plain) <= most * side))
                fail_msg("mesh %zu at %.4f %.4f %.4f: %.5f, by triangles %.5f, side %.3f", i, p[0], p[1],
                         p[2], distance, plain, side);
        }
        assert_true(m->mesh_sdferror[0] <= 1e-3 * side);
        sn_deleteModel(m);
    }
}

// Within a leaf the gradient is that of the distance; its length is nearly 1.
static void theGradientIsThatOfTheDistance(void** state)
{
    (void)state;
    const char* const meshes[] = {box, ball};
    const double h = 1e-6;
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        snModel* m = loadField(meshes[i]);
        unsigned seed = 2;
        int off = 0, steep = 0;
        for (int k = 0; k < 500; k++) {
            const snVec3 at = somewhere(m, k, &seed);
            const double p[3] = {at.x, at.y, at.z};
            double gradient[3], q[3];
            sn_fieldDistance(m, 0, p, gradient);
            for (int j = 0; j < 3; j++) {
                memcpy(q, p, sizeof q);
                q[j] += h;
                const double more = sn_fieldDistance(m, 0, q, NULL);
                q[j] -= 2 * h;
                off += fabs((more - sn_fieldDistance(m, 0, q, NULL)) / (2 * h) - gradient[j]) > 1e-6;
            }
            steep += fabs(sn_v3Norm(sn_v3Load(gradient)) - 1) > 0.1;
        }
        assert_true(off <= 5); // steps from a leaf to the next
        assert_true(steep <= 25);
        sn_deleteModel(m);
    }
}

// The number of warnings, the first of which has these words.
static int warningsOf(const char* mesh, const char* words)
{
    snWarnings warnings = {0};
    snModel* m = tryField(mesh, "sdf", &warnings, false, NULL);
    assert_non_null(m);
    const int count = warnings.count;
    if (count && !strstr(warnings.list[0].message, words)) fail_msg("%s", warnings.list[0].message);
    sn_freeWarnings(&warnings);
    sn_deleteModel(m);
    return count;
}

static void whatHasNoInsideIsTold(void** state)
{
    (void)state;
    assert_int_equal(warningsOf(box, ""), 0);
    assert_int_equal(warningsOf(open_box, "edges that belong to one triangle: 3,"), 1);
    assert_int_equal(warningsOf(turned, "turned against each other: 3,"), 1);
    assert_int_equal(warningsOf(doubled, "to more: 18;"), 1);
    assert_int_equal(warningsOf(inverted, "inside out"), 1);
    assert_int_equal(warningsOf(crossing, "crosses itself"), 1);
    snError error;
    assert_null(tryField(open_box, "sdf", NULL, true, &error));
    assert_non_null(strstr(error.message, "is not closed"));
    snModel* m = tryField(open_box, "mesh", NULL, true, &error); // of which no field is made
    assert_int_equal(m->nsdfnode, 0);
    assert_int_equal(m->mesh_sdfadr[0], -1);
    sn_deleteModel(m);
}

// A mesh turned over is the same solid, and so is an open one but near its hole.
static void theInsideIsFound(void** state)
{
    (void)state;
    const char* const meshes[] = {box, inverted, doubled, turned, open_box};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        snModel* m = loadField(meshes[i]);
        const double inner[3] = {0, 0, 0}, outer[3] = {0.2, 0.29, 0.52};
        assert_true(sn_fieldDistance(m, 0, inner, NULL) < -0.2);
        assert_true(sn_fieldDistance(m, 0, outer, NULL) > 0.01);
        sn_deleteModel(m);
    }
}

static void everyTimeTheSame(void** state)
{
    (void)state;
    snModel *a = loadField(ball), *b = loadField(ball);
    assert_int_equal(sn_compareModel(a, b), -1);
    sn_deleteModel(a);
    sn_deleteModel(b);
}

static void noNumberIsNowhere(void** state)
{
    (void)state;
    snModel* m = loadField(box);
    const double p[3] = {0, NAN, 0}, far[3] = {1e30, 0, 0};
    double gradient[3] = {1, 1, 1};
    assert_true(sn_fieldDistance(m, 0, p, gradient) == HUGE_VAL);
    assert_true(gradient[0] == 0 && gradient[1] == 0 && gradient[2] == 0);
    assert_true(sn_fieldDistance(m, 0, far, gradient) > 9e29);
    sn_deleteModel(m);
}

// Children of a tree that would lead astray are found.
static void harmedTreesAreRefused(void** state)
{
    (void)state;
    snModel* m = loadField(box);
    int leaf = 0;
    while (m->sdf_child[leaf] >= 0) leaf++;
    const struct {
        int *at, value;
    } cases[] = {{&m->sdf_child[0], 0},
                 {&m->sdf_child[0], m->nsdfnode - 7},
                 {&m->sdf_child[leaf], -1 - 8 * m->nsdfsheet},
                 {&m->sdf_child[leaf], INT32_MIN},
                 {&m->mesh_sdfnum[0], 3},
                 {&m->mesh_sdfnum[0], -1},
                 {&m->mesh_sheetnum[0], 1},
                 {&m->mesh_sheetadr[0], 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int kept = *cases[i].at;
        *cases[i].at = cases[i].value;
        if (sn_validateModel(m, NULL) == SN_STATUS_OK) fail_msg("case %zu passes", i);
        *cases[i].at = kept;
    }
    assert_int_equal(sn_validateModel(m, NULL), SN_STATUS_OK);
    sn_deleteModel(m);
}

#ifdef SN_TEST_HOOKS
static void memoryMayRunOut(void** state)
{
    (void)state;
    for (int n = 0;; n += 1 + n / 8) {
        int left = n;
        sn_setAllocHook(countdown, &left);
        snError error = {0};
        snModel* m = tryField(crossing, "sdf", NULL, false, &error);
        sn_setAllocHook(NULL, NULL);
        if (m) {
            sn_deleteModel(m);
            break;
        }
        assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
    }
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(itIsTheDistanceToTheTriangles),
        cmocka_unit_test(theGradientIsThatOfTheDistance),
        cmocka_unit_test(whatHasNoInsideIsTold),
        cmocka_unit_test(theInsideIsFound),
        cmocka_unit_test(everyTimeTheSame),
        cmocka_unit_test(noNumberIsNowhere),
        cmocka_unit_test(harmedTreesAreRefused),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(memoryMayRunOut),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
