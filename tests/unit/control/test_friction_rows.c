// What the forces of a contact may be: pyramids, cones by planes, sums, centres of pressure; axes of
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

static void fill(const snContactSettings* c, const double* f, double scale, Bounds* b)
{
    for (int e = 0; e < ROWS * COLUMNS; e++) b->A[e] = 7;
    b->count = sn_frictionRows(c, NULL, f, scale, COLUMNS, b->A, b->lower, b->upper);
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
    fill(&c, NULL, 1, &b);
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
    fill(&c, NULL, 0.5, &b);
    assert_true(b.lower[16] == 5 && b.upper[16] == 500);
    fill(&c, NULL, 0.001, &b);
    assert_true(b.lower[16] == 1 && b.upper[16] == 1);
    c.force_max = INFINITY;
    fill(&c, NULL, 0, &b);
    assert_true(b.lower[16] == 0 && b.upper[16] == 0);
    fill(&c, NULL, 0.5, &b);
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
        fill(&c, NULL, 1, &b);
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
        fill(&c, NULL, 1, &b);
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
    fill(&c, NULL, 1, &b);
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
    fill(&c, NULL, 1, &b);
    for (int r = 17; r < b.count; r++) assert_true(b.A[r * COLUMNS + 2] == b.A[r * COLUMNS + 5]);
}

static double cost(const snMat3 W, const double* f, const double* target)
{
    const snVec3 e = sn_v3Sub(sn_v3Load(f), sn_v3Load(target));
    return 0.5 * sn_v3Dot(e, sn_m3Mul(W, e));
}

// The point nearest to the target on the planes `set` (count 0 to 2, through 0); false: they do not meet
// well.
static bool nearest(const Bounds* b, snMat3 inverse, const double* target, const int* set, int count,
                    double* f)
{
    snVec3 x = sn_v3Load(target);
    if (count == 3) {
        sn_v3Store(f, (snVec3){0, 0, 0});
        return true;
    }
    snVec3 n[2], Wn[2];
    for (int k = 0; k < count; k++) {
        n[k] = sn_v3Load(b->A + set[k] * COLUMNS);
        Wn[k] = sn_m3Mul(inverse, n[k]);
    }
    if (count == 1) {
        x = sn_v3Sub(x, sn_v3Scale(Wn[0], sn_v3Dot(n[0], x) / sn_v3Dot(n[0], Wn[0])));
    } else if (count == 2) {
        // The line n0 x n1.
        const snVec3 line = sn_v3Cross(n[0], n[1]);
        if (sn_v3Norm(line) < 1e-14) return false;
        const snVec3 unit = sn_v3Normalize(line);
        const double a = sn_v3Dot(n[0], Wn[0]), bb = sn_v3Dot(n[0], Wn[1]), c = sn_v3Dot(n[1], Wn[1]);
        const double det = a * c - bb * bb, u = sn_v3Dot(n[0], x), v = sn_v3Dot(n[1], x);
        x = sn_v3Sub(x, sn_v3Scale(Wn[0], (c * u - bb * v) / det));
        x = sn_v3Sub(x, sn_v3Scale(Wn[1], (a * v - bb * u) / det));
        x = sn_v3Scale(unit, sn_v3Dot(unit, x)); // what rounding left beside the line
    }
    sn_v3Store(f, x);
    return true;
}

// argmin (f - target)'W(f - target)/2 over the planes of one point, by trying them all alone and in pairs.
static double project(const Bounds* b, int planes, snMat3 W, snMat3 inverse, const double* target,
                      double* best)
{
    double least = INFINITY;
    for (int i = -2; i < planes; i++)
        for (int k = -1; k < (i < 0 ? 0 : i); k++) {
            double f[3];
            const int set[2] = {i, k}, count = i == -2 ? 0 : i == -1 ? 3 : k < 0 ? 1 : 2;
            if (!nearest(b, inverse, target, set, count, f)) continue;
            const double value = cost(W, f, target);
            if (violation(b, f, 3) > 1e-13 * (1 + fabs(f[2])) || !(value < least)) continue;
            least = value;
            memcpy(best, f, 3 * sizeof *f);
        }
    return least;
}

// The least cost over the cone itself: along each direction in closed form, then the best direction.
static double onRay(snMat3 W, const double* target, double mu, double angle)
{
    const double ray[3] = {mu * cos(angle), mu * sin(angle), 1};
    const snVec3 Wr = sn_m3Mul(W, sn_v3Load(ray));
    const double length = fmax(0, sn_v3Dot(Wr, sn_v3Load(target)) / sn_v3Dot(Wr, sn_v3Load(ray)));
    const double f[3] = {length * ray[0], length * ray[1], length};
    return cost(W, f, target);
}

