// Arguments of a call that runs simulations one by one: the caller has made the arrays; what would make C
// write beside them is looked at here.
#include "base/platform/clock.h"
#include "batch/batch.h"
#include "batch/each.h"
#include "memory/buffers.h"

static const char pool_name[] = "sinew.thread_pool";

// Everything that one call needs.
typedef struct Run {
    Each each;
    PyObject *datas, *models; // tuples
    int taken;                // of datas
    Buffers buffers;
    Py_ssize_t room;
    PyThreadState* thread;
    double look; // time of the next look at signals
    unsigned asked;
    bool stopped;
} Run;

// ---- signals

// Asks the clock at every eighth step, and signals some twenty times a second.
static bool interrupted(void* signals)
{
    Run* r = signals;
    if (r->stopped || r->asked++ % 8 || sn_monotonicTime() < r->look) return r->stopped;
    r->look = sn_monotonicTime() + 0.05;
    PyEval_RestoreThread(r->thread);
    r->stopped = PyErr_CheckSignals() < 0;
    r->thread = PyEval_SaveThread();
    return r->stopped;
}

// ---- fields

static bool findIn(const snField* fields, int count, const char* name, Column* c, size_t* room)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(fields[i].name, name)) continue;
        *c = (Column){.offset = fields[i].offset, .pointed = true};
        *room = (size_t)i;
        return true;
    }
    return false;
}

// A field of the data; *room receives the bytes that it has.
static bool findData(const snModel* m, const char* name, Column* c, size_t* room)
{
    static const struct {
        const char* name;
        size_t offset, bytes;
    } inside[] = {
#define X(field) {#field, offsetof(snData, field), sizeof((snData*)NULL)->field}
        X(time), X(energy), X(ncon), X(ne), X(nf), X(nl), X(nefc),
#undef X
    };
    int count, narena, rows, columns;
    const snField* fields = sn_dataFields(&count, &narena);
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        if (strcmp(inside[i].name, name)) continue;
        *c = (Column){.offset = inside[i].offset};
        *room = inside[i].bytes;
        return true;
    }
    if (!findIn(fields, count - narena, name, c, room)) return false;
    const int index = (int)*room;
    sn_dataFieldShape(m, NULL, index, &rows, &columns);
    *room = (size_t)rows * (size_t)columns * fields[index].itemsize;
    return true;
}

static bool findOption(const char* name, Column* c, size_t* room)
{
    int count;
    const snOptionField* fields = sn_optionFields(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(fields[i].name, name)) continue;
        *c = (Column){.offset = offsetof(snModel, opt) + fields[i].offset};
        *room = (size_t)fields[i].count * (strcmp(fields[i].type, "int") ? sizeof(double) : sizeof(int));
        return true;
    }
    return false;
}

// A field of the model, "opt.gravity", "stat" or "ngravcomp".
static bool findModel(const snModel* m, const char* name, Column* c, size_t* room)
{
    int count, rows, columns;
    const snField* fields = sn_modelFields(&count);
    if (!strncmp(name, "opt.", 4)) return findOption(name + 4, c, room);
    const bool stat = !strcmp(name, "stat");
    if (stat || !strcmp(name, "ngravcomp")) {
        *c = (Column){.offset = stat ? offsetof(snModel, stat) : offsetof(snModel, ngravcomp)};
        *room = stat ? sizeof m->stat : sizeof m->ngravcomp;
        return true;
    }
    if (!findIn(fields, count, name, c, room)) return false;
    const int index = (int)*room;
    sn_modelFieldShape(m, index, &rows, &columns);
    *room = (size_t)rows * (size_t)columns * fields[index].itemsize;
    return true;
}

// ---- arrays

