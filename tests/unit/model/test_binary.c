// Models as bytes: the same to the last bit after a round trip; bytes that are cut off, changed or lie about
// their lengths are refused with a sentence, and nothing larger than the bytes is asked for.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include <sinew/sinew.h>
#include "base/memory.h"
#include "model/binary/binary.h"
#include "model_text.h"

enum { HEADER = 64, ENTRY = 24, ORDER = 8, FORMAT = 12, VERSION = 16, LAYOUT = 32, SIZE = 40, COUNT = 56 };

static const char text[] =
    "<mujoco model='arm'><option timestep='.003' integrator='implicitfast'/><visual><rgba fog='.1 .2 .3 "
    "1'/></visual>"
    "<worldbody><geom type='plane' size='1 1 1'/><body name='ball' pos='0 0 .3'><freejoint/><geom "
    "size='.1'/></body>"
    "<body name='arm' pos='1 0 1'><joint name='j' axis='0 1 0'/><geom type='capsule' size='.05' fromto='0 0 "
    "0 .4 0 0'/>"
    "<body pos='.4 0 0'><joint type='ball'/><geom size='.1'/><site name='s'/></body></body></worldbody>"
    "<actuator><position joint='j' kp='3'/></actuator><sensor><framepos objtype='site' objname='s'/></sensor>"
    "<keyframe><key name='k' ctrl='.3'/></keyframe></mujoco>";

typedef struct Bytes {
    char* data;
    size_t size;
} Bytes;

static Bytes bytesOf(const snModel* m)
{
    Bytes bytes = {malloc(sn_sizeModel(m)), sn_sizeModel(m)};
    assert_int_equal(sn_saveModelBytes(m, bytes.data, bytes.size, NULL), SN_STATUS_OK);
    return bytes;
}

static Bytes someBytes(void)
{
    snModel* m = load(text);
    const Bytes bytes = bytesOf(m);
    sn_deleteModel(m);
    return bytes;
}

static void refused(const char* bytes, size_t size, snStatus status, const char* words)
{
    snError error = {0};
    snModel* m = sn_loadModelBytes(bytes, size, NULL, &error);
    if (m) fail_msg("%zu bytes pass that should be '%s'", size, words);
    if (status != SN_STATUS_OK) assert_int_equal(error.status, status);
    if (!strstr(error.message, words)) fail_msg("'%s' does not say '%s'", error.message, words);
}

static void test_round_trip(void** state)
{
    (void)state;
    snModel* m = load(text);
    const Bytes bytes = bytesOf(m);
    snModel* back = sn_loadModelBytes(bytes.data, bytes.size, NULL, NULL);
    assert_non_null(back);
    assert_int_equal(sn_compareModel(m, back), -1);
    assert_true(back->vis.rgba.fog[1] == 0.2f && back->narena == m->narena && back->opt.timestep == 0.003);
    const Bytes again = bytesOf(back);
    assert_true(again.size == bytes.size && !memcmp(again.data, bytes.data, bytes.size));
    snData *d = sn_makeData(m), *e = sn_makeData(back);
    for (int i = 0; i < 300; i++) {
        d->ctrl[0] = e->ctrl[0] = 0.01 * i;
        sn_step(m, d);
        sn_step(back, e);
    }
    assert_true(d->ncon > 0);
    assert_memory_equal(d->qpos, e->qpos, sizeof(double) * (size_t)m->nq);
    assert_memory_equal(d->sensordata, e->sensordata, sizeof(double) * (size_t)m->nsensordata);
    sn_deleteData(d);
    sn_deleteData(e);
    sn_deleteModel(m);
    sn_deleteModel(back);
    free(bytes.data);
    free(again.data);
}

static void test_wrong_room(void** state)
{
    (void)state;
    snModel* m = load(text);
    snError error;
    char few[8];
    assert_int_equal(sn_saveModelBytes(m, few, sizeof few, &error), SN_STATUS_ARGUMENT);
    assert_int_equal(sn_saveModelBytes(m, NULL, 0, &error), SN_STATUS_ARGUMENT);
    assert_int_equal(sn_saveModel(m, NULL, &error), SN_STATUS_ARGUMENT);
    assert_null(sn_loadModelBytes(NULL, 3, NULL, &error));
    assert_null(sn_loadModelBytes(NULL, 0, NULL, &error));
    sn_deleteModel(m);
}

