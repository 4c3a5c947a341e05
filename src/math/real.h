// The number of the kernels. `real` is a double; in files that are compiled for lanes (src/batch/lane) it is
// a vector with one number for each of SN_LANES simulations, and a comparison gives a mask of lanes. Kernels
// that both share ask masks by sn_any and sn_all, which there are branches, and choose by sn_select.
#ifndef SINEW_MATH_REAL_H
#define SINEW_MATH_REAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "math/elementary/elementary.h"

typedef double snDouble; ///< one double, in files for lanes, too

/// What rounding leaves, in floats, of numbers near 1 that cancel: added to bounds that are made for doubles.
#ifdef SN_SINGLE
#define SN_COARSE 1e-6
#else
#define SN_COARSE 0.0
#endif

#ifdef SN_LANES
#include "math/real_lanes.h"
#else

typedef double real;
typedef double snLane; ///< the number of one lane
typedef int snMask;    ///< what a comparison of reals gives
typedef uint64_t snBits;
#define SN_REAL_BITS 64

/// A constant or an int as a real.
#define sn_real(x) ((real)(x))

static inline bool sn_any(snMask mask)
{
    return mask;
}
static inline bool sn_all(snMask mask)
{
    return mask;
}
static inline snMask sn_not(snMask mask)
{
    return !mask;
}
/// A truth that does not depend on reals, as a mask.
static inline snMask sn_mask(bool truth)
{
    return truth;
}
/// a where the mask is set, else b. Both are computed: what costs much stands behind sn_any.
static inline real sn_select(snMask mask, real a, real b)
{
    return mask ? a : b;
}
static inline snBits sn_realBits(real x)
{
    snBits bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline real sn_realOfBits(snBits bits)
{
    real x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif

#endif
