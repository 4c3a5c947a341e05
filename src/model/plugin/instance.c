// Instances of plugins in a model: what they are of, their configuration and numbers.
#include <string.h>
#include <stdio.h>
#include "base/error.h"
#include "model/plugin/plugin.h"

static bool isInstance(const snModel* m, int instance)
{
    return instance >= 0 && instance < m->nplugin;
}

const snPlugin* sn_pluginOf(const snModel* m, int instance)
{
    return isInstance(m, instance) ? sn_pluginAt(m->plugin[instance]) : NULL;
}

const char* sn_pluginConfig(const snModel* m, int instance, const char* key)
{
    if (!isInstance(m, instance)) return NULL;
    const char* own = m->plugin_name + m->plugin_nameadr[instance];
    const char* value = m->plugin_attr + m->plugin_attradr[instance];
    for (own += strlen(own) + 1; *own; own += strlen(own) + 1, value += strlen(value) + 1)
        if (!strcmp(own, key)) return value;
    return NULL;
}

const double* sn_pluginNumbers(const snModel* m, int instance)
{
    return isInstance(m, instance) ? m->plugin_number + m->plugin_numberadr[instance] : NULL;
}

double* sn_pluginState(const snModel* m, snData* d, int instance)
{
    return isInstance(m, instance) ? d->plugin_state + m->plugin_stateadr[instance] : NULL;
}

const char* sn_serialName(const snModel* m)
{
    for (int i = 0; i < m->nplugin; i++) {
        const snPlugin* plugin = sn_pluginOf(m, i);
        if (plugin && plugin->serial) return plugin->name;
    }
    return NULL;
}

bool sn_isSerial(const snModel* m)
{
    return sn_serialName(m) != NULL;
}

void sn_describePlugin(const snModel* m, int instance, char* text, size_t size)
{
    const char* name = m->names + m->name_pluginadr[instance];
    snprintf(text, size, "plugin '%s' (instance %d%s%s%s)", m->plugin_name + m->plugin_nameadr[instance],
             instance, *name ? " '" : "", name, *name ? "'" : "");
}

// Whether the keys of an instance are still those of its plugin, in their order.
static bool hasKeys(const snModel* m, int instance, const snPlugin* plugin)
{
    const char* own = m->plugin_name + m->plugin_nameadr[instance];
    own += strlen(own) + 1;
    for (int i = 0; i < plugin->nattribute; i++, own += strlen(own) + 1)
        if (strcmp(own, plugin->attributes[i])) return false;
    return !*own && m->plugin_numbernum[instance] == plugin->nnumber;
}

snStatus sn_bindPlugins(snModel* m, snError* error)
{
    for (int i = 0; i < m->nplugin; i++) {
        const char* name = m->plugin_name + m->plugin_nameadr[i];
        const snPlugin* plugin = sn_findPlugin(name, &m->plugin[i]);
        if (!plugin)
            return sn_fail(
                error, SN_STATUS_MODEL,
                "the model needs the plugin '%s', which is not there: load the library that has it "
                "first (sn_loadPluginLibrary, sinew --plugin FILE), or register it",
                name);
        if (!hasKeys(m, i, plugin))
            return sn_fail(error, SN_STATUS_MODEL,
                           "the model was compiled for another version of the plugin '%s', with other "
                           "attributes: compile it again",
                           name);
    }
    return SN_STATUS_OK;
}
