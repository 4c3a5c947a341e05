// What a type of geom names that does not have an inline function of its own (shape/types.h).
#ifndef SINEW_SHAPE_NONE_H
#define SINEW_SHAPE_NONE_H

#include "math/vec.h"

/// For what is never a site: no point is in it, no ray meets it.
static inline snMask sn_holdsNothing(const real size[3], snVec3 p)
{
    (void)size, (void)p;
    return sn_mask(false);
}

static inline snMask sn_meetsNothing(const real size[3], snVec3 p, snVec3 u)
{
    (void)size, (void)p, (void)u;
    return sn_mask(false);
}

/// Half sizes of the box along the world's axes around a box that stands as R.
static inline snVec3 sn_turnedBox(const real R[9], const real half[3])
{
    return sn_v3(fabs(R[0]) * half[0] + fabs(R[1]) * half[1] + fabs(R[2]) * half[2],
                 fabs(R[3]) * half[0] + fabs(R[4]) * half[1] + fabs(R[5]) * half[2],
                 fabs(R[6]) * half[0] + fabs(R[7]) * half[1] + fabs(R[8]) * half[2]);
}

/// For shapes that fill the box along their own axes well enough, or stand beside its centre.
static inline snVec3 sn_extentOfBox(const real R[9], const real size[3], const real aabb[6], snVec3* centre)
{
    (void)size;
    *centre = sn_v3Add(*centre, sn_m3Mul(sn_m3Load(R), sn_v3Load(aabb)));
    return sn_turnedBox(R, aabb + 3);
}

/// For shapes whose sizes are half extents, and for those that no fluid slows down as their shape says.
static inline snVec3 sn_semiAxesOfSize(const real size[3])
{
    return sn_v3Load(size);
}

#endif
