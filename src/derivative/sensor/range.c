// Rangefinders, and distances of geoms. The surface that is hit, or the nearest pair, is held. Source: seed
// 001, stage 12; the derivatives are worked out here.
#include "collision/query/ray.h"
#include "derivative/sensor/quantity.h"
#include "sensor/value.h"
#include <sinew/ray.h>

// ---- the normal of a geom at a point of its surface, in its frame; any length

// One of several surfaces: how far the point is from it, and its normal. The nearest one is meant.
typedef struct Surface {
    real off;
    snVec3 normal;
} Surface;

static void consider(Surface* best, real off, snVec3 normal)
{
    if (fabs(off) < best->off) *best = (Surface){fabs(off), normal};
}

static snVec3 boxNormal(snVec3 p, const double* size)
{
    Surface best = {(real)INFINITY, {0, 0, 1}};
    consider(&best, fabs(p.x) - size[0], sn_v3(1, 0, 0));
    consider(&best, fabs(p.y) - size[1], sn_v3(0, 1, 0));
    consider(&best, fabs(p.z) - size[2], sn_v3(0, 0, 1));
    return best.normal;
}

static snVec3 cylinderNormal(snVec3 p, const double* size)
{
    const snVec3 radial = {p.x, p.y, 0};
    Surface best = {(real)INFINITY, {0, 0, 1}};
    consider(&best, sn_v3Norm(radial) - size[0], radial);
    consider(&best, fabs(p.z) - size[1], sn_v3(0, 0, 1));
    return best.normal;
}

static snVec3 triangleNormal(const snVec3 v[3])
{
    return sn_v3Cross(sn_v3Sub(v[1], v[0]), sn_v3Sub(v[2], v[0]));
}

static snVec3 meshNormal(const snModel* m, int mesh, const snRay* ray, real x)
{
    Surface best = {(real)INFINITY, {0, 0, 1}};
    for (int f = 0; f < m->mesh_facenum[mesh]; f++) {
        const int* face = m->mesh_face + 3 * ((size_t)m->mesh_faceadr[mesh] + (size_t)f);
        snVec3 v[3];
        for (int k = 0; k < 3; k++) {
            const float* at = m->mesh_vert + 3 * ((size_t)m->mesh_vertadr[mesh] + (size_t)face[k]);
            v[k] = sn_v3((real)at[0], (real)at[1], (real)at[2]);
        }
        const real hit = sn_rayTriangle(ray, v[0], v[1], v[2]);
        if (hit >= 0) consider(&best, hit - x, triangleNormal(v));
    }
    return best.normal;
}

static snVec3 fieldPoint(const snModel* m, int field, int row, int column)
{
    const double* size = m->hfield_size + 4 * field;
    const int nrow = m->hfield_nrow[field], ncol = m->hfield_ncol[field];
    const float* height = m->hfield_data + m->hfield_adr[field];
    return sn_v3(size[0] * (2.0 * column / (ncol - 1) - 1), size[1] * (2.0 * row / (nrow - 1) - 1),
                 size[2] * (real)height[(size_t)row * (size_t)ncol + (size_t)column]);
}

static int cellOf(real x, real half, int count)
{
    const real cell = (x / half + 1) / 2 * (count - 1);
    return cell > 0 ? (int)fmin(cell, count - 2) : 0;
}

// The two triangles of the cell under the point, cut as in ray_hfield.c
static void considerCell(const snModel* m, int field, const snRay* ray, real x, Surface* best)
{
    const double* size = m->hfield_size + 4 * field;
    const int nrow = m->hfield_nrow[field], ncol = m->hfield_ncol[field];
    if (nrow < 2 || ncol < 2) return;
    const snVec3 p = sn_rayAt(ray, x);
    const int row = cellOf(p.y, size[1], nrow), column = cellOf(p.x, size[0], ncol);
    for (int half = 0; half < 2; half++) {
        const snVec3 v[3] = {fieldPoint(m, field, row, column), fieldPoint(m, field, row + 1, column + 1),
                             fieldPoint(m, field, row + !half, column + half)};
        const real hit = sn_rayTriangle(ray, v[0], v[1], v[2]);
        if (hit >= 0) consider(best, hit - x, triangleNormal(v));
    }
}

