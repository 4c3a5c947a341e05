// Plane against mesh as MuJoCo 3.13 and later has it: of the sides at the lowest vertex the one that looks
// most against the plane, its corners from that vertex on, those above the mesh's centre left out.
#include "collision/plane_hull.h"
#include <string.h>
#include "collision/analytic/colliders.h"
#include "collision/convex/side.h"

static real area(const snVec3* v, const int at[4])
{
    return sn_v3Norm(sn_v3Cross(sn_v3Sub(v[at[2]], v[at[0]]), sn_v3Sub(v[at[3]], v[at[1]])));
}

// Leaves four corners: the first, and three that step on while one of them gains area, as in the peer.
static void climb(snSide* p)
{
    if (p->count <= 4) return;
    int at[4] = {0, 1, 2, 3};
    real most = area(p->v, at);
    for (int k = 3; k > 0;) {
        const int end = k == 3 ? p->count : at[k + 1];
        at[k]++;
        const real gained = at[k] < end ? area(p->v, at) : 0;
        if (gained > most) {
            most = gained;
            k = 3;
        } else {
            at[k--]--;
        }
    }
    for (int k = 0; k < 4; k++) p->v[k] = p->v[at[k]];
    p->count = 4;
}

static void lowestFirst(snVec3 n, snSide* side)
{
    snVec3 all[SN_MOST_CORNERS];
    const int count = side->count;
    memcpy(all, side->v, (size_t)count * sizeof *all);
    int low = 0;
    for (int i = 1; i < count; i++)
        if (sn_v3Dot(n, sn_v3Sub(all[i], all[low])) < 0) low = i;
    for (int i = 0; i < count; i++) side->v[i] = all[low + i < count ? low + i : low + i - count];
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
    snSide side;
    if (!sn_meshFace(m, mesh, sn_hullRow(&mesh->hull, low.id), down, &side))
        return sn_planeMesh(plane, mesh, margin, out);
    lowestFirst(n, &side);
    climb(&side);
    int count = 0;
    for (int i = 0; i < side.count; i++) {
        const snVec3 x = side.v[i];
        const real dist = sn_v3Dot(n, sn_v3Sub(x, plane->pos));
        if (dist > margin || sn_v3Dot(n, sn_v3Sub(x, mesh->pos)) > 0) continue;
        out[count++] = sn_contactPoint(dist, sn_v3AddScaled(x, -0.5 * dist, n), n, true);
    }
    return count;
}
