// Shapes, orientations and mass properties against closed forms and against sums over many small parts.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "compile/body/inertia.h"
#include "math/orient.h"
#include "math/eig3.h"
#include "shape/kind.h"

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

// Deterministic numbers in (-1, 1).
static double uniform(unsigned* state)
{
    *state = *state * 1664525u + 1013904223u;
    return 2.0 * (*state >> 8) / 16777216.0 - 1.0;
}

static void test_eig3_rebuilds(void** state)
{
    (void)state;
    unsigned seed = 7;
    for (int trial = 0; trial < 500; trial++) {
        snMat3 A;
        const double scale = pow(10, 6 * uniform(&seed));
        for (int i = 0; i < 3; i++)
            for (int j = i; j < 3; j++) {
                double x = scale * uniform(&seed);
                if (trial % 5 == 0 && i != j) x *= 1e-9; // nearly diagonal
                if (trial % 7 == 0 && i == j) x = scale; // equal diagonal
                A.m[3 * i + j] = A.m[3 * j + i] = x;
            }
        real value[3];
        const snMat3 R = sn_quatToMat(sn_eig3(A, value));
        assert_true(value[0] >= value[1] - 1e-12 && value[1] >= value[2] - 1e-12);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double sum = 0;
                for (int k = 0; k < 3; k++) sum += R.m[3 * i + k] * value[k] * R.m[3 * j + k];
                // the axes may be off by the last turn left out, 1.4e-6 rad, times a spread of 2 scale
                assert_near(sum, A.m[3 * i + j], 3e-6 * scale);
            }
        // the moments are off by its square only
        double trace = 0, squares = 0, norm = 0;
        for (int i = 0; i < 3; i++) {
            trace += value[i] - A.m[4 * i];
            squares += value[i] * value[i];
            for (int j = 0; j < 3; j++) norm += A.m[3 * i + j] * A.m[3 * i + j];
        }
        assert_near(trace, 0, 1e-14 * scale);
        assert_near(squares, norm, 4e-11 * scale * scale);
    }
}

static void test_eig3_keeps_diagonal(void** state)
{
    (void)state;
    const snMat3 A = {{3, 0, 0, 0, 2, 0, 0, 0, 1}};
    real value[3];
    const snQuat q = sn_eig3(A, value);
    assert_true(q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0);
    assert_true(value[0] == 3 && value[1] == 2 && value[2] == 1);
}

static void test_euler_orders(void** state)
{
    (void)state;
    // capitals turn about fixed axes: XYZ of (a, b, c) is zyx of (c, b, a)
    const real abc[3] = {0.1, 0.2, 0.3}, cba[3] = {0.3, 0.2, 0.1};
    const snQuat fixed = sn_orientEuler(abc, "XYZ"), moving = sn_orientEuler(cba, "zyx");
    assert_near(fixed.w, moving.w, 1e-15);
    assert_near(fixed.x, moving.x, 1e-15);
    assert_near(fixed.y, moving.y, 1e-15);
    assert_near(fixed.z, moving.z, 1e-15);
}

static void test_axes(void** state)
{
    (void)state;
    snQuat q;
    const real skew[6] = {0, 2, 0, -1, 5, 0};
    assert_true(sn_orientAxes(skew, &q));
    const snMat3 R = sn_quatToMat(q);
    assert_near(R.m[3], 1, 1e-15); // x along world y
    assert_near(R.m[1], -1, 1e-15);
    assert_near(R.m[8], 1, 1e-15);
    const real parallel[6] = {1, 0, 0, -3, 0, 0}, zero[6] = {0};
    assert_false(sn_orientAxes(parallel, &q));
    assert_false(sn_orientAxes(zero, &q));
    assert_false(sn_orientZ(zero, &q));
    assert_false(sn_orientAxisAngle(zero, &q));
    const real down[3] = {0, 0, -2};
    assert_true(sn_orientZ(down, &q));
    assert_near(sn_quatRotate(q, sn_v3(0, 0, 1)).z, -1, 1e-15);
}

// Whether a point is inside a shape.
static int inside(int type, const real s[3], double x, double y, double z)
{
    switch (type) {
    case SN_GEOM_SPHERE: return x * x + y * y + z * z < s[0] * s[0];
    case SN_GEOM_CAPSULE: {
        const double over = fmax(0, fabs(z) - s[1]);
        return x * x + y * y + over * over < s[0] * s[0];
    }
    case SN_GEOM_CYLINDER: return x * x + y * y < s[0] * s[0] && fabs(z) < s[1];
    case SN_GEOM_ELLIPSOID: return x * x / (s[0] * s[0]) + y * y / (s[1] * s[1]) + z * z / (s[2] * s[2]) < 1;
    default: return fabs(x) < s[0] && fabs(y) < s[1] && fabs(z) < s[2];
    }
}

static real volumeOf(int type, const real size[3], bool shell)
{
    const snSolid solid = {.size = size};
    return shell ? sn_shapeKind(type)->area(&solid) : sn_shapeKind(type)->volume(&solid);
}

static snVec3 inertiaOf(int type, const real size[3], bool shell, real mass)
{
    const snSolid solid = {.size = size};
    return (shell ? sn_shapeKind(type)->shellInertia : sn_shapeKind(type)->inertia)(&solid, mass);
}

static const int shapes[] = {SN_GEOM_SPHERE, SN_GEOM_CAPSULE, SN_GEOM_CYLINDER, SN_GEOM_ELLIPSOID,
                             SN_GEOM_BOX};

