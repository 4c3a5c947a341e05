// A ball swept along a segment of z; size: radius, half length of the segment.
#ifndef SINEW_SHAPE_CAPSULE_H
#define SINEW_SHAPE_CAPSULE_H

#include "shape/none.h"
#include "shape/span.h"

// clang-format off
#define SN_FACTS_CAPSULE {                                                                   \
    .sizes = 2,                                                                              \
    .positive = 1 | 2,                                                                       \
    .refusal = SN_NOT_REFUSED,                                                               \
    .form = SN_SHAPE_CONVEX,                                                                 \
    .asset = SN_ASSET_NONE,                                                                  \
    .wrap = SN_WRAPS_NOTHING,                                                                \
    .terms = {.segment = {SN_LENGTH_NONE, SN_LENGTH_NONE, SN_LENGTH_1}, .ball = SN_LENGTH_0, \
              .round = SN_ROUND_NONE, .hull = SN_HULL_NONE, .inner = SN_INNER_NONE}          \
}
// clang-format on

static inline snMask sn_holds_CAPSULE(const real size[3], snVec3 p)
{
    const real rho2 = p.x * p.x + p.y * p.y;
    const real over = sn_max(fabs(p.z) - size[1], 0);
    return rho2 + over * over <= size[0] * size[0];
}

static inline snMask sn_meets_CAPSULE(const real size[3], snVec3 p, snVec3 u)
{
    const snVec3 top = sn_v3(p.x, p.y, p.z - size[1]), bottom = sn_v3(p.x, p.y, p.z + size[1]);
    const snMask hit = sn_spanAhead(sn_spanTube(p, u, size[0], size[1]));
    if (sn_all(hit)) return hit;
    return hit | sn_spanAhead(sn_spanBall(top, u, size[0])) | sn_spanAhead(sn_spanBall(bottom, u, size[0]));
}

static inline snVec3 sn_extent_CAPSULE(const real R[9], const real size[3], const real aabb[6],
                                       snVec3* centre)
{
    (void)aabb, (void)centre;
    return sn_v3(fabs(R[2]) * size[1] + size[0], fabs(R[5]) * size[1] + size[0],
                 fabs(R[8]) * size[1] + size[0]);
}

static inline snVec3 sn_semiAxes_CAPSULE(const real size[3])
{
    return sn_v3(size[0], size[0], size[1] + size[0]);
}

#endif
