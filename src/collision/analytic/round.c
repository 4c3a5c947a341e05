// In lanes, too: src/batch/lane/prelude.h.
// Spheres and capsules: two balls around the closest points of their centres, segments or solids.
#include "collision/analytic/colliders.h"

// Normal of two shapes whose axes meet
static inline snVec3 acrossAxes(const snShape* a, const snShape* b)
{
    return sn_v3Cross(sn_m3Col(a->mat, 2), sn_m3Col(b->mat, 2));
}

int sn_sphereSphere(const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    return sn_any(sn_ballBall(a->pos, a->size.x, b->pos, b->size.x, acrossAxes(a, b), margin, out));
}

// The point of the capsule's segment closest to p
static inline snVec3 closestOnSegment(const snShape* capsule, snVec3 p)
{
    const snVec3 axis = sn_m3Col(capsule->mat, 2);
    const real half = capsule->size.y;
    const real along = sn_clamp(sn_v3Dot(axis, sn_v3Sub(p, capsule->pos)), -half, half);
    return sn_v3AddScaled(capsule->pos, along, axis);
}

int sn_sphereCapsule(const snShape* sphere, const snShape* capsule, real margin, snContactPoint* out)
{
    return sn_any(sn_ballBall(sphere->pos, sphere->size.x, closestOnSegment(capsule, sphere->pos),
                              capsule->size.x, acrossAxes(sphere, capsule), margin, out));
}

// Sphere whose centre projects into a flat face with outward normal `out_normal` at height `height` above it
static snMask sphereFace(const snShape* sphere, snVec3 out_normal, real height, real margin,
                         snContactPoint* out)
{
    const real dist = height - sphere->size.x;
    const snMask found = sn_not(dist > margin);
    if (!sn_any(found)) return found;
    const snVec3 pos = sn_v3AddScaled(sphere->pos, -(sphere->size.x + 0.5 * dist), out_normal);
    *out = sn_contactPoint(dist, pos, sn_v3Neg(out_normal), found);
    return found;
}

// The point of lanes in `added` beside that of lanes in `found`; returns those that have one.
static inline snMask merge(snMask found, snMask added, const snContactPoint* point, snContactPoint* out)
{
    if (sn_any(added)) {
        out->dist = sn_select(found, out->dist, point->dist);
        out->pos = sn_v3Select(found, out->pos, point->pos);
        out->normal = sn_v3Select(found, out->normal, point->normal);
        out->tangent = point->tangent;
    }
    sn_setFound(out, found | added);
    return found | added;
}

// Side: ball against the ball of the cylinder's radius on its axis. Cap: ball against a face. Else: ball
// against the nearest point of the rim. A centre inside leaves through the nearer of side and cap.
int sn_sphereCylinder(const snShape* sphere, const snShape* cylinder, real margin, snContactPoint* out)
{
    const snVec3 axis = sn_m3Col(cylinder->mat, 2), v = sn_v3Sub(sphere->pos, cylinder->pos);
    const real radius = cylinder->size.x, half = cylinder->size.y;
    const real x = sn_v3Dot(v, axis);
    const snVec3 radial = sn_v3AddScaled(v, -x, axis);
    const real square = sn_v3Dot(radial, radial);
    snMask side = fabs(x) < half, cap = square < radius * radius;
    const snMask inside = side & cap, by_cap = half - fabs(x) < radius - sqrt(square);
    side &= sn_not(inside & by_cap);
    cap &= sn_not(inside & sn_not(by_cap));
    const snMask rim = sn_not(side | cap);
    snContactPoint point = {0};
    snMask found = sn_mask(false);
    if (sn_any(side)) {
        const snVec3 foot = sn_v3AddScaled(cylinder->pos, x, axis);
        found = side & sn_ballBall(sphere->pos, sphere->size.x, foot, radius, acrossAxes(sphere, cylinder),
                                   margin, out);
        if (sn_all(side)) return sn_any(found);
    }
    if (sn_any(cap)) {
        const snVec3 n = sn_v3Select(x > 0, axis, sn_v3Neg(axis));
        found = merge(found, cap & sphereFace(sphere, n, fabs(x) - half, margin, &point), &point, out);
    }
    if (sn_any(rim)) {
        const snVec3 disc = sn_v3AddScaled(cylinder->pos, sn_select(x > 0, half, -half), axis);
        const snVec3 nearest = sn_v3AddScaled(disc, radius / sqrt(square), radial);
        found =
            merge(found,
                  rim & sn_ballBall(sphere->pos, sphere->size.x, nearest, sn_real(0), radial, margin, &point),
                  &point, out);
    }
    return sn_any(found);
}