static Py_buffer* takeBuffer(Run* r, PyObject* object, int flags)
{
    if (r->buffers.n == r->room) {
        const Py_ssize_t room = 2 * r->room + 16;
        Py_buffer* list = PyMem_Realloc(r->buffers.list, (size_t)room * sizeof *list);
        if (!list) PyErr_NoMemory();
        if (!list) return NULL;
        r->buffers.list = list;
        r->room = room;
    }
    Py_buffer* buffer = &r->buffers.list[r->buffers.n];
    if (PyObject_GetBuffer(object, buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | flags) < 0) return NULL;
    r->buffers.n++;
    return buffer;
}

// Numbers of an array that is written, or (None) none; count: of what they must be.
static bool getBytes(Run* r, PyObject* object, const char* name, size_t bytes, bool written, void** out)
{
    *out = NULL;
    if (!object || object == Py_None) return true;
    const Py_buffer* buffer = takeBuffer(r, object, written ? PyBUF_WRITABLE : 0);
    if (!buffer) return false;
    *out = buffer->buf;
    if ((size_t)buffer->len == bytes) return true;
    PyErr_Format(PyExc_ValueError, "%s has %zd bytes, must have %zu", name, buffer->len, bytes);
    return false;
}

// (name, array) of `rows` rows, each what a field has; `least`: or the first of it.
static bool getColumn(Run* r, PyObject* pair, size_t rows, bool model, Column* c)
{
    const char* name;
    PyObject* array;
    size_t room;
    void* bytes;
    const snModel* m = r->each.m[0];
    if (!PyArg_ParseTuple(pair, "sO", &name, &array)) return false;
    if (!(model ? findModel : findData)(m, name, c, &room)) {
        PyErr_Format(PyExc_ValueError, "there is no field %s", name);
        return false;
    }
    const Py_buffer* buffer = takeBuffer(r, array, PyBUF_WRITABLE);
    if (!buffer) return false;
    c->rows = buffer->buf;
    c->bytes = rows ? (size_t)buffer->len / rows : 0;
    bytes = buffer->buf;
    if (bytes && c->bytes * rows == (size_t)buffer->len &&
        (model ? c->bytes <= room : c->bytes == room || !rows))
        return true;
    PyErr_Format(PyExc_ValueError, "%s has %zd bytes, must have %zu rows of %zu", name, buffer->len, rows,
                 room);
    return false;
}

static bool getColumns(Run* r, PyObject* tuple, bool model, Columns* columns)
{
    const Py_ssize_t count = PyTuple_Size(tuple);
    columns->list = PyMem_Calloc((size_t)count + 1, sizeof *columns->list);
    if (!columns->list) PyErr_NoMemory();
    while (columns->list && columns->count < count) {
        PyObject* pair = PyTuple_GetItem(tuple, columns->count);
        if (!getColumn(r, pair, (size_t)r->each.nsim, model, &columns->list[columns->count])) return false;
        columns->count++;
    }
    return columns->list != NULL;
}

// A tuple of bits of the state.
static bool getPieces(const snModel* m, PyObject* tuple, Pieces* p)
{
    *p = (Pieces){0};
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) > MAX_PIECES) {
        PyErr_SetString(PyExc_TypeError, "parts of a state must be a short tuple of bits");
        return false;
    }
    for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); i++) {
        p->bits[i] = (unsigned)PyLong_AsUnsignedLong(PyTuple_GetItem(tuple, i));
        if (PyErr_Occurred()) return false;
        p->sizes[i] = sn_stateSize(m, p->bits[i]);
        p->size += p->sizes[p->count++];
    }
    return true;
}

// (name or parts of a state, array)
static bool getRecord(Run* r, PyObject* pair, RecordRows* record)
{
    const Each* e = &r->each;
    const size_t rows = (size_t)e->nid * (size_t)e->nstep;
    PyObject *what, *array;
    void* bytes;
    if (!PyArg_ParseTuple(pair, "OO", &what, &array)) return false;
    if (PyUnicode_Check(what)) return getColumn(r, pair, rows, false, &record->column);
    if (!getPieces(e->m[0], what, &record->pieces)) return false;
    const size_t size = (size_t)record->pieces.size * sizeof(double);
    if (!getBytes(r, array, "a record", rows * size, true, &bytes)) return false;
    record->column.rows = bytes;
    return true;
}

