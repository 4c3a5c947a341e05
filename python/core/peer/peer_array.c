// Arrays that are made when asked, and types with more attributes.
#include "peer/peer_fields.h"

PyObject* makeOwned(Core* core, char format, Py_ssize_t rows, Py_ssize_t columns, void** address)
{
    const Py_ssize_t size = (Py_ssize_t)formatSize(format), shape[] = {rows, columns};
    const Py_ssize_t strides[] = {columns < 0 ? size : size * columns, size};
    PyObject* bytes = PyByteArray_FromStringAndSize(NULL, rows * strides[0]);
    if (!bytes) return NULL;
    char* at = PyByteArray_AsString(bytes);
    memset(at, 0, (size_t)(rows * strides[0]));
    if (address) *address = at;
    PyObject* array = makeArray(core, bytes, at, format, columns < 0 ? 1 : 2, shape, strides);
    Py_DECREF(bytes);
    return array;
}

PyObject* copyOwned(Core* core, char format, Py_ssize_t rows, const void* source)
{
    void* address;
    PyObject* array = makeOwned(core, format, rows, -1, &address);
    if (array && rows) memcpy(address, source, (size_t)rows * formatSize(format));
    return array;
}

PyTypeObject* addDerivedType(PyObject* module, const char* name, const char* doc, PyTypeObject* base,
                             PyGetSetDef* getset)
{
    PyType_Slot slots[] = {{Py_tp_doc, (void*)doc}, {Py_tp_getset, getset}, {0, NULL}};
    PyType_Spec spec = {
        .name = name,
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
        .slots = slots,
    };
    PyTypeObject* type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &spec, (PyObject*)base);
    if (type && PyModule_AddType(module, type) < 0) Py_CLEAR(type);
    return type;
}

PyObject* keptArray(PyObject* made, const void* field)
{
    PyObject* key = made ? PyLong_FromVoidPtr((void*)field) : NULL;
    PyObject* array = key ? PyDict_GetItem(made, key) : NULL;
    Py_XDECREF(key);
    return array;
}

PyObject* keepArray(PyObject** made, const void* field, PyObject* array)
{
    if (!*made) *made = PyDict_New();
    PyObject* key = *made && array ? PyLong_FromVoidPtr((void*)field) : NULL;
    if (!key || PyDict_SetItem(*made, key, array) < 0) Py_CLEAR(array);
    Py_XDECREF(key);
    return array;
}

int assignArray(PyObject* array, PyObject* value)
{
    const int result = array ? assignView(array, value) : -1;
    Py_XDECREF(array);
    return result;
}
