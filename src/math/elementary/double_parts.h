// Doubles as bits, and as sums of two: what the elementary functions keep beyond 53 bits. Nothing here needs
// a fused multiply-add, and everything is exact where it says so, on every processor.
#ifndef SINEW_MATH_ELEMENTARY_DOUBLE_PARTS_H
#define SINEW_MATH_ELEMENTARY_DOUBLE_PARTS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define SN_SIGN_BIT 0x8000000000000000u
/// Adding it rounds to an integer, whose bits are then the lowest, in two's complement.
#define SN_TO_INTEGER 0x1.8p52
/// What all of them give for what has no answer: processors differ in the sign and the payload of theirs.
#define SN_NO_NUMBER sn_ofBits(0x7ff8000000000000u)

/// What rarely runs stays out of the way.
#if defined(__GNUC__)
#define SN_RARE __attribute__((noinline, cold))
#define SN_LIKELY(truth) __builtin_expect(truth, 1)
#else
#define SN_RARE
#define SN_LIKELY(truth) (truth)
#endif

static inline uint64_t sn_bitsOf(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline double sn_ofBits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/// x with the lowest 27 of its 53 bits cleared: the product of two such numbers is exact, and so is x minus
/// it, which has 27 bits.
static inline double sn_topHalf(double x)
{
    return sn_ofBits(sn_bitsOf(x) & 0xfffffffff8000000u);
}

/// x with the sign of y, which may be any number.
static inline double sn_withSign(double x, double y)
{
    return sn_ofBits((sn_bitsOf(x) & ~(uint64_t)SN_SIGN_BIT) | (sn_bitsOf(y) & SN_SIGN_BIT));
}

/// high + low, without rounding.
typedef struct snDoublePair {
    double high, low;
} snDoublePair;

/// a + b exactly, |a| >= |b| or a = 0. Dekker 1971.
static inline snDoublePair sn_sumOrdered(double a, double b)
{
    const double high = a + b;
    return (snDoublePair){high, (a - high) + b};
}

/// a + b exactly. Knuth's, without branches.
static inline snDoublePair sn_sumExact(double a, double b)
{
    const double high = a + b, from_b = high - a;
    return (snDoublePair){high, (a - (high - from_b)) + (b - from_b)};
}

/// a / b, to some 2^-75, from rounded = a.high / b.high: its upper half times b leaves a rest that has no
/// error.
static inline snDoublePair sn_pairQuotient(snDoublePair a, snDoublePair b, double rounded)
{
    const double inverse = 1 / b.high, quotient = sn_topHalf(rounded);
    const double bh = sn_topHalf(b.high), bl = (b.high - bh) + b.low;
    const double rest = ((a.high - quotient * bh) - quotient * bl) + a.low;
    return (snDoublePair){quotient, rest * inverse};
}

#endif
