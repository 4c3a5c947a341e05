// Simulations sorted by likeness: a stable order, the largest keys first, against insertion one by one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "batch/alike.h"

enum { MOST = 1100 };

static uint64_t next(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return *seed >> 11;
}

static void sortPlainly(snAlike* items, int n)
{
    for (int k = 1; k < n; k++) {
        const snAlike own = items[k];
        int at = k;
        for (; at > 0 && items[at - 1].key < own.key; at--) items[at] = items[at - 1];
        items[at] = own;
    }
}

// As many kinds of keys as `kinds`, up to the largest there is.
static void holdSorted(int n, uint64_t kinds, uint64_t* seed)
{
    static snAlike items[MOST], spare[MOST], plain[MOST];
    for (int k = 0; k < n; k++) {
        const uint64_t kind = next(seed) % kinds;
        items[k] = plain[k] = (snAlike){kind ? UINT64_MAX / kind : 0, k};
    }
    sortPlainly(plain, n);
    const snAlike* sorted = sn_sortAlike(items, spare, n);
    assert_true(sorted == items || sorted == spare);
    for (int k = 0; k < n; k++) {
        assert_true(sorted[k].key == plain[k].key);
        assert_int_equal(sorted[k].place, plain[k].place);
    }
}

static void check_order(void** state)
{
    (void)state;
    uint64_t seed = 1;
    for (int n = 0; n <= 70; n++)
        for (int kinds = 1; kinds <= 9; kinds += 4) holdSorted(n, (uint64_t)kinds, &seed);
    const int many[] = {127, 128, 129, 255, 256, 257, 1000, 1024, MOST};
    for (size_t k = 0; k < sizeof many / sizeof *many; k++)
        for (uint64_t kinds = 1; kinds < 100000; kinds *= 7) holdSorted(many[k], kinds, &seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
