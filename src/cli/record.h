// A recording: one row a step with time, state, controls and sensors, as CSV, as a NumPy structured array or
// as MCAP.
#ifndef SINEW_CLI_RECORD_H
#define SINEW_CLI_RECORD_H

#include "base/file.h"
#include "cli/cli.h"
#include "cli/mcap.h"

/// How old a row may be, in seconds, before it is in the file.
#define CLI_RECORD_SECONDS 0.2

/// Text that grows; `failed` once memory has run out.
typedef struct cliText {
    char* data;
    size_t length, capacity;
    bool failed;
} cliText;

enum cliRecordKind { CLI_CSV, CLI_NPY, CLI_MCAP };

/// How far a recording is.
typedef struct cliRecordPlace {
    char target[SN_PATH_SIZE], part[SN_PATH_SIZE]; ///< as in an snOutput; "": nothing is recorded
    uint64_t bytes, hash;                          ///< of the rows
    long long rows;
} cliRecordPlace;

typedef struct cliRecord {
    snOutput output;
    enum cliRecordKind kind;
    cliMcap mcap;    ///< of CLI_MCAP, who gets the rows as an NPY has them
    size_t count_at; ///< where in the file the number of rows stands
    long long rows;
    int width;                   ///< numbers in a row
    double* row;                 ///< [width] time, state, sensordata; NULL: nothing is recorded
    cliText pending;             ///< rows that are not in the file yet, whole ones
    double flushed;              ///< wall time at which there were none
    bool hashed;                 ///< `place` is kept
    struct cliRecordPlace place; ///< of the rows that are in the file
    char left[SN_PATH_SIZE];     ///< what a killed run had written and this one has taken over; "": nothing
} cliRecord;

/// Opens a recording; path NULL: none. from: where another run stopped, whose rows up to there are taken over
/// from its file, whole or not; NULL or without rows: anew. CLI_DONE, or another exit code after a message.
/// *record can be closed in either case.
int cli_openRecord(cliRecord* record, const char* path, const cliSubject* subject,
                   const cliRecordPlace* from);
/// Puts all rows on the disk; from here a later run can go on. Needs `hashed`. False after a message.
bool cli_recordPlace(cliRecord* record, cliRecordPlace* place);
/// Takes time, state and controls of the row to come.
void cli_recordState(cliRecord* record, const snModel* m, const snData* d);
/// Takes the sensors that belong to it and ends the row. False after a message.
bool cli_recordSensors(cliRecord* record, const snModel* m, const snData* d);
/// Completes the file, or with keep = false removes it. False after a message.
bool cli_closeRecord(cliRecord* record, bool keep);

#endif
