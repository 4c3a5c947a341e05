// Signed distance of convex shapes, checked by what it means: no direction parts the shapes better, and the
// two points lie on the surfaces and are that far apart.
#include <sinew/sinew.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include "collision/analytic/colliders.h"
#include "collision/convex/convex.h"
#include "collision/convex/epa.h"
#include "collision/convex/gjk.h"
#include "math/elementary/elementary.h"
#include <cmocka.h>

#define NTYPE 5
#define TIGHT 1e-12 // shapes are of size 1: a few thousand roundings
static const int types[NTYPE] = {SN_GEOM_SPHERE, SN_GEOM_CAPSULE, SN_GEOM_ELLIPSOID, SN_GEOM_CYLINDER,
                                 SN_GEOM_BOX};

static uint64_t seed;
static double uniform(double lo, double hi)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return lo + (hi - lo) * (double)(seed >> 11) / 9007199254740992.0;
}
// Draws stand in an order of their own: compilers differ in that of arguments.
static snVec3 randomVec(double size)
{
    const double z = uniform(-size, size), y = uniform(-size, size);
    return sn_v3(uniform(-size, size), y, z);
}
// Multiples of a half from `least` / 2 up to below `end` / 2.
static snVec3 onGrid(double least, double end)
{
    const int z = (int)uniform(least, end), y = (int)uniform(least, end);
    return sn_v3((int)uniform(least, end) * 0.5, y * 0.5, z * 0.5);
}
static snVec3 randomUnit(void)
{
    for (;;) {
        const snVec3 v = randomVec(1);
        const double n = sn_v3Norm(v);
        if (n > 0.1 && n < 1) return sn_v3Scale(v, 1 / n);
    }
}
static snQuat randomQuat(void)
{
    const double angle = uniform(-3, 3);
    return sn_quatAxisAngle(randomUnit(), angle);
}
static snShape randomShape(int type, double size)
{
    snShape shape = {.type = type, .geom = -1};
    shape.pos = randomVec(size * 0.6);
    shape.mat = sn_quatToMat(randomQuat());
    const double z = uniform(0.2, 1) * size, y = uniform(0.2, 1) * size;
    shape.size = sn_v3(uniform(0.2, 1) * size, y, z);
    return shape;
}
static snShape placed(int type, snVec3 size, snVec3 pos)
{
    return (snShape){.pos = pos, .mat = sn_m3Identity(), .size = size, .type = type, .geom = -1};
}

// Support value of one shape about its own centre, straight from its definition.
static double supportValue(const snShape* s, snVec3 n)
{
    const snVec3 l = sn_m3TMul(s->mat, n), z = s->size;
    switch (s->type) {
    case SN_GEOM_SPHERE: return z.x;
    case SN_GEOM_CAPSULE: return z.x + z.y * fabs(l.z);
    case SN_GEOM_ELLIPSOID:
        return sqrt(z.x * z.x * l.x * l.x + z.y * z.y * l.y * l.y + z.z * z.z * l.z * l.z);
    case SN_GEOM_CYLINDER: return z.x * sqrt(l.x * l.x + l.y * l.y) + z.y * fabs(l.z);
    default: return z.x * fabs(l.x) + z.y * fabs(l.y) + z.z * fabs(l.z);
    }
}
static double gapAlong(const snShape* a, const snShape* b, snVec3 n)
{
    return sn_v3Dot(n, sn_v3Sub(b->pos, a->pos)) - supportValue(a, n) - supportValue(b, n);
}

// How far outside (positive) of a shape a point is, in length or nearly so.
static double outside(const snShape* s, snVec3 point)
{
    const snVec3 l = sn_m3TMul(s->mat, sn_v3Sub(point, s->pos)), z = s->size;
    const double rho = sqrt(l.x * l.x + l.y * l.y);
    switch (s->type) {
    case SN_GEOM_SPHERE: return sn_v3Norm(l) - z.x;
    case SN_GEOM_CAPSULE: return sn_v3Norm(sn_v3(l.x, l.y, fmax(fabs(l.z) - z.y, 0))) - z.x;
    case SN_GEOM_ELLIPSOID: return (sn_v3Norm(sn_v3(l.x / z.x, l.y / z.y, l.z / z.z)) - 1) * z.x;
    case SN_GEOM_CYLINDER: return fmax(rho - z.x, fabs(l.z) - z.y);
    default: return fmax(fabs(l.x) - z.x, fmax(fabs(l.y) - z.y, fabs(l.z) - z.z));
    }
}

