// Files in memory, a dict of names to bytes, and folders of packages, as the library takes them.
#include "base/assets.h"

int getText(PyObject* value, const char* what, Py_buffer* buffer)
{
    PyObject* bytes = PyUnicode_Check(value) ? PyUnicode_AsUTF8String(value) : Py_NewRef(value);
    if (!bytes) return -1;
    const int result = PyObject_GetBuffer(bytes, buffer, PyBUF_SIMPLE);
    Py_DECREF(bytes);
    if (result < 0) PyErr_Format(PyExc_TypeError, "%s must be str or bytes, not %R", what, Py_TYPE(value));
    return result;
}

void freeAssets(Assets* a)
{
    while (a->n > 0) PyBuffer_Release(&a->buffers[--a->n]);
    PyMem_Free(a->buffers);
    PyMem_Free(a->list);
    Py_CLEAR(a->files);
}

static bool fill(Assets* a)
{
    const size_t room = (size_t)PyDict_Size(a->files) + 1;
    a->buffers = PyMem_Calloc(room, sizeof *a->buffers);
    a->list = PyMem_Calloc(room, sizeof *a->list);
    if (!a->buffers || !a->list) {
        PyErr_NoMemory();
        return false;
    }
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(a->files, &at, &key, &value);) {
        const char* name = textOf(key);
        if (!name || getText(value, "an asset", &a->buffers[a->n]) < 0) return false;
        a->list[a->n] = (snAsset){name, a->buffers[a->n].buf, (size_t)a->buffers[a->n].len};
        a->n++;
    }
    return true;
}

bool getAssets(PyObject* dict, Assets* a)
{
    *a = (Assets){.files = NULL};
    if (dict == Py_None) return true;
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "assets must be a dict of names to bytes");
        return false;
    }
    a->files = PyDict_Copy(dict);
    a->anywhere = PyObject_HasAttrString(dict, "anywhere") != 0;
    if (a->files && fill(a)) return true;
    freeAssets(a);
    return false;
}

bool getFolders(PyObject* tuple, const char*** list, int* n)
{
    *list = NULL;
    *n = 0;
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "folders must be a tuple of bytes");
        return false;
    }
    const Py_ssize_t count = PyTuple_Size(tuple);
    const char** names = PyMem_Calloc((size_t)count + 1, sizeof *names);
    if (!names) PyErr_NoMemory();
    for (Py_ssize_t i = 0; names && i < count; i++) {
        char* name;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, i), &name, NULL) < 0) {
            PyMem_Free(names);
            return false;
        }
        names[i] = name;
    }
    *list = names;
    *n = (int)count;
    return names != NULL;
}
