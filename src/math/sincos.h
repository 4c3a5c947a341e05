// Sine and cosine of many angles at once: x = k pi/2 + r with |r| <= pi/4, then Taylor series in r: the first
// terms left out are r^19/19! and r^18/18!, below 1e-17. Straight-line code, so that the compiler takes
// several angles at a time. Source: Cody and Waite 1980 (pi/2 in parts).
#ifndef SINEW_MATH_SINCOS_H
#define SINEW_MATH_SINCOS_H

#include "math/real.h"

/// Angles above go through the C library.
#define SN_SINCOS_LARGEST 1e5

// pi/2 in three parts; k times either of the first two, of 33 bits each, is exact for |k| < 2^20. Those of
// floats have 11 bits, exact for |k| < 2^13.
#ifdef SN_SINGLE
#define SN_PIO2_A 0x1.92p+0
#define SN_PIO2_B 0x1.fb4p-12
#define SN_PIO2_C 0x1.4442d2p-24
#define SN_ROUND 0x1.8p23
#undef SN_SINCOS_LARGEST
#define SN_SINCOS_LARGEST 8e3
#else
#define SN_PIO2_A 0x1.921fb544p+0
#define SN_PIO2_B 0x1.0b4611a6p-34
#define SN_PIO2_C 0x1.3198a2e037073p-69
#define SN_ROUND 0x1.8p52 // adding it rounds to an integer
#endif
#define SN_TWO_OVER_PI 0x1.45f306dc9c883p-1

static inline real sn_sinSeries(real r, real z)
{
    const real p =
        -1 / 6.0 +
        z * (1 / 120.0 +
             z * (-1 / 5040.0 +
                  z * (1 / 362880.0 +
                       z * (-1 / 39916800.0 + z * (1 / 6227020800.0 + z * (-1 / 1307674368000.0 +
                                                                           z * (1 / 355687428096000.0)))))));
    return r + r * z * p;
}

static inline real sn_cosSeries(real z)
{
    const real p =
        1 / 24.0 +
        z * (-1 / 720.0 + z * (1 / 40320.0 + z * (-1 / 3628800.0 +
                                                  z * (1 / 479001600.0 + z * (-1 / 87178291200.0 +
                                                                              z * (1 / 20922789888000.0))))));
    return 1 - (0.5 * z - z * z * p);
}

/// Sine and cosine of x, |x| <= SN_SINCOS_LARGEST.
static inline void sn_sincosReduced(real x, real* s, real* c)
{
    const real k = (x * SN_TWO_OVER_PI + SN_ROUND) - SN_ROUND;
    const real r = ((x - k * SN_PIO2_A) - k * SN_PIO2_B) - k * SN_PIO2_C, z = r * r;
    const real sr = sn_sinSeries(r, z), cr = sn_cosSeries(z);
    // quadrant k mod 4 in {-2, -1, 0, 1, 2}
    const real q = k - 4 * ((k * 0.25 + SN_ROUND) - SN_ROUND), size = fabs(q);
    const snMask odd = size == 1;
    const real a = sn_select(odd, cr, sr), b = sn_select(odd, sr, cr);
    *s = sn_select((q < 0) | (q == 2), -a, a);
    *c = sn_select((q == 1) | (size == 2), -b, b);
}

#ifdef SN_LANES

/// Of any angle.
static inline void sn_sincos(real x, real* s, real* c)
{
    sn_sincosReduced(x, s, c);
    const snMask large = sn_not(fabs(x) <= SN_SINCOS_LARGEST);
    if (!sn_any(large)) return;
    for (int l = 0; l < SN_LANES; l++)
        if (large[l]) {
            (*s)[l] = (snLane)sin((snDouble)x[l]);
            (*c)[l] = (snLane)cos((snDouble)x[l]);
        }
}
static inline real sn_sinLanes(real x)
{
    real s, c;
    sn_sincos(x, &s, &c);
    return s;
}
static inline real sn_cosLanes(real x)
{
    real s, c;
    sn_sincos(x, &s, &c);
    return c;
}
#define sin(x) sn_sinLanes(sn_real(x))
#define cos(x) sn_cosLanes(sn_real(x))

/// s[i] = sin(x[i]), c[i] = cos(x[i]) for i < n.
static inline void sn_sincosArray(const real* x, real* s, real* c, int n)
{
    for (int i = 0; i < n; i++) sn_sincos(x[i], s + i, c + i);
}

#else

/// s[i] = sin(x[i]), c[i] = cos(x[i]) for i < n, each within 3e-16 of the true value. s or c may be x. Any
/// finite angle. NaN and infinity give NaN.
void sn_sincosArray(const double* x, double* s, double* c, int n);

#endif
#endif
