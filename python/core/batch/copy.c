// One simulation of a batch as a data, and back.
#include "batch/batch.h"

// The data is made for a model, a copy of the batch's, which receives the simulation's parameters when it is
// not the batch's own.
static PyObject* batchGetData(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *data;
    int i, parameters;
    if (!PyArg_ParseTuple(args, "OiO!p", &object, &i, core->data_type, &data, &parameters)) return NULL;
    Batch* self = asBatch(module, object);
    if (!self || !takeBatch(self)) return NULL;
    Data* to = (Data*)data;
    snStatus status = SN_STATUS_ARGUMENT;
    snError error = {0};
    const bool taken = takeData(to);
    if (taken) {
        snModel* m = to->model->memory->model;
        status = sn_batchGetData(self->memory->batch, i, parameters ? m : NULL, to->memory->data, &error);
        releaseData(to);
    }
    releaseBatch(self);
    if (taken && status) raiseError(core, &error, NULL);
    if (status) return NULL;
    Py_RETURN_NONE;
}

static PyObject* batchSetData(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *data;
    int i;
    if (!PyArg_ParseTuple(args, "OiO!", &object, &i, core->data_type, &data)) return NULL;
    Batch* self = asBatch(module, object);
    if (!self || !takeBatch(self)) return NULL;
    Data* from = (Data*)data;
    snStatus status = SN_STATUS_ARGUMENT;
    snError error = {0};
    const bool same = sameSizes(sn_batchModel(self->memory->batch), from->model->memory->model);
    if (!same) PyErr_SetString(PyExc_ValueError, "the data belongs to a model of other sizes");
    const bool taken = same && lookAtData(from);
    if (taken) {
        status = sn_batchSetData(self->memory->batch, i, from->memory->data, &error);
        releaseData(from);
    }
    releaseBatch(self);
    if (taken && status) raiseError(core, &error, NULL);
    if (status) return NULL;
    Py_RETURN_NONE;
}

// The model that the batch works with, as the batch was given it: a copy.
static PyObject* batchModel(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *type, *object;
    if (!PyArg_ParseTuple(args, "OO", &type, &object) || !isSubclass(type, core->model_type, "sinew.Model"))
        return NULL;
    Batch* self = asBatch(module, object);
    if (!self) return NULL;
    snModel* m = sn_copyModel(sn_batchModel(self->memory->batch));
    return m ? wrapModel(core, (PyTypeObject*)type, m) : PyErr_NoMemory();
}

static PyObject* batchHasModel(PyObject* module, PyObject* object)
{
    Batch* self = asBatch(module, object);
    if (!self) return NULL;
    const snModel* m = sn_batchModel(self->memory->batch);
    return PyBool_FromLong(sn_compareModel(m, self->model->memory->model) == -1);
}

PyMethodDef batch_copy_functions[] = {
    {"batchGetData", batchGetData, METH_VARARGS,
     "batchGetData(batch, i, data, parameters): simulation i into a data, and parameters into its model."},
    {"batchSetData", batchSetData, METH_VARARGS, "batchSetData(batch, i, data): the inverse."},
    {"batchModel", batchModel, METH_VARARGS, "batchModel(cls, batch): a copy of the model it works with."},
    {"batchHasModel", batchHasModel, METH_O,
     "batchHasModel(batch): whether the model that was given is still the one it works with."},
    {NULL, NULL, 0, NULL},
};
