// Colliders and the broad phase by what contacts mean: mirrored shapes give mirrored contacts, the depth is
// the overlap along the normal, nothing lies beyond the margin, and the sweep finds what brute force finds.
#include <sinew/sinew.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include "collision/broad/broadphase.h"
#include "collision/contact/contact.h"
#include "collision/convex/convex.h"
#include "collision/analytic/colliders.h"
#include "model/arena.h"
#include "random_tree.h"
#include <cmocka.h>

#define TIGHT 1e-12 // shapes of size 1: thousands of roundings

static snShape somewhere(Random* r, int type, double spread)
{
    const snVec3 size = {0.3 + 0.2 * randomReal(r), 0.3 + 0.2 * randomReal(r), 0.3 + 0.2 * randomReal(r)};
    return (snShape){.pos = randomVec(r, spread),
                     .mat = sn_quatToMat(randomQuat(r)),
                     .size = size,
                     .type = type,
                     .geom = -1};
}

static double support(const snShape* s, snVec3 direction)
{
    const snVec3 l = sn_m3TMul(s->mat, direction), z = s->size;
    double h = 0;
    switch (s->type) {
    case SN_GEOM_SPHERE: h = z.x; break;
    case SN_GEOM_CAPSULE: h = z.x + z.y * fabs(l.z); break;
    case SN_GEOM_ELLIPSOID: h = sn_v3Norm(sn_v3(z.x * l.x, z.y * l.y, z.z * l.z)); break;
    case SN_GEOM_CYLINDER: h = z.x * sqrt(l.x * l.x + l.y * l.y) + z.y * fabs(l.z); break;
    case SN_GEOM_BOX: h = z.x * fabs(l.x) + z.y * fabs(l.y) + z.z * fabs(l.z); break;
    }
    return sn_v3Dot(direction, s->pos) + h;
}

// Gap of two shapes along n; for a plane, over its surface
static double gapAlong(const snShape* a, const snShape* b, snVec3 n)
{
    const double top = a->type == SN_GEOM_PLANE ? sn_v3Dot(n, a->pos) : support(a, n);
    return -support(b, sn_v3Neg(n)) - top;
}

static double deepest(const snContactPoint* p, int count)
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) least = fmin(least, p[i].dist);
    return least;
}

static const int pairs[][2] = {{SN_GEOM_PLANE, SN_GEOM_SPHERE},    {SN_GEOM_PLANE, SN_GEOM_CAPSULE},
                               {SN_GEOM_PLANE, SN_GEOM_ELLIPSOID}, {SN_GEOM_PLANE, SN_GEOM_CYLINDER},
                               {SN_GEOM_PLANE, SN_GEOM_BOX},       {SN_GEOM_SPHERE, SN_GEOM_SPHERE},
                               {SN_GEOM_SPHERE, SN_GEOM_CAPSULE},  {SN_GEOM_SPHERE, SN_GEOM_CYLINDER},
                               {SN_GEOM_SPHERE, SN_GEOM_BOX},      {SN_GEOM_CAPSULE, SN_GEOM_CAPSULE},
                               {SN_GEOM_CAPSULE, SN_GEOM_BOX},     {SN_GEOM_BOX, SN_GEOM_BOX}};
enum { NPAIR = sizeof pairs / sizeof pairs[0] };

static void normalsAreUnitAndWithinMargin(void** state)
{
    (void)state;
    Random r = {11};
    for (int p = 0; p < NPAIR; p++) {
        const snCollider collide = sn_analyticCollider(SN_PHYSICS_V3_3_7, pairs[p][0], pairs[p][1]);
        assert_non_null(collide);
        int touching = 0;
        for (int k = 0; k < 2000; k++) {
            const snShape a = somewhere(&r, pairs[p][0], 0.4), b = somewhere(&r, pairs[p][1], 0.4);
            const double margin = k % 2 ? 0 : 0.1;
            snContactPoint out[SN_MAXCONPAIR];
            const int count = collide(&a, &b, margin, out);
            assert_in_range(count, 0, 8);
            touching += count > 0;
            for (int i = 0; i < count; i++) {
                assert_true(out[i].dist <= margin + TIGHT);
                assert_true(fabs(sn_v3Norm(out[i].normal) - 1) < TIGHT);
                real frame[9];
                sn_contactFrame(out[i].normal, out[i].tangent, frame);
                const snVec3 x = sn_v3Load(frame), y = sn_v3Load(frame + 3), z = sn_v3Load(frame + 6);
                assert_true(fabs(sn_v3Dot(x, y)) < TIGHT && fabs(sn_v3Norm(y) - 1) < TIGHT);
                assert_true(sn_v3Norm(sn_v3Sub(sn_v3Cross(x, y), z)) < TIGHT);
            }
        }
        assert_in_range(touching, 500, 2000);
    }
}