static void test_cut_off_anywhere(void** state)
{
    (void)state;
    const Bytes bytes = someBytes();
    for (size_t n = 0; n < bytes.size; n++) {
        char* part = malloc(n ? n : 1); // of this length, so that a sanitizer sees a read beyond it
        memcpy(part, bytes.data, n);
        refused(part, n, SN_STATUS_SYNTAX,
                n < 8        ? "not a compiled model"
                : n < HEADER ? "cut off"
                             : "bytes are there");
        free(part);
    }
    free(bytes.data);
}

static void test_changed_anywhere(void** state)
{
    (void)state;
    const Bytes bytes = someBytes();
    for (size_t i = 0; i < bytes.size; i += i < 2000 ? 1 : 7) {
        bytes.data[i] ^= (char)(1 << i % 8);
        refused(bytes.data, bytes.size, SN_STATUS_OK, "");
        bytes.data[i] ^= (char)(1 << i % 8);
    }
    bytes.data[bytes.size - 20] ^= 4;
    refused(bytes.data, bytes.size, SN_STATUS_SYNTAX, "checksum");
    free(bytes.data);
}

// A file of another machine, format, version or with other tables says so.
static void test_of_another_sinew(void** state)
{
    (void)state;
    const Bytes bytes = someBytes();
    const struct {
        size_t at;
        char value;
        snStatus status;
        const char* words;
    } cases[] = {
        {0, 'x', SN_STATUS_SYNTAX, "does not begin like one"},
        {ORDER, 1, SN_STATUS_UNSUPPORTED, "byte order"},
        {FORMAT, 9, SN_STATUS_UNSUPPORTED, "binary format 9"},
        {LAYOUT, 'x', SN_STATUS_UNSUPPORTED, "other fields"},
        {LAYOUT, 'x', SN_STATUS_UNSUPPORTED, "convert its source again"},
        {COUNT, 0, SN_STATUS_SYNTAX, "number of sections"},
        {COUNT, 77, SN_STATUS_SYNTAX, "number of sections"},
        {COUNT, 2, SN_STATUS_SYNTAX, "sections do not fit"},
        {SIZE, 1, SN_STATUS_SYNTAX, "there should be"},
        {HEADER, 'x', SN_STATUS_SYNTAX, "no model in it"},
        {HEADER + 8, 1, SN_STATUS_SYNTAX, "sections do not fit"},
        {HEADER + 16, 1, SN_STATUS_SYNTAX, "sections do not fit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char kept = bytes.data[cases[i].at];
        bytes.data[cases[i].at] = cases[i].value;
        sn_sealBinary(bytes.data, bytes.size);
        refused(bytes.data, bytes.size, cases[i].status, cases[i].words);
        bytes.data[cases[i].at] = kept;
    }
    memcpy(bytes.data + VERSION, "7.8.9", 6);
    bytes.data[LAYOUT]++;
    sn_sealBinary(bytes.data, bytes.size);
    refused(bytes.data, bytes.size, SN_STATUS_UNSUPPORTED, "Sinew 7.8.9");
    free(bytes.data);
}

#ifdef SN_TEST_HOOKS
static int countLargest(size_t size, void* user)
{
    size_t* largest = user;
    if (size > *largest) *largest = size;
    return 1;
}
#endif

// Whether a size says how many rows some array has, so that another one asks for other bytes.
static bool countsBytes(const char* size)
{
    int count;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(fields[i].rows, size) && fields[i].columns[0] >= '1' && fields[i].columns[0] <= '9')
            return true;
    return false;
}

// Sizes that are not what the bytes hold; the checksum is right.
static void test_lying_sizes(void** state)
{
    (void)state;
    const Bytes bytes = someBytes();
    int count;
    const char* const* names = sn_modelSizes(&count);
    static const int values[] = {INT32_MIN, -1, 0, 1, 1000, 1 << 28, 1 << 29, INT32_MAX};
    size_t largest = 0;
#ifdef SN_TEST_HOOKS
    sn_setAllocHook(countLargest, &largest);
#endif
    for (int i = 0; i < count; i++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            int kept;
            char* at = bytes.data + HEADER + ENTRY + (size_t)i * sizeof(int);
            memcpy(&kept, at, sizeof kept);
            if (kept == values[v]) continue;
            memcpy(at, &values[v], sizeof kept);
            sn_sealBinary(bytes.data, bytes.size);
            if (values[v] < 0 || values[v] > 1 << 28 || countsBytes(names[i]))
                refused(bytes.data, bytes.size, SN_STATUS_SYNTAX, "sizes do not fit its length");
            else // nuserdata and the like
                sn_deleteModel(sn_loadModelBytes(bytes.data, bytes.size, NULL, NULL));
            memcpy(at, &kept, sizeof kept);
        }
#ifdef SN_TEST_HOOKS
    sn_setAllocHook(NULL, NULL);
#endif
    // arrays are padded to cache lines in memory
    assert_true(largest < 2 * bytes.size + (size_t)SN_ALIGN * 1000);
    free(bytes.data);
}

