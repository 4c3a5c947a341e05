// Calls that compute: steps, forward, resets, set-const. The GIL is released; the calling thread looks at
// signals some fifty times a second, so that an interrupt ends a long call between two steps.
#include "batch/batch.h"
#include "memory/buffers.h"

enum { MAX_FIELDS = 64 };

// What one call needs.
typedef struct Run {
    Core* core;
    Batch* batch;
    snBatchRun run;
    PyThreadState* thread;
    bool interrupted;
    Py_buffer list[5 + MAX_FIELDS];
    Buffers buffers;
    int fields[MAX_FIELDS];
    double* rows[MAX_FIELDS];
} Run;

// Ids as an array of int32, or None for all, in range and none twice: the caller has looked.
static bool getIds(Buffers* buffers, PyObject* object, const int** ids, int* nid)
{
    *ids = NULL;
    *nid = 0;
    if (object == Py_None) return true;
    Py_buffer* buffer = &buffers->list[buffers->n];
    if (PyObject_GetBuffer(object, buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) return false;
    buffers->n++;
    // NumPy's int32 is a long where that has 4 bytes
    const char* format = buffer->format ? buffer->format : "";
    if (buffer->itemsize == sizeof(int) && (!strcmp(format, "i") || !strcmp(format, "l"))) {
        *ids = buffer->buf;
        *nid = (int)(buffer->len / (Py_ssize_t)sizeof(int));
        return true;
    }
    PyErr_SetString(PyExc_TypeError, "ids must be an array of int32");
    return false;
}

static int numbersOf(const Run* r, const char* name)
{
    int columns = 0;
    sn_batchArray(r->batch->memory->batch, name, &columns);
    return columns;
}

// Rows of each bound field that is to be written: a dict of names to arrays.
static bool getFields(Run* r, PyObject* dict, Py_ssize_t rows)
{
    PyObject *name, *array;
    Py_ssize_t at = 0;
    int count, narena;
    const snField* fields = sn_dataFields(&count, &narena);
    while (PyDict_Next(dict, &at, &name, &array)) {
        const char* text = textOf(name);
        if (!text) return false;
        int index = 0;
        while (index < count - narena && strcmp(fields[index].name, text) != 0) index++;
        if (r->run.nfield == MAX_FIELDS || index == count - narena) {
            PyErr_Format(PyExc_ValueError, "field '%s' cannot be given out, or there are too many", text);
            return false;
        }
        double* to = getOutput(&r->buffers, array, text, 'd', rows * numbersOf(r, text));
        if (!to) return false;
        r->fields[r->run.nfield] = index;
        r->rows[r->run.nfield++] = to;
    }
    r->run.fields = r->fields;
    r->run.field_rows = r->rows;
    return true;
}

static bool getOutputs(Run* r, PyObject* state, PyObject* sensordata, PyObject* fields)
{
    const snModel* m = sn_batchModel(r->batch->memory->batch);
    const Py_ssize_t count = r->run.ids ? r->run.nid : sn_batchCount(r->batch->memory->batch);
    const Py_ssize_t rows = count * (r->run.nstep / r->run.every);
    if (state != Py_None && !(r->run.state = getOutput(&r->buffers, state, "state", 'd',
                                                       rows * sn_stateSize(m, SN_STATE_FULLPHYSICS))))
        return false;
    if (sensordata != Py_None &&
        !(r->run.sensordata = getOutput(&r->buffers, sensordata, "sensordata", 'd', rows * m->nsensordata)))
        return false;
    return fields == Py_None || getFields(r, fields, rows);
}

static bool proceed(void* user)
{
    Run* r = user;
    PyEval_RestoreThread(r->thread);
    r->interrupted = PyErr_CheckSignals() < 0;
    r->thread = PyEval_SaveThread(); // an exception stays set in it
    return !r->interrupted;
}

// Which warnings any simulation has: bits of snWarning.
static long warnedOf(const snBatch* b)
{
    long warned = 0;
    for (int i = 0; i < sn_batchCount(b); i++) {
        const snWarningStat* of = sn_batchWarnings(b, i);
        for (int k = 0; k < SN_NWARNING; k++) warned |= (long)(of[k].number > 0) << k;
    }
    return warned;
}

static bool step(Run* r)
{
    snError error = {0};
    r->run.proceed = proceed;
    r->run.user = r;
    if (!takeBatch(r->batch)) return false;
    r->thread = PyEval_SaveThread();
    const snStatus status = sn_batchStep(r->batch->memory->batch, &r->run, &error);
    PyEval_RestoreThread(r->thread);
    releaseBatch(r->batch);
    if (r->interrupted) return false;
    if (status) raiseError(r->core, &error, NULL);
    return !status;
}

static PyObject* batchStep(PyObject* module, PyObject* args)
{
    PyObject *object, *ids, *control, *state, *sensordata, *fields;
    Run r = {.core = PyModule_GetState(module)};
    r.buffers.list = r.list;
    if (!PyArg_ParseTuple(args, "OOiiIOOOO", &object, &ids, &r.run.nstep, &r.run.every, &r.run.control_spec,
                          &control, &state, &sensordata, &fields) ||
        !(r.batch = asBatch(module, object)))
        return NULL;
    if (r.run.nstep < 1 || r.run.every < 1 || (fields != Py_None && !PyDict_Check(fields)))
        return PyErr_Format(PyExc_ValueError, "nstep and every must be 1 or more, fields a dict");
    const snModel* m = sn_batchModel(r.batch->memory->batch);
    const Py_ssize_t size = (Py_ssize_t)sn_stateSize(m, r.run.control_spec) * r.run.nstep;
    bool done = getIds(&r.buffers, ids, &r.run.ids, &r.run.nid);
    const Py_ssize_t count = r.run.ids ? r.run.nid : sn_batchCount(r.batch->memory->batch);
    done = done && getDoubles(&r.buffers, control, "control", count * size, &r.run.control) &&
           getOutputs(&r, state, sensordata, fields) && step(&r);
    releaseBuffers(&r.buffers);
    return done ? PyLong_FromLong(warnedOf(r.batch->memory->batch)) : NULL;
}

// ---- calls on ids alone

typedef struct OnIds {
    const int *ids, *keys;
    int nid;
} OnIds;

static snStatus forward(snBatch* b, const OnIds* on, snError* error)
{
    return sn_batchForward(b, on->ids, on->nid, error);
}

static snStatus setConst(snBatch* b, const OnIds* on, snError* error)
{
    return sn_batchSetConst(b, on->ids, on->nid, error);
}

static snStatus reset(snBatch* b, const OnIds* on, snError* error)
{
    return sn_batchReset(b, on->ids, on->keys, on->nid, error);
}

static PyObject* callOn(PyObject* module, PyObject* args,
                        snStatus (*call)(snBatch* b, const OnIds* on, snError* error))
{
    PyObject *object, *ids, *keys = Py_None;
    if (!PyArg_ParseTuple(args, "OO|O", &object, &ids, &keys)) return NULL;
    Batch* self = asBatch(module, object);
    Py_buffer list[2];
    Buffers buffers = {list, 0};
    OnIds on = {0};
    snError error = {0};
    snStatus status = SN_STATUS_OK;
    if (!self) return NULL;
    bool done = getIds(&buffers, ids, &on.ids, &on.nid);
    snBatch* b = self->memory->batch;
    done = done && getInts(&buffers, keys, "keyframe", on.ids ? on.nid : sn_batchCount(b), &on.keys) &&
           takeBatch(self);
    if (done) {
        Py_BEGIN_ALLOW_THREADS;
        status = call(b, &on, &error);
        Py_END_ALLOW_THREADS;
        releaseBatch(self);
    }
    releaseBuffers(&buffers);
    if (status) raiseError(PyModule_GetState(module), &error, NULL);
    return status || !done ? NULL : PyLong_FromLong(warnedOf(b));
}

static PyObject* batchForward(PyObject* module, PyObject* args)
{
    return callOn(module, args, forward);
}

static PyObject* batchSetConst(PyObject* module, PyObject* args)
{
    return callOn(module, args, setConst);
}

static PyObject* batchReset(PyObject* module, PyObject* args)
{
    return callOn(module, args, reset);
}

PyMethodDef batch_run_functions[] = {
    {"batchStep", batchStep, METH_VARARGS,
     "batchStep(batch, ids, nstep, every, control_spec, control, state, sensordata, fields): steps; bits of "
     "the warnings that simulations have."},
    {"batchForward", batchForward, METH_VARARGS,
     "batchForward(batch, ids): computes, without a step; warnings as batchStep."},
    {"batchSetConst", batchSetConst, METH_VARARGS,
     "batchSetConst(batch, ids): what follows from parameters."},
    {"batchReset", batchReset, METH_VARARGS, "batchReset(batch, ids, keys): resets; warnings as batchStep."},
    {NULL, NULL, 0, NULL},
};
