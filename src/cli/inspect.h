// The parts of sinew inspect.
#ifndef SINEW_CLI_INSPECT_H
#define SINEW_CLI_INSPECT_H

#include "cli/cli.h"
#include "cli/json.h"

/// Keyword of a value in an enumeration, "" if it has none.
const char* cli_keyword(const char* type, int value);

/// Whether the field tables have a group of this name.
bool cli_isGroup(const char* name);

/// Says on stderr that there is no such group; CLI_BAD_USAGE.
int cli_unknownGroup(const char* name);

/// One line for each group that is not empty, with how many rows it has.
void cli_printGroups(const snModel* m);

/// All fields of a group, or with NULL of all groups: a table, or for wide groups a block of lines an
/// element.
void cli_printFields(const snModel* m, const char* group);

/// The loops of a model at qpos0, their clusters and mobility; a cliExit.
int cli_printLoops(const snModel* m, bool json);

/// Visual options and statistics.
void cli_printVisual(const snModel* m);
void cli_printStatistic(const snModel* m);

/// The same as JSON, added to an object: "field": [row, ...], ... of one group or of all; "group": {...},
/// ...; members of the statistic.
void cli_addFields(cJSON* object, const snModel* m, const char* group);
void cli_addVisual(cJSON* object, const snModel* m);
void cli_addStatistic(cJSON* object, const snModel* m);

#endif
