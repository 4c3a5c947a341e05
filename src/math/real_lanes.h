// Lanes: `real` as the compiler's vector type, by SN_LANES and SN_SINGLE (floats). See math/real.h.
#ifndef SINEW_MATH_REAL_LANES_H
#define SINEW_MATH_REAL_LANES_H

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#ifdef SN_SINGLE
typedef float snLane; ///< the number of one lane
typedef int snLaneBits;
typedef unsigned snLaneUnsigned;
#else
typedef double snLane;
typedef long long snLaneBits;
typedef unsigned long long snLaneUnsigned;
#endif
typedef snLane real __attribute__((vector_size(SN_LANES * sizeof(snLane))));
typedef snLaneBits snMask __attribute__((vector_size(SN_LANES * sizeof(snLaneBits))));
typedef snLaneUnsigned snBits __attribute__((vector_size(SN_LANES * sizeof(snLaneUnsigned))));
#define SN_REAL_BITS (8 * (int)sizeof(snLane)) // of one lane
#define sn_realBits(x) ((snBits)(x))
#define sn_realOfBits(bits) ((real)(bits))

#define SN_LANE_INLINE static inline __attribute__((always_inline))

/// A number, an int or a vector as a vector: less a zero, which changes nothing and costs nothing.
#define sn_real(x) ((x) - (real){0})

/// All lanes of a plain number.
SN_LANE_INLINE real sn_lanesAll(snDouble x)
{
    return (snLane)x - (real){0};
}

SN_LANE_INLINE snMask sn_mask(bool truth)
{
    return (snMask){0} - (snLaneBits)truth;
}
SN_LANE_INLINE snMask sn_not(snMask mask)
{
    return ~mask;
}

/// The lanes of a mask as bits, the first lane the lowest.
SN_LANE_INLINE unsigned sn_bits(snMask mask)
{
#if defined(__AVX512DQ__) && SN_LANES == 8 && !defined(SN_SINGLE)
    return (unsigned)_mm512_movepi64_mask((__m512i)mask);
#elif defined(__AVX512DQ__) && SN_LANES == 16
    return (unsigned)_mm512_movepi32_mask((__m512i)mask);
#elif defined(__AVX2__) && SN_LANES == 4 && !defined(SN_SINGLE)
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
#elif defined(__AVX2__) && SN_LANES == 8 && defined(SN_SINGLE)
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#else
    unsigned bits = 0;
    for (int l = 0; l < SN_LANES; l++) bits |= (unsigned)(mask[l] & 1) << l;
    return bits;
#endif
}

/// The mask of these bits.
SN_LANE_INLINE snMask sn_maskOfBits(unsigned bits)
{
    snMask each;
    for (int l = 0; l < SN_LANES; l++) each[l] = (snLaneBits)1 << l;
    return (((snMask){0} + (snLaneBits)bits) & each) == each;
}

SN_LANE_INLINE bool sn_any(snMask mask)
{
    return sn_bits(mask) != 0;
}
SN_LANE_INLINE bool sn_all(snMask mask)
{
    return sn_bits(mask) == (unsigned)(1ull << SN_LANES) - 1;
}
SN_LANE_INLINE real sn_selectLanes(snMask mask, real a, real b)
{
    return (real)((mask & (snMask)a) | (~mask & (snMask)b));
}
#define sn_select(mask, a, b) sn_selectLanes(mask, sn_real(a), sn_real(b))

// ---- the functions of math.h and of math/elementary/elementary.h

SN_LANE_INLINE real sn_sqrtLanes(real x)
{
#if defined(__AVX512F__) && SN_LANES == 8 && !defined(SN_SINGLE)
    return (real)_mm512_sqrt_pd((__m512d)x);
#elif defined(__AVX512F__) && SN_LANES == 16
    return (real)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX2__) && SN_LANES == 4 && !defined(SN_SINGLE)
    return (real)_mm256_sqrt_pd((__m256d)x);
#elif defined(__AVX2__) && SN_LANES == 8 && defined(SN_SINGLE)
    return (real)_mm256_sqrt_ps((__m256)x);
