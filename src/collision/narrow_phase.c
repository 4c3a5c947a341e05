#include "collision/narrow_phase.h"
#include <sinew/collision.h>
#include "collision/analytic/colliders.h"
#include "collision/convex/convex.h"
#include "collision/convex/hfield.h"
#include "collision/convex/manifold.h"

enum { NKINDS = SN_NGEOMTYPE * SN_NGEOMTYPE };

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
        if (!sn_roomForPair(d, points)) return false;
        list[i]->first = points->count;
        list[i]->count = collideConvex(m, d, list[i], points->list + points->count);
        points->count += list[i]->count;
    }
    return true;
}

static inline int kindOf(const snModel* m, const snCandidate* c)
{
    return SN_NGEOMTYPE * m->geom_type[c->geom[0]] + m->geom_type[c->geom[1]];
}

// Candidates by kind; start[k] to start[k + 1]: those of kind k.
static void sortByKind(const snModel* m, snCandidate* list, int count, snCandidate** sorted,
                       int start[NKINDS + 1])
{
    memset(start, 0, (NKINDS + 1) * sizeof *start);
    for (int i = 0; i < count; i++) start[kindOf(m, list + i) + 1]++;
    int at[NKINDS];
    for (int k = 0; k < NKINDS; k++) {
        at[k] = start[k];
        start[k + 1] += start[k];
    }
    for (int i = 0; i < count; i++) sorted[at[kindOf(m, list + i)]++] = list + i;
}

bool sn_narrowPhase(const snModel* m, snData* d, snCandidate* list, int count, snPoints* points)
{
    snCandidate* sorted[SN_NARROW_BLOCK];
    int start[NKINDS + 1];
    bool fits = true;
    sortByKind(m, list, count, sorted, start);
    for (int i = 0; i < count; i++) list[i].count = 0;
    points->count = 0;
    for (int k = 0; k < NKINDS && fits; k++) {
        const int n = start[k + 1] - start[k], type1 = k / SN_NGEOMTYPE, type2 = k % SN_NGEOMTYPE;
        if (!n || !sn_canCollide(type1, type2)) continue;
        const snBatchCollider collide = sn_batchCollider(type1, type2);
        fits = (collide ? collide : convexBatch)(m, d, sorted + start[k], n, points);
    }
    return fits;
}
