// Arrays of the caller's, for the time of a call.
#ifndef SINEW_PYTHON_BUFFERS_H
#define SINEW_PYTHON_BUFFERS_H

#include "base/base.h"

/// Arrays that a call has taken; `list` has room for all that it takes.
typedef struct Buffers {
    Py_buffer* list;
    int n;
} Buffers;
void releaseBuffers(Buffers* b);
/// A contiguous array of `count` float64 or int32, NULL for None. False with an exception.
bool getDoubles(Buffers* b, PyObject* object, const char* name, Py_ssize_t count, const double** out);
bool getInts(Buffers* b, PyObject* object, const char* name, Py_ssize_t count, const int** out);
/// A writable one of float64 ('d'), int32 ('i') or int8 ('b'); NULL with an exception.
void* getOutput(Buffers* b, PyObject* object, const char* name, char item, Py_ssize_t count);

#endif
