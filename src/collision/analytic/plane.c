// In lanes, too: src/batch/lane/prelude.h.
// A half-space against the convex shapes. n is the outward normal of the plane, h(x) = n.(x - plane) the
// height of a point; a contact at surface point x has dist = h(x) and stands at x - n h(x)/2.
#include "collision/analytic/colliders.h"

static inline snVec3 planeNormal(const snShape* plane)
{
    return sn_m3Col(plane->mat, 2);
}

static inline snContactPoint planePoint(snVec3 n, snVec3 surface, real dist, real margin)
{
    return sn_contactPoint(dist, sn_v3AddScaled(surface, -0.5 * dist, n), n, sn_not(dist > margin));
}

int sn_planeSphere(const snShape* plane, const snShape* sphere, real margin, snContactPoint* out)
{
    const snVec3 n = planeNormal(plane);
    const real dist = sn_v3Dot(n, sn_v3Sub(sphere->pos, plane->pos)) - sphere->size.x;
    if (sn_all(dist > margin)) return 0;
    out[0] = planePoint(n, sn_v3AddScaled(sphere->pos, -sphere->size.x, n), dist, margin);
    return 1;
}

// The two end spheres, the one at +z first; the tangent follows the axis.
int sn_planeCapsule(const snShape* plane, const snShape* capsule, real margin, snContactPoint* out)
{
    const snVec3 n = planeNormal(plane), axis = sn_m3Col(capsule->mat, 2);
    const real centre = sn_v3Dot(n, sn_v3Sub(capsule->pos, plane->pos)) - capsule->size.x;
    const real slope = sn_v3Dot(n, axis), half = capsule->size.y;
    if (sn_all(centre - fabs(half * slope) > margin)) return 0;
    const snVec3 tangent = sn_v3Normalize(sn_v3AddScaled(axis, -slope, n));
    int count = 0;
    for (int end = 0; end < 2; end++) {
        const real along = end ? -half : half;
        const real dist = centre + along * slope;
        if (sn_all(dist > margin)) continue;
        const snVec3 centre_end = sn_v3AddScaled(capsule->pos, along, axis);
        out[count] = planePoint(n, sn_v3AddScaled(centre_end, -capsule->size.x, n), dist, margin);
        out[count++].tangent = tangent;
    }
    return count;
}

// Support point of x' S^-2 x = 1 in local direction l: S^2 l / |S l|.
int sn_planeEllipsoid(const snShape* plane, const snShape* ellipsoid, real margin, snContactPoint* out)
{
    const snVec3 n = planeNormal(plane), s = ellipsoid->size;
    const snVec3 l = sn_m3TMul(ellipsoid->mat, sn_v3Neg(n));
    const snVec3 sl = sn_v3Normalize(sn_v3(s.x * l.x, s.y * l.y, s.z * l.z));
    const snVec3 local = {s.x * sl.x, s.y * sl.y, s.z * sl.z};
    const snVec3 surface = sn_v3Add(ellipsoid->pos, sn_m3Mul(ellipsoid->mat, local));
    const real dist = sn_v3Dot(n, sn_v3Sub(surface, plane->pos));
    if (sn_all(dist > margin)) return 0;
    out[0] = planePoint(n, surface, dist, margin);
    return 1;
}

// The lowest points of the near and the far rim, then two points of the near rim at +-120 degrees from the
// lowest, so that a standing cylinder rests on a triangle.
int sn_planeCylinder(const snShape* plane, const snShape* cylinder, real margin, snContactPoint* out)
{
    const snVec3 n = planeNormal(plane);
    const real radius = cylinder->size.x, half = cylinder->size.y;
    snVec3 axis = sn_m3Col(cylinder->mat, 2);
    real slope = sn_v3Dot(n, axis);
    const snMask up = slope > 0;
    axis = sn_v3Select(up, sn_v3Neg(axis), axis);
    slope = sn_select(up, -slope, slope);
    // steepest way down within the discs; any radius when they are level
    const snVec3 down = sn_v3AddScaled(sn_v3Neg(n), slope, axis);
    const real steep = sn_v3Norm(down);
    const snVec3 radial = sn_v3Select(steep < SN_MINVAL, sn_v3Scale(sn_m3Col(cylinder->mat, 0), radius),
                                      sn_v3Scale(down, radius / steep));
    const snVec3 near_disc = sn_v3AddScaled(cylinder->pos, half, axis);
    const real drop = sn_v3Dot(n, radial);
    const real near_height = sn_v3Dot(n, sn_v3Sub(cylinder->pos, plane->pos)) + slope * half;

    int count = 0;
    real dist = near_height + drop;
    const snMask apart = dist > margin; // then no point counts, whatever the matrix is
    if (sn_all(apart)) return 0;
    out[count++] = planePoint(n, sn_v3Add(near_disc, radial), dist, margin);

    dist = near_height - 2 * slope * half + drop;
    if (sn_any(dist <= margin)) {
        const snVec3 far_disc = sn_v3AddScaled(cylinder->pos, -half, axis);
        out[count++] = planePoint(n, sn_v3Add(far_disc, radial), sn_select(apart, HUGE_VAL, dist), margin);
    }

    dist = sn_select(apart, HUGE_VAL, near_height - 0.5 * drop);
    if (sn_all(dist > margin)) return count;
    const snVec3 across = sn_v3Scale(sn_v3Normalize(sn_v3Cross(radial, axis)), 0.5 * sqrt(3.0) * radius);
    const snVec3 back = sn_v3AddScaled(near_disc, -0.5, radial);
    out[count++] = planePoint(n, sn_v3Add(back, across), dist, margin);
    out[count++] = planePoint(n, sn_v3Sub(back, across), dist, margin);
    return count;
}

