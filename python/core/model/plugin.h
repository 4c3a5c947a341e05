// Plugins that are classes of Python.
#ifndef SINEW_PYTHON_MODEL_PLUGIN_H
#define SINEW_PYTHON_MODEL_PLUGIN_H

#include "model/model.h"

extern PyMethodDef plugin_functions[];

/// Lets plugins find a run by its data while it goes on, and forget it; with the GIL.
void beginPlugins(CallbackRun* run);
void endPlugins(CallbackRun* run);

/// Makes a run the one of this thread: what a shape raises, which knows no data, fails it.
void enterRun(CallbackRun* run);
void leaveRun(const CallbackRun* run);

#endif
