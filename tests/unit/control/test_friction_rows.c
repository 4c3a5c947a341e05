// What the forces of a contact may be: pyramids, sums, centres of pressure; axes of
// contacts.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "control/limit/contact_frame.h"
#include "control/limit/friction.h"
#include "random_tree.h"

enum { ROWS = 256, COLUMNS = 30 };

typedef struct Bounds {
    int count;
    double A[ROWS * COLUMNS], lower[ROWS], upper[ROWS];
} Bounds;

static snContactSettings foot(void)
{
    snContactSettings c;
    sn_defaultContact(&c);
    const double point[4][3] = {
        {0.1, 0.05, -0.02}, {0.1, -0.05, -0.02}, {-0.1, 0.05, -0.02}, {-0.1, -0.05, -0.02}};
    c.npoint = 4;
    memcpy(c.point, point, sizeof point);
    c.mu = 0.3;
    c.force_min = 5;
    c.force_max = 1000;
    return c;
}

static void fill(const snContactSettings* c, double scale, Bounds* b)
{
    for (int e = 0; e < ROWS * COLUMNS; e++) b->A[e] = 7;
    b->count = sn_frictionRows(c, NULL, scale, COLUMNS, b->A, b->lower, b->upper);
    assert_int_equal(b->count, sn_frictionRowCount(c));
    for (int r = 0; r < b->count; r++) {
        assert_true(b->lower[r] <= b->upper[r]);
        for (int e = 0; e < COLUMNS; e++)
            if (e < 3 * c->npoint)
                assert_true(isfinite(b->A[r * COLUMNS + e]));
            else
                assert_true(b->A[r * COLUMNS + e] == 7);
    }
}

// How far f is outside of the rows at most.
static double violation(const Bounds* b, const double* f, int size)
{
    double most = -INFINITY;
    for (int r = 0; r < b->count; r++) {
        double value = 0;
        for (int e = 0; e < size; e++) value += b->A[r * COLUMNS + e] * f[e];
        most = fmax(most, fmax(b->lower[r] - value, value - b->upper[r]));
    }
    return most;
}

// TSID's contact of four points: 16 facets and one sum, 17 rows.
static void test_pyramid(void** state)
{
    (void)state;
    const snContactSettings c = foot();
    static Bounds b;
    fill(&c, 1, &b);
    assert_int_equal(b.count, 17);
    assert_int_equal(sn_frictionRowCount(&c), 17);
    Random random = {1};
    for (int k = 0; k < 2000; k++) {
        double f[12], sum = 0, outside = -INFINITY;
        for (int i = 0; i < 4; i++) {
            f[3 * i + 2] = 200 + 250 * randomReal(&random);
            for (int e = 0; e < 2; e++) {
                f[3 * i + e] = 40 * randomReal(&random);
                outside = fmax(outside, fabs(f[3 * i + e]) - c.mu * f[3 * i + 2]);
            }
            sum += f[3 * i + 2];
        }
        outside = fmax(outside, fmax(5 - sum, sum - 1000));
        assert_true(fabs(violation(&b, f, 12) - outside) <= 1e-12);
    }
}

static void test_scale(void** state)
{
    (void)state;
    snContactSettings c = foot();
    static Bounds b;
    fill(&c, 0.5, &b);
    assert_true(b.lower[16] == 5 && b.upper[16] == 500);
    fill(&c, 0.001, &b);
    assert_true(b.lower[16] == 1 && b.upper[16] == 1);
    c.force_max = INFINITY;
    fill(&c, 0, &b);
    assert_true(b.lower[16] == 0 && b.upper[16] == 0);
    fill(&c, 0.5, &b);
    assert_true(b.lower[16] == 5 && isinf(b.upper[16]));
}

// Inscribed pyramids: their edges are on the cone, nothing of them is outside.
static void test_inscribed(void** state)
{
    (void)state;
    snContactSettings c = foot();
    c.npoint = 1;
    c.force_min = 0;
    static Bounds b;
    for (int facets = 3; facets <= 12; facets++) {
        if (facets == 4) continue;
        c.facets = facets;
        fill(&c, 1, &b);
        assert_int_equal(b.count, facets + 1);
        for (int k = 0; k < 3600; k++) {
            const double angle = 2 * M_PI * k / 3600;
            const double inner[3] = {0.3 * cos(M_PI / facets) * cos(angle),
                                     0.3 * cos(M_PI / facets) * sin(angle), 1};
            const double outer[3] = {0.3 * cos(angle), 0.3 * sin(angle), 1};
            assert_true(violation(&b, inner, 3) <= 1e-15);
            assert_true(violation(&b, outer, 3) >= -1e-6); // -1e-15 at the edges, between them outside
        }
        const double edge[3] = {0.3 * cos(M_PI / facets), 0.3 * sin(M_PI / facets), 1};
        assert_true(fabs(violation(&b, edge, 3)) <= 1e-15);
        const double pull[3] = {0, 0, -1e-3};
        assert_true(violation(&b, pull, 3) > 0);
    }
}

