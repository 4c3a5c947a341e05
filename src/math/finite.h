// Whether numbers are finite.
#ifndef SINEW_MATH_FINITE_H
#define SINEW_MATH_FINITE_H

#include <math.h>
#include <stdbool.h>

/// Whether all of x [n] are neither NaN nor infinite.
static inline bool sn_areFinite(const double* x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

#endif
