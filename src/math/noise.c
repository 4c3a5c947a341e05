#include <math.h>
#include <sinew/noise.h>
#include "math/elementary/elementary.h"

#define GOLDEN 0x9E3779B97F4A7C15u

// The mixing function of SplitMix64: a bijection of 64 bits in which each input bit changes half the output.
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Number k of the uniform sequence that starts at `start`, in (0, 1]: 53 random bits, never zero for the log.
static double uniform(uint64_t start, uint64_t k)
{
    return (double)((mix(start + (k + 1) * GOLDEN) >> 11) + 1) * 0x1p-53;
}

void sn_noise(double* out, int n, uint64_t seed, uint64_t index)
{
    const double two_pi = 6.283185307179586476925287;
    const uint64_t start = mix(seed + GOLDEN);
    for (int i = 0; i < n; i++, index++) {
        // Box-Muller: numbers 2p and 2p+1 are the two coordinates of one point.
        const uint64_t first = index & ~(uint64_t)1;
        const double radius = sqrt(-2 * sn_log(uniform(start, first)));
        const double angle = two_pi * uniform(start, first + 1);
        out[i] = radius * ((index & 1) ? sn_sin(angle) : sn_cos(angle));
    }
}
