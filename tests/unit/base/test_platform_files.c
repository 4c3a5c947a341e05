// Files by names of any letters: what is written is read, takes the place of what is there, and is found
// again whatever way its name is written.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/file.h"
#include "base/memory.h"
#include "base/platform/files.h"

// With a blank, letters of three alphabets, one of them outside of UTF-16's first plane.
static const char folder[] = "platform t\xc3\xa9st \xe7\x89\xa9\xe7\x90\x86 \xf0\x9f\xa4\x96";

static const char* inFolder(const char* name)
{
    static char path[8][400];
    static int turn;
    turn = (turn + 1) % 8;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int makeFolder(void** state)
{
    (void)state;
    return sn_makeFolder(folder, NULL) ? -1 : 0;
}

static void holds(const char* path, const char* text)
{
    char* data;
    size_t size;
    snError error = {0};
    assert_int_equal(sn_readFile(path, &data, &size, &error), SN_STATUS_OK);
    assert_int_equal(size, strlen(text));
    assert_string_equal(data, text);
    sn_free(data);
}

static void anyNameIsAName(void** state)
{
    (void)state;
    const char* path = inFolder("a \xc3\xbc.txt");
    assert_false(sn_exists(path));
    assert_int_equal(sn_writeFile(path, "one\n", 4, NULL), SN_STATUS_OK);
    assert_true(sn_exists(path));
    holds(path, "one\n");
    snFileInfo info;
    assert_int_equal(sn_fileInfo(path, &info), 0);
    assert_true(info.kind == SN_FILE_REGULAR && info.size == 4);
    assert_int_equal(sn_fileInfo(folder, &info), 0);
    assert_int_equal(info.kind, SN_FILE_FOLDER);
    assert_int_equal(sn_fileInfo(inFolder("none"), &info), ENOENT);
    assert_int_equal(sn_createFolder(folder), EEXIST);
    snError error = {0};
    char* data;
    size_t size;
    assert_int_equal(sn_readFile(folder, &data, &size, &error), SN_STATUS_FILE);
    assert_non_null(strstr(error.message, "it is a folder"));
    assert_int_equal(sn_readFile(inFolder("none"), &data, &size, &error), SN_STATUS_FILE);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(sn_removeFile(path), 0);
    assert_false(sn_exists(path));
}

static void oneTakesThePlaceOfAnother(void** state)
{
    (void)state;
    const char *old = inFolder("old"), *new = inFolder("new");
    assert_int_equal(sn_writeFile(old, "old", 3, NULL), SN_STATUS_OK);
    assert_int_equal(sn_writeFile(new, "longer", 6, NULL), SN_STATUS_OK);
    assert_int_equal(sn_renameOver(new, old), 0);
    holds(old, "longer");
    assert_false(sn_exists(new));
    assert_int_equal(sn_renameOver(new, old), ENOENT);
    holds(old, "longer");
    assert_int_equal(sn_createNew(old), -1);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(sn_writeFile(old, "", 0, NULL), SN_STATUS_OK);
    holds(old, "");
    assert_int_equal(sn_removeFile(old), 0);
    assert_int_equal(sn_removeFile(old), ENOENT);
}

// No end of line becomes another, and what is patched leaves the end where it was.
static void bytesAreAsTheyAre(void** state)
{
    (void)state;
    const char* path = inFolder("bytes");
    snOutput output;
    assert_int_equal(sn_openOutput(&output, path, NULL), SN_STATUS_OK);
    assert_int_equal(sn_writeOutput(&output, "a\r\nb\n\x1a", 6, NULL), SN_STATUS_OK);
    assert_int_equal(sn_patchOutput(&output, 0, "A", 1, NULL), SN_STATUS_OK);
    assert_int_equal(sn_writeOutput(&output, "end", 3, NULL), SN_STATUS_OK);
    assert_false(sn_exists(path));
    assert_int_equal(sn_closeOutput(&output, true, NULL), SN_STATUS_OK);
    holds(path, "A\r\nb\n\x1a"
                "end");
    FILE* stream = sn_openStream(path, "ab");
    assert_non_null(stream);
    assert_true(fputs("\n!", stream) >= 0);
    assert_int_equal(fclose(stream), 0);
    holds(path, "A\r\nb\n\x1a"
                "end\n!");
    stream = sn_openStream(path, "rb");
    assert_non_null(stream);
    assert_true(sn_seekStream(stream, 3));
    assert_int_equal(getc(stream), 'b');
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(sn_removeFile(path), 0);
    assert_null(sn_openStream(path, "rb"));
}

static void aRealPathIsOne(void** state)
{
    (void)state;
    char here[SN_PATH_SIZE], real[SN_PATH_SIZE], again[SN_PATH_SIZE], way[SN_PATH_SIZE];
    assert_true(sn_currentFolder(here));
    assert_true(sn_realPath(".", real));
    assert_true(sn_rootSize(real) > 0 && sn_rootSize(here) > 0);
    assert_int_equal(sn_rootSize("a/b"), 0);
    assert_int_equal(sn_rootSize(""), 0);
    assert_int_equal(sn_rootSize("/a"), 1);
    snprintf(way, sizeof way, "%s/../%s/.", folder, folder);
    assert_true(sn_realPath(folder, real) && sn_realPath(way, again));
    assert_string_equal(real, again);
    assert_string_equal(sn_baseName(real), folder);
    assert_true(sn_isBelow("", real) && !sn_isBelow(folder, real) && !sn_isBelow(folder, here));
    assert_false(sn_realPath(inFolder("none"), real));
    assert_string_equal(sn_baseName("a/b"), "b");
    assert_null(sn_lastSlash("b"));
}

typedef struct Names {
    int count, found;
} Names;

static void count(const char* name, void* user)
{
    Names* names = user;
    names->count++;
    names->found += !strcmp(name, "\xc3\xb1") || !strcmp(name, "b c");
}

static void aFolderListsItsFiles(void** state)
{
    (void)state;
    Names names = {0};
    assert_int_equal(sn_writeFile(inFolder("\xc3\xb1"), "", 0, NULL), SN_STATUS_OK);
    assert_int_equal(sn_writeFile(inFolder("b c"), "", 0, NULL), SN_STATUS_OK);
    sn_listFolder(folder, count, &names);
    assert_int_equal(names.found, 2);
    assert_int_equal(names.count, 4); // "." and "..", too
    sn_listFolder(inFolder("none"), count, &names);
    assert_int_equal(names.count, 4);
    assert_int_equal(sn_removeFile(inFolder("\xc3\xb1")), 0);
    assert_int_equal(sn_removeFile(inFolder("b c")), 0);
}

static void whatIsPrintedIsCaptured(void** state)
{
    (void)state;
    snCapture capture;
    assert_true(sn_beginCapture(&capture));
    for (int i = 0; i < 10000; i++) assert_true(fprintf(capture.file, "%04d\n", i) == 5);
    sn_endCapture(&capture);
    assert_non_null(capture.text);
    assert_int_equal(capture.size, 50000);
    assert_int_equal(strlen(capture.text), 50000);
    assert_memory_equal(capture.text + 5 * 1234, "1234\n", 5);
    free(capture.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anyNameIsAName),       cmocka_unit_test(oneTakesThePlaceOfAnother),
        cmocka_unit_test(bytesAreAsTheyAre),    cmocka_unit_test(aRealPathIsOne),
        cmocka_unit_test(aFolderListsItsFiles), cmocka_unit_test(whatIsPrintedIsCaptured),
    };
    return cmocka_run_group_tests(tests, makeFolder, NULL);
}