static bool distanceOf(const snShape* a, const snShape* b, snConvexRoute route, snWitness* w)
{
    return sn_convexDistance(a, b, INFINITY, route, w);
}

// What makes *w the signed distance, up to tol: points on the surfaces, apart by dist along n, and no sampled
// direction with a wider gap. match: how nearly the points face each other, and come up to the surfaces.
static void assertOptimal(const snShape* a, const snShape* b, const snWitness* w, double tol, double match)
{
    const snVec3 pa = sn_v3Add(a->pos, w->pa), pb = sn_v3Add(a->pos, w->pb);
    assert_true(fabs(sn_v3Norm(w->n) - 1) < 1e-14);
    assert_true(fabs(gapAlong(a, b, w->n) - w->dist) < tol);
    assert_true(sn_v3Norm(sn_v3AddScaled(sn_v3Sub(pb, pa), -w->dist, w->n)) < match);
    const double out_a = outside(a, pa), out_b = outside(b, pb);
    assert_true(out_a < match && out_b < match && out_a > -match && out_b > -match);
    for (int i = 0; i < 400; i++) {
        assert_true(gapAlong(a, b, randomUnit()) <= w->dist + tol);
        const snVec3 aside = randomUnit(), close = sn_v3AddScaled(w->n, uniform(0, 0.1), aside);
        assert_true(gapAlong(a, b, sn_v3Normalize(close)) <= w->dist + tol);
    }
}

static void noDirectionIsBetter(void** state)
{
    (void)state;
    seed = 1;
    for (int i = 0; i < NTYPE; i++)
        for (int j = 0; j < NTYPE; j++)
            for (int k = 0; k < 60; k++) {
                const snShape a = randomShape(types[i], 1);
                snShape b = randomShape(types[j], 1);
                if (k % 2) b.pos = sn_v3Scale(b.pos, 4);
                snWitness w;
                assert_true(distanceOf(&a, &b, SN_CONVEX_AUTO, &w));
                assertOptimal(&a, &b, &w, TIGHT, TIGHT);
            }
}

// Quarter turns, sizes and places on a grid: parallel faces and edges, touching, concentric, and so on, with
// roundings of the angles that make them nearly so.
static void noDirectionIsBetterAligned(void** state)
{
    (void)state;
    seed = 7;
    for (int k = 0; k < 6000; k++) {
        snShape s[2];
        for (int i = 0; i < 2; i++) {
            const snVec3 axis = sn_v3(k % 5 == 0, k % 5 == 1, k % 5 > 1);
            const double tilt = k % 3 ? 0 : sn_pow(10, uniform(-17, -3));
            s[i] = randomShape(types[(int)uniform(0, NTYPE)], 1);
            s[i].mat = sn_quatToMat(sn_quatAxisAngle(axis, i * (int)uniform(0, 8) * SN_PI / 4 + tilt));
            s[i].size = onGrid(1, 4);
            s[i].pos = onGrid(-3, 4);
        }
        snWitness w;
        assert_true(distanceOf(&s[0], &s[1], SN_CONVEX_AUTO, &w));
        // flat on flat, no single point stands out: the answer is EPA's, whose points are less sure than the
        // depth; round and coaxial, any side is as good
        assertOptimal(&s[0], &s[1], &w, 1e-11, w.dist > -1.2 ? 1e-6 : 10);
    }
}