static bool getRecords(Run* r, PyObject* tuple)
{
    const Py_ssize_t count = PyTuple_Size(tuple);
    Each* e = &r->each;
    e->records = PyMem_Calloc((size_t)count + 1, sizeof *e->records);
    if (!e->records) PyErr_NoMemory();
    while (e->records && e->nrecord < count) {
        if (!getRecord(r, PyTuple_GetItem(tuple, e->nrecord), &e->records[e->nrecord])) return false;
        e->nrecord++;
    }
    return e->records != NULL;
}

static bool getIds(Run* r, PyObject* ids)
{
    Each* e = &r->each;
    e->nid = e->nsim;
    if (ids == Py_None) return true;
    const Py_buffer* buffer = takeBuffer(r, ids, 0);
    if (!buffer) return false;
    if (buffer->itemsize != sizeof(int)) {
        PyErr_SetString(PyExc_TypeError, "ids must be an array of int32");
        return false;
    }
    e->ids = buffer->buf;
    e->nid = (int)(buffer->len / (Py_ssize_t)sizeof(int));
    for (int k = 0; k < e->nid; k++) {
        if (e->ids[k] >= 0 && e->ids[k] < e->nsim && (!k || e->ids[k] > e->ids[k - 1])) continue;
        PyErr_Format(PyExc_ValueError, "ids must ascend in [0, %d), got %d", e->nsim, e->ids[k]);
        return false;
    }
    return true;
}

static bool isLong(PyObject* tuple, const char* name, Py_ssize_t size, PyTypeObject* type)
{
    if (PyTuple_Check(tuple) && PyTuple_Size(tuple) == size) {
        Py_ssize_t i = 0;
        while (i < size && PyObject_TypeCheck(PyTuple_GetItem(tuple, i), type)) i++;
        if (i == size) return true;
    }
    PyErr_Format(PyExc_TypeError, "%s must be a tuple of %zd", name, size);
    return false;
}

// Models and data of threads or simulations, all of the first one's sizes.
static bool getOwners(Run* r, Core* core)
{
    Each* e = &r->each;
    const Py_ssize_t nm = e->given ? e->nsim : e->nthread, nd = e->persistent ? e->nsim : e->nthread;
    if (!isLong(r->models, "models", nm, core->model_type) || !isLong(r->datas, "datas", nd, core->data_type))
        return false;
    e->m = PyMem_Calloc((size_t)nm, sizeof *e->m);
    e->d = PyMem_Calloc((size_t)nd, sizeof *e->d);
    if (!e->m || !e->d) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < nm; i++) e->m[i] = ((Model*)PyTuple_GetItem(r->models, i))->memory->model;
    // a number that set-const leaves behind, and each simulation brings along
    for (Py_ssize_t i = 1; i < nm && !e->given; i++) e->m[i]->ngravcomp = e->m[0]->ngravcomp;
    bool same = true;
    for (Py_ssize_t i = 1; i < nm; i++) same &= e->m[i] == e->m[i - 1] || sameSizes(e->m[0], e->m[i]);
    const Model* before = NULL;
    for (Py_ssize_t i = 0; i < nd; i++) {
        const Data* data = (Data*)PyTuple_GetItem(r->datas, i);
        same &= data->model == before || sameSizes(e->m[0], data->model->memory->model);
        before = data->model;
        e->d[i] = data->memory->data;
    }
    if (!same) PyErr_SetString(PyExc_ValueError, "models are not compatible");
    return same;
}

// ---- the call

// Data that the call works on: those of its simulations, or of all threads.
static Data* dataAt(const Run* r, int k)
{
    const Each* e = &r->each;
    return (Data*)PyTuple_GetItem(r->datas, e->persistent && e->ids ? e->ids[k] : k);
}

