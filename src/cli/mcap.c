#include "cli/mcap.h"
#include "base/platform/files.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Blocks to python/sinew/_recording/__main__.py: a length in 8 bytes, the lowest first, and so many bytes.
// The model, its MJCF or nothing, the start of an .npy, rows; an empty block behind the last.

static bool writeAll(int file, const void* data, size_t size)
{
    const char* at = data;
    while (size > 0) {
        const long long put = sn_writeTo(file, at, size);
        if (put < 0) return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

bool cli_writeMcap(cliMcap* mcap, const void* data, size_t size)
{
    unsigned char length[8];
    for (int i = 0; i < 8; i++) length[i] = (unsigned char)((uint64_t)size >> 8 * i);
    if (writeAll(mcap->python.input, length, sizeof length) && writeAll(mcap->python.input, data, size))
        return true;
    const int reason = errno;
    // who does not read any more has said why
    if (cli_endPython(&mcap->python) == CLI_DONE)
        cli_fail(0, "cannot write the recording: %s", strerror(reason));
    return false;
}

// The model's source as MJCF; NULL where it has none (a .snb without its source).
static char* sourceOf(const cliSubject* subject, size_t* size)
{
    const snLoadOptions quiet = {.files_anywhere = subject->how.anywhere, .physics = subject->how.physics};
    snError error = {0};
    snSpec* spec = cli_loadSource(subject->path, subject->how, &quiet, &error);
    char* text = spec ? sn_writeSpec(spec, NULL, size, &quiet, &error) : NULL;
    sn_deleteSpec(spec);
    return text;
}

static bool writeModel(cliMcap* mcap, const cliSubject* subject)
{
    snError error = {0};
    const size_t size = sn_sizeModel(subject->m);
    void* bytes = malloc(size);
    const bool saved = bytes && sn_saveModelBytes(subject->m, bytes, size, &error) == SN_STATUS_OK;
    if (!saved) cli_fail(0, "%s", bytes ? error.message : "out of memory");
    const bool good = saved && cli_writeMcap(mcap, bytes, size);
    free(bytes);
    return good;
}

static bool writeSource(cliMcap* mcap, const cliSubject* subject)
{
    size_t size = 0;
    char* text = sourceOf(subject, &size);
    const bool good = cli_writeMcap(mcap, text, text ? size : 0);
    sn_freeText(text);
    return good;
}

int cli_openMcap(cliMcap* mcap, const snOutput* output, const cliSubject* subject)
{
    char* const arguments[] = {(char*)output->path, NULL};
    if (cli_startPython(&mcap->python, "sinew._recording", arguments, output->file)) return CLI_BAD_INPUT;
    return writeModel(mcap, subject) && writeSource(mcap, subject) ? CLI_DONE : CLI_BAD_INPUT;
}

bool cli_closeMcap(cliMcap* mcap, bool whole)
{
    if (!mcap->python.program.process) return true;
    const bool sent = !whole || cli_writeMcap(mcap, NULL, 0);
    return cli_endPython(&mcap->python) == CLI_DONE && sent;
}
