// A signed distance field: its name is known, and nothing is computed of it.
#ifndef SINEW_SHAPE_SDF_H
#define SINEW_SHAPE_SDF_H

#include "shape/none.h"

// clang-format off
#define SN_FACTS_SDF {                              \
    .sizes = 3,                                     \
    .positive = SN_SIZES_ANY,                       \
    .refusal = "signed distances are not computed", \
    .form = SN_SHAPE_NONE,                          \
    .asset = SN_ASSET_NONE,                         \
    .wrap = SN_WRAPS_NOTHING,                       \
    .terms = SN_TERMS_NONE                          \
}
// clang-format on

#define sn_holds_SDF sn_holdsNothing
#define sn_meets_SDF sn_meetsNothing
#define sn_extent_SDF sn_extentOfBox
#define sn_semiAxes_SDF sn_semiAxesOfSize

#endif
