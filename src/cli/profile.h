// Where the time of a run went: stages, their shares of a step, counts of work.
#ifndef SINEW_CLI_PROFILE_H
#define SINEW_CLI_PROFILE_H

#include "cli/json.h"
#include "cli/summary.h"

/// Lets the data count its stages in seconds.
void cli_startProfile(snData* d);

void cli_printProfile(const cliSummary* summary);
void cli_addProfile(cJSON* json, const cliSummary* summary);

#endif
