// A signed distance field of any form, with a mesh for mass, rays and pictures; size: as of a mesh.
#ifndef SINEW_SHAPE_SDF_H
#define SINEW_SHAPE_SDF_H

#include "shape/none.h"

// clang-format off
#define SN_FACTS_SDF {              \
    .sizes = 3,                     \
    .positive = SN_SIZES_ANY,       \
    .refusal = SN_NOT_REFUSED,      \
    .form = SN_SHAPE_DISTANCES,     \
    .asset = SN_ASSET_MESH,         \
    .wrap = SN_WRAPS_NOTHING,       \
    .terms = SN_TERMS_NONE          \
}
// clang-format on

#define sn_holds_SDF sn_holdsNothing
#define sn_meets_SDF sn_meetsNothing
#define sn_extent_SDF sn_extentOfBox
#define sn_semiAxes_SDF sn_semiAxesOfSize

#endif
