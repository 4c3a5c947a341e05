#include "format/mjcf/tree/plugin.h"
#include <string.h>

// What declares a plugin; NULL: nothing does.
static snElement* findExtension(const snSpec* spec, const char* plugin)
{
    for (snElement* section = spec->root->first; section; section = section->next)
        for (snElement* e = strcmp(section->tag, "extension") ? NULL : section->first; e; e = e->next) {
            const char* name = sn_attributeText(e, "plugin");
            if (!strcmp(e->tag, "plugin") && name && !strcmp(name, plugin)) return e;
        }
    return NULL;
}

static bool makeInstance(snSpec* spec, snElement* extension, const snElement* plugin, const char* name)
{
    snElement* instance = sn_newElement(&spec->tree, "instance", plugin->place);
    if (!instance || !sn_putAttribute(&spec->tree, instance, "name", name)) return false;
    instance->origin = extension->origin;
    instance->shared = true;
    sn_linkElement(extension, instance, NULL);
    for (const snElement* e = plugin->first; e; e = e->next) {
        snElement* config = sn_copyElement(&spec->tree, e);
        if (!config) return false;
        sn_linkElement(instance, config, NULL);
    }
    return true;
}

bool sn_shareInstance(snReader* r, const snElement* plugin, const char* made, const char** name)
{
    snSpecPlugin set = {.plugin = NULL};
    if (!sn_readAttributes(r, plugin, sn_mjcfElement(SN_MJCF_PLUGIN), SN_IN_ELEMENT, &set)) return false;
    *name = set.instance;
    if (set.instance) return true;
    if (!set.plugin) return sn_mjcfFail(r, plugin, SN_STATUS_MODEL, "give 'plugin' or 'instance'");
    snElement* extension = findExtension(r->spec, set.plugin);
    if (!extension)
        return sn_mjcfFail(
            r, plugin, SN_STATUS_MODEL,
            "plugin=\"%s\": it must be declared, <extension><plugin plugin=\"%s\"/></extension>",
            sn_short(set.plugin).text, sn_short(set.plugin).text);
    *name = sn_poolText(&r->spec->tree, made, strlen(made));
    return (*name && makeInstance(r->spec, extension, plugin, *name)) || sn_mjcfNoMemory(r);
}

static bool hasPlugin(const snElement* body)
{
    for (const snElement* e = body->first; e; e = e->next)
        if (!strcmp(e->tag, "plugin") || (!strcmp(e->tag, "frame") && hasPlugin(e))) return true;
    return false;
}

bool sn_givePlugin(snSpec* spec, snElement* body, const snElement* plugin, const char* instance)
{
    if (hasPlugin(body)) return true;
    snElement* e = sn_newElement(&spec->tree, "plugin", plugin->place);
    if (!e || !sn_putAttribute(&spec->tree, e, "instance", instance)) return false;
    e->origin = body->origin;
    sn_linkElement(body, e, NULL);
    return true;
}
