// sn_sincosArray against the C library in long double, in every quadrant and at the ends of its range.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include "math/sincos.h"
#include "random_tree.h"

static void check(double x)
{
    double s, c;
    sn_sincosArray(&x, &s, &c, 1);
    const double ds = fabs(s - (double)sinl((long double)x)), dc = fabs(c - (double)cosl((long double)x));
    if (ds <= 3e-16 && dc <= 3e-16) return;
    print_error("at %.17g: off by %g and %g\n", x, ds, dc);
    fail();
}

static void test_accuracy(void** state)
{
    (void)state;
    static const double scales[] = {1e-8, 0.1, 1, 4, 100, 1e4, 1e5, 1e9};
    Random r = {99};
    for (int i = 0; i < 40000; i++) check(scales[i % 8] * randomReal(&r));
    for (int k = -20; k <= 20; k++) check(k * SN_PI / 4); // boundaries of quadrants
    check(0);
    check(1e5);
    check(-1e5);
}

// Lane by lane the same, whatever the count; angles may be overwritten; NaN and infinity spoil only
// themselves.
static void test_array(void** state)
{
    (void)state;
    Random r = {5};
    double x[37], s[37], c[37];
    for (int i = 0; i < 37; i++) x[i] = 10 * randomReal(&r);
    for (int n = 0; n <= 37; n++) {
        sn_sincosArray(x, s, c, n);
        for (int i = 0; i < n; i++) {
            assert_true(fabs(s[i] - sin(x[i])) <= 4e-16);
            assert_true(fabs(c[i] - cos(x[i])) <= 4e-16);
        }
    }
    double y[37];
    memcpy(y, x, sizeof y);
    sn_sincosArray(y, y, c, 37);
    assert_memory_equal(y, s, sizeof y);
    y[3] = NAN;
    y[4] = HUGE_VAL;
    y[5] = 1;
    sn_sincosArray(y + 3, s, c, 3);
    assert_true(isnan(s[0]) && isnan(c[0]) && isnan(s[1]) && isnan(c[1]));
    assert_true(fabs(s[2] - sin(1.0)) <= 4e-16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_accuracy), cmocka_unit_test(test_array)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