// The least distance is the gap along its normal. Not so for a capsule whose segment enters a box, nor for
// boxes, whose faces count half of the depth: see the next test.
static void distanceIsTheGapAlongTheNormal(void** state)
{
    (void)state;
    Random r = {12};
    for (int p = 0; p < NPAIR; p++) {
        const snCollider collide = sn_analyticCollider(SN_PHYSICS_V3_3_7, pairs[p][0], pairs[p][1]);
        int checked = 0;
        for (int k = 0; k < 4000; k++) {
            const snShape a = somewhere(&r, pairs[p][0], 0.5), b = somewhere(&r, pairs[p][1], 0.5);
            snContactPoint out[SN_MAXCONPAIR];
            const int count = collide(&a, &b, 0.05, out);
            if (!count || pairs[p][0] == SN_GEOM_BOX) continue;
            int first = 0;
            for (int i = 1; i < count; i++)
                if (out[i].dist < out[first].dist) first = i;
            const double gap = gapAlong(&a, &b, out[first].normal);
            // a capsule whose segment runs into the box
            if (pairs[p][0] == SN_GEOM_CAPSULE && pairs[p][1] == SN_GEOM_BOX && gap < -a.size.x) continue;
            assert_true(fabs(gap - out[first].dist) < 1e-9);
            checked++;
        }
        if (pairs[p][0] != SN_GEOM_BOX) assert_in_range(checked, 200, 4000);
    }
}

static void boxNormalsAreTheBestOfTheSeparatingAxes(void** state)
{
    (void)state;
    Random r = {13};
    int touching = 0;
    for (int k = 0; k < 4000; k++) {
        const snShape a = somewhere(&r, SN_GEOM_BOX, 0.4), b = somewhere(&r, SN_GEOM_BOX, 0.4);
        double best = -HUGE_VAL;
        for (int i = 0; i < 15; i++) {
            snVec3 n = i < 3   ? sn_m3Col(a.mat, i)
                       : i < 6 ? sn_m3Col(b.mat, i - 3)
                               : sn_v3Cross(sn_m3Col(a.mat, (i - 6) / 3), sn_m3Col(b.mat, (i - 6) % 3));
            n = sn_v3Normalize(n);
            best = fmax(best, fmax(gapAlong(&a, &b, n), gapAlong(&a, &b, sn_v3Neg(n))));
        }
        snContactPoint out[SN_MAXCONPAIR];
        const int count = sn_analyticCollider(SN_PHYSICS_V3_3_7, SN_GEOM_BOX, SN_GEOM_BOX)(&a, &b, 0, out);
        assert_int_equal(count > 0, best <= 0);
        if (!count) continue;
        touching++;
        assert_true(fabs(gapAlong(&a, &b, out[0].normal) - best) < TIGHT);
        // a face counts half of the depth, an edge all
        const double least = deepest(out, count);
        assert_true(least > best - 1e-9 && least <= 0);
    }
    assert_in_range(touching, 1000, 3900);
}

static void posesThatAreNotNumbersAreSafe(void** state)
{
    (void)state;
    Random r = {16};
    for (int p = 0; p < NPAIR; p++)
        for (int k = 0; k < 24; k++) {
            snShape shape[2] = {somewhere(&r, pairs[p][0], 0.1), somewhere(&r, pairs[p][1], 0.1)};
            const int entry = k % 12;
            (entry < 3 ? &shape[k / 12].pos.x + entry : shape[k / 12].mat.m + entry - 3)[0] = (double)NAN;
            snContactPoint out[SN_MAXCONPAIR];
            const int count = sn_analyticCollider(SN_PHYSICS_V3_3_7, pairs[p][0],
                                                  pairs[p][1])(&shape[0], &shape[1], 0, out);
            assert_in_range(count, 0, SN_MAXCONPAIR);
        }
}

static void rolesMirror(void** state)
{
    (void)state;
    static const int types[] = {SN_GEOM_SPHERE, SN_GEOM_CAPSULE};
    Random r = {14};
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 1000; k++) {
            const snShape a = somewhere(&r, types[t], 0.4), b = somewhere(&r, types[t], 0.4);
            snContactPoint ab[SN_MAXCONPAIR], ba[SN_MAXCONPAIR];
            const snCollider collide = sn_analyticCollider(SN_PHYSICS_V3_3_7, types[t], types[t]);
            const int n = collide(&a, &b, 0.1, ab);
            assert_int_equal(n, collide(&b, &a, 0.1, ba));
            for (int i = 0; i < n; i++) {
                assert_true(fabs(ab[i].dist - ba[i].dist) < TIGHT);
                assert_true(sn_v3Norm(sn_v3Add(ab[i].normal, ba[i].normal)) < 1e-9);
                assert_true(sn_v3Norm(sn_v3Sub(ab[i].pos, ba[i].pos)) < 1e-9);
            }
        }
}

