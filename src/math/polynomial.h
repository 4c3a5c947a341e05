// Forces a x + b x^2 + c x^3 of springs and dampers. Without b and c they are a x to the last bit.
#ifndef SINEW_MATH_POLYNOMIAL_H
#define SINEW_MATH_POLYNOMIAL_H

#include "math/zero.h"

typedef struct snCubic {
    real a, b, c;
} snCubic;

/// From the linear coefficient and the other two.
static inline snCubic sn_cubic(real a, const real* others)
{
    return (snCubic){a, others[0], others[1]};
}

/// f += s g
static inline snCubic sn_cubicAddScaled(snCubic f, real s, snCubic g)
{
    return (snCubic){f.a + s * g.a, f.b + s * g.b, f.c + s * g.c};
}

/// In all lanes.
static inline bool sn_cubicIsZero(snCubic f)
{
    const real all[] = {f.a, f.b, f.c};
    return !sn_anyNotZero(all, 3);
}

static inline snMask sn_cubicIsLinear(snCubic f)
{
    return (f.b == 0) & (f.c == 0);
}

/// f(x)/x
static inline real sn_cubicSecant(snCubic f, real x)
{
    return f.a + x * (f.b + x * f.c);
}

/// df/dx
static inline real sn_cubicSlope(snCubic f, real x)
{
    return f.a + x * (2 * f.b + x * (3 * f.c));
}

/// d^2f/dx^2
static inline real sn_cubicCurvature(snCubic f, real x)
{
    return 2 * f.b + x * (6 * f.c);
}

/// d(f(x)/x)/dx
static inline real sn_cubicSecantSlope(snCubic f, real x)
{
    return f.b + x * (2 * f.c);
}

/// The integral of f from 0 to x, but for the linear part.
static inline real sn_cubicWork(snCubic f, real x)
{
    return x * x * x * (f.b / 3 + x * (f.c / 4));
}

#endif
