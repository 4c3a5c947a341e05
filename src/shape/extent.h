// How far a shape reaches; in lanes, too. See shape/types.h.
#ifndef SINEW_SHAPE_EXTENT_H
#define SINEW_SHAPE_EXTENT_H

#include <sinew/types.h>
#include "shape/types.h"

/// Half sizes along the world's axes of the box around a shape that stands as R; aabb: its box in its own
/// frame, as geom_aabb. *centre: of the shape, moved to that of the box.
static inline snVec3 sn_shapeExtent(int type, const real R[9], const real size[3], const real aabb[6],
                                    snVec3* centre)
{
    switch ((snGeomType)type) {
#define X(name, value, keyword, meaning)                                                                     \
    case SN_GEOM_##name: return sn_extent_##name(R, size, aabb, centre);
        SN_GEOM_TABLE(X)
#undef X
    }
    return sn_extentOfBox(R, size, aabb, centre);
}

/// Semi-axes of the ellipsoid that a shape is in a fluid: half its extent along each axis.
static inline snVec3 sn_semiAxes(int type, const real size[3])
{
    switch ((snGeomType)type) {
#define X(name, value, keyword, meaning)                                                                     \
    case SN_GEOM_##name: return sn_semiAxes_##name(size);
        SN_GEOM_TABLE(X)
#undef X
    }
    return sn_semiAxesOfSize(size);
}

#endif
