// Points at which the elementary functions are tested, and a hash of all bits that come out: made of integers
// and exact products alone, so that every machine has the same points.
#ifndef SINEW_TESTS_MATH_ELEMENTARY_POINTS_H
#define SINEW_TESTS_MATH_ELEMENTARY_POINTS_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#include "math/elementary/elementary.h"

typedef struct Sequence {
    uint64_t state;
} Sequence;

static inline uint64_t drawBits(Sequence* s) // Marsaglia 2003, and a product that mixes
{
    s->state ^= s->state << 13;
    s->state ^= s->state >> 7;
    s->state ^= s->state << 17;
    return s->state * 0x2545f4914f6cdd1du;
}

static inline double ofBits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline uint64_t toBits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/// Where arguments lie.
typedef enum Range {
    BELOW_ONE,    ///< even in (-1, 1)
    TENS,         ///< even in (-16, 16)
    HUNDREDS,     ///< even in (-1024, 1024)
    SIZES,        ///< any size, even in the exponent from 2^-40 to 2^20
    ANY,          ///< any bits at all: subnormal, infinite and NaN ones, too
    NEAR_ONE,     ///< 1 + d, d even in the exponent from 2^-50 to 2^-1
    NEAR_QUARTER, ///< as near to multiples of pi/2 as doubles come, and to their neighbours
    POSITIVE,     ///< any normal positive number
    RANGES
} Range;

static inline double even(Sequence* s, double half)
{
    const double unit = (double)(drawBits(s) >> 11) * 0x1p-52; // in [0, 2)
    return half * (unit - 1);
}
static inline double ofSize(Sequence* s, int from, int to)
{
    const uint64_t bits = drawBits(s),
                   exponent = 1023 + (uint64_t)from + (bits >> 12) % (uint64_t)(to - from);
    return ofBits((drawBits(s) & 0x800fffffffffffffu) | exponent << 52);
}

static inline double draw(Sequence* s, Range range)
{
    switch (range) {
    case BELOW_ONE: return even(s, 1);
    case TENS: return even(s, 16);
    case HUNDREDS: return even(s, 1024);
    case SIZES: return ofSize(s, -40, 20);
    case ANY: return ofBits(drawBits(s));
    case NEAR_ONE: return 1 + ofSize(s, -50, -1);
    case NEAR_QUARTER: {
        const double x = (double)(drawBits(s) % 70000) * 0x1.921fb54442d18p+0;
        return ofBits(toBits(x) + drawBits(s) % 3);
    }
    case POSITIVE: return fabs(ofSize(s, -1022, 1023));
    case RANGES: break;
    }
    return 0;
}

/// A function of one number, or of two: where its arguments are drawn, how far it may be from the true value,
/// and the hash of 100 000 results.
typedef struct Function {
    const char* name;
    double (*one)(double);
    double (*two)(double, double);
    Range ranges[5], other[5]; ///< in turn
    double bound;              ///< of errors, in units of the last place
    uint64_t hash;
} Function;

static double bothAtOnce(double x)
{
    double s, c;
    sn_sincos(x, &s, &c);
    return ofBits(toBits(s) ^ (toBits(c) << 1));
}

static const Function FUNCTIONS[] = {
    {"sin", sn_sin, 0, {BELOW_ONE, HUNDREDS, SIZES, ANY, NEAR_QUARTER}, {0}, 0.9, 0x4af46fde3655891cu},
    {"cos", sn_cos, 0, {BELOW_ONE, HUNDREDS, SIZES, ANY, NEAR_QUARTER}, {0}, 0.85, 0xa416815465d789b4u},
    {"sincos", bothAtOnce, 0, {BELOW_ONE, HUNDREDS, SIZES, ANY, NEAR_QUARTER}, {0}, 0, 0x550f2c45e1962718u},
    {"tan", sn_tan, 0, {BELOW_ONE, HUNDREDS, SIZES, ANY, NEAR_QUARTER}, {0}, 0.75, 0x607e527c957c2c9cu},
    {"asin", sn_asin, 0, {BELOW_ONE, BELOW_ONE, NEAR_ONE, ANY, SIZES}, {0}, 0.7, 0x574b539351884a19u},
    {"acos", sn_acos, 0, {BELOW_ONE, BELOW_ONE, NEAR_ONE, ANY, SIZES}, {0}, 0.7, 0xbc75e11b93da285cu},
    {"exp", sn_exp, 0, {BELOW_ONE, TENS, HUNDREDS, ANY, SIZES}, {0}, 0.8, 0x43048774056de3d3u},
    {"expm1", sn_expm1, 0, {BELOW_ONE, TENS, HUNDREDS, ANY, SIZES}, {0}, 0.7, 0x39cd4cbdb1f91cbfu},
    {"log", sn_log, 0, {POSITIVE, TENS, NEAR_ONE, ANY, NEAR_ONE}, {0}, 0.6, 0x7b2f91f3120d08c3u},
    {"log10", sn_log10, 0, {POSITIVE, TENS, NEAR_ONE, ANY, NEAR_ONE}, {0}, 0.6, 0x0647f48bf6485234u},
    {"sinh", sn_sinh, 0, {BELOW_ONE, TENS, HUNDREDS, ANY, SIZES}, {0}, 0.7, 0xe43ecb6337c19a99u},
    {"cosh", sn_cosh, 0, {BELOW_ONE, TENS, HUNDREDS, ANY, SIZES}, {0}, 0.8, 0x66d99a0083645109u},
    {"tanh", sn_tanh, 0, {BELOW_ONE, TENS, BELOW_ONE, ANY, SIZES}, {0}, 0.6, 0x050050ef98124fedu},
    {"asinh", sn_asinh, 0, {BELOW_ONE, TENS, HUNDREDS, ANY, SIZES}, {0}, 0.6, 0xbe3f3aca24149631u},
    {"cbrt", sn_cbrt, 0, {BELOW_ONE, TENS, HUNDREDS, ANY, SIZES}, {0}, 0.6, 0x35a8f4f0573c6071u},
    {"atan2",
     0,
     sn_atan2,
     {BELOW_ONE, TENS, SIZES, ANY, SIZES},
     {BELOW_ONE, TENS, SIZES, ANY, NEAR_ONE},
     0.8,
     0x7769689ea2449ed7u},
    {"hypot",
     0,
     sn_hypot,
     {BELOW_ONE, TENS, SIZES, ANY, SIZES},
     {BELOW_ONE, TENS, SIZES, ANY, NEAR_ONE},
     0.9,
     0x32d2b27147f319eau},
    {"pow",
     0,
     sn_pow,
     {POSITIVE, NEAR_ONE, NEAR_ONE, ANY, TENS},
     {BELOW_ONE, SIZES, HUNDREDS, ANY, TENS},
     0.8,
     0x0b212eae4b36fa02u},
};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };

/// The arguments of its point i.
static inline void drawPoint(const Function* f, Sequence* s, int i, double* x, double* y)
{
    *x = draw(s, f->ranges[i % 5]);
    *y = f->two ? draw(s, f->other[i % 5]) : 0;
}
static inline double valueOf(const Function* f, double x, double y)
{
    return f->one ? f->one(x) : f->two(x, y);
}

enum { POINTS = 100000 };
static inline uint64_t hashOf(const Function* f)
{
    Sequence s = {0x9e3779b97f4a7c15u};
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < POINTS; i++) {
        double x, y;
        drawPoint(f, &s, i, &x, &y);
        hash = (hash ^ toBits(valueOf(f, x, y))) * 0x100000001b3u;
        hash ^= hash >> 32;
    }
    return hash;
}

#endif
