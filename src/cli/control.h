// Where the controls of a simulation come from: nothing, noise, or a table in a file.
#ifndef SINEW_CLI_CONTROL_H
#define SINEW_CLI_CONTROL_H

#include "cli/cli.h"
#include "cli/csv.h"

typedef struct cliControl {
    enum { CLI_CONTROL_KEEP, CLI_CONTROL_ZERO, CLI_CONTROL_NOISE, CLI_CONTROL_TABLE } kind;
    double deviation; ///< of the noise
    uint64_t seed;
    cliTable table;
    int* target;     ///< [table.columns] control of each column; -1: none
    int time_column; ///< -1: none, one row a step
    size_t row;      ///< of the table, the last one that was applied
} cliControl;

/// Understands the text of --ctrl (NULL: the controls stay as they are). CLI_DONE, or another exit code after
/// a message. *control can be closed in either case.
int cli_openControl(cliControl* control, const char* text, const snModel* m);
/// Sets d->ctrl for step number `step` from 0.
void cli_applyControl(cliControl* control, const snModel* m, snData* d, long long step);
void cli_closeControl(cliControl* control);

#endif
