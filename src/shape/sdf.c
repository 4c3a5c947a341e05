#include "shape/sdf.h"
#include "shape/kind.h"

SN_SHAPE_ROW(SDF) = {.span = sn_noSpan,
                     .volume = sn_noVolume,
                     .area = sn_noArea,
                     .inertia = sn_noInertia,
                     .shellInertia = sn_noInertia,
                     .box = sn_noBox,
                     .radius = sn_noRadius,
                     .fitInertia = sn_noFit,
                     .fitBounds = sn_noFit,
                     .ray = sn_noRay,
                     .normal = sn_normalUp};
