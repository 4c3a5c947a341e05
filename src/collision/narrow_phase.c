#include "collision/narrow_phase.h"
#include <assert.h>
#include <sinew/collision.h>
#include "collision/analytic/colliders.h"
#include "collision/convex/convex.h"
#include "collision/convex/hfield.h"
#include "collision/convex/manifold.h"
#include "collision/convex/patch.h"
#include "collision/plane_hull.h"
#include "collision/sdf/touch.h"
#include "collision/contact/boxes_apart.h"

enum { DONE = SN_NGEOMTYPE * SN_NGEOMTYPE }; // beyond the kinds, which are pairs of types
_Static_assert(DONE <= UINT8_MAX, "kinds are bytes");

// A plane touches no more of a field than the hull of its mesh, if that has one.
static int collideField(const snModel* m, const snShape* a, const snShape* b, real margin,
                        snContactPoint* points)
{
    const int mesh = m->geom_dataid[b->geom];
    if (!sn_isEndless(a->type) || mesh < 0 || m->mesh_graphadr[mesh] < 0)
        return sn_sdfContacts(m, a, b, margin, points);
    snShape hulled = *b;
    hulled.type = SN_GEOM_MESH;
    hulled.hull = sn_geomHull(m, b->geom);
    const bool side = sn_isSideOnPlane(m->physics, a->type, hulled.type);
    return side ? sn_planeHull(m, a, &hulled, margin, points) : sn_planeMesh(a, &hulled, margin, points);
}

// Several contacts where the shapes share a patch, else the one; its place is looked for then alone.
static int collidePatch(const snModel* m, const snShape* a, const snShape* b, real margin,
                        snContactPoint* points)
{
    const int found = sn_convexNormal(a, b, margin, points);
    const int count = found ? sn_patch(m, a, b, margin, points[0].normal, points) : 0;
    if (count || found < 2) return count ? count : found;
    return sn_convexConvex(a, b, margin, points);
}

static int collideConvex(const snModel* m, const snShape* a, const snShape* b, real margin,
                         snContactPoint* points)
{
    if (sn_hasDistances(b->type)) return collideField(m, a, b, margin, points);
    if (sn_isSideOnPlane(m->physics, a->type, b->type)) return sn_planeHull(m, a, b, margin, points);
    if (sn_isField(a->type)) return sn_hfieldConvex(m, a, b, margin, points);
    const bool several = m->opt.enableflags & SN_ENBL_MULTICCD;
    if (several && sn_means(m->physics, SN_RULE_MULTICCD_DEPTHS))
        return collidePatch(m, a, b, margin, points);
    const int count = sn_convexConvex(a, b, margin, points);
    if (!count || !several) return count;
    const snContactPoint first = points[0];
    return sn_manifold(m, a, b, margin, &first, points);
}

int sn_collideShapes(const snModel* m, const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    assert(a->type <= b->type);
    const snCollider collide = sn_analyticCollider(m->physics, a->type, b->type);
    return collide ? collide(a, b, margin, out) : collideConvex(m, a, b, margin, out);
}

static bool convexBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points)
{
    for (int i = 0; i < count; i++) {
        if (!sn_roomForPoints(d, points, SN_MAXCONPAIR)) return false;
        const snCandidate* c = list[i];
        const snShape a = sn_geomShape(m, d, c->geom[0]), b = sn_geomShape(m, d, c->geom[1]);
        const real margin = sn_pairReach(m, c->geom[0], c->geom[1], c->pair);
        list[i]->first = points->count;
        list[i]->count = collideConvex(m, &a, &b, margin, points->list + points->count);
        points->count += list[i]->count;
        assert(list[i]->count >= 0 && list[i]->count <= SN_MAXCONPAIR);
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

// Of candidates with a mesh those whose boxes meet, before their shapes are put together.
static int inBoxes(const snModel* m, const snData* d, snCandidate** list, int count, bool plane)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        snCandidate* c = list[i];
        const snPlacedBox a = sn_placedBox(m, d, c->geom[0]), b = sn_placedBox(m, d, c->geom[1]);
        const real margin = sn_pairReach(m, c->geom[0], c->geom[1], c->pair);
        if (!(plane ? sn_boxAbove(&a, &b, margin) : sn_boxesApart(&a, &b, margin))) list[n++] = c;
    }
    return n;
}

bool sn_narrowPhase(const snModel* m, snData* d, snCandidate* list, int count, snPoints* points)
{
    assert(count <= SN_NARROW_BLOCK);
    uint8_t kinds[SN_NARROW_BLOCK];
    snCandidate* alike[SN_NARROW_BLOCK];
    for (int i = 0; i < count; i++) {
        list[i].count = 0;
        assert(list[i].geom[0] >= 0 && list[i].geom[0] < m->ngeom);
        assert(list[i].geom[1] >= 0 && list[i].geom[1] < m->ngeom && list[i].geom[0] != list[i].geom[1]);
        kinds[i] = (uint8_t)(SN_NGEOMTYPE * m->geom_type[list[i].geom[0]] + m->geom_type[list[i].geom[1]]);
    }
    points->count = 0;
    for (int i = 0; i < count; i++) {
        if (kinds[i] == DONE) continue;
        const int type1 = kinds[i] / SN_NGEOMTYPE, type2 = kinds[i] % SN_NGEOMTYPE;
        assert(type1 <= type2);
        int n = gatherKind(list, kinds, i, count, alike);
        if (!sn_canCollide(type1, type2)) continue;
        if (sn_isHulled(type2)) n = inBoxes(m, d, alike, n, sn_isEndless(type1));
        const snBatchCollider collide = sn_batchCollider(m->physics, type1, type2);
        if (!(collide ? collide : convexBatch)(m, d, alike, n, points)) return false;
    }
    return true;
}
