// Errors, allocation and the arena.
#include <sinew/sinew.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "model/arena.h"

static void statusTextsAreThere(void** state)
{
    (void)state;
    for (int i = 0; i <= SN_STATUS_ARGUMENT; i++) assert_true(strlen(sn_statusText((snStatus)i)) > 3);
    assert_string_equal(sn_statusText((snStatus)99), "unknown status");
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SN_VERSION_MAJOR, SN_VERSION_MINOR, SN_VERSION_PATCH);
    assert_string_equal(sn_version(), version);
}

static void errorsKeepTheirPlace(void** state)
{
    (void)state;
    snError error;
    assert_int_equal(sn_failAt(&error, SN_STATUS_MODEL, "a.xml", 7, "bad <%s>", "geom"), SN_STATUS_MODEL);
    assert_string_equal(error.message, "bad <geom> at a.xml:7");
    assert_int_equal(error.line, 7);
    assert_string_equal(error.file, "a.xml");
    sn_failAt(&error, SN_STATUS_FILE, "a.xml", 0, "no such file");
    assert_string_equal(error.message, "no such file at a.xml");
    sn_fail(&error, SN_STATUS_ARGUMENT, "%d", 5);
    assert_string_equal(error.message, "5");
    assert_int_equal(error.line, 0);
    assert_string_equal(error.file, "");
    assert_int_equal(sn_fail(NULL, SN_STATUS_MODEL, "x"), SN_STATUS_MODEL);
}

