// By digits, the last first (Knuth, The Art of Computer Programming 3, 5.2.5).
#include "collision/flex/key.h"
#include <string.h>

enum { BITS = 11, DIGITS = 1 << BITS, FEW = 32 };

static int digitOf(uint64_t key, int shift)
{
    return (int)(key >> shift & (DIGITS - 1));
}

static void sortFew(uint64_t* key, int count)
{
    for (int i = 1; i < count; i++) {
        const uint64_t moved = key[i];
        int k = i;
        for (; k > 0 && key[k - 1] > moved; k--) key[k] = key[k - 1];
        key[k] = moved;
    }
}

// Sorts by one digit, numbers of the same digit staying in order.
static void sortDigit(uint64_t* to, const uint64_t* from, int count, int shift)
{
    int place[DIGITS] = {0};
    for (int i = 0; i < count; i++) place[digitOf(from[i], shift)]++;
    for (int digit = 0, sum = 0; digit < DIGITS; digit++) {
        const int number = place[digit];
        place[digit] = sum;
        sum += number;
    }
    for (int i = 0; i < count; i++) to[place[digitOf(from[i], shift)]++] = from[i];
}

void sn_sortKeys(uint64_t* key, uint64_t* other, int count)
{
    uint64_t differ = 0;
    uint64_t *from = key, *to = other;
    if (count <= FEW) {
        sortFew(key, count);
        return;
    }
    for (int i = 1; i < count; i++) differ |= key[i] ^ key[0];
    for (int shift = 0; shift < 64; shift += BITS) {
        if (!digitOf(differ, shift)) continue;
        sortDigit(to, from, count, shift);
        uint64_t* const swap = from;
        from = to;
        to = swap;
    }
    if (from != key) memcpy(key, from, (size_t)count * sizeof *key);
}
