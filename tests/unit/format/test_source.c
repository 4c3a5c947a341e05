// Compiled models that hold their source: text and files come back, whatever else stands in their sections is
// refused with a sentence. Specs with files in memory are written with a folder beside them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/sinew.h>
#include "base/file.h"
#include "base/memory.h"
#include "base/platform/files.h"
#include "compile/save.h"
#include "model/binary/binary.h"

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
static const char larger[] = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
static const char text[] =
    "<mujoco><compiler meshdir='m'/><asset><mesh file='a/x.obj'/><mesh name='y' file='b/X.obj'/></asset>"
    "<worldbody><body><freejoint/><geom type='mesh' mesh='x'/><geom type='mesh' mesh='y' pos='3 0 "
    "0'/></body></worldbody></mujoco>";

static snSpec* loadSpec(void)
{
    const snAsset assets[] = {{"m/a/x.obj", tetrahedron, sizeof tetrahedron - 1},
                              {"b/X.obj", larger, sizeof larger - 1},
                              {"not used", "", 0}};
    snError error = {0};
    snSpec* spec = sn_loadSpecText(text, strlen(text), assets, 3, NULL, &error);
    if (!spec) fail_msg("%s", error.message);
    return spec;
}

// The same but for the names of files.
static void assertSame(snSpec* a, snSpec* b)
{
    snError error = {0};
    snModel *ma = sn_compile(a, NULL, &error), *mb = sn_compile(b, NULL, &error);
    if (!ma || !mb) fail_msg("%s", error.message);
    assert_int_equal(ma->nmesh, 2);
    assert_int_equal(ma->nmeshvert, mb->nmeshvert);
    assert_memory_equal(ma->mesh_vert, mb->mesh_vert, (size_t)ma->nmeshvert * 3 * sizeof(float));
    assert_memory_equal(ma->body_inertia, mb->body_inertia, (size_t)ma->nbody * 3 * sizeof(double));
    assert_memory_equal(ma->names, mb->names, (size_t)ma->nnames);
    sn_deleteModel(ma);
    sn_deleteModel(mb);
}

static void pathOf(char path[200], const char* name)
{
    snprintf(path, 200, "test_source_%s", name);
}

static void test_bytes_hold_source(void** state)
{
    (void)state;
    char* bytes;
    size_t size;
    snSpec* spec = loadSpec();
    assert_int_equal(sn_packSpec(spec, &bytes, &size, NULL, NULL), SN_STATUS_OK);
    snBinary binary;
    snSection section;
    snAsset* files;
    int n;
    assert_int_equal(sn_openBinary(bytes, size, NULL, &binary, NULL), SN_STATUS_OK);
    assert_true(sn_findSection(&binary, SN_BINARY_FILES, &section));
    assert_int_equal(sn_unpackFilesSection(&section, NULL, &files, &n, NULL), SN_STATUS_OK);
    assert_int_equal(n, 2); // capital letters are no difference on every disk
    assert_string_equal(files[0].name, "x.obj");
    assert_string_equal(files[1].name, "1_X.obj");
    assert_true(files[1].size == sizeof larger - 1 && !memcmp(files[1].data, larger, files[1].size));
    sn_free(files);
    snSpec* back = sn_loadSpecText(bytes, size, NULL, 0, NULL, NULL);
    memset(bytes, 0, size); // the spec has its own copy
    assert_non_null(back);
    assertSame(spec, back);
    sn_free(bytes);
    sn_deleteSpec(back);
    sn_deleteSpec(spec);
}

static void test_no_source(void** state)
{
    (void)state;
    char path[200];
    pathOf(path, "bare.snb");
    snSpec* spec = loadSpec();
    snModel* m = sn_compile(spec, NULL, NULL);
    assert_int_equal(sn_saveModel(m, path, NULL), SN_STATUS_OK);
    snError error = {0};
    assert_null(sn_loadSpec(path, NULL, 0, NULL, &error));
    assert_int_equal(error.status, SN_STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.message, "holds no source"));
    assert_non_null(strstr(error.message, path));
    sn_removeFile(path);
    sn_deleteModel(m);
    sn_deleteSpec(spec);
}

