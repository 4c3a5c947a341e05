#include "cli/hashes.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// A line: the step, a hash of all stages, the hash of each; and how many bytes of lines wait to be written.
enum { LINE = 32 + 17 * (SN_NMAKER + 1), SIZE = 1 << 16 };

static bool flush(cliHashes* hashes)
{
    snError error = {0};
    const size_t length = hashes->length;
    hashes->length = 0;
    if (!sn_writeOutput(&hashes->output, hashes->rows, length, &error)) return true;
    return cli_fail(0, "%s", error.message), false;
}

static void append(cliHashes* hashes, const char* format, ...) __attribute__((format(printf, 2, 3)));
static void append(cliHashes* hashes, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hashes->length +=
        (size_t)vsnprintf(hashes->rows + hashes->length, SIZE - hashes->length, format, arguments);
    va_end(arguments);
}

int cli_openHashes(cliHashes* hashes, const char* path)
{
    snError error = {0};
    *hashes = (cliHashes){.output.file = -1};
    if (!path) return CLI_DONE;
    if (sn_openOutput(&hashes->output, path, &error)) return cli_fail(CLI_BAD_INPUT, "%s", error.message);
    hashes->rows = malloc(SIZE);
    if (!hashes->rows) return cli_fail(CLI_BAD_INPUT, "out of memory");
    append(hashes, "step all");
    for (int k = 0; k < SN_NMAKER; k++) append(hashes, " %s", sn_makerName(k));
    append(hashes, "\n");
    return CLI_DONE;
}

bool cli_writeHashes(cliHashes* hashes, const snModel* m, const snData* d, long long step)
{
    uint64_t hash[SN_NMAKER];
    if (!hashes->rows) return true;
    if (hashes->length + LINE > SIZE && !flush(hashes)) return false;
    append(hashes, "%lld %016" PRIx64, step, sn_stageHashes(m, d, hash));
    for (int k = 0; k < SN_NMAKER; k++) append(hashes, " %016" PRIx64, hash[k]);
    append(hashes, "\n");
    return true;
}

bool cli_closeHashes(cliHashes* hashes, bool keep)
{
    snError error = {0};
    const bool written = !keep || !hashes->rows || flush(hashes);
    free(hashes->rows);
    if (sn_closeOutput(&hashes->output, keep && written, &error))
        return cli_fail(0, "%s", error.message), false;
    return written;
}
