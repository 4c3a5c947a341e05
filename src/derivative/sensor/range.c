// Rangefinders, and distances of geoms. The surface that is hit, or the nearest pair, is held. Source: seed
// 001, stage 12; the derivatives are worked out here.
#include "derivative/sensor/quantity.h"
#include "model/asset.h"
#include "sensor/value.h"
#include "shape/kind.h"
#include <sinew/ray.h>

// ---- rangefinder

// The point p + x z stays on the surface, whose point there moves with u: normal . (dp + dx z + x dz - u) =
// 0.
snStatus sn_rangefinderAlong(const snColumns* c, int s)
{
    const snModel* m = c->m;
    const snData* d = c->d;
    if (!sn_isPlainRange(m, s))
        return sn_refuseSensor(c, s, "only the distance along a site's axis has a derivative");
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
    const snSurface surface = sn_geomSurface(m, geom);
    const snVec3 normal = sn_m3Mul(R, sn_shapeKind(m->geom_type[geom])->normal(&local, x, &surface));
    const snVec3 hit = sn_rayAt(&ray, x);
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
