// Rollouts of the peer's API: batches of simulations on a pool of threads. Every data is taken for the time
// of the call, as for any function. The calling thread, the only one that may, looks at signals between
// steps, so that an interrupt ends a long run; callbacks in Python run in the thread that steps.
#include "base/platform/clock.h"
#include "call/call.h"

typedef struct Rollout {
    PyObject_HEAD snThreadPool* pool; ///< NULL: the caller alone
    int nthread;
} Rollout;

enum { STATE0, WARMSTART0, CONTROL, STATE, SENSORDATA, NARRAYS };
static const char* const array_names[NARRAYS] = {"state0", "warmstart0", "control", "state", "sensordata"};

// One call.
typedef struct Run {
    Core* core;
    PyObject *models, *datas; // tuples
    int nmodel, ndata;
    const snModel** m; // [count], a trajectory each
    snData** d;        // [ndata]
    int taken;         // of datas
    CallbackRun* callbacks;
    Py_buffer arrays[NARRAYS];
    snTrajectories batch;
    bool interrupted;
    unsigned int asked;
    double look; // time of the next look at signals
} Run;

static const snModel* modelAt(const Run* r, int i)
{
    return ((Model*)PyTuple_GetItem(r->models, i))->memory->model;
}

static Data* dataAt(const Run* r, int i)
{
    return (Data*)PyTuple_GetItem(r->datas, i);
}

// ---- arguments

static bool areAll(PyObject* tuple, PyTypeObject* type, const char* name, const char* type_name)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); i++) {
        PyObject* item = PyTuple_GetItem(tuple, i);
        if (PyObject_TypeCheck(item, type)) continue;
        PyErr_Format(PyExc_TypeError, "%s[%zd] must be %s, not %R", name, i, type_name, Py_TYPE(item));
        return false;
    }
    return true;
}

static bool hasThreads(const Run* r, int nthread)
{
    if (r->ndata == 0)
        PyErr_SetString(PyExc_ValueError, "The list of data instances is empty");
    else if (nthread == 0 && r->ndata > 1)
        PyErr_SetString(PyExc_ValueError, "More than one data instance passed but rollout is configured to "
                                          "run on main thread");
    else if (nthread > 0 && r->ndata != nthread)
        PyErr_Format(PyExc_ValueError, "Length of data: %d not equal to nthread: %d", r->ndata, nthread);
    return !PyErr_Occurred();
}

static bool haveEqualSizes(const Run* r)
{
    const snModel* m = modelAt(r, 0);
    for (int i = 1; i < r->nmodel; i++) {
        if (sameSizes(m, modelAt(r, i))) continue;
        PyErr_SetString(PyExc_ValueError, "models are not compatible");
        return false;
    }
    for (int i = 0; i < r->ndata; i++) {
        if (sameSizes(m, dataAt(r, i)->model->memory->model)) continue;
        PyErr_Format(PyExc_ValueError, "data[%d] belongs to a model of other sizes", i);
        return false;
    }
    return true;
}

static bool getLists(Run* r, PyObject* models, PyObject* datas, int nthread)
{
    r->models = PySequence_Tuple(models);
    r->datas = r->models ? PySequence_Tuple(datas) : NULL;
    if (!r->datas || !areAll(r->models, r->core->model_type, "model", "an MjModel") ||
        !areAll(r->datas, r->core->data_type, "data", "an MjData"))
        return false;
    if (PyTuple_Size(r->models) > INT_MAX || PyTuple_Size(r->datas) > INT_MAX) {
        PyErr_SetString(PyExc_OverflowError, "too many models or data");
        return false;
    }
    r->nmodel = (int)PyTuple_Size(r->models);
    r->ndata = (int)PyTuple_Size(r->datas);
    if (!hasThreads(r, nthread)) return false;
    if (r->nmodel == 0) {
        PyErr_SetString(PyExc_ValueError, "The list of models is empty");
        return false;
    }
    return haveEqualSizes(r);
}

