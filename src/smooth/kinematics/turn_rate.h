// How a rotation vector changes with the velocity of what it turns: with the orientation q0 exp(theta) and
// the angular velocity w in the turned frame,
//     theta' = w + theta x w / 2 + c theta x (theta x w),   c = (1 - x/2 cot(x/2)) / x^2,   x = |theta|.
// Of the vectors of one rotation it takes the shortest, as the peer does: c grows without bound towards 2 pi.
// Source: Hairer, Lubich and Wanner 2006, IV.7 (the inverse of the derivative of exp).
#ifndef SINEW_SMOOTH_KINEMATICS_TURN_RATE_H
#define SINEW_SMOOTH_KINEMATICS_TURN_RATE_H

#include "math/vec.h"

/// What the shortest vector of a rotation is of one of length x: in [-pi/x, 1].
static inline real sn_shortestTurn(real x)
{
    const real sine = sn_sin(0.5 * x), cosine = sn_cos(0.5 * x);
    const real angle = 2 * sn_atan2(sn_select(cosine < 0, -sine, sine), fabs(cosine));
    return sn_select(x < 3, 1, angle / x);
}

/// c for |x| <= pi; by its series where the formula would cancel.
static inline real sn_turnFactor(real x)
{
    const real x2 = x * x;
    const real series = 1 / 12.0 + x2 * (1 / 720.0 + x2 * (1 / 30240.0 + x2 * (1 / 1209600.0)));
    return sn_select(x2 < 0.01, series, (1 - 0.5 * x * sn_cos(0.5 * x) / sn_sin(0.5 * x)) / x2);
}

/// theta' for |theta| <= pi
static inline snVec3 sn_shortTurnRate(snVec3 theta, snVec3 w)
{
    const snVec3 across = sn_v3Cross(theta, w);
    const snVec3 rate = sn_v3AddScaled(w, 0.5, across);
    return sn_v3AddScaled(rate, sn_turnFactor(sn_v3Norm(theta)), sn_v3Cross(theta, across));
}

/// theta'
static inline snVec3 sn_turnRate(snVec3 theta, snVec3 w)
{
    return sn_shortTurnRate(sn_v3Scale(theta, sn_shortestTurn(sn_v3Norm(theta))), w);
}

#endif
