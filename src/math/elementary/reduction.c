// x = m 2^e, m an integer. Digits of 2/pi that are multiples of 4 after m 2^e are left out, and those below
// the next 192 change nothing: no double is nearer than 2^-62 to a multiple of pi/2. Source: Payne and Hanek
// 1983.
#include "math/elementary/reduction.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/double_parts.h"

typedef struct Words {
    uint64_t high, middle, low;
} Words;

static uint64_t productHigh(uint64_t a, uint64_t b, uint64_t* low)
{
    const uint64_t al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    const uint64_t first = al * bl, second = ah * bl + (first >> 32),
                   third = al * bh + (second & 0xffffffffu);
    *low = (third << 32) | (first & 0xffffffffu);
    return ah * bh + (second >> 32) + (third >> 32);
}

// 192 digits of 2/pi from the one of weight 2^-at on, at > -64; digits before the point are 0
static Words digits(int at)
{
    static const uint64_t words[] = {SN_TWO_OVER_PI_WORDS};
    const int from = at + 63, shift = from & 63;
    const uint64_t* w = words + from / 64;
    if (shift == 0) return (Words){w[0], w[1], w[2]};
    return (Words){w[0] << shift | w[1] >> (64 - shift), w[1] << shift | w[2] >> (64 - shift),
                   w[2] << shift | w[3] >> (64 - shift)};
}

// m times w, modulo 2^192
static Words times(uint64_t m, Words w)
{
    uint64_t middle, low;
    const uint64_t carry = productHigh(m, w.low, &low);
    const uint64_t upper = productHigh(m, w.middle, &middle);
    middle += carry;
    return (Words){m * w.high + upper + (middle < carry), middle, low};
}

// f 2^-192 pi/2 of f positive, as a pair
static snReducedAngle ofFraction(Words f)
{
    int zeros = 0;
    while (f.high == 0 && zeros < 128) {
        f = (Words){f.middle, f.low, 0};
        zeros += 64;
    }
    while (!(f.high >> 63)) {
        f.high = f.high << 1 | f.middle >> 63;
        f.middle <<= 1;
        zeros++;
    }
    uint64_t low;
    const uint64_t product = productHigh(f.high, SN_PIO2_WORD, &low);
    const double unit = sn_ofBits((uint64_t)(1023 - 63 - zeros) << 52);
    return (snReducedAngle){0, (double)(product & ~(uint64_t)2047) * unit, (double)(product & 2047) * unit};
}

snReducedAngle sn_reduceLarge(double x)
{
    const uint64_t bits = sn_bitsOf(x), m = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
    const int e = (int)(bits >> 52) - 1075;
    // m 2^e 2/pi modulo 4, whose digits begin with the one of weight 2
    const Words turns = times(m, digits(e - 1));
    const uint64_t k = turns.high >> 62;
    Words f = {turns.high << 2 | turns.middle >> 62, turns.middle << 2 | turns.low >> 62, turns.low << 2};
    const int beyond = (int)(f.high >> 63); // above pi/4: from the next multiple back
    if (beyond) f = (Words){~f.high, ~f.middle, ~f.low};
    snReducedAngle angle = ofFraction(f);
    if (beyond) angle = (snReducedAngle){0, -angle.r, -angle.rest};
    angle.k = k + (uint64_t)beyond;
    return angle;
}