// Centre outside: ball against the nearest point of the box. Inside: out through the nearest face.
int sn_sphereBox(const snShape* sphere, const snShape* box, real margin, snContactPoint* out)
{
    const snVec3 c = sn_m3TMul(box->mat, sn_v3Sub(sphere->pos, box->pos)), s = box->size;
    const snVec3 nearest = {sn_clamp(c.x, -s.x, s.x), sn_clamp(c.y, -s.y, s.y), sn_clamp(c.z, -s.z, s.z)};
    const snVec3 away = sn_v3Sub(c, nearest);
    const snMask outside = sn_v3Dot(away, away) > SN_MINVAL * SN_MINVAL;
    snMask found = sn_mask(false);
    if (sn_any(outside)) {
        const snVec3 surface = sn_v3Add(box->pos, sn_m3Mul(box->mat, nearest));
        found = outside & sn_ballBall(sphere->pos, sphere->size.x, surface, sn_real(0), away, margin, out);
        if (sn_all(outside)) return sn_any(found);
    }
    const real centre[3] = {c.x, c.y, c.z}, size[3] = {s.x, s.y, s.z};
    real depth = size[0] - fabs(centre[0]), side = centre[0];
    snVec3 n = sn_m3Col(box->mat, 0);
    for (int i = 1; i < 3; i++) {
        const real other = size[i] - fabs(centre[i]);
        const snMask nearer = other < depth;
        depth = sn_select(nearer, other, depth);
        side = sn_select(nearer, centre[i], side);
        n = sn_v3Select(nearer, sn_m3Col(box->mat, i), n);
    }
    n = sn_v3Select(side > 0, n, sn_v3Neg(n));
    snContactPoint point = {0};
    found = merge(found, sn_not(outside) & sphereFace(sphere, n, -depth, margin, &point), &point, out);
    return sn_any(found);
}

// Two segments p1 + x1 a1, p2 + x2 a2, |x| <= h, around which are balls of radius r.
typedef struct Segments {
    snVec3 p1, a1, p2, a2;
    snVec3 spare; // normal where they meet
    real h1, h2, r1, r2;
    real c, u, v; // a1.a2, a1.d, -a2.d,  d = p2 - p1
    real det;     // 1 - c^2
} Segments;

static Segments segmentsOf(const snShape* a, const snShape* b)
{
    Segments s = {.p1 = a->pos, .a1 = sn_m3Col(a->mat, 2), .p2 = b->pos, .a2 = sn_m3Col(b->mat, 2)};
    const snVec3 d = sn_v3Sub(s.p2, s.p1);
    s.spare = sn_v3Cross(s.a1, s.a2);
    s.r1 = a->size.x;
    s.h1 = a->size.y;
    s.r2 = b->size.x;
    s.h2 = b->size.y;
    s.c = sn_v3Dot(s.a1, s.a2);
    s.u = sn_v3Dot(s.a1, d);
    s.v = -sn_v3Dot(s.a2, d);
    s.det = 1 - s.c * s.c;
    return s;
}

// The balls at two places of the segments.
static snMask ballsAt(const Segments* s, real x1, real x2, real margin, snContactPoint* out)
{
    return sn_ballBall(sn_v3AddScaled(s->p1, x1, s->a1), s->r1, sn_v3AddScaled(s->p2, x2, s->a2), s->r2,
                       s->spare, margin, out);
}

// Minimum of |d + x2 a2 - x1 a1|^2 where the gradient vanishes: x1 - c x2 = u, c x1 - x2 = -v. A coordinate
// out of its range is put on the end and the other one solved anew.
static snMask nearestBalls(const Segments* s, real margin, snContactPoint* out)
{
    real x1 = (s->u + s->c * s->v) / s->det, x2 = (s->v + s->c * s->u) / s->det;
    const snMask beyond = (fabs(x1) > s->h1) | (fabs(x2) > s->h2);
    if (sn_any(beyond)) {
        const real end1 = sn_clamp(x1, -s->h1, s->h1), free2 = s->v + s->c * end1;
        const snMask beyond2 = fabs(free2) > s->h2;
        const real end2 = sn_clamp(free2, -s->h2, s->h2);
        const real then1 = sn_clamp(s->u + s->c * end2, -s->h1, s->h1);
        x1 = sn_select(beyond, sn_select(beyond2, then1, end1), x1);
        x2 = sn_select(beyond, end2, x2);
    }
    return ballsAt(s, x1, x2, margin, out);
}

