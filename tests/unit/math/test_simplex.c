// sn_nearestInSimplex by what marks the nearest point x of a convex set: no corner c is before the plane
// through x square to p - x.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <string.h>
#include "math/simplex.h"
#include "random_tree.h"

static snVec3 randomPoint(Random* r, double size)
{
    const double x = size * randomReal(r), y = size * randomReal(r);
    return sn_v3(x, y, size * randomReal(r));
}

static void check(const snVec3* corner, int count, snVec3 p)
{
    double weight[4], sum = 0;
    const snVec3 x = sn_nearestInSimplex(corner, count, p, weight), off = sn_v3Sub(p, x);
    snVec3 mean = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        assert_true(weight[i] >= 0);
        sum += weight[i];
        mean = sn_v3AddScaled(mean, weight[i], corner[i]);
        assert_true(sn_v3Dot(off, sn_v3Sub(corner[i], x)) < 1e-11);
    }
    assert_true(fabs(sum - 1) < 1e-15);
    assert_true(sn_v3Norm(sn_v3Sub(mean, x)) < 1e-14);
}

static void test_nearest(void** state)
{
    (void)state;
    Random r = {7};
    for (int i = 0; i < 20000; i++) {
        snVec3 corner[4];
        const int count = 1 + i % 4;
        for (int k = 0; k < count; k++) corner[k] = randomPoint(&r, 1);
        check(corner, count, randomPoint(&r, i % 3 ? 2 : 0.2));
    }
}

// In a line, in a plane, in a point
static void test_flat(void** state)
{
    (void)state;
    Random r = {8};
    for (int i = 0; i < 2000; i++) {
        const snVec3 a = randomPoint(&r, 1), b = randomPoint(&r, 1), middle = sn_v3Scale(sn_v3Add(a, b), 0.5);
        const snVec3 line[4] = {a, middle, b, a}, point[4] = {a, a, a, a}, p = randomPoint(&r, 2);
        for (int count = 3; count <= 4; count++) {
            check(line, count, p);
            check(point, count, p);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nearest), cmocka_unit_test(test_flat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
