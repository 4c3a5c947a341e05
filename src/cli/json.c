#include "cli/json.h"
#include <stdio.h>
#include <stdlib.h>
#include "cli/cli.h"

static bool starved; // an allocation has failed since the document was begun

static void* allocate(size_t size)
{
    void* block = malloc(size);
    starved |= !block;
    return block;
}

cJSON* cli_newJson(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){allocate, free});
    starved = false;
    return cJSON_CreateObject();
}

int cli_printJson(cJSON* json)
{
    char* text = cJSON_Print(json);
    cJSON_Delete(json);
    if (text && !starved) puts(text);
    cJSON_free(text);
    return text && !starved ? CLI_DONE : cli_fail(CLI_BAD_INPUT, "out of memory for the JSON");
}
