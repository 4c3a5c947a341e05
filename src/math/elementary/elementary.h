// The functions of math.h whose results IEEE 754 leaves to the library, of our own: the same bits on every
// processor and with every compiler, which for those of a C library is not so. They use additions,
// multiplications, divisions and square roots that round to nearest, bits of integers, and tables from
// tools/elementary_coefficients.py. Compile with -ffp-contract=off.
//
// Each says its largest error in units of the last place (ulp), which test_elementary_long.c holds against
// MPFR on 10^7 points. Special values are those of Annex F of C; every NaN that comes out is the same one,
// positive and without payload, and errno is left alone. What is not here (sqrt, fabs, floor, ceil, trunc,
// round, fmod, remainder, frexp, ldexp, copysign) IEEE 754 defines to the bit, and stays the C library's.
#ifndef SINEW_MATH_ELEMENTARY_H
#define SINEW_MATH_ELEMENTARY_H

// Of any angle. Up to 1e5 multiples of pi/2 are subtracted in three parts (Cody and Waite 1980); beyond, as
// many digits of 2/pi are multiplied as it takes (Payne and Hanek 1983).

double sn_sin(double x); ///< sine; 0.9 ulp
double sn_cos(double x); ///< cosine; 0.85 ulp
double sn_tan(double x); ///< tangent; 0.75 ulp
/// Sine and cosine at once, the same bits as alone.
void sn_sincos(double x, double* s, double* c);

double sn_asin(double x);            ///< in [-pi/2, pi/2], |x| <= 1; 0.7 ulp
double sn_acos(double x);            ///< in [0, pi], |x| <= 1; 0.7 ulp
double sn_atan2(double y, double x); ///< angle of (x, y) in [-pi, pi], signs of zeros included; 0.8 ulp

double sn_exp(double x);           ///< e^x; 0.8 ulp
double sn_expm1(double x);         ///< e^x - 1; 0.7 ulp
double sn_log(double x);           ///< natural logarithm, x >= 0; 0.6 ulp
double sn_log10(double x);         ///< to base 10, x >= 0; 0.6 ulp, exact of powers of ten that are doubles
double sn_pow(double x, double y); ///< x^y; 0.8 ulp

double sn_sinh(double x);  ///< hyperbolic sine; 0.7 ulp
double sn_cosh(double x);  ///< hyperbolic cosine; 0.8 ulp
double sn_tanh(double x);  ///< hyperbolic tangent; 0.6 ulp
double sn_asinh(double x); ///< inverse of sn_sinh; 0.6 ulp

double sn_cbrt(double x);            ///< cube root; 0.6 ulp
double sn_hypot(double x, double y); ///< sqrt(x^2 + y^2), without overflow or underflow on the way; 0.9 ulp

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
