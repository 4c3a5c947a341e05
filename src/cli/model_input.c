// Models for the command: from files, or the humanoid that is built in; names of elements for people.
#include <cjson/cJSON.h>
#include <stdio.h>
#include "cli/cli.h"

extern const unsigned char humanoidModel[];
extern const size_t humanoidModelSize;

snModel* cli_loadModel(const char* path)
{
    snError error = {0};
    snModel* m = path ? sn_loadModel(path, &error)
                      : sn_loadModelText((const char*)humanoidModel, humanoidModelSize, NULL, 0, &error);
    if (!m) cli_fail(0, "%s", error.message);
    return m;
}

const char* cli_name(const snModel* m, int objtype, int id, char buffer[32])
{
    const char* name = sn_id2name(m, objtype, id);
    if (name && *name) return name;
    snprintf(buffer, 32, "[%d]", id);
    return buffer;
}

int cli_printJson(void* json)
{
    char* text = cJSON_Print(json);
    cJSON_Delete(json);
    if (!text) return cli_fail(CLI_BAD_INPUT, "out of memory");
    puts(text);
    cJSON_free(text);
    return CLI_DONE;
}
