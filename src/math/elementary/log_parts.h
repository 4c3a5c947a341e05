// log(x) with more than 53 bits: x = 2^k z with z about 1, 1/c from a table, of so few bits that r = z/c - 1
// comes without an error, and log(x) = k log(2) + log(c) + log(1 + r). Near 1 both k and log(c) are 0, so
// that nothing cancels. Source: Tang 1990, with c that need no fused multiply-add.
#ifndef SINEW_MATH_ELEMENTARY_LOG_PARTS_H
#define SINEW_MATH_ELEMENTARY_LOG_PARTS_H

#include "math/elementary/coefficients.h"
#include "math/elementary/double_parts.h"

typedef struct snLogEntry {
    double inverse, high, low;
} snLogEntry;
extern const snLogEntry sn_log_table[128];

/// x = 2^k c (1 + r), r = upper + lower, |r| < 0.0054; log(c) is that of the entry. `upper` is a multiple of
/// 2^-31, so
// that its square is exact, and so is its sum with k log(2) and log(c), but for their lower parts.
typedef struct snLogSplit {
    double k, upper, lower;
    const snLogEntry* entry;
} snLogSplit;

/// Of x normal, positive and finite; k less `shift`.
static inline snLogSplit sn_logSplit(double x, int shift)
{
    const uint64_t bits = sn_bitsOf(x), from = bits - SN_LOG_START;
    const uint64_t mantissa = bits - (from & 0xfff0000000000000u);
    const double z = sn_ofBits(mantissa), top = sn_ofBits(mantissa & 0xffffffff00000000u);
    const snLogEntry* entry = sn_log_table + ((from >> 45) & 127);
    const double k = (double)((int32_t)((int64_t)from >> 52) - shift);
    // as 1/c has 11 bits and `top` 21, products are exact, and so is the difference
    return (snLogSplit){k, top * entry->inverse - 1, (z - top) * entry->inverse, entry};
}

/// (log(1 + r) - r + r^2/2)/r^3 but for its last terms, to 2^-59 of log(1 + r).
static inline double sn_logSeries(double r, double z)
{
    return (SN_LOG_0 + r * SN_LOG_1) + z * ((SN_LOG_2 + r * SN_LOG_3) + z * SN_LOG_4);
}

/// log(x) as a pair, the second below 2^-17 of the first, to some 2^-67 of it; not where |x - 1| < 2^-13.
static inline snDoublePair sn_logPair(snLogSplit s)
{
    const double r = s.upper + s.lower, z = r * r, w = z * z;
    const double p = ((SN_LOG_0 + r * SN_LOG_1) + z * (SN_LOG_2 + r * SN_LOG_3)) +
                     w * ((SN_LOG_4 + r * SN_LOG_5) + z * SN_LOG_6);
    // r^2/2 = upper^2/2, which is exact, and what is left
    const double left = 0.5 * (s.lower * (r + s.upper));
    // ordered, or both so small that the sum is exact
    const snDoublePair a = sn_sumOrdered((s.k * SN_LN2_A + s.entry->high) + s.upper, s.lower);
    const snDoublePair b = sn_sumOrdered(a.high, -0.5 * (s.upper * s.upper));
    const double low = (a.low + b.low) + ((s.k * SN_LN2_B + s.entry->low) + ((r * z) * p - left));
    return (snDoublePair){b.high, low};
}

/// log(1 + r), |r| < 2^-12, likewise.
static inline snDoublePair sn_logPairNear(double r)
{
    const double z = r * r, half = sn_topHalf(r), left = 0.5 * ((r - half) * (r + half));
    const snDoublePair sum = sn_sumOrdered(r, -0.5 * (half * half));
    return (snDoublePair){sum.high, sum.low + ((r * z) * sn_logSeries(r, z) - left)};
}

#endif