static bool takeAll(Run* r)
{
    const int count = r->each.persistent ? r->each.nid : r->each.nthread;
    for (; r->taken < count; r->taken++)
        if (!takeData(dataAt(r, r->taken))) return false;
    return true;
}

static void freeRun(Run* r)
{
    Each* e = &r->each;
    while (r->taken > 0) releaseData(dataAt(r, --r->taken));
    releaseBuffers(&r->buffers);
    PyMem_Free(r->buffers.list);
    for (int k = 0; e->messages && k < e->nid; k++) free(e->messages[k]);
    PyMem_Free((void*)e->messages);
    PyMem_Free((void*)e->m);
    PyMem_Free((void*)e->d);
    PyMem_Free(e->parameters.list);
    PyMem_Free(e->outputs.list);
    PyMem_Free(e->records);
}

// (bits of the warnings that were raised, {simulation: message})
static PyObject* resultOf(const Each* e)
{
    PyObject* failed = PyDict_New();
    for (int k = 0; failed && k < e->nid; k++) {
        if (!e->status[e->ids ? e->ids[k] : k] || !e->messages[k]) continue;
        PyObject* id = PyLong_FromLong(e->ids ? e->ids[k] : k);
        PyObject* text = PyUnicode_DecodeUTF8(e->messages[k], (Py_ssize_t)strlen(e->messages[k]), "replace");
        if (!id || !text || PyDict_SetItem(failed, id, text) < 0) Py_CLEAR(failed);
        Py_XDECREF(id);
        Py_XDECREF(text);
    }
    return failed ? Py_BuildValue("IN", atomic_load(&e->raised), failed) : NULL;
}

static PyObject* simulate(Run* r)
{
    Each* e = &r->each;
    e->messages = PyMem_Calloc((size_t)e->nid + 1, sizeof *e->messages);
    if (!e->messages) return PyErr_NoMemory();
    if (!takeAll(r)) return NULL;
    e->interrupted = interrupted;
    e->signals = r;
    r->look = sn_monotonicTime() + 0.05;
    r->thread = PyEval_SaveThread();
    runEach(e);
    PyEval_RestoreThread(r->thread);
    return r->stopped ? NULL : resultOf(e);
}

// The arrays that all calls have.
static bool getArrays(Run* r, PyObject* arrays, PyObject* ids, PyObject* pieces)
{
    Each* e = &r->each;
    PyObject *state, *warning, *status;
    void *rows, *warnings, *failed;
    const size_t n = (size_t)e->nsim;
    if (!PyArg_ParseTuple(arrays, "OOO", &state, &warning, &status) ||
        !getPieces(e->m[0], pieces, &e->pieces) ||
        !getBytes(r, state, "state", n * (size_t)e->pieces.size * sizeof(double), true, &rows) ||
        !getBytes(r, warning, "warning", n * SN_NWARNING * sizeof(snWarningStat), true, &warnings) ||
        !getBytes(r, status, "status", n * sizeof(int), true, &failed) || !getIds(r, ids))
        return false;
    e->state = rows;
    e->warning = warnings;
    e->status = failed;
    return true;
}

