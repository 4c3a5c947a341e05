// What of math/simd.h asks how wide registers are, where they hold two doubles. GCC takes all but the
// arithmetic of four apart there, number by number and through memory; halves it keeps in registers.
#ifndef SINEW_MATH_SIMD_HALVES_H
#define SINEW_MATH_SIMD_HALVES_H

typedef double v2 __attribute__((vector_size(16), aligned(16), may_alias));
typedef double v2u __attribute__((vector_size(16), aligned(8), may_alias));
typedef v2 vreg; // as in math/simd_whole.h
enum { VREG_COUNT = 2 };

#define V4_HALF(a, i) __builtin_shufflevector(a, a, 2 * (i), 2 * (i) + 1)
#define V4_JOIN(low, high) __builtin_shufflevector(low, high, 0, 1, 2, 3)
#define V8_HALF(a, i) __builtin_shufflevector(a, a, 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3)
// Masks are joined as doubles: GCC takes halves of integers apart.
#define V4_WHERE(a, operation, b)                                                                            \
    ((v4i)V4_JOIN((v2)(V4_HALF(a, 0) operation V4_HALF(b, 0)), (v2)(V4_HALF(a, 1) operation V4_HALF(b, 1))))
#define V8_WHERE(a, operation, b)                                                                            \
    ((v8i)V4_JOIN((v2)(V8_HALF(a, 0) operation V8_HALF(b, 0)), (v2)(V8_HALF(a, 1) operation V8_HALF(b, 1))))

// In a register: GCC would make four numbers of two halves again.
#if defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__)
#define V2_KEEP(half) __asm__("" : "+x"(half))
#elif defined(__GNUC__) && !defined(__clang__) && defined(__ARM_NEON)
#define V2_KEEP(half) __asm__("" : "+w"(half))
#else
#define V2_KEEP(half) (void)(half)
#endif
SN_INLINE v4 v4_ofHalves(v2 low, v2 high)
{
    V2_KEEP(low);
    V2_KEEP(high);
    return V4_JOIN(low, high);
}
SN_INLINE v4 v4_of(double a, double b, double c, double d)
{
    return v4_ofHalves((v2){a, b}, (v2){c, d});
}
SN_INLINE v4 v4_all(double a)
{
    v2 low = {a, a};
    V2_KEEP(low);
    v2 high = low; // another register: joined with itself it would be taken apart
    V2_KEEP(high);
    return V4_JOIN(low, high);
}
SN_INLINE void v4_store(double* p, v4 a)
{
    *(v2*)p = V4_HALF(a, 0);
    *(v2*)(p + 2) = V4_HALF(a, 1);
}
SN_INLINE void v4_storeAny(double* p, v4 a)
{
    *(v2u*)p = V4_HALF(a, 0);
    *(v2u*)(p + 2) = V4_HALF(a, 1);
}
/// As those of math/simd_whole.h.
SN_INLINE unsigned v4i_bits(v4i mask)
{
#ifdef __SSE2__
    return (unsigned)__builtin_ia32_movmskpd(V4_HALF((v4)mask, 0)) |
           (unsigned)__builtin_ia32_movmskpd(V4_HALF((v4)mask, 1)) << 2;
#else
    const v4i bits = mask & (v4i){1, 2, 4, 8};
    return (unsigned)((bits[0] | bits[2]) | (bits[1] | bits[3]));
#endif
}
SN_INLINE v4 v4_reverse(v4 a)
{
    const v2 low = V4_HALF(a, 0), high = V4_HALF(a, 1);
    return v4_ofHalves(V4_SHUFFLE(high, high, 1, 0), V4_SHUFFLE(low, low, 1, 0));
}
SN_INLINE void v4_transpose(v4 r[4])
{
    const v2 a = V4_HALF(r[0], 0), b = V4_HALF(r[1], 0), c = V4_HALF(r[2], 0), d = V4_HALF(r[3], 0);
    const v2 e = V4_HALF(r[0], 1), f = V4_HALF(r[1], 1), g = V4_HALF(r[2], 1), h = V4_HALF(r[3], 1);
    r[0] = v4_ofHalves(V4_SHUFFLE(a, b, 0, 2), V4_SHUFFLE(c, d, 0, 2));
    r[1] = v4_ofHalves(V4_SHUFFLE(a, b, 1, 3), V4_SHUFFLE(c, d, 1, 3));
    r[2] = v4_ofHalves(V4_SHUFFLE(e, f, 0, 2), V4_SHUFFLE(g, h, 0, 2));
    r[3] = v4_ofHalves(V4_SHUFFLE(e, f, 1, 3), V4_SHUFFLE(g, h, 1, 3));
}
SN_INLINE void v4_columns(const double* p, v4* x, v4* y, v4* z)
{
    *x = v4_of(p[0], p[3], p[6], p[9]);
    *y = v4_of(p[1], p[4], p[7], p[10]);
    *z = v4_of(p[2], p[5], p[8], p[11]);
}
SN_INLINE v4 v4_sums(v4 a, v4 b, v4 c, v4 d)
{
    const v2 ab =
        V4_SHUFFLE(V4_HALF(a, 0), V4_HALF(b, 0), 0, 2) + V4_SHUFFLE(V4_HALF(a, 0), V4_HALF(b, 0), 1, 3);
    const v2 cd =
        V4_SHUFFLE(V4_HALF(c, 0), V4_HALF(d, 0), 0, 2) + V4_SHUFFLE(V4_HALF(c, 0), V4_HALF(d, 0), 1, 3);
    const v2 AB =
        V4_SHUFFLE(V4_HALF(a, 1), V4_HALF(b, 1), 0, 2) + V4_SHUFFLE(V4_HALF(a, 1), V4_HALF(b, 1), 1, 3);
    const v2 CD =
        V4_SHUFFLE(V4_HALF(c, 1), V4_HALF(d, 1), 0, 2) + V4_SHUFFLE(V4_HALF(c, 1), V4_HALF(d, 1), 1, 3);
    return V4_JOIN(ab + AB, cd + CD);
}

// What a loop adds up: GCC has no register for four numbers from one round to the next, and would keep them
// in memory. Halves have one each.
typedef struct v4Sum {
    v2 low, high;
} v4Sum;

SN_INLINE v4Sum v4Sum_of(v4 first)
{
    return (v4Sum){V4_HALF(first, 0), V4_HALF(first, 1)};
}
SN_INLINE void v4Sum_add(v4Sum* sum, v4 a)
{
    sum->low += V4_HALF(a, 0);
    sum->high += V4_HALF(a, 1);
}
SN_INLINE v4 v4Sum_value(v4Sum sum)
{
    return V4_JOIN(sum.low, sum.high);
}

#endif
