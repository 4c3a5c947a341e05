// The library's tables, for the package and its stubs; types of sinew.mujoco.
#ifndef SINEW_PYTHON_TABLES_H
#define SINEW_PYTHON_TABLES_H

#include "base/base.h"

PyObject* tables(PyObject* module, PyObject* unused);

// peer_types.c
/// setPeerTypes(model, data, option, later): the types of sinew.mujoco. Returns the types of its elements.
PyObject* setPeerTypes(PyObject* module, PyObject* args);

#endif
