// Whether arrays have anything but zeros.
#ifndef SINEW_MATH_ZERO_H
#define SINEW_MATH_ZERO_H

#include <stdint.h>
#include <string.h>
#include "math/real.h"

/// Whether any of x [n] is not 0, or NaN; in lanes in any lane. All at once: nearly always none is.
static inline bool sn_anyNotZero(const real* x, int n)
{
#ifdef SN_LANES
    snMask any = sn_mask(false);
    for (int i = 0; i < n; i++) any |= x[i] != 0;
    return sn_any(any);
#else
    uint64_t bits = 0; // of 0 none but the sign
    for (int i = 0; i < n; i++) {
        uint64_t number;
        memcpy(&number, x + i, sizeof number);
        bits |= number;
    }
    return bits << 1 != 0;
#endif
}

#endif
