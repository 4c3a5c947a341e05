// Types of what a view is made of, and functions over them.
#ifndef SINEW_PYTHON_SCENE_H
#define SINEW_PYTHON_SCENE_H

#include "base/base.h"

extern PyMethodDef scene_functions[], mipmap_functions[];
int makeVisualStructTypes(Core* core, PyObject* module);

#endif