static void newtonAgreesWithPolytope(void** state)
{
    (void)state;
    seed = 2;
    for (int i = 0; i < NTYPE; i++)
        for (int j = i; j < NTYPE; j++)
            for (int k = 0; k < 60; k++) {
                const snShape a = randomShape(types[i], 1);
                snShape b = randomShape(types[j], 1);
                if (k % 2) b.pos = sn_v3Scale(b.pos, 3);
                snWitness w, p;
                assert_true(distanceOf(&a, &b, SN_CONVEX_AUTO, &w));
                assert_true(distanceOf(&a, &b, SN_CONVEX_POLYTOPE, &p));
                // 110 supports hold the depth of two ellipsoids to 1e-4 at worst, and from above
                assert_true(w.dist > p.dist - 1e-6 && w.dist < p.dist + 1e-3);
            }
}

static void swapTurnsTheNormal(void** state)
{
    (void)state;
    seed = 3;
    for (int i = 0; i < NTYPE; i++)
        for (int j = 0; j < NTYPE; j++)
            for (int k = 0; k < 30; k++) {
                const snShape a = randomShape(types[i], 1), b = randomShape(types[j], 1);
                snWitness w, v;
                assert_true(distanceOf(&a, &b, SN_CONVEX_AUTO, &w));
                assert_true(distanceOf(&b, &a, SN_CONVEX_AUTO, &v));
                assert_true(fabs(w.dist - v.dist) < TIGHT);
            }
    const snShape a = placed(SN_GEOM_ELLIPSOID, sn_v3(0.1, 0.2, 0.3), sn_v3(0, 0, 0));
    const snShape b = placed(SN_GEOM_CAPSULE, sn_v3(0.1, 0.2, 0), sn_v3(0.15, 0.1, 0.1));
    snWitness w, v;
    assert_true(distanceOf(&a, &b, SN_CONVEX_AUTO, &w) && distanceOf(&b, &a, SN_CONVEX_AUTO, &v));
    assert_true(fabs(w.dist - v.dist) < 1e-14 && sn_v3Norm(sn_v3Add(w.n, v.n)) < 1e-13);
}

static void movesWithTheShapes(void** state)
{
    (void)state;
    seed = 4;
    for (int i = 0; i < NTYPE; i++)
        for (int j = 0; j < NTYPE; j++)
            for (int k = 0; k < 300; k++) {
                const snShape a = randomShape(types[i], 1), b = randomShape(types[j], 1);
                const snMat3 R = sn_quatToMat(randomQuat());
                const snVec3 shift = randomVec(3);
                snShape c = a, d = b;
                c.pos = sn_v3Add(shift, sn_m3Mul(R, a.pos));
                d.pos = sn_v3Add(shift, sn_m3Mul(R, b.pos));
                c.mat = sn_m3MulM3(R, a.mat);
                d.mat = sn_m3MulM3(R, b.mat);
                snWitness w, v;
                assert_true(distanceOf(&a, &b, SN_CONVEX_AUTO, &w) && distanceOf(&c, &d, SN_CONVEX_AUTO, &v));
                assert_true(fabs(w.dist - v.dist) < TIGHT);
            }
}

