// Which kind of processor this is, as far as code was compiled for kinds of it.
#ifndef SINEW_BASE_CPU_H
#define SINEW_BASE_CPU_H

#include <sinew/base.h>

/// Kinds, each with all that those before it have: x86-64 v2 (SSE4.2), v3 (AVX2), v4 (AVX-512). Elsewhere
/// there is one, plain.
typedef enum snCpu { SN_CPU_PLAIN, SN_CPU_V2, SN_CPU_V3, SN_CPU_V4 } snCpu;

/// The kind whose code runs: the best that this processor has, or that which SINEW_CPU in the environment
/// names (v2, v3, v4). A name that is none, or that the processor has not, is told to standard error, once,
/// and counts as not given. The first call decides.
snCpu sn_cpuKind(void);

/// Fails where nothing was compiled for this processor: an x86-64 without SSE4.2 and POPCNT, below v2.
snStatus sn_checkCpu(snError* error);

#endif