// An array of float64, contiguous: what NumPy can make of `object` where it is read, itself where it is
// written. None: none. False with an exception.
static bool getArray(Run* r, int which, PyObject* object)
{
    const bool written = which == STATE || which == SENSORDATA;
    const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (written ? PyBUF_WRITABLE : 0);
    if (object == Py_None) return true;
    PyObject* array =
        written ? Py_NewRef(object) : PyObject_CallFunction(r->core->asarray, "Oss", object, "float64", "C");
    Py_buffer* buffer = &r->arrays[which];
    if (!array) return false;
    const bool got = PyObject_GetBuffer(array, buffer, flags) == 0;
    Py_DECREF(array);
    if (got && buffer->format && strcmp(buffer->format, "d") == 0) return true;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s must be a writable, C-contiguous array of float64", array_names[which]);
    return false;
}

static bool hasSize(const Run* r, int which, size_t size)
{
    const Py_buffer* buffer = &r->arrays[which];
    const size_t given = (size_t)buffer->len / sizeof(double);
    if (!buffer->obj || given == size) return true;
    PyErr_Format(PyExc_ValueError, "%s.size should be %zu, got %zu", array_names[which], size, given);
    return false;
}

// As many trajectories as rows of state0, each with a model of its own or all with one.
static bool countTrajectories(Run* r)
{
    const Py_buffer* state0 = &r->arrays[STATE0];
    const Py_ssize_t rows = state0->ndim > 1 ? state0->shape[0] : 1;
    r->batch.count = rows > INT_MAX ? -1 : (int)rows;
    if (rows > INT_MAX) PyErr_SetString(PyExc_OverflowError, "too many trajectories");
    if (rows > r->nmodel && r->nmodel > 1)
        PyErr_Format(PyExc_ValueError, "state0 has %zd rows, but there are %d models", rows, r->nmodel);
    return !PyErr_Occurred();
}

static bool getArrays(Run* r, PyObject* const objects[NARRAYS])
{
    if (objects[STATE0] == Py_None) {
        PyErr_SetString(PyExc_TypeError, "state0 must be an array");
        return false;
    }
    for (int k = 0; k < NARRAYS; k++)
        if (!getArray(r, k, objects[k])) return false;
    if (!countTrajectories(r)) return false;
    const snModel* m = modelAt(r, 0);
    snTrajectories* b = &r->batch;
    const size_t count = (size_t)b->count, nstep = b->nstep < 0 ? 0 : (size_t)b->nstep;
    const size_t nstate = (size_t)sn_stateSize(m, SN_STATE_FULLPHYSICS);
    const size_t sizes[NARRAYS] = {nstate, (size_t)m->nv, nstep * (size_t)sn_stateSize(m, b->control_spec),
                                   nstep * nstate, nstep * (size_t)m->nsensordata};
    for (int k = 0; k < NARRAYS; k++) {
        size_t size;
        if (__builtin_mul_overflow(count, sizes[k], &size)) size = SIZE_MAX;
        if (!hasSize(r, k, size)) return false;
    }
    b->state0 = r->arrays[STATE0].buf;
    b->warmstart0 = r->arrays[WARMSTART0].buf;
    b->control = r->arrays[CONTROL].buf;
    b->state = r->arrays[STATE].buf;
    b->sensordata = r->arrays[SENSORDATA].buf;
    return true;
}

// ---- while it runs

// Looks at signals some twenty times a second; every eighth step asks the clock.
static bool lookAtSignals(Run* r, bool waiting)
{
    if ((!waiting && r->asked++ % 8) || sn_monotonicTime() < r->look) return true;
    r->look = sn_monotonicTime() + 0.05;
    CallbackRun* own = &r->callbacks[0];
    PyEval_RestoreThread(own->thread);
    r->interrupted = PyErr_CheckSignals() < 0;
    own->thread = PyEval_SaveThread();
    return !r->interrupted;
}

