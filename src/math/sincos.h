// Sine and cosine, of doubles and of lanes: x = k pi/2 + r + rest with |r| <= pi/4, r rounded and `rest` what
// that took, then polynomials in r. Straight-line code, so that the compiler takes several angles at a time;
// of doubles every lane, every loop and sn_sin itself have the same bits. Source: Cody and Waite 1980 (pi/2
// in parts).
#ifndef SINEW_MATH_SINCOS_H
#define SINEW_MATH_SINCOS_H

#include "math/elementary/coefficients.h"
#include "math/real.h"

// Angles above go through sn_reduceLarge. Below, k times either of the first two parts of pi/2 is exact, and
// no double is so near a multiple of pi/2 that what all parts leave of k pi/2 is 2^-57 of r.
#ifdef SN_SINGLE
#define SN_SINCOS_LARGEST 8e3
#define SN_REDUCE_A SN_PIO2_SINGLE_A
#define SN_REDUCE_B SN_PIO2_SINGLE_B
#define SN_REDUCE_C SN_PIO2_SINGLE_C
#define SN_ROUND 0x1.8p23
#else
#define SN_SINCOS_LARGEST 1e5
#define SN_REDUCE_A SN_PIO2_A
#define SN_REDUCE_B SN_PIO2_B
#define SN_REDUCE_C SN_PIO2_C
#define SN_ROUND 0x1.8p52 // adding it rounds to an integer, whose bits are then the lowest
#endif

static inline real sn_sinPolynomial(real z, real w)
{
    return (SN_SIN_0 + z * SN_SIN_1) + w * ((SN_SIN_2 + z * SN_SIN_3) + w * (SN_SIN_4 + z * SN_SIN_5));
}
static inline real sn_cosPolynomial(real z, real w)
{
    return (SN_COS_0 + z * SN_COS_1) + w * ((SN_COS_2 + z * SN_COS_3) + w * (SN_COS_4 + z * SN_COS_5));
}

/// Sine and cosine of r + rest, z = r^2.
static inline real sn_sinSeries(real r, real rest, real z)
{
    return r + ((r * z) * sn_sinPolynomial(z, z * z) + rest * (1 - 0.5 * z));
}
static inline real sn_cosSeries(real r, real rest, real z)
{
    const real w = z * z, half = 0.5 * z, one = 1 - half;
    return one + (((1 - one) - half) + (w * sn_cosPolynomial(z, w) - r * rest));
}

/// Sine and cosine of k pi/2 + r + rest.
static inline void sn_sincosSeries(snBits k, real r, real rest, real* s, real* c)
{
    const real z = r * r;
    const snBits sine = sn_realBits(sn_sinSeries(r, rest, z)), cosine = sn_realBits(sn_cosSeries(r, rest, z));
    const snBits odd = 0 - (k & 1);
    const int turn = SN_REAL_BITS - 2; // from the second bit to the sign
    *s = sn_realOfBits(((sine & ~odd) | (cosine & odd)) ^ ((k & 2) << turn));
    *c = sn_realOfBits(((cosine & ~odd) | (sine & odd)) ^ (((k + 1) & 2) << turn));
}

/// Sine and cosine of x, |x| <= SN_SINCOS_LARGEST. Of |x|, so that the sine of -0 is -0.
static inline void sn_sincosReduced(real x, real* s, real* c)
{
    const real size = fabs(x), shifted = size * SN_TWO_OVER_PI + SN_ROUND, k = shifted - SN_ROUND;
    // exact, then what the second part takes, exact in two
    const real t = size - k * SN_REDUCE_A, b = k * SN_REDUCE_B, u = t - b, v = k * SN_REDUCE_C, r = u - v;
    real sine;
    sn_sincosSeries(sn_realBits(shifted), r, ((u - r) - v) + ((t - u) - b), &sine, c);
    *s = sn_realOfBits(sn_realBits(sine) ^ (sn_realBits(x) ^ sn_realBits(size)));
}

#ifdef SN_LANES

/// Of any angle.
static inline void sn_sincosLanes(real x, real* s, real* c)
{
    sn_sincosReduced(x, s, c);
    const snMask large = sn_not(fabs(x) <= SN_SINCOS_LARGEST);
    if (!sn_any(large)) return;
    for (int l = 0; l < SN_LANES; l++)
        if (large[l]) {
            (*s)[l] = (snLane)sn_sin((snDouble)x[l]);
            (*c)[l] = (snLane)sn_cos((snDouble)x[l]);
        }
}
static inline real sn_sinLanes(real x)
{
    real s, c;
    sn_sincosLanes(x, &s, &c);
    return s;
}
static inline real sn_cosLanes(real x)
{
    real s, c;
    sn_sincosLanes(x, &s, &c);
    return c;
}
#define sn_sincos(x, s, c) sn_sincosLanes(sn_real(x), s, c)
#define sn_sin(x) sn_sinLanes(sn_real(x))
#define sn_cos(x) sn_cosLanes(sn_real(x))

/// s[i] = sin(x[i]), c[i] = cos(x[i]) for i < n.
static inline void sn_sincosArray(const real* x, real* s, real* c, int n)
{
    for (int i = 0; i < n; i++) sn_sincosLanes(x[i], s + i, c + i);
}

#else

/// s[i] = sin(x[i]), c[i] = cos(x[i]) for i < n, the bits of sn_sin and sn_cos. s or c may be x.
void sn_sincosArray(const double* x, double* s, double* c, int n);

#endif
#endif
