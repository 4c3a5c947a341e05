// Elements of a model or data by name or id.
#ifndef SINEW_PYTHON_NAMED_H
#define SINEW_PYTHON_NAMED_H

#include "model/model.h"

extern PyMethodDef model_elements[], data_elements[], later_functions[];
/// The types of elements of sinew, or those of sinew.mujoco.
int makeNamedTypes(Core* core, PyObject* module, bool peer);
/// The types of sinew.mujoco.
PyObject* listPeerTypes(Core* core);
/// ("Model" or "Data", class, its methods there, attributes) of each type of sinew.
PyObject* elementTable(Core* core);
int traverseNamedTypes(Core* core, visitproc visit, void* arg);
void clearNamedTypes(Core* core);
void freeNamedTypes(Core* core);

#endif
