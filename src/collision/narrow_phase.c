#include "collision/narrow_phase.h"
#include <sinew/collision.h>
#include "collision/analytic/colliders.h"
#include "collision/convex/convex.h"
#include "collision/convex/hfield.h"
#include "collision/convex/manifold.h"

enum { DONE = SN_NGEOMTYPE * SN_NGEOMTYPE }; // beyond the kinds, which are pairs of types
_Static_assert(DONE <= UINT8_MAX, "kinds are bytes");

// Whether the boxes around two geoms, margin included, are parted along an axis of one of them. Cheaper than
// a first support of a large hull; errs on the side of overlap.
static bool boxesApart(const snModel* m, const snShape* a, const snShape* b, real margin)
{
    const real *boxa = m->geom_aabb + 6 * a->geom, *boxb = m->geom_aabb + 6 * b->geom;
    const snVec3 ca = sn_v3Add(a->pos, sn_m3Mul(a->mat, sn_v3Load(boxa)));
    const snVec3 cb = sn_v3Add(b->pos, sn_m3Mul(b->mat, sn_v3Load(boxb)));
    const snMat3 C = sn_m3TMulM3(a->mat, b->mat);
    real da[3], db[3];
    sn_v3Store(da, sn_m3TMul(a->mat, sn_v3Sub(cb, ca)));
    sn_v3Store(db, sn_m3TMul(b->mat, sn_v3Sub(cb, ca)));
    for (int i = 0; i < 3; i++) {
        real reach_a = boxa[3 + i], reach_b = boxb[3 + i];
        for (int j = 0; j < 3; j++) {
            reach_a += fabs(C.m[3 * i + j]) * boxb[3 + j];
            reach_b += fabs(C.m[3 * j + i]) * boxa[3 + j];
        }
        const real slack = 1e-9 * (reach_a + reach_b);
        if (fabs(da[i]) > reach_a + margin + slack || fabs(db[i]) > reach_b + margin + slack) return true;
    }
    return false;
}

static int collideConvex(const snModel* m, const snData* d, const snCandidate* c, snContactPoint* points)
{
    const snShape a = sn_geomShape(m, d, c->geom[0]), b = sn_geomShape(m, d, c->geom[1]);
    const real margin = sn_pairMargin(m, c->geom[0], c->geom[1], c->pair);
    if (b.type == SN_GEOM_MESH && boxesApart(m, &a, &b, margin)) return 0;
    if (a.type == SN_GEOM_HFIELD) return sn_hfieldConvex(m, &a, &b, margin, points);
    const int count = sn_convexConvex(&a, &b, margin, points);
    if (!count || !(m->opt.enableflags & SN_ENBL_MULTICCD)) return count;
    const snContactPoint first = points[0];
    return sn_manifold(m, &a, &b, margin, &first, points);
}

static bool convexBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points)
{
    for (int i = 0; i < count; i++) {
        if (!sn_roomForPoints(d, points, SN_MAXCONPAIR)) return false;
        list[i]->first = points->count;
        list[i]->count = collideConvex(m, d, list[i], points->list + points->count);
        points->count += list[i]->count;
    }
    return true;
}

// The candidates of the two types that the first of them has, from `first` on; their kinds become DONE.
static int gatherKind(snCandidate* list, uint8_t* kinds, int first, int count, snCandidate** alike)
{
    const uint8_t kind = kinds[first];
    int n = 0;
    for (int i = first; i < count; i++)
        if (kinds[i] == kind) {
            alike[n++] = list + i;
            kinds[i] = DONE;
        }
    return n;
}

bool sn_narrowPhase(const snModel* m, snData* d, snCandidate* list, int count, snPoints* points)
{
    uint8_t kinds[SN_NARROW_BLOCK];
    snCandidate* alike[SN_NARROW_BLOCK];
    for (int i = 0; i < count; i++) {
        list[i].count = 0;
        kinds[i] = (uint8_t)(SN_NGEOMTYPE * m->geom_type[list[i].geom[0]] + m->geom_type[list[i].geom[1]]);
    }
    points->count = 0;
    for (int i = 0; i < count; i++) {
        if (kinds[i] == DONE) continue;
        const int type1 = kinds[i] / SN_NGEOMTYPE, type2 = kinds[i] % SN_NGEOMTYPE;
        const int n = gatherKind(list, kinds, i, count, alike);
        if (!sn_canCollide(type1, type2)) continue;
        const snBatchCollider collide = sn_batchCollider(type1, type2);
        if (!(collide ? collide : convexBatch)(m, d, alike, n, points)) return false;
    }
    return true;
}
