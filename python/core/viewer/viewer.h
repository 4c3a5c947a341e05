// What the process that simulates and the one that serves a viewer's pages share.
#ifndef SINEW_PYTHON_VIEWER_H
#define SINEW_PYTHON_VIEWER_H

#include "model/model.h"

// block.c
extern PyMethodDef viewer_functions[];

// struct_bytes.c
PyObject* structBytes(PyObject* module, PyObject* object);

// quaternion.c
PyObject* quaternions(PyObject* module, PyObject* args);

#endif