static double leastOnCone(snMat3 W, const double* target, double mu)
{
    double best = INFINITY, at = 0;
    for (int k = 0; k < 720; k++) {
        const double value = onRay(W, target, mu, M_PI * k / 360);
        if (value < best) best = value, at = M_PI * k / 360;
    }
    for (double width = M_PI / 360; width > 1e-9; width *= 0.7)
        for (int side = -1; side <= 1; side += 2) {
            const double value = onRay(W, target, mu, at + side * width);
            if (value < best) best = value, at += side * width;
        }
    return best;
}

// The iteration ends on the cone, in few rounds, at its optimum.
static void test_cone(void** state)
{
    (void)state;
    Random random = {5};
    snContactSettings c = foot();
    c.npoint = 1;
    c.facets = 0;
    c.force_min = 0;
    c.force_max = INFINITY;
    static Bounds b;
    int most = 0, outside = 0;
    for (int k = 0; k < 300; k++) {
        c.mu = 0.05 + 0.5 * (1 + randomReal(&random));
        // W = L L', inverse by its adjugate.
        const double s = k % 2 ? 0.9 : 0, x = s * randomReal(&random), y = s * randomReal(&random);
        const double z = s * randomReal(&random);
        const snMat3 L = {{1, 0, 0, x, 1, 0, y, z, 1}};
        const snMat3 Li = {{1, 0, 0, -x, 1, 0, x * z - y, -z, 1}};
        const snMat3 W = sn_m3MulM3(L, sn_m3Transpose(L)), inverse = sn_m3MulM3(sn_m3Transpose(Li), Li);
        double target[3], f[3], last[3] = {0, 0, 0};
        for (int e = 0; e < 3; e++) target[e] = 10 * randomReal(&random);
        int round = 0;
        double value;
        do {
            fill(&c, last, 1, &b);
            value = project(&b, b.count - 1, W, inverse, target, f);
            assert_true(isfinite(value));
            if (f[2] > 0) memcpy(last, f, sizeof last);
            round++;
        } while (sn_coneViolation(&c, f) > 1e-12 * (1 + fabs(f[2])) && round < 50);
        most = round > most ? round : most;
        assert_true(round <= 16);
        if (sn_coneViolation(&c, target) <= 0) {
            assert_true(value <= 1e-20);
            continue;
        }
        outside++;
        const double exact = leastOnCone(W, target, c.mu);
        assert_true(value >= exact - 1e-12 * (1 + exact));
        assert_true(value <= exact + 1e-6 * (1 + exact));
        // Once more from there: it stays.
        double again[3];
        fill(&c, last, 1, &b);
        project(&b, b.count - 1, W, inverse, target, again);
        assert_true(sn_coneViolation(&c, again) <= 1e-12 * (1 + fabs(f[2])));
    }
    assert_true(outside > 200);
    print_message("rounds at most: %d\n", most);
}

// No force of a contact outside of all its cone's planes is allowed to pull.
static void test_cone_bounded(void** state)
{
    (void)state;
    Random random = {6};
    snContactSettings c = foot();
    c.facets = 0;
    c.npoint = 1;
    c.force_min = 0;
    static Bounds b;
    for (int k = 0; k < 2000; k++) {
        double f[3], other[3];
        for (int e = 0; e < 3; e++) f[e] = randomReal(&random), other[e] = randomReal(&random);
        other[2] = -fabs(other[2]);
        fill(&c, f, 1, &b);
        assert_true(violation(&b, other, 3) > 0);
        const double rest[3] = {0, 0, fabs(f[2])};
        assert_true(violation(&b, rest, 3) <= 0);
    }
}

static void test_violation(void** state)
{
    (void)state;
    snContactSettings c = foot();
    c.npoint = 2;
    c.mu = 0.5;
    const double f[6] = {3, 4, 10, 0.3, 0.4, 0.5};
    assert_true(fabs(sn_coneViolation(&c, f) - 0.25) <= 1e-15);
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
        cmocka_unit_test(test_pyramid),    cmocka_unit_test(test_scale),
        cmocka_unit_test(test_inscribed),  cmocka_unit_test(test_frictionless),
        cmocka_unit_test(test_pressure),   cmocka_unit_test(test_coincide),
        cmocka_unit_test(test_cone),       cmocka_unit_test(test_cone_bounded),
        cmocka_unit_test(test_violation),  cmocka_unit_test(test_axes),
        cmocka_unit_test(test_axes_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
