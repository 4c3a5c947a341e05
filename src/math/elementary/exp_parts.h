// e^x with more than 53 bits: x = (128 k + j) ln(2)/128 + r with |r| <= ln(2)/256, e^x = 2^k 2^(j/128) e^r,
// the second from a table, the third a polynomial. Source: Tang 1989.
#ifndef SINEW_MATH_ELEMENTARY_EXP_PARTS_H
#define SINEW_MATH_ELEMENTARY_EXP_PARTS_H

#include "math/elementary/coefficients.h"
#include "math/elementary/double_parts.h"

typedef struct snExpEntry {
    double scale, rest;
} snExpEntry;
extern const snExpEntry sn_exp_table[128];

/// e^(high + low) 2^shift as a number and 0.01 of it at most, |high| < 750, |low| < 0.006, the whole within
/// 2^-1000 and 2^1023.
static inline snDoublePair sn_expParts(double high, double low, int shift)
{
    const double shifted = high * SN_128_LN2 + SN_TO_INTEGER, k = shifted - SN_TO_INTEGER;
    const double r = (high - k * SN_LN2_128_A) - (k * SN_LN2_128_B - low);
    const uint64_t whole = sn_bitsOf(shifted) + ((uint64_t)(int64_t)shift << 7), j = whole & 127;
    const snExpEntry entry = sn_exp_table[j];
    const double scale = sn_ofBits(sn_bitsOf(entry.scale) + ((whole - j) << 45));
    const double z = r * r, p = (SN_EXP_0 + r * SN_EXP_1) + z * ((SN_EXP_2 + r * SN_EXP_3) + z * SN_EXP_4);
    return (snDoublePair){scale, scale * (entry.rest + r) + (scale * z) * p};
}

static inline snDoublePair sn_expPair(double high, double low, int shift)
{
    const snDoublePair e = sn_expParts(high, low, shift);
    return sn_sumOrdered(e.high, e.low);
}

/// e^x and e^-x, both halved, 0 <= x < 50: their r are one number and its negative.
static inline void sn_expBoth(double x, snDoublePair* up, snDoublePair* down)
{
    const double shifted = x * SN_128_LN2 + SN_TO_INTEGER, k = shifted - SN_TO_INTEGER;
    const double r = (x - k * SN_LN2_128_A) - k * SN_LN2_128_B, z = r * r;
    const double even = z * (SN_EXP_0 + z * SN_EXP_2), odd = r + (r * z) * (SN_EXP_1 + z * SN_EXP_3);
    const uint64_t whole = sn_bitsOf(shifted) - 128, back = 0 - sn_bitsOf(shifted) - 128;
    const snExpEntry a = sn_exp_table[whole & 127], b = sn_exp_table[back & 127];
    const double scale = sn_ofBits(sn_bitsOf(a.scale) + ((whole & ~(uint64_t)127) << 45));
    const double inverse = sn_ofBits(sn_bitsOf(b.scale) + ((back & ~(uint64_t)127) << 45));
    *up = sn_sumOrdered(scale, scale * (a.rest + (even + odd)));
    *down = sn_sumOrdered(inverse, inverse * (b.rest + (even - odd)));
}

/// e^(high + low) wherever it overflows or underflows; not of NaN.
double sn_expBeyond(double high, double low);

/// Where neither happens, nor to the lower part.
#define SN_EXP_LARGEST 690.0

#endif
