// Lanes of doubles have the bits of the elementary functions.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include "../math/elementary_points.h"
#include "lane_elementary.h"

extern const TestLaneElementary testLaneElementary_8d, testLaneElementary_4d, testLaneElementary_2d;

static const struct {
    const TestLaneElementary* lane;
    const char* needs;
} WIDTHS[] = {
#ifdef SN_LANES_8d
    {&testLaneElementary_8d, "avx512dq"},
#endif
#ifdef SN_LANES_4d
    {&testLaneElementary_4d, "avx2"},
#endif
#ifdef SN_LANES_2d
    {&testLaneElementary_2d, ""},
#endif
    {0, 0},
};

static int processorHas(const char* what)
{
#if defined(__x86_64__)
    if (!strcmp(what, "avx512dq")) return __builtin_cpu_supports("avx512dq");
    if (!strcmp(what, "avx2")) return __builtin_cpu_supports("avx2");
#endif
    return !*what;
}

static void scalars(double x, double y, double out[ELEMENTARY_COUNT])
{
    double s, c;
    sn_sincos(x, &s, &c);
    const double results[ELEMENTARY_COUNT] = {
        sn_sin(x),    sn_cos(x),    s,           c,         sn_tan(x),      sn_asin(x),
        sn_acos(x),   sn_exp(x),    sn_expm1(x), sn_log(x), sn_atan2(x, y), sn_pow(x, y),
        sn_max(x, y), sn_min(x, y),
    };
    memcpy(out, results, sizeof results);
}

static void test_bits(void** state)
{
    (void)state;
    for (int w = 0; WIDTHS[w].lane; w++) {
        const TestLaneElementary* lane = WIDTHS[w].lane;
        if (!processorHas(WIDTHS[w].needs)) continue;
        Sequence sequence = {13};
        for (int i = 0; i < 6000; i++) {
            double x[16], y[16], out[ELEMENTARY_COUNT][16], wanted[ELEMENTARY_COUNT];
            for (int l = 0; l < lane->lanes; l++) {
                x[l] = draw(&sequence, (Range)(i % RANGES));
                y[l] = draw(&sequence, (Range)(i / RANGES % RANGES));
            }
            lane->all(x, y, out);
            for (int l = 0; l < lane->lanes; l++) {
                scalars(x[l], y[l], wanted);
                for (int k = 0; k < ELEMENTARY_COUNT; k++) {
                    if (toBits(out[k][l]) == toBits(wanted[k])) continue;
                    print_error("%d lanes, function %d of (%a, %a): %a, not %a\n", lane->lanes, k, x[l], y[l],
                                out[k][l], wanted[k]);
                    fail();
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
