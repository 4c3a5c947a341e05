// A height field: prisms on a grid, from a base below z = 0 up to triangles.
#ifndef SINEW_SHAPE_HFIELD_H
#define SINEW_SHAPE_HFIELD_H

#include "shape/none.h"

// clang-format off
#define SN_FACTS_HFIELD {      \
    .sizes = 3,                \
    .positive = SN_SIZES_ANY,  \
    .refusal = SN_NOT_REFUSED, \
    .form = SN_SHAPE_FIELD,    \
    .asset = SN_ASSET_FIELD,   \
    .wrap = SN_WRAPS_NOTHING,  \
    .terms = SN_TERMS_NONE     \
}
// clang-format on

#define sn_holds_HFIELD sn_holdsNothing
#define sn_meets_HFIELD sn_meetsNothing
#define sn_extent_HFIELD sn_extentOfBox
#define sn_semiAxes_HFIELD sn_semiAxesOfSize

#endif
