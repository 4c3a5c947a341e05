// extension, and the plugins of elements: which plugin or instance, and its configuration.
#include "format/mjcf/read/reader.h"
#include <string.h>

// Keys are taken as they stand, blanks included: they are the plugin's own.
static bool readConfig(snReader* r, const snXmlNode* node, void* context)
{
    snSpecPlugin* instance = context;
    const snSpecConfig blank = {.key = NULL};
    snSpecConfig* config = sn_makeElement(r, node, SN_OBJ_UNKNOWN, &blank, sizeof blank);
    if (!config || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_CONFIG), SN_IN_ELEMENT, config))
        return false;
    if (!config->key) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute 'key' is empty");
    config->value = sn_xmlAttribute(node, "value");
    SN_EACH (snSpecConfig, other, instance->configs)
        if (!strcmp(other->key, config->key))
            return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                               "key \"%s\" is given at line %d already, leave out one",
                               sn_short(config->key).text, other->head.place.line);
    SN_SPEC_APPEND(&instance->configs, config);
    return sn_readNoChildren(r, node);
}

static bool readConfigs(snReader* r, const snXmlNode* node, snSpecPlugin* instance)
{
    static const snChild children[] = {{"config", readConfig, 0}};
    return sn_readChildren(r, node, children, SN_COUNT(children), instance);
}

static bool readDeclared(snReader* r, const snXmlNode* node, void* context)
{
    const snSpecExtension* extension = context;
    const snPluginOrder order = node->shared ? SN_PLUGIN_SHARED : SN_PLUGIN_DECLARED;
    const snSpecPlugin blank = {.order = (int)order, .plugin = extension->plugin};
    snSpecPlugin* instance = sn_makeElement(r, node, SN_OBJ_PLUGIN, &blank, sizeof blank);
    if (!instance || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_INSTANCE), SN_IN_ELEMENT, instance))
        return false;
    SN_SPEC_APPEND(&r->spec->plugins, instance);
    return readConfigs(r, node, instance);
}

static bool readExtensionPlugin(snReader* r, const snXmlNode* node, void* context)
{
    static const snChild children[] = {{"instance", readDeclared, 0}};
    (void)context;
    const snSpecExtension blank = {.plugin = NULL};
    snSpecExtension* extension = sn_makeElement(r, node, SN_OBJ_UNKNOWN, &blank, sizeof blank);
    if (!extension ||
        !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_EXTENSION_PLUGIN), SN_IN_ELEMENT, extension))
        return false;
    SN_SPEC_APPEND(&r->spec->extensions, extension);
    return sn_readChildren(r, node, children, SN_COUNT(children), extension);
}

bool sn_readExtension(snReader* r, const snXmlNode* node, void* context)
{
    static const snMjcfElement none = {"extension", "extension", 0, NULL};
    static const snChild children[] = {{"plugin", readExtensionPlugin, 0}};
    (void)context;
    return sn_readAttributes(r, node, &none, SN_IN_ELEMENT, NULL) &&
           sn_readChildren(r, node, children, SN_COUNT(children), NULL);
}

bool sn_readInstance(snReader* r, const snXmlNode* node, const char* plugin, const char* instance,
                     snPluginOrder order, snSpecPlugin** plug)
{
    snSpecPlugin* made = sn_specAlloc(r->spec, sizeof *made);
    if (!made) return sn_mjcfNoMemory(r);
    const snSpecHead* head = node->record;
    *made = (snSpecPlugin){.order = (int)order, .plugin = plugin, .instance = instance};
    if (head) made->head = *head;
    made->head.id = -1;
    *plug = made;
    if (!plugin && !instance) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "give 'plugin' or 'instance'");
    if (instance && node->first &&
        !sn_mjcfWarn(r, node, "its <config> is passed over: instance \"%s\" has a configuration of its own",
                     sn_short(instance).text))
        return false;
    SN_SPEC_APPEND(&r->spec->plugins, made);
    return readConfigs(r, node, made);
}

bool sn_readPlugin(snReader* r, const snXmlNode* node, snPluginOrder order, snSpecPlugin** plug)
{
    const snSpecPlugin blank = {.plugin = NULL};
    snSpecPlugin* text = sn_makeElement(r, node, SN_OBJ_UNKNOWN, &blank, sizeof blank);
    if (!text || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_PLUGIN), SN_IN_ELEMENT, text))
        return false;
    if (*plug)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "there is one at line %d already, an element has one",
                           (*plug)->head.place.line);
    return sn_readInstance(r, node, text->plugin, text->instance, order, plug);
}

// What sn_readOnlyPlugin hands to the reader of the child.
typedef struct Holder {
    snPluginOrder order;
    snSpecPlugin** plug;
} Holder;

static bool readHeld(snReader* r, const snXmlNode* node, void* context)
{
    const Holder* holder = context;
    return sn_readPlugin(r, node, holder->order, holder->plug);
}

bool sn_readOnlyPlugin(snReader* r, const snXmlNode* node, snPluginOrder order, snSpecPlugin** plug)
{
    static const snChild children[] = {{"plugin", readHeld, 0}};
    Holder holder = {order, plug};
    return sn_readChildren(r, node, children, SN_COUNT(children), &holder);
}
