// Data: scalars, and a view for each array of the field table. Views of constant arrays are made once and
// then given out again as views of themselves; views of arena arrays (contacts, rows) have the rows of the
// moment at which they are asked for.
#include "model/model.h"

#define MEMBER(s, format, count, name)                                                                       \
    {                                                                                                        \
#name, format, count, 0, offsetof(s, name), "", NULL                                                 \
    }
const Member contact_members[] = {
    MEMBER(snContact, 'd', 0, dist),
    MEMBER(snContact, 'd', 3, pos),
    MEMBER(snContact, 'd', 9, frame),
    MEMBER(snContact, 'd', 0, includemargin),
    MEMBER(snContact, 'd', 5, friction),
    MEMBER(snContact, 'd', SN_NREF, solref),
    MEMBER(snContact, 'd', SN_NREF, solreffriction),
    MEMBER(snContact, 'd', SN_NIMP, solimp),
    MEMBER(snContact, 'd', 0, mu),
    MEMBER(snContact, 'i', 0, dim),
    MEMBER(snContact, 'i', 2, geom),
    MEMBER(snContact, 'i', 0, exclude),
    MEMBER(snContact, 'i', 0, efc_address),
    MEMBER(snContact, 'd', 0, adhesion),
    MEMBER(snContact, 'd', 3, surfacevel),
    MEMBER(snContact, 'd', 0, impact),
    MEMBER(snContact, 'd', 0, way),
    MEMBER(snContact, 'i', 2, flex),
    MEMBER(snContact, 'i', 2, part),
    {0},
};
const Member solver_members[] = {
    MEMBER(snSolverStat, 'd', 0, improvement), MEMBER(snSolverStat, 'd', 0, gradient),
    MEMBER(snSolverStat, 'd', 0, lineslope),   MEMBER(snSolverStat, 'i', 0, nactive),
    MEMBER(snSolverStat, 'i', 0, nchange),     MEMBER(snSolverStat, 'i', 0, neval),
    MEMBER(snSolverStat, 'i', 0, nupdate),     {0},
};
const Member warning_members[] = {
    MEMBER(snWarningStat, 'i', 0, lastinfo),
    MEMBER(snWarningStat, 'i', 0, number),
    {0},
};
const Member impulse_members[] = {
    MEMBER(snImpulse, 'd', 2, id),
    MEMBER(snImpulse, 'd', 3, pos),
    MEMBER(snImpulse, 'd', 6, lambda),
    {0},
};
const Member timer_members[] = {
    MEMBER(snTimerStat, 'd', 0, duration),
    MEMBER(snTimerStat, 'i', 0, number),
    {0},
};
#undef MEMBER

bool lookAtData(Data* data)
{
    if (!atomic_flag_test_and_set_explicit(&data->busy, memory_order_acquire)) {
        atomic_flag_test_and_set(&data->memory->busy);
        return true;
    }
    if (atomic_load(&data->callback_thread) == PyThread_get_thread_ident()) {
        data->nested++;
        return true;
    }
    PyErr_SetString(PyExc_RuntimeError, "this Data is in use by another thread; give each thread its own");
    return false;
}

bool takeData(Data* data)
{
    if (!lookAtData(data)) return false;
    data->version++;
    return true;
}

void releaseData(Data* data)
{
    if (data->nested) {
        data->nested--;
        return;
    }
    atomic_flag_clear(&data->memory->busy);
    atomic_flag_clear_explicit(&data->busy, memory_order_release);
}

static int constantFields(void)
{
    int count, narena;
    sn_dataFields(&count, &narena);
    return count - narena;
}

