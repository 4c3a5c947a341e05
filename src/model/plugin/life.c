// The life of plugin instances in a data: from its making to its end.
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "model/plugin/plugin.h"

bool sn_roomForPlugins(const snModel* m, snData* d)
{
    const size_t n = (size_t)m->nplugin;
    if (!n) return true;
    d->plugin_data = sn_calloc(n * (sizeof *d->plugin_data + sizeof *d->plugin));
    if (!d->plugin_data) return false;
    d->plugin = memcpy(d->plugin_data + n, m->plugin, n * sizeof *d->plugin);
    return true;
}

static snStatus start(const snModel* m, snData* d, int instance, snError* error)
{
    const snPlugin* plugin = sn_pluginAt(d->plugin[instance]);
    if (!plugin) return sn_fail(error, SN_STATUS_MODEL, "its plugin is not there");
    snError why = {.message = ""};
    if (!plugin->init || plugin->init(m, d, instance, plugin->user, &why)) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_MODEL, "%s",
                   *why.message ? why.message : "it does not start, and does not say why");
}

snStatus sn_startPlugins(const snModel* m, snData* d, int* failed, snError* error)
{
    for (; d->nplugin < m->nplugin; d->nplugin++) {
        const snStatus status = start(m, d, d->nplugin, error);
        if (status == SN_STATUS_OK) continue;
        if (failed) *failed = d->nplugin;
        return status;
    }
    sn_resetPlugins(m, d);
    return SN_STATUS_OK;
}

void sn_endPlugins(snData* d)
{
    while (d->nplugin > 0) {
        const int i = --d->nplugin;
        const snPlugin* plugin = sn_pluginAt(d->plugin[i]);
        if (plugin && plugin->destroy) plugin->destroy(d, i, plugin->user);
    }
    sn_free(d->plugin_data);
    d->plugin_data = NULL;
}

void sn_resetPlugins(const snModel* m, snData* d)
{
    for (int i = 0; i < d->nplugin; i++) {
        const snPlugin* plugin = sn_pluginAt(d->plugin[i]);
        if (plugin->reset) plugin->reset(m, d, i, plugin->user);
    }
}

void sn_copyPlugins(snData* destination, const snModel* m, const snData* source)
{
    for (int i = 0; i < destination->nplugin && i < source->nplugin; i++) {
        const snPlugin* plugin = sn_pluginAt(destination->plugin[i]);
        if (plugin->copy) plugin->copy(destination, m, source, i, plugin->user);
    }
}
