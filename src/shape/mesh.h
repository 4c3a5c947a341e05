// Triangles for rays, their convex hull for contacts; size: half sides of a box about the centre of mass.
#ifndef SINEW_SHAPE_MESH_H
#define SINEW_SHAPE_MESH_H

#include "shape/none.h"

// clang-format off
#define SN_FACTS_MESH {                                                                            \
    .sizes = 3,                                                                                    \
    .positive = SN_SIZES_ANY,                                                                      \
    .refusal = SN_NOT_REFUSED,                                                                     \
    .form = SN_SHAPE_CONVEX,                                                                       \
    .asset = SN_ASSET_MESH,                                                                        \
    .wrap = SN_WRAPS_NOTHING,                                                                      \
    .terms = {.segment = {SN_LENGTH_NONE, SN_LENGTH_NONE, SN_LENGTH_NONE}, .ball = SN_LENGTH_NONE, \
              .round = SN_ROUND_NONE, .hull = SN_HULL_ASSET, .inner = SN_INNER_NONE}               \
}
// clang-format on

#define sn_holds_MESH sn_holdsNothing
#define sn_meets_MESH sn_meetsNothing
#define sn_extent_MESH sn_extentOfBox
#define sn_semiAxes_MESH sn_semiAxesOfSize

#endif
