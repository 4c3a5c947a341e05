// Models for the command: from files, or the humanoid that is built in; names of elements for people.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "model/binary/binary.h"

extern const unsigned char humanoidModel[];
extern const size_t humanoidModelSize;

snSpec* cli_loadSpec(const char* path, const char* package_dirs, snUrdfOptions options, snError* error)
{
    enum { MOST_FOLDERS = 64 };
    const char* folders[MOST_FOLDERS];
    char* list = package_dirs ? strdup(package_dirs) : NULL;
    if (package_dirs && !list) {
        error->status = SN_STATUS_NO_MEMORY;
        snprintf(error->message, sizeof error->message, "out of memory");
        return NULL;
    }
    options.package_dirs = folders;
    for (char *at = list, *end; at && options.npackage_dirs < MOST_FOLDERS; at = end ? end + 1 : NULL) {
        end = strchr(at, ':');
        if (end) *end = 0;
        if (*at) folders[options.npackage_dirs++] = at;
    }
    snSpec* spec = sn_loadUrdf(path, &options, NULL, 0, NULL, error);
    free(list);
    return spec;
}

snModel* cli_readModel(const char* path, const char* package_dirs, snError* error)
{
    if (!package_dirs || sn_isBinaryFile(path)) return sn_loadModel(path, NULL, error);
    snSpec* spec = cli_loadSpec(path, package_dirs, (snUrdfOptions){0}, error);
    snModel* m = spec ? sn_compile(spec, NULL, error) : NULL;
    sn_deleteSpec(spec);
    return m;
}

snModel* cli_loadModel(const char* path, const char* package_dirs)
{
    snError error = {0};
    snModel* m = path
                     ? cli_readModel(path, package_dirs, &error)
                     : sn_loadModelText((const char*)humanoidModel, humanoidModelSize, NULL, 0, NULL, &error);
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
