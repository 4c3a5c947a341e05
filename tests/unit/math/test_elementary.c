// The elementary functions: the bits of 100 000 results each, special values, and how far results are from
// the C library's in long double, where that is longer than double. test_elementary_long.c asks MPFR.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <float.h>
#include <stdio.h>
#include "math/asin.h"
#include "math/sincos.h"
#include "elementary_points.h"

#define NO_NUMBER 0x7ff8000000000000u
#define QUARTER 0x1.921fb54442d18p+0

// A hash that differs says that some processor or compiler rounds otherwise, or that a function was changed:
// then elementary_bits.c prints the new ones.
static void test_bits(void** state)
{
    (void)state;
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        const uint64_t hash = hashOf(FUNCTIONS + i);
        if (hash == FUNCTIONS[i].hash) continue;
        print_error("sn_%s has the hash 0x%016llxu\n", FUNCTIONS[i].name, (unsigned long long)hash);
        fail();
    }
}

static void same(const char* what, double x, double y, double value, double wanted)
{
    const uint64_t bits = isnan(wanted) ? NO_NUMBER : toBits(wanted);
    if (toBits(value) == bits) return;
    print_error("%s(%a, %a) is %a, not %a\n", what, x, y, value, wanted);
    fail();
}

// Many arcsines have the bits of one each; what is no sine spoils only itself.
static void test_many_arcsines(void** state)
{
    (void)state;
    enum { COUNT = 20001 };
    static double x[COUNT], y[COUNT];
    static const double ends[] = {
        0, -0.0, 0.5, -0.5, 0x1.0000000000001p-1, 1, -1, 1e-9, 1e-8, 0x1.fffffffffffffp-1, 0x1p-1074};
    const int nend = (int)(sizeof ends / sizeof *ends);
    for (int i = 0; i < COUNT; i++) x[i] = i < nend ? ends[i] : 2.0 * i / (COUNT - 1) - 1;
    for (int n = COUNT - 5; n <= COUNT; n++) {
        memset(y, 0xff, sizeof y);
        sn_asinArray(x, y, n);
        for (int i = 0; i < n; i++) same("asinArray", x[i], 0, y[i], sn_asin(x[i]));
        for (int i = n; i < COUNT; i++) assert_true(isnan(y[i]));
    }
    x[7] = 1.5;
    x[8] = ofBits(NO_NUMBER);
    sn_asinArray(x, x, nend);
    for (int i = 0; i < nend; i++)
        same("asinArray", i, 0, x[i], i == 7 || i == 8 ? ofBits(NO_NUMBER) : sn_asin(ends[i]));
}

typedef struct Special {
    double (*f)(double);
    const char* name;
    double x, value;
} Special;

#define AT(function, x, value)                                                                               \
    {                                                                                                        \
        sn_##function, #function, x, value                                                                   \
    }
static const double INF = HUGE_VAL, MANY = 0x1.fffffffffffffp+1023, LEAST = 0x1p-1074;

// Annex F of C, and where results overflow, underflow or are exact.
static void test_special(void** state)
{
    (void)state;
    const double nan = ofBits(0xfff8000000001234u); // whatever its sign and payload
    const Special specials[] = {
        AT(sin, -0.0, -0.0),
        AT(sin, LEAST, LEAST),
        AT(sin, INF, nan),
        AT(sin, nan, nan),
        AT(cos, -0.0, 1),
        AT(cos, LEAST, 1),
        AT(cos, -INF, nan),
        AT(cos, nan, nan),
        AT(tan, -0.0, -0.0),
        AT(tan, -LEAST, -LEAST),
        AT(tan, INF, nan),
        AT(tan, nan, nan),
        AT(asin, -0.0, -0.0),
        AT(asin, LEAST, LEAST),
        AT(asin, 1, QUARTER),
        AT(asin, -1, -QUARTER),
        AT(asin, 1.0000000000000002, nan),
        AT(asin, nan, nan),
        AT(acos, 1, 0),
        AT(acos, -1, 2 * QUARTER),
        AT(acos, 0, QUARTER),
        AT(acos, -1.5, nan),
        AT(acos, nan, nan),
        AT(exp, 0, 1),
        AT(exp, -0.0, 1),
        AT(exp, LEAST, 1),
        AT(exp, INF, INF),
        AT(exp, -INF, 0),
        AT(exp, 709.79, INF),
        AT(exp, -745.2, 0),
        AT(exp, -745.1, LEAST),
        AT(exp, nan, nan),
        AT(expm1, -0.0, -0.0),
        AT(expm1, LEAST, LEAST),
        AT(expm1, INF, INF),
        AT(expm1, -INF, -1),
        AT(expm1, -800, -1),
        AT(expm1, 710, INF),
        AT(expm1, nan, nan),
        AT(log, 1, 0),
        AT(log, 0, -INF),
        AT(log, -0.0, -INF),
        AT(log, -1, nan),
        AT(log, INF, INF),
        AT(log, -INF, nan),
        AT(log, nan, nan),
        AT(log, LEAST, -0x1.74385446d71c3p+9),
        AT(log10, 1, 0),
        AT(log10, 0, -INF),
        AT(log10, 1e15, 15),
        AT(log10, 1e-8, -8),
        AT(log10, -INF, nan),
        AT(log10, INF, INF),
        AT(log10, nan, nan),
        AT(sinh, -0.0, -0.0),
        AT(sinh, LEAST, LEAST),
        AT(sinh, -INF, -INF),
        AT(sinh, 711, INF),
        AT(sinh, nan, nan),
        AT(cosh, 0, 1),
        AT(cosh, -INF, INF),
        AT(cosh, -711, INF),
        AT(cosh, nan, nan),
        AT(tanh, -0.0, -0.0),
        AT(tanh, LEAST, LEAST),
        AT(tanh, INF, 1),
        AT(tanh, -30, -1),
        AT(tanh, nan, nan),
        AT(asinh, -0.0, -0.0),
        AT(asinh, -LEAST, -LEAST),
        AT(asinh, -INF, -INF),
        AT(asinh, nan, nan),
        AT(cbrt, -0.0, -0.0),
        AT(cbrt, -27, -3),
        AT(cbrt, 0x1p-1074, 0x1p-358),
        AT(cbrt, -INF, -INF),
        AT(cbrt, nan, nan),
    };
    for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++) {
        const Special* s = specials + i;
        same(s->name, s->x, 0, s->f(s->x), s->value);
    }
}

