// Where the time of a compilation goes.
#ifndef SINEW_COMPILE_BUILD_TIMING_H
#define SINEW_COMPILE_BUILD_TIMING_H

#include <time.h>
#include "compile/build/build.h"

/// Seconds of a clock that only goes on.
static inline double sn_compileClock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Adds the time since `start` to a stage; returns the time now, at which the next may begin.
static inline double sn_timeStage(snBuild* b, snCompileTimer stage, double start)
{
    const double now = sn_compileClock();
    b->spec->times[stage] += now - start;
    return now;
}

#endif
