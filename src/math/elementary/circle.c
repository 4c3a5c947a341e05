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

// (tan(r) - r)/r^3 as a function of z = r^2, |r| <= pi/8
static inline double tanPolynomial(double z)
{
    const double w = z * z, low = (SN_TAN_0 + z * SN_TAN_1) + w * (SN_TAN_2 + z * SN_TAN_3);
    const double high = (SN_TAN_4 + z * SN_TAN_5) + w * ((SN_TAN_6 + z * SN_TAN_7) + w * SN_TAN_8);
    return low + (w * w) * high;
}

// tan(k pi/4 + r + rest), |r| <= pi/8: (a + b t)/(c + d t) of t = tan(r + rest), a to d by the quarter.
static inline double tanSeries(uint64_t k, double r, double rest)
{
    static const double quarters[4][4] = {{0, 1, 1, 0}, {1, 1, 1, -1}, {-1, 0, 0, 1}, {-1, 1, 1, 1}};
    const double *q = quarters[k & 3], z = r * r;
    const snDoublePair t = sn_sumOrdered(r, (r * z) * tanPolynomial(z) + (rest + rest * z));
    snDoublePair over = sn_sumOrdered(q[0], q[1] * t.high), under = sn_sumOrdered(q[2], q[3] * t.high);
    over.low += q[1] * t.low;
    under.low += q[3] * t.low;
    const snDoublePair ratio = sn_pairQuotient(over, under, over.high / under.high);
    return ratio.high + ratio.low;
}

SN_RARE static double tanLarge(double x)
{
    if (!isfinite(x)) return SN_NO_NUMBER;
    const snReducedAngle angle = sn_reduceLarge(fabs(x));
    const int side = (angle.r > SN_PIO4_1 / 2) - (angle.r < -SN_PIO4_1 / 2);
    const snDoublePair r = sn_sumExact(angle.r, -side * SN_PIO4_1);
    const double rest = r.low + (angle.rest - side * SN_PIO4_1_REST);
    return tanSeries(2 * angle.k + (uint64_t)(int64_t)side, r.high, rest);
}

double sn_tan(double x)
{
    const double size = fabs(x);
    if (size <= SMALL / 2) return size < 0x1p-27 ? x : x + (x * (x * x)) * tanPolynomial(x * x);
    if (!SN_LIKELY(size <= 0.5 * SN_SINCOS_LARGEST)) return x < 0 ? -tanLarge(x) : tanLarge(x);
    // as sn_sincosReduced, by multiples of pi/4
    const double shifted = size * (2 * SN_TWO_OVER_PI) + SN_TO_INTEGER, k = shifted - SN_TO_INTEGER;
    const double t = size - k * (SN_PIO2_A / 2), b = k * (SN_PIO2_B / 2), u = t - b, v = k * (SN_PIO2_C / 2);
    const double r = u - v, tangent = tanSeries(sn_bitsOf(shifted), r, ((u - r) - v) + ((t - u) - b));
    return x < 0 ? -tangent : tangent;
}
