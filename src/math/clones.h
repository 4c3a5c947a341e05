// SN_CLONES before a function compiles it for baseline x86-64 and for AVX2 with FMA; the loader picks. Only
// for hot kernels on flat arrays. Empty where the compiler or a sanitizer cannot have it.
#ifndef SINEW_MATH_CLONES_H
#define SINEW_MATH_CLONES_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__) && !defined(SN_NO_CLONES)
#define SN_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define SN_CLONES
#endif

#endif
