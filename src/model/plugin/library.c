// Libraries of plugins. They link to nothing of Sinew: what they call is that of the program, which may be
// the library libsinew, the command, or the extension of the Python package.
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/platform/files.h"
#include "base/platform/library.h"
#include "base/platform/threads.h"
#include "base/search.h"
#include "model/plugin/plugin.h"

// Whether a library looks for what MuJoCo's plugins register with: loading it would run that at once.
static snStatus refuseMujoco(const char* path, snError* error)
{
    static const char word[] = "mjp_register", own[] = "sn_plugins";
    char* bytes;
    size_t size;
    const snStatus status = sn_readFile(path, &bytes, &size, error);
    if (status != SN_STATUS_OK) return status;
    const bool foreign =
        sn_findBytes(bytes, size, word, sizeof word - 1) && !sn_findBytes(bytes, size, own, sizeof own - 1);
    sn_free(bytes);
    if (!foreign) return SN_STATUS_OK;
    return sn_fail(
        error, SN_STATUS_ARGUMENT,
        "%s: a library of plugins for MuJoCo, which Sinew cannot call: those that MuJoCo comes with "
        "(cable, pid, touch_grid, sdf) are in Sinew; others, write with sinew/plugin.h",
        path);
}

// Libraries that have registered theirs, each once.
static struct {
    snMutex lock;
    void** handle;
    int count;
} loaded = {.lock = SN_MUTEX_INIT};

static bool isLoaded(const void* handle)
{
    for (int i = 0; i < loaded.count; i++)
        if (loaded.handle[i] == handle) return true;
    return false;
}

static bool keep(void* handle)
{
    const size_t size = (size_t)loaded.count * sizeof *loaded.handle;
    void** list = sn_realloc(loaded.handle, size, size + sizeof *list);
    if (!list) return false;
    loaded.handle = list;
    list[loaded.count++] = handle;
    return true;
}

static snStatus load(const char* path, snError* error)
{
    char real[SN_PATH_SIZE], why[400] = "there is no such file"; // a bare name would be looked for elsewhere
    void* handle = sn_realPath(path, real) ? sn_openLibrary(real, why, sizeof why) : NULL;
    if (!handle) return sn_fail(error, SN_STATUS_FILE, "%s: cannot be loaded: %s", path, why);
    if (isLoaded(handle)) {
        sn_closeLibrary(handle);
        return SN_STATUS_OK;
    }
    snPluginEntry* entry = (snPluginEntry*)sn_librarySymbol(handle, "sn_plugins");
    snStatus status = entry ? entry(error)
                            : sn_fail(error, SN_STATUS_ARGUMENT,
                                      "%s: it has no function sn_plugins, which registers its plugins: see "
                                      "sinew/plugin.h",
                                      path);
    if (status == SN_STATUS_OK && !keep(handle))
        status = sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    if (!entry) sn_closeLibrary(handle); // else some of its plugins may be registered
    return status;
}

snStatus sn_loadPluginLibrary(const char* path, snError* error)
{
    const snStatus status = refuseMujoco(path, error);
    if (status != SN_STATUS_OK) return status;
    sn_lock(&loaded.lock);
    sn_showLibraryOf((void (*)(void))sn_loadPluginLibrary);
    const snStatus result = load(path, error);
    sn_unlock(&loaded.lock);
    return result;
}