// A model of another Sinew cannot be read, its source can.
static void test_source_of_another_layout(void** state)
{
    (void)state;
    enum { LAYOUT = 32 };
    char* bytes;
    size_t size;
    snSpec* spec = loadSpec();
    assert_int_equal(sn_packSpec(spec, &bytes, &size, NULL, NULL), SN_STATUS_OK);
    bytes[LAYOUT]++;
    sn_sealBinary(bytes, size);
    assert_null(sn_loadModelBytes(bytes, size, NULL, NULL));
    snSpec* back = sn_loadSpecText(bytes, size, NULL, 0, NULL, NULL);
    assert_non_null(back);
    assertSame(spec, back);
    sn_free(bytes);
    sn_deleteSpec(back);
    sn_deleteSpec(spec);
}

// ---- sections that lie

static void refusedFiles(const void* bytes, size_t size)
{
    char* exact = malloc(size ? size : 1); // of this length, so that a sanitizer sees a read beyond it
    if (size) memcpy(exact, bytes, size);
    const snSection section = {SN_BINARY_FILES, exact, size};
    snAsset* files;
    int n;
    snError error = {0};
    assert_int_equal(sn_unpackFilesSection(&section, "f.snb", &files, &n, &error), SN_STATUS_SYNTAX);
    assert_true(!files && n == 0 && strstr(error.message, "file") != NULL);
    free(exact);
}

static size_t someFiles(char* bytes, const char* name)
{
    const snAsset files[] = {{"first.obj", tetrahedron, sizeof tetrahedron - 1}, {name, "12345", 5}};
    sn_packFilesSection(files, 2, bytes);
    return sn_filesSectionSize(files, 2);
}

static void test_files_cut_off(void** state)
{
    (void)state;
    char bytes[1000];
    const size_t size = someFiles(bytes, "second.png");
    for (size_t n = 0; n < size; n++) refusedFiles(bytes, n);
    memset(bytes + size, 0, 8);
    refusedFiles(bytes, size + 8);
}

static void test_bad_names(void** state)
{
    (void)state;
    char bytes[1000], longest[400];
    memset(longest, 'a', sizeof longest);
    longest[SN_BINARY_NAME_LIMIT + 1] = 0;
    const char* names[] = {"",     ".",         "..",   "/etc/passwd", "../up.obj", "a/b.obj",
                           "a\\b", "new\nline", "\x7f", "a/",          longest};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) refusedFiles(bytes, someFiles(bytes, names[i]));
    const size_t size = someFiles(bytes, "second.png");
    char* name = memchr(bytes, 's', size);
    while (memcmp(name, "second", 6) != 0) name++;
    name[3] = 0; // ends before its length does
    refusedFiles(bytes, size);
    name[3] = 'o';
    name[10] = 'x'; // does not end where its length says
    refusedFiles(bytes, size);
}

// Any number in place of counts and lengths: refused, or all that comes out lies inside.
static void test_lying_numbers(void** state)
{
    (void)state;
    char bytes[1000];
    const size_t size = someFiles(bytes, "second.png");
    static const uint32_t words[] = {0,   1,           2,           3,           7,          8,
                                     100, 0x7fffffffu, 0x80000000u, 0xffffffffu, 0xfffffff8u};
    int refused = 0;
    for (size_t i = 0; i + 4 <= size; i += 4)
        for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
            char* exact = malloc(size);
            memcpy(exact, bytes, size);
            memcpy(exact + i, &words[w], 4);
            const snSection section = {SN_BINARY_FILES, exact, size};
            snAsset* files;
            int n;
            const snStatus status = sn_unpackFilesSection(&section, NULL, &files, &n, NULL);
            refused += status != SN_STATUS_OK;
            for (int k = 0; !status && k < n; k++) {
                const char* data = files[k].data;
                assert_true(data >= exact && files[k].size <= size && data + files[k].size <= exact + size);
                assert_true(strlen(files[k].name) > 0);
            }
            sn_free(files);
            free(exact);
        }
    assert_true(refused > 50);
    // a length that, rounded up to 8 bytes, becomes 0
    const size_t last = size - 8 - 16 - 8; // contents, name, length
    uint64_t length;
    memcpy(&length, bytes + last, sizeof length);
    assert_int_equal(length, 5);
    memset(bytes + last, 0xff, sizeof length);
    refusedFiles(bytes, size);
    refusedFiles(bytes, size - 8);
}

