// Counts and bytes of the peer's data, and those that can be set.
#include "peer/peer_data.h"

static snData* dataOf(PyObject* object)
{
    return ((Data*)object)->memory->data;
}

PyObject* getBytes(PyObject* object, void* closure)
{
    return PyLong_FromSize_t(*(const size_t*)((const char*)dataOf(object) + (intptr_t)closure));
}

PyObject* getCount(PyObject* object, void* closure)
{
    return PyLong_FromLong(*(const int*)((const char*)dataOf(object) + (intptr_t)closure));
}

PyObject* getZero(PyObject* Py_UNUSED(object), void* Py_UNUSED(closure))
{
    return PyLong_FromLong(0);
}

PyObject* getPool(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromVoidPtr(dataOf(object)->pool);
}

PyObject* getScratchMost(PyObject* object, void* Py_UNUSED(closure))
{
    const snData* d = dataOf(object);
    return PyLong_FromSize_t(d->maxuse_arena > d->parena ? d->maxuse_arena - d->parena : 0);
}

// The number to be set, from 0 to `most`; false with an exception.
static bool getSize(PyObject* value, long long most, long long* result)
{
    if (value) return getInteger(value, "the number", 0, most, result);
    PyErr_SetString(PyExc_AttributeError, "a field cannot be deleted");
    return false;
}

int setBytes(PyObject* object, PyObject* value, void* closure)
{
    long long bytes;
    if (!getSize(value, LLONG_MAX, &bytes)) return -1;
    *(size_t*)((char*)dataOf(object) + (intptr_t)closure) = (size_t)bytes;
    return 0;
}

int setCount(PyObject* object, PyObject* value, void* closure)
{
    long long count;
    if (!getSize(value, INT_MAX, &count)) return -1;
    *(int*)((char*)dataOf(object) + (intptr_t)closure) = (int)count;
    return 0;
}

int setScratchMost(PyObject* object, PyObject* value, void* Py_UNUSED(closure))
{
    snData* d = dataOf(object);
    long long bytes;
    if (!getSize(value, LLONG_MAX / 2, &bytes)) return -1;
    d->maxuse_arena = d->parena + (size_t)bytes;
    return 0;
}

// Scratch that is taken is missing in the functions that follow.
int setScratch(PyObject* object, PyObject* value, void* Py_UNUSED(closure))
{
    Data* self = (Data*)object;
    snData* d = dataOf(object);
    long long bytes;
    if (!takeData(self)) return -1;
    bool can = getSize(value, (long long)(d->narena - d->parena), &bytes);
    if (can && self->nested) {
        PyErr_SetString(PyExc_RuntimeError, "pstack cannot be set inside a callback of the data");
        can = false;
    }
    if (can) d->pstack = (size_t)bytes;
    releaseData(self);
    return can ? 0 : -1;
}

// Fewer contacts, and with them no rows, as their rows name the contacts.
int setContacts(PyObject* object, PyObject* value, void* Py_UNUSED(closure))
{
    Data* self = (Data*)object;
    snData* d = dataOf(object);
    long long count;
    if (!takeData(self)) return -1;
    bool can = getSize(value, d->ncon, &count);
    if (can && self->nested && count < d->ncon) {
        PyErr_SetString(PyExc_RuntimeError, "ncon cannot be set inside a callback of the data");
        can = false;
    }
    if (can && count < d->ncon) sn_dropContacts(d, (int)count);
    releaseData(self);
    return can ? 0 : -1;
}

// What follows from the rest takes the value that it has; releases `now`.
static int setSame(PyObject* now, PyObject* value)
{
    if (!value) PyErr_SetString(PyExc_AttributeError, "a field cannot be deleted");
    const int same = now && value ? PyObject_RichCompareBool(now, value, Py_EQ) : -1;
    if (same == 0) PyErr_Format(PyExc_ValueError, "it is %S, which follows from the rest of the data", now);
    Py_XDECREF(now);
    return same == 1 ? 0 : -1;
}

int setSameBytes(PyObject* object, PyObject* value, void* closure)
{
    return setSame(getBytes(object, closure), value);
}

int setSameCount(PyObject* object, PyObject* value, void* closure)
{
    return setSame(getCount(object, closure), value);
}

PyObject* getPluginCount(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromLong(((Data*)object)->memory->data->nplugin);
}

int setSamePlugins(PyObject* object, PyObject* value, void* closure)
{
    return setSame(getPluginCount(object, closure), value);
}

int setSameZero(PyObject* Py_UNUSED(object), PyObject* value, void* Py_UNUSED(closure))
{
    return setSame(PyLong_FromLong(0), value);
}

int setSamePool(PyObject* object, PyObject* value, void* closure)
{
    return setSame(getPool(object, closure), value);
}

int setSameMade(PyObject* object, PyObject* value, void* closure)
{
    return setSame(getMade(object, closure), value);
}

// All rows, or none.
int setRows(PyObject* object, PyObject* value, void* closure)
{
    Data* self = (Data*)object;
    long long count;
    if (!getSize(value, INT_MAX, &count)) return -1;
    if (count != 0) return setSameCount(object, value, closure);
    if (!takeData(self)) return -1;
    const bool inside = self->nested;
    if (inside)
        PyErr_SetString(PyExc_RuntimeError, "nefc cannot be set inside a callback of the data");
    else
        sn_dropContacts(dataOf(object), INT_MAX);
    releaseData(self);
    return inside ? -1 : 0;
}

// Arrays that are made take a value of their shape, which then is nowhere: they follow from other fields.