// Words and bytes in texts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "base/search.h"

static void caseDoesNotMatter(void** state)
{
    (void)state;
    assert_true(sn_isSameWord("", "") && sn_isSameWord("aZ.stl", "Az.STL"));
    assert_false(sn_isSameWord("a", "ab") || sn_isSameWord("ab", "a") || sn_isSameWord("", "a"));
    assert_false(sn_isSameWord("@", "`") || sn_isSameWord("[", "{")); // beside the letters
    assert_false(sn_isSameWord("\xc3\xa9", "\xc3\x89"));
    assert_true(sn_beginsSame("Solid x", "solid", 5) && sn_beginsSame("ab", "AC", 1));
    assert_false(sn_beginsSame("so", "solid", 5) || sn_beginsSame("ab", "ac", 2));
    assert_true(sn_beginsSame("so", "SO", 5) && sn_beginsSame("x", "y", 0));
    assert_true(sn_holdsWord("model/vnd.STL+xml", "stl") && sn_holdsWord("ssst", "SST") &&
                sn_holdsWord("", ""));
    assert_false(sn_holdsWord("st", "stl") || sn_holdsWord("", "a"));
}

static void bytesAreFound(void** state)
{
    (void)state;
    static const char text[] = "aab\0aabc";
    assert_ptr_equal(sn_findBytes(text, 8, "aabc", 4), text + 4);
    assert_ptr_equal(sn_findBytes(text, 8, "ab", 2), text + 1);
    assert_ptr_equal(sn_findBytes(text, 8, "\0", 1), text + 3);
    assert_ptr_equal(sn_findBytes(text, 8, "c", 1), text + 7);
    assert_ptr_equal(sn_findBytes(text, 0, "", 0), text);
    assert_null(sn_findBytes(text, 7, "aabc", 4));
    assert_null(sn_findBytes(text, 8, "abb", 3));
    assert_null(sn_findBytes(text, 0, "a", 1));
    assert_null(sn_findBytes(text, 2, "aab", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(caseDoesNotMatter), cmocka_unit_test(bytesAreFound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