static void test_frictionless(void** state)
{
    (void)state;
    static Bounds b;
    for (int facets = 0; facets <= 6; facets++) {
        if (facets == 1 || facets == 2) continue;
        snContactSettings c = foot();
        c.npoint = 1;
        c.force_min = 0;
        c.facets = facets;
        c.mu = 0;
        fill(&c, 1, &b);
        assert_true(violation(&b, (double[]){0, 0, 10}, 3) <= 0);
        assert_true(violation(&b, (double[]){1e-9, 0, 10}, 3) > 0);
        assert_true(violation(&b, (double[]){0, -1e-9, 10}, 3) > 0);
        assert_true(violation(&b, (double[]){0, 0, -1e-9}, 3) > 0);
    }
}

static void test_pressure(void** state)
{
    (void)state;
    snContactSettings c = foot();
    const double box[4] = {-0.05, 0.08, -0.02, INFINITY};
    memcpy(c.cop, box, sizeof box);
    c.force_min = 0;
    static Bounds b;
    fill(&c, 1, &b);
    assert_int_equal(b.count, 21);
    Random random = {2};
    int in = 0;
    for (int k = 0; k < 5000; k++) {
        double f[12] = {0}, cop[2];
        for (int i = 0; i < 4; i++) f[3 * i + 2] = 100 * (1 + randomReal(&random));
        sn_contactCop(&c, NULL, f, cop);
        const bool inside = cop[0] >= box[0] && cop[0] <= box[1] && cop[1] >= box[2];
        assert_true(inside == (violation(&b, f, 12) <= 0));
        in += inside;
    }
    assert_true(in > 500 && in < 4500);
    const double none[12] = {0};
    double cop[2];
    sn_contactCop(&c, NULL, none, cop);
    assert_true(isnan(cop[0]) && isnan(cop[1]));
}

// Points that coincide give the same rows.
static void test_coincide(void** state)
{
    (void)state;
    snContactSettings c = foot();
    memcpy(c.point[1], c.point[0], sizeof c.point[0]);
    c.cop[0] = -(c.cop[1] = 0.05);
    static Bounds b;
    fill(&c, 1, &b);
    for (int r = 17; r < b.count; r++) assert_true(b.A[r * COLUMNS + 2] == b.A[r * COLUMNS + 5]);
}

static void expectRotation(const double axes[9])
{
    const snMat3 R = sn_m3Load(axes), one = sn_m3TMulM3(R, R);
    for (int e = 0; e < 9; e++) assert_true(fabs(one.m[e] - (e % 4 == 0)) <= 2e-15);
    assert_true(sn_v3Dot(sn_m3Col(R, 2), sn_v3Cross(sn_m3Col(R, 0), sn_m3Col(R, 1))) > 0);
}

static void test_axes(void** state)
{
    (void)state;
    Random random = {3};
    snContactSettings c = foot();
    double axes[9];
    for (int k = 0; k < 1000; k++) {
        const snQuat q = sn_quatNormalize(
            (snQuat){randomReal(&random), randomReal(&random), randomReal(&random), randomReal(&random)});
        const snMat3 R = sn_quatToMat(q);
        c.normal[0] = c.normal[1] = 0;
        c.normal[2] = 3;
        c.world = false;
        sn_contactAxes(&c, R.m, axes);
        for (int e = 0; e < 9; e++) assert_true(axes[e] == R.m[e]);
        for (int e = 0; e < 3; e++) c.normal[e] = randomReal(&random);
        const snVec3 n = sn_v3Normalize(sn_v3Load(c.normal));
        for (int world = 0; world < 2; world++) {
            c.world = world;
            sn_contactAxes(&c, R.m, axes);
            expectRotation(axes);
            const snVec3 wanted = world ? n : sn_m3Mul(R, n);
            assert_true(sn_v3Norm(sn_v3Sub(sn_m3Col(sn_m3Load(axes), 2), wanted)) <= 1e-15);
            // Points: axes p_c = R p.
            double point[SN_CONTACT_POINTS][3];
            sn_contactPoints(&c, R.m, point);
            for (int i = 0; i < c.npoint; i++) {
                const snVec3 a = sn_m3Mul(sn_m3Load(axes), sn_v3Load(point[i]));
                assert_true(sn_v3Norm(sn_v3Sub(a, sn_m3Mul(R, sn_v3Load(c.point[i])))) <= 3e-16);
            }
        }
    }
    const double special[][3] = {{0, 0, -1}, {1, 0, 0}, {-1, 0, 0},
                                 {0, 1, 0},  {0, 0, 0}, {1e-200, 0, -1e-200}};
    for (int k = 0; k < 6; k++) {
        memcpy(c.normal, special[k], sizeof special[k]);
        sn_contactAxes(&c, sn_m3Identity().m, axes);
        expectRotation(axes);
    }
}

// A normal in world axes: the axes stand still however the frame rolls.
static void test_axes_stand(void** state)
{
    (void)state;
    snContactSettings c = foot();
    c.world = true;
    c.normal[0] = 0.1;
    double first[9], axes[9];
    sn_contactAxes(&c, sn_m3Identity().m, first);
    for (int k = 0; k < 100; k++) {
        const snMat3 R = sn_quatToMat((snQuat){cos(0.05 * k), sin(0.05 * k), 0, 0});
        sn_contactAxes(&c, R.m, axes);
        assert_memory_equal(axes, first, sizeof axes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pyramid),   cmocka_unit_test(test_scale),
        cmocka_unit_test(test_inscribed), cmocka_unit_test(test_frictionless),
        cmocka_unit_test(test_pressure),  cmocka_unit_test(test_coincide),

        cmocka_unit_test(test_axes),      cmocka_unit_test(test_axes_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
