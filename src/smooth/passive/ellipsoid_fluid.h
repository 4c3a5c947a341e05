// The ellipsoid fluid model: force on one moving ellipsoid. Source: seed 001, "Passive forces".
#ifndef SINEW_SMOOTH_PASSIVE_ELLIPSOID_FLUID_H
#define SINEW_SMOOTH_PASSIVE_ELLIPSOID_FLUID_H

#include "smooth/passive/fluid.h"

/// Places in geom_fluid.
enum {
    SN_FLUID_BLUNT = 1,
    SN_FLUID_SLENDER,
    SN_FLUID_ANGULAR,
    SN_FLUID_KUTTA,
    SN_FLUID_MAGNUS,
    SN_FLUID_MASS,
    SN_FLUID_INERTIA = 9
};

/// What moves through the fluid.
typedef struct snEllipsoid {
    snVec3 r;          ///< semi-axes
    const real* fluid; ///< [SN_NFLUID] row of geom_fluid
    real density, viscosity;
} snEllipsoid;

/// Force at the centre of an ellipsoid that moves with velocity v relative to the fluid, both in its axes.
/// gradient (may be NULL) is set to the derivative by v.
snForce sn_ellipsoidFluid(const snEllipsoid* e, snMotion v, snForceGradient* gradient);

/// gradient is set to the derivative of the drag alone.
void sn_ellipsoidDrag(const snEllipsoid* e, snMotion v, snForceGradient* gradient);

/// q of the pressure drag -rho |q w| w on what turns, q w component by component. A disc that turns about a
/// diameter has 8/15 pi r^5; here along axis i it is 8/15 pi r_i max(r_j, r_k)^4 and the largest of them.
snVec3 sn_ellipsoidAngularDrag(const snEllipsoid* e);

/// curvature is set to d(B u)/dv, B the gradient (symmetric: its symmetric part) and u held.
void sn_ellipsoidCurvature(const snEllipsoid* e, snMotion v, snMotion u, bool symmetric,
                           snForceGradient* curvature);

#endif
