// In lanes, too: src/batch/lane/prelude.h.
// Both shapes come down to a circle in a plane: of the sphere through its centre and the two points, of the
// cylinder across its axis, along which the path then rises evenly (a helix is straight on the unrolled
// cylinder).
#include "smooth/tendon/wrap.h"
#include <stdbool.h>

typedef struct Vec2 {
    real x, y;
} Vec2;

static inline Vec2 sub2(Vec2 a, Vec2 b)
{
    return (Vec2){a.x - b.x, a.y - b.y};
}
static inline Vec2 add2(Vec2 a, Vec2 b)
{
    return (Vec2){a.x + b.x, a.y + b.y};
}
static inline real dot2(Vec2 a, Vec2 b)
{
    return a.x * b.x + a.y * b.y;
}
static inline real cross2(Vec2 a, Vec2 b)
{
    return a.x * b.y - a.y * b.x;
}
static inline real norm2(Vec2 a)
{
    return sqrt(dot2(a, a));
}
static inline Vec2 scale2(Vec2 a, real s)
{
    return (Vec2){a.x * s, a.y * s};
}
static inline Vec2 select2(snMask mask, Vec2 a, Vec2 b)
{
    return (Vec2){sn_select(mask, a.x, b.x), sn_select(mask, a.y, b.y)};
}
/// Unit vector along a; the x axis if there is none.
static inline Vec2 unit2(Vec2 a)
{
    const real n = norm2(a);
    return select2(n < SN_MINVAL, (Vec2){sn_real(1), sn_real(0)}, scale2(a, 1 / n));
}

// Where the tangent from p touches the circle of radius r: turn = 1 counterclockwise of p, -1 clockwise.
// |p| = d: t = (r^2 p + turn r sqrt(d^2 - r^2) p_perp) / d^2.
static Vec2 tangentPoint(Vec2 p, real r, real turn)
{
    const real d2 = dot2(p, p), h = turn * r * sqrt(sn_max(d2 - r * r, 0));
    return (Vec2){(r * r * p.x - h * p.y) / d2, (r * r * p.y + h * p.x) / d2};
}

// Nearest point to the origin on the segment p q.
static Vec2 nearestOnSegment(Vec2 p, Vec2 q)
{
    const Vec2 e = sub2(q, p);
    const real e2 = dot2(e, e);
    const real a = sn_select(e2 < SN_MINVAL, 0, sn_min(sn_max(-dot2(p, e) / e2, 0), 1));
    return add2(p, scale2(e, a));
}

// Whether the segments a b and c d cross.
static snMask segmentsCross(Vec2 a, Vec2 b, Vec2 c, Vec2 d)
{
    const Vec2 u = sub2(b, a), v = sub2(d, c), w = sub2(c, a);
    const real det = cross2(u, v);
    const snMask parallel = fabs(det) < SN_MINVAL;
    if (sn_all(parallel)) return sn_mask(false);
    const real s = cross2(w, v) / det, t = cross2(w, u) / det;
    return sn_not(parallel) & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1);
}

// Around the outside: of the two taut paths the one on the side of `side` (unit), without it the shorter.
// Returns the length of the arc, -1: the straight line stays clear.
static real outside(const Vec2 p[2], real r, const Vec2* side, Vec2 t[2])
{
    const Vec2 nearest = nearestOnSegment(p[0], p[1]);
    snMask on_side = sn_mask(true);
    if (side) on_side = dot2(nearest, *side) >= 0;
    const real d0 = norm2(p[0]), d1 = norm2(p[1]), distance = norm2(nearest);
    snMask clear = (d0 < r) | (d1 < r) | ((distance > r) & on_side);
    if (sn_all(clear)) return sn_real(-1);
    real best = sn_real(-INFINITY), turn = sn_real(1);
    snMask crossed = sn_mask(true);
    for (int k = 0; k < 2; k++) {
        const real way = k ? sn_real(-1) : sn_real(1);
        const Vec2 a = tangentPoint(p[0], r, way), b = tangentPoint(p[1], r, -way);
        const snMask crosses = segmentsCross(p[0], a, p[1], b);
        real good = side ? dot2(unit2(add2(a, b)), *side) : -dot2(sub2(a, b), sub2(a, b));
        good = sn_select(crosses, -1e4, good);
        const snMask better = sn_not(good <= best);
        if (!sn_any(better)) continue;
        best = sn_select(better, good, best);
        turn = sn_select(better, way, turn);
        crossed = (better & crosses) | (sn_not(better) & crossed);
        t[0] = select2(better, a, t[0]);
        t[1] = select2(better, b, t[1]);
    }
    clear |= crossed;
    if (sn_all(clear)) return sn_real(-1);
    const real turned = turn * sn_atan2(cross2(t[0], t[1]), dot2(t[0], t[1]));
    const real arc = r * sn_select(turned < 0, turned + 2 * SN_PI, turned);
    return sn_any(clear) ? sn_select(clear, -1, arc) : arc;
}

