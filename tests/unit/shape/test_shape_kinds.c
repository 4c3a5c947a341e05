// Each type of geom states all that is asked of it, and what it states of its numbers holds together.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "collision/convex/support.h"
#include "shape/extent.h"
#include "shape/kind.h"
#include "shape/volume.h"

static const real size[3] = {0.3, 0.5, 0.4};

// A row is pointers to functions and nothing else.
static void test_every_row_is_filled(void** state)
{
    (void)state;
    for (int type = 0; type < SN_NGEOMTYPE; type++) {
        void (*const* entry)(void) = (void (*const*)(void))sn_shapeKind(type);
        for (size_t i = 0; i < sizeof(snShapeKind) / sizeof *entry; i++)
            if (!entry[i]) fail_msg("%s: function %zu of its row is missing", sn_shapeWord(type), i);
    }
}

// Nothing that is stated is 0.
static void test_every_fact_is_stated(void** state)
{
    (void)state;
    for (int type = 0; type < SN_NGEOMTYPE; type++) {
        const snShapeFacts* f = &sn_shapeFacts[type];
        const snTerms* t = &f->terms;
        const int stated[] = {f->sizes,          f->positive,        (int)f->form,       (int)f->asset,
                              f->wrap,           (int)t->ball,       (int)t->hull,       (int)t->round,
                              (int)t->inner,     f->refusal != NULL, (int)t->segment[0], (int)t->segment[1],
                              (int)t->segment[2]};
        for (size_t i = 0; i < sizeof stated / sizeof *stated; i++)
            if (!stated[i]) fail_msg("%s: fact %zu is not stated", sn_shapeWord(type), i);
        assert_true(f->sizes >= 1 && f->sizes <= 3);
        assert_true((f->form == SN_SHAPE_NONE) == (*f->refusal != 0));
        const bool summed = sn_segmentCount(t) > 0 || t->ball != SN_LENGTH_NONE ||
                            t->round != SN_ROUND_NONE || t->hull != SN_HULL_NONE;
        assert_true(summed == (f->form == SN_SHAPE_CONVEX));
    }
}

static snVec3 direction(int i)
{
    return sn_v3Normalize(sn_v3(sin(3.1 * i), cos(1.7 * i), sin(0.9 * i + 1)));
}

// How far a primitive reaches along n by its terms
static real reach(int type, snVec3 n)
{
    const snShape origin = {.mat = sn_m3Identity(), .type = SN_GEOM_SPHERE, .geom = -1};
    const snShape shape = {.mat = sn_m3Identity(), .size = sn_v3Load(size), .type = type, .geom = -1};
    snConvexPair p;
    assert_true(sn_convexPairInit(&p, &shape, &origin));
    return p.radius - sn_convexGap(&p, n);
}

// Terms, box, ball, rays, normals and volume of a primitive are of one shape.
static void test_primitives_agree_with_themselves(void** state)
{
    (void)state;
    for (int type = 0; type < SN_NGEOMTYPE; type++) {
        if (!sn_isPrimitive(type)) continue;
        const snShapeKind* kind = sn_shapeKind(type);
        const snSolid solid = {.size = size};
        const snSurface surface = {.size = sn_v3Load(size)};
        real box[6];
        kind->box(&solid, box);
        const snVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int k = 0; k < 3; k++) assert_true(fabs(reach(type, axes[k]) - box[k] - box[3 + k]) < 1e-12);
        for (int i = 0; i < 200; i++) {
            const snVec3 n = direction(i), from = sn_v3Scale(n, 3);
            assert_true(reach(type, n) <= kind->radius(&solid) + 1e-12);
            const snRay ray = {from, sn_v3Neg(n)};
            const real x = sn_rayShape(&ray, type, &surface);
            assert_true(x > 0 && x < 3);
            const snVec3 normal = sn_v3Normalize(kind->normal(&ray, x, &surface));
            // the plane through the point across the normal, which may point either way, touches the shape
            const snVec3 outward = sn_v3Dot(normal, sn_rayAt(&ray, x)) < 0 ? sn_v3Neg(normal) : normal;
            if (sn_v3Dot(normal, n) > 0.2)
                assert_true(fabs(reach(type, outward) - sn_v3Dot(outward, sn_rayAt(&ray, x))) < 1e-9);
            assert_true(sn_shapeHolds(type, size, sn_rayAt(&ray, x + 1e-9)));
            assert_true(!sn_shapeHolds(type, size, sn_rayAt(&ray, x - 1e-9)));
            assert_true(sn_shapeMeets(type, size, from, sn_v3Neg(n)));
            assert_true(!sn_shapeMeets(type, size, from, n));
        }
    }
}

// The box along the world's axes is the box of the terms, or holds it.
static void test_extents_hold_the_shape(void** state)
{
    (void)state;
    const snMat3 R = sn_quatToMat(sn_quatAxisAngle(sn_v3Normalize(sn_v3(1, 2, -1)), 0.7));
    for (int type = 0; type < SN_NGEOMTYPE; type++) {
        if (!sn_isPrimitive(type)) continue;
        const snSolid solid = {.size = size};
        real aabb[6], half[3];
        snVec3 centre = {0, 0, 0};
        sn_shapeKind(type)->box(&solid, aabb);
        sn_v3Store(half, sn_shapeExtent(type, R.m, size, aabb, &centre));
        const real at[3] = {centre.x, centre.y, centre.z};
        for (int k = 0; k < 3; k++) {
            const snVec3 along = sn_v3(R.m[3 * k], R.m[3 * k + 1], R.m[3 * k + 2]); // world axis, seen by it
            assert_true(reach(type, along) <= at[k] + half[k] + 1e-12);
            assert_true(reach(type, sn_v3Neg(along)) <= half[k] - at[k] + 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_filled),
        cmocka_unit_test(test_every_fact_is_stated),
        cmocka_unit_test(test_primitives_agree_with_themselves),
        cmocka_unit_test(test_extents_hold_the_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
