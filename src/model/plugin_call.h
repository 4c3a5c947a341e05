// What plugins do at the stages of the pipeline: called for each instance that is alive in a data, in the
// order of their ids; nothing where there are none.
#ifndef SINEW_MODEL_PLUGIN_CALL_H
#define SINEW_MODEL_PLUGIN_CALL_H

#include <sinew/plugin.h>

void sn_pluginPassive(const snModel* m, snData* d);
void sn_pluginActDot(const snModel* m, snData* d);
void sn_pluginForces(const snModel* m, snData* d);
void sn_pluginSensors(const snModel* m, snData* d, int stage);
void sn_pluginAdvance(const snModel* m, snData* d);

#endif