PyObject* wrapData(Core* core, PyTypeObject* type, Model* model, snData* d)
{
    Memory* memory = makeMemory(core, NULL, d);
    if (!memory) return NULL;
    Data* self = (Data*)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) {
        Py_DECREF(memory);
        return NULL;
    }
    self->memory = memory;
    self->model = (Model*)Py_NewRef((PyObject*)model);
    atomic_flag_clear(&self->busy);
    int nfields;
    sn_dataFields(&nfields, NULL);
    self->views = PyMem_Calloc((size_t)constantFields(), sizeof *self->views);
    self->arena_views = PyMem_Calloc((size_t)(nfields - constantFields()), sizeof *self->arena_views);
    self->energy =
        self->views && self->arena_views ? makeView(memory, d->energy, 'd', 2, -1) : PyErr_NoMemory();
    self->fwdinv = self->energy ? makeView(memory, d->solver_fwdinv, 'd', 2, -1) : NULL;
    self->peer = core->peer_data_type && PyType_IsSubtype(type, core->peer_data_type);
    if (!self->fwdinv) Py_CLEAR(self);
    return (PyObject*)self;
}

static int Data_traverse(PyObject* object, visitproc visit, void* arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT((PyObject*)((Data*)object)->model);
    for (int k = 0; k < NCALLBACKS; k++) Py_VISIT(((Data*)object)->callbacks[k]);
    return 0;
}

// Functions rely on the model being there; a cycle breaks at the callbacks or at a subclass's own attributes.
static int Data_clear(PyObject* object)
{
    for (int k = 0; k < NCALLBACKS; k++) Py_CLEAR(((Data*)object)->callbacks[k]);
    return 0;
}

static void Data_dealloc(PyObject* object)
{
    Data* self = (Data*)object;
    PyObject_GC_UnTrack(object);
    Data_clear(object);
    for (int i = 0; self->views && i < constantFields(); i++) Py_XDECREF(self->views[i]);
    PyMem_Free(self->views);
    int nfields;
    sn_dataFields(&nfields, NULL);
    for (int i = 0; self->arena_views && i < nfields - constantFields(); i++)
        Py_XDECREF(self->arena_views[i].view);
    PyMem_Free(self->arena_views);
    clearElements(self->elements);
    if (self->made) self->free_made(self);
    Py_XDECREF(self->energy);
    Py_XDECREF(self->fwdinv);
    for (int i = 0; i < NDATA_LISTS; i++) Py_XDECREF(self->lists[i]);
    if (self->memory) sn_setThreads(self->memory->data, 1, NULL); // views may keep the memory
    Py_XDECREF((PyObject*)self->memory);
    Py_XDECREF((PyObject*)self->model);
    freeObject(object);
}

snData* makeData(Core* core, const snModel* m)
{
    snError error = {.status = SN_STATUS_OK};
    snData* d = sn_tryMakeData(m, &error);
    if (d && !PyErr_Occurred()) return d;
    if (d) { // a plugin's reset has raised
        sn_deleteData(d);
        return NULL;
    }
    if (error.status == SN_STATUS_NO_MEMORY)
        PyErr_NoMemory();
    else
        raiseError(core, &error, NULL);
    return NULL;
}

static PyObject* Data_new(PyTypeObject* type, PyObject* args, PyObject* kwargs)
{
    static char* names[] = {"model", NULL};
    Core* core = coreOfType(type);
    PyObject* model;
    if (!core || !PyArg_ParseTupleAndKeywords(args, kwargs, "O!", names, core->model_type, &model))
        return NULL;
    snData* d = makeData(core, ((Model*)model)->memory->model);
    return d ? wrapData(core, type, (Model*)model, d) : NULL;
}

// Borrowed.
static PyObject* getConstantView(Data* self, const snField* field, int index)
{
    if (self->views[index]) return self->views[index];
    const snData* d = self->memory->data;
    int rows, columns;
    sn_dataFieldShape(self->model->memory->model, d, index, &rows, &columns);
    const bool vector = strcmp(field->columns, "1") == 0;
    void* address = *(void* const*)((const char*)d + field->offset);
    self->views[index] = makeView(self->memory, address, formatOf(field->type), rows, vector ? -1 : columns);
    return self->views[index];
}

