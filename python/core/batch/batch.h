// A batch of simulations in Python: sinew._core.Batch, its arrays and its calls. Arguments are checked by the
// class sinew.Batch; here only what would not be safe.
#ifndef SINEW_PYTHON_BATCH_H
#define SINEW_PYTHON_BATCH_H

#include "model/model.h"

typedef struct Batch {
    PyObject_HEAD Memory* memory; ///< owns the batch of C and its threads
    Model* model;                 ///< as it was given
    PyObject* views;              ///< dict of those that were asked for, by name
} Batch;

/// Takes the batch for one function; false with RuntimeError when another thread has it.
bool takeBatch(Batch* self);
void releaseBatch(Batch* self);

/// The batch that is the first argument of a function of the module; NULL with TypeError.
Batch* asBatch(PyObject* module, PyObject* object);

int makeBatchType(Core* core, PyObject* module);

extern PyMethodDef batch_run_functions[], batch_copy_functions[];

#endif