// Whole files, cut off and changed under a right checksum: a spec or a sentence.
static void test_changed_files(void** state)
{
    (void)state;
    enum { SIZE = 40 };
    char* bytes;
    size_t size;
    snSpec* spec = loadSpec();
    assert_int_equal(sn_packSpec(spec, &bytes, &size, NULL, NULL), SN_STATUS_OK);
    sn_deleteSpec(spec);
    snBinary binary;
    snSection source;
    assert_int_equal(sn_openBinary(bytes, size, NULL, &binary, NULL), SN_STATUS_OK);
    assert_true(sn_findSection(&binary, SN_BINARY_SOURCE, &source));
    const size_t first = (size_t)((const char*)source.data - bytes);
    int specs = 0, refused = 0;
    for (size_t i = first; i < size; i += 3) {
        snError error = {0};
        bytes[i] ^= (char)(1 << i % 7);
        assert_null(sn_loadSpecText(bytes, size, NULL, 0, NULL, &error));
        assert_non_null(strstr(error.message, "checksum"));
        sn_sealBinary(bytes, size);
        snSpec* back = sn_loadSpecText(bytes, size, NULL, 0, NULL, &error);
        assert_true(back || error.message[0]);
        specs += back != NULL;
        refused += back == NULL;
        sn_deleteSpec(back);
        bytes[i] ^= (char)(1 << i % 7);
    }
    assert_true(specs > 10 && refused > 10);
    for (size_t n = 0; n < size; n += 61) {
        char* part = malloc(n ? n : 1);
        memcpy(part, bytes, n);
        if (n > SIZE + 24) {
            const uint64_t length = n;
            memcpy(part + SIZE, &length, sizeof length);
            sn_sealBinary(part, n);
        }
        assert_null(sn_loadSpecText(part, n, NULL, 0, NULL, NULL));
        free(part);
    }
    sn_free(bytes);
}

// ---- on disk

static void put(const char* path, const char* contents)
{
    assert_int_equal(sn_writeFile(path, contents, strlen(contents), NULL), SN_STATUS_OK);
}

static void assertHolds(const char* path, const char* contents)
{
    char* data;
    size_t size;
    assert_int_equal(sn_readFile(path, &data, &size, NULL), SN_STATUS_OK);
    assert_string_equal(data, contents);
    sn_free(data);
}

