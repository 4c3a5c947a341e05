// What all types of the module share.
#include "base/base.h"

Core* coreOfType(PyTypeObject* type)
{
    // Subclasses written in Python have no module state: look along the bases.
    for (; type; type = PyType_GetSlot(type, Py_tp_base)) {
        if (PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE) {
            PyObject* module = PyType_GetModule(type);
            if (module) return PyModule_GetState(module);
            PyErr_Clear();
        }
    }
    PyErr_SetString(PyExc_TypeError, "not a class of sinew");
    return NULL;
}

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

// As an int: what is an index, or a number of NumPy's that is whole. No float, and no text.
static PyObject* wholeNumber(PyObject* object)
{
    if (PyFloat_Check(object)) return NULL;
    PyObject* index = PyNumber_Index(object);
    if (index || !PyNumber_Check(object)) return index;
    PyErr_Clear();
    PyObject* number = PyNumber_Long(object);
    const int same = number ? PyObject_RichCompareBool(number, object, Py_EQ) : 0;
    if (same <= 0) Py_CLEAR(number);
    return number;
}

bool getInteger(PyObject* object, const char* name, long long low, long long high, long long* result)
{
    PyObject* number = wholeNumber(object);
    if (!number) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be an integer", name);
        return false;
    }
    int overflow;
    *result = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (!overflow && *result >= low && *result <= high) return true;
    PyObject* module = PyImport_ImportModule("sinew._core");
    PyObject* type = module ? PyObject_GetAttrString(module, "IntegerError") : NULL;
    if (type) PyErr_Format(type, "%s must be from %lld to %lld", name, low, high);
    Py_XDECREF(type);
    Py_XDECREF(module);
    return false;
}

void freeObject(PyObject* object)
{
    PyTypeObject* type = Py_TYPE(object);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}
