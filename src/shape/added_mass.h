// What a shape moves along of the fluid around it: the ellipsoid fluid model.
#ifndef SINEW_SHAPE_ADDED_MASS_H
#define SINEW_SHAPE_ADDED_MASS_H

#include "math/vec.h"

/// Added mass (3) and inertia (3) over the density, along the axes of the ellipsoid that stands for a geom of
/// this type and size in an ideal fluid.
void sn_addedMass(int type, const real size[3], real out[6]);

#endif
