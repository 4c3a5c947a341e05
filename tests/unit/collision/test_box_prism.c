// A box against a prism in closed form against the search over directions, which takes the prism as a hull.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include "collision/convex/box_prism.h"
#include "collision/convex/convex.h"
#include <cmocka.h>

#define TIGHT 1e-12 // sizes are about 1

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

static void assertNear(snVec3 a, snVec3 b, double tolerance)
{
    if (!(sn_v3Norm(sn_v3Sub(a, b)) <= tolerance))
        fail_msg("(%.17g %.17g %.17g) is not (%.17g %.17g %.17g)", a.x, a.y, a.z, b.x, b.y, b.z);
}

typedef struct Scene {
    snFieldBox box;
    snVec3 top[3], point[6];
    real base;
    snShape prism, shape;
} Scene;

// The box stands at pos as mat; the prism is as in a grid, with these heights.
static void place(Scene* s, snVec3 pos, snMat3 mat, snVec3 half, const real height[3], real base)
{
    *s = (Scene){
        .top = {sn_v3(-0.5, -0.4, height[0]), sn_v3(0.5, 0.4, height[1]), sn_v3(-0.5, 0.4, height[2])},
        .base = base};
    s->box =
        (snFieldBox){pos, {sn_m3Col(mat, 0), sn_m3Col(mat, 1), sn_m3Col(mat, 2)}, {half.x, half.y, half.z}};
    for (int k = 0; k < 3; k++) {
        s->point[k] = s->top[k];
        s->point[3 + k] = sn_v3(s->top[k].x, s->top[k].y, base);
    }
    s->prism = (snShape){.mat = sn_m3Identity(),
                         .type = SN_GEOM_MESH,
                         .geom = -1,
                         .hull = {.point = s->point, .count = 6, .radius = 3}};
    s->shape = (snShape){.pos = pos, .mat = mat, .size = half, .type = SN_GEOM_BOX, .geom = -1};
}

static void placeAnyhow(Scene* s)
{
    const snMat3 R = sn_quatToMat(sn_quatAxisAngle(sn_v3Normalize(randomVec(1)), uniform(-3, 3)));
    const snVec3 half = sn_v3(uniform(0.05, 0.6), uniform(0.05, 0.6), uniform(0.05, 0.6));
    const real height[3] = {uniform(0, 0.6), uniform(0, 0.6), uniform(0, 0.6)};
    place(s, sn_v3Add(randomVec(0.9), sn_v3(0, 0, 0.5)), R, half, height, -0.2);
}

// What is found is what the search finds; what is not is apart, or left to the search.
static snBoxPrism compare(const Scene* s, real margin)
{
    snWitness w, v;
    const snBoxPrism found = sn_boxPrism(&s->box, s->top, s->base, margin, &w);
    const bool close = sn_convexDistance(&s->prism, &s->shape, margin, SN_CONVEX_POLYTOPE, &v);
    if (found == SN_BOXPRISM_UNKNOWN) return found;
    assert_int_equal(close, found == SN_BOXPRISM_FOUND);
    if (!close) return found;
    assert_true(fabs(w.dist - v.dist) <= TIGHT);
    assertNear(w.n, v.n, TIGHT);
    // the search gives points from the prism's origin
    assertNear(sn_v3Add(w.pa, s->box.pos), v.pa, TIGHT);
    assertNear(sn_v3Add(w.pb, s->box.pos), v.pb, TIGHT);
    return found;
}

static void agreesWithSearch(void** state)
{
    (void)state;
    int count[3] = {0, 0, 0};
    for (int i = 0; i < 20000; i++) {
        Scene s;
        placeAnyhow(&s);
        count[compare(&s, 0)]++;
    }
    assert_int_equal(count[SN_BOXPRISM_UNKNOWN], 0);
    assert_true(count[SN_BOXPRISM_FOUND] > 5000 && count[SN_BOXPRISM_APART] > 5000);
}

// Apart by less than the margin: a corner may be nearer than any plane says.
static void leavesDistancesToSearch(void** state)
{
    (void)state;
    int count[3] = {0, 0, 0};
    for (int i = 0; i < 5000; i++) {
        Scene s;
        placeAnyhow(&s);
        count[compare(&s, 0.3)]++;
    }
    assert_true(count[SN_BOXPRISM_UNKNOWN] > 500);
}

// Side on side, side on edge, equally deep along two directions: many points may be the contact.
static void leavesSidesToSearch(void** state)
{
    (void)state;
    const real level[3] = {0.1, 0.1, 0.1}, slope[3] = {0, 0.8, 0.8};
    const snVec3 half = sn_v3(0.1, 0.2, 0.3);
    Scene s;
    snWitness w;
    place(&s, sn_v3(-0.3, 0.2, 0.35), sn_m3Identity(), half, level, -1);
    assert_int_equal(sn_boxPrism(&s.box, s.top, s.base, 0, &w), SN_BOXPRISM_UNKNOWN);
    place(&s, sn_v3(-0.3, 0.2, 0.45), sn_m3Identity(), half, level, -1);
    assert_int_equal(sn_boxPrism(&s.box, s.top, s.base, 0, &w), SN_BOXPRISM_APART);
    // an edge along the slope's level lines
    place(&s, sn_v3(-0.3, 0.2, 0.8), sn_m3Identity(), half, slope, -1);
    assert_int_equal(sn_boxPrism(&s.box, s.top, s.base, 0, &w), SN_BOXPRISM_UNKNOWN);
}

// Heights below the base, not a number, too large: no answer, and no crash.
static void takesGarbage(void** state)
{
    (void)state;
    const real garbage[] = {-1, NAN, INFINITY, -INFINITY, 1e300, 1e-320};
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++)
        for (int k = 0; k < 3; k++) {
            Scene s;
            snWitness w;
            placeAnyhow(&s);
            s.top[k].z = garbage[i];
            const snBoxPrism found = sn_boxPrism(&s.box, s.top, s.base, 0, &w);
            assert_true(found != SN_BOXPRISM_FOUND || isfinite(w.dist + sn_v3Norm(w.n)));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agreesWithSearch),
        cmocka_unit_test(leavesDistancesToSearch),
        cmocka_unit_test(leavesSidesToSearch),
        cmocka_unit_test(takesGarbage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
