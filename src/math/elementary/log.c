#include "math/elementary/elementary.h"
#include "math/elementary/log_parts.h"

const snLogEntry sn_log_table[128] = {SN_LOG_TABLE};

// Normal, positive and finite, in one comparison.
static inline int isOrdinary(double x)
{
    return sn_bitsOf(x) - 0x0010000000000000u < 0x7fe0000000000000u;
}

// The logarithm of what is neither ordinary nor positive.
static double logOfNone(double x)
{
    return x == 0 ? -HUGE_VAL : x == HUGE_VAL ? x : SN_NO_NUMBER;
}

// 2^-shift x, x ordinary
static inline double logOrdinary(double x, int shift)
{
    const snLogSplit s = sn_logSplit(x, shift);
    const double r = s.upper + s.lower, z = r * r;
    const snDoublePair sum = sn_sumOrdered((s.k * SN_LN2_A + s.entry->high) + s.upper, s.lower);
    const double low = sum.low + ((s.k * SN_LN2_B + s.entry->low) - 0.5 * z);
    return sum.high + (low + (r * z) * sn_logSeries(r, z));
}

SN_RARE static double logRare(double x)
{
    return x > 0 && x < HUGE_VAL ? logOrdinary(x * 0x1p54, 54) : logOfNone(x);
}

double sn_log(double x)
{
    return SN_LIKELY(isOrdinary(x)) ? logOrdinary(x, 0) : logRare(x);
}

// k of the exponent stays apart from the logarithm of the mantissa.
static inline double log10Ordinary(double x, int shift)
{
    const uint64_t power = (sn_bitsOf(x) - SN_LOG_START) & 0xfff0000000000000u;
    const double k = (double)((int32_t)((int64_t)power >> 52) - shift);
    const snLogSplit s = sn_logSplit(sn_ofBits(sn_bitsOf(x) - power), 0);
    const double r = s.upper + s.lower, z = r * r;
    const snDoublePair l = sn_sumOrdered(s.entry->high + s.upper, s.lower);
    const double low = l.low + ((s.entry->low - 0.5 * z) + (r * z) * sn_logSeries(r, z));
    const double top = sn_topHalf(l.high), rest = (l.high - top) + low;
    const snDoublePair sum = sn_sumOrdered(k * SN_LOG10_2_A, top * SN_LOG10E_A);
    return sum.high + (sum.low + (k * SN_LOG10_2_B + (rest * SN_LOG10E_A + (l.high + low) * SN_LOG10E_B)));
}

SN_RARE static double log10Rare(double x)
{
    return x > 0 && x < HUGE_VAL ? log10Ordinary(x * 0x1p54, 54) : logOfNone(x);
}

double sn_log10(double x)
{
    return SN_LIKELY(isOrdinary(x)) ? log10Ordinary(x, 0) : log10Rare(x);
}

// log(y + rest), |rest| <= 2^-52 y, 1 + 2^-13 <= y < 2^62
static inline double logOfPair(double y, double rest)
{
    snLogSplit s = sn_logSplit(y, 0);
    s.lower += rest * sn_ofBits((uint64_t)(1023 - (int)s.k) << 52) * s.entry->inverse;
    const snDoublePair l = sn_logPair(s);
    return l.high + l.low;
}

// sqrt(1 + x^2) as a pair
static inline snDoublePair rootOfOneMore(double x)
{
    const double top = sn_topHalf(x);
    snDoublePair sum = sn_sumExact(1, top * top);
    sum = sn_sumOrdered(sum.high, sum.low + (x - top) * (x + top));
    const double root = sqrt(sum.high), high = sn_topHalf(root);
    return (snDoublePair){high, ((sum.high - high * high) + sum.low) / (root + high)};
}

// log(x + sqrt(1 + x^2)), of the size of x; below 2^-13 from the series x - x^3/6 + 3 x^5/40.
double sn_asinh(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-13) {
        const double z = x * x;
        return x == 0 ? x : x - (x * z) * (1 / 6.0 - z * 0.075);
    }
    if (!(size < HUGE_VAL)) return isnan(x) ? SN_NO_NUMBER : x;
    if (size > 0x1p60) { // log(2 x)
        const snDoublePair l = sn_logPair(sn_logSplit(size, -1));
        return sn_withSign(l.high + l.low, x);
    }
    const snDoublePair root = rootOfOneMore(size);
    snDoublePair sum = sn_sumExact(root.high, size);
    sum = sn_sumOrdered(sum.high, sum.low + root.low);
    return sn_withSign(logOfPair(sum.high, sum.low), x);
}
