// The nearest word: distances by hand, thresholds, long words.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "base/nearest.h"

static void test_distance(void** state)
{
    (void)state;
    assert_int_equal(sn_wordDistance("", ""), 0);
    assert_int_equal(sn_wordDistance("", "abc"), 3);
    assert_int_equal(sn_wordDistance("abc", ""), 3);
    assert_int_equal(sn_wordDistance("kitten", "sitting"), 3);
    assert_int_equal(sn_wordDistance("steps", "setps"), 1);
    assert_int_equal(sn_wordDistance("Newton", "newton"), 0);
}

static void test_nearest(void** state)
{
    (void)state;
    const char* const words[] = {"--seconds", "--steps", NULL, "--record"};
    assert_string_equal(sn_nearestWord("--setps", words, 4), "--steps");
    assert_string_equal(sn_nearestWord("--second", words, 4), "--seconds");
    assert_null(sn_nearestWord("--frobnicate", words, 4));
    assert_null(sn_nearestWord("x", words, 0));
}

static void test_long_words(void** state)
{
    (void)state;
    char a[500], b[500];
    memset(a, 'a', sizeof a - 1);
    memset(b, 'b', sizeof b - 1);
    a[499] = b[499] = 0;
    assert_int_equal(sn_wordDistance(a, b), 63);
    const char* const words[] = {b};
    assert_null(sn_nearestWord(a, words, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_long_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
