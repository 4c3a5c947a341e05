// What one arcsine and many at once have in common.
#ifndef SINEW_MATH_ELEMENTARY_ARC_PARTS_H
#define SINEW_MATH_ELEMENTARY_ARC_PARTS_H

#include "math/elementary/coefficients.h"

/// (asin(x) - x)/x^3 as a function of z = x^2, |x| <= 1/2
static inline double sn_asinSeries(double z)
{
    const double w = z * z, v = w * w;
    const double low = (SN_ASIN_0 + z * SN_ASIN_1) + w * (SN_ASIN_2 + z * SN_ASIN_3);
    const double middle = (SN_ASIN_4 + z * SN_ASIN_5) + w * (SN_ASIN_6 + z * SN_ASIN_7);
    const double high = (SN_ASIN_8 + z * SN_ASIN_9) + w * ((SN_ASIN_10 + z * SN_ASIN_11) + w * SN_ASIN_12);
    return low + v * (middle + v * high);
}

#endif