static void knownDistances(void** state)
{
    (void)state;
    const snVec3 o = {0, 0, 0};
    const struct {
        int type1, type2;
        snVec3 size1, size2, pos;
        double dist;
    } cases[] = {
        {SN_GEOM_SPHERE, SN_GEOM_SPHERE, {1, 0, 0}, {0.5, 0, 0}, {0, 2, 0}, 0.5},
        {SN_GEOM_SPHERE, SN_GEOM_SPHERE, {1, 0, 0}, {0.5, 0, 0}, {0, 0, 0}, -1.5},
        {SN_GEOM_CAPSULE, SN_GEOM_CAPSULE, {0.2, 1, 0}, {0.3, 1, 0}, {0, 0, 0.5}, -0.5},
        {SN_GEOM_CAPSULE, SN_GEOM_CAPSULE, {0.2, 1, 0}, {0.3, 1, 0}, {0.6, 0, 0.5}, 0.1},
        {SN_GEOM_CAPSULE, SN_GEOM_CAPSULE, {0.2, 1, 0}, {0.3, 1, 0}, {0, 0, 3}, 0.5},
        {SN_GEOM_ELLIPSOID, SN_GEOM_ELLIPSOID, {1, 2, 3}, {1, 2, 3}, {0, 0, 0}, -2},
        {SN_GEOM_ELLIPSOID, SN_GEOM_SPHERE, {1, 2, 3}, {0.5, 0, 0}, {1.25, 0, 0}, -0.25},
        {SN_GEOM_ELLIPSOID, SN_GEOM_BOX, {1, 2, 3}, {1, 1, 1}, {0, 2.5, 0}, -0.5},
        {SN_GEOM_CYLINDER, SN_GEOM_CYLINDER, {1, 2, 0}, {1, 2, 0}, {0, 0, 3.5}, -0.5},
        {SN_GEOM_CYLINDER, SN_GEOM_CYLINDER, {1, 2, 0}, {1, 2, 0}, {0, 0, 4}, 0},
        {SN_GEOM_CYLINDER, SN_GEOM_CYLINDER, {1, 2, 0}, {1, 2, 0}, {0, 0, 0}, -2},
        {SN_GEOM_CYLINDER, SN_GEOM_CYLINDER, {1, 2, 0}, {1, 2, 0}, {3, 0, 0}, 1},
        {SN_GEOM_CYLINDER, SN_GEOM_BOX, {1, 2, 0}, {1, 1, 1}, {0, 1.5, 0}, -0.5},
        {SN_GEOM_CYLINDER, SN_GEOM_CAPSULE, {1, 2, 0}, {0.5, 1, 0}, {1.25, 0, 0}, -0.25},
        {SN_GEOM_BOX, SN_GEOM_BOX, {1, 1, 1}, {1, 1, 1}, {0, 1.5, 0.2}, -0.5},
        {SN_GEOM_BOX, SN_GEOM_BOX, {1, 1, 1}, {1, 1, 1}, {0, 2, 0}, 0},
        {SN_GEOM_BOX, SN_GEOM_BOX, {1, 1, 1}, {1, 1, 1}, {3, 3, 3}, 1.7320508075688772},
        {SN_GEOM_BOX, SN_GEOM_BOX, {1e4, 1e4, 1}, {1e-2, 1e-2, 1e-2}, {5, 7, 1.005}, -0.005},
        {SN_GEOM_BOX, SN_GEOM_ELLIPSOID, {100, 100, 1}, {1e-2, 2e-2, 3e-2}, {5, 7, 1.025}, -0.005},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int route = 0; route < 2; route++) {
            const snShape a = placed(cases[i].type1, cases[i].size1, o);
            const snShape b = placed(cases[i].type2, cases[i].size2, cases[i].pos);
            snWitness w;
            assert_true(distanceOf(&a, &b, (snConvexRoute)route, &w));
            // the polytope alone: a cylinder's side by side supports, 1e-3 in 110 supports
            const double scale = sn_v3Norm(cases[i].size1), tol = route == SN_CONVEX_AUTO ? 1e-9 : 1e-3;
            assert_true(fabs(w.dist - cases[i].dist) < tol * scale);
        }
}

// The closed formulas of the narrow phase, where there is one contact point.
static void agreesWithFormulas(void** state)
{
    (void)state;
    seed = 5;
    int seen = 0;
    for (int i = 0; i < NTYPE; i++)
        for (int j = i; j < NTYPE; j++) {
            const snCollider formula = sn_analyticCollider(SN_PHYSICS_V3_3_7, types[i], types[j]);
            if (!formula) continue;
            for (int k = 0; k < 100; k++) {
                const snShape a = randomShape(types[i], 1);
                snShape b = randomShape(types[j], 1);
                b.pos = sn_v3Scale(b.pos, 1.5);
                snContactPoint points[SN_MAXCONPAIR];
                snWitness w;
                if (formula(&a, &b, 0.5, points) != 1) continue;
                assert_true(distanceOf(&a, &b, SN_CONVEX_AUTO, &w));
                if (types[j] == SN_GEOM_BOX && types[i] != SN_GEOM_SPHERE) continue; // choices of their own
                assert_true(fabs(w.dist - points[0].dist) < 1e-12);
                assert_true(sn_v3Norm(sn_v3Sub(w.n, points[0].normal)) < 1e-9);
                seen++;
            }
        }
    assert_true(seen > 100);
}

