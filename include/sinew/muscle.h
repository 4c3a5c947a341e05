// The muscle model: a Hill-type muscle without tendon elasticity (seed 001, "Activation
// dynamics"). Pure functions of numbers.
//
// Lengths are scaled so that the actuator's lengthrange is range = (prm[0], prm[1]) in units of the optimal
// length L0 = (lengthrange[1] - lengthrange[0])/(range[1] - range[0]): L = range[0] + (length -
// lengthrange[0])/L0; velocities by the speed of the fastest shortening: V = velocity/(L0 vmax).
// prm [9]: range[0], range[1], force, scale, lmin, lmax, vmax, fpmax, fvmax.
#ifndef SINEW_MUSCLE_H
#define SINEW_MUSCLE_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Active force-length curve FL(L), 0 to 1: four parabolas that meet at (lmin + 1)/2, 1 and (1 + lmax)/2; 1
/// at L = 1, 0 outside lmin to lmax.
SN_API double sn_muscleForceLength(double L, double lmin, double lmax);

/// Force-velocity curve FV(V): 0 at the fastest shortening V = -1, 1 at rest, fvmax from V = fvmax - 1 on.
SN_API double sn_muscleForceVelocity(double V, double fvmax);

/// Passive force curve FP(L): 0 up to L = 1, a parabola up to fpmax/2 at (1 + lmax)/2, then the line that
/// goes on from it, 3/2 fpmax at lmax.
SN_API double sn_musclePassive(double L, double lmax, double fpmax);

/// Gain: - F FL(L) FV(V), F = prm[2], or prm[3]/acc0 when that is negative. Negative: muscles pull.
SN_API double sn_muscleGain(double length, double velocity, const double lengthrange[2], double acc0,
                            const double prm[9]);

/// Derivative of the gain by velocity.
SN_API double sn_muscleGainVelocity(double length, double velocity, const double lengthrange[2], double acc0,
                                    const double prm[9]);

/// Bias: - F FP(L).
SN_API double sn_muscleBias(double length, const double lengthrange[2], double acc0, const double prm[9]);

/// Rate of activation: (u - act)/tau with u = ctrl within 0 and 1. With a = act within 0 and 1, tau is
/// prm[0] (1/2 + 3/2 a) when the activation grows and prm[1]/(1/2 + 3/2 a) when it falls; prm[2] > 0 is the
/// width of the change of u - act over which one becomes the other smoothly.
SN_API double sn_muscleDynamics(double ctrl, double act, const double prm[3]);

#ifdef __cplusplus
}
#endif
#endif
