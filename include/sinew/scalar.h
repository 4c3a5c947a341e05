// Functions of a few numbers: series, smooth steps, springs, pyramids of friction.
#ifndef SINEW_SCALAR_H
#define SINEW_SCALAR_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Number `index` of the Halton sequence of a base, in [0, 1): its digits in that base mirrored at the point;
/// 0 for index <= 0, NaN for a base of 0 or 1.  Source: Halton 1960.
SN_API double sn_Halton(int index, int base);

/// Smooth step: 0 below 0, 1 above 1, between them x^3 (6 x^2 - 15 x + 10), whose first two derivatives are 0
/// at both ends.
SN_API double sn_sigmoid(double x);

/// Position after the time dt (s) of x'' = -Kp x - Kv x' from pos0 and vel0, to rounding however stiff and
/// near to critical damping.
SN_API double sn_springDamper(double pos0, double vel0, double Kp, double Kv, double dt);

/// A number of the standard normal distribution, and unless num2 is NULL an independent second one: the next
/// ones of sequence 0 of sn_noise, which all callers in the process share. Threads may call it.
SN_API double sn_standardNormal(double* num2);

/// Edges of a friction pyramid: for each i < dim - 1 the two numbers (a + b)/2 and (a - b)/2, a = force[0]/
/// (dim - 1), b = force[i + 1]/mu[i], but not above a. pyramid [2 (dim - 1)], force [dim], mu [dim - 1].
SN_API void sn_encodePyramid(double* pyramid, const double* force, const double* mu, int dim);
/// The force: of the normal the sum of all edges, of the other directions mu times the difference of two. Of
/// dim 1 force[0] = pyramid[0].
SN_API void sn_decodePyramid(double* force, const double* pyramid, const double* mu, int dim);

#ifdef __cplusplus
}
#endif
#endif
