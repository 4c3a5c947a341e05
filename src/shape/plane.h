// The half-space below z = 0; size: half sides of what is drawn, 0: without end, and spacing of its grid.
#ifndef SINEW_SHAPE_PLANE_H
#define SINEW_SHAPE_PLANE_H

#include "shape/none.h"

// clang-format off
#define SN_FACTS_PLANE {       \
    .sizes = 3,                \
    .positive = 4,             \
    .refusal = SN_NOT_REFUSED, \
    .form = SN_SHAPE_ENDLESS,  \
    .asset = SN_ASSET_NONE,    \
    .wrap = SN_WRAPS_NOTHING,  \
    .terms = SN_TERMS_NONE     \
}
// clang-format on

#define sn_holds_PLANE sn_holdsNothing
#define sn_meets_PLANE sn_meetsNothing
#define sn_extent_PLANE sn_extentOfBox
#define sn_semiAxes_PLANE sn_semiAxesOfSize

#endif
