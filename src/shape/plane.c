#include "shape/plane.h"
#include "shape/kind.h"

// Everything below z = 0
static void box(const snSolid* s, real aabb[6])
{
    (void)s;
    aabb[0] = aabb[1] = 0;
    aabb[2] = -0.5 * SN_MAXVAL;
    aabb[3] = aabb[4] = SN_MAXVAL;
    aabb[5] = 0.5 * SN_MAXVAL;
}

// From above, within its half sizes where these are positive
static real ray(const snRay* r, const snSurface* s)
{
    const snVec3 size = s->size;
    if (r->v.z > -SN_MINVAL) return -1;
    const real x = -r->p.z / r->v.z;
    if (!(x >= 0)) return -1;
    const snVec3 at = sn_rayAt(r, x);
    const bool inside = (size.x <= 0 || fabs(at.x) <= size.x) && (size.y <= 0 || fabs(at.y) <= size.y);
    return inside ? x : -1;
}

SN_SHAPE_ROW(PLANE) = {.span = sn_noSpan,
                       .volume = sn_noVolume,
                       .area = sn_noArea,
                       .inertia = sn_noInertia,
                       .shellInertia = sn_noInertia,
                       .box = box,
                       .radius = sn_noRadius,
                       .fitInertia = sn_noFit,
                       .fitBounds = sn_noFit,
                       .ray = ray,
                       .normal = sn_normalUp};
