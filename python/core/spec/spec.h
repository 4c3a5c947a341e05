// The source of a model.
#ifndef SINEW_PYTHON_SPEC_H
#define SINEW_PYTHON_SPEC_H

#include "base/base.h"

extern PyMethodDef spec_functions[];
int makeSpecTypes(Core* core, PyObject* module);

#endif
