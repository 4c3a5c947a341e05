#include "math/simplex.h"
#include "sdf/solid/solid.h"

// Without a ball a point inside is on the surface; outwards is then away from the middle.
double sn_simplexDistance(const snVec3* corner, int count, double radius, const double point[3],
                          double gradient[3])
{
    double weight[4];
    const snVec3 p = sn_v3Load(point);
    snVec3 off = sn_v3Sub(p, sn_nearestInSimplex(corner, count, p, weight));
    const double length = sn_v3Norm(off);
    if (!gradient) return length - radius;
    if (!(length > 1e-12)) {
        off = p;
        for (int k = 0; k < count; k++) off = sn_v3AddScaled(off, -1.0 / count, corner[k]);
    }
    sn_v3Store(gradient, sn_v3Normalize(off));
    return length - radius;
}
