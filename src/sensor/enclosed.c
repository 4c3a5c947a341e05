// How far geoms jut out of the volume of a site: the largest signed distance from it of any of their points,
// below 0 where all are inside (the directed Hausdorff distance, of convex shapes the largest difference of
// their support functions). The signed distance is convex, so that it is largest at corners of a shape, and
// at a round one it grows along x <- the point of the shape that is farthest along the distance's gradient at
// x.
#include <float.h>
#include <math.h>
#include "math/vec.h"
#include "sensor/value.h"

// A convex shape of a geom or a site; of a mesh in the frame of its vertices.
typedef struct Shape {
    int type, mesh;
    const double* size;
    snVec3 pos;
    snMat3 mat; // to the world
} Shape;

static Shape placed(const snModel* m, int type, int mesh, const double* size, const double* pos,
                    const double* mat, bool site)
{
    Shape s = {type, mesh, size, sn_v3Load(pos), sn_m3Load(mat)};
    if (!site || type != SN_GEOM_MESH) return s;
    s.pos = sn_v3Add(s.pos, sn_m3Mul(s.mat, sn_v3Load(m->mesh_pos + 3 * mesh)));
    s.mat = sn_m3MulM3(s.mat, sn_quatToMat(sn_quatLoad(m->mesh_quat + 4 * mesh)));
    return s;
}

static Shape geomShape(const snModel* m, const snData* d, int g)
{
    return placed(m, m->geom_type[g], m->geom_dataid[g], m->geom_size + 3 * g, d->geom_xpos + 3 * g,
                  d->geom_xmat + 9 * g, false);
}

static Shape siteShape(const snModel* m, const snData* d, int s)
{
    return placed(m, m->site_type[s], m->site_dataid[s], m->site_size + 3 * s, d->site_xpos + 3 * s,
                  d->site_xmat + 9 * s, true);
}

// ---- signed distance from a volume, and the unit vector along which it grows

typedef struct Near {
    double dist;
    snVec3 away;
} Near;

static Near fromPoint(snVec3 from, double radius)
{
    const double length = sn_v3Norm(from);
    return (Near){length - radius, length > 0 ? sn_v3Scale(from, 1 / length) : sn_v3(1, 0, 0)};
}

static double signOf(double x)
{
    return x < 0 ? -1 : 1;
}

static Near nearCapsule(const double* size, snVec3 p)
{
    const double z = sn_max(-size[1], sn_min(size[1], p.z));
    return fromPoint(sn_v3(p.x, p.y, p.z - z), size[0]);
}

static Near nearBox(const double* size, snVec3 p)
{
    const double over[3] = {fabs(p.x) - size[0], fabs(p.y) - size[1], fabs(p.z) - size[2]};
    const snVec3 sign = sn_v3(signOf(p.x), signOf(p.y), signOf(p.z));
    const snVec3 out =
        sn_v3(sn_max(over[0], 0) * sign.x, sn_max(over[1], 0) * sign.y, sn_max(over[2], 0) * sign.z);
    if (sn_v3Norm(out) > 0) return fromPoint(out, 0);
    if (over[0] >= over[1] && over[0] >= over[2]) return (Near){over[0], sn_v3(sign.x, 0, 0)};
    return over[1] >= over[2] ? (Near){over[1], sn_v3(0, sign.y, 0)} : (Near){over[2], sn_v3(0, 0, sign.z)};
}

static Near nearCylinder(const double* size, snVec3 p)
{
    const double rho = sn_hypot(p.x, p.y), side = rho - size[0], end = fabs(p.z) - size[1];
    const snVec3 outward = rho > 0 ? sn_v3(p.x / rho, p.y / rho, 0) : sn_v3(1, 0, 0);
    const snVec3 up = sn_v3(0, 0, signOf(p.z));
    if (side > 0 && end > 0) return fromPoint(sn_v3Add(sn_v3Scale(outward, side), sn_v3Scale(up, end)), 0);
    return side > end ? (Near){side, outward} : (Near){end, up};
}