static void test_solids_against_cells(void** state)
{
    (void)state;
    const real size[3] = {0.3, 0.5, 0.4};
    for (int k = 0; k < 5; k++) {
        real box[6];
        const snSolid solid = {.size = size};
        sn_shapeKind(shapes[k])->box(&solid, box);
        enum { N = 100 };
        double volume = 0, xx = 0, zz = 0;
        const double cell = 8 * box[3] * box[4] * box[5] / ((double)N * N * N);
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++)
                for (int c = 0; c < N; c++) {
                    const double x = box[3] * (2 * (a + 0.5) / N - 1), y = box[4] * (2 * (b + 0.5) / N - 1),
                                 z = box[5] * (2 * (c + 0.5) / N - 1);
                    if (!inside(shapes[k], size, x, y, z)) continue;
                    volume += cell;
                    xx += cell * (y * y + z * z);
                    zz += cell * (x * x + y * y);
                }
        const real exact = volumeOf(shapes[k], size, false);
        const snVec3 inertia = inertiaOf(shapes[k], size, false, exact);
        // cells cut by the surface: their share falls as 1/N, their errors mostly cancel
        assert_near(volume / exact, 1, 1e-3);
        assert_near(xx / inertia.x, 1, 2e-3);
        assert_near(zz / inertia.z, 1, 2e-3);
    }
}

// A shell is the difference of two solids whose surfaces lie a small step apart. (An ellipsoid grown along
// its axes is a shell of uneven thickness, and that is the one the peer takes.)
static void test_shells_against_solids(void** state)
{
    (void)state;
    const real size[3] = {0.3, 0.5, 0.4};
    const double step = 1e-5;
    for (int k = 0; k < 5; k++) {
        real outer[3] = {size[0] + step, size[1] + step, size[2] + step};
        if (shapes[k] == SN_GEOM_CAPSULE) outer[1] = size[1];
        const double vo = volumeOf(shapes[k], outer, false), vi = volumeOf(shapes[k], size, false);
        const snVec3 io = inertiaOf(shapes[k], outer, false, vo), ii = inertiaOf(shapes[k], size, false, vi);
        const snVec3 shell = inertiaOf(shapes[k], size, true, vo - vi);
        assert_near((io.x - ii.x) / shell.x, 1, 2e-4);
        assert_near((io.y - ii.y) / shell.y, 1, 2e-4);
        assert_near((io.z - ii.z) / shell.z, 1, 2e-4);
        const double area = volumeOf(shapes[k], size, true);
        // Thomsen's area is within 1.1 %, and the uneven thickness of an ellipsoid costs more
        assert_near((vo - vi) / step / area, 1, shapes[k] == SN_GEOM_ELLIPSOID ? 0.05 : 2e-4);
    }
}

static void test_merged_boxes(void** state)
{
    (void)state;
    // two halves of a box, turned as a whole, are the box
    const real half[3] = {0.1, 0.2, 0.15}, whole[3] = {0.2, 0.2, 0.15};
    const real turn[4] = {1, 2, -1, 0.7};
    snQuat q;
    assert_true(sn_orientAxisAngle(turn, &q));
    const snVec3 centre = {1, -2, 3};
    snMassProperties parts[2];
    for (int k = 0; k < 2; k++) {
        const snVec3 offset = sn_quatRotate(q, sn_v3(k ? 0.1 : -0.1, 0, 0));
        parts[k] =
            (snMassProperties){2, {sn_v3Add(centre, offset), q}, inertiaOf(SN_GEOM_BOX, half, false, 2)};
    }
    const snMassProperties merged = sn_mergeMass(parts, 2, sn_eig3);
    const snVec3 exact = inertiaOf(SN_GEOM_BOX, whole, false, 4);
    assert_near(merged.mass, 4, 0);
    assert_near(sn_v3Norm(sn_v3Sub(merged.frame.pos, centre)), 0, 1e-15 * 8);
    // decreasing order: z, then y and x by size
    assert_near(merged.moments.x + merged.moments.y + merged.moments.z, exact.x + exact.y + exact.z, 1e-15);
    assert_near(merged.moments.x, fmax(exact.x, fmax(exact.y, exact.z)), 1e-15);
    assert_near(merged.moments.z, fmin(exact.x, fmin(exact.y, exact.z)), 1e-15);
    const snMassProperties one = sn_mergeMass(parts, 1, sn_eig3);
    assert_true(one.frame.quat.w == q.w && one.moments.x == parts[0].moments.x);
}

static void test_bounds(void** state)
{
    (void)state;
    unsigned seed = 3;
    const real size[3] = {0.3, 0.5, 0.4};
    for (int k = 0; k < 5; k++) {
        real box[6];
        const snSolid solid = {.size = size};
        sn_shapeKind(shapes[k])->box(&solid, box);
        const real radius = sn_shapeKind(shapes[k])->radius(&solid);
        for (int trial = 0; trial < 2000; trial++) {
            const double x = uniform(&seed), y = uniform(&seed), z = uniform(&seed);
            if (!inside(shapes[k], size, x, y, z)) continue;
            assert_true(fabs(x) <= box[3] && fabs(y) <= box[4] && fabs(z) <= box[5]);
            assert_true(x * x + y * y + z * z <= radius * radius);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eig3_rebuilds),        cmocka_unit_test(test_eig3_keeps_diagonal),
        cmocka_unit_test(test_euler_orders),         cmocka_unit_test(test_axes),
        cmocka_unit_test(test_solids_against_cells), cmocka_unit_test(test_shells_against_solids),
        cmocka_unit_test(test_merged_boxes),         cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
