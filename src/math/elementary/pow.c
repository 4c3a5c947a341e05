// x^y = e^(y log(x)), the logarithm to some 2^-67 of itself, so that even where y log(x) is 709 the power is
// off by less than 0.6 units of its last place.
#include "math/elementary/elementary.h"
#include "math/elementary/exp_parts.h"
#include "math/elementary/log_parts.h"

#define LEAST_NORMAL 0x1p-1022

// x normal, positive and finite, |y| < 2^63
static inline double powOfPositive(double x, double y, int shift)
{
    const double r = x - 1; // exact where it is used
    const snDoublePair l = fabs(r) < 0x1p-12 ? sn_logPairNear(r) : sn_logPair(sn_logSplit(x, shift));
    const double lh = sn_topHalf(l.high), ll = (l.high - lh) + l.low;
    const double yh = sn_topHalf(y), yl = y - yh;
    const double high = yh * lh, low = yl * lh + y * ll; // below 2^-17 of the first
    if (!SN_LIKELY(fabs(high) < SN_EXP_LARGEST - 1)) return sn_expBeyond(high, low);
    const snDoublePair e = sn_expParts(high, low, 0);
    return e.high + e.low;
}

// 0 unless y is an integer, else 1 where it is even and -1 where it is odd
static int parity(double y)
{
    const double size = fabs(y);
    if (size >= 0x1p53) return 1;
    const double half = 0.5 * size, below = (double)(int64_t)size;
    if (below != size) return 0;
    return (double)(int64_t)half == half ? 1 : -1;
}

// size > 0, finite or not, y neither 0 nor NaN
static double powOfSize(double size, double y)
{
    if (size == 1) return 1;
    if (size == HUGE_VAL || fabs(y) >= 0x1p63) return (size > 1) == (y > 0) ? HUGE_VAL : 0;
    return size < LEAST_NORMAL ? powOfPositive(size * 0x1p54, y, 54) : powOfPositive(size, y, 0);
}

// As Annex F of C has it.
SN_RARE static double powRare(double x, double y)
{
    if (y == 0 || x == 1) return 1;
    if (isnan(x) || isnan(y)) return SN_NO_NUMBER;
    const double size = fabs(x);
    const int whole = parity(y);
    const double sign = whole < 0 && signbit(x) ? -1 : 1;
    if (size == 0) return y < 0 ? sign * HUGE_VAL : sign * 0;
    if (x < 0 && whole == 0 && size < HUGE_VAL) return SN_NO_NUMBER;
    return sign * powOfSize(size, y);
}

double sn_pow(double x, double y)
{
    if (SN_LIKELY(x >= LEAST_NORMAL && x < HUGE_VAL && fabs(y) < 0x1p63)) return powOfPositive(x, y, 0);
    return powRare(x, y);
}
