// Hashes of what each stage has made (sinew/stage_hash.h).
#include "model/model.h"

static int put(PyObject* dict, const char* name, uint64_t hash)
{
    PyObject* number = PyLong_FromUnsignedLongLong(hash);
    const int failed = number ? PyDict_SetItemString(dict, name, number) : -1;
    Py_XDECREF(number);
    return failed;
}

static PyObject* stageHashes(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *model, *object;
    if (!PyArg_ParseTuple(args, "O!O!:stageHashes", core->model_type, &model, core->data_type, &object))
        return NULL;
    const snModel* m = ((Model*)model)->memory->model;
    Data* data = (Data*)object;
    if (!sameSizes(m, data->model->memory->model))
        return PyErr_Format(PyExc_ValueError, "stageHashes: the data belongs to a model of other sizes");
    if (!lookAtData(data)) return NULL;
    uint64_t hash[SN_NMAKER];
    const uint64_t all = sn_stageHashes(m, data->memory->data, hash);
    releaseData(data);
    PyObject* dict = PyDict_New();
    if (!dict || put(dict, "all", all) < 0) goto failed;
    for (int k = 0; k < SN_NMAKER; k++)
        if (put(dict, sn_makerName(k), hash[k]) < 0) goto failed;
    return dict;
failed:
    Py_XDECREF(dict);
    return NULL;
}

PyMethodDef hash_functions[] = {
    {"stageHashes", stageHashes, METH_VARARGS,
     "stageHashes(model, data): a hash of what each stage has made, and of all, by their names."},
    {NULL, NULL, 0, NULL},
};