#ifndef SN_LANES

// Corners below the centre in the order of their bits (x, y, z; bit set: positive side), at most four. Which
// they are is hard to predict, so that all are looked at first.
int sn_planeBox(const snShape* plane, const snShape* box, real margin, snContactPoint* out)
{
    const snVec3 n = planeNormal(plane), s = box->size;
    const snVec3 x = sn_v3Scale(sn_m3Col(box->mat, 0), s.x), y = sn_v3Scale(sn_m3Col(box->mat, 1), s.y),
                 z = sn_v3Scale(sn_m3Col(box->mat, 2), s.z);
    const real centre = sn_v3Dot(n, sn_v3Sub(box->pos, plane->pos));
    const real nx = sn_v3Dot(n, x), ny = sn_v3Dot(n, y), nz = sn_v3Dot(n, z);
    if (centre - fabs(nx) - fabs(ny) - fabs(nz) > margin) return 0;
    real dist[8];
    unsigned touching = 0;
    for (int i = 0; i < 8; i++) {
        const real sx = i & 1 ? 1 : -1, sy = i & 2 ? 1 : -1, sz = i & 4 ? 1 : -1;
        const real rise = sx * nx + sy * ny + sz * nz;
        dist[i] = centre + rise;
        touching |= (unsigned)!((rise > 0) | (dist[i] > margin)) << i;
    }
    int count = 0;
    for (; touching && count < 4; touching &= touching - 1) {
        const int i = __builtin_ctz(touching);
        const real sx = i & 1 ? 1 : -1, sy = i & 2 ? 1 : -1, sz = i & 4 ? 1 : -1;
        const snVec3 corner = sn_v3AddScaled(sn_v3AddScaled(sn_v3AddScaled(box->pos, sx, x), sy, y), sz, z);
        out[count++] = planePoint(n, corner, dist[i], margin);
    }
    return count;
}

// A vertex of a mesh as a contact if it is near enough to the plane and not close to the deepest vertex:
// MuJoCo leaves out those within 0.3 of the bounding radius.
static int planeVertex(const snShape* plane, const snShape* mesh, snVec3 local, const snVec3* deepest,
                       real margin, snContactPoint* out)
{
    const snVec3 n = planeNormal(plane), x = sn_v3Add(mesh->pos, sn_m3Mul(mesh->mat, local));
    const real dist = sn_v3Dot(n, sn_v3Sub(x, plane->pos));
    if (dist > margin) return 0;
    const snContactPoint point = planePoint(n, x, dist, margin);
    if (deepest && sn_v3Norm(sn_v3Sub(x, *deepest)) < 0.3 * mesh->hull.radius) return 0;
    *out = point;
    return 1;
}

// The deepest vertex and up to two more: its neighbours in the hull, or any vertex when there is no graph.
int sn_planeMesh(const snShape* plane, const snShape* mesh, real margin, snContactPoint* out)
{
    enum { MOST = 3 };
    const snHull* hull = &mesh->hull;
    if (!sn_isHull(hull)) return 0;
    const snHullPoint low = sn_hullFarthest(hull, sn_m3TMul(mesh->mat, sn_v3Neg(planeNormal(plane))));
    int count = planeVertex(plane, mesh, low.x, NULL, margin, out);
    if (!count) return 0;
    const snVec3 deepest = out[0].pos;
    const int neighbours = hull->edge ? hull->edge_adr[low.id] : 0;
    for (int i = neighbours; count < MOST; i++) {
        const int v = hull->edge ? hull->edge[i] : i < hull->count ? i : -1;
        if (v < 0) break;
        count += planeVertex(plane, mesh, sn_hullVertex(hull, v), &deepest, margin, out + count);
    }
    return count;
}

SN_BATCH_COLLIDER(sn_planeSphereBatch, sn_planeSphere, 1, SN_GEOM_PLANE, SN_GEOM_SPHERE)
SN_BATCH_COLLIDER(sn_planeCapsuleBatch, sn_planeCapsule, 2, SN_GEOM_PLANE, SN_GEOM_CAPSULE)
SN_BATCH_COLLIDER(sn_planeEllipsoidBatch, sn_planeEllipsoid, 1, SN_GEOM_PLANE, SN_GEOM_ELLIPSOID)
SN_BATCH_COLLIDER(sn_planeCylinderBatch, sn_planeCylinder, 4, SN_GEOM_PLANE, SN_GEOM_CYLINDER)
SN_BATCH_COLLIDER(sn_planeBoxBatch, sn_planeBox, 4, SN_GEOM_PLANE, SN_GEOM_BOX)
SN_BATCH_COLLIDER(sn_planeMeshBatch, sn_planeMesh, 3, SN_GEOM_PLANE, SN_GEOM_MESH)

#endif
