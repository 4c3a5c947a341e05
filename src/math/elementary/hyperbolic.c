// Hyperbolic sine, cosine and tangent from e^x and e^-x with more than 53 bits; near 0, where those cancel,
// from series.
#include "math/elementary/elementary.h"
#include "math/elementary/exp_parts.h"

// e^|x|/2 where it is so large that e^-|x| vanishes beside it.
static double halfExp(double x)
{
    if (isnan(x)) return SN_NO_NUMBER;
    if (x >= 711) return HUGE_VAL;
    const snDoublePair e = sn_expParts(x, 0, -9);
    return (e.high + e.low) * 0x1p8;
}

// x + x^3 p(x^2), p by its coefficients
static inline double oddSeries(double x, const double p[6])
{
    const double z = x * x, w = z * z;
    return x + (x * z) * ((p[0] + z * p[1]) + w * ((p[2] + z * p[3]) + w * (p[4] + z * p[5])));
}

// |x| <= 1/2
static double sinhSeries(double x)
{
    return oddSeries(x, (const double[]){SN_SINH_0, SN_SINH_1, SN_SINH_2, SN_SINH_3, SN_SINH_4, SN_SINH_5});
}

double sn_sinh(double x)
{
    const double size = fabs(x);
    if (size <= 0.5) return x == 0 ? x : sinhSeries(x);
    if (!SN_LIKELY(size < 40)) return isnan(x) ? SN_NO_NUMBER : sn_withSign(halfExp(size), x);
    snDoublePair up, down;
    sn_expBoth(size, &up, &down);
    const snDoublePair sum = sn_sumOrdered(up.high, -down.high);
    return sn_withSign(sum.high + (sum.low + (up.low - down.low)), x);
}

double sn_cosh(double x)
{
    const double size = fabs(x);
    if (!SN_LIKELY(size < 40)) return halfExp(size);
    snDoublePair up, down;
    sn_expBoth(size, &up, &down);
    const snDoublePair sum = sn_sumOrdered(up.high, down.high);
    return sum.high + (sum.low + (up.low + down.low));
}

// |x| <= 1/8
static double tanhSeries(double x)
{
    return oddSeries(x, (const double[]){SN_TANH_0, SN_TANH_1, SN_TANH_2, SN_TANH_3, SN_TANH_4, SN_TANH_5});
}

// (e^2x - 1)/(e^2x + 1)
double sn_tanh(double x)
{
    const double size = fabs(x);
    if (size <= 0.125) return x == 0 ? x : tanhSeries(x);
    if (!SN_LIKELY(size < 20)) return isnan(x) ? SN_NO_NUMBER : sn_withSign(1, x);
    const snDoublePair e = sn_expPair(2 * size, 0, 0);
    snDoublePair less = sn_sumOrdered(e.high, -1), more = sn_sumOrdered(e.high, 1);
    less.low += e.low;
    more.low += e.low;
    const snDoublePair quotient = sn_pairQuotient(less, more, less.high / more.high);
    return sn_withSign(quotient.high + quotient.low, x);
}
