// Inertias of four bodies about one point of each tree.
#ifndef SINEW_SMOOTH_KINEMATICS_INERTIA_LANES_H
#define SINEW_SMOOTH_KINEMATICS_INERTIA_LANES_H

#include "math/lanes.h"

/// R diag(I) R' + mass (|o|^2 1 - o o'), as d->cinert, to `to` [4 x 10]: r [9] the inertial axes, by rows, I
/// the principal moments, o the offsets of the centres of mass from the point.
SN_INLINE void sn_lanesInertia(const v4* r, snLanes3 I, v4 mass, snLanes3 o, double* to)
{
    enum { ROW = 10 };
    const snLanes3 h = sn_l3Scale(o, mass);
    const snLanes3 x = {I.x * r[0], I.y * r[1], I.z * r[2]}, y = {I.x * r[3], I.y * r[4], I.z * r[5]},
                   z = {I.x * r[6], I.y * r[7], I.z * r[8]};
    const v4 xx = x.x * r[0] + x.y * r[1] + x.z * r[2] + h.y * o.y + h.z * o.z;
    const v4 yy = y.x * r[3] + y.y * r[4] + y.z * r[5] + h.x * o.x + h.z * o.z;
    const v4 zz = z.x * r[6] + z.y * r[7] + z.z * r[8] + h.x * o.x + h.y * o.y;
    const v4 xy = x.x * r[3] + x.y * r[4] + x.z * r[5] - h.x * o.y;
    const v4 xz = x.x * r[6] + x.y * r[7] + x.z * r[8] - h.x * o.z;
    const v4 yz = y.x * r[6] + y.y * r[7] + y.z * r[8] - h.y * o.z;
    sn_lanesStore(to, ROW, xx, yy, zz, xy);
    sn_lanesStore(to + 4, ROW, xz, yz, h.x, h.y);
    sn_lanesStore(to + 6, ROW, h.x, h.y, h.z, mass);
}

#endif
