// A cylinder about z; size: radius, half length.
#ifndef SINEW_SHAPE_CYLINDER_H
#define SINEW_SHAPE_CYLINDER_H

#include "shape/none.h"
#include "shape/span.h"

// clang-format off
#define SN_FACTS_CYLINDER {                                                                     \
    .sizes = 2,                                                                                 \
    .positive = 1 | 2,                                                                          \
    .refusal = SN_NOT_REFUSED,                                                                  \
    .form = SN_SHAPE_CONVEX,                                                                    \
    .asset = SN_ASSET_NONE,                                                                     \
    .wrap = SN_WRAP_CYLINDER,                                                                   \
    .terms = {.segment = {SN_LENGTH_NONE, SN_LENGTH_NONE, SN_LENGTH_1}, .ball = SN_LENGTH_NONE, \
              .round = SN_ROUND_DISC, .hull = SN_HULL_NONE, .inner = SN_INNER_LEAST}            \
}
// clang-format on

static inline snMask sn_holds_CYLINDER(const real size[3], snVec3 p)
{
    const real rho2 = p.x * p.x + p.y * p.y;
    return (fabs(p.z) <= size[1]) & (rho2 <= size[0] * size[0]);
}

static inline snMask sn_meets_CYLINDER(const real size[3], snVec3 p, snVec3 u)
{
    return sn_spanAhead(sn_spanTube(p, u, size[0], size[1]));
}

#define sn_extent_CYLINDER sn_extentOfBox

static inline snVec3 sn_semiAxes_CYLINDER(const real size[3])
{
    return sn_v3(size[0], size[0], size[1]);
}

#endif
