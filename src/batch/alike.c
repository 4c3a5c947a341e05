// Runs of a few by insertion, then merged pairwise, without branches on keys, which no processor foretells.
#include "batch/alike.h"
#include <stddef.h>
#include <string.h>

enum { RUN = 8 };

static void insertAll(snAlike* items, int n)
{
    for (int k = 1; k < n; k++) {
        const snAlike own = items[k];
        int at = k;
        for (; at > 0 && items[at - 1].key < own.key; at--) items[at] = items[at - 1];
        items[at] = own;
    }
}

// Two runs that stand one behind the other, a [na] and [nb], to `to`.
static void merge(const snAlike* a, int na, int nb, snAlike* to)
{
    const snAlike *b = a + na, *const end_a = b, *const end_b = b + nb;
    while (a < end_a && b < end_b) {
        const ptrdiff_t second = b->key > a->key;
        *to++ = a[second * (b - a)];
        b += second;
        a += 1 - second;
    }
    memcpy(to, a, (size_t)(end_a - a) * sizeof *a);
    memcpy(to + (end_a - a), b, (size_t)(end_b - b) * sizeof *b);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

const snAlike* sn_sortAlike(snAlike* items, snAlike* spare, int n)
{
    for (int k = 0; k < n; k += RUN) insertAll(items + k, least(RUN, n - k));
    for (int run = RUN; run < n; run *= 2) {
        for (int k = 0; k < n; k += 2 * run)
            merge(items + k, least(run, n - k), least(run, n - least(n, k + run)), spare + k);
        snAlike* const sorted = spare;
        spare = items;
        items = sorted;
    }
    return items;
}