// Rows and address belong together only while no step runs, so the data is taken for the moment. The view is
// kept for as long as both stay.
static PyObject* getArenaView(Data* self, const snField* field, int index)
{
    if (!lookAtData(self)) return NULL;
    const snData* d = self->memory->data;
    int rows, columns;
    sn_dataFieldShape(self->model->memory->model, d, index, &rows, &columns);
    void* address = *(void* const*)((const char*)d + field->offset);
    releaseData(self);
    ArenaView* kept = &self->arena_views[index - constantFields()];
    if (kept->view && kept->address == address && kept->rows == rows) return giveView(self->peer, kept->view);
    const bool contact = strcmp(field->type, "snContact") == 0, vector = strcmp(field->columns, "1") == 0;
    PyObject* view = makeView(self->memory, address, contact ? 'B' : formatOf(field->type), rows,
                              contact  ? (Py_ssize_t)sizeof(snContact)
                              : vector ? -1
                                       : columns);
    if (!view) return NULL;
    PyObject* before = kept->view;
    *kept = (ArenaView){view, address, rows};
    Py_XDECREF(before);
    return giveView(self->peer, view);
}

static PyObject* getView(PyObject* object, void* closure)
{
    Data* self = (Data*)object;
    const snField* field = closure;
    int count;
    const int index = (int)(field - sn_dataFields(&count, NULL));
    if (index >= constantFields()) return getArenaView(self, field, index);
    PyObject* view = getConstantView(self, field, index);
    return view ? giveView(self->peer, view) : NULL;
}

static int setView(PyObject* object, PyObject* value, void* closure)
{
    PyObject* view = getView(object, closure);
    if (!view) return -1;
    const int result = assignView(view, value);
    Py_DECREF(view);
    return result;
}

static PyObject* getDouble(PyObject* object, void* closure)
{
    return PyFloat_FromDouble(*(double*)((char*)((Data*)object)->memory->data + (intptr_t)closure));
}

static int setDouble(PyObject* object, PyObject* value, void* closure)
{
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "a field cannot be deleted");
        return -1;
    }
    const double number = PyFloat_AsDouble(value);
    if (number == -1 && PyErr_Occurred()) return -1;
    *(double*)((char*)((Data*)object)->memory->data + (intptr_t)closure) = number;
    return 0;
}

static PyObject* getInt(PyObject* object, void* closure)
{
    return PyLong_FromLong(*(int*)((char*)((Data*)object)->memory->data + (intptr_t)closure));
}

static PyObject* getBytes(PyObject* object, void* closure)
{
    return PyLong_FromSize_t(*(size_t*)((char*)((Data*)object)->memory->data + (intptr_t)closure));
}

static PyObject* getModel(PyObject* object, void* Py_UNUSED(closure))
{
    return Py_NewRef((PyObject*)((Data*)object)->model);
}

static PyObject* getEnergy(PyObject* object, void* Py_UNUSED(closure))
{
    return giveView(((Data*)object)->peer, ((Data*)object)->energy);
}

static int setEnergy(PyObject* object, PyObject* value, void* Py_UNUSED(closure))
{
    return assignView(((Data*)object)->energy, value);
}

static PyObject* getFwdinv(PyObject* object, void* Py_UNUSED(closure))
{
    return giveView(((Data*)object)->peer, ((Data*)object)->fwdinv);
}

static int setFwdinv(PyObject* object, PyObject* value, void* closure)
{
    PyObject* view = getFwdinv(object, closure);
    const int result = view ? assignView(view, value) : -1;
    Py_XDECREF(view);
    return result;
}

// Statistics are bytes here; the Python class gives them their members (tables()["records"]).
static PyObject* getWarning(PyObject* object, void* Py_UNUSED(closure))
{
    Memory* memory = ((Data*)object)->memory;
    return makeView(memory, memory->data->warning, 'B', SN_NWARNING, (Py_ssize_t)sizeof(snWarningStat));
}

static PyObject* getTimer(PyObject* object, void* Py_UNUSED(closure))
{
    Memory* memory = ((Data*)object)->memory;
    return makeView(memory, memory->data->timer, 'B', SN_NTIMER, (Py_ssize_t)sizeof(snTimerStat));
}

