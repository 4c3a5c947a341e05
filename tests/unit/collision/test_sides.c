// Four corners of a side: of the largest area among all, or nearly so where there are many.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "collision/convex/side.h"

static const snVec3 up = {0.36, 0.48, 0.8}; // the normal of all

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

// (x, y) in the plane
static snVec3 inPlane(double x, double y)
{
    const snVec3 t = {0.8, -0.6, 0}, u = sn_v3Cross(up, t);
    return sn_v3AddScaled(sn_v3Scale(t, x), y, u);
}

// Corners on an ellipse at random angles, in order.
static void setEllipse(snSide* side, int count, double width, uint64_t* seed)
{
    double angle = 0, sum = 0, step[SN_MOST_CORNERS];
    for (int k = 0; k < count; k++) sum += step[k] = 0.05 + uniform(seed);
    side->count = count;
    for (int k = 0; k < count; k++) {
        side->v[k] = inPlane(cos(angle), width * sin(angle));
        angle += 2 * SN_PI * step[k] / sum;
    }
}

static double areaOf(snVec3 a, snVec3 b, snVec3 c, snVec3 d)
{
    return 0.5 * fabs(sn_v3Dot(up, sn_v3Cross(sn_v3Sub(c, a), sn_v3Sub(d, b))));
}

// By trying all diagonals with all corners on both sides.
static double largest(const snSide* side)
{
    double most = 0;
    const snVec3* v = side->v;
    for (int i = 0; i < side->count; i++)
        for (int j = i + 2; j < side->count; j++) {
            double far[2] = {0, 0};
            for (int k = 0; k < side->count; k++)
                if (k != i && k != j)
                    far[k > i && k < j] = fmax(far[k > i && k < j], areaOf(v[i], v[i], v[j], v[k]));
            most = fmax(most, far[0] + far[1]);
        }
    return most;
}

static void test_largest_area(void** state)
{
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 400; trial++) {
        const int count = 5 + trial % (trial % 3 ? 28 : 124);
        snSide side;
        setEllipse(&side, count, 0.02 + uniform(&seed), &seed);
        const double most = largest(&side);
        sn_fourCorners(&side, up);
        assert_int_equal(side.count, 4);
        const double area = areaOf(side.v[0], side.v[1], side.v[2], side.v[3]);
        // of more than 32 corners those that are farthest in as many directions
        assert_true(area > (count <= 32 ? 1 - 1e-12 : 0.98) * most && area < (1 + 1e-12) * most);
    }
}

// A round side with one corner far out keeps that, however many the others are.
static void test_a_corner_far_out(void** state)
{
    (void)state;
    for (int count = 6; count <= SN_MOST_CORNERS; count++)
        for (int place = 0; place < count; place += 1 + count / 7) {
            snSide side = {.count = count};
            for (int k = 0; k < count; k++) {
                const double angle = SN_PI / 3 + 4 * SN_PI / 3 * k / (count - 2);
                side.v[(place + 1 + k) % count] = inPlane(0.5 * cos(angle), 0.5 * sin(angle));
            }
            side.v[place] = inPlane(1, 0);
            sn_fourCorners(&side, up);
            int kept = 0;
            for (int k = 0; k < side.count; k++)
                kept += sn_v3Norm(sn_v3Sub(side.v[k], inPlane(1, 0))) < 1e-12;
            assert_int_equal(kept, 1);
        }
}

// Corners at one place count once; where all are there, one is left.
static void test_doubles(void** state)
{
    (void)state;
    snSide side = {.count = 9};
    for (int k = 0; k < 9; k++) side.v[k] = inPlane(1, 2);
    sn_fourCorners(&side, up);
    assert_int_equal(side.count, 1);
    side.count = 9;
    for (int k = 0; k < 9; k++) side.v[k] = inPlane(k / 3 == 1, k / 3 == 2);
    sn_fourCorners(&side, up);
    assert_int_equal(side.count, 3);
    for (int k = 0; k < 3; k++) assert_true(sn_v3Norm(sn_v3Sub(side.v[k], inPlane(k == 1, k == 2))) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_largest_area),
        cmocka_unit_test(test_a_corner_far_out),
        cmocka_unit_test(test_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