// What jac and ray are asked.
static bool getQueries(Run* r, PyObject* tuple)
{
    Each* e = &r->each;
    Queries* q = &e->queries;
    const size_t n = (size_t)e->nid, nv = (size_t)e->m[0]->nv;
    if (e->operation == EACH_JAC) {
        PyObject *body, *point, *jacp, *jacr;
        return PyArg_ParseTuple(tuple, "OOOO", &body, &point, &jacp, &jacr) &&
               getBytes(r, body, "body", n * sizeof(int), false, (void**)&q->body) &&
               getBytes(r, point, "point", 3 * n * sizeof(double), false, (void**)&q->point) &&
               getBytes(r, jacp, "jacp", 3 * n * nv * sizeof(double), true, (void**)&q->jacp) &&
               getBytes(r, jacr, "jacr", 3 * n * nv * sizeof(double), true, (void**)&q->jacr);
    }
    PyObject *pnt, *vec, *group, *exclude, *dist, *geomid, *normal;
    if (!PyArg_ParseTuple(tuple, "iOOOpOOOO", &q->nray, &pnt, &vec, &group, &q->flg_static, &exclude, &dist,
                          &geomid, &normal))
        return false;
    const size_t rays = n * (size_t)(q->nray < 0 ? 0 : q->nray);
    return getBytes(r, pnt, "pnt", 3 * rays * sizeof(double), false, (void**)&q->pnt) &&
           getBytes(r, vec, "vec", 3 * rays * sizeof(double), false, (void**)&q->vec) &&
           getBytes(r, group, "geomgroup", SN_NGROUP, false, (void**)&q->group) &&
           getBytes(r, exclude, "bodyexclude", rays * sizeof(int), false, (void**)&q->exclude) &&
           getBytes(r, dist, "dist", rays * sizeof(double), true, (void**)&q->dist) &&
           getBytes(r, geomid, "geomid", rays * sizeof(int), true, (void**)&q->geomid) &&
           getBytes(r, normal, "normal", 3 * rays * sizeof(double), true, (void**)&q->normal);
}

static bool getControl(Run* r, PyObject* control, PyObject* pieces)
{
    Each* e = &r->each;
    void* rows;
    if (control == Py_None) return true;
    if (!getPieces(e->m[0], pieces, &e->control_pieces)) return false;
    const size_t row = (size_t)e->control_pieces.size * sizeof(double);
    if (!getBytes(r, control, "control", (size_t)e->nid * (size_t)e->nstep * row, false, &rows)) return false;
    e->control = rows;
    return true;
}

static PyObject* eachRun(PyObject* module, PyObject* args, PyObject* kwargs)
{
    static char* names[] = {"pool",   "operation",  "sizes",   "owners", "arrays", "ids",
                            "pieces", "parameters", "outputs", "steps",  "keys",   "control",
                            "parts",  "records",    "query",   NULL};
    Run r = {.look = 0};
    Each* e = &r.each;
    PyObject *pool, *arrays, *ids, *pieces, *parameters, *outputs, *keys = Py_None, *control = Py_None;
    PyObject *parts = NULL, *records = NULL, *query = NULL;
    void* list = NULL;
    int operation, forces = 0, momentum = 0, validate = 0, given = 0, persistent = 0;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "Oi(ipp)(O!O!)OOOO!O!|(iippp)OOOO!O", names, &pool, &operation, &e->nsim, &given,
            &persistent, &PyTuple_Type, &r.models, &PyTuple_Type, &r.datas, &arrays, &ids, &pieces,
            &PyTuple_Type, &parameters, &PyTuple_Type, &outputs, &e->nstep, &e->stage, &forces, &momentum,
            &validate, &keys, &control, &parts, &PyTuple_Type, &records, &query))
        return NULL;
    e->pool = PyCapsule_GetPointer(pool, pool_name);
    if (!e->pool) return NULL;
    e->nthread = sn_threadCount(e->pool);
    e->operation = (Operation)operation;
    e->given = given;
    e->persistent = persistent;
    e->validate = validate;
    e->ask_forces = forces;
    e->ask_momentum = momentum;
    if (e->nsim < 1 || e->nstep < 0 || operation < EACH_STEP || operation > EACH_RAY)
        return PyErr_Format(PyExc_ValueError, "%d simulations, %d steps, operation %d", e->nsim, e->nstep,
                            operation);
    const bool ready = getOwners(&r, PyModule_GetState(module)) && getArrays(&r, arrays, ids, pieces) &&
                       getColumns(&r, parameters, true, &e->parameters) &&
                       getColumns(&r, outputs, false, &e->outputs) &&
                       getBytes(&r, keys, "keyframe", (size_t)e->nid * sizeof(int), false, &list) &&
                       getControl(&r, control, parts) && (!records || getRecords(&r, records)) &&
                       (operation < EACH_JAC || (query && getQueries(&r, query)));
    e->keys = list;
    PyObject* result = ready ? simulate(&r) : NULL;
    freeRun(&r);
    return result;
}

