// Memory of the library in Python's hands, and arrays in it.
//
// Who owns what: a Memory owns one snModel, one snData, one snBatch with its threads, or one snController,
// which holds the Memory of its model, and nothing else. A Model, a Data, an Option, a task and every view
// hold the Memory, so views stay valid for as long as somebody has them, and no cycle can form.
#ifndef SINEW_PYTHON_MEMORY_H
#define SINEW_PYTHON_MEMORY_H

#include "base/base.h"

enum { MAX_DIMS = 3 };

typedef struct Memory {
    PyObject_HEAD snModel* model; ///< owned; one of the four is there
    snData* data;                 ///< owned
    snController* controller;     ///< owned; the model's memory is `of`
    snBatch* batch;               ///< owned, with its pool
    snThreadPool* pool;
    struct Memory* of;
    struct Shown* shown; ///< where an array is being made in it; NULL: none is
    atomic_flag busy;    ///< of a controller, a data or a batch: taken while a function works on it
} Memory;

extern PyType_Spec memory_spec, array_spec;
Core* coreOfMemory(const Memory* memory);
Memory* makeMemory(Core* core, snModel* m, snData* d);
size_t formatSize(char format);
char formatOf(const char* ctype);
/// A NumPy array over [rows x columns] entries at `address`; columns < 0: one dimension. Its base is the
/// memory.
PyObject* makeView(Memory* memory, void* address, char format, Py_ssize_t rows, Py_ssize_t columns);
/// A NumPy array of `ndim` up to 3 dimensions in memory that `owner` keeps; strides in bytes.
PyObject* makeArray(Core* core, PyObject* owner, void* address, char format, int ndim,
                    const Py_ssize_t* shape, const Py_ssize_t* strides);
/// view[...]: what a caller gets of a view that is kept, so that changing its shape, type or flags changes no
/// other.
PyObject* freshView(PyObject* view);
/// What a model or a data gives out of a view that it keeps: the peer's that view, ours a fresh one.
PyObject* giveView(bool peer, PyObject* view);
/// view[...] = value
int assignView(PyObject* view, PyObject* value);

#endif
