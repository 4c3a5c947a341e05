// What a simulation did, for people and as JSON.
#ifndef SINEW_CLI_SUMMARY_H
#define SINEW_CLI_SUMMARY_H

#include "cli/cli.h"

/// Mean and maximum of a count, over the steps.
typedef struct cliCount {
    double sum;
    int most;
} cliCount;

typedef struct cliSummary {
    const char* path;    ///< of the model; NULL: our own humanoid
    const char* outcome; ///< "done", "unstable" or "interrupted"
    long long steps;     ///< that were taken
    double time;         ///< at the end
    double wall;         ///< seconds
    cliCount contacts, rows, iterations;
    double solver_residual, noslip_residual; ///< largest
    int loops, clusters, mobility;           ///< of loops that hold at the end
    double loop_error;                       ///< largest, of position
    cliCount numbers;                        ///< of the rows' Jacobian
    bool profiled;                           ///< timer is there
    snTimerStat timer[SN_NTIMER];            ///< seconds
    double energy_start[2], energy_end[2];   ///< potential, kinetic
    int warning[SN_NWARNING];                ///< how often
    char warning_text[SN_NWARNING][256];
    double unstable_time; ///< time of the step that failed
    char unstable_reason[160];
    const char* record; ///< path of the recording; NULL: none
} cliSummary;

void cli_count(cliCount* count, int value);
void cli_printSummary(const cliSummary* summary, const snModel* m);
int cli_printSummaryJson(const cliSummary* summary, const snModel* m);

/// Keyword and meaning of an snWarning.
const snEnumItem* cli_warning(int warning);

#endif
