// For each target: src/target/prelude.h.
#include "math/asin.h"
#include <math.h>
#include "math/elementary/arc_parts.h"
#include "math/elementary/double_parts.h"
#include "math/elementary/elementary.h"

// The steps of sn_asin with all branches taken, for |x| <= 1.
static inline double arcsine(double x)
{
    const double size = fabs(x), away = 0.5 - 0.5 * size, near = x * x, z = size <= 0.5 ? near : away;
    const double series = sn_asinSeries(z);
    const double root = sqrt(away), high = sn_topHalf(root), low = (away - high * high) / (root + high);
    const snDoublePair angle = sn_sumOrdered(SN_PIO4_2, -2 * high);
    const double far = angle.high + (angle.low + (SN_PIO4_2_REST - 2 * (low + (root * away) * series)));
    const double beyond = sn_withSign(size < 1 ? far : SN_PIO4_2, x), within = x + (x * near) * series;
    return size <= 0.5 ? size < 0x1p-28 ? x : within : beyond;
}

void sn_asinArray(const double* x, double* y, int n)
{
    int fine = 1;
    for (int i = 0; i < n; i++) fine &= fabs(x[i]) <= 1;
    if (fine) {
        for (int i = 0; i < n; i++) y[i] = arcsine(x[i]);
        return;
    }
    for (int i = 0; i < n; i++) y[i] = sn_asin(x[i]);
}
