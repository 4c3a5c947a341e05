// What all types of the module share.
#include "core.h"

PyTypeObject* addType(PyObject* module, PyType_Spec* spec)
{
    PyTypeObject* type = (PyTypeObject*)PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && PyModule_AddType(module, type) < 0) Py_CLEAR(type);
    return type;
}

bool isSubclass(PyObject* type, PyTypeObject* base, const char* name)
{
    if (PyType_Check(type) && PyType_IsSubtype((PyTypeObject*)type, base)) return true;
    PyErr_Format(PyExc_TypeError, "the first argument must be a subclass of %s", name);
    return false;
}

void freeObject(PyObject* object)
{
    PyTypeObject* type = Py_TYPE(object);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}
