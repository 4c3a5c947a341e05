// The ellipsoid fluid model: force on one moving ellipsoid.
#ifndef SINEW_SMOOTH_PASSIVE_ELLIPSOID_FLUID_H
#define SINEW_SMOOTH_PASSIVE_ELLIPSOID_FLUID_H

#include "smooth/passive/fluid.h"

/// What moves through the fluid.
typedef struct snEllipsoid {
    snVec3 r;          ///< semi-axes
    const real* fluid; ///< [SN_NFLUID] row of geom_fluid
    real density, viscosity;
} snEllipsoid;

/// Force at the centre of an ellipsoid that moves with velocity v relative to the fluid, both in its axes.
/// gradient (may be NULL) is set to the derivative by v.
snForce sn_ellipsoidFluid(const snEllipsoid* e, snMotion v, snForceGradient* gradient);

#endif
