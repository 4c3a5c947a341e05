// A distance with its gradient, and what becomes of both where shapes are put together.
#ifndef SINEW_SDF_SHAPE_SLOPE_H
#define SINEW_SDF_SHAPE_SLOPE_H

#include "math/vec.h"

typedef struct snSlope {
    double d;
    snVec3 g; ///< gradient
} snSlope;

static inline snSlope sn_slope(double d, snVec3 g)
{
    return (snSlope){d, g};
}

/// The distance of what is outside.
static inline snSlope sn_slopeNeg(snSlope a)
{
    return sn_slope(-a.d, sn_v3Neg(a.g));
}

/// Of two shapes together.
static inline snSlope sn_slopeMin(snSlope a, snSlope b)
{
    return b.d < a.d ? b : a;
}

/// Of what two shapes have in common.
static inline snSlope sn_slopeMax(snSlope a, snSlope b)
{
    return b.d > a.d ? b : a;
}

/// Two shapes together, their corner filled by a parabola k wide:
///
///     min over h in [0, 1] of (1 - h) b + h a - k h (1 - h)
static inline snSlope sn_slopeFill(snSlope a, snSlope b, double k)
{
    double h = 0.5 + 0.5 * (b.d - a.d) / k;
    h = h < 0 ? 0 : h > 1 ? 1 : h;
    return sn_slope(b.d + (a.d - b.d) * h - k * h * (1 - h),
                    sn_v3Add(sn_v3Scale(a.g, h), sn_v3Scale(b.g, 1 - h)));
}

/// A distance in another unit.
static inline snSlope sn_slopeScale(snSlope a, double by)
{
    return sn_slope(a.d * by, sn_v3Scale(a.g, by));
}

/// Unit vector outwards from the z axis at (x, y), whose distance from it is r; the x axis on it.
static inline snVec3 sn_radial(double x, double y, double r)
{
    return r > 0 ? sn_v3(x / r, y / r, 0) : sn_v3(1, 0, 0);
}

/// Writes what a shape answers.
static inline double sn_slopeStore(snSlope a, double gradient[3])
{
    if (gradient) sn_v3Store(gradient, a.g);
    return a.d;
}

#endif