static snVec3 fieldNormal(const snModel* m, int field, const snRay* ray, real x)
{
    const double* size = m->hfield_size + 4 * field;
    const snVec3 p = sn_rayAt(ray, x);
    Surface best = {(real)INFINITY, {0, 0, 1}};
    considerCell(m, field, ray, x, &best);
    consider(&best, fabs(p.x) - size[0], sn_v3(1, 0, 0));
    consider(&best, fabs(p.y) - size[1], sn_v3(0, 1, 0));
    consider(&best, p.z, sn_v3(0, 0, 1)); // top and bottom of the base
    consider(&best, p.z + size[3], sn_v3(0, 0, 1));
    return best.normal;
}

static snVec3 normalAt(const snModel* m, int geom, const snRay* ray, real x)
{
    const snVec3 p = sn_rayAt(ray, x);
    const double* size = m->geom_size + 3 * geom;
    switch (m->geom_type[geom]) {
    case SN_GEOM_SPHERE: return p;
    case SN_GEOM_ELLIPSOID:
        return sn_v3(p.x / (size[0] * size[0]), p.y / (size[1] * size[1]), p.z / (size[2] * size[2]));
    case SN_GEOM_CAPSULE: return sn_v3(p.x, p.y, p.z - fmax(-size[1], fmin(size[1], p.z)));
    case SN_GEOM_CYLINDER: return cylinderNormal(p, size);
    case SN_GEOM_BOX: return boxNormal(p, size);
    case SN_GEOM_MESH: return meshNormal(m, m->geom_dataid[geom], ray, x);
    case SN_GEOM_HFIELD: return fieldNormal(m, m->geom_dataid[geom], ray, x);
    default: return sn_v3(0, 0, 1);
    }
}

// ---- rangefinder

// The point p + x z stays on the surface, whose point there moves with u: normal . (dp + dx z + x dz - u) =
// 0.
snStatus sn_rangefinderAlong(const snColumns* c, int s)
{
    const snModel* m = c->m;
    const snData* d = c->d;
    const int site = m->sensor_objid[s], body = m->site_bodyid[site];
    const snVec3 p = sn_v3Load(d->site_xpos + 3 * site);
    const snVec3 z = sn_m3Col(sn_m3Load(d->site_xmat + 9 * site), 2);
    double from[3], along[3];
    int geom;
    sn_v3Store(from, p);
    sn_v3Store(along, z);
    const double x = sn_ray(m, d, from, along, NULL, 1, body, &geom);
    if (geom < 0) return SN_STATUS_OK;
    const snMat3 R = sn_m3Load(d->geom_xmat + 9 * geom);
    const snRay ray = {p, z}, local = sn_rayInFrame(&ray, sn_v3Load(d->geom_xpos + 3 * geom), &R);
    const snVec3 normal = sn_m3Mul(R, normalAt(m, geom, &local, x)), hit = sn_rayAt(&ray, x);
    const real slope = sn_v3Dot(normal, z);
    if (slope == 0) return SN_STATUS_OK; // along the surface: neither side has a derivative
    for (int j = 0; j < c->n; j++) {
        const snVec3 own = sn_pointShift(c, body, hit, j);
        const snVec3 other = sn_pointShift(c, m->geom_bodyid[geom], hit, j);
        *sn_sensorColumn(c, s, j) = sn_v3Dot(normal, sn_v3Sub(other, own)) / slope;
    }
    return SN_STATUS_OK;
}

// ---- nearest points