static void count(const char* name, void* user)
{
    *(int*)user += strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static bool isEmpty(const char* folder)
{
    int names = 0;
    sn_listFolder(folder, count, &names);
    return sn_exists(folder) && !names;
}

static void test_folder_beside(void** state)
{
    (void)state;
    char path[200], folder[200], x[200], y[200];
    pathOf(path, "out.xml");
    pathOf(folder, "out_assets");
    pathOf(x, "out_assets/x.obj");
    pathOf(y, "out_assets/1_X.obj");
    snError error = {0};
    snSpec* spec = loadSpec();
    if (sn_saveSpec(spec, path, NULL, &error)) fail_msg("%s", error.message);
    assertHolds(x, tetrahedron);
    assertHolds(y, larger);
    snSpec* back = sn_loadSpec(path, NULL, 0, NULL, &error);
    if (!back) fail_msg("%s", error.message);
    assertSame(spec, back);
    // files that stand there stay what they are, and keep their names when others come along
    assert_int_equal(sn_saveSpec(back, path, NULL, &error), SN_STATUS_OK);
    const snAsset third = {"q/x.obj", tetrahedron, sizeof tetrahedron - 1};
    sn_addAsset(back, &third, NULL);
    snElement* asset = sn_section(back, "asset", NULL);
    snElement* mesh = sn_addElement(back, asset, "mesh", "z", NULL);
    assert_int_equal(sn_setText(back, mesh, "file", "q/x.obj", NULL), SN_STATUS_OK);
    put(x, larger);
    if (sn_saveSpec(back, path, NULL, &error)) fail_msg("%s", error.message);
    assertHolds(x, larger);
    assertHolds(y, larger);
    char z[200];
    pathOf(z, "out_assets/2_x.obj");
    assertHolds(z, tetrahedron);
    sn_deleteSpec(back);
    sn_deleteSpec(spec);
    sn_removeFile(x);
    sn_removeFile(y);
    sn_removeFile(z);
    sn_removeFile(path);
    assert_true(isEmpty(folder));
}

// A file in memory comes first in the text, one on disk has its name already.
static void test_name_of_a_file_on_disk(void** state)
{
    (void)state;
    char path[200], folder[200], x[200], other[200], xml[600];
    pathOf(path, "n.xml");
    pathOf(folder, "n_assets");
    pathOf(x, "n_assets/x.obj");
    pathOf(other, "n_assets/1_x.obj");
    assert_int_equal(sn_makeFolder(folder, NULL), SN_STATUS_OK);
    assert_int_equal(sn_makeFolder(folder, NULL), SN_STATUS_OK);
    put(x, larger);
    snprintf(xml, sizeof xml,
             "<mujoco><asset><mesh name='a' file='m/x.obj'/><mesh name='b' file='%s'/></asset></mujoco>", x);
    const snAsset asset = {"m/x.obj", tetrahedron, sizeof tetrahedron - 1};
    snError error = {0};
    snSpec* spec = sn_loadSpecText(xml, strlen(xml), &asset, 1, NULL, &error);
    if (!spec || sn_saveSpec(spec, path, NULL, &error)) fail_msg("%s", error.message);
    assertHolds(x, larger);
    assertHolds(other, tetrahedron);
    snSpec* back = sn_loadSpec(path, NULL, 0, NULL, &error);
    if (!back) fail_msg("%s", error.message);
    assertSame(spec, back);
    sn_deleteSpec(back);
    sn_deleteSpec(spec);
    sn_removeFile(x);
    sn_removeFile(other);
    sn_removeFile(path);
    assert_true(isEmpty(folder));
}

// Where the folder cannot be made nothing is written.
static void test_no_folder(void** state)
{
    (void)state;
    char path[200], folder[200];
    pathOf(path, "f.xml");
    pathOf(folder, "f_assets");
    put(folder, "a file");
    snError error = {0};
    snSpec* spec = loadSpec();
    assert_int_equal(sn_saveSpec(spec, path, NULL, &error), SN_STATUS_FILE);
    assert_non_null(strstr(error.message, folder));
    assert_non_null(strstr(error.message, "there is a file of this name"));
    assert_false(sn_exists(path));
    assert_int_equal(sn_saveSpec(spec, "/nowhere/at/all.xml", NULL, &error), SN_STATUS_FILE);
    assert_int_equal(sn_saveSpec(spec, NULL, NULL, &error), SN_STATUS_ARGUMENT);
    assert_int_equal(sn_saveSpecBinary(spec, NULL, NULL, &error), SN_STATUS_ARGUMENT);
    assert_int_equal(sn_saveSpecBinary(spec, "/nowhere/at/all.snb", NULL, &error), SN_STATUS_FILE);
    sn_removeFile(folder);
    sn_deleteSpec(spec);
}

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static int countdown(size_t size, void* user)
{
    (void)size;
    return (*(int*)user)-- > 0;
}

static void test_failing_allocations(void** state)
{
    (void)state;
    char path[200];
    pathOf(path, "memory.snb");
    snError error = {0};
    int left = 0;
    for (int n = 0, done = 0; !done; n += n < 200 ? 1 : 17) {
        snSpec* spec = loadSpec();
        left = n;
        sn_setAllocHook(countdown, &left);
        const snStatus status = sn_saveSpec(spec, path, NULL, &error);
        sn_setAllocHook(NULL, NULL);
        assert_true(status == SN_STATUS_OK || error.status == SN_STATUS_NO_MEMORY);
        done = status == SN_STATUS_OK;
        sn_deleteSpec(spec);
    }
    snSpec* back = NULL;
    for (int n = 0; !back; n++) {
        left = n;
        sn_setAllocHook(countdown, &left);
        back = sn_loadSpec(path, NULL, 0, NULL, &error);
        sn_setAllocHook(NULL, NULL);
        assert_true(back || error.status == SN_STATUS_NO_MEMORY);
    }
    sn_deleteSpec(back);
    sn_removeFile(path);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_hold_source),
        cmocka_unit_test(test_no_source),
        cmocka_unit_test(test_source_of_another_layout),
        cmocka_unit_test(test_files_cut_off),
        cmocka_unit_test(test_bad_names),
        cmocka_unit_test(test_lying_numbers),
        cmocka_unit_test(test_changed_files),
        cmocka_unit_test(test_folder_beside),
        cmocka_unit_test(test_name_of_a_file_on_disk),
        cmocka_unit_test(test_no_folder),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(test_failing_allocations),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