static void longErrorsAreCut(void** state)
{
    (void)state;
    char text[3000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    snError error;
    sn_failAt(&error, SN_STATUS_MODEL, text, 3, "%s", text);
    assert_true(strlen(error.message) < sizeof error.message);
    assert_true(strlen(error.file) < sizeof error.file);
}

// What a terminal would obey is written out; the rest of Unicode stays.
static void errorsHoldNoControlCharacters(void** state)
{
    (void)state;
    snError error;
    sn_failAt(&error, SN_STATUS_MODEL, "a\x1b]0;\n.xml", 7, "no '%s'\nand more",
              "\x1b[1m\x7f\r\xc2\x9b\xff\t\xe4\xbe\x8b");
    assert_string_equal(error.message, "no '\\x1b[1m\\x7f\\x0d\\xc2\\x9b\\xff\t\xe4\xbe\x8b'\nand more at "
                                       "a\\x1b]0;\\x0a.xml:7");
    assert_string_equal(error.file, "a\x1b]0;\n.xml"); // for programs, to open it
    sn_fail(&error, SN_STATUS_FILE, "%s", "\x1b");
    assert_string_equal(error.message, "\\x1b");
    char few[8];
    static const char* const cut[] = {"", "", "", "", "\\x1b", "\\x1ba", "\\x1bab", "\\x1bab"};
    for (size_t size = 1; size <= sizeof few; size++) {
        sn_printable(few, size,
                     "\x1b"
                     "ab\xc3\xa9",
                     false);
        assert_string_equal(few, cut[size - 1]);
    }
}

// Direction, width, lines, tags; what is seen stays.
static void unseenCharactersAreShown(void** state)
{
    (void)state;
    char text[400];
    sn_printable(text, sizeof text,
                 "\xe2\x80\xae|\xe2\x81\xa6|\xd8\x9c|\xe2\x80\x8b|\xe2\x81\xa0|\xef\xbb\xbf|\xe2\x80\xa8|"
                 "\xf3\xa0\x81\x81|\xc2\xad|\xef\xb8\x8f|\xf0\x9f\xa4\x96|\xd7\x90|\xe2\x80\x90",
                 false);
    assert_string_equal(text, "\\u202e|\\u2066|\\u061c|\\u200b|\\u2060|\\ufeff|\\u2028|\\U000e0041|\\u00ad|"
                              "\\ufe0f|\xf0\x9f\xa4\x96|\xd7\x90|\xe2\x80\x90");
}

static void reallocKeepsContents(void** state)
{
    (void)state;
    char* p = sn_malloc(10);
    memcpy(p, "123456789", 10);
    p = sn_realloc(p, 10, 5000);
    assert_string_equal(p, "123456789");
    p = sn_realloc(p, 5000, 4);
    assert_memory_equal(p, "1234", 4);
    assert_true((size_t)p % SN_ALIGN == 0);
    sn_free(p);
    sn_free(NULL);
    assert_null(sn_malloc((size_t)-1));
}

static int sizes[128];

static snModel* smallModel(size_t narena)
{
    int count;
    const char* const* names = sn_modelSizes(&count);
    for (int i = 0; i < count; i++) sizes[i] = !strcmp(names[i], "nbody") || !strcmp(names[i], "nnames");
    snModel* m = sn_makeModel(sizes, NULL);
    if (m) m->narena = narena;
    return m;
}

static void arenaNeverOverflows(void** state)
{
    (void)state;
    snModel* m = smallModel(1024);
    snData* d = sn_makeData(m);
    char* a = sn_arenaAlloc(d, 100);
    char* s = sn_scratchAlloc(d, 100);
    assert_true(a >= (char*)d->arena && s + 100 <= (char*)d->arena + d->narena && a + 100 <= s);
    assert_null(sn_arenaAlloc(d, 1024));
    assert_null(sn_scratchAlloc(d, (size_t)-1));
    assert_null(sn_scratchAlloc(d, (size_t)-70));
    const size_t mark = sn_scratchMark(d);
    assert_non_null(sn_scratchReal(d, 16));
    assert_non_null(sn_scratchInt(d, 16));
    sn_scratchRelease(d, mark);
    assert_non_null(sn_arenaAlloc(d, 1024 - 256));
    assert_null(sn_scratchAlloc(d, 1));
    assert_true(d->maxuse_arena == 1024);
    sn_arenaClear(d);
    assert_non_null(sn_scratchAlloc(d, 1));
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void optionsAreLookedAt(void** state)
{
    (void)state;
    snOption opt;
    snError error;
    sn_defaultOption(&opt);
    assert_int_equal(sn_checkOption(&opt, NULL, &error), SN_STATUS_OK);
    int count;
    const snOptionField* fields = sn_optionFields(&count);
    for (int i = 0; i < count; i++) {
        const bool bits = !strncmp(fields[i].meaning, "bits", 4);
        for (int k = 0; k < fields[i].count; k++) {
            sn_defaultOption(&opt);
            char* at = (char*)&opt + fields[i].offset;
            if (*fields[i].type == 'd')
                ((double*)(void*)at)[k] = k % 2 ? (double)INFINITY : (double)NAN;
            else
                *(int*)(void*)at = -3;
            assert_int_equal(sn_checkOption(&opt, fields[i].name, &error),
                             bits ? SN_STATUS_OK : SN_STATUS_ARGUMENT);
            assert_int_equal(sn_checkOption(&opt, NULL, &error), bits ? SN_STATUS_OK : SN_STATUS_ARGUMENT);
            assert_int_equal(sn_checkOption(&opt, i ? "timestep" : "impratio", &error), SN_STATUS_OK);
        }
    }
    sn_defaultOption(&opt);
    opt.integrator = 99;
    sn_checkOption(&opt, NULL, &error);
    assert_string_equal(error.message,
                        "option integrator is 99, must be one of: Euler (0), RK4 (1), implicit (2), "
                        "implicitfast (3), discrete (4)");
    opt.integrator = SN_INT_IMPLICITFAST;
    opt.cone = 2;
    assert_int_equal(sn_checkOption(&opt, "cone", &error), SN_STATUS_ARGUMENT);
    opt.cone = 1;
    opt.timestep = 0;
    sn_checkOption(&opt, NULL, &error);
    assert_string_equal(error.message, "option timestep is 0, must be positive");
}

// What cannot hold together is told whichever of the two is asked about, and of no other.
static void rigidContactRefusesWhatItHasNot(void** state)
{
    (void)state;
    snOption opt;
    snError error;
    static const char* const names[] = {"integrator", "noslip_iterations", "enableflags"};
    for (int i = 0; i < 3; i++) {
        sn_defaultOption(&opt);
        opt.contact = SN_CONTACT_LCP;
        assert_int_equal(sn_checkOption(&opt, NULL, &error), SN_STATUS_OK);
        if (i == 0) opt.integrator = SN_INT_RK4;
        if (i == 1) opt.noslip_iterations = 2;
        if (i == 2) opt.enableflags = SN_ENBL_FWDINV | SN_ENBL_ENERGY;
        const char* const asked[] = {NULL, "contact", names[i]};
        for (int k = 0; k < 3; k++) {
            assert_int_equal(sn_checkOption(&opt, asked[k], &error), SN_STATUS_ARGUMENT);
            assert_non_null(strstr(error.message, "contact to soft"));
        }
        assert_int_equal(sn_checkOption(&opt, "timestep", &error), SN_STATUS_OK);
        opt.contact = SN_CONTACT_SOFT;
        assert_int_equal(sn_checkOption(&opt, NULL, &error), SN_STATUS_OK);
    }
}

// Omega 0 belongs to Jacobi's methods; a change of the method is refused as that of omega is.
static void relaxationHangsOnTheMethod(void** state)
{
    (void)state;
    snOption opt;
    for (int method = 0; method <= SN_LCP_DIRECT; method++) {
        const bool jacobi = method == SN_LCP_JACOBI || method == SN_LCP_BLOCKJACOBI;
        sn_defaultOption(&opt);
        opt.lcp_omega = 0;
        opt.lcp_method = method;
        const char* const asked[] = {NULL, "lcp_omega", "lcp_method"};
        for (int k = 0; k < 3; k++)
            assert_int_equal(sn_checkOption(&opt, asked[k], NULL),
                             jacobi ? SN_STATUS_OK : SN_STATUS_ARGUMENT);
    }
}

static void aFullArenaSaysWhatToDo(void** state)
{
    (void)state;
    snModel* m = smallModel(1500);
    snData* d = sn_makeData(m);
    char text[256] = "before";
    sn_warningText(d, SN_WARN_CNSTRFULL, text, sizeof text);
    assert_string_equal(text, "");
    sn_warn(d, SN_WARN_CNSTRFULL, 0);
    sn_warningText(d, SN_WARN_CNSTRFULL, text, sizeof text);
    assert_non_null(strstr(text, "constraint rows dropped: the arena is full: 1 time; its "));
    assert_non_null(strstr(text, "give the model more, <size memory=\"3K\"/>"));
    sn_warn(d, SN_WARN_BADQVEL, 3);
    sn_warn(d, SN_WARN_BADQVEL, 3);
    sn_warningText(d, SN_WARN_BADQVEL, text, sizeof text);
    assert_string_equal(text, "NaN, infinite or huge number in qvel: 2 times");
    for (size_t size = 1; size < sizeof text; size++) {
        sn_warningText(d, SN_WARN_CNSTRFULL, text, size);
        assert_true(strlen(text) < size);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void badSizesAreErrors(void** state)
{
    (void)state;
    snError error;
    sn_deleteModel(smallModel(0));
    sizes[0] = -1;
    assert_null(sn_makeModel(sizes, &error));
    assert_int_equal(error.status, SN_STATUS_ARGUMENT);
    int count;
    sn_modelSizes(&count);
    for (int i = 0; i < count; i++) sizes[i] = 0x7fffffff;
    assert_null(sn_makeModel(sizes, &error));
    assert_int_equal(error.status, SN_STATUS_ARGUMENT);
}

#ifdef SN_TEST_HOOKS
static int refuse(size_t size, void* user)
{
    (void)size;
    int* left = user;
    return (*left)-- > 0;
}

// The N-th allocation fails: NULL comes back and nothing leaks (the sanitizer pass looks).
static void failingAllocationIsClean(void** state)
{
    (void)state;
    for (int n = 0; n < 5; n++) {
        int left = n;
        sn_setAllocHook(refuse, &left);
        snModel* m = smallModel(256);
        snData* d = m ? sn_makeData(m) : NULL;
        sn_setAllocHook(NULL, NULL);
        assert_true((m != NULL) == (n >= 2) && (d != NULL) == (n >= 5));
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statusTextsAreThere),        cmocka_unit_test(errorsKeepTheirPlace),
        cmocka_unit_test(longErrorsAreCut),           cmocka_unit_test(unseenCharactersAreShown),
        cmocka_unit_test(reallocKeepsContents),       cmocka_unit_test(errorsHoldNoControlCharacters),
        cmocka_unit_test(optionsAreLookedAt),         cmocka_unit_test(rigidContactRefusesWhatItHasNot),
        cmocka_unit_test(relaxationHangsOnTheMethod), cmocka_unit_test(aFullArenaSaysWhatToDo),
        cmocka_unit_test(arenaNeverOverflows),        cmocka_unit_test(badSizesAreErrors),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(failingAllocationIsClean),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