// The point of capsules whose axes cross; returns how many there are.
static int crossingBalls(const Segments* s, snMask crossing, real margin, snContactPoint* out)
{
    if (!sn_any(crossing)) return 0;
    const snMask found = crossing & nearestBalls(s, margin, out);
    if (!sn_all(crossing)) sn_setFound(out, found);
    return sn_any(found);
}

int sn_capsuleCapsule(const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    const Segments s = segmentsOf(a, b);
    const snMask crossing = (s.det * s.h1 * s.h1 * s.h2 * s.h2 >= SN_MINVAL) & (s.det > SN_COARSE);
    int count = crossingBalls(&s, crossing, margin, out);
    if (sn_all(crossing)) return count;
    // parallel: up to two of the four ends with their nearest points, those of the first capsule first
    snMask once = sn_mask(false), done = crossing;
    for (int end = 0; end < 4 && !sn_all(done); end++) {
        const snLane sign = end & 1 ? -1 : 1;
        real x1 = sign * s.h1, x2 = sign * s.h2;
        if (end < 2)
            x2 = sn_clamp(s.v + s.c * sign * s.h1, -s.h2, s.h2);
        else
            x1 = sn_clamp(s.u + s.c * sign * s.h2, -s.h1, s.h1);
        const snMask found = ballsAt(&s, x1, x2, margin, out + count) & sn_not(done);
        if (!sn_any(found)) continue;
        sn_setFound(out + count++, found);
        done |= once & found;
        once |= found;
    }
    return count;
}

// An end of the part of the first segment beside which the second one lies, and the point over it: towards
// -a1 (sign -1) or a1 (1), the end of whichever ends first. Where they lie beside each other nowhere, the two
// ends that are nearest, for both signs.
static snMask endBeside(const Segments* s, snLane sign, real margin, snContactPoint* out)
{
    const real end2 = sign * sn_select(s->c < 0, -s->h2, s->h2), over2 = sign * (s->u + s->c * end2);
    const snMask by_second = over2 < s->h1;
    const real x1 = sign * sn_select(by_second, sn_clamp(over2, -s->h1, s->h1), s->h1);
    const real x2 = sn_select(by_second, end2, sn_clamp(s->v + s->c * sign * s->h1, -s->h2, s->h2));
    return ballsAt(s, x1, x2, margin, out);
}

#define PARALLEL 1e-8 // most square of a sine, as in the peer

int sn_capsulesBeside(const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    const Segments s = segmentsOf(a, b);
    const snMask crossing = s.det > sn_max(PARALLEL, SN_COARSE);
    int count = crossingBalls(&s, crossing, margin, out);
    if (sn_all(crossing)) return count;
    for (int end = 0; end < 2; end++) {
        const snMask found = endBeside(&s, end ? 1 : -1, margin, out + count) & sn_not(crossing);
        if (!sn_any(found)) continue;
        sn_setFound(out + count++, found);
    }
    return count;
}

SN_BATCH_COLLIDER(sn_sphereSphereBatch, sn_sphereSphere, 1, SN_GEOM_SPHERE, SN_GEOM_SPHERE)
SN_BATCH_COLLIDER(sn_sphereCapsuleBatch, sn_sphereCapsule, 1, SN_GEOM_SPHERE, SN_GEOM_CAPSULE)
SN_BATCH_COLLIDER(sn_sphereCylinderBatch, sn_sphereCylinder, 1, SN_GEOM_SPHERE, SN_GEOM_CYLINDER)
SN_BATCH_COLLIDER(sn_sphereBoxBatch, sn_sphereBox, 1, SN_GEOM_SPHERE, SN_GEOM_BOX)
SN_BATCH_COLLIDER(sn_capsuleCapsuleBatch, sn_capsuleCapsule, 2, SN_GEOM_CAPSULE, SN_GEOM_CAPSULE)
SN_BATCH_COLLIDER(sn_capsulesBesideBatch, sn_capsulesBeside, 2, SN_GEOM_CAPSULE, SN_GEOM_CAPSULE)
