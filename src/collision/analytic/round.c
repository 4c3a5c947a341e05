// Spheres and capsules: two balls around the closest points of their centres, segments or solids.
#include "collision/analytic/colliders.h"

// Normal of two shapes whose axes meet
static inline snVec3 acrossAxes(const snShape* a, const snShape* b)
{
    return sn_v3Cross(sn_m3Col(a->mat, 2), sn_m3Col(b->mat, 2));
}

int sn_sphereSphere(const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    return sn_ballBall(a->pos, a->size.x, b->pos, b->size.x, acrossAxes(a, b), margin, out);
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
    return sn_ballBall(sphere->pos, sphere->size.x, closestOnSegment(capsule, sphere->pos), capsule->size.x,
                       acrossAxes(sphere, capsule), margin, out);
}

// Sphere whose centre projects into a flat face with outward normal `out_normal` at height `height` above it
static int sphereFace(const snShape* sphere, snVec3 out_normal, real height, real margin, snContactPoint* out)
{
    const real dist = height - sphere->size.x;
    if (dist > margin) return 0;
    const snVec3 pos = sn_v3AddScaled(sphere->pos, -(sphere->size.x + 0.5 * dist), out_normal);
    *out = (snContactPoint){dist, pos, sn_v3Neg(out_normal), {0, 0, 0}};
    return 1;
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
    bool side = fabs(x) < half, cap = square < radius * radius;
    if (side && cap) {
        const real to_side = radius - sqrt(square), to_cap = half - fabs(x);
        if (to_cap < to_side)
            side = false;
        else
            cap = false;
    }
    if (side)
        return sn_ballBall(sphere->pos, sphere->size.x, sn_v3AddScaled(cylinder->pos, x, axis), radius,
                           acrossAxes(sphere, cylinder), margin, out);
    if (cap) return sphereFace(sphere, x > 0 ? axis : sn_v3Neg(axis), fabs(x) - half, margin, out);
    const snVec3 disc = sn_v3AddScaled(cylinder->pos, x > 0 ? half : -half, axis);
    const snVec3 rim = sn_v3AddScaled(disc, radius / sqrt(square), radial);
    return sn_ballBall(sphere->pos, sphere->size.x, rim, 0, radial, margin, out);
}

// Centre outside: ball against the nearest point of the box. Inside: out through the nearest face.
int sn_sphereBox(const snShape* sphere, const snShape* box, real margin, snContactPoint* out)
{
    const snVec3 c = sn_m3TMul(box->mat, sn_v3Sub(sphere->pos, box->pos)), s = box->size;
    const snVec3 nearest = {sn_clamp(c.x, -s.x, s.x), sn_clamp(c.y, -s.y, s.y), sn_clamp(c.z, -s.z, s.z)};
    const snVec3 away = sn_v3Sub(c, nearest);
    if (sn_v3Dot(away, away) > SN_MINVAL * SN_MINVAL) {
        const snVec3 point = sn_v3Add(box->pos, sn_m3Mul(box->mat, nearest));
        return sn_ballBall(sphere->pos, sphere->size.x, point, 0, away, margin, out);
    }
    const real centre[3] = {c.x, c.y, c.z}, size[3] = {s.x, s.y, s.z};
    int face = 0;
    for (int i = 1; i < 3; i++)
        if (size[i] - fabs(centre[i]) < size[face] - fabs(centre[face])) face = i;
    const snVec3 n = sn_m3Col(box->mat, face);
    return sphereFace(sphere, centre[face] > 0 ? n : sn_v3Neg(n), fabs(centre[face]) - size[face], margin,
                      out);
}

// Points on two segments p1 + x1 a1, p2 + x2 a2, |x| <= half: minimum of
//   |d + x2 a2 - x1 a1|^2,  d = p2 - p1,  a.a = 1,  b = a1.a2
// where the gradient vanishes: x1 - b x2 = a1.d, b x1 - x2 = a2.d. A coordinate out of its range is put on
// the end and the other one solved anew.
int sn_capsuleCapsule(const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    const snVec3 a1 = sn_m3Col(a->mat, 2), a2 = sn_m3Col(b->mat, 2), d = sn_v3Sub(b->pos, a->pos);
    const real h1 = a->size.y, h2 = b->size.y, r1 = a->size.x, r2 = b->size.x;
    const real c = sn_v3Dot(a1, a2), u = sn_v3Dot(a1, d), v = -sn_v3Dot(a2, d);
    const real det = 1 - c * c;
    const snVec3 spare = sn_v3Cross(a1, a2);
    if (det * h1 * h1 * h2 * h2 >= SN_MINVAL) {
        real x1 = (u + c * v) / det, x2 = (v + c * u) / det;
        if (fabs(x1) > h1 || fabs(x2) > h2) {
            x1 = sn_clamp(x1, -h1, h1);
            x2 = v + c * x1;
            if (fabs(x2) > h2) {
                x2 = sn_clamp(x2, -h2, h2);
                x1 = sn_clamp(u + c * x2, -h1, h1);
            }
        }
        return sn_ballBall(sn_v3AddScaled(a->pos, x1, a1), r1, sn_v3AddScaled(b->pos, x2, a2), r2, spare,
                           margin, out);
    }
    // parallel: up to two of the four ends with their nearest points, those of the first capsule first
    int count = 0;
    for (int end = 0; end < 4 && count < 2; end++) {
        const real sign = end & 1 ? -1 : 1;
        const real x1 = end < 2 ? sign * h1 : sn_clamp(u + c * sign * h2, -h1, h1);
        const real x2 = end < 2 ? sn_clamp(v + c * sign * h1, -h2, h2) : sign * h2;
        count += sn_ballBall(sn_v3AddScaled(a->pos, x1, a1), r1, sn_v3AddScaled(b->pos, x2, a2), r2, spare,
                             margin, out + count);
    }
    return count;
}

SN_BATCH_COLLIDER(sn_sphereSphereBatch, sn_sphereSphere, 1, SN_GEOM_SPHERE, SN_GEOM_SPHERE)
SN_BATCH_COLLIDER(sn_sphereCapsuleBatch, sn_sphereCapsule, 1, SN_GEOM_SPHERE, SN_GEOM_CAPSULE)
SN_BATCH_COLLIDER(sn_sphereCylinderBatch, sn_sphereCylinder, 1, SN_GEOM_SPHERE, SN_GEOM_CYLINDER)
SN_BATCH_COLLIDER(sn_sphereBoxBatch, sn_sphereBox, 1, SN_GEOM_SPHERE, SN_GEOM_BOX)
SN_BATCH_COLLIDER(sn_capsuleCapsuleBatch, sn_capsuleCapsule, 2, SN_GEOM_CAPSULE, SN_GEOM_CAPSULE)
