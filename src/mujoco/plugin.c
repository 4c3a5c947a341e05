// Plugins, of which there are none: programs that load what lies in a folder go on without.
#include "inside.h"
#include <dirent.h>
#include <string.h>

static bool isLibrary(const char* name)
{
    const char* end = strrchr(name, '.');
    return end && (!strcmp(end, ".so") || !strcmp(end, ".dylib") || !strcmp(end, ".dll"));
}

void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback)
{
    (void)callback;
    DIR* folder = opendir(directory);
    for (struct dirent* entry; folder && (entry = readdir(folder));)
        if (isLibrary(entry->d_name))
            mju_warning("%s/%s: plugins are not in Sinew, it is not loaded", directory, entry->d_name);
    if (folder) closedir(folder);
}

void mj_loadPluginLibrary(const char* path)
{
    mju_error("cannot load the plugin library '%s': plugins are not in Sinew", path);
}

int mjp_pluginCount(void)
{
    return 0;
}
