// Arrays from Python objects, whose types and lengths are checked here, as the library takes them for
// granted.
#include "memory/buffers.h"
#include "memory/memory.h"

void releaseBuffers(Buffers* b)
{
    while (b->n > 0) PyBuffer_Release(&b->list[--b->n]);
}

static const char* itemName(char item)
{
    return item == 'd' ? "float64" : item == 'i' ? "int32" : "int8";
}

static Py_buffer* getBuffer(Buffers* b, PyObject* object, const char* name, char item, Py_ssize_t count,
                            int flags)
{
    Py_buffer* buffer = &b->list[b->n];
    if (PyObject_GetBuffer(object, buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | flags) < 0) return NULL;
    b->n++;
    const Py_ssize_t size = (Py_ssize_t)formatSize(item);
    const char* format = buffer->format ? buffer->format : "";
    const bool same = format[0] == item || (item == 'i' && format[0] == 'l'); // int32 is a long of Windows
    if (buffer->itemsize != size || !same || format[1]) {
        PyErr_Format(PyExc_TypeError, "%s must be an array of %s", name, itemName(item));
        return NULL;
    }
    if (buffer->len / size != count) {
        PyErr_Format(PyExc_ValueError, "%s has %zd numbers, must have %zd", name, buffer->len / size, count);
        return NULL;
    }
    return buffer;
}

bool getDoubles(Buffers* b, PyObject* object, const char* name, Py_ssize_t count, const double** out)
{
    *out = NULL;
    if (object == Py_None) return true;
    const Py_buffer* buffer = getBuffer(b, object, name, 'd', count, 0);
    if (buffer) *out = buffer->buf;
    return buffer != NULL;
}

bool getInts(Buffers* b, PyObject* object, const char* name, Py_ssize_t count, const int** out)
{
    *out = NULL;
    if (object == Py_None) return true;
    const Py_buffer* buffer = getBuffer(b, object, name, 'i', count, 0);
    if (buffer) *out = buffer->buf;
    return buffer != NULL;
}

void* getOutput(Buffers* b, PyObject* object, const char* name, char item, Py_ssize_t count)
{
    const Py_buffer* buffer = getBuffer(b, object, name, item, count, PyBUF_WRITABLE);
    return buffer ? buffer->buf : NULL;
}