static bool proceed(void* user, int thread, int trajectory)
{
    Run* r = user;
    CallbackRun* own = &r->callbacks[thread];
    if (own->failed) return false;
    if (trajectory >= 0 && own->state) {
        own->model = PyTuple_GetItem(r->models, r->nmodel > 1 ? trajectory : 0);
        rememberState(own);
    }
    return thread > 0 || lookAtSignals(r, trajectory < 0);
}

// ---- a call

// Takes a data; one that the run has already is told apart from one in use elsewhere.
static bool takeOwn(const Run* r, int k)
{
    for (int i = 0; i < k; i++) {
        if (dataAt(r, i) != dataAt(r, k)) continue;
        PyErr_Format(PyExc_ValueError, "data[%d] is data[%d]: each thread needs one of its own", k, i);
        return false;
    }
    return takeData(dataAt(r, k));
}

// Makes the lists of C, and takes the data with their callbacks; r->taken of them when it fails.
static bool takeAll(Run* r)
{
    r->m = PyMem_Calloc((size_t)r->batch.count + 1, sizeof *r->m);
    r->d = PyMem_Calloc((size_t)r->ndata, sizeof *r->d);
    r->callbacks = PyMem_Calloc((size_t)r->ndata, sizeof *r->callbacks);
    if (!r->m || !r->d || !r->callbacks) {
        PyErr_NoMemory();
        return false;
    }
    for (int i = 0; i < r->batch.count; i++) r->m[i] = modelAt(r, r->nmodel > 1 ? i : 0);
    for (int i = 0; i < (r->ndata ? r->batch.count : 0); i++)
        if (!canRun("rollout", r->m[i], dataAt(r, 0)->memory->data)) return false;
    for (; r->taken < r->ndata; r->taken++) {
        Data* data = dataAt(r, r->taken);
        CallbackRun* callbacks = &r->callbacks[r->taken];
        r->d[r->taken] = data->memory->data;
        if (!takeOwn(r, r->taken)) return false;
        if (data->nested)
            PyErr_SetString(PyExc_RuntimeError,
                            "rollout cannot be called on a data from inside its own callback");
        if (data->nested || !beginCallbacks(callbacks, r->core, data, PyTuple_GetItem(r->models, 0))) {
            releaseData(data);
            return false;
        }
        callbacks->foreign = r->taken > 0;
    }
    return true;
}

// Gives the data back. False with the first exception of a callback, the caller's before others.
static bool giveAll(Run* r)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    for (int k = 0; k < r->taken; k++) {
        PyObject** error = r->callbacks[k].error;
        endCallbacks(&r->callbacks[k]);
        releaseData(dataAt(r, k));
        if (!error[0]) continue;
        if (type) {
            Py_XDECREF(error[0]);
            Py_XDECREF(error[1]);
            Py_XDECREF(error[2]);
        } else {
            type = error[0];
            value = error[1];
            trace = error[2];
        }
    }
    r->taken = 0;
    if (!type) return true;
    PyErr_Restore(type, value, trace);
    return false;
}

static bool simulate(Run* r, snThreadPool* pool)
{
    snError error = {0};
    r->batch.proceed = proceed;
    r->batch.user = r;
    r->look = sn_monotonicTime() + 0.05;
    CallbackRun* own = &r->callbacks[0];
    own->thread = PyEval_SaveThread();
    const snStatus status = sn_rollout(r->m, r->d, pool, &r->batch, &error);
    PyEval_RestoreThread(own->thread);
    const bool whole = giveAll(r) && !r->interrupted;
    if (whole && status) raiseError(r->core, &error, NULL);
    for (int k = 0; k < r->ndata && whole && !status; k++)
        if (!warnOfData(r->core, dataAt(r, k))) return false;
    return whole && !status;
}

static void freeRun(Run* r)
{
    if (r->taken) giveAll(r);
    for (int k = 0; k < NARRAYS; k++)
        if (r->arrays[k].obj) PyBuffer_Release(&r->arrays[k]);
    PyMem_Free((void*)r->m);
    PyMem_Free((void*)r->d);
    PyMem_Free(r->callbacks);
    Py_XDECREF(r->models);
    Py_XDECREF(r->datas);
}

