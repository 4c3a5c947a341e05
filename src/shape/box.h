// A box; size: three half sides.
#ifndef SINEW_SHAPE_BOX_H
#define SINEW_SHAPE_BOX_H

#include "shape/none.h"
#include "shape/span.h"

// clang-format off
#define SN_FACTS_BOX {                                                                    \
    .sizes = 3,                                                                           \
    .positive = 1 | 2 | 4,                                                                \
    .refusal = SN_NOT_REFUSED,                                                            \
    .form = SN_SHAPE_CONVEX,                                                              \
    .asset = SN_ASSET_NONE,                                                               \
    .wrap = SN_WRAPS_NOTHING,                                                             \
    .terms = {.segment = {SN_LENGTH_0, SN_LENGTH_1, SN_LENGTH_2}, .ball = SN_LENGTH_NONE, \
              .round = SN_ROUND_NONE, .hull = SN_HULL_NONE, .inner = SN_INNER_LEAST}      \
}
// clang-format on

static inline snMask sn_holds_BOX(const real size[3], snVec3 p)
{
    return (fabs(p.x) <= size[0]) & (fabs(p.y) <= size[1]) & (fabs(p.z) <= size[2]);
}

static inline snMask sn_meets_BOX(const real size[3], snVec3 p, snVec3 u)
{
    return sn_spanAhead(
        sn_spanMeet(sn_spanSlab(p.x, u.x, size[0]),
                    sn_spanMeet(sn_spanSlab(p.y, u.y, size[1]), sn_spanSlab(p.z, u.z, size[2]))));
}

static inline snVec3 sn_extent_BOX(const real R[9], const real size[3], const real aabb[6], snVec3* centre)
{
    (void)aabb, (void)centre;
    return sn_turnedBox(R, size);
}

#define sn_semiAxes_BOX sn_semiAxesOfSize

#endif
