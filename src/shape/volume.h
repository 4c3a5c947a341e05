// Points and rays against the volume of a shape, in its own frame; in lanes, too. See shape/types.h.
#ifndef SINEW_SHAPE_VOLUME_H
#define SINEW_SHAPE_VOLUME_H

#include <sinew/types.h>
#include "shape/types.h"

/// Whether a point is in the volume.
static inline snMask sn_shapeHolds(int type, const real size[3], snVec3 p)
{
    switch ((snGeomType)type) {
#define X(name, value, keyword, meaning)                                                                     \
    case SN_GEOM_##name: return sn_holds_##name(size, p);
        SN_GEOM_TABLE(X)
#undef X
    }
    return sn_mask(false);
}

/// Whether the ray from p along u meets the volume.
static inline snMask sn_shapeMeets(int type, const real size[3], snVec3 p, snVec3 u)
{
    switch ((snGeomType)type) {
#define X(name, value, keyword, meaning)                                                                     \
    case SN_GEOM_##name: return sn_meets_##name(size, p, u);
        SN_GEOM_TABLE(X)
#undef X
    }
    return sn_mask(false);
}

#endif
