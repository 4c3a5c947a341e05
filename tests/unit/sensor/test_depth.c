// Depths in geoms: their sign, boxes against a ray, and points that have no direction.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "../random_tree.h"
#include "sensor/depth.h"
#include "shape/volume.h"

static double size[3] = {0.3, 0.5, 0.4};
static const int types[] = {SN_GEOM_SPHERE, SN_GEOM_CAPSULE, SN_GEOM_CYLINDER, SN_GEOM_ELLIPSOID,
                            SN_GEOM_BOX};
enum { TYPES = sizeof types / sizeof *types };

static double depth(int type, snVec3 p)
{
    double at[3];
    sn_v3Store(at, p);
    const snModel m = {.ngeom = 1, .geom_type = &type, .geom_size = size};
    return sn_depthIn(&m, NULL, 0, at);
}

static void test_it_is_positive_inside(void** state)
{
    (void)state;
    Random r = {7};
    for (int i = 0; i < TYPES * 4000; i++) {
        const int type = types[i % TYPES];
        const snVec3 p = randomVec(&r, 0.8);
        assert_int_equal(depth(type, p) > 0, sn_shapeHolds(type, size, p));
    }
}

// A ball of that radius stays inside.
static void test_it_is_the_way_out(void** state)
{
    (void)state;
    static const int exact[] = {SN_GEOM_SPHERE, SN_GEOM_CAPSULE, SN_GEOM_CYLINDER};
    Random r = {9};
    for (int i = 0; i < 6000; i++) {
        const int type = exact[i % 3];
        const snVec3 p = randomVec(&r, 0.5), u = sn_v3Normalize(randomVec(&r, 1));
        const double d = depth(type, p);
        if (d > 0) assert_true(sn_shapeHolds(type, size, sn_v3AddScaled(p, d * (1 - 1e-12), u)));
    }
}

// Near the surface that in an ellipsoid is right to second order.
static void test_in_ellipsoids_it_begins_with_the_distance(void** state)
{
    (void)state;
    Random r = {8};
    for (int i = 0; i < 4000; i++) {
        const snVec3 n = sn_v3Normalize(randomVec(&r, 1)),
                     on = sn_v3(n.x * size[0], n.y * size[1], n.z * size[2]);
        const snVec3 inwards = sn_v3Normalize(sn_v3(-n.x / size[0], -n.y / size[1], -n.z / size[2]));
        assert_true(fabs(depth(SN_GEOM_ELLIPSOID, on)) < 1e-15);
        assert_true(fabs(depth(SN_GEOM_ELLIPSOID, sn_v3AddScaled(on, 1e-4, inwards)) - 1e-4) < 1e-6);
    }
}

// The ray ends on the surface, in the middle of the box in that of a cube.
static void test_boxes(void** state)
{
    (void)state;
    Random r = {10};
    assert_true(fabs(depth(SN_GEOM_BOX, sn_v3(0, 0, 0)) - 0.3 * sqrt(3)) < 1e-15);
    for (int i = 0; i < 4000; i++) {
        const snVec3 p = sn_v3(0.3 * randomReal(&r), 0.5 * randomReal(&r), 0.4 * randomReal(&r));
        const double b[3] = {0.3 - fabs(p.x), 0.5 - fabs(p.y), 0.4 - fabs(p.z)}, d = depth(SN_GEOM_BOX, p);
        const snVec3 w = sn_v3Normalize(sn_v3(size[0] / b[0], size[1] / b[1], size[2] / b[2]));
        const double left[3] = {b[0] - d * w.x, b[1] - d * w.y, b[2] - d * w.z};
        assert_true(fabs(fmin(left[0], fmin(left[1], left[2]))) < 1e-12);
    }
}

static void test_it_is_a_number_where_there_is_no_direction(void** state)
{
    (void)state;
    for (int i = 0; i < TYPES; i++)
        for (int k = 0; k < 27; k++)
            assert_true(isfinite(depth(
                types[i], sn_v3(size[0] * (k % 3 - 1), size[1] * (k / 3 % 3 - 1), size[2] * (k / 9 - 1)))));
    assert_true(depth(SN_GEOM_ELLIPSOID, sn_v3(0, 0, 0)) == 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_positive_inside),
        cmocka_unit_test(test_it_is_the_way_out),
        cmocka_unit_test(test_in_ellipsoids_it_begins_with_the_distance),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_it_is_a_number_where_there_is_no_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
