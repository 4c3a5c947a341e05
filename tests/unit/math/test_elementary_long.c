// How far the elementary functions are from the true value, which MPFR has: compiled where it is installed,
// with 10^7 points a function where SINEW_LONG is set, else 5000. Prints the worst found.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include "elementary_points.h"

enum { PRECISION = 120 };

typedef struct Exact {
    const char* name;
    int (*one)(mpfr_t, const mpfr_t, mpfr_rnd_t);
    int (*two)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
} Exact;

static const Exact EXACT[] = {
    {"sin", mpfr_sin, 0},     {"cos", mpfr_cos, 0},   {"tan", mpfr_tan, 0},     {"asin", mpfr_asin, 0},
    {"acos", mpfr_acos, 0},   {"exp", mpfr_exp, 0},   {"expm1", mpfr_expm1, 0}, {"log", mpfr_log, 0},
    {"log10", mpfr_log10, 0}, {"sinh", mpfr_sinh, 0}, {"cosh", mpfr_cosh, 0},   {"tanh", mpfr_tanh, 0},
    {"asinh", mpfr_asinh, 0}, {"cbrt", mpfr_cbrt, 0}, {"atan2", 0, mpfr_atan2}, {"hypot", 0, mpfr_hypot},
    {"pow", 0, mpfr_pow},
};

typedef struct Numbers {
    mpfr_t x, y, exact, difference;
} Numbers;

// |value - exact| in units of the last place of the exact number; huge where one is finite and the other not.
static double errorOf(Numbers* n, double value)
{
    const double nearest = mpfr_get_d(n->exact, MPFR_RNDN);
    if (isnan(nearest)) return isnan(value) ? 0 : HUGE_VAL;
    if (!isfinite(nearest) || !isfinite(value)) return value == nearest ? 0 : HUGE_VAL;
    if (mpfr_zero_p(n->exact)) return value == 0 ? 0 : HUGE_VAL;
    const int exponent = (int)mpfr_get_exp(n->exact) - 53;
    mpfr_sub_d(n->difference, n->exact, value, MPFR_RNDN);
    mpfr_mul_2si(n->difference, n->difference, exponent > -1074 ? -exponent : 1074, MPFR_RNDN);
    return fabs(mpfr_get_d(n->difference, MPFR_RNDN));
}

// The largest error at `count` points.
static double worstOf(const Function* f, const Exact* exact, Numbers* n, int count, double* at, double* other)
{
    Sequence s = {0x2545f4914f6cdd1du};
    double worst = 0;
    for (int i = 0; i < count; i++) {
        double x, y;
        drawPoint(f, &s, i, &x, &y);
        mpfr_set_d(n->x, x, MPFR_RNDN);
        mpfr_set_d(n->y, y, MPFR_RNDN);
        if (f->one) {
            exact->one(n->exact, n->x, MPFR_RNDN);
        } else {
            exact->two(n->exact, n->x, n->y, MPFR_RNDN);
        }
        const double error = errorOf(n, valueOf(f, x, y));
        if (!(error > worst)) continue;
        worst = error;
        *at = x;
        *other = y;
    }
    return worst;
}

static void test_errors(void** state)
{
    (void)state;
    const char* is_long = getenv("SINEW_LONG");
    const int count = is_long && *is_long ? 10000000 : 5000;
    Numbers n;
    mpfr_inits2(PRECISION, n.x, n.y, n.exact, n.difference, (mpfr_ptr)0);
    int far = 0;
    for (size_t k = 0; k < sizeof EXACT / sizeof EXACT[0]; k++) {
        const Function* f = FUNCTIONS;
        while (strcmp(f->name, EXACT[k].name) != 0) f++;
        double x = 0, y = 0;
        const double worst = worstOf(f, EXACT + k, &n, count, &x, &y);
        print_message("%-6s %.3f ulp at (%a, %a)\n", f->name, worst, x, y);
        far |= !(worst < f->bound);
    }
    mpfr_clears(n.x, n.y, n.exact, n.difference, (mpfr_ptr)0);
    mpfr_free_cache();
    assert_false(far);
}

// The reduction of angles where it is hardest: the doubles nearest to every multiple of pi/2 that is reduced
// in three parts.
static void test_multiples(void** state)
{
    (void)state;
    Numbers n;
    mpfr_inits2(300, n.x, n.y, n.exact, n.difference, (mpfr_ptr)0);
    mpfr_const_pi(n.y, MPFR_RNDN);
    double worst = 0;
    for (int k = 1; k <= 63661; k++) {
        mpfr_mul_d(n.x, n.y, 0.5 * k, MPFR_RNDN);
        const double x = mpfr_get_d(n.x, MPFR_RNDN);
        mpfr_set_d(n.x, x, MPFR_RNDN);
        if (k % 2) {
            mpfr_cos(n.exact, n.x, MPFR_RNDN);
        } else {
            mpfr_sin(n.exact, n.x, MPFR_RNDN);
        }
        worst = fmax(worst, errorOf(&n, k % 2 ? sn_cos(x) : sn_sin(x)));
    }
    mpfr_clears(n.x, n.y, n.exact, n.difference, (mpfr_ptr)0);
    mpfr_free_cache();
    print_message("multiples of pi/2: %.3f ulp\n", worst);
    assert_true(worst < 0.6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors), cmocka_unit_test(test_multiples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
