// The point of a friction cone's section that is nearest, at sizes from the smallest number to large ones.
#include "lcp/solve/section.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { COUNT = 3 };

static double squareDistance(const double* d, const double* a, const double* b)
{
    double sum = 0;
    for (int k = 0; k < COUNT; k++) sum += d[k] * (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

// On the section, and no neighbour there is nearer.
static void test_nearest(void** state)
{
    (void)state;
    const double mu[COUNT] = {0.5, 1, 0.01}, d[COUNT] = {1, 30, 0.2}, y[COUNT] = {3, -2, 0.5};
    double t[COUNT], other[COUNT];
    const double s = sn_sectionProject(y, mu, d, 1.5, COUNT, t), least = squareDistance(d, y, t);
    assert_true(s > 0);
    assert_true(fabs(sn_sectionNorm(t, mu, COUNT) - 1.5) < 1e-14);
    for (int k = 0; k < COUNT; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int i = 0; i < COUNT; i++) other[i] = t[i];
            other[k] += sign * 1e-4 * mu[k];
            const double back = 1.5 / sn_sectionNorm(other, mu, COUNT);
            for (int i = 0; i < COUNT; i++) other[i] *= back;
            assert_true(squareDistance(d, y, other) > least);
        }
}

// What is too small to be squared leaves numbers, and stays within the section but for rounding.
static void test_smallest(void** state)
{
    (void)state;
    const double mu[COUNT] = {0.5, 1, 0.01}, d[COUNT] = {1, 1e6, 1e-6};
    for (double size = 5e-324; size < 1e100; size = fmax(10 * size, 1e-323))
        for (double part = 1e-320; part < 10; part = fmax(10 * part, 1e-319)) {
            const double y[COUNT] = {size, -size, 0.3 * size}, n = size * part;
            double t[COUNT];
            assert_true(sn_sectionProject(y, mu, d, n, COUNT, t) >= 0);
            for (int k = 0; k < COUNT; k++) {
                assert_true(isfinite(t[k]));
                assert_true(fabs(t[k]) <= fabs(y[k]) * (1 + 1e-12));
                if (size > 1e-70) assert_true(fabs(t[k]) <= n * mu[k] * (1 + 1e-12));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nearest), cmocka_unit_test(test_smallest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