static PyObject* getSolver(PyObject* object, void* Py_UNUSED(closure))
{
    Memory* memory = ((Data*)object)->memory;
    return makeView(memory, memory->data->solver, 'B', SN_NSOLVER, (Py_ssize_t)sizeof(snSolverStat));
}

static PyObject* getImpulse(PyObject* object, void* Py_UNUSED(closure))
{
    Memory* memory = ((Data*)object)->memory;
    const snData* d = memory->data;
    return makeView(memory, d->impulse, 'B', d->nimpulse, (Py_ssize_t)sizeof(snImpulse));
}

static PyObject* getThreads(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromLong(sn_threadCount(((Data*)object)->memory->data->pool));
}

static int setThreads(PyObject* object, PyObject* value, void* Py_UNUSED(closure))
{
    Data* self = (Data*)object;
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "threads cannot be deleted");
        return -1;
    }
    const long count = PyLong_AsLong(value);
    if (count == -1 && PyErr_Occurred()) return -1;
    if (count < 1 || count > SN_MAX_THREADS) {
        PyErr_Format(PyExc_ValueError, "threads is %ld, must be 1 to %d", count, SN_MAX_THREADS);
        return -1;
    }
    if (!takeData(self)) return -1;
    const bool inside = self->nested; // a function runs around this callback, which may use the pool
    if (inside) PyErr_SetString(PyExc_RuntimeError, "threads cannot be set inside a callback of the data");
    snError error;
    const bool made = !inside && sn_setThreads(self->memory->data, (int)count, &error) == SN_STATUS_OK;
    if (!inside && !made) PyErr_SetString(PyExc_MemoryError, error.message);
    releaseData(self);
    return made ? 0 : -1;
}

static const PyGetSetDef scalars[] = {
#define X(type, name, meaning)                                                                               \
    {#name, #type[0] == 'd' ? getDouble : getInt, #type[0] == 'd' ? setDouble : NULL, meaning,               \
     (void*)offsetof(snData, name)},
    SN_DATA_SCALARS(X)
#undef X
        {"model", getModel, NULL, "the model that this data belongs to", NULL},
    {"energy", getEnergy, setEnergy, "potential and kinetic energy (J)", NULL},
    {"solver_fwdinv", getFwdinv, setFwdinv, "forward less inverse dynamics: constraint, applied forces",
     NULL},
    {"warning", getWarning, NULL, "warnings since the last reset", NULL},
    {"timer", getTimer, NULL, "time and calls of the stages since the last reset", NULL},
    {"solver", getSolver, NULL, "statistics of the solver's iterations", NULL},
    {"impulse", getImpulse, NULL, "impulses that a step with rigid contacts starts from", NULL},
    {"threads", getThreads, setThreads,
     "threads that a step may use, the caller's counted; results are the same bits at any count", NULL},
    {"narena", getBytes, NULL, "bytes of the arena", (void*)offsetof(snData, narena)},
    {"maxuse_arena", getBytes, NULL, "most bytes of the arena taken at once",
     (void*)offsetof(snData, maxuse_arena)},
};

PyTypeObject* makeDataType(Core* core, PyObject* module, PyMethodDef* elements)
{
    int nfields;
    const snField* fields = sn_dataFields(&nfields, NULL);
    const size_t nscalars = sizeof scalars / sizeof scalars[0];
    PyGetSetDef* getset = core->getsets[1] = PyMem_Calloc((size_t)nfields + nscalars + 1, sizeof *getset);
    if (!getset) return (PyTypeObject*)PyErr_NoMemory();
    memcpy(getset, scalars, sizeof scalars);
    for (int i = 0; i < nfields; i++) {
        const bool record = strcmp(fields[i].type, "snContact") == 0;
        getset[nscalars + (size_t)i] = (PyGetSetDef){fields[i].name, getView, record ? NULL : setView,
                                                     fields[i].meaning, (void*)&fields[i]};
    }
    PyType_Slot slots[] = {
        {Py_tp_new, Data_new},
        {Py_tp_dealloc, Data_dealloc},
        {Py_tp_methods, elements},
        {Py_tp_traverse, Data_traverse},
        {Py_tp_clear, Data_clear},
        {Py_tp_getset, getset},
        {Py_tp_doc, "The state of one simulation and everything computed from it."},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "sinew._core.Data",
        .basicsize = sizeof(Data),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
        .slots = slots,
    };
    return addType(module, &spec);
}

