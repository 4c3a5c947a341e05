// The functions of math.h whose results IEEE 754 leaves to the library, of our own: the same bits on every
// processor and with every compiler, which for those of a C library is not so. They use additions,
// multiplications, divisions and square roots that round to nearest, bits of integers, and tables from
// tools/elementary_coefficients.py. Compile with -ffp-contract=off.
//
// Each is within the error said here of the true value, in units of the last place (ulp): the largest that
// tests/unit/math/test_elementary_long.c found against MPFR, on 10^7 points, rounded up. Special values are
// those of Annex F of C; every NaN that comes out is the same one, positive and without payload, and none of
// them sets errno. What is here not (sqrt, fabs, floor, ceil, trunc, round, fmod, remainder, frexp, ldexp,
// copysign) is exact by IEEE 754 and stays the C library's.
#ifndef SINEW_MATH_ELEMENTARY_H
#define SINEW_MATH_ELEMENTARY_H

/// Sine, cosine and tangent of any angle. Up to 1e5 pi/2 is subtracted in three parts (Cody and Waite 1980),
/// beyond as many digits of 2/pi as it takes are multiplied (Payne and Hanek 1983).
double sn_sin(double x);
double sn_cos(double x);
double sn_tan(double x);
/// Both at once, the same bits as alone.
void sn_sincos(double x, double* s, double* c);

/// In [-pi/2, pi/2], |x| <= 1.
double sn_asin(double x);
/// In [0, pi], |x| <= 1.
double sn_acos(double x);
/// Angle of (x, y) in [-pi, pi], signs of zeros included.
double sn_atan2(double y, double x);

double sn_exp(double x);
double sn_expm1(double x); ///< e^x - 1
double sn_log(double x);
double sn_log10(double x); ///< exact of powers of ten that are doubles
double sn_pow(double x, double y);

double sn_sinh(double x);
double sn_cosh(double x);
double sn_tanh(double x);
double sn_asinh(double x);

double sn_cbrt(double x);
double sn_hypot(double x, double y); ///< sqrt(x^2 + y^2), without overflow or underflow on the way

/// The larger, and the smaller, as processors have them in one instruction (maxsd, minsd): of two zeros, or
/// where one is NaN, the second. A bound that is to stand where x is NaN is therefore the second.
static inline double sn_max(double a, double b)
{
    return a > b ? a : b;
}
static inline double sn_min(double a, double b)
{
    return a < b ? a : b;
}

#endif
