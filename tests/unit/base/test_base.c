// Errors, allocation and the arena.
#include <sinew/sinew.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/error.h"
#include "base/memory.h"
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
        cmocka_unit_test(statusTextsAreThere),      cmocka_unit_test(errorsKeepTheirPlace),
        cmocka_unit_test(longErrorsAreCut),         cmocka_unit_test(reallocKeepsContents),
        cmocka_unit_test(arenaNeverOverflows),      cmocka_unit_test(badSizesAreErrors),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(failingAllocationIsClean),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
