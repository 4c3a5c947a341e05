// Libraries of plugins for Sinew under MuJoCo's names. Those for MuJoCo are refused by name.
#include "inside.h"
#include <stdio.h>
#include <string.h>
#include "base/platform/files.h"

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

typedef struct Listing {
    const char* directory;
    mjfPluginLibraryLoadCallback callback;
} Listing;

static void loadListed(const char* name, void* user)
{
    const Listing* listing = user;
    char path[SN_PATH_SIZE];
    const int n = snprintf(path, sizeof path, "%s/%s", listing->directory, name);
    if (isLibrary(name) && n < (int)sizeof path) load(path, name, listing->callback);
}

void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback)
{
    sn_listFolder(directory, loadListed, &(Listing){directory, callback});
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
