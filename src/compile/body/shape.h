// Size, volume and inertia of primitive shapes, in their own frames: origin at the centre, capsule and
// cylinder along z. size as geom_size (see snGeomType).
#ifndef SINEW_COMPILE_BODY_SHAPE_H
#define SINEW_COMPILE_BODY_SHAPE_H

#include "math/vec.h"

/// How many entries of size a shape uses; a plane: 3, of which only the third must be positive.
int sn_shapeSizes(int type);

/// Volume (m^3), or with `shell` the area (m^2); a plane: 0.
real sn_shapeVolume(int type, const real size[3], bool shell);

/// Principal moments about the centre of a shape of the given mass, solid or (shell) all on its surface.
snVec3 sn_shapeInertia(int type, const real size[3], bool shell, real mass);

/// Axis-aligned box: centre (3), half sizes (3).
void sn_shapeAabb(int type, const real size[3], real aabb[6]);

/// Radius of the bounding sphere; a plane: 0, no sphere.
real sn_shapeRadius(int type, const real size[3]);

#endif