typedef struct Special2 {
    double x, y, value;
} Special2;

static void special_pairs(const char* name, double (*f)(double, double), const Special2* s, size_t n)
{
    for (size_t i = 0; i < n; i++) same(name, s[i].x, s[i].y, f(s[i].x, s[i].y), s[i].value);
}

// (y, x)
static void test_special_atan2(void** state)
{
    (void)state;
    const double pi = 2 * QUARTER;
    const Special2 specials[] = {{0, 0, 0},
                                 {-0.0, 0, -0.0},
                                 {0, -0.0, pi},
                                 {-0.0, -0.0, -pi},
                                 {0, 1, 0},
                                 {-0.0, 1, -0.0},
                                 {0, -1, pi},
                                 {-0.0, -LEAST, -pi},
                                 {1, 0, QUARTER},
                                 {-LEAST, -0.0, -QUARTER},
                                 {1, -1, 0x1.2d97c7f3321d2p+1},
                                 {INF, INF, QUARTER / 2},
                                 {INF, -INF, 0x1.2d97c7f3321d2p+1},
                                 {-INF, -INF, -0x1.2d97c7f3321d2p+1},
                                 {INF, MANY, QUARTER},
                                 {1, INF, 0},
                                 {-1, INF, -0.0},
                                 {1, -INF, pi},
                                 {LEAST, 1, LEAST},
                                 {LEAST, MANY, 0},
                                 {MANY, LEAST, QUARTER},
                                 {LEAST, LEAST, QUARTER / 2},
                                 {MANY, MANY, QUARTER / 2},
                                 {LEAST, -1, pi},
                                 {NAN, 1, NAN},
                                 {1, NAN, NAN},
                                 {NAN, 0, NAN},
                                 {INF, NAN, NAN}};
    special_pairs("atan2", sn_atan2, specials, sizeof specials / sizeof specials[0]);
}

static void test_special_pow(void** state)
{
    (void)state;
    const Special2 specials[] = {{2, 0, 1},
                                 {NAN, 0, 1},
                                 {NAN, -0.0, 1},
                                 {1, NAN, 1},
                                 {1, -INF, 1},
                                 {-1, INF, 1},
                                 {-1, -INF, 1},
                                 {2, NAN, NAN},
                                 {NAN, 2, NAN},
                                 {0, 2, 0},
                                 {-0.0, 3, -0.0},
                                 {-0.0, 2, 0},
                                 {-0.0, 2.5, 0},
                                 {0, -1, INF},
                                 {-0.0, -1, -INF},
                                 {-0.0, -2, INF},
                                 {0, -INF, INF},
                                 {-2, 3, -8},
                                 {-2, -2, 0.25},
                                 {-2, 0.5, NAN},
                                 {-2, 0x1p53, INF},
                                 {-2, 0x1.fffffffffffffp+52, -INF},
                                 {0.5, INF, 0},
                                 {0.5, -INF, INF},
                                 {2, INF, INF},
                                 {-2, INF, INF},
                                 {-2, -INF, 0},
                                 {INF, 2, INF},
                                 {INF, -2, 0},
                                 {-INF, 3, -INF},
                                 {-INF, -3, -0.0},
                                 {-INF, 2.5, INF},
                                 {-INF, -2.5, 0},
                                 {2, 1024, INF},
                                 {2, -1074, LEAST},
                                 {2, -1076, 0},
                                 {2, 10, 1024},
                                 {10, 2, 100},
                                 {LEAST, 0.5, 0x1p-537},
                                 {MANY, MANY, INF},
                                 {MANY, -MANY, 0},
                                 {0.5, MANY, 0},
                                 {2, LEAST, 1}};
    special_pairs("pow", sn_pow, specials, sizeof specials / sizeof specials[0]);
}

