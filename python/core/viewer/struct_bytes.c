// The memory of a struct as an array: many of them are compared with what they were in one go, which costs
// less than to ask each of its type.
#include "record/kind.h"
#include "viewer/viewer.h"

PyObject* structBytes(PyObject* module, PyObject* object)
{
    Core* core = PyModule_GetState(module);
    const RecordKind* kind = recordKindOf(core, Py_TYPE(object));
    if (!kind) return NULL;
    const Py_ssize_t size = (Py_ssize_t)kind->table->size, stride = 1;
    return makeArray(core, object, ((Record*)object)->address, 'B', 1, &size, &stride);
}
