// Rays: what they hit lies on the surface, nothing before it does; meshes and height fields by hand.
#include <sinew/sinew.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include "model/asset.h"
#include "shape/ray.h"
#include <cmocka.h>

static double rayShape(const snRay* ray, int type, snVec3 size)
{
    const snSurface surface = {.size = size};
    return sn_rayShape(ray, type, &surface);
}

static double rayMesh(const snModel* m, const snRay* ray)
{
    const snSurface surface = {.mesh = sn_meshTriangles(m, 0)};
    return sn_rayShape(ray, SN_GEOM_MESH, &surface);
}

static double rayField(const snModel* m, const snRay* ray)
{
    const snSurface surface = {.field = sn_heightField(m, 0)};
    return sn_rayShape(ray, SN_GEOM_HFIELD, &surface);
}

static uint64_t seed = 1;
static double uniform(double lo, double hi)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return lo + (hi - lo) * (double)(seed >> 11) / 9007199254740992.0;
}
static snVec3 randomVec(double size)
{
    return sn_v3(uniform(-size, size), uniform(-size, size), uniform(-size, size));
}

// Positive outside, negative inside, in the frame of the shape
static double level(int type, snVec3 s, snVec3 p)
{
    const double rho = sqrt(p.x * p.x + p.y * p.y);
    switch (type) {
    case SN_GEOM_SPHERE: return sn_v3Norm(p) - s.x;
    case SN_GEOM_CAPSULE: return sn_v3Norm(sn_v3(p.x, p.y, fmax(fabs(p.z) - s.y, 0))) - s.x;
    case SN_GEOM_ELLIPSOID: return sn_v3Norm(sn_v3(p.x / s.x, p.y / s.y, p.z / s.z)) - 1;
    case SN_GEOM_CYLINDER: return fmax(rho - s.x, fabs(p.z) - s.y);
    default: return fmax(fabs(p.x) - s.x, fmax(fabs(p.y) - s.y, fabs(p.z) - s.z));
    }
}

static void theFirstCrossingIsFound(void** state)
{
    (void)state;
    int hits = 0;
    for (int type = SN_GEOM_SPHERE; type <= SN_GEOM_BOX; type++)
        for (int k = 0; k < 400; k++) {
            const snVec3 size = sn_v3(uniform(0.2, 1), uniform(0.2, 1), uniform(0.2, 1));
            const snRay ray = {randomVec(1.5), randomVec(2)};
            const double x = rayShape(&ray, type, size);
            const double side = level(type, size, ray.p);
            for (int i = 1; i < 200; i++) { // no crossing before
                const double at = x < 0 ? 0.02 * i : x * i / 200;
                assert_true(side * level(type, size, sn_rayAt(&ray, at)) > -1e-9);
            }
            if (x < 0) continue;
            hits++;
            assert_true(fabs(level(type, size, sn_rayAt(&ray, x))) < 1e-9);
        }
    assert_true(hits > 300);
}

static int* sizeOf(int* sizes, const char* name)
{
    int count;
    const char* const* names = sn_modelSizes(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name)) return sizes + i;
    fail();
    return NULL;
}

// A unit cube of twelve triangles without a tree, and a height field whose surface is the plane z = (x +
// 1)/2.
static snModel* meshAndField(void)
{
    static const float corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                       {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const int faces[12][3] = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    int sizes[256] = {0};
    *sizeOf(sizes, "nmesh") = *sizeOf(sizes, "nhfield") = 1;
    *sizeOf(sizes, "nmeshvert") = 8;
    *sizeOf(sizes, "nmeshface") = 12;
    *sizeOf(sizes, "nhfielddata") = 12;
    snModel* m = sn_makeModel(sizes, NULL);
    assert_non_null(m);
    memcpy(m->mesh_vert, corner, sizeof corner);
    memcpy(m->mesh_face, faces, sizeof faces);
    m->mesh_vertnum[0] = 8;
    m->mesh_facenum[0] = 12;
    m->mesh_bvhadr[0] = m->mesh_graphadr[0] = -1;
    m->hfield_nrow[0] = 3;
    m->hfield_ncol[0] = 4;
    const double size[4] = {1, 1, 1, 0.5};
    memcpy(m->hfield_size, size, sizeof size);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) m->hfield_data[4 * r + c] = (float)c / 3;
    return m;
}

static void aMeshIsItsTriangles(void** state)
{
    (void)state;
    snModel* m = meshAndField();
    const snVec3 centre = sn_v3(0.5, 0.5, 0.5);
    for (int k = 0; k < 500; k++) {
        const snRay ray = {randomVec(2), randomVec(1)};
        const snRay box = {sn_v3Sub(ray.p, centre), ray.v};
        const double x = rayMesh(m, &ray), expected = rayShape(&box, SN_GEOM_BOX, centre);
        assert_true(fabs(x - expected) < 1e-10 * (1 + fabs(x)));
    }
    sn_deleteModel(m);
}

static void aSlopeIsAPlane(void** state)
{
    (void)state;
    snModel* m = meshAndField();
    for (int k = 0; k < 500; k++) { // from above, straight down and slanted within the field
        const snVec3 to = sn_v3(uniform(-1, 1), uniform(-1, 1), 0);
        const snVec3 top = sn_v3(to.x, to.y, 0.5 * (to.x + 1));
        const snVec3 from = sn_v3(uniform(-1, 1), uniform(-1, 1), uniform(1.1, 3));
        const snRay slanted = {from, sn_v3Sub(top, from)}, down = {sn_v3(to.x, to.y, 2), sn_v3(0, 0, -1)};
        assert_true(fabs(rayField(m, &slanted) - 1) < 1e-6); // heights are floats
        assert_true(fabs(rayField(m, &down) - (2 - top.z)) < 1e-6);
    }
    const snRay beside = {sn_v3(3, 0, 0.9), sn_v3(-1, 0, 0)}, above = {sn_v3(-3, 0, 0.2), sn_v3(1, 0, 0)};
    assert_true(fabs(rayField(m, &beside) - 2) < 1e-9);  // the wall at x = 1 is 1 high
    assert_true(fabs(rayField(m, &above) - 2.4) < 1e-6); // over the edge at x = -1, to the slope
    const snRay base = {sn_v3(0, 0, -2), sn_v3(0, 0, 1)}, miss = {sn_v3(0, 0, 3), sn_v3(1, 0, 0)};
    assert_true(fabs(rayField(m, &base) - 1.5) < 1e-9);
    assert_true(rayField(m, &miss) == -1);
    sn_deleteModel(m);
}

static void badRaysHitNothing(void** state)
{
    (void)state;
    snModel* m = meshAndField();
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int place = 0; place < 6; place++) {
            double v[6] = {0.1, 0.2, 2, 0.1, 0.05, -1};
            v[place] = bad[i];
            const snRay ray = {sn_v3Load(v), sn_v3Load(v + 3)};
            for (int type = 0; type < SN_NGEOMTYPE; type++) (void)rayShape(&ray, type, sn_v3(1, 1, 1));
            (void)rayMesh(m, &ray);
            (void)rayField(m, &ray);
        }
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theFirstCrossingIsFound),
        cmocka_unit_test(aMeshIsItsTriangles),
        cmocka_unit_test(aSlopeIsAPlane),
        cmocka_unit_test(badRaysHitNothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
