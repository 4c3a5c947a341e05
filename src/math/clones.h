// SN_CLONES before a function compiles it for baseline x86-64 and for AVX2 with FMA; the loader picks. Only
// for hot kernels on flat arrays. Empty where the compiler or a sanitizer cannot have it. SN_WIDE, defined
// where there can be clones, compiles a function for AVX-512, to be called where sn_isWide: it pays for
// products of matrices alone, what is short or branches is as fast without. SN_CLONES_WIDE adds such a clone
// to those of SN_CLONES, for what works on many vectors at once: its twice as many registers save a tenth.
#ifndef SINEW_MATH_CLONES_H
#define SINEW_MATH_CLONES_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__) && !defined(SN_NO_CLONES)
#define SN_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#define SN_CLONES_WIDE __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#define SN_WIDE __attribute__((target("arch=x86-64-v4")))
#else
#define SN_CLONES
#define SN_CLONES_WIDE
#endif

#ifdef SN_WIDE
static inline int sn_isWide(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd");
}
#endif

#endif
