// Four doubles or eight floats at a time, by the compiler's vector extension: AVX registers where kernels are
// compiled for them, pairs of SSE or NEON registers elsewhere. Vectors never cross a call: all is inlined.
#ifndef SINEW_MATH_SIMD_H
#define SINEW_MATH_SIMD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef double v4 __attribute__((vector_size(32), aligned(32), may_alias));
typedef double v4u __attribute__((vector_size(32), aligned(8), may_alias));
typedef double v8d __attribute__((vector_size(64), aligned(8), may_alias)); // for AVX-512, anywhere
typedef long long v4i __attribute__((vector_size(32)));
typedef float v8 __attribute__((vector_size(32)));
typedef float v8u __attribute__((vector_size(32), aligned(4), may_alias));
typedef int v8i __attribute__((vector_size(32)));

#define SN_INLINE static inline __attribute__((always_inline))

// Before a loop of at most four rounds: written out, for what it works on to stay in registers. Its bounds
// are constants; what lies above a diagonal is left out by a condition.
#define SN_UNROLL _Pragma("GCC unroll 4")

/// Whether v4_load and v4_store may be used there, for asserts.
static inline bool v4_isAligned(const void* p)
{
    return (uintptr_t)p % sizeof(v4) == 0;
}
SN_INLINE v4 v4_load(const double* p)
{
    return *(const v4*)p;
}
SN_INLINE v4 v4_loadAny(const double* p)
{
    return (v4) * (const v4u*)p;
}

#define V4_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#ifdef __AVX__
#include "math/simd_whole.h"
#else
#include "math/simd_halves.h"
#endif

SN_INLINE vreg vreg_load(const double* p)
{
    return *(const vreg*)p;
}
SN_INLINE void vreg_store(double* p, vreg a)
{
    *(vreg*)p = a;
}
SN_INLINE double v4_sum(v4 a)
{
    return (a[0] + a[2]) + (a[1] + a[3]);
}
SN_INLINE double v4Sum_sum(v4Sum a)
{
    return v4_sum(v4Sum_value(a));
}
SN_INLINE v4 v4Sum_sums(v4Sum a, v4Sum b, v4Sum c, v4Sum d)
{
    return v4_sums(v4Sum_value(a), v4Sum_value(b), v4Sum_value(c), v4Sum_value(d));
}
// Conditions are made by these, never by operators (math/simd_halves.h).
SN_INLINE v4i v4_less(v4 a, v4 b)
{
    return V4_WHERE(a, <, b);
}
SN_INLINE v4i v4_atMost(v4 a, v4 b)
{
    return V4_WHERE(a, <=, b);
}
SN_INLINE v4i v4_equal(v4 a, v4 b)
{
    return V4_WHERE(a, ==, b);
}
/// a where the mask is set, else b
SN_INLINE v4 v4_select(v4i mask, v4 a, v4 b)
{
    return (v4)(((v4i)a & mask) | ((v4i)b & ~mask));
}
/// The first n lanes, 1 <= n <= 4.
SN_INLINE v4i v4_first(int n)
{
    const v4i all = {n, n, n, n}, lane = {0, 1, 2, 3};
    return V4_WHERE(all, >, lane);
}
/// a where the mask is set, else 0
SN_INLINE v4 v4_keep(v4i mask, v4 a)
{
    return (v4)((v4i)a & mask);
}
SN_INLINE v4 v4_abs(v4 a)
{
    const long long rest = 0x7fffffffffffffff;
    return v4_keep((v4i){rest, rest, rest, rest}, a);
}
/// The bits of all lanes, which have no more than 32
SN_INLINE unsigned v4i_allBits(v4i a)
{
    return (unsigned)((a[0] | a[2]) | (a[1] | a[3]));
}
SN_INLINE v4 v4_max(v4 a, v4 b)
{
    return v4_select(v4_less(b, a), a, b);
}
SN_INLINE v4 v4_min(v4 a, v4 b)
{
    return v4_select(v4_less(a, b), a, b);
}
SN_INLINE v4 v4_sqrt(v4 a)
{
    return v4_of(sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3]));
}
// ---- floats and integers of the same size, eight at a time

SN_INLINE v8 v8_loadAny(const float* p)
{
    return (v8) * (const v8u*)p;
}
SN_INLINE v8i v8_atMost(v8 a, v8 b)
{
    return V8_WHERE(a, <=, b);
}
SN_INLINE v8 v8_all(float a)
{
    return (v8){a, a, a, a, a, a, a, a};
}
SN_INLINE v8i v8i_all(int a)
{
    return (v8i){a, a, a, a, a, a, a, a};
}
/// A mask as bits, the first lane the lowest
SN_INLINE unsigned v8i_bits(v8i mask)
{
    const v4i pairs = (v4i)(mask & (v8i){1, 2, 4, 8, 16, 32, 64, 128});
    const long long all = (pairs[0] | pairs[2]) | (pairs[1] | pairs[3]);
    return (unsigned)all | (unsigned)(all >> 32);
}

#endif
