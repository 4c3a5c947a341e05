#include "base/cpu.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

static const char* const names[] = {"plain", "v2", "v3", "v4"};

#if defined(__x86_64__)
static snCpu best(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt")) return SN_CPU_PLAIN;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("fma"))
        return SN_CPU_V2;
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd");
    return wide ? SN_CPU_V4 : SN_CPU_V3;
}
#else
static snCpu best(void)
{
    return SN_CPU_PLAIN;
}
#endif

static snCpu choose(void)
{
    const snCpu have = best();
    const char* asked = getenv("SINEW_CPU");
    if (!asked || !*asked) return have;
    for (int k = SN_CPU_V2; k <= (int)have; k++)
        if (!strcmp(asked, names[k])) return (snCpu)k;
    (void)fprintf(stderr, "sinew: SINEW_CPU=%s is no kind of processor that runs here; taking %s\n", asked,
                  names[have]);
    return have;
}

snCpu sn_cpuKind(void)
{
    static _Atomic int kind = -1;
    int k = atomic_load_explicit(&kind, memory_order_relaxed);
    if (k < 0) {
        k = (int)choose();
        atomic_store_explicit(&kind, k, memory_order_relaxed);
    }
    return (snCpu)k;
}

snStatus sn_checkCpu(snError* error)
{
#ifdef SN_TARGETS
    if (best() == SN_CPU_PLAIN)
        return sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "this processor has no SSE4.2 and POPCNT (x86-64-v2), which this build of Sinew needs: "
            "build it with -DSINEW_TARGETS=OFF");
#endif
    (void)error;
    return SN_STATUS_OK;
}

const char* sn_cpu(void)
{
    return names[sn_cpuKind()];
}