// ---- beside the calls

static void freePool(PyObject* capsule)
{
    sn_deleteThreadPool(PyCapsule_GetPointer(capsule, pool_name));
}

// The threads of simulations of a model, or why they cannot be.
static PyObject* eachPool(PyObject* module, PyObject* args)
{
    const Core* core = PyModule_GetState(module);
    long count;
    PyObject* model;
    if (!PyArg_ParseTuple(args, "lO!", &count, core->model_type, &model)) return NULL;
    const char* serial = sn_serialName(((Model*)model)->memory->model);
    if (serial)
        return PyErr_Format(PyExc_ValueError,
                            "no batch: the plugin '%s' must be called from one thread; use mj_step, or a "
                            "rollout on one thread",
                            serial);
    if (count < 1 || count > SN_MAX_THREADS)
        return PyErr_Format(PyExc_ValueError, "nthread is %ld, must be 1 to %d", count, SN_MAX_THREADS);
    snThreadPool* pool = sn_makeThreadPool((int)count);
    if (!pool) return PyErr_Format(PyExc_MemoryError, "the system has no %ld threads, or no memory", count);
    PyObject* capsule = PyCapsule_New(pool, pool_name, freePool);
    if (!capsule) sn_deleteThreadPool(pool);
    return capsule;
}

// Bytes that a field has in a model or a data, or None: there is no such field.
static PyObject* eachBytes(PyObject* module, PyObject* args)
{
    const Core* core = PyModule_GetState(module);
    PyObject* model;
    const char* name;
    int of_model;
    Column c;
    size_t room;
    if (!PyArg_ParseTuple(args, "O!sp", core->model_type, &model, &name, &of_model)) return NULL;
    const snModel* m = ((Model*)model)->memory->model;
    if (!(of_model ? findModel : findData)(m, name, &c, &room)) Py_RETURN_NONE;
    return PyLong_FromSize_t(room);
}

// Rows of a simulation into a model, or (out of it) into the first row.
static PyObject* eachModel(PyObject* module, PyObject* args)
{
    const Core* core = PyModule_GetState(module);
    Run r = {.look = 0};
    Each* e = &r.each;
    PyObject *model, *parameters;
    int id;
    if (!PyArg_ParseTuple(args, "O!O!ii", core->model_type, &model, &PyTuple_Type, &parameters, &e->nsim,
                          &id))
        return NULL;
    snModel* m = ((Model*)model)->memory->model;
    if (id < 0 || id >= e->nsim) return PyErr_Format(PyExc_ValueError, "there is no simulation %d", id);
    e->m = PyMem_Calloc(1, sizeof *e->m);
    if (!e->m) return PyErr_NoMemory();
    e->m[0] = m;
    const bool good = getColumns(&r, parameters, true, &e->parameters);
    if (good) loadParameters(&e->parameters, m, id);
    freeRun(&r);
    return good ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef each_functions[] = {
    {"eachRun", (PyCFunction)(void (*)(void))eachRun, METH_VARARGS | METH_KEYWORDS,
     "eachRun(pool, operation, (nsim, given, persistent), (models, datas), (state, warning, status), ids, "
     "pieces, "
     "parameters, outputs, (nstep, stage, forces, momentum, validate), keys, control, parts, records, "
     "query): "
     "warnings that were raised, and what has failed."},
    {"eachPool", eachPool, METH_VARARGS, "eachPool(nthread, model): a pool of threads."},
    {"eachBytes", eachBytes, METH_VARARGS,
     "eachBytes(model, name, of_model): of a field that a call can take, or None."},
    {"eachModel", eachModel, METH_VARARGS,
     "eachModel(model, parameters, nsim, id): rows of a simulation into a model."},
    {NULL, NULL, 0, NULL},
};