// Counterclockwise from a to b, which are angles; half turns to either side stay what they are, so that two
// of them cancel.
static inline real angleBetween(real a, real b)
{
    const real x = b - a;
    return x - sn_select(x > SN_PI, 2 * SN_PI, sn_select(x < -SN_PI, -2 * SN_PI, 0));
}

// Around the outside, the way from p[0] over the direction of the side to p[1]. Each tangent takes from it
// the angle at whose end it touches. As `outside`.
static real outsideThrough(const Vec2 p[2], real r, Vec2 side, Vec2 t[2])
{
    const real d0 = dot2(p[0], p[0]), d1 = dot2(p[1], p[1]), r2 = r * r;
    const real middle = sn_atan2(side.y, side.x);
    const real way =
        angleBetween(sn_atan2(p[0].y, p[0].x), middle) + angleBetween(middle, sn_atan2(p[1].y, p[1].x));
    const real turned =
        fabs(way) - sn_atan2(sqrt(sn_max(d0 - r2, 0)), r) - sn_atan2(sqrt(sn_max(d1 - r2, 0)), r);
    const Vec2 e = sub2(p[1], p[0]);
    const snMask clear = (d0 < r2) | (d1 < r2) | (turned <= 0) | (dot2(e, e) < SN_MINVAL);
    if (sn_all(clear)) return sn_real(-1);
    const real turn = sn_select(way < 0, -1, 1);
    t[0] = tangentPoint(p[0], r, turn);
    t[1] = tangentPoint(p[1], r, -turn);
    return sn_any(clear) ? sn_select(clear, -1, r * turned) : r * turned;
}

// Through the inside, of the circle: the shortest path that touches the wall once, where both parts make
// equal angles with the normal. With a, b the radius over the points' distances, G the angle between the
// points and z the sine of the angle between path and normal: asin(a z) + asin(b z) - 2 asin(z) + G = 0, z in
// (0, 1), found by Newton's method from z = 1 down. Returns 0, or -1: the straight line passes inside.
static real inside(const Vec2 p[2], real r, Vec2 t[2])
{
    const real d0 = norm2(p[0]), d1 = norm2(p[1]);
    snMask clear = (d0 <= r) | (d1 <= r) | (r < SN_MINVAL) | (d0 < SN_MINVAL) | (d1 < SN_MINVAL);
    if (sn_all(clear)) return sn_real(-1);
    const Vec2 nearest = nearestOnSegment(p[0], p[1]), e = sub2(p[1], p[0]);
    const real e2 = dot2(e, e), distance = norm2(nearest);
    clear |= (e2 > SN_MINVAL) & (distance <= r);
    if (sn_all(clear)) return sn_real(-1);

    const real a = r / d0, b = r / d1, cosG = dot2(p[0], p[1]) / (d0 * d1);
    t[0] = t[1] = scale2(unit2(add2(p[0], p[1])), r); // when there is no better
    clear |= cosG < -1 + (SN_MINVAL + SN_COARSE);
    const real arc = sn_select(clear, -1, 0);
    snMask done = clear | (cosG > 1 - (SN_MINVAL + SN_COARSE)); // t is what there is
    if (sn_all(done)) return arc;
    const real G = sn_acos(cosG);
    real z = sn_real(1 - 1e-7), f = sn_asin(a * z) + sn_asin(b * z) - 2 * sn_asin(z) + G;
    done |= f > 0;
    snMask going = sn_not(done);
    for (int i = 0; i < 50; i++) {
        going &= fabs(f) > 1e-6;
        if (!sn_any(going)) break;
        const real slope = a / sn_max(sqrt(1 - a * a * z * z), SN_MINVAL) +
                           b / sn_max(sqrt(1 - b * b * z * z), SN_MINVAL) -
                           2 / sn_max(sqrt(1 - z * z), SN_MINVAL);
        const snMask flat = going & (slope > -SN_MINVAL);
        done |= flat;
        const real next = z - f / slope;
        // beyond z by rounding: it falls towards the root from above
        going &= sn_not(flat | (next > z) | (next < 0));
        if (!sn_any(going)) break;
        z = sn_select(going, next, z);
        f = sn_select(going, sn_asin(a * z) + sn_asin(b * z) - 2 * sn_asin(z) + G, f);
    }
    if (sn_all(done)) return arc;
    const snMask forward = cross2(p[0], p[1]) > 0; // the touching point lies counterclockwise of the first
    const Vec2 from = unit2(select2(forward, p[0], p[1]));
    const real angle = sn_asin(z) - sn_asin(sn_select(forward, a, b) * z), s = sn_sin(angle),
               c = sn_cos(angle);
    const Vec2 touch = scale2((Vec2){c * from.x - s * from.y, s * from.x + c * from.y}, r);
    t[0] = t[1] = select2(done, t[0], touch);
    return arc;
}