// Any number anywhere in the model, under a right checksum: refused, or a model that can be stepped.
static void test_any_number_anywhere(void** state)
{
    (void)state;
    const Bytes bytes = someBytes();
    static const uint32_t words[] = {0, 0xffffffffu, 0x7fffffffu, 0x80000000u, 0x7fe1ccf3u, 3};
    int models = 0;
    for (size_t i = HEADER + ENTRY; i + 4 <= bytes.size; i += 4) {
        char kept[4];
        memcpy(kept, bytes.data + i, 4);
        memcpy(bytes.data + i, &words[i / 4 % 6], 4);
        sn_sealBinary(bytes.data, bytes.size);
        snError error = {0};
        snModel* m = sn_loadModelBytes(bytes.data, bytes.size, NULL, &error);
        assert_true(m || error.message[0]);
        snData* d = m && m->nuserdata < 1000 ? sn_makeData(m) : NULL;
        if (d) sn_step(m, d);
        models += d != NULL;
        sn_deleteData(d);
        sn_deleteModel(m);
        memcpy(bytes.data + i, kept, 4);
    }
    assert_true(models > 100);
    free(bytes.data);
}

static void test_sections(void** state)
{
    (void)state;
    snModel* m = load(text);
    const snSection extra[] = {{"MJCF", "<mujoco/>", 9}, {"NONE", NULL, 0}, {"MJCF", "later", 5}};
    const size_t size = sn_binarySize(m, extra, 3);
    char* bytes = malloc(size);
    sn_packBinary(m, extra, 3, bytes);
    snBinary binary;
    snSection found;
    assert_int_equal(sn_openBinary(bytes, size, NULL, &binary, NULL), SN_STATUS_OK);
    assert_int_equal(binary.nsections, 4);
    assert_true(sn_findSection(&binary, "MJCF", &found));
    assert_true(found.size == 9 && !memcmp(found.data, "<mujoco/>", 9));
    assert_true(sn_findSection(&binary, "NONE", &found) && found.size == 0);
    assert_false(sn_findSection(&binary, "mjcf", &found));
    snModel* back = sn_loadModelBytes(bytes, size, NULL, NULL);
    assert_int_equal(sn_compareModel(m, back), -1);
    // what else there is can be had from a file whose model cannot be read any more
    bytes[LAYOUT]++;
    sn_sealBinary(bytes, size);
    assert_int_equal(sn_openBinary(bytes, size, NULL, &binary, NULL), SN_STATUS_OK);
    assert_null(sn_binaryModel(&binary, NULL, NULL));
    assert_true(sn_findSection(&binary, "MJCF", &found));
    sn_deleteModel(back);
    sn_deleteModel(m);
    free(bytes);
}

// ---- files

static void fileName(char* path, const char* name)
{
    sprintf(path, "/tmp/sinew-binary-%d-%s", (int)getpid(), name);
}

static void test_files(void** state)
{
    (void)state;
    char path[200], link[200];
    fileName(path, "m.snb");
    fileName(link, "link");
    snModel* m = load(text);
    snError error = {0};
    assert_int_equal(sn_saveModel(m, path, &error), SN_STATUS_OK);
    snModel* back = sn_loadModel(path, NULL, &error);
    assert_int_equal(sn_compareModel(m, back), -1);
    sn_deleteModel(back);
    // a link keeps pointing to what is written, and that its permissions
    assert_int_equal(symlink(path, link), 0);
    chmod(path, 0600);
    m->opt.timestep = 0.5;
    assert_int_equal(sn_saveModel(m, link, &error), SN_STATUS_OK);
    struct stat info;
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    back = sn_loadModel(link, NULL, &error); // by its contents: this name does not end with .snb
    assert_int_equal(sn_compareModel(m, back), -1);
    sn_deleteModel(back);
    sn_deleteModel(m);
    unlink(path);
    unlink(link);
}

