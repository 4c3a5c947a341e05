// A ray in the frame of a shape, and the shapes it can meet.
#ifndef SINEW_COLLISION_QUERY_RAY_H
#define SINEW_COLLISION_QUERY_RAY_H

#include <sinew/data.h>
#include "math/vec.h"

/// p + x v, x >= 0
typedef struct snRay {
    snVec3 p, v;
} snRay;

static inline snVec3 sn_rayAt(const snRay* ray, real x)
{
    return sn_v3AddScaled(ray->p, x, ray->v);
}

static inline snRay sn_rayInFrame(const snRay* ray, snVec3 pos, const snMat3* mat)
{
    return (snRay){sn_m3TMul(*mat, sn_v3Sub(ray->p, pos)), sn_m3TMul(*mat, ray->v)};
}

/// The nearer of two answers, each x or -1: none.
static inline real sn_nearerHit(real a, real b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/// Whether the ray meets a ball, at x < limit; a little too often rather than too seldom.
static inline bool sn_rayMeetsBall(const snRay* ray, snVec3 centre, real radius, real limit)
{
    const snVec3 w = sn_v3Sub(centre, ray->p);
    const real vv = sn_v3Dot(ray->v, ray->v), along = sn_v3Dot(w, ray->v), ww = sn_v3Dot(w, w);
    const real reach = radius * radius * (1 + 1e-9);
    if (ww <= reach) return true;
    if (along <= 0 || ww * vv - along * along > reach * vv) return false;
    return !(along - radius * sqrt(vv) * (1 + 1e-9) > limit * vv);
}

/// A triangle, from either side; its edges belong to it.
static inline real sn_rayTriangle(const snRay* ray, snVec3 a, snVec3 b, snVec3 c)
{
    const snVec3 e = sn_v3Sub(b, a), f = sn_v3Sub(c, a), s = sn_v3Sub(ray->p, a);
    const snVec3 q = sn_v3Cross(ray->v, f);
    const real det = sn_v3Dot(e, q); // Cramer's rule for p + x v = a + s e + t f (Moller and Trumbore 1997)
    if (!(det * det > 1e-30 * sn_v3Dot(e, e) * sn_v3Dot(q, q))) return -1;
    const real inv = 1 / det, u = sn_v3Dot(s, q) * inv;
    const snVec3 r = sn_v3Cross(s, e);
    const real w = sn_v3Dot(ray->v, r) * inv, slack = -1e-12;
    if (!(u >= slack && w >= slack && u + w <= 1 - slack)) return -1;
    const real x = sn_v3Dot(f, r) * inv;
    return x >= 0 ? x : -1;
}

/// Crossings of the six sides of a box [-size, size] (-x, +x, -y, +y, -z, +z), each x or -1; returns the
/// least.
real sn_rayBoxSides(const snRay* ray, snVec3 size, real side[6]);

/// sn_ray against the geoms of bodies first <= body < end, all groups, those of the world too.
double sn_rayBodies(const snModel* m, const snData* d, const double pnt[3], const double vec[3], int first,
                    int end, int bodyexclude, int* geomid);

/// Whether the ray meets a box (centre, half sizes) before `limit`. A little too often: boxes may be flat.
bool sn_rayMeetsBox(const snRay* ray, const double box[6], real limit);

/// Shapes in their own frames.
real sn_rayShape(const snRay* ray, int type, snVec3 size);
real sn_rayMeshLocal(const snModel* m, int mesh, const snRay* ray);
real sn_rayHfieldLocal(const snModel* m, int hfield, const snRay* ray);

#endif
