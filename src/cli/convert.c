// sinew convert: a model from one kind of file to another.
#include <string.h>
#include "base/file.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "model/binary.h"

// What stands in a compiled model beside the model: goes along. The most a file may have.
enum { MOST_SECTIONS = 64 };

// A compiled model as it is, checked; other bytes are those that belong to it.
static snStatus fromBinary(const char* bytes, size_t size, const char* in, const char* out, snError* error)
{
    snBinary binary;
    snSection others[MOST_SECTIONS];
    int n = 0;
    const snStatus status = sn_openBinary(bytes, size, in, &binary, error);
    if (status != SN_STATUS_OK) return status;
    snModel* m = sn_binaryModel(&binary, error);
    if (!m) return error->status;
    for (int i = 0; i < binary.nsections; i++) {
        const snSection section = sn_binarySection(&binary, i);
        if (memcmp(section.tag, SN_BINARY_MODEL, 4) != 0) others[n++] = section;
    }
    const snStatus saved = sn_saveBinary(m, others, n, out, error);
    sn_deleteModel(m);
    return saved;
}

static snStatus toBinary(const char* in, const char* out, snError* error)
{
    char start[8];
    if (sn_isBinary(start, sn_peekFile(in, start, sizeof start))) {
        char* bytes;
        size_t size;
        snStatus status = sn_readFile(in, &bytes, &size, error);
        if (status != SN_STATUS_OK) return status;
        status = fromBinary(bytes, size, in, out, error);
        sn_free(bytes);
        return status;
    }
    snModel* m = sn_loadModel(in, error);
    if (!m) return error->status;
    const snStatus status = sn_saveModel(m, out, error);
    sn_deleteModel(m);
    return status;
}

// The kinds of file that can be written, by the end of their names.
static const struct {
    const char* end;
    snStatus (*write)(const char* in, const char* out, snError* error);
} kinds[] = {{".snb", toBinary}};
enum { NKINDS = sizeof(kinds) / sizeof(kinds[0]) };

static bool endsWith(const char* text, const char* end)
{
    const size_t n = strlen(text), k = strlen(end);
    return n > k && !strcmp(text + n - k, end);
}

static int run(const cliArguments* arguments)
{
    const char *in = arguments->operands[0], *out = arguments->operands[1];
    for (int i = 0; i < NKINDS; i++) {
        if (!endsWith(out, kinds[i].end)) continue;
        snError error = {0};
        if (kinds[i].write(in, out, &error) == SN_STATUS_OK) return CLI_DONE;
        return cli_fail(CLI_BAD_INPUT, "%s", error.message);
    }
    return cli_fail(CLI_BAD_USAGE, "%s: what to write is told by the end of its name, which may be .snb",
                    out);
}

const cliCommand cli_convert = {
    .name = "convert",
    .operands = "IN OUT",
    .least = 2,
    .most = 2,
    .summary = "writes a model as another kind of file",
    .notes = "IN is any model file. OUT ends with\n"
             "  .snb    compiled, quick to load, for this version of Sinew\n"
             "OUT is written beside the old one and renamed when it is whole.",
    .run = run,
};
