// Force of the surrounding fluid on one body, and its derivative by the body's velocity. Source: seed 001,
// "Passive forces".
#ifndef SINEW_SMOOTH_PASSIVE_FLUID_H
#define SINEW_SMOOTH_PASSIVE_FLUID_H

#include <sinew/data.h>
#include "math/spatial.h"

/// Derivative of a spatial force by a spatial velocity: d ang = ww d ang + wv d lin, d lin = vw d ang + vv d
/// lin.
typedef struct snForceGradient {
    snMat3 ww, wv, vw, vv;
} snForceGradient;

_Static_assert(sizeof(snForceGradient) == 36 * sizeof(real), "flat");

/// The change of force that a change of velocity gives.
static inline snForce sn_gradientMul(const snForceGradient* g, snMotion v)
{
    return (snForce){sn_v3Add(sn_m3Mul(g->ww, v.ang), sn_m3Mul(g->wv, v.lin)),
                     sn_v3Add(sn_m3Mul(g->vw, v.ang), sn_m3Mul(g->vv, v.lin))};
}

/// Whether the model has a fluid at all.
static inline snMask sn_hasFluid(const snModel* m)
{
    return (m->opt.density > 0) | (m->opt.viscosity > 0);
}

/// Which part of a fluid's derivative by velocity: all of it, its symmetric part in the frame of the shape,
/// or that of the drag alone, which is symmetric and takes energy.
typedef enum snFluidPart { SN_FLUID_WHOLE, SN_FLUID_SYMMETRIC, SN_FLUID_DRAG } snFluidPart;

/// Force of the fluid on a body, at sn_treeCom of the body, world axes. A body with a geom that has the
/// ellipsoid model feels these geoms; any other the box of its inertia. gradient (may be NULL): adds a part
/// of its derivative by the body's velocity in the same frame. Bodies lighter than SN_MINVAL feel nothing.
snForce sn_fluidForce(const snModel* m, const snData* d, int body, snForceGradient* gradient,
                      snFluidPart part);

/// curvature += d(B u)/d(velocity of the body) at held u, B the gradient that sn_fluidForce adds, u a spatial
/// velocity.
void sn_fluidCurvature(const snModel* m, const snData* d, int body, snMotion u, bool symmetric,
                       snForceGradient* curvature);

#endif
