// JSON of the command.
#ifndef SINEW_CLI_JSON_H
#define SINEW_CLI_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/// An empty object to begin a document with. From here on cJSON, which leaves out what it has no memory for,
/// is watched: a document that lacks something is not printed. Memory of the caller's own for the document
/// comes from cJSON_malloc.
cJSON* cli_newJson(void);

/// Whether memory has run out since the document was begun.
bool cli_jsonLacksMemory(void);

/// Prints a document to stdout and frees it. CLI_DONE, or CLI_BAD_INPUT after a message: out of memory.
int cli_printJson(cJSON* json);

#endif
