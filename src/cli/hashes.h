// A table of hashes of what each stage of each step has made: sinew simulate --hashes.
#ifndef SINEW_CLI_HASHES_H
#define SINEW_CLI_HASHES_H

#include "base/file.h"
#include "cli/cli.h"

typedef struct cliHashes {
    snOutput output;
    char* rows;    ///< those that are not in the file yet; NULL: nothing is written
    size_t length; ///< of them
} cliHashes;

/// Opens the table and writes its first line, names; path NULL: none. CLI_DONE, or another exit code after a
/// message. *hashes can be closed in either case.
int cli_openHashes(cliHashes* hashes, const char* path);
/// The line of step `step`, which d has just taken. False after a message.
bool cli_writeHashes(cliHashes* hashes, const snModel* m, const snData* d, long long step);
/// Completes the file, or with keep = false removes it. False after a message.
bool cli_closeHashes(cliHashes* hashes, bool keep);

#endif
