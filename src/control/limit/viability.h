// Bounds on the next acceleration or velocity of one joint that keep it inside its limits for ever.
//
// Steps are semi-implicit: v' = v + dt a, q' = q + dt v'. A state is viable when by full braking, amax each
// step and the last step less, q stays in [qmin, qmax] and |v| <= vmax holds. From v' >= 0 braking moves q on
// by sum_{j >= 1} dt (v' - j amax dt)+, so v' keeps below qmax exactly if
//     v' <= min over K = 0, 1, ... of (qmax - q) / ((K + 1) dt) + amax dt K / 2,
// which is least at a K next to sqrt(2 (qmax - q) / (amax dt^2)) - 1. Exact but for rounding: who brakes
// fully has nothing left to correct it, so after K steps of braking q may be beyond its limit by K eps |q|.
// Source: Del Prete 2018 (bounds of joints in discrete time).
#ifndef SINEW_CONTROL_LIMIT_VIABILITY_H
#define SINEW_CONTROL_LIMIT_VIABILITY_H

/// lower <= a <= upper: from a viable state all a with |a| <= amax whose next state is viable, and there is
/// one. From any other state never empty either: beyond vmax and on its way out full braking (|a| <= amax),
/// beyond a limit of position at least a tenth of the way back. Limits may be infinite, qmin = qmax, amax =
/// 0; dt > 0. Where nothing limits, the bounds are infinite; never NaN.
/// Before a limit of position the joint brakes by `brake` alone where that is less than amax, or by as much
/// more as it needs: what it may do elsewhere stays amax. Infinite: amax is the brake, too.
void sn_viableAcceleration(double q, double v, double qmin, double qmax, double vmax, double amax,
                           double brake, double dt, double* lower, double* upper);

/// lower <= v' <= upper: the same for the next velocity itself, v the present one.
void sn_viableVelocity(double q, double v, double qmin, double qmax, double vmax, double amax, double dt,
                       double* lower, double* upper);

#endif