// Axes of the plane of a sphere: through both points and the centre; when these are on a line, through the
// side (NULL or in line too: any).
static void spherePlane(snVec3 p, snVec3 q, const snVec3* side, snVec3 axis[2])
{
    axis[0] = sn_v3Normalize(p);
    snVec3 normal = sn_v3Cross(p, q);
    const snMask line = sn_v3Norm(normal) < SN_MINVAL;
    if (sn_any(line) && side) normal = sn_v3Select(line, sn_v3Cross(p, *side), normal);
    const snMask any = sn_v3Norm(normal) < SN_MINVAL;
    if (sn_any(any)) {
        const real x = fabs(axis[0].x), y = fabs(axis[0].y), z = fabs(axis[0].z);
        const snVec3 yz = sn_v3Select(y <= z, sn_v3(0, 1, 0), sn_v3(0, 0, 1));
        const snVec3 other = sn_v3Select((x <= y) & (x <= z), sn_v3(1, 0, 0), yz);
        normal = sn_v3Select(any, sn_v3Cross(axis[0], other), normal);
    }
    axis[1] = sn_v3Normalize(sn_v3Cross(sn_v3Normalize(normal), axis[0]));
}

// The arc in the plane of `axis`; side: NULL or the point of the side in the frame of the shape.
static real arcIn(const Vec2 p[2], const snWrapShape* shape, const snVec3* side, const snVec3 axis[2],
                  Vec2 t[2])
{
    const real r = shape->radius;
    t[0] = t[1] = (Vec2){sn_real(0), sn_real(0)};
    if (!side) return outside(p, r, NULL, t);
    const Vec2 direction = unit2((Vec2){sn_v3Dot(*side, axis[0]), sn_v3Dot(*side, axis[1])});
    const snMask within = sn_v3Norm(*side) < r;
    if (sn_all(within)) return inside(p, r, t);
    const real arc = shape->through ? outsideThrough(p, r, direction, t) : outside(p, r, &direction, t);
    if (!sn_any(within)) return arc;
    Vec2 u[2] = {t[0], t[1]};
    const real inner = inside(p, r, u);
    for (int k = 0; k < 2; k++) t[k] = select2(within, u[k], t[k]);
    return sn_select(within, inner, arc);
}

real sn_wrap(const snWrapShape* shape, const snVec3 point[2], const snVec3* side, snVec3 touch[2])
{
    const real r = shape->radius;
    const snVec3 p = sn_m3TMul(shape->mat, sn_v3Sub(point[0], shape->pos));
    const snVec3 q = sn_m3TMul(shape->mat, sn_v3Sub(point[1], shape->pos));
    const real d0 = sn_v3Norm(p), d1 = sn_v3Norm(q);
    snMask clear = (r < SN_MINVAL) | (d0 < SN_MINVAL) | (d1 < SN_MINVAL);
    if (sn_all(clear)) return sn_real(-1);
    snVec3 axis[2] = {sn_v3(1, 0, 0), sn_v3(0, 1, 0)};
    const snVec3 s = side ? sn_m3TMul(shape->mat, sn_v3Sub(*side, shape->pos)) : sn_v3(0, 0, 0);
    if (!shape->cylinder) spherePlane(p, q, side ? &s : NULL, axis);

    const Vec2 plane[2] = {{sn_v3Dot(p, axis[0]), sn_v3Dot(p, axis[1])},
                           {sn_v3Dot(q, axis[0]), sn_v3Dot(q, axis[1])}};
    Vec2 t[2];
    const real arc = arcIn(plane, shape, side ? &s : NULL, axis, t);
    clear |= arc < 0;
    if (sn_all(clear)) return sn_real(-1);

    real rise[2] = {sn_real(0), sn_real(0)};
    if (shape->cylinder) {
        const real before = norm2(sub2(plane[0], t[0])), after = norm2(sub2(plane[1], t[1]));
        const real slope = (q.z - p.z) / (before + arc + after);
        rise[0] = p.z + slope * before;
        rise[1] = p.z + slope * (before + arc);
    }
    for (int k = 0; k < 2; k++) {
        snVec3 x = sn_v3Add(sn_v3Scale(axis[0], t[k].x), sn_v3Scale(axis[1], t[k].y));
        x.z += rise[k];
        x = sn_v3Add(shape->pos, sn_m3Mul(shape->mat, x));
        touch[k] = sn_any(clear) ? sn_v3Select(clear, point[0], x) : x;
    }
    const real climb = rise[1] - rise[0], length = sqrt(arc * arc + climb * climb);
    return sn_any(clear) ? sn_select(clear, -1, length) : length;
}