// The nearest point x of the surface satisfies p - x = t x / a^2; t is the root above -min a^2 of
// sum (a p / (a^2 + t))^2 = 1, whose left side falls (Eberly 2013, distance from a point to an ellipsoid).
static Near nearEllipsoid(const double* a, snVec3 p)
{
    const double given[3] = {p.x, p.y, p.z}, least = sn_min(a[0], sn_min(a[1], a[2]));
    double y[3], low = -least * least, high = 0, inside = 0;
    for (int k = 0; k < 3; k++) {
        y[k] = sn_max(fabs(given[k]), 1e-13 * a[k]); // no point on a plane of symmetry, where there are two
        if (a[k] == least) low = sn_max(-least * least + least * y[k], low);
        high += a[k] * a[k] * y[k] * y[k];
        inside += y[k] * y[k] / (a[k] * a[k]);
    }
    high = sqrt(high) - least * least;
    for (int i = 0; i < 200 && high - low > 1e-16 * (least * least + fabs(low)); i++) {
        const double t = 0.5 * (low + high);
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += sn_pow(a[k] * y[k] / (a[k] * a[k] + t), 2);
        if (sum > 1)
            low = t;
        else
            high = t;
    }
    const double t = 0.5 * (low + high);
    double x[3], away[3], gap = 0;
    for (int k = 0; k < 3; k++) {
        x[k] = a[k] * a[k] * y[k] / (a[k] * a[k] + t);
        gap += (y[k] - x[k]) * (y[k] - x[k]);
        away[k] = signOf(given[k]) * x[k] / (a[k] * a[k]);
    }
    return (Near){(inside < 1 ? -1 : 1) * sqrt(gap), sn_v3Normalize(sn_v3Load(away))};
}

static snVec3 vertexOf(const snModel* m, int mesh, int vertex)
{
    const float* at = m->mesh_vert + 3 * ((size_t)m->mesh_vertadr[mesh] + (size_t)vertex);
    return sn_v3((double)at[0], (double)at[1], (double)at[2]);
}

static snVec3 cornerOf(const snModel* m, int mesh, int polygon, int k)
{
    return vertexOf(m, mesh, m->mesh_polyvert[m->mesh_polyvertadr[polygon] + k]);
}

// From the nearest point of a polygon, whose plane is `height` below p.
static snVec3 fromPolygon(const snModel* m, int mesh, int polygon, snVec3 p, double height)
{
    const int count = m->mesh_polyvertnum[polygon];
    const snVec3 normal = sn_v3Load(m->mesh_polynormal + 3 * polygon);
    snVec3 best = sn_v3(0, 0, 0);
    double least = DBL_MAX;
    bool within = true;
    for (int k = 0; k < count; k++) {
        const snVec3 a = cornerOf(m, mesh, polygon, k), b = cornerOf(m, mesh, polygon, (k + 1) % count);
        const snVec3 edge = sn_v3Sub(b, a), from = sn_v3Sub(p, a);
        const double u = sn_v3Dot(from, edge) / sn_max(sn_v3Dot(edge, edge), DBL_MIN);
        const snVec3 off = sn_v3AddScaled(from, -sn_max(sn_min(u, 1), 0), edge);
        within = within && sn_v3Dot(sn_v3Cross(edge, from), normal) >= 0;
        if (sn_v3Norm(off) >= least) continue;
        least = sn_v3Norm(off);
        best = off;
    }
    return within ? sn_v3Scale(normal, height) : best;
}

static Near nearHull(const snModel* m, int mesh, snVec3 p)
{
    const int first = m->mesh_polyadr[mesh], end = first + m->mesh_polynum[mesh];
    Near deep = {-DBL_MAX, sn_v3(1, 0, 0)};
    snVec3 best = sn_v3(0, 0, 0);
    double least = DBL_MAX;
    for (int i = first; i < end; i++) {
        const snVec3 normal = sn_v3Load(m->mesh_polynormal + 3 * i);
        const double height = sn_v3Dot(normal, sn_v3Sub(p, cornerOf(m, mesh, i, 0)));
        if (height > deep.dist) deep = (Near){height, normal};
        if (height <= 0) continue;
        const snVec3 off = fromPolygon(m, mesh, i, p, height);
        if (sn_v3Norm(off) >= least) continue;
        least = sn_v3Norm(off);
        best = off;
    }
    return deep.dist > 0 && least > 0 && least < DBL_MAX ? fromPoint(best, 0) : deep;
}

static Near nearOf(const snModel* m, const Shape* s, snVec3 world)
{
    const snVec3 p = sn_m3TMul(s->mat, sn_v3Sub(world, s->pos));
    Near near = {0, sn_v3(1, 0, 0)};
    switch (s->type) {
    case SN_GEOM_SPHERE: near = fromPoint(p, s->size[0]); break;
    case SN_GEOM_CAPSULE: near = nearCapsule(s->size, p); break;
    case SN_GEOM_ELLIPSOID: near = nearEllipsoid(s->size, p); break;
    case SN_GEOM_CYLINDER: near = nearCylinder(s->size, p); break;
    case SN_GEOM_BOX: near = nearBox(s->size, p); break;
    case SN_GEOM_MESH: near = nearHull(m, s->mesh, p); break;
    default: break;
    }
    near.away = sn_m3Mul(s->mat, near.away);
    return near;
}

// ---- the farthest point of a shape