// ---- the broad phase on loose spheres: body i + 1 carries geom i

enum { COUNT = 60 };

static snModel* looseSpheres(void)
{
    int nsizes, sizes[128] = {0};
    const char* const* names = sn_modelSizes(&nsizes);
    for (int i = 0; i < nsizes; i++) {
        if (!strcmp(names[i], "nbody")) sizes[i] = COUNT + 1;
        if (!strcmp(names[i], "ngeom")) sizes[i] = COUNT;
        if (!strcmp(names[i], "nnames")) sizes[i] = 1;
    }
    snModel* m = sn_makeModel(sizes, NULL);
    assert_non_null(m);
    m->narena = 1 << 20;
    for (int g = 0; g < COUNT; g++) {
        m->geom_type[g] = SN_GEOM_SPHERE;
        m->geom_bodyid[g] = m->body_weldid[g + 1] = g + 1;
        m->body_dofnum[g + 1] = 6; // what does not move meets nothing
        m->geom_contype[g] = m->geom_conaffinity[g] = m->geom_condim[g] = 1;
        m->geom_size[3 * g] = m->geom_rbound[g] = 0.1 + 0.01 * g;
        m->geom_solmix[g] = 1;
    }
    return m;
}

static void sweepEqualsBruteForce(void** state)
{
    (void)state;
    Random r = {15};
    snModel* m = looseSpheres();
    snData* d = sn_makeData(m);
    assert_non_null(d);
    for (int k = 0; k < 50; k++) {
        const snVec3 stretch = {k % 3 == 0 ? 8 : 1, k % 3 == 1 ? 8 : 1, k % 3 == 2 ? 8 : 1};
        for (int g = 0; g < COUNT; g++) {
            const snVec3 v = randomVec(&r, 1);
            sn_v3Store(d->geom_xpos + 3 * g, sn_v3(stretch.x * v.x, stretch.y * v.y, stretch.z * v.z));
            sn_m3Store(d->geom_xmat + 9 * g, sn_m3Identity());
        }
        sn_collision(m, d);
        int next = 0;
        for (int a = 0; a < COUNT; a++)
            for (int b = a + 1; b < COUNT; b++) {
                const snVec3 v = sn_v3Sub(sn_v3Load(d->geom_xpos + 3 * a), sn_v3Load(d->geom_xpos + 3 * b));
                if (sn_v3Norm(v) > m->geom_rbound[a] + m->geom_rbound[b]) continue;
                assert_true(next < d->ncon);
                assert_int_equal(d->contact[next].geom[0], a);
                assert_int_equal(d->contact[next].geom[1], b);
                next++;
            }
        assert_int_equal(next, d->ncon);
        assert_int_equal(d->pstack, 0);
        assert_int_equal(d->warning[SN_WARN_CONTACTFULL].number, 0);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void arenaOfAnySizeIsSafe(void** state)
{
    (void)state;
    snModel* m = looseSpheres();
    for (size_t size = 0; size < 1 << 16; size += 1472) {
        m->narena = size;
        snData* d = sn_makeData(m);
        assert_non_null(d);
        for (int g = 0; g < COUNT; g++) sn_m3Store(d->geom_xmat + 9 * g, sn_m3Identity());
        sn_collision(m, d); // all concentric: 1770 contacts of 256 bytes never fit
        assert_int_equal(d->warning[SN_WARN_CONTACTFULL].number, 1);
        assert_true((size_t)d->ncon * sizeof(snContact) <= size);
        assert_int_equal(d->pstack, 0);
        sn_deleteData(d);
    }
    sn_deleteModel(m);
}

static void fieldsCollideWithAll(void** state)
{
    (void)state;
    snModel* m = looseSpheres();
    snError error;
    m->geom_type[3] = SN_GEOM_SDF;
    assert_int_equal(sn_checkCollisions(m, &error), SN_STATUS_OK);
    for (int type = 0; type < SN_NGEOMTYPE; type++) assert_true(sn_canCollide(SN_GEOM_SDF, type));
    assert_false(sn_canCollide(SN_GEOM_PLANE, SN_GEOM_PLANE));
    assert_true(sn_canCollide(SN_GEOM_BOX, SN_GEOM_PLANE));
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(normalsAreUnitAndWithinMargin),
                                       cmocka_unit_test(distanceIsTheGapAlongTheNormal),
                                       cmocka_unit_test(boxNormalsAreTheBestOfTheSeparatingAxes),
                                       cmocka_unit_test(rolesMirror),
                                       cmocka_unit_test(posesThatAreNotNumbersAreSafe),
                                       cmocka_unit_test(sweepEqualsBruteForce),
                                       cmocka_unit_test(arenaOfAnySizeIsSafe),
                                       cmocka_unit_test(fieldsCollideWithAll)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
