// Gaussian numbers, for controls of the benches.
#ifndef BENCH_GAUSSIAN_H
#define BENCH_GAUSSIAN_H

#include <sinew/sinew.h>
#include <math.h>
#include <stdint.h>

// Standard normal by Box and Muller from a 64-bit congruential generator.
static inline double gaussian(uint64_t* seed)
{
    double u[2];
    for (int i = 0; i < 2; i++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        u[i] = ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
    }
    return sqrt(-2 * log(u[0])) * cos(2 * SN_PI * u[1]);
}

#endif