static void test_places_that_are_no_files(void** state)
{
    (void)state;
    snModel* m = load(text);
    const struct {
        const char *path, *words;
    } cases[] = {{"/tmp", "it is a folder"},
                 {"/dev/null", "not a regular file"},
                 {"/nowhere/at/all.snb", "No such file"},
                 {"", "No such file"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snError error = {0};
        assert_int_equal(sn_saveModel(m, cases[i].path, &error), SN_STATUS_FILE);
        if (!strstr(error.message, cases[i].words)) fail_msg("'%s' for %s", error.message, cases[i].path);
        assert_non_null(strstr(error.message, cases[i].path));
    }
    char path[5000];
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = 0;
    assert_int_equal(sn_saveModel(m, path, NULL), SN_STATUS_FILE);
    sn_deleteModel(m);
}

// A file that grows too large stands for a full disk: what was there before stays, nothing is left beside it.
static void test_full_disk(void** state)
{
    (void)state;
    char path[200], part[220];
    fileName(path, "full.snb");
    snModel* m = load(text);
    assert_int_equal(sn_saveModel(m, path, NULL), SN_STATUS_OK);
    struct rlimit kept, small;
    getrlimit(RLIMIT_FSIZE, &kept);
    small = kept;
    small.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    snError error = {0};
    m->opt.timestep = 0.25;
    const snStatus status = sn_saveModel(m, path, &error);
    setrlimit(RLIMIT_FSIZE, &kept);
    assert_int_equal(status, SN_STATUS_FILE);
    assert_non_null(strstr(error.message, "too large"));
    snModel* back = sn_loadModel(path, NULL, &error);
    assert_true(back && back->opt.timestep == 0.003);
    sprintf(part, "%s.part", path);
    assert_int_not_equal(access(part, F_OK), 0);
    unlink(path);
    sn_deleteModel(back);
    sn_deleteModel(m);
}

static void test_damaged_files(void** state)
{
    (void)state;
    char path[200];
    fileName(path, "bad.snb");
    const Bytes bytes = someBytes();
    const size_t lengths[] = {0, 3, 8, 100, bytes.size - 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        FILE* file = fopen(path, "wb");
        fwrite(bytes.data, 1, lengths[i], file);
        fclose(file);
        snError error = {0};
        assert_null(sn_loadModel(path, NULL, &error));
        assert_int_equal(error.status, SN_STATUS_SYNTAX);
        assert_non_null(strstr(error.message, path));
        assert_string_equal(error.file, path);
    }
    FILE* file = fopen(path, "wb");
    fputs("<mujoco/>", file);
    fclose(file);
    snModel* m = sn_loadModel(path, NULL, NULL); // contents, not the name, decide
    assert_non_null(m);
    sn_deleteModel(m);
    unlink(path);
    free(bytes.data);
}

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static void test_failing_allocations(void** state)
{
    (void)state;
    char path[200];
    fileName(path, "memory.snb");
    snModel* m = load(text);
    int left = 0;
    snError error = {0};
    sn_setAllocHook(countdown, &left);
    assert_int_equal(sn_saveModel(m, path, &error), SN_STATUS_NO_MEMORY);
    assert_int_not_equal(access(path, F_OK), 0);
    sn_setAllocHook(NULL, NULL);
    assert_int_equal(sn_saveModel(m, path, &error), SN_STATUS_OK);
    int failures = 0;
    for (snModel* back = NULL; !back; failures++) {
        left = failures;
        error = (snError){0};
        sn_setAllocHook(countdown, &left);
        back = sn_loadModel(path, NULL, &error);
        sn_setAllocHook(NULL, NULL);
        assert_true(back || error.status == SN_STATUS_NO_MEMORY);
        assert_true(failures < 100);
        sn_deleteModel(back);
    }
    assert_true(failures > 3);
    unlink(path);
    sn_deleteModel(m);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(test_failing_allocations),
#endif
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_wrong_room),
        cmocka_unit_test(test_cut_off_anywhere),
        cmocka_unit_test(test_changed_anywhere),
        cmocka_unit_test(test_of_another_sinew),
        cmocka_unit_test(test_lying_sizes),
        cmocka_unit_test(test_any_number_anywhere),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_places_that_are_no_files),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