// Corners of a shape and the radius of the balls about them; 0: it is round all over.
static int cornersOf(const snModel* m, const Shape* s, double* radius)
{
    *radius = s->type == SN_GEOM_SPHERE || s->type == SN_GEOM_CAPSULE ? s->size[0] : 0;
    switch (s->type) {
    case SN_GEOM_SPHERE: return 1;
    case SN_GEOM_CAPSULE: return 2;
    case SN_GEOM_BOX: return 8;
    case SN_GEOM_MESH: return m->mesh_vertnum[s->mesh];
    default: return 0;
    }
}

static snVec3 corner(const snModel* m, const Shape* s, int k)
{
    snVec3 p = sn_v3(0, 0, 0);
    if (s->type == SN_GEOM_CAPSULE) p = sn_v3(0, 0, k ? s->size[1] : -s->size[1]);
    if (s->type == SN_GEOM_BOX)
        p = sn_v3(k & 1 ? s->size[0] : -s->size[0], k & 2 ? s->size[1] : -s->size[1],
                  k & 4 ? s->size[2] : -s->size[2]);
    if (s->type == SN_GEOM_MESH) p = vertexOf(m, s->mesh, k);
    return sn_v3Add(s->pos, sn_m3Mul(s->mat, p));
}

// The point of a cylinder or ellipsoid that is farthest along a direction.
static snVec3 farthest(const Shape* s, snVec3 direction)
{
    const snVec3 u = sn_m3TMul(s->mat, direction);
    const double* a = s->size;
    snVec3 p;
    if (s->type == SN_GEOM_CYLINDER) {
        const double rho = sn_hypot(u.x, u.y), share = rho > 0 ? a[0] / rho : 0;
        p = sn_v3(share * u.x, share * u.y, signOf(u.z) * a[1]);
    } else {
        const snVec3 stretched = sn_v3(a[0] * u.x, a[1] * u.y, a[2] * u.z);
        const double length = sn_max(sn_v3Norm(stretched), DBL_MIN);
        p = sn_v3(a[0] * stretched.x / length, a[1] * stretched.y / length, a[2] * stretched.z / length);
    }
    return sn_v3Add(s->pos, sn_m3Mul(s->mat, p));
}

static double climb(const snModel* m, const Shape* s, const Shape* site, snVec3 direction)
{
    double best = -DBL_MAX;
    for (int i = 0; i < 500; i++) {
        const Near near = nearOf(m, site, farthest(s, direction));
        const double gain = near.dist - best;
        if (gain > 0) best = near.dist;
        if (gain <= 1e-15 * (1 + fabs(best))) break;
        direction = near.away;
    }
    return best;
}

// From all sides of both frames, and along the normals of a mesh.
static double climbAll(const snModel* m, const Shape* s, const Shape* site)
{
    double best = -DBL_MAX;
    for (int k = 0; k < 27; k++) {
        const int side[] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        const snVec3 u = sn_v3(side[0], side[1], side[2]);
        best = sn_max(climb(m, s, site, sn_m3Mul(s->mat, u)), best);
        best = sn_max(climb(m, s, site, sn_m3Mul(site->mat, u)), best);
    }
    if (site->type != SN_GEOM_MESH) return best;
    const int first = m->mesh_polyadr[site->mesh], end = first + m->mesh_polynum[site->mesh];
    for (int i = first; i < end; i++)
        best = sn_max(climb(m, s, site, sn_m3Mul(site->mat, sn_v3Load(m->mesh_polynormal + 3 * i))), best);
    return best;
}

static double jutsOut(const snModel* m, const Shape* s, const Shape* site)
{
    double radius, best = -DBL_MAX;
    const int count = cornersOf(m, s, &radius);
    for (int k = 0; k < count; k++) best = sn_max(nearOf(m, site, corner(m, s, k)).dist + radius, best);
    return count ? best : climbAll(m, s, site);
}

// ---- what is looked at

static bool isIn(const snModel* m, int body, int objtype, int id)
{
    if (objtype == SN_OBJ_BODY) return body == id;
    while (body > id) body = m->body_parentid[body];
    return body == id;
}

double sn_enclosed(const snModel* m, const snData* d, int sensor)
{
    const int objtype = m->sensor_objtype[sensor], id = m->sensor_objid[sensor];
    const Shape site = siteShape(m, d, m->sensor_refid[sensor]);
    if (objtype == SN_OBJ_SITE) {
        const Shape s = siteShape(m, d, id);
        return jutsOut(m, &s, &site);
    }
    double best = -DBL_MAX;
    for (int g = 0; g < m->ngeom; g++) {
        if (objtype == SN_OBJ_GEOM ? g != id : !isIn(m, m->geom_bodyid[g], objtype, id)) continue;
        const Shape s = geomShape(m, d, g);
        best = sn_max(jutsOut(m, &s, &site), best);
    }
    return best;
}