// The nearest points as a contact of the two geoms, in the order of their types as a contact has them
static snContact nearestContact(const snModel* m, const int pair[2], double dist, const double fromto[6],
                                bool* swapped)
{
    *swapped = m->geom_type[pair[0]] > m->geom_type[pair[1]];
    const snVec3 a = sn_v3Load(fromto + (*swapped ? 3 : 0)), b = sn_v3Load(fromto + (*swapped ? 0 : 3));
    const real sign = dist < 0 ? -1 : 1;
    const snVec3 normal = sn_v3Normalize(sn_v3Scale(sn_v3Sub(b, a), sign));
    const snVec3 level = fabs(normal.z) < 0.5 ? sn_v3(0, 0, 1) : sn_v3(0, 1, 0);
    const snVec3 tangent = sn_v3Normalize(sn_v3AddScaled(level, -sn_v3Dot(level, normal), normal));
    snContact con = {.dist = dist, .dim = 1, .efc_address = -1};
    con.geom[0] = pair[*swapped];
    con.geom[1] = pair[!*swapped];
    sn_v3Store(con.pos, sn_v3Scale(sn_v3Add(a, b), 0.5));
    sn_v3Store(con.frame, normal);
    sn_v3Store(con.frame + 3, tangent);
    sn_v3Store(con.frame + 6, sn_v3Cross(normal, tangent));
    return con;
}

// What a sensor shows of the nearest points of two geoms and their changes along one direction
typedef void Put(const snColumns* c, int s, int j, const snContact* con, const snContactShift* shift,
                 bool swapped);

static void putDistance(const snColumns* c, int s, int j, const snContact* con, const snContactShift* shift,
                        bool swapped)
{
    (void)con;
    (void)swapped;
    *sn_sensorColumn(c, s, j) = shift->dist;
}

static void putNormal(const snColumns* c, int s, int j, const snContact* con, const snContactShift* shift,
                      bool swapped)
{
    const real sign = (con->dist < 0 ? -1 : 1) * (swapped ? -1 : 1);
    sn_putVec3(c, s, j, sn_v3Scale(sn_v3Cross(shift->turn, sn_v3Load(con->frame)), sign));
}

static void putSegment(const snColumns* c, int s, int j, const snContact* con, const snContactShift* shift,
                       bool swapped)
{
    const snVec3 normal = sn_v3Load(con->frame), turned = sn_v3Cross(shift->turn, normal);
    const snVec3 half =
        sn_v3Scale(sn_v3Add(sn_v3Scale(normal, shift->dist), sn_v3Scale(turned, con->dist)), 0.5);
    const snVec3 end[2] = {sn_v3Sub(shift->pos, half), sn_v3Add(shift->pos, half)};
    for (int k = 0; k < 2; k++) {
        double* to = sn_sensorColumn(c, s, j) + 3 * (size_t)k * c->stride;
        const snVec3 v = end[k ^ swapped];
        to[0] = v.x;
        to[c->stride] = v.y;
        to[2 * c->stride] = v.z;
    }
}

static snStatus nearest(const snColumns* c, int s, Put* put)
{
    double dist, fromto[6];
    int pair[2];
    bool swapped;
    snContactGradient g;
    sn_nearestGeoms(c->m, c->d, s, &dist, fromto, pair);
    if (pair[0] < 0) return SN_STATUS_OK;
    const snContact con = nearestContact(c->m, pair, dist, fromto, &swapped);
    if (sn_nearestGeometry(c->m, c->d, &con, &g, c->error))
        return sn_refuseSensor(c, s, "the nearest points of its geoms cannot be followed");
    for (int j = 0; j < c->n; j++) {
        const snContactShift shift = sn_contactShift(c, &con, &g, j);
        put(c, s, j, &con, &shift, swapped);
    }
    return SN_STATUS_OK;
}

snStatus sn_distanceAlong(const snColumns* c, int s)
{
    return nearest(c, s, putDistance);
}

snStatus sn_normalAlong(const snColumns* c, int s)
{
    return nearest(c, s, putNormal);
}

snStatus sn_fromtoAlong(const snColumns* c, int s)
{
    return nearest(c, s, putSegment);
}
