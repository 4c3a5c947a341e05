// Calls of plugins at the stages of the pipeline, and what becomes of what they give that is no number.
#include <math.h>
#include "model/arena.h"
#include "model/plugin_call.h"

typedef bool Function(const snModel* m, snData* d, int instance, void* user);

// Calls a function that a plugin may have; false: it has none.
static bool call(const snModel* m, snData* d, int instance, Function* function, void* user)
{
    if (!function) return false;
    if (!function(m, d, instance, user)) sn_warn(d, SN_WARN_PLUGIN, instance);
    return true;
}

// What a sensor does not see may be infinite.
static void cleanSensor(snData* d, double* x, int n, int instance)
{
    bool bad = false;
    for (int i = 0; i < n; i++) {
        if (!isnan(x[i])) continue;
        x[i] = 0;
        bad = true;
    }
    if (bad) sn_warn(d, SN_WARN_PLUGIN, instance);
}

// What is not finite becomes 0 and is counted.
static void clean(snData* d, double* x, int n, int instance)
{
    bool bad = false;
    for (int i = 0; i < n; i++) {
        if (isfinite(x[i])) continue;
        x[i] = 0;
        bad = true;
    }
    if (bad) sn_warn(d, SN_WARN_PLUGIN, instance);
}

void sn_pluginPassive(const snModel* m, snData* d)
{
    for (int i = 0; i < d->nplugin; i++) {
        const snPlugin* plugin = sn_pluginAt(d->plugin[i]);
        if (call(m, d, i, plugin->passive, plugin->user)) clean(d, d->qfrc_passive, m->nv, i);
    }
}

void sn_pluginActDot(const snModel* m, snData* d)
{
    for (int i = 0; i < d->nplugin; i++) {
        const snPlugin* plugin = sn_pluginAt(d->plugin[i]);
        if (!call(m, d, i, plugin->act_dot, plugin->user)) continue;
        for (int a = 0; a < m->nactuator; a++)
            if (m->actuator_plugin[a] == i && m->actuator_actnum[a])
                clean(d, d->act_dot + m->actuator_actadr[a], m->actuator_actnum[a], i);
    }
}

void sn_pluginForces(const snModel* m, snData* d)
{
    for (int a = 0; a < m->nactuator; a++)
        if (m->actuator_plugin[a] >= 0) d->actuator_force[m->actuator_outadr[a]] = 0;
    for (int i = 0; i < d->nplugin; i++) {
        const snPlugin* plugin = sn_pluginAt(d->plugin[i]);
        if (!call(m, d, i, plugin->actuator, plugin->user)) continue;
        for (int a = 0; a < m->nactuator; a++)
            if (m->actuator_plugin[a] == i) clean(d, d->actuator_force + m->actuator_outadr[a], 1, i);
    }
}

void sn_pluginSensors(const snModel* m, snData* d, int stage)
{
    for (int i = 0; i < d->nplugin; i++) {
        const snPlugin* plugin = sn_pluginAt(d->plugin[i]);
        if (plugin->sensor_stage != stage || !call(m, d, i, plugin->sensor, plugin->user)) continue;
        for (int s = 0; s < m->nsensor; s++)
            if (m->sensor_plugin[s] == i)
                cleanSensor(d, d->sensordata + m->sensor_adr[s], m->sensor_dim[s], i);
    }
}

void sn_pluginAdvance(const snModel* m, snData* d)
{
    for (int i = 0; i < d->nplugin; i++) {
        const snPlugin* plugin = sn_pluginAt(d->plugin[i]);
        if (!call(m, d, i, plugin->advance, plugin->user)) continue;
        clean(d, sn_pluginState(m, d, i), m->plugin_statenum[i], i);
        for (int a = 0; a < m->nactuator; a++)
            if (m->actuator_plugin[a] == i && m->actuator_actnum[a])
                clean(d, d->act + m->actuator_actadr[a], m->actuator_actnum[a], i);
    }
}
