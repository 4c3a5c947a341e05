// The clock of the peer's data, which counts the time of stages without being asked to. It is read some 20
// times in a step that is timed, so it must be cheap: where there is one, a counter of the processor, whose
// rate is measured once.
#include "model/model.h"
#include "base/platform/clock.h"

#ifdef __x86_64__
typedef struct Reading {
    double seconds;
    uint64_t ticks;
} Reading;

// Both at one moment: of some readings the one during which the counter went on least.
static Reading readBoth(void)
{
    Reading best = {0};
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < 8; i++) {
        const uint64_t before = __builtin_ia32_rdtsc();
        const double seconds = sn_monotonicTime();
        const uint64_t took = __builtin_ia32_rdtsc() - before;
        if (took >= shortest) continue;
        shortest = took;
        best = (Reading){seconds, before + took / 2};
    }
    return best;
}

static double seconds_per_tick;

void startClock(void)
{
    const Reading start = readBoth();
    while (sn_monotonicTime() < start.seconds + 2e-4) {
    }
    const Reading end = readBoth();
    seconds_per_tick = (end.seconds - start.seconds) / (double)(end.ticks - start.ticks);
}

double readClock(void* Py_UNUSED(user))
{
    return seconds_per_tick * (double)__builtin_ia32_rdtsc();
}
#else
void startClock(void) {}

double readClock(void* Py_UNUSED(user))
{
    return sn_monotonicTime();
}
#endif
