// All plugins that there are. A slot is filled once and stays as it is, so that it may be read without a
// lock, by any thread that knows its number.
#include <stdatomic.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/platform/threads.h"
#include "model/plugin/builtin.h"
#include "model/plugin/plugin.h"

enum { MOST = 1024 }; // far more than a process has

static struct {
    snMutex lock; // over filling
    snOnce once;
    atomic_int count;
    snPlugin plugin[MOST];
} registry = {.lock = SN_MUTEX_INIT, .once = SN_ONCE_INIT};

static const snPlugin* find(const char* name, int count, int* slot)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(registry.plugin[i].name, name)) continue;
        if (slot) *slot = i;
        return registry.plugin + i;
    }
    return NULL;
}

static bool isName(const char* name)
{
    return name && *name;
}

static snStatus checkAttributes(const snPlugin* p, snError* error)
{
    if (p->nattribute < 0 || (p->nattribute > 0 && !p->attributes))
        return sn_fail(error, SN_STATUS_ARGUMENT, "plugin '%s': it has %d attributes, but no list of them",
                       p->name, p->nattribute);
    for (int i = 0; i < p->nattribute; i++) {
        if (!isName(p->attributes[i]))
            return sn_fail(error, SN_STATUS_ARGUMENT, "plugin '%s': attribute %d has no name", p->name, i);
        for (int k = 0; k < i; k++)
            if (!strcmp(p->attributes[i], p->attributes[k]))
                return sn_fail(error, SN_STATUS_ARGUMENT, "plugin '%s': attribute '%s' is there twice",
                               p->name, p->attributes[i]);
    }
    return SN_STATUS_OK;
}

static snStatus check(const snPlugin* p, snError* error)
{
    if (!p || p->size != sizeof *p)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "a plugin of another release of Sinew, or one whose `size` is not sizeof(snPlugin): "
                       "compile it again, with the headers of %s",
                       sn_version());
    if (!isName(p->name)) return sn_fail(error, SN_STATUS_ARGUMENT, "a plugin without a name");
    if (p->nnumber < 0 || p->nnumber > SN_MAXPLUGINSIZE)
        return sn_fail(error, SN_STATUS_ARGUMENT, "plugin '%s': nnumber is %d, must be 0 to %d", p->name,
                       p->nnumber, SN_MAXPLUGINSIZE);
    if (p->sensor && (p->sensor_stage < SN_STAGE_POS || p->sensor_stage > SN_STAGE_ACC))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "plugin '%s': sensor_stage is %d, must be SN_STAGE_POS, SN_STAGE_VEL or SN_STAGE_ACC",
                       p->name, p->sensor_stage);
    if (!p->sdf_distance != !p->sdf_box)
        return sn_fail(error, SN_STATUS_ARGUMENT, "plugin '%s': sdf_distance and sdf_box go together",
                       p->name);
    if (p->sdf_distances && !p->sdf_distance)
        return sn_fail(error, SN_STATUS_ARGUMENT, "plugin '%s': sdf_distances needs sdf_distance, too",
                       p->name);
    return checkAttributes(p, error);
}

// A copy of name and attributes, which live as long as the process.
static bool keepTexts(snPlugin* p)
{
    size_t size = strlen(p->name) + 1 + (size_t)p->nattribute * sizeof(char*);
    for (int i = 0; i < p->nattribute; i++) size += strlen(p->attributes[i]) + 1;
    const char** list = sn_calloc(size);
    if (!list) return false;
    char* text = (char*)(list + p->nattribute);
    for (int i = 0; i < p->nattribute; i++) {
        const size_t n = strlen(p->attributes[i]) + 1;
        list[i] = memcpy(text, p->attributes[i], n);
        text += n;
    }
    p->name = memcpy(text, p->name, strlen(p->name) + 1);
    p->attributes = list;
    return true;
}

static snStatus add(const snPlugin* plugin, snError* error)
{
    const int count = atomic_load(&registry.count);
    if (find(plugin->name, count, NULL))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "plugin '%s': this name is taken, it is registered already, or by another: choose "
                       "another name",
                       plugin->name);
    if (count == MOST) return sn_fail(error, SN_STATUS_ARGUMENT, "there are %d plugins, no more fit", MOST);
    registry.plugin[count] = *plugin;
    if (!keepTexts(registry.plugin + count)) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    atomic_store(&registry.count, count + 1);
    return SN_STATUS_OK;
}

// Those of Sinew's own, whose texts are constant.
static void addBuiltin(void)
{
    static const snPlugin* const own[] = {SN_BUILTIN_PLUGINS NULL};
    int count = 0;
    for (; own[count]; count++) registry.plugin[count] = *own[count];
    atomic_store(&registry.count, count);
}

snStatus sn_registerPlugin(const snPlugin* plugin, snError* error)
{
    const snStatus status = check(plugin, error);
    if (status != SN_STATUS_OK) return status;
    sn_callOnce(&registry.once, addBuiltin);
    sn_lock(&registry.lock);
    const snStatus added = add(plugin, error);
    sn_unlock(&registry.lock);
    return added;
}

int sn_pluginCount(void)
{
    sn_callOnce(&registry.once, addBuiltin);
    return atomic_load(&registry.count);
}

const snPlugin* sn_pluginAt(int slot)
{
    return slot >= 0 && slot < sn_pluginCount() ? registry.plugin + slot : NULL;
}

const snPlugin* sn_findPlugin(const char* name, int* slot)
{
    return name ? find(name, sn_pluginCount(), slot) : NULL;
}
