// A ray in the frame of a shape, and what it can meet.
#ifndef SINEW_SHAPE_RAY_H
#define SINEW_SHAPE_RAY_H

#include "math/vec.h"
#include "shape/surface.h"

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

/// Whether the ray meets a box (centre, half sizes) before `limit`. A little too often: boxes may be flat.
static inline bool sn_rayMeetsBox(const snRay* ray, const real aabb[6], real limit)
{
    const real p[3] = {ray->p.x, ray->p.y, ray->p.z}, v[3] = {ray->v.x, ray->v.y, ray->v.z};
    real from = 0, to = limit;
    for (int i = 0; i < 3; i++) {
        const real half = aabb[3 + i] * (1 + 1e-9) + 1e-12 * (1 + fabs(aabb[i])), at = p[i] - aabb[i];
        if (fabs(v[i]) < SN_MINVAL) {
            if (fabs(at) > half) return false;
            continue;
        }
        const real inv = 1 / v[i], a = (-half - at) * inv, b = (half - at) * inv;
        from = sn_max(sn_min(a, b), from);
        to = sn_min(sn_max(a, b), to);
    }
    return from <= to;
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

/// The roots of a x^2 + 2 b x + c = 0 in ascending order; false: none, or a touch.
bool sn_rayRoots(real a, real b, real c, real x[2]);

/// The first of them on the ray, or -1.
real sn_rayFirstRoot(real a, real b, real c);

/// The side of a cylinder about z with |z| <= half
real sn_rayTube(const snRay* ray, real radius, real half);

/// Crossings of the six sides of a box [-size, size] (-x, +x, -y, +y, -z, +z), each x or -1; returns the
/// least.
real sn_rayBoxSides(const snRay* ray, snVec3 size, real side[6]);

/// Whether a shape has a surface: not a mesh without triangles, or a field without heights. type: any number.
bool sn_hasSurface(int type, const snSurface* surface);

/// The first x at which the ray meets the surface of a shape; -1: none, or it has no surface. type: any
/// number.
real sn_rayShape(const snRay* ray, int type, const snSurface* surface);

/// One of several surfaces: how far a point is from it, and its normal. The nearest one is meant.
typedef struct snFacing {
    real off;
    snVec3 normal;
} snFacing;

#define SN_FACING_NONE ((snFacing){(real)INFINITY, {0, 0, 1}})

static inline void sn_considerFacing(snFacing* best, real off, snVec3 normal)
{
    if (fabs(off) < best->off) *best = (snFacing){fabs(off), normal};
}

static inline snVec3 sn_triangleNormal(const snVec3 v[3])
{
    return sn_v3Cross(sn_v3Sub(v[1], v[0]), sn_v3Sub(v[2], v[0]));
}

#endif
