// The part of a line that is inside a convex shape; in lanes, too.
#ifndef SINEW_SHAPE_SPAN_H
#define SINEW_SHAPE_SPAN_H

#include "math/vec.h"

/// Parameters t at which the line p + t u is inside; empty when lo > hi.
typedef struct snSpan {
    real lo, hi;
} snSpan;

static inline snSpan sn_spanSelect(snMask mask, snSpan a, snSpan b)
{
    return (snSpan){sn_select(mask, a.lo, b.lo), sn_select(mask, a.hi, b.hi)};
}

/// Everywhere where the mask is set, else empty.
static inline snSpan sn_spanOf(snMask everywhere)
{
    return (snSpan){sn_select(everywhere, -INFINITY, 1), sn_select(everywhere, INFINITY, -1)};
}

static inline snSpan sn_spanMeet(snSpan a, snSpan b)
{
    return (snSpan){sn_select(a.lo > b.lo, a.lo, b.lo), sn_select(a.hi < b.hi, a.hi, b.hi)};
}

/// a t^2 + 2 b t + c <= 0, a >= 0
static inline snSpan sn_spanQuadratic(real a, real b, real c)
{
    const snMask constant = a < SN_MINVAL;
    if (sn_all(constant)) return sn_spanOf(c <= 0);
    const real discriminant = b * b - a * c;
    const snMask none = discriminant < 0;
    if (sn_all(none)) return sn_spanOf(sn_mask(false));
    const real root = sqrt(discriminant);
    const snSpan span =
        sn_spanSelect(none, sn_spanOf(sn_mask(false)), (snSpan){(-b - root) / a, (-b + root) / a});
    return sn_any(constant) ? sn_spanSelect(constant, sn_spanOf(c <= 0), span) : span;
}

/// |p + t u| <= half
static inline snSpan sn_spanSlab(real p, real u, real half)
{
    const snMask constant = fabs(u) < SN_MINVAL, inside = fabs(p) <= half;
    if (sn_all(constant)) return sn_spanOf(inside);
    const real t0 = (-half - p) / u, t1 = (half - p) / u;
    const snSpan span = sn_spanSelect(t0 < t1, (snSpan){t0, t1}, (snSpan){t1, t0});
    return sn_any(constant) ? sn_spanSelect(constant, sn_spanOf(inside), span) : span;
}

static inline snSpan sn_spanBall(snVec3 p, snVec3 u, real radius)
{
    return sn_spanQuadratic(sn_v3Dot(u, u), sn_v3Dot(p, u), sn_v3Dot(p, p) - radius * radius);
}

/// Within radius of the third axis, and |z| <= half.
static inline snSpan sn_spanTube(snVec3 p, snVec3 u, real radius, real half)
{
    const snSpan side = sn_spanQuadratic(u.x * u.x + u.y * u.y, p.x * u.x + p.y * u.y,
                                         p.x * p.x + p.y * p.y - radius * radius);
    return sn_spanMeet(side, sn_spanSlab(p.z, u.z, half));
}

/// Whether the ray, t >= 0, is inside anywhere.
static inline snMask sn_spanAhead(snSpan s)
{
    return (s.lo <= s.hi) & (s.hi >= 0);
}

#endif
