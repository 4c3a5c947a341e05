// Recordings as MCAP: written by a Python beside, which gets the rows through a pipe while they come.
#ifndef SINEW_CLI_MCAP_H
#define SINEW_CLI_MCAP_H

#include "base/file.h"
#include "cli/cli.h"
#include "cli/python.h"

/// What is simulated, for whom a recording has the model in it.
typedef struct cliSubject {
    const snModel* m;
    const char* path; ///< of the model; NULL: our own humanoid
    cliLoad how;      ///< it was read
} cliSubject;

typedef struct cliMcap {
    cliPython python;
} cliMcap;

/// Begins the MCAP in an output that is open and still empty, with the model. CLI_DONE or CLI_BAD_INPUT after
/// a message. *mcap can be closed in either case.
int cli_openMcap(cliMcap* mcap, const snOutput* output, const cliSubject* subject);
/// Adds a block: first what stands before the rows in an .npy of this recording, then whole rows as there.
/// False after a message, here and below.
bool cli_writeMcap(cliMcap* mcap, const void* data, size_t size);
/// All is there, or with whole = false it has failed elsewhere; waits until the output is complete.
bool cli_closeMcap(cliMcap* mcap, bool whole);

#endif
