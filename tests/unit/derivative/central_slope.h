// Central differences of order 6.
#ifndef SINEW_TEST_CENTRAL_SLOPE_H
#define SINEW_TEST_CENTRAL_SLOPE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A function of a step x along a direction: count numbers.
typedef void (*Sampled)(void* context, double x, double* out);

/// slope [count] of f at 0 by steps h, 2 h, 3 h: the error is of order h^6 and rounding / h.
static inline void centralSlope(Sampled f, void* context, double h, int count, double* slope)
{
    static const double weight[4] = {0, 45, -9, 1};
    double* value = malloc((size_t)count * sizeof *value);
    memset(slope, 0, (size_t)count * sizeof *slope);
    for (int k = 1; k <= 3; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            f(context, sign * k * h, value);
            for (int i = 0; i < count; i++) slope[i] += sign * weight[k] * value[i] / (60 * h);
        }
    free(value);
}

/// Largest difference of two arrays, relative to the largest number of either (at least `floor`).
static inline double relativeError(const double* a, const double* b, int count, double floor)
{
    double most = floor, off = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fmax(fabs(a[i]), fabs(b[i])));
        off = fmax(off, isfinite(a[i]) && isfinite(b[i]) ? fabs(a[i] - b[i]) : (double)INFINITY);
    }
    return off / most;
}

#endif
