// Where the time of a compilation goes.
#ifndef SINEW_COMPILE_BUILD_TIMING_H
#define SINEW_COMPILE_BUILD_TIMING_H

#include "base/platform/clock.h"
#include "compile/build/build.h"

/// Adds the time since `start` to a stage; returns the time now, at which the next may begin.
static inline double sn_timeStage(snBuild* b, snCompileTimer stage, double start)
{
    const double now = sn_monotonicTime();
    b->spec->times[stage] += now - start;
    return now;
}

#endif
