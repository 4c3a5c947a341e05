// Plugins within the library: their instances in a data, and the calls of what they do.
#ifndef SINEW_MODEL_PLUGIN_PLUGIN_H
#define SINEW_MODEL_PLUGIN_PLUGIN_H

#include <sinew/plugin.h>

/// Room for the instances of a data, none of them alive; false: out of memory.
bool sn_roomForPlugins(const snModel* m, snData* d);

/// Brings all instances of a data to life and resets their state. *failed (may be NULL) is the instance that
/// refuses; error (may be NULL) has its reason, in its own words.
snStatus sn_startPlugins(const snModel* m, snData* d, int* failed, snError* error);

/// Ends all that are alive and frees their room.
void sn_endPlugins(snData* d);

/// Their state after a reset; d->plugin_state is all 0 before.
void sn_resetPlugins(const snModel* m, snData* d);

/// After all else of a data has been copied.
void sn_copyPlugins(snData* destination, const snModel* m, const snData* source);

/// "plugin 'x' (instance 3 'name')", cut to what fits.
void sn_describePlugin(const snModel* m, int instance, char* text, size_t size);

/// Finds the plugins that a model names among those that there are and sets m->plugin to their slots. MODEL:
/// one is not there, or has other attributes or numbers than when the model was compiled.
snStatus sn_bindPlugins(snModel* m, snError* error);

#endif
