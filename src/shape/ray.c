#include "shape/ray.h"
#include "shape/kind.h"

bool sn_rayRoots(real a, real b, real c, real x[2])
{
    const real det = b * b - a * c;
    if (!(det >= SN_MINVAL) || !(a > 0)) return false;
    const real root = sqrt(det);
    x[0] = (-b - root) / a;
    x[1] = (-b + root) / a;
    return true;
}

real sn_rayFirstRoot(real a, real b, real c)
{
    real x[2];
    if (!sn_rayRoots(a, b, c, x)) return -1;
    return x[0] >= 0 ? x[0] : x[1] >= 0 ? x[1] : -1;
}

real sn_rayTube(const snRay* ray, real radius, real half)
{
    const snVec3 p = ray->p, v = ray->v;
    real x[2], best = -1;
    if (!sn_rayRoots(v.x * v.x + v.y * v.y, v.x * p.x + v.y * p.y, p.x * p.x + p.y * p.y - radius * radius,
                     x))
        return -1;
    for (int k = 0; k < 2; k++)
        if (x[k] >= 0 && fabs(p.z + x[k] * v.z) <= half) best = sn_nearerHit(best, x[k]);
    return best;
}

bool sn_hasSurface(int type, const snSurface* surface)
{
    switch (sn_factsOf(type)->asset) {
    case SN_ASSET_NONE: break;
    case SN_ASSET_MESH: return surface->mesh.face != NULL;
    case SN_ASSET_FIELD: return surface->field.height != NULL;
    }
    return true;
}

real sn_rayShape(const snRay* ray, int type, const snSurface* surface)
{
    return sn_hasSurface(type, surface) ? sn_shapeKind(type)->ray(ray, surface) : -1;
}
