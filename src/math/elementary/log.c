#include "math/elementary/elementary.h"
#include "math/elementary/log_parts.h"

const snLogEntry sn_log_table[128] = {SN_LOG_TABLE};

#define LEAST_NORMAL 0x1p-1022

static inline int isOrdinary(double x)
{
    return x >= LEAST_NORMAL && x < HUGE_VAL;
}

// What is neither normal, positive and finite nor below the least normal number: `*scaled` and a shift of k
// for the latter, else the logarithm itself.
SN_RARE static int isSubnormal(double* x, double* logarithm)
{
    if (*x > 0 && *x < LEAST_NORMAL) {
        *x *= 0x1p54;
        return 1;
    }
    *logarithm = *x == 0 ? -HUGE_VAL : *x == HUGE_VAL ? *x : SN_NO_NUMBER;
    return 0;
}

double sn_log(double x)
{
    int shift = 0;
    double special;
    if (!SN_LIKELY(isOrdinary(x))) {
        if (!isSubnormal(&x, &special)) return special;
        shift = 54;
    }
    const snLogSplit s = sn_logSplit(x, shift);
    const double r = s.upper + s.lower, z = r * r;
    const snDoublePair sum = sn_sumOrdered((s.k * SN_LN2_A + s.entry->high) + s.upper, s.lower);
    const double low = sum.low + ((s.k * SN_LN2_B + s.entry->low) - 0.5 * z);
    return sum.high + (low + (r * z) * sn_logSeries(r, z));
}

// k of the exponent stays apart from the logarithm of the mantissa, so that powers of two are exact.
static double logOfBase(double x, snDoublePair inverse, snDoublePair of_two)
{
    int shift = 0;
    double special;
    if (!SN_LIKELY(isOrdinary(x))) {
        if (!isSubnormal(&x, &special)) return special;
        shift = 54;
    }
    const uint64_t power = (sn_bitsOf(x) - SN_LOG_START) & 0xfff0000000000000u;
    const double k = (double)((int32_t)((int64_t)power >> 52) - shift);
    const snLogSplit s = sn_logSplit(sn_ofBits(sn_bitsOf(x) - power), 0);
    const double r = s.upper + s.lower, z = r * r;
    const snDoublePair l = sn_sumOrdered(s.entry->high + s.upper, s.lower);
    const double low = l.low + ((s.entry->low - 0.5 * z) + (r * z) * sn_logSeries(r, z));
    const double top = sn_topHalf(l.high), rest = (l.high - top) + low;
    const snDoublePair sum = sn_sumOrdered(k * of_two.high, top * inverse.high);
    return sum.high + (sum.low + (k * of_two.low + (rest * inverse.high + (l.high + low) * inverse.low)));
}

double sn_log10(double x)
{
    return logOfBase(x, (snDoublePair){SN_LOG10E_A, SN_LOG10E_B}, (snDoublePair){SN_LOG10_2_A, SN_LOG10_2_B});
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
