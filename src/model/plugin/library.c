// Libraries of plugins. They link to nothing of Sinew: what they call is that of the program, which may be
// the library libsinew, the command, or the extension of the Python package.
#define _GNU_SOURCE // dladdr, memmem
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
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
        memmem(bytes, size, word, sizeof word - 1) && !memmem(bytes, size, own, sizeof own - 1);
    sn_free(bytes);
    if (!foreign) return SN_STATUS_OK;
    return sn_fail(
        error, SN_STATUS_ARGUMENT,
        "%s: a library of plugins for MuJoCo, which Sinew cannot call: those that MuJoCo comes with "
        "(cable, pid, touch_grid, sdf) are in Sinew; others, write with sinew/plugin.h",
        path);
}

// Lets libraries that are loaded from here on find the functions of the one that this is in.
static void showOwn(void)
{
    Dl_info info;
    if (dladdr((void*)(uintptr_t)sn_loadPluginLibrary, &info) && info.dli_fname)
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

// Libraries that have registered theirs, each once.
static struct {
    pthread_mutex_t lock;
    void** handle;
    int count;
} loaded = {.lock = PTHREAD_MUTEX_INITIALIZER};

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
    char* real = realpath(path, NULL); // a bare name would be looked for elsewhere
    void* handle = real ? dlopen(real, RTLD_NOW | RTLD_LOCAL) : NULL;
    free(real);
    if (!handle) return sn_fail(error, SN_STATUS_FILE, "%s: cannot be loaded: %s", path, dlerror());
    if (isLoaded(handle)) {
        dlclose(handle);
        return SN_STATUS_OK;
    }
    snPluginEntry* entry = NULL;
    *(void**)&entry = dlsym(handle, "sn_plugins");
    snStatus status = entry ? entry(error)
                            : sn_fail(error, SN_STATUS_ARGUMENT,
                                      "%s: it has no function sn_plugins, which registers its plugins: see "
                                      "sinew/plugin.h",
                                      path);
    if (status == SN_STATUS_OK && !keep(handle))
        status = sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    if (!entry) dlclose(handle); // else some of its plugins may be registered
    return status;
}

snStatus sn_loadPluginLibrary(const char* path, snError* error)
{
    const snStatus status = refuseMujoco(path, error);
    if (status != SN_STATUS_OK) return status;
    pthread_mutex_lock(&loaded.lock);
    showOwn();
    const snStatus result = load(path, error);
    pthread_mutex_unlock(&loaded.lock);
    return result;
}
