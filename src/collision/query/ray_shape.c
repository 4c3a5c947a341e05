// Rays against planes, spheres, capsules, ellipsoids, cylinders and boxes, in the frame of the shape.
#include "collision/query/ray.h"

// The roots of a x^2 + 2 b x + c = 0 in ascending order; false: none, or a touch.
static bool roots(real a, real b, real c, real x[2])
{
    const real det = b * b - a * c;
    if (!(det >= SN_MINVAL) || !(a > 0)) return false;
    const real root = sqrt(det);
    x[0] = (-b - root) / a;
    x[1] = (-b + root) / a;
    return true;
}

static real firstRoot(real a, real b, real c)
{
    real x[2];
    if (!roots(a, b, c, x)) return -1;
    return x[0] >= 0 ? x[0] : x[1] >= 0 ? x[1] : -1;
}

// Above it, within its half sizes where these are positive
static real rayPlane(const snRay* ray, snVec3 size)
{
    if (ray->v.z > -SN_MINVAL) return -1;
    const real x = -ray->p.z / ray->v.z;
    if (!(x >= 0)) return -1;
    const snVec3 at = sn_rayAt(ray, x);
    const bool inside = (size.x <= 0 || fabs(at.x) <= size.x) && (size.y <= 0 || fabs(at.y) <= size.y);
    return inside ? x : -1;
}

static real rayEllipsoid(const snRay* ray, snVec3 s)
{
    const snVec3 p = sn_v3(ray->p.x / s.x, ray->p.y / s.y, ray->p.z / s.z);
    const snVec3 v = sn_v3(ray->v.x / s.x, ray->v.y / s.y, ray->v.z / s.z);
    return firstRoot(sn_v3Dot(v, v), sn_v3Dot(v, p), sn_v3Dot(p, p) - 1);
}

static real raySphere(const snRay* ray, real radius)
{
    return firstRoot(sn_v3Dot(ray->v, ray->v), sn_v3Dot(ray->v, ray->p),
                     sn_v3Dot(ray->p, ray->p) - radius * radius);
}

// The side of a cylinder about z with |z| <= half
static real rayTube(const snRay* ray, real radius, real half)
{
    const snVec3 p = ray->p, v = ray->v;
    real x[2], best = -1;
    if (!roots(v.x * v.x + v.y * v.y, v.x * p.x + v.y * p.y, p.x * p.x + p.y * p.y - radius * radius, x))
        return -1;
    for (int k = 0; k < 2; k++)
        if (x[k] >= 0 && fabs(p.z + x[k] * v.z) <= half) best = sn_nearerHit(best, x[k]);
    return best;
}

static real rayCapsule(const snRay* ray, real radius, real half)
{
    real best = rayTube(ray, radius, half);
    for (int end = -1; end <= 1; end += 2) {
        const snVec3 p = sn_v3(ray->p.x, ray->p.y, ray->p.z - end * half);
        real x[2];
        if (!roots(sn_v3Dot(ray->v, ray->v), sn_v3Dot(ray->v, p), sn_v3Dot(p, p) - radius * radius, x))
            continue;
        for (int k = 0; k < 2; k++)
            if (x[k] >= 0 && end * (p.z + x[k] * ray->v.z) >= 0) best = sn_nearerHit(best, x[k]);
    }
    return best;
}

static real rayCylinder(const snRay* ray, real radius, real half)
{
    real best = rayTube(ray, radius, half);
    if (fabs(ray->v.z) <= SN_MINVAL) return best;
    for (int end = -1; end <= 1; end += 2) {
        const real x = (end * half - ray->p.z) / ray->v.z;
        const snVec3 at = sn_rayAt(ray, x);
        if (x >= 0 && at.x * at.x + at.y * at.y <= radius * radius) best = sn_nearerHit(best, x);
    }
    return best;
}

real sn_rayBoxSides(const snRay* ray, snVec3 size, real side[6])
{
    const real p[3] = {ray->p.x, ray->p.y, ray->p.z}, v[3] = {ray->v.x, ray->v.y, ray->v.z};
    const real s[3] = {size.x, size.y, size.z};
    real best = -1;
    for (int i = 0; i < 6; i++) side[i] = -1;
    for (int i = 0; i < 3; i++) {
        if (fabs(v[i]) <= SN_MINVAL) continue;
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int end = 0; end < 2; end++) {
            const real x = ((end ? s[i] : -s[i]) - p[i]) / v[i];
            if (!(x >= 0 && fabs(p[j] + x * v[j]) <= s[j] && fabs(p[k] + x * v[k]) <= s[k])) continue;
            side[2 * i + end] = x;
            best = sn_nearerHit(best, x);
        }
    }
    return best;
}

real sn_rayShape(const snRay* ray, int type, snVec3 size)
{
    real sides[6];
    switch (type) {
    case SN_GEOM_PLANE: return rayPlane(ray, size);
    case SN_GEOM_SPHERE: return raySphere(ray, size.x);
    case SN_GEOM_CAPSULE: return rayCapsule(ray, size.x, size.y);
    case SN_GEOM_ELLIPSOID: return rayEllipsoid(ray, size);
    case SN_GEOM_CYLINDER: return rayCylinder(ray, size.x, size.y);
    case SN_GEOM_BOX: return sn_rayBoxSides(ray, size, sides);
    default: return -1;
    }
}
