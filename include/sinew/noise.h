// Repeatable random numbers: the same from C, from the command and from Python.
#ifndef SINEW_NOISE_H
#define SINEW_NOISE_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Standard normal numbers: out [n] gets the numbers index, index + 1, ... of the endless sequence `seed`.
/// Each number depends on seed and its index alone: there is no state, so parts of the sequence can be asked
/// for in any order and by any thread. Same bits on one platform (log, sin and cos are the C library's).
/// `sinew simulate --ctrl noise:STD:SEED` applies ctrl = STD times the numbers step*nu ... step*nu + nu - 1.
/// Cost: O(n).  Source: SplitMix64 of Steele, Lea, Flood 2014, used as a counter-based generator; Box and
/// Muller 1958.
SN_API void sn_noise(double* out, int n, uint64_t seed, uint64_t index);

#ifdef __cplusplus
}
#endif
#endif
