#include "collision/distance/shape_distance.h"
#include "collision/analytic/colliders.h"
#include "shape/facts.h"

snWitness sn_witnessOf(const snShape* a, const snContactPoint* point)
{
    const snVec3 middle = sn_v3Sub(point->pos, a->pos);
    return (snWitness){.n = point->normal,
                       .dist = point->dist,
                       .pa = sn_v3AddScaled(middle, -0.5 * point->dist, point->normal),
                       .pb = sn_v3AddScaled(middle, 0.5 * point->dist, point->normal)};
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
    *out = sn_witnessOf(a, best);
    return true;
}

bool sn_shapeDistance(const snShape* a, const snShape* b, real margin, snWitness* out)
{
    if (sn_isConvex(a->type) && sn_isConvex(b->type))
        return sn_convexDistance(a, b, margin, SN_CONVEX_AUTO, out);
    return sn_isEndless(a->type) && planeDistance(a, b, margin, out);
}
