#include "compile/build/configuration.h"
#include <string.h>

const char* sn_configValue(const snSpecPlugin* p, const char* key)
{
    SN_EACH (snSpecConfig, config, p->configs)
        if (!strcmp(config->key, key)) return config->value;
    return NULL;
}

bool sn_parseConfiguration(snBuild* b, const snSpecPlugin* p, const snPlugin* plugin, double* numbers)
{
    enum { MOST = 256 };
    const char* values[MOST];
    if (plugin->nattribute > MOST)
        return sn_buildFail(b, &p->head, SN_STATUS_MODEL, "its plugin has %d attributes, more than %d",
                            plugin->nattribute, MOST);
    for (int i = 0; i < plugin->nattribute; i++) values[i] = sn_configValue(p, plugin->attributes[i]);
    snError why = {.message = ""};
    if (!plugin->parse || plugin->parse(values, numbers, plugin->user, &why)) return true;
    return sn_buildFail(b, &p->head, SN_STATUS_MODEL, "plugin \"%.80s\": %.400s", plugin->name,
                        *why.message ? why.message : "its configuration is wrong");
}
