// Plane against mesh as MuJoCo 3.13 and later has it: of the sides at the lowest vertex the one that looks
// most against the plane, its corners from that vertex on, those above the mesh's centre left out.
#include "collision/plane_hull.h"
#include "collision/analytic/colliders.h"
#include "collision/convex/side.h"

// The corners of a polygon in the world, from the lowest on.
typedef struct Corners {
    const snModel* m;
    const snShape* mesh;
    snPolygon polygon;
    int low;
    snVec3 place[SN_SIDE_CORNERS]; // of few; those of many are computed where they are asked for
} Corners;

static snVec3 placeOf(const Corners* c, int i)
{
    if (c->polygon.count <= SN_SIDE_CORNERS) return c->place[i];
    return sn_meshPoint(c->m, c->mesh, c->polygon.vert[i]);
}

static snVec3 corner(const Corners* c, int i)
{
    const int at = c->low + i;
    return placeOf(c, at < c->polygon.count ? at : at - c->polygon.count);
}

static real area(const snVec3 x[4])
{
    return sn_v3Norm(sn_v3Cross(sn_v3Sub(x[2], x[0]), sn_v3Sub(x[3], x[1])));
}

// Four corners: the first, and three that step on while one of them gains area, as in the peer. Returns how
// many there are.
static int climb(const Corners* c, snVec3 x[4])
{
    const int count = c->polygon.count;
    for (int k = 0; k < 4 && k < count; k++) x[k] = corner(c, k);
    if (count <= 4) return count;
    int at[4] = {0, 1, 2, 3};
    real most = area(x);
    for (int k = 3; k > 0;) {
        const int end = k == 3 ? count : at[k + 1];
        const snVec3 before = x[k];
        real gained = 0;
        if (at[k] + 1 < end) {
            x[k] = corner(c, at[k] + 1);
            gained = area(x);
        }
        if (gained > most) {
            most = gained;
            at[k]++;
            k = 3;
        } else {
            x[k--] = before;
        }
    }
    return 4;
}

static void lowestFirst(snVec3 n, Corners* c)
{
    const int count = c->polygon.count;
    for (int i = 0; i < count && count <= SN_SIDE_CORNERS; i++)
        c->place[i] = sn_meshPoint(c->m, c->mesh, c->polygon.vert[i]);
    snVec3 lowest = placeOf(c, 0);
    for (int i = 1; i < count; i++) {
        const snVec3 x = placeOf(c, i);
        if (!(sn_v3Dot(n, sn_v3Sub(x, lowest)) < 0)) continue;
        lowest = x;
        c->low = i;
    }
}

int sn_planeHull(const snModel* m, const snShape* plane, const snShape* mesh, real margin,
                 snContactPoint* out)
{
    const snVec3 n = sn_m3Col(plane->mat, 2);
    if (!sn_hasSides(m, mesh) || !sn_isHull(&mesh->hull)) return sn_planeMesh(plane, mesh, margin, out);
    const snVec3 down = sn_m3TMul(mesh->mat, sn_v3Neg(n));
    const snHullPoint low = sn_hullFarthest(&mesh->hull, down);
    const real height = sn_v3Dot(n, sn_v3Sub(mesh->pos, plane->pos)) - sn_v3Dot(down, low.x);
    if (height > margin + 1e-9 * (fabs(height) + mesh->hull.radius)) return 0; // no side has to be fetched
    Corners corners;
    corners.m = m;
    corners.mesh = mesh;
    corners.low = 0;
    corners.polygon = sn_meshPolygon(m, mesh, sn_hullRow(&mesh->hull, low.id), down);
    if (corners.polygon.count < 3) return sn_planeMesh(plane, mesh, margin, out);
    lowestFirst(n, &corners);
    snVec3 four[4];
    int count = 0;
    for (int i = 0, found = climb(&corners, four); i < found; i++) {
        const snVec3 x = four[i];
        const real dist = sn_v3Dot(n, sn_v3Sub(x, plane->pos));
        if (dist > margin || sn_v3Dot(n, sn_v3Sub(x, mesh->pos)) > 0) continue;
        out[count++] = sn_contactPoint(dist, sn_v3AddScaled(x, -0.5 * dist, n), n, true);
    }
    return count;
}
