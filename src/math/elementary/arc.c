// Arcsine, arccosine and arctangents.
#include "math/elementary/arc_parts.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/double_parts.h"
#include "math/elementary/elementary.h"

// What stands before the angle: multiples of pi/4, and what a double leaves of them.
static const snDoublePair QUARTERS[5] = {{0, 0},
                                         {SN_PIO4_1, SN_PIO4_1_REST},
                                         {SN_PIO4_2, SN_PIO4_2_REST},
                                         {SN_PIO4_3, SN_PIO4_3_REST},
                                         {SN_PIO4_4, SN_PIO4_4_REST}};

// (atan(t) - t)/t^3 as a function of z = t^2, |t| <= tan(pi/8)
static inline double atanSeries(double z)
{
    const double w = z * z, v = w * w;
    const double low = (SN_ATAN_0 + z * SN_ATAN_1) + w * (SN_ATAN_2 + z * SN_ATAN_3);
    const double middle = (SN_ATAN_4 + z * SN_ATAN_5) + w * (SN_ATAN_6 + z * SN_ATAN_7);
    const double high = (SN_ATAN_8 + z * SN_ATAN_9) + w * (SN_ATAN_10 + z * SN_ATAN_11);
    return low + v * (middle + v * high);
}

// quarters pi/4 + sign atan(a/b), 0 < a <= b, neither so small or large, or so far apart, that a product
// underflows or overflows. Above tan(pi/8) the angle is pi/4 + atan((a - b)/(a + b)). `quarters` are even.
static inline double octant(double a, double b, int quarters, double sign)
{
    const int steep = a > SN_TAN_PI_8 * b;
    const double minus = steep ? b : 0, plus = steep ? a : 0;
    const double difference = a - minus, sum = b + plus;
    // what rounding took from both
    const snDoublePair top = {difference, (a - (difference + minus))}, under = {sum, plus - (sum - b)};
    const double ratio = difference / sum, z = ratio * ratio;
    const snDoublePair t = sn_pairQuotient(top, under, ratio);
    const double rest = t.low + (ratio * z) * atanSeries(z);
    const snDoublePair turn = QUARTERS[quarters + (sign < 0 ? -steep : steep)];
    const snDoublePair angle = sn_sumOrdered(turn.high, sign * t.high);
    return angle.high + (angle.low + (turn.low + sign * rest));
}

// The angle of (|x|, |y|) from the x axis, or from the negative one, where `octant` cannot: one is 0, or far
// below the other, or out of range. `ratio` is a/b.
static double octantFar(double a, double b, int quarters, double sign)
{
    if (a > 0x1p-60 * b && b < HUGE_VAL) { // of one size
        const double scale = b > 1 ? 0x1p-600 : 0x1p600;
        return octant(a * scale, b * scale, quarters, sign);
    }
    const double ratio = b == 0 ? 0 : a == HUGE_VAL ? 1 : b == HUGE_VAL ? 0 : a / b;
    if (ratio == 1) return QUARTERS[quarters + (sign < 0 ? -1 : 1)].high;
    return QUARTERS[quarters].high + (QUARTERS[quarters].low + sign * ratio);
}

double sn_atan2(double y, double x)
{
    const double u = fabs(x), v = fabs(y);
    const int swap = v > u, back = signbit(x) != 0;
    const double a = swap ? u : v, b = swap ? v : u;
    const int quarters = swap ? 2 : 4 * back;
    const double sign = swap != back ? -1 : 1;
    if (SN_LIKELY(a > 0x1p-60 * b && a > 0x1p-900 && b < 0x1p900))
        return sn_withSign(octant(a, b, quarters, sign), y);
    if (isnan(x) || isnan(y)) return SN_NO_NUMBER;
    return sn_withSign(octantFar(a, b, quarters, sign), y);
}

// asin(sqrt(z)), 0 < z <= 1/4, as a pair
static inline snDoublePair asinOfRoot(double z)
{
    const double root = sqrt(z), high = sn_topHalf(root), low = (z - high * high) / (root + high);
    return (snDoublePair){high, low + (root * z) * sn_asinSeries(z)};
}

// Above 1/2: asin(x) = pi/2 - 2 asin(sqrt((1 - x)/2)).
double sn_asin(double x)
{
    const double size = fabs(x);
    if (size <= 0.5) {
        const double z = x * x;
        return size < 0x1p-28 ? x : x + (x * z) * sn_asinSeries(z);
    }
    if (!SN_LIKELY(size < 1)) return size == 1 ? sn_withSign(SN_PIO4_2, x) : SN_NO_NUMBER;
    const snDoublePair half = asinOfRoot(0.5 - 0.5 * size);
    const snDoublePair angle = sn_sumOrdered(SN_PIO4_2, -2 * half.high);
    return sn_withSign(angle.high + (angle.low + (SN_PIO4_2_REST - 2 * half.low)), x);
}

// pi/2 - asin(x); above 1/2, and below -1/2, 2 asin(sqrt((1 - x)/2)) and pi less that of -x.
double sn_acos(double x)
{
    const double size = fabs(x);
    if (size <= 0.5) {
        const double z = x * x, rest = (x * z) * sn_asinSeries(z);
        const snDoublePair angle = sn_sumOrdered(SN_PIO4_2, -x);
        return angle.high + (angle.low + (SN_PIO4_2_REST - rest));
    }
    if (!SN_LIKELY(size < 1)) return x == 1 ? 0 : x == -1 ? SN_PIO4_4 : SN_NO_NUMBER;
    const snDoublePair half = asinOfRoot(0.5 - 0.5 * size);
    if (x > 0) return 2 * (half.high + half.low);
    const snDoublePair angle = sn_sumOrdered(SN_PIO4_4, -2 * half.high);
    return angle.high + (angle.low + (SN_PIO4_4_REST - 2 * half.low));
}
