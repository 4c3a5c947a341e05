// Bodies and dofs four at a time, from rows that need not stand one behind the other: spatial algebra in
// lanes.
#ifndef SINEW_DERIVATIVE_SMOOTH_LANES_BODY_H
#define SINEW_DERIVATIVE_SMOOTH_LANES_BODY_H

#include <stddef.h>
#include "math/lanes.h"

/// Four rows of numbers.
typedef struct snRows {
    const double* at[4];
} snRows;

/// Rows first, ..., first + 3 of `width` numbers each, of which those beyond `last` are the last again.
SN_INLINE snRows sn_rowsFrom(const double* p, int width, int first, int last)
{
    snRows r;
    for (int t = 0; t < 4; t++) r.at[t] = p + (ptrdiff_t)width * (first + t < last ? first + t : last);
    return r;
}

/// Rows index[0], ..., index[3] of `width` numbers each.
SN_INLINE snRows sn_rowsAt(const double* p, int width, const int index[4])
{
    snRows r;
    for (int t = 0; t < 4; t++) r.at[t] = p + (ptrdiff_t)width * index[t];
    return r;
}

/// Numbers from, ..., from + 3 of each row, as lanes.
SN_INLINE void sn_rowsLoad(snRows r, int from, v4* a, v4* b, v4* c, v4* d)
{
    *a = v4_loadAny(r.at[0] + from);
    *b = v4_loadAny(r.at[1] + from);
    *c = v4_loadAny(r.at[2] + from);
    *d = v4_loadAny(r.at[3] + from);
    sn_lanesTranspose(a, b, c, d);
}

/// The first six numbers of each row.
SN_INLINE snLanes6 sn_rowsLoad6(snRows r)
{
    snLanes6 s;
    v4 again_z, again_x;
    sn_rowsLoad(r, 0, &s.ang.x, &s.ang.y, &s.ang.z, &s.lin.x);
    sn_rowsLoad(r, 2, &again_z, &again_x, &s.lin.y, &s.lin.z);
    return s;
}

/// The first ten numbers of each row.
SN_INLINE snLanesInertia sn_rowsLoadInertia(snRows r)
{
    snLanesInertia I;
    v4 again_h, again_y;
    sn_rowsLoad(r, 0, &I.xx, &I.yy, &I.zz, &I.xy);
    sn_rowsLoad(r, 4, &I.xz, &I.yz, &I.h.x, &I.h.y);
    sn_rowsLoad(r, 6, &again_h, &again_y, &I.h.z, &I.mass);
    return I;
}

#endif
