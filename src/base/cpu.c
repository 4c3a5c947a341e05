#include "base/cpu.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static const char* const names[] = {"plain", "v2", "v3", "v4"};

#if defined(__x86_64__)
// __builtin_cpu_supports knows all of it, but not by every compiler's library: that of zig says no to
// everything.
typedef struct Answers {
    unsigned first, wide; // ecx of leaf 1, ebx of leaf 7
    uint64_t state;       // registers that the system keeps (XCR0)
} Answers;

static Answers askProcessor(void)
{
    unsigned a, b, c, d, low = 0, high = 0;
    Answers answers = {0};
    if (!__get_cpuid(1, &a, &b, &c, &d)) return answers;
    answers.first = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) answers.wide = b;
    if (answers.first & bit_OSXSAVE) __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    answers.state = (uint64_t)high << 32 | low;
    return answers;
}

static bool hasAll(uint64_t answer, uint64_t bits)
{
    return (answer & bits) == bits;
}

static snCpu best(void)
{
    enum { AVX_STATE = 0x06, AVX512_STATE = 0xe6 };
    const Answers has = askProcessor();
    if (!hasAll(has.first, bit_SSE4_2 | bit_POPCNT)) return SN_CPU_PLAIN;
    if (!hasAll(has.first, bit_AVX | bit_FMA) || !hasAll(has.wide, bit_AVX2 | bit_BMI2) ||
        !hasAll(has.state, AVX_STATE))
        return SN_CPU_V2;
    const bool wide =
        hasAll(has.state, AVX512_STATE) &&
        hasAll(has.wide, bit_AVX512F | bit_AVX512VL | bit_AVX512DQ | bit_AVX512BW | bit_AVX512CD);
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