static void test_special_hypot(void** state)
{
    (void)state;
    const Special2 specials[] = {{3, -4, 5},        {0, -0.0, 0},
                                 {-2, 0, 2},        {INF, NAN, INF},
                                 {NAN, -INF, INF},  {NAN, 1, NAN},
                                 {MANY, MANY, INF}, {3e300, 4e300, 5e300},
                                 {LEAST, 0, LEAST}, {3 * LEAST, 4 * LEAST, 5 * LEAST},
                                 {MANY, 1, MANY}};
    special_pairs("hypot", sn_hypot, specials, sizeof specials / sizeof specials[0]);
}

// The second stands where one is NaN, and of two zeros.
static void test_larger_and_smaller(void** state)
{
    (void)state;
    assert_true(sn_max(1, 2) == 2 && sn_min(1, 2) == 1 && sn_max(2, 1) == 2 && sn_min(2, 1) == 1);
    assert_true(sn_max(NAN, 1) == 1 && sn_min(NAN, 1) == 1 && isnan(sn_max(1, NAN)) && isnan(sn_min(1, NAN)));
    assert_true(signbit(sn_max(0, -0.0)) && !signbit(sn_max(-0.0, 0)));
    assert_true(signbit(sn_min(0, -0.0)) && !signbit(sn_min(-0.0, 0)));
}

// Loops, and both at once, have the bits of each alone.
static void test_array(void** state)
{
    (void)state;
    Sequence sequence = {7};
    double x[37] = {0}, s[37], c[37];
    for (int n = 0; n <= 37; n++) {
        for (int i = 0; i < n; i++) x[i] = draw(&sequence, n % 2 ? HUNDREDS : SIZES);
        sn_sincosArray(x, s, c, n);
        for (int i = 0; i < n; i++) {
            double both_s, both_c;
            sn_sincos(x[i], &both_s, &both_c);
            same("sin", x[i], 0, s[i], sn_sin(x[i]));
            same("cos", x[i], 0, c[i], sn_cos(x[i]));
            same("sin", x[i], 0, s[i], both_s);
            same("cos", x[i], 0, c[i], both_c);
        }
    }
}

#if LDBL_MANT_DIG > DBL_MANT_DIG
typedef struct Reference {
    const char* name;
    long double (*one)(long double);
    long double (*two)(long double, long double);
} Reference;

// Below 1 ulp and what the C library's own error in long double adds.
static void test_accuracy(void** state)
{
    (void)state;
    const Reference references[] = {{"sin", sinl, 0},     {"cos", cosl, 0},   {"tan", tanl, 0},
                                    {"asin", asinl, 0},   {"acos", acosl, 0}, {"exp", expl, 0},
                                    {"expm1", expm1l, 0}, {"log", logl, 0},   {"log10", log10l, 0},
                                    {"sinh", sinhl, 0},   {"cosh", coshl, 0}, {"tanh", tanhl, 0},
                                    {"asinh", asinhl, 0}, {"cbrt", cbrtl, 0}, {"atan2", 0, atan2l},
                                    {"hypot", 0, hypotl}, {"pow", 0, powl}};
    for (size_t k = 0; k < sizeof references / sizeof references[0]; k++) {
        const Function* f = FUNCTIONS;
        while (strcmp(f->name, references[k].name) != 0) f++;
        Sequence s = {11};
        for (int i = 0; i < 5000; i++) {
            double x, y;
            drawPoint(f, &s, i, &x, &y);
            const long double exact = f->one ? references[k].one(x) : references[k].two(x, y);
            const double nearest = (double)exact, value = valueOf(f, x, y);
            if (isnan(nearest) ? isnan(value) : !isfinite(nearest) ? value == nearest : 0) continue;
            const double ulp = fmax(nextafter(fabs(nearest), INF) - fabs(nearest), LEAST);
            if (fabsl((value - exact) / ulp) < 0.9L) continue;
            print_error("sn_%s(%a, %a) is %a, not %a\n", f->name, x, y, value, nearest);
            fail();
        }
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_many_arcsines),
        cmocka_unit_test(test_special),
        cmocka_unit_test(test_special_atan2),
        cmocka_unit_test(test_special_pow),
        cmocka_unit_test(test_special_hypot),
        cmocka_unit_test(test_larger_and_smaller),
        cmocka_unit_test(test_array),
#if LDBL_MANT_DIG > DBL_MANT_DIG
        cmocka_unit_test(test_accuracy),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
