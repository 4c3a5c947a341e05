// Signed distance of two geoms of a model, with the segment that spans it. Source: seed 001, "Geom distance".
#include <sinew/collision.h>
#include "collision/analytic/colliders.h"
#include "collision/convex/convex.h"
#include "collision/convex/hfield.h"
#include "collision/query/distance.h"

static snWitness witnessOf(const snShape* a, const snContactPoint* point)
{
    const snVec3 middle = sn_v3Sub(point->pos, a->pos);
    return (snWitness){point->normal, point->dist, sn_v3AddScaled(middle, -0.5 * point->dist, point->normal),
                       sn_v3AddScaled(middle, 0.5 * point->dist, point->normal)};
}

// Against a plane: the deepest point of the collider, which is the same under all rules.
static bool planeDistance(const snShape* a, const snShape* b, real margin, snWitness* out)
{
    const snCollider collider = sn_analyticCollider(SN_PHYSICS_V3_3_7, a->type, b->type);
    if (!collider) return false;
    snContactPoint points[SN_MAXCONPAIR];
    const int count = collider(a, b, margin, points);
    if (count == 0) return false;
    const snContactPoint* best = &points[0];
    for (int i = 1; i < count; i++)
        if (points[i].dist < best->dist) best = &points[i];
    *out = witnessOf(a, best);
    return true;
}

bool sn_nearestPoints(const snModel* m, const snData* d, int geom1, int geom2, double distmax, snNearest* out)
{
    if (geom1 < 0 || geom2 < 0 || geom1 >= m->ngeom || geom2 >= m->ngeom) return false;
    const bool swap = m->geom_type[geom1] > m->geom_type[geom2];
    const snShape a = sn_geomShape(m, d, swap ? geom2 : geom1), b = sn_geomShape(m, d, swap ? geom1 : geom2);
    snWitness w;
    bool found = false;
    if (sn_isConvex(a.type) && sn_isConvex(b.type)) {
        found = sn_convexDistance(&a, &b, distmax, SN_CONVEX_AUTO, &w);
    } else if (sn_isEndless(a.type)) {
        found = planeDistance(&a, &b, distmax, &w);
    } else if (sn_isField(a.type) && sn_isConvex(b.type)) {
        snContactPoint point;
        found = sn_hfieldDistance(m, &a, &b, distmax, &point);
        if (found) w = witnessOf(&a, &point);
    }
    if (!found) return false;
    const snVec3 pa = sn_v3Add(a.pos, w.pa), pb = sn_v3Add(a.pos, w.pb);
    *out = swap ? (snNearest){w.dist, sn_v3Neg(w.n), pb, pa} : (snNearest){w.dist, w.n, pa, pb};
    return true;
}

double sn_geomDistance(const snModel* m, const snData* d, int geom1, int geom2, double distmax,
                       double fromto[6])
{
    snNearest nearest;
    if (fromto) memset(fromto, 0, 6 * sizeof *fromto);
    if (!sn_nearestPoints(m, d, geom1, geom2, distmax, &nearest)) return distmax;
    if (fromto) {
        sn_v3Store(fromto, nearest.from);
        sn_v3Store(fromto + 3, nearest.to);
    }
    return nearest.dist;
}
