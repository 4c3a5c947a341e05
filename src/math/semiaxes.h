// The ellipsoid that stands for a geom in a fluid.
#ifndef SINEW_MATH_SEMIAXES_H
#define SINEW_MATH_SEMIAXES_H

#include "math/vec.h"

/// Semi-axes of the ellipsoid that a geom of this type and size is in a fluid: half its extent along each
/// axis.
static inline snVec3 sn_semiAxes(int type, const real size[3])
{
    switch (type) {
    case SN_GEOM_SPHERE: return sn_v3(size[0], size[0], size[0]);
    case SN_GEOM_CAPSULE: return sn_v3(size[0], size[0], size[1] + size[0]);
    case SN_GEOM_CYLINDER: return sn_v3(size[0], size[0], size[1]);
    default: return sn_v3Load(size);
    }
}

#endif