#else
    for (int l = 0; l < SN_LANES; l++) x[l] = (snLane)sqrt((snDouble)x[l]);
    return x;
#endif
}

SN_LANE_INLINE real sn_absLanes(real x)
{
    const snLaneBits sign = (snLaneBits)(1ull << (8 * sizeof(snLaneBits) - 1));
    return (real)((snMask)x & ~((snMask){0} + sign));
}

SN_LANE_INLINE real sn_copysignLanes(real x, real y)
{
    const snLaneBits sign = (snLaneBits)(1ull << (8 * sizeof(snLaneBits) - 1));
    const snMask signs = (snMask){0} + sign;
    return (real)(((snMask)x & ~signs) | ((snMask)y & signs));
}

/// The larger, and the smaller: of a number and NaN the second.
SN_LANE_INLINE real sn_maxLanes(real a, real b)
{
#if defined(__AVX512F__) && SN_LANES == 8 && !defined(SN_SINGLE)
    return (real)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif defined(__AVX512F__) && SN_LANES == 16
    return (real)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__) && SN_LANES == 4 && !defined(SN_SINGLE)
    return (real)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif defined(__AVX2__) && SN_LANES == 8 && defined(SN_SINGLE)
    return (real)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return sn_selectLanes(a > b, a, b);
#endif
}
SN_LANE_INLINE real sn_minLanes(real a, real b)
{
#if defined(__AVX512F__) && SN_LANES == 8 && !defined(SN_SINGLE)
    return (real)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif defined(__AVX512F__) && SN_LANES == 16
    return (real)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__) && SN_LANES == 4 && !defined(SN_SINGLE)
    return (real)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif defined(__AVX2__) && SN_LANES == 8 && defined(SN_SINGLE)
    return (real)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return sn_selectLanes(a < b, a, b);
#endif
}

// Lane by lane: what is rare, or costs little beside the rest.
#define SN_LANE_MAP(name, function)                                                                          \
    static inline real sn_##name##Lanes(real x)                                                              \
    {                                                                                                        \
        for (int l = 0; l < SN_LANES; l++) x[l] = (snLane)function((snDouble)x[l]);                          \
        return x;                                                                                            \
    }
#define SN_LANE_MAP2(name, function)                                                                         \
    static inline real sn_##name##Lanes(real x, real y)                                                      \
    {                                                                                                        \
        for (int l = 0; l < SN_LANES; l++) x[l] = (snLane)function((snDouble)x[l], (snDouble)y[l]);          \
        return x;                                                                                            \
    }
SN_LANE_MAP(exp, sn_exp)
SN_LANE_MAP(expm1, sn_expm1)
SN_LANE_MAP(log, sn_log)
SN_LANE_MAP(acos, sn_acos)
SN_LANE_MAP(asin, sn_asin)
SN_LANE_MAP(tan, sn_tan)
SN_LANE_MAP(floor, floor)
SN_LANE_MAP2(pow, sn_pow)
SN_LANE_MAP2(atan2, sn_atan2)

#define sqrt(x) sn_sqrtLanes(sn_real(x))
#define fabs(x) sn_absLanes(sn_real(x))
#define copysign(x, y) sn_copysignLanes(sn_real(x), sn_real(y))
#define sn_max(a, b) sn_maxLanes(sn_real(a), sn_real(b))
#define sn_min(a, b) sn_minLanes(sn_real(a), sn_real(b))
#define sn_exp(x) sn_expLanes(sn_real(x))
#define sn_expm1(x) sn_expm1Lanes(sn_real(x))
#define sn_log(x) sn_logLanes(sn_real(x))
#define sn_acos(x) sn_acosLanes(sn_real(x))
#define sn_asin(x) sn_asinLanes(sn_real(x))
#define sn_tan(x) sn_tanLanes(sn_real(x))
#define floor(x) sn_floorLanes(sn_real(x))
#define sn_pow(x, y) sn_powLanes(sn_real(x), sn_real(y))
#define sn_atan2(y, x) sn_atan2Lanes(sn_real(y), sn_real(x))

#endif
