// By digits, the last first (Knuth, The Art of Computer Programming 3, 5.2.5): of eight bits, or eleven where
// there is much to sort.
#include "collision/flex/key.h"
#include <string.h>

enum { MANY = 4096, FEW_BITS = 8, MANY_BITS = 11, FEW = 32 };

static void sortFew(uint64_t* key, int count, int low)
{
    for (int i = 1; i < count; i++) {
        const uint64_t moved = key[i];
        int k = i;
        for (; k > 0 && key[k - 1] >> low > moved >> low; k--) key[k] = key[k - 1];
        key[k] = moved;
    }
}

// Sorts by one digit, numbers of the same digit staying in order.
static void sortDigit(uint64_t* to, const uint64_t* from, int count, int shift, int bits)
{
    int place[1 << MANY_BITS];
    const uint64_t mask = (1u << bits) - 1;
    memset(place, 0, sizeof *place << bits);
    for (int i = 0; i < count; i++) place[from[i] >> shift & mask]++;
    for (int digit = 0, sum = 0; digit < 1 << bits; digit++) {
        const int number = place[digit];
        place[digit] = sum;
        sum += number;
    }
    for (int i = 0; i < count; i++) to[place[from[i] >> shift & mask]++] = from[i];
}

void sn_sortKeys(uint64_t* key, uint64_t* other, int count, int low)
{
    const int bits = count < MANY ? FEW_BITS : MANY_BITS;
    uint64_t differ = 0;
    uint64_t *from = key, *to = other;
    if (count <= FEW) {
        sortFew(key, count, low);
        return;
    }
    for (int i = 1; i < count; i++) differ |= key[i] ^ key[0];
    for (int shift = low; shift < 64; shift += bits) {
        if (!(differ >> shift & ((1u << bits) - 1))) continue;
        sortDigit(to, from, count, shift, bits);
        uint64_t* const swap = from;
        from = to;
        to = swap;
    }
    if (from != key) memcpy(key, from, (size_t)count * sizeof *key);
}
