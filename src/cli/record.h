// A recording: one row a step with time, state, controls and sensors, as CSV or as a NumPy structured array.
#ifndef SINEW_CLI_RECORD_H
#define SINEW_CLI_RECORD_H

#include <stdio.h>
#include "cli/cli.h"

typedef struct cliRecord {
    const char* path;
    char* part; ///< the file while it is being written; becomes `path` when it is whole
    FILE* file; ///< NULL: nothing is recorded
    bool npy;
    long long rows;
    int width;   ///< numbers in a row
    double* row; ///< [width] time, qpos, qvel, act, ctrl, sensordata
} cliRecord;

/// Opens a recording; path NULL: none. CLI_DONE, or another exit code after a message. *record can be closed
/// in either case.
int cli_openRecord(cliRecord* record, const char* path, const snModel* m);
/// Takes time, state and controls of the row to come.
void cli_recordState(cliRecord* record, const snModel* m, const snData* d);
/// Takes the sensors that belong to it and writes the row. False after a message.
bool cli_recordSensors(cliRecord* record, const snModel* m, const snData* d);
/// Completes the file, or with keep = false removes it. False after a message.
bool cli_closeRecord(cliRecord* record, const snModel* m, bool keep);

#endif