static bool getChunk(PyObject* object, int* chunk)
{
    const long value = object == Py_None ? 0 : PyLong_AsLong(object);
    if (value == -1 && PyErr_Occurred()) return false;
    if (object != Py_None && value < 1) {
        PyErr_Format(PyExc_ValueError, "chunk_size must be a positive integer, not %ld", value);
        return false;
    }
    *chunk = value > INT_MAX ? INT_MAX : (int)value;
    return true;
}

static PyObject* Rollout_rollout(PyObject* object, PyObject* args, PyObject* kwargs)
{
    static char* names[] = {"model",   "data",  "nstep",      "control_spec", "state0", "warmstart0",
                            "control", "state", "sensordata", "chunk_size",   NULL};
    Rollout* self = (Rollout*)object;
    Run r = {.core = coreOfType(Py_TYPE(object))};
    PyObject *models, *datas, *chunk = Py_None;
    PyObject* arrays[NARRAYS] = {Py_None, Py_None, Py_None, Py_None, Py_None};
    int spec;
    if (!r.core ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "OOiiO|OOOOO", names, &models, &datas, &r.batch.nstep,
                                     &spec, &arrays[STATE0], &arrays[WARMSTART0], &arrays[CONTROL],
                                     &arrays[STATE], &arrays[SENSORDATA], &chunk))
        return NULL;
    r.batch.control_spec = (unsigned int)spec;
    const bool done = getChunk(chunk, &r.batch.chunk) && getLists(&r, models, datas, self->nthread) &&
                      getArrays(&r, arrays) && takeAll(&r) && simulate(&r, self->pool);
    freeRun(&r);
    if (!done) return NULL;
    Py_RETURN_NONE;
}

static PyObject* Rollout_new(PyTypeObject* type, PyObject* args, PyObject* kwargs)
{
    static char* names[] = {"nthread", NULL};
    int nthread;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "$i", names, &nthread)) return NULL;
    if (nthread < 0 || nthread > SN_MAX_THREADS)
        return PyErr_Format(PyExc_ValueError, "nthread is %d, must be 0 to %d", nthread, SN_MAX_THREADS);
    Rollout* self = (Rollout*)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    self->nthread = nthread;
    self->pool = nthread > 1 ? sn_makeThreadPool(nthread) : NULL;
    if (nthread < 2 || self->pool) return (PyObject*)self;
    Py_DECREF(self);
    PyErr_SetString(PyExc_MemoryError, "the system has no more threads, or no memory");
    return NULL;
}

static void Rollout_dealloc(PyObject* object)
{
    sn_deleteThreadPool(((Rollout*)object)->pool);
    freeObject(object);
}

static PyMethodDef methods[] = {
    {"rollout", (PyCFunction)(void (*)(void))Rollout_rollout, METH_VARARGS | METH_KEYWORDS,
     "rollout($self, model, data, nstep, control_spec, state0, warmstart0=None, control=None, state=None, "
     "sensordata=None, chunk_size=None)\n--\n\n"
     "Simulate nbatch trajectories, of each of the models (or of the one there is), with one data a "
     "thread.\n\n"
     "state0 (nbatch, nstate), warmstart0 (nbatch, nv) and control (nbatch, nstep, ncontrol) are read; "
     "state\n"
     "(nbatch, nstep, nstate) and sensordata (nbatch, nstep, nsensordata) are written."},
    {NULL, NULL, 0, NULL},
};

int makeRolloutType(PyObject* module)
{
    PyType_Slot slots[] = {
        {Py_tp_new, Rollout_new},
        {Py_tp_dealloc, Rollout_dealloc},
        {Py_tp_methods, methods},
        {Py_tp_doc,
         "Rollout(*, nthread)\n--\n\nA pool of nthread threads for batches of simulations; 0: none, the "
         "caller alone."},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "sinew.mujoco._rollout.Rollout",
        .basicsize = sizeof(Rollout),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };
    PyTypeObject* type = addType(module, &spec);
    Py_XDECREF((PyObject*)type);
    return type ? 0 : -1;
}
