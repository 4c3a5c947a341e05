// Angles less multiples of pi/2.
#ifndef SINEW_MATH_ELEMENTARY_REDUCTION_H
#define SINEW_MATH_ELEMENTARY_REDUCTION_H

#include <stdint.h>

/// An angle as k pi/2 + r + rest, |r| <= pi/4.
typedef struct snReducedAngle {
    uint64_t k; ///< at least its lowest two bits
    double r, rest;
} snReducedAngle;

/// x positive, finite, 2^-8 or larger: to 2^-61 of r.
snReducedAngle sn_reduceLarge(double x);

#endif
