// Plane against box: its twin is collision/analytic/plane.c. Of its own, for which corners are below the
// plane, each lane chooses for itself: points go into slots, not into a list.
#include "batch/lane/slots.h"
#include "collision/analytic/colliders.h"

// Corners below the centre in the order of their bits, at most four.
int sn_planeBox(const snShape* plane, const snShape* box, real margin, snContactPoint* out)
{
    const snVec3 n = sn_m3Col(plane->mat, 2), s = box->size;
    const snVec3 x = sn_v3Scale(sn_m3Col(box->mat, 0), s.x), y = sn_v3Scale(sn_m3Col(box->mat, 1), s.y),
                 z = sn_v3Scale(sn_m3Col(box->mat, 2), s.z);
    const real centre = sn_v3Dot(n, sn_v3Sub(box->pos, plane->pos));
    const real nx = sn_v3Dot(n, x), ny = sn_v3Dot(n, y), nz = sn_v3Dot(n, z);
    if (sn_all(centre - fabs(nx) - fabs(ny) - fabs(nz) > margin)) return 0;
    snSlots slots = {.out = out, .most = 4, .count = sn_real(0)};
    for (int i = 0; i < 8; i++) {
        const snLane sx = i & 1 ? 1 : -1, sy = i & 2 ? 1 : -1, sz = i & 4 ? 1 : -1;
        const real rise = sx * nx + sy * ny + sz * nz, dist = centre + rise;
        const snMask touching = sn_not((rise > 0) | (dist > margin));
        if (!sn_any(touching)) continue;
        const snVec3 corner = sn_v3AddScaled(sn_v3AddScaled(sn_v3AddScaled(box->pos, sx, x), sy, y), sz, z);
        sn_fillSlot(&slots, dist, sn_v3AddScaled(corner, -0.5 * dist, n), n, touching);
    }
    return slots.used;
}
