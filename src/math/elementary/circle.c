// Sine, cosine and tangent.
#include "math/elementary/double_parts.h"
#include "math/elementary/elementary.h"
#include "math/elementary/reduction.h"
#include "math/sincos.h"

// Up to here k is 0, and one series is enough.
#define SMALL 0x1.921fb54442d18p-1

SN_RARE static void sincosLarge(double x, double* s, double* c)
{
    if (!isfinite(x)) {
        *s = *c = SN_NO_NUMBER;
        return;
    }
    const snReducedAngle angle = sn_reduceLarge(fabs(x));
    double sine;
    sn_sincosSeries(angle.k, angle.r, angle.rest, &sine, c);
    *s = x < 0 ? -sine : sine;
}

void sn_sincos(double x, double* s, double* c)
{
    if (SN_LIKELY(fabs(x) <= SN_SINCOS_LARGEST)) {
        sn_sincosReduced(x, s, c);
    } else {
        sincosLarge(x, s, c);
    }
}

double sn_sin(double x)
{
    double s, c;
    const double size = fabs(x);
    if (size <= SMALL) return x == 0 ? x : sn_sinSeries(x, 0, x * x);
    if (!SN_LIKELY(size <= SN_SINCOS_LARGEST)) {
        sincosLarge(x, &s, &c);
        return s;
    }
    sn_sincosReduced(x, &s, &c);
    return s;
}

double sn_cos(double x)
{
    double s, c;
    const double size = fabs(x);
    if (size <= SMALL) return sn_cosSeries(x, 0, x * x);
    if (!SN_LIKELY(size <= SN_SINCOS_LARGEST)) {
        sincosLarge(x, &s, &c);
        return c;
    }
    sn_sincosReduced(x, &s, &c);
    return c;
}

static inline snDoublePair choose(uint64_t mask, snDoublePair a, snDoublePair b)
{
    return (snDoublePair){sn_ofBits((sn_bitsOf(a.high) & mask) | (sn_bitsOf(b.high) & ~mask)),
                          sn_ofBits((sn_bitsOf(a.low) & mask) | (sn_bitsOf(b.low) & ~mask))};
}

// sin/cos, or -cos/sin, both with what their last rounding took
static inline double tanSeries(uint64_t k, double r, double rest)
{
    const double z = r * r, w = z * z, one = 1 - 0.5 * z;
    const double p = sn_sinPolynomial(z, w), q = sn_cosPolynomial(z, w);
    // r^2/2 to the last bit: top top/2 is exact
    const double top = sn_topHalf(r), left = 0.5 * ((r - top) * (r + top)), square = 0.5 * (top * top);
    const snDoublePair less = sn_sumOrdered(1, -square);
    const double over = (z - top * top) - 2 * left; // what rounding added to z
    const snDoublePair sine = sn_sumOrdered(r, (r * z) * p + (rest * one - (r * p) * over));
    const snDoublePair cosine = sn_sumOrdered(less.high, less.low + ((w * q - r * rest) - left));
    const uint64_t odd = 0 - (k & 1);
    const snDoublePair a = choose(odd, cosine, sine), b = choose(odd, sine, cosine);
    const snDoublePair t = sn_pairQuotient(a, b, a.high / b.high);
    return sn_ofBits(sn_bitsOf(t.high + t.low) ^ (odd & SN_SIGN_BIT));
}

SN_RARE static double tanLarge(double x)
{
    if (!isfinite(x)) return SN_NO_NUMBER;
    const snReducedAngle angle = sn_reduceLarge(fabs(x));
    return tanSeries(angle.k, angle.r, angle.rest);
}

double sn_tan(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-27) return x;
    if (!SN_LIKELY(size <= SN_SINCOS_LARGEST)) return x < 0 ? -tanLarge(x) : tanLarge(x);
    const double shifted = size * SN_TWO_OVER_PI + SN_TO_INTEGER, k = shifted - SN_TO_INTEGER;
    const double t = size - k * SN_PIO2_A, b = k * SN_PIO2_B, u = t - b, v = k * SN_PIO2_C, r = u - v;
    const double tangent = tanSeries(sn_bitsOf(shifted), r, ((u - r) - v) + ((t - u) - b));
    return x < 0 ? -tangent : tangent;
}
