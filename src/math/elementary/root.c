// Cube roots, and the length of two numbers.
#include "math/elementary/coefficients.h"
#include "math/elementary/double_parts.h"
#include "math/elementary/elementary.h"

// x = 2^(3n + j) z, y of 17 bits near its cube root: y^3 is exact, e = x/y^3 - 1 below 2^-13, and the root is
// y (1 + e)^(1/3) = y + y (e/3 - e^2/9 + 5 e^3/81 - 10 e^4/243 ...).
static double cbrtNormal(double size)
{
    static const double roots[3] = {1, SN_CBRT_TWO, SN_CBRT_FOUR};
    const uint64_t bits = sn_bitsOf(size), exponent = bits >> 52, third = (exponent * 21846) >> 16;
    const uint64_t j = exponent - 3 * third; // of exponent 3 third + j
    const double z = sn_ofBits((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u), w = z * z;
    const double p =
        (SN_CBRT_0 + z * SN_CBRT_1) + w * ((SN_CBRT_2 + z * SN_CBRT_3) + w * (SN_CBRT_4 + z * SN_CBRT_5));
    const double y = sn_ofBits(sn_bitsOf(p * roots[j]) & 0xfffffff000000000u), cube = y * y * y;
    const double x = sn_ofBits(sn_bitsOf(z) + (j << 52)), e = (x - cube) / cube;
    const double root = y + y * e * ((1 / 3.0 - e * (1 / 9.0)) + e * e * (5 / 81.0 - e * (10 / 243.0)));
    return sn_ofBits(sn_bitsOf(root) + ((third - 341) << 52)); // 3 * 341 = 1023
}

double sn_cbrt(double x)
{
    const double size = fabs(x);
    if (SN_LIKELY(size >= 0x1p-1022 && size < HUGE_VAL)) return sn_withSign(cbrtNormal(size), x);
    if (isnan(x)) return SN_NO_NUMBER;
    if (x == 0 || size == HUGE_VAL) return x;
    return sn_withSign(cbrtNormal(size * 0x1p54) * 0x1p-18, x);
}

// sqrt(a^2 + b^2) whose root has one rounding and the sum under it another, of less than half a unit of the
// root.
static inline double lengthInRange(double a, double b)
{
    const double ah = sn_topHalf(a), bh = sn_topHalf(b);
    const double rest = (a - ah) * (a + ah) + (b - bh) * (b + bh);
    const snDoublePair sum = sn_sumOrdered(ah * ah, bh * bh);
    return sqrt(sum.high + (sum.low + rest));
}

SN_RARE static double lengthRare(double a, double b)
{
    if (a == HUGE_VAL || b == HUGE_VAL) return HUGE_VAL;
    if (isnan(a) || isnan(b)) return SN_NO_NUMBER;
    if (b < 0x1p-60 * a || b == 0) return a + b;
    return a > 1 ? lengthInRange(a * 0x1p-600, b * 0x1p-600) * 0x1p600
                 : lengthInRange(a * 0x1p600, b * 0x1p600) * 0x1p-600;
}

double sn_hypot(double x, double y)
{
    const double u = fabs(x), v = fabs(y), a = u > v ? u : v, b = u > v ? v : u;
    if (SN_LIKELY(a < 0x1p500 && b > 0x1p-450)) return lengthInRange(a, b);
    return lengthRare(a, b);
}
