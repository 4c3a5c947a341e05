#include "shape/sdf.h"
#include "shape/kind.h"

SN_SHAPE_ROW(SDF) = SN_SHAPE_NOTHING;
