// Libraries of plugins for Sinew under MuJoCo's names. Those for MuJoCo are refused by name.
#include "inside.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>

static bool isLibrary(const char* name)
{
    const char* end = strrchr(name, '.');
    return end && (!strcmp(end, ".so") || !strcmp(end, ".dylib") || !strcmp(end, ".dll"));
}

static void load(const char* path, const char* name, mjfPluginLibraryLoadCallback callback)
{
    snError error;
    const int first = sn_pluginCount();
    if (sn_loadPluginLibrary(path, &error) != SN_STATUS_OK)
        mju_warning("%s", error.message);
    else if (callback)
        callback(name, first, sn_pluginCount() - first);
}

void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback)
{
    DIR* folder = opendir(directory);
    for (struct dirent* entry; folder && (entry = readdir(folder));) {
        char path[4096];
        const int n = snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (isLibrary(entry->d_name) && n < (int)sizeof path) load(path, entry->d_name, callback);
    }
    if (folder) closedir(folder);
}

void mj_loadPluginLibrary(const char* path)
{
    snError error;
    if (sn_loadPluginLibrary(path, &error) != SN_STATUS_OK)
        mju_error("cannot load the plugin library '%s': %s", path, error.message);
}

int mjp_pluginCount(void)
{
    return sn_pluginCount();
}
