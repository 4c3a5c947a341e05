// A signed distance field: its name is known, and nothing is computed of it.
#ifndef SINEW_SHAPE_SDF_H
#define SINEW_SHAPE_SDF_H

#include "shape/none.h"

#define SN_FACTS_SDF SN_FACTS_NONE("signed distances are not computed")

#define sn_holds_SDF sn_holdsNothing
#define sn_meets_SDF sn_meetsNothing
#define sn_extent_SDF sn_extentOfBox
#define sn_semiAxes_SDF sn_semiAxesOfSize

#endif
