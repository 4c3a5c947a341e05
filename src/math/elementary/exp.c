#include "math/elementary/elementary.h"
#include "math/elementary/exp_parts.h"

const snExpEntry sn_exp_table[128] = {SN_EXP_TABLE};

SN_RARE double sn_expBeyond(double high, double low)
{
    if (high > 710) return HUGE_VAL;
    if (high < -746) return 0;
    // one rounding more, of a number that is normal, before the power of two brings it where it belongs
    const int shift = high > 0 ? -8 : 128;
    const snDoublePair e = sn_expParts(high, low, shift);
    return (e.high + e.low) * (high > 0 ? 0x1p8 : 0x1p-128);
}

SN_RARE static double expRare(double x)
{
    return isnan(x) ? SN_NO_NUMBER : sn_expBeyond(x, 0);
}

double sn_exp(double x)
{
    if (!SN_LIKELY(fabs(x) < SN_EXP_LARGEST)) return expRare(x);
    const snDoublePair e = sn_expParts(x, 0, 0);
    return e.high + e.low;
}

// e^x - 1 from the series, |x| <= 1/4.
static inline double expm1Series(double x)
{
    const double z = x * x, w = z * z;
    const double p =
        ((SN_EXPM1_0 + x * SN_EXPM1_1) + z * (SN_EXPM1_2 + x * SN_EXPM1_3)) +
        w * (((SN_EXPM1_4 + x * SN_EXPM1_5) + z * (SN_EXPM1_6 + x * SN_EXPM1_7)) + w * SN_EXPM1_8);
    return x + (0.5 * z + (x * z) * p);
}

double sn_expm1(double x)
{
    if (fabs(x) <= 0.25) return x == 0 ? x : expm1Series(x);
    if (!SN_LIKELY(fabs(x) < SN_EXP_LARGEST)) return isnan(x) ? SN_NO_NUMBER : sn_expBeyond(x, 0) - 1;
    const snDoublePair e = sn_expPair(x, 0, 0);
    const snDoublePair less = sn_sumExact(e.high, -1);
    return less.high + (less.low + e.low);
}
