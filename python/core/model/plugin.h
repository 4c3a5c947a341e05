// Plugins that are classes of Python.
#ifndef SINEW_PYTHON_MODEL_PLUGIN_H
#define SINEW_PYTHON_MODEL_PLUGIN_H

#include "model/model.h"

extern PyMethodDef plugin_functions[];

/// Lets plugins find a run by its data while it goes on, and forget it; with the GIL.
void beginPlugins(CallbackRun* run);
void endPlugins(CallbackRun* run);

#endif