static void marginDecides(void** state)
{
    (void)state;
    const snShape a = placed(SN_GEOM_ELLIPSOID, sn_v3(1, 2, 3), sn_v3(0, 0, 0));
    const snShape b = placed(SN_GEOM_CYLINDER, sn_v3(0.5, 1, 0), sn_v3(1.6, 0, 0));
    snWitness w;
    assert_false(sn_convexDistance(&a, &b, 0.0999, SN_CONVEX_AUTO, &w));
    assert_true(sn_convexDistance(&a, &b, 0.1001, SN_CONVEX_AUTO, &w));
    assert_true(fabs(w.dist - 0.1) < 1e-14 && fabs(w.n.x - 1) < 1e-14);
    assert_false(sn_convexDistance(&a, &b, 0.0999, SN_CONVEX_POLYTOPE, &w));
}

// A number of any size or kind, for poses and sizes that no model has.
static double garbage(void)
{
    switch ((int)uniform(0, 12)) {
    case 0: return NAN;
    case 1: return INFINITY;
    case 2: return -INFINITY;
    case 3: return 1e200;
    case 4: return -1e-300;
    case 5: return 0;
    case 6: return 1;
    case 7: return 1e-12;
    case 8: return -1;
    case 9: return 1e9;
    default: return uniform(-2, 2);
    }
}

static void endsOnGarbage(void** state)
{
    (void)state;
    seed = 6;
    const double wild[] = {0, 0.02, 0.3};
    for (int k = 0; k < 60000; k++) {
        const double share = wild[k % 3];
        snShape shape[2];
        for (int s = 0; s < 2; s++) {
            shape[s] = randomShape(types[(int)uniform(0, NTYPE)], 1);
            double* numbers = &shape[s].pos.x; // pos, mat, size: 15 numbers in a row
            for (int i = 0; i < 15; i++)
                if (uniform(0, 1) < share) numbers[i] = garbage();
            if (k % 7 == 0) shape[s].mat = sn_m3Identity();
            if (k % 5 == 0) shape[s].size = sn_v3(uniform(0, 1) < 0.5 ? 0 : 1, 1e-9, 1e6);
            if (k % 11 == 0) shape[s].pos = sn_v3(0, 0, 0);
        }
        snWitness w;
        const double margin = k % 2 ? 0 : garbage();
        sn_convexDistance(&shape[0], &shape[1], margin, (snConvexRoute)(k % 2), &w);
    }
}

static void notANumberIsApart(void** state)
{
    (void)state;
    for (int i = 0; i < NTYPE; i++) {
        const snShape a = placed(types[i], sn_v3(1, 1, 1), sn_v3(0, 0, 0));
        snShape b = placed(types[i], sn_v3(1, 1, 1), sn_v3(0, NAN, 0));
        snWitness w;
        assert_false(distanceOf(&a, &b, SN_CONVEX_AUTO, &w));
        b = a;
        b.mat.m[4] = NAN;
        assert_false(distanceOf(&a, &b, SN_CONVEX_AUTO, &w));
        b = a;
        b.size.x = NAN;
        assert_false(distanceOf(&a, &b, SN_CONVEX_AUTO, &w));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noDirectionIsBetter),
        cmocka_unit_test(noDirectionIsBetterAligned),
        cmocka_unit_test(newtonAgreesWithPolytope),
        cmocka_unit_test(swapTurnsTheNormal),
        cmocka_unit_test(movesWithTheShapes),
        cmocka_unit_test(knownDistances),
        cmocka_unit_test(agreesWithFormulas),
        cmocka_unit_test(marginDecides),
        cmocka_unit_test(endsOnGarbage),
        cmocka_unit_test(notANumberIsApart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
