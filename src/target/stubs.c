// The functions that are compiled for each target, under their plain names: calls through the table of the
// target that the processor runs, chosen as the library is loaded.
#include "base/cpu.h"
#include "target/table.h"

extern const snKernels sn_kernels_v2, sn_kernels_v3, sn_kernels_v4;
static snKernels chosen;

__attribute__((constructor(101))) static void choose(void)
{
    switch (sn_cpuKind()) {
    case SN_CPU_PLAIN:
    case SN_CPU_V2: chosen = sn_kernels_v2; break;
    case SN_CPU_V3: chosen = sn_kernels_v3; break;
    case SN_CPU_V4: chosen = sn_kernels_v4; break;
    }
}

#define V(name, parameters, arguments)                                                                       \
    void name parameters                                                                                     \
    {                                                                                                        \
        chosen.name arguments;                                                                               \
    }
#define X(returns, name, parameters, arguments)                                                              \
    returns name parameters                                                                                  \
    {                                                                                                        \
        return chosen.name arguments;                                                                        \
    }
SN_KERNELS(X, V)
#undef X
#undef V
