// Signed distance of two geoms of a model, with the segment that spans it. Source: seed 001, "Geom distance".
#include <sinew/collision.h>
#include "collision/convex/hfield.h"
#include "collision/distance/shape_distance.h"
#include "collision/query/distance.h"
#include "collision/sdf/touch.h"

bool sn_nearestPoints(const snModel* m, const snData* d, int geom1, int geom2, double distmax, snNearest* out)
{
    if (geom1 < 0 || geom2 < 0 || geom1 >= m->ngeom || geom2 >= m->ngeom) return false;
    const bool swap = m->geom_type[geom1] > m->geom_type[geom2];
    const snShape a = sn_geomShape(m, d, swap ? geom2 : geom1), b = sn_geomShape(m, d, swap ? geom1 : geom2);
    snWitness w;
    bool found = sn_shapeDistance(&a, &b, distmax, &w);
    if (sn_isField(a.type) && sn_isConvex(b.type)) {
        snContactPoint point;
        found = sn_hfieldDistance(m, &a, &b, distmax, &point);
        if (found) w = sn_witnessOf(&a, &point);
    }
    if (sn_hasDistances(b.type)) {
        snContactPoint point;
        found = sn_sdfNearest(m, &a, &b, distmax, &point);
        if (found) w = sn_witnessOf(&a, &point);
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
