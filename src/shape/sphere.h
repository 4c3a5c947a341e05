// A ball about the centre; size: its radius.
#ifndef SINEW_SHAPE_SPHERE_H
#define SINEW_SHAPE_SPHERE_H

#include "shape/none.h"
#include "shape/span.h"

// clang-format off
#define SN_FACTS_SPHERE {                                                                       \
    .sizes = 1,                                                                                 \
    .positive = 1,                                                                              \
    .refusal = SN_NOT_REFUSED,                                                                  \
    .form = SN_SHAPE_CONVEX,                                                                    \
    .asset = SN_ASSET_NONE,                                                                     \
    .wrap = SN_WRAP_SPHERE,                                                                     \
    .terms = {.segment = {SN_LENGTH_NONE, SN_LENGTH_NONE, SN_LENGTH_NONE}, .ball = SN_LENGTH_0, \
              .round = SN_ROUND_NONE, .hull = SN_HULL_NONE, .inner = SN_INNER_NONE}             \
}
// clang-format on

static inline snMask sn_holds_SPHERE(const real size[3], snVec3 p)
{
    const real rho2 = p.x * p.x + p.y * p.y;
    return rho2 + p.z * p.z <= size[0] * size[0];
}

static inline snMask sn_meets_SPHERE(const real size[3], snVec3 p, snVec3 u)
{
    return sn_spanAhead(sn_spanBall(p, u, size[0]));
}

static inline snVec3 sn_extent_SPHERE(const real R[9], const real size[3], const real aabb[6], snVec3* centre)
{
    (void)R, (void)aabb, (void)centre;
    return sn_v3(size[0], size[0], size[0]);
}

static inline snVec3 sn_semiAxes_SPHERE(const real size[3])
{
    return sn_v3(size[0], size[0], size[0]);
}

#endif
