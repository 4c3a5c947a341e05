// Checkpoints: all that a run needs to go on later as if it had never stopped, to the bit.
#ifndef SINEW_CLI_CHECKPOINT_H
#define SINEW_CLI_CHECKPOINT_H

#include "cli/record.h"
#include "cli/summary.h"

/// How old a checkpoint may become, in seconds.
#define CLI_CHECKPOINT_SECONDS 1.0

typedef struct cliCheckpoint {
    const char* path; ///< where it is written; NULL: nowhere
    const char* ctrl; ///< as the user said it, or ""
    uint64_t model;   ///< hash of the compiled model
    double written;   ///< wall time
} cliCheckpoint;

/// Begins: path of --checkpoint, NULL: none; ctrl of --ctrl. False after a message.
bool cli_openCheckpoint(cliCheckpoint* checkpoint, const char* path, const char* ctrl, const snModel* m);
/// Writes state, place of the recording and what the summary counts, whole or not at all; with due only when
/// the last one is old. False after a message.
bool cli_writeCheckpoint(cliCheckpoint* checkpoint, bool due, const snModel* m, const snData* d,
                         cliRecord* record, const cliSummary* summary);
/// Reads one of the same model and controls: state, counts, and where the recording was. CLI_DONE, or another
/// exit code after a message that says what differs.
int cli_readCheckpoint(const cliCheckpoint* checkpoint, const char* path, const snModel* m, snData* d,
                       cliSummary* summary, cliRecordPlace* place);

#endif