static bool isDataType(Core* core, PyObject* type)
{
    return isSubclass(type, core->data_type, "sinew.Data");
}

static PyObject* copyData(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *type, *object, *model;
    if (!PyArg_ParseTuple(args, "OO!O!", &type, core->model_type, &model, core->data_type, &object) ||
        !isDataType(core, type))
        return NULL;
    Data* source = (Data*)object;
    const snModel* m = ((Model*)model)->memory->model;
    if (!sameSizes(m, source->model->memory->model) || m->narena != source->model->memory->model->narena)
        return PyErr_Format(PyExc_ValueError, "the data belongs to a model of other sizes");
    snData* d = makeData(core, m);
    if (!d) return NULL;
    if (!takeData(source)) {
        sn_deleteData(d);
        return NULL;
    }
    sn_copyData(d, m, source->memory->data);
    releaseData(source);
    d->callback = (snCallbacks){0}; // those of a running function, if the copy is made inside one
    PyObject* result = wrapData(core, (PyTypeObject*)type, (Model*)model, d);
    for (int k = 0; result && k < NCALLBACKS; k++) {
        PyObject* callback = source->callbacks[k];
        ((Data*)result)->callbacks[k] = callback ? Py_NewRef(callback) : NULL;
    }
    return result;
}

static PyObject* packData(PyObject* module, PyObject* object)
{
    Core* core = PyModule_GetState(module);
    if (!PyObject_TypeCheck(object, core->data_type)) return PyErr_Format(PyExc_TypeError, "not a Data");
    Data* self = (Data*)object;
    if (!takeData(self)) return NULL;
    const snData* d = self->memory->data;
    const size_t size = dataSize(d);
    PyObject* result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (result) dataInto(d, size, PyBytes_AsString(result));
    releaseData(self);
    return result;
}

static PyObject* unpackData(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *type, *model;
    Py_buffer buffer;
    if (!PyArg_ParseTuple(args, "OO!y*", &type, core->model_type, &model, &buffer)) return NULL;
    snData* d = isDataType(core, type)
                    ? dataFromBytes(core, ((Model*)model)->memory->model, buffer.buf, (size_t)buffer.len)
                    : NULL;
    PyBuffer_Release(&buffer);
    return d ? wrapData(core, (PyTypeObject*)type, (Model*)model, d) : NULL;
}

static PyObject* unpackInto(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject* object;
    Py_buffer buffer;
    if (!PyArg_ParseTuple(args, "O!y*", core->data_type, &object, &buffer)) return NULL;
    Data* self = (Data*)object;
    const bool taken = takeData(self);
    bool done = taken && !self->nested;
    if (done)
        done =
            bytesToData(core, self->model->memory->model, self->memory->data, buffer.buf, (size_t)buffer.len);
    else if (taken)
        PyErr_SetString(PyExc_RuntimeError, "no bytes come into a data inside a callback of it");
    if (taken) releaseData(self);
    PyBuffer_Release(&buffer);
    if (!done) return NULL;
    Py_RETURN_NONE;
}

PyMethodDef data_functions[] = {
    {"copyData", copyData, METH_VARARGS,
     "copyData(cls, model, data): a copy that goes on with the same bits."},
    {"packData", packData, METH_O, "packData(data): bytes for pickling."},
    {"unpackData", unpackData, METH_VARARGS, "unpackData(cls, model, bytes): the inverse of packData."},
    {"unpackInto", unpackInto, METH_VARARGS,
     "unpackInto(data, bytes): the same into a data that is there, without new memory. It is reset where "
     "they "
     "do not fit it; RuntimeError inside a callback of it."},
    {NULL, NULL, 0, NULL},
};
