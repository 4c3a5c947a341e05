// Instances of plugins: their texts, numbers and states, the elements that have them, and what they are of.
#include <string.h>
#include "model/check/check.h"
#include "model/plugin/plugin.h"

// Counts the texts from `at` on that end inside [n] bytes, up to an empty one or `most`; -1: they do not end.
static int countTexts(const char* text, int n, int at, int most, bool to_empty)
{
    int count = 0;
    while (count < most) {
        const char* end = at < n ? memchr(text + at, 0, (size_t)(n - at)) : NULL;
        if (!end) return -1;
        if (to_empty && end == text + at) return count;
        at = (int)(end - text) + 1;
        count++;
    }
    return to_empty ? -1 : count;
}

static bool texts(const snCheck* c, int i)
{
    const snModel* m = c->m;
    const int name = m->plugin_nameadr[i], attr = m->plugin_attradr[i];
    if (name < 0) return sn_checkFail(c, "plugin_nameadr", i, "out of range");
    const int count = countTexts(m->plugin_name, m->npluginname, name, m->npluginname, true);
    if (count < 1) return sn_checkFail(c, "plugin_nameadr", i, "no name and keys are there");
    if (attr < 0 || countTexts(m->plugin_attr, m->npluginattr, attr, count - 1, false) < 0)
        return sn_checkFail(c, "plugin_attradr", i, "fewer texts than keys are there");
    return true;
}

snStatus sn_checkPluginTexts(const snModel* m, snError* error)
{
    const snCheck check = {m, error};
    const snCheck* c = &check;
    bool good = sn_checkText(c, "plugin_name", m->plugin_name, m->npluginname) &&
                sn_checkText(c, "plugin_attr", m->plugin_attr, m->npluginattr) &&
                sn_checkPacked(c, "plugin_stateadr", m->plugin_stateadr, m->plugin_statenum, m->nplugin, -2,
                               m->npluginstate) &&
                sn_checkPacked(c, "plugin_numberadr", m->plugin_numberadr, m->plugin_numbernum, m->nplugin,
                               -2, m->npluginnumber) &&
                SN_CHECK_RANGE(name_pluginadr, m->nplugin, 0, m->nnames);
    for (int i = 0; i < m->nplugin && good; i++) good = texts(c, i);
    return good ? SN_STATUS_OK : error->status;
}

static bool isSensorPlugin(const snModel* m, int s)
{
    const snPlugin* plugin = sn_pluginOf(m, m->sensor_plugin[s]);
    if (m->sensor_type[s] != SN_SENS_PLUGIN) return !plugin;
    return plugin && plugin->sensor && m->sensor_needstage[s] == plugin->sensor_stage &&
           m->sensor_dim[s] >= 1;
}

static bool elements(const snCheck* c)
{
    const snModel* m = c->m;
    if (!SN_CHECK_RANGE(body_plugin, m->nbody, -1, m->nplugin) ||
        !SN_CHECK_RANGE(geom_plugin, m->ngeom, -1, m->nplugin) ||
        !SN_CHECK_RANGE(actuator_plugin, m->nactuator, -1, m->nplugin) ||
        !SN_CHECK_RANGE(sensor_plugin, m->nsensor, -1, m->nplugin))
        return false;
    for (int g = 0; g < m->ngeom; g++)
        if (m->geom_plugin[g] >= 0 && !sn_pluginOf(m, m->geom_plugin[g])->sdf_distance)
            return sn_checkFail(c, "geom_plugin", g, "its plugin is no shape");
    for (int s = 0; s < m->nsensor; s++)
        if (!isSensorPlugin(m, s)) return sn_checkFail(c, "sensor_plugin", s, "does not go with its type");
    return true;
}

bool sn_checkPlugins(const snCheck* c)
{
    const snModel* m = c->m;
    if (sn_checkPluginTexts(m, c->error) != SN_STATUS_OK) return false;
    for (int i = 0; i < m->nplugin; i++) {
        const snPlugin* plugin = sn_pluginOf(m, i);
        if (!plugin || strcmp(plugin->name, m->plugin_name + m->plugin_nameadr[i]))
            return sn_checkFail(c, "plugin", i, "not the slot of the plugin that plugin_name says");
        if (m->plugin_numbernum[i] != plugin->nnumber || m->plugin_statenum[i] > SN_MAXPLUGINSIZE)
            return sn_checkFail(c, "plugin_numbernum", i, "not what its plugin has");
    }
    return elements(c);
}
