// Plugins: instances and their configurations, the elements that have them; and once the rest of the model is
// there, the sizes that they ask for.
#include "compile/relation/relation.h"
#include "base/error.h"
#include "base/nearest.h"
#include "compile/build/configuration.h"
#include "model/blank.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/plugin/plugin.h"
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

// ---- numbering

static const char* nearestPlugin(const char* name)
{
    const char* best = NULL;
    for (int i = 0; i < sn_pluginCount(); i++) {
        const char* const pair[] = {best, sn_pluginAt(i)->name};
        best = sn_nearestWord(name, pair, 2);
    }
    return best;
}

static bool checkExtensions(snBuild* b)
{
    SN_EACH (snSpecExtension, extension, b->spec->extensions) {
        if (sn_findPlugin(extension->plugin, NULL)) continue;
        const char* near = nearestPlugin(extension->plugin);
        return sn_buildFail(
            b, &extension->head, SN_STATUS_MODEL,
            "plugin=\"%.80s\": there is no such plugin%s%.80s%s; load the library that has it "
            "first (sn_loadPluginLibrary, sinew --plugin FILE), or register it",
            extension->plugin, near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
    return true;
}

static bool isDeclared(const snSpec* spec, const char* plugin)
{
    SN_EACH (snSpecExtension, extension, spec->extensions)
        if (!strcmp(extension->plugin, plugin)) return true;
    return false;
}

// Whether an element's plugin is an instance of its own, or one that is declared.
static bool isInstance(const snSpecPlugin* p)
{
    return p->order == SN_PLUGIN_DECLARED || p->order == SN_PLUGIN_SHARED || !p->instance;
}

// The instance that comes with a plugin in the order of ids: its own, or that of the composite or flexcomp of
// a body. NULL: none. false: it names one that is not there.
static bool instanceWith(snBuild* b, snSpecPlugin* p, snSpecPlugin** instance)
{
    *instance = isInstance(p) ? p : NULL;
    if (*instance || p->order != SN_PLUGIN_OF_WORLD || !*p->instance) return true;
    const snSpecHead* found = sn_buildFind(b, &p->head, "instance", SN_OBJ_PLUGIN, p->instance);
    snSpecPlugin* named = (snSpecPlugin*)(void*)(uintptr_t)found;
    if (named && named->order == SN_PLUGIN_SHARED) *instance = named;
    return named != NULL;
}

// Visits all instances in the order of their ids, which the first visit sets. Ids of shared ones, which may
// be met before their turn, are beyond all others until then.
static bool eachInstance(snBuild* b, bool (*visit)(snBuild* b, snSpecPlugin* p, void* context), void* context)
{
    int next = 0;
    for (int order = 0; order < SN_PLUGIN_ORDERS; order++)
        for (snSpecPlugin* p = b->spec->plugins.first; p; p = p->next) {
            snSpecPlugin* instance;
            if (p->order != order) continue;
            if (!instanceWith(b, p, &instance)) return false;
            if (!instance || (instance->order == SN_PLUGIN_SHARED && instance->head.id < next)) continue;
            instance->head.id = next++;
            if (!visit(b, instance, context)) return false;
        }
    return true;
}

static bool findInstance(snBuild* b, snSpecPlugin* p)
{
    const snSpecHead* found = sn_buildFind(b, &p->head, "instance", SN_OBJ_PLUGIN, p->instance);
    if (!found) return false;
    const snSpecPlugin* declared = (const snSpecPlugin*)(const void*)found;
    p->head.id = found->id;
    return !p->plugin || !strcmp(p->plugin, declared->plugin) ||
           sn_buildWarn(b, &p->head,
                        "instance \"%.80s\" is of plugin \"%.80s\", which counts: leave 'plugin' out",
                        p->instance, declared->plugin);
}

static bool checkKeys(snBuild* b, const snSpecPlugin* p, const snPlugin* plugin)
{
    SN_EACH (snSpecConfig, config, p->configs) {
        int i = 0;
        while (i < plugin->nattribute && strcmp(config->key, plugin->attributes[i])) i++;
        if (i < plugin->nattribute) continue;
        const char* near = sn_nearestWord(config->key, plugin->attributes, plugin->nattribute);
        return sn_buildFail(b, &config->head, SN_STATUS_MODEL,
                            "key=\"%.80s\": plugin \"%.80s\" has no such attribute%s%.80s%s", config->key,
                            plugin->name, near ? ", did you mean \"" : "", near ? near : "",
                            near ? "\"?" : "");
    }
    return true;
}

// Bytes of texts and numbers so far.
typedef struct Sizes {
    int instances;
    long long attr, name, number;
} Sizes;

static bool countInstance(snBuild* b, snSpecPlugin* p, void* context)
{
    Sizes* sizes = context;
    sizes->instances++;
    if (!isDeclared(b->spec, p->plugin))
        return sn_buildFail(b, &p->head, SN_STATUS_MODEL,
                            "plugin=\"%.80s\": it must be declared, <extension><plugin "
                            "plugin=\"%.80s\"/></extension>",
                            p->plugin, p->plugin);
    const snPlugin* plugin = sn_findPlugin(p->plugin, NULL);
    if (!checkKeys(b, p, plugin)) return false;
    sizes->name += (long long)strlen(plugin->name) + 2;
    sizes->number += plugin->nnumber;
    for (int i = 0; i < plugin->nattribute; i++) {
        const char* value = sn_configValue(p, plugin->attributes[i]);
        sizes->attr += (long long)(value ? strlen(value) : 0) + 1;
        sizes->name += (long long)strlen(plugin->attributes[i]) + 1;
    }
    if (sizes->attr <= SN_SIZE_LIMIT && sizes->name <= SN_SIZE_LIMIT && sizes->number <= SN_SIZE_LIMIT)
        return true;
    return sn_buildFail(b, &p->head, SN_STATUS_MODEL, "the configurations of plugins are too large in all");
}

bool sn_countPlugins(snBuild* b, snPluginSizes* result)
{
    Sizes sizes = {0};
    *result = (snPluginSizes){0};
    if (!checkExtensions(b)) return false;
    for (snSpecPlugin* p = b->spec->plugins.first; p; p = p->next)
        if (p->order == SN_PLUGIN_SHARED) p->head.id = INT_MAX;
    if (!eachInstance(b, countInstance, &sizes)) return false;
    for (snSpecPlugin* p = b->spec->plugins.first; p; p = p->next)
        if (!isInstance(p) && !findInstance(b, p)) return false;
    result->instances = sizes.instances;
    result->attr = (int)sizes.attr;
    result->name = (int)sizes.name;
    result->number = (int)sizes.number;
    return true;
}

// ---- texts and numbers

static int put(char* to, int at, const char* text)
{
    const size_t n = strlen(text) + 1;
    memcpy(to + at, text, n);
    return at + (int)n;
}

static bool buildInstance(snBuild* b, snSpecPlugin* p, void* context)
{
    snPluginSizes* at = context;
    snModel* m = b->m;
    const int id = p->head.id;
    const snPlugin* plugin = sn_findPlugin(p->plugin, m->plugin + id);
    m->plugin_nameadr[id] = at->name;
    m->plugin_attradr[id] = at->attr;
    m->plugin_numberadr[id] = at->number;
    m->plugin_numbernum[id] = plugin->nnumber;
    at->name = put(m->plugin_name, at->name, plugin->name);
    for (int i = 0; i < plugin->nattribute; i++) {
        const char* value = sn_configValue(p, plugin->attributes[i]);
        at->name = put(m->plugin_name, at->name, plugin->attributes[i]);
        at->attr = put(m->plugin_attr, at->attr, value ? value : "");
    }
    at->name = put(m->plugin_name, at->name, "");
    at->number += plugin->nnumber;
    return sn_parseConfiguration(b, p, plugin, m->plugin_number + m->plugin_numberadr[id]);
}

// ---- elements

// The instance of an element; false: its plugin cannot do what is asked of it.
static bool attach(snBuild* b, const snSpecPlugin* p, bool (*can)(const snPlugin*), const char* what, int* id)
{
    if (!p) return true;
    const snPlugin* plugin = sn_pluginOf(b->m, p->head.id);
    *id = p->head.id;
    return can(plugin) ||
           sn_buildFail(b, &p->head, SN_STATUS_MODEL, "plugin \"%.80s\" %s", plugin->name, what);
}

static bool canPush(const snPlugin* p)
{
    return p->passive != NULL;
}
static bool canActuate(const snPlugin* p)
{
    return p->actuator != NULL;
}
static bool canMeasure(const snPlugin* p)
{
    return p->sensor != NULL;
}
static bool isShape(const snPlugin* p)
{
    return p->sdf_distance != NULL;
}

static bool attachAll(snBuild* b)
{
    snModel* m = b->m;
    int mesh;
    for (int i = 0; i < m->nbody; i++)
        if (!attach(b, b->body[i]->plug, canPush, "gives no passive forces", m->body_plugin + i))
            return false;
    for (int i = 0; i < m->ngeom; i++)
        if (!attach(b, b->geom[i]->plug, isShape, "is no shape", m->geom_plugin + i)) return false;
    SN_EACH (snSpecMesh, e, b->spec->meshes)
        if (!attach(b, e->plug, isShape, "is no shape", &mesh)) return false;
    SN_EACH (snSpecActuator, e, b->spec->actuators)
        if (!attach(b, e->plug, canActuate, "is no actuator", m->actuator_plugin + e->head.id)) return false;
    SN_EACH (snSpecSensor, e, b->spec->sensors)
        if (!attach(b, e->plug, canMeasure, "is no sensor", m->sensor_plugin + e->head.id)) return false;
    return true;
}

bool sn_buildPlugins(snBuild* b)
{
    snPluginSizes at = {0};
    return eachInstance(b, buildInstance, &at) && attachAll(b);
}

// ---- sizes, which are asked of instances

static const snSpecPlugin* instanceOf(const snBuild* b, int id)
{
    SN_EACH (snSpecPlugin, p, b->spec->plugins)
        if (isInstance(p) && p->head.id == id) return p;
    return NULL;
}

// head: of the element that asks; NULL: the instance itself.
static bool refuse(snBuild* b, const snSpecHead* head, int instance, const snError* why, const char* silent)
{
    char what[256];
    if (!head) head = &instanceOf(b, instance)->head;
    sn_describePlugin(b->m, instance, what, sizeof what);
    return sn_buildFail(b, head, SN_STATUS_MODEL, "%s: %.300s", what, *why->message ? why->message : silent);
}

static bool checkSize(snBuild* b, const snSpecHead* head, int instance, int size, int least,
                      const snError* why)
{
    snError large;
    if (size < 0) return refuse(b, head, instance, why, "it gives no size, and does not say why");
    if (size >= least && size <= SN_MAXPLUGINSIZE) return true;
    sn_fail(&large, SN_STATUS_MODEL, "asks for %d numbers, must be %d to %d", size, least, SN_MAXPLUGINSIZE);
    return refuse(b, head, instance, &large, "");
}

static bool sizeStates(snBuild* b)
{
    snModel* m = b->m;
    long long total = 0;
    for (int i = 0; i < m->nplugin; i++) {
        const snPlugin* plugin = sn_pluginOf(m, i);
        snError why = {.message = ""};
        const int size = plugin->state_size ? plugin->state_size(m, i, plugin->user, &why) : 0;
        if (!checkSize(b, NULL, i, size, 0, &why)) return false;
        m->plugin_stateadr[i] = (int)total;
        m->plugin_statenum[i] = size;
        total += size;
        if (total > SN_SIZE_LIMIT)
            return sn_buildFail(b, &instanceOf(b, i)->head, SN_STATUS_MODEL,
                                "the states of plugins are too large in all");
    }
    m->npluginstate = (int)total;
    return true;
}

static bool sizeSensor(snBuild* b, const snSpecSensor* sensor)
{
    snModel* m = b->m;
    const int id = sensor->head.id, instance = m->sensor_plugin[id];
    if (instance < 0) return true;
    const snPlugin* plugin = sn_pluginOf(m, instance);
    snError why = {.message = ""};
    const int size = plugin->sensor_size ? plugin->sensor_size(m, instance, id, plugin->user, &why) : 1;
    m->sensor_needstage[id] = plugin->sensor_stage;
    m->sensor_dim[id] = size;
    return checkSize(b, &sensor->head, instance, size, 1, &why);
}

// Addresses of sensors and their histories, again.
static bool placeSensors(snBuild* b)
{
    snModel* m = b->m;
    long long address = 0, samples = 0;
    for (int i = 0; i < m->nactuator; i++)
        samples += sn_historySize(m->actuator_history[2 * i], sn_controlsKept(m, i));
    for (int s = 0; s < m->nsensor; s++) {
        const int kept = m->sensor_history[2 * s];
        m->sensor_adr[s] = (int)address;
        m->sensor_historyadr[s] = kept > 0 ? (int)samples : -1;
        address += m->sensor_dim[s];
        samples += sn_historySize(kept, m->sensor_dim[s]);
        if (address > SN_SIZE_LIMIT || samples > SN_MOST_HISTORY)
            return sn_buildFail(b, NULL, SN_STATUS_MODEL, "sensors and their histories are too large in all");
    }
    m->nsensordata = (int)address;
    m->nhistory = (int)samples;
    return true;
}

bool sn_sizePlugins(snBuild* b)
{
    if (!b->m->nplugin) return true;
    if (!sizeStates(b)) return false;
    SN_EACH (snSpecSensor, sensor, b->spec->sensors)
        if (!sizeSensor(b, sensor)) return false;
    return placeSensors(b);
}

bool sn_tryPlugins(snBuild* b)
{
    snError why = {.message = ""};
    int failed = 0;
    if (!b->m->nplugin) return true;
    snData* d = sn_blankData(b->m);
    if (!d) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory for the states of plugins");
    const bool good = sn_startPlugins(b->m, d, &failed, &why) == SN_STATUS_OK;
    sn_deleteData(d);
    return good || refuse(b, NULL, failed, &why, "");
}
