// An ellipsoid; size: three semi-axes.
#ifndef SINEW_SHAPE_ELLIPSOID_H
#define SINEW_SHAPE_ELLIPSOID_H

#include "shape/none.h"
#include "shape/span.h"

// clang-format off
#define SN_FACTS_ELLIPSOID {                                                                       \
    .sizes = 3,                                                                                    \
    .positive = 1 | 2 | 4,                                                                         \
    .refusal = SN_NOT_REFUSED,                                                                     \
    .form = SN_SHAPE_CONVEX,                                                                       \
    .asset = SN_ASSET_NONE,                                                                        \
    .wrap = SN_WRAPS_NOTHING,                                                                      \
    .terms = {.segment = {SN_LENGTH_NONE, SN_LENGTH_NONE, SN_LENGTH_NONE}, .ball = SN_LENGTH_NONE, \
              .round = SN_ROUND_ELLIPSOID, .hull = SN_HULL_NONE, .inner = SN_INNER_LEAST}          \
}
// clang-format on

static inline snMask sn_holds_ELLIPSOID(const real size[3], snVec3 p)
{
    const real x = p.x / size[0], y = p.y / size[1], z = p.z / size[2];
    return x * x + y * y + z * z <= 1;
}

static inline snMask sn_meets_ELLIPSOID(const real size[3], snVec3 p, snVec3 u)
{
    return sn_spanAhead(sn_spanBall(sn_v3(p.x / size[0], p.y / size[1], p.z / size[2]),
                                    sn_v3(u.x / size[0], u.y / size[1], u.z / size[2]), sn_real(1)));
}

#define sn_extent_ELLIPSOID sn_extentOfBox
#define sn_semiAxes_ELLIPSOID sn_semiAxesOfSize

#endif
