// Waiting for another thread that will be ready in a moment.
#ifndef SINEW_BASE_SPIN_H
#define SINEW_BASE_SPIN_H

#include <stdatomic.h>
#include "base/platform/threads.h"

/// Between the k-th look and the next. Others of the processor go first at times.
static inline void sn_spin(int k)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
    if (k % 64 == 63) sn_yield();
}

/// Until *at is `least` or more, and what was written before that is seen.
static inline void sn_spinUntil(const atomic_int* at, int least)
{
    for (int k = 0; atomic_load_explicit(at, memory_order_acquire) < least; k++) sn_spin(k);
}

#endif
