// For each target: src/target/prelude.h.
// A plane with a vertex, a ball about an end, or a round surface. A point x of the other shape's surface that
// is h above the plane makes dist = h, pos = x - n h/2.
#include "derivative/contact/piece.h"

// A ball about x; radius 0: a vertex
SN_INLINE snMovingPoint over(const snTouching* t, snJet3 x, snJet radius)
{
    const snJet3 n = t->a.axis[2];
    const snJet dist = sn_jetSub(sn_jet3Dot(n, x), radius);
    const snJet down = sn_jetAddScaled(radius, 0.5, dist);
    return (snMovingPoint){.dist = dist, .pos = sn_jet3AddMul(x, sn_jetScale(down, -1), n), .normal = n};
}

SN_INLINE snMovingPoint capsule(const snTouching* t, snVec3 surface)
{
    const snMovingShape* b = &t->b;
    const snVec3 axis = sn_jet3Value(b->axis[2]);
    const real end =
        sn_v3Dot(axis, sn_v3AddScaled(sn_v3Sub(surface, sn_jet3Value(b->pos)), b->size[0].x, t->normal)) < 0
            ? -1
            : 1;
    const snJet3 x = sn_jet3AddMul(b->pos, sn_jetScale(b->size[1], end), b->axis[2]);
    snMovingPoint point = over(t, x, b->size[0]);
    // of an upright one the tangent is the x axis
    const snVec3 level = sn_v3AddScaled(axis, -sn_v3Dot(axis, t->normal), t->normal);
    const bool upright = sn_v3Norm(level) < SN_MINVAL;
    point.tangent = upright ? sn_jet3(sn_v3(1, 0, 0)) : b->axis[2];
    point.rides = !upright;
    return point;
}

// The corner, or the vertex of a mesh, which does not grow
SN_INLINE snMovingPoint vertex(const snTouching* t, snVec3 surface)
{
    const snMovingShape* b = &t->b;
    const snVec3 local = sn_seenFrom(b, surface);
    if (sn_isHulled(b->shape->type)) return over(t, sn_ridingPoint(b, local), sn_jet(0));
    snJet3 x = sn_jet3AddMul(b->pos, sn_jetScale(b->size[0], copysign(1, local.x)), b->axis[0]);
    x = sn_jet3AddMul(x, sn_jetScale(b->size[1], copysign(1, local.y)), b->axis[1]);
    x = sn_jet3AddMul(x, sn_jetScale(b->size[2], copysign(1, local.z)), b->axis[2]);
    return over(t, x, sn_jet(0));
}

// The lowest point: S^2 l / |S l| for the local direction l.
SN_INLINE snMovingPoint ellipsoid(const snTouching* t)
{
    const snMovingShape* b = &t->b;
    snJet y[3], square = sn_jet(0);
    for (int i = 0; i < 3; i++) {
        y[i] = sn_jetMul(b->size[i], sn_jet3Dot(b->axis[i], t->a.axis[2]));
        square = sn_jetAdd(square, sn_jetMul(y[i], y[i]));
    }
    const snJet inv = sn_jetDiv(sn_jet(-1), sn_jetSqrt(square));
    snJet3 x = b->pos;
    for (int i = 0; i < 3; i++) x = sn_jet3AddMul(x, sn_jetMul(inv, sn_jetMul(b->size[i], y[i])), b->axis[i]);
    return over(t, x, sn_jet(0));
}

// Of the near disc the lowest point of the rim, that of the far disc, and two of the near rim at 120 degrees
// to the sides; in the order of sn_planeCylinder.
SN_INLINE bool cylinder(const snTouching* t, snMovingPoint* out)
{
    const snMovingShape* b = &t->b;
    const snJet3 n = t->a.axis[2];
    const real way = sn_v3Dot(sn_jet3Value(b->axis[2]), t->normal) > 0 ? -1 : 1;
    const snJet3 axis = sn_jet3Scale(b->axis[2], way);
    const snJet3 down = sn_jet3Sub(sn_jet3Mul(axis, sn_jet3Dot(n, axis)), n);
    const bool level = sn_v3Norm(sn_jet3Value(down)) < SN_MINVAL;
    const snJet3 radial = sn_jet3Mul(level ? b->axis[0] : sn_jet3Normalize(down), b->size[0]);
    const snJet3 side = sn_jet3Scale(sn_jet3Cross(radial, axis), 0.5 * sqrt(3.0));
    for (int k = 0; k < 4; k++) {
        snJet3 x = sn_jet3AddMul(b->pos, sn_jetScale(b->size[1], k == 1 ? -1 : 1), axis);
        x = sn_jet3AddScaled(x, k < 2 ? 1 : -0.5, radial);
        if (k >= 2) x = sn_jet3AddScaled(x, k == 2 ? 1 : -1, side);
        *out = over(t, x, sn_jet(0));
        if (sn_reproduces(t, out, 1e-9)) return true;
    }
    return false;
}

bool sn_planePiece(const snTouching* t, snMovingPoint* out)
{
    const snVec3 surface = sn_v3AddScaled(t->pos, 0.5 * t->dist, t->normal);
    switch ((snGeomType)t->b.shape->type) {
    case SN_GEOM_SPHERE: *out = over(t, t->b.pos, t->b.size[0]); break;
    case SN_GEOM_CAPSULE: *out = capsule(t, surface); break;
    case SN_GEOM_ELLIPSOID: *out = ellipsoid(t); break;
    case SN_GEOM_CYLINDER: return cylinder(t, out);
    case SN_GEOM_BOX:
    case SN_GEOM_MESH: *out = vertex(t, surface); break;
    case SN_GEOM_PLANE:
    case SN_GEOM_HFIELD:
    case SN_GEOM_SDF: return false;
    }
    return sn_reproduces(t, out, 1e-9);
}
