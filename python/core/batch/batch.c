// The type Batch: making one, and its arrays as views.
#include "batch/batch.h"
#include "batch/each.h"

Batch* asBatch(PyObject* module, PyObject* object)
{
    const Core* core = PyModule_GetState(module);
    if (PyObject_TypeCheck(object, core->batch_type)) return (Batch*)object;
    PyErr_Format(PyExc_TypeError, "the first argument must be a sinew.Batch, not %R", Py_TYPE(object));
    return NULL;
}

bool takeBatch(Batch* self)
{
    if (!atomic_flag_test_and_set_explicit(&self->memory->busy, memory_order_acquire)) return true;
    PyErr_SetString(PyExc_RuntimeError, "this Batch is in use by another thread; give each thread its own");
    return false;
}

void releaseBatch(Batch* self)
{
    atomic_flag_clear_explicit(&self->memory->busy, memory_order_release);
}

// ---- arrays

static int fieldNamed(const snField* fields, int count, const char* name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(fields[i].name, name)) return i;
    return -1;
}

typedef struct Shape {
    char format;
    int ndim;
    Py_ssize_t extents[MAX_DIMS], strides[MAX_DIMS];
} Shape;

// Of one simulation as the data or the model has it; other names, "opt.gravity", have a row of numbers, or
// one; warnings are ints.
static void setExtents(const snModel* m, const char* name, int numbers, Shape* shape)
{
    int ndata, narena, nmodel, rows = 0, columns = 0;
    const snField *of_data = sn_dataFields(&ndata, &narena), *of_model = sn_modelFields(&nmodel);
    const int data = fieldNamed(of_data, ndata - narena, name), model = fieldNamed(of_model, nmodel, name);
    const snField* field = data >= 0 ? of_data + data : model >= 0 ? of_model + model : NULL;
    if (data >= 0)
        sn_dataFieldShape(m, NULL, data, &rows, &columns);
    else if (model >= 0)
        sn_modelFieldShape(m, model, &rows, &columns);
    shape->format = field ? formatOf(field->type) : !strcmp(name, "warning") ? 'i' : 'd';
    shape->extents[1] = field ? rows : numbers;
    shape->extents[2] = columns;
    shape->ndim = field ? 2 + (strcmp(field->columns, "1") != 0) : 1 + (numbers > 1);
}

static PyObject* makeBatchView(Batch* self, const char* name)
{
    snBatch* b = self->memory->batch;
    int numbers;
    void* address = sn_batchArray(b, name, &numbers);
    if (!address) return NULL;
    Shape shape = {.extents = {sn_batchCount(b)}};
    setExtents(sn_batchModel(b), name, numbers, &shape);
    Py_ssize_t stride = (Py_ssize_t)formatSize(shape.format);
    for (int i = shape.ndim; i-- > 0; stride *= shape.extents[i]) shape.strides[i] = stride;
    return makeArray(coreOfMemory(self->memory), (PyObject*)self->memory, address, shape.format, shape.ndim,
                     shape.extents, shape.strides);
}

// A writable array [n, ...] of the batch, a new reference: made once, then given out as a view of itself.
// NULL without an exception: there is no such array.
static PyObject* batchView(Batch* self, const char* name)
{
    PyObject* view = PyDict_GetItemString(self->views, name);
    if (view) return freshView(view);
    view = makeBatchView(self, name);
    if (!view) return NULL;
    PyObject* result = PyDict_SetItemString(self->views, name, view) < 0 ? NULL : freshView(view);
    Py_DECREF(view);
    return result;
}

static PyObject* batchArray(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* name;
    if (!PyArg_ParseTuple(args, "Os", &object, &name)) return NULL;
    Batch* self = asBatch(module, object);
    PyObject* view = self ? batchView(self, name) : NULL;
    if (view || PyErr_Occurred()) return view;
    Py_RETURN_NONE;
}

// A field that becomes an array: "bind" or "parameter".
static PyObject* addArray(PyObject* module, PyObject* args,
                          snStatus (*add)(snBatch* b, const char* field, snError* error))
{
    PyObject* object;
    const char* name;
    if (!PyArg_ParseTuple(args, "Os", &object, &name)) return NULL;
    Batch* self = asBatch(module, object);
    if (!self || !takeBatch(self)) return NULL;
    snError error = {0};
    const snStatus status = add(self->memory->batch, name, &error);
    releaseBatch(self);
    if (!status) return batchView(self, name);
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

static PyObject* batchBind(PyObject* module, PyObject* args)
{
    return addArray(module, args, sn_batchBind);
}

static PyObject* batchParameter(PyObject* module, PyObject* args)
{
    return addArray(module, args, sn_batchParameter);
}

static PyObject* batchCheck(PyObject* module, PyObject* args)
{
    PyObject *object, *array;
    const char* field;
    if (!PyArg_ParseTuple(args, "OsO", &object, &field, &array)) return NULL;
    Batch* self = asBatch(module, object);
    Py_buffer numbers = {.len = 0};
    snError error = {0};
    if (!self || (array != Py_None && PyObject_GetBuffer(array, &numbers, PyBUF_C_CONTIGUOUS) < 0))
        return NULL;
    const snStatus status = sn_batchCheckParameter(self->memory->batch, field, numbers.buf,
                                                   (size_t)numbers.len / sizeof(double), &error);
    if (numbers.obj) PyBuffer_Release(&numbers);
    if (status) raiseError(PyModule_GetState(module), &error, NULL);
    return status ? NULL : Py_NewRef(Py_None);
}

static PyObject* batchNames(PyObject* module, PyObject* object)
{
    Batch* self = asBatch(module, object);
    PyObject* list = self ? PyList_New(0) : NULL;
    const char* text = NULL;
    for (int i = 0; list && (text = sn_batchArrayName(self->memory->batch, i)) != NULL; i++) {
        PyObject* name = PyUnicode_FromString(text);
        if (!name || PyList_Append(list, name) < 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyObject* batchScalarFeatures(PyObject* module, PyObject* object)
{
    Core* core = PyModule_GetState(module);
    if (!PyObject_TypeCheck(object, core->model_type)) return PyErr_Format(PyExc_TypeError, "not a Model");
    const snModel* m = ((Model*)object)->memory->model;
    const int length = sn_batchScalarFeatures(m, NULL, 0);
    char* text = PyMem_Calloc((size_t)length + 1, 1);
    if (!text) return PyErr_NoMemory();
    sn_batchScalarFeatures(m, text, length + 1);
    PyObject* result = PyUnicode_FromString(text);
    PyMem_Free(text);
    return result;
}

// ---- the type

static PyObject* wrapBatch(Core* core, PyTypeObject* type, Model* model, snBatch* b, snThreadPool* pool)
{
    Memory* memory = makeMemory(core, NULL, NULL);
    if (!memory) {
        sn_deleteBatch(b);
        sn_deleteThreadPool(pool);
        return NULL;
    }
    memory->batch = b;
    memory->pool = pool;
    Batch* self = (Batch*)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) {
        Py_DECREF(memory);
        return NULL;
    }
    self->memory = memory;
    self->model = (Model*)Py_NewRef((PyObject*)model);
    self->views = PyDict_New();
    if (!self->views) Py_CLEAR(self);
    return (PyObject*)self;
}

static PyObject* makeBatch(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *type, *model;
    int n, threads;
    snBatchOption option = {0};
    if (!PyArg_ParseTuple(args, "OO!iiip", &type, core->model_type, &model, &n, &threads, &option.width,
                          &option.single) ||
        !isSubclass(type, core->batch_type, "sinew.Batch"))
        return NULL;
    snThreadPool* pool = option.pool = threads > 1 ? sn_makeThreadPool(threads) : NULL;
    if (threads > 1 && !pool)
        return PyErr_Format(PyExc_MemoryError, "the system has no %d threads, or no memory", threads);
    snError error = {0};
    const snModel* m = ((Model*)model)->memory->model;
    snBatch* b;
    Py_BEGIN_ALLOW_THREADS;
    b = sn_makeBatch(m, n, &option, &error);
    Py_END_ALLOW_THREADS;
    if (b) return wrapBatch(core, (PyTypeObject*)type, (Model*)model, b, pool);
    sn_deleteThreadPool(pool);
    raiseError(core, &error, NULL);
    return NULL;
}

static void Batch_dealloc(PyObject* object)
{
    Batch* self = (Batch*)object;
    Py_XDECREF(self->views);
    Py_XDECREF((PyObject*)self->memory);
    Py_XDECREF((PyObject*)self->model);
    freeObject(object);
}

static PyObject* getCount(PyObject* self, void* Py_UNUSED(closure))
{
    return PyLong_FromLong(sn_batchCount(((Batch*)self)->memory->batch));
}

static PyObject* getWidth(PyObject* self, void* Py_UNUSED(closure))
{
    return PyLong_FromLong(sn_batchWidth(((Batch*)self)->memory->batch));
}

static PyObject* getThreads(PyObject* self, void* Py_UNUSED(closure))
{
    return PyLong_FromLong(sn_threadCount(((Batch*)self)->memory->pool));
}

static PyObject* getModel(PyObject* self, void* Py_UNUSED(closure))
{
    return Py_NewRef((PyObject*)((Batch*)self)->model);
}

static PyGetSetDef getset[] = {
    {"n", getCount, NULL, "how many simulations", NULL},
    {"width", getWidth, NULL, "simulations in lockstep; 1: all go through the scalar engine", NULL},
    {"threads", getThreads, NULL, "threads that calls use, the caller's counted", NULL},
    {"model", getModel, NULL, "the model as it was given; the batch works with a copy of its own", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef functions[] = {
    {"makeBatch", makeBatch, METH_VARARGS,
     "makeBatch(cls, model, n, threads, width, single): a batch; width 0: the widest."},
    {"batchArray", batchArray, METH_VARARGS, "batchArray(batch, name): its view, or None."},
    {"batchBind", batchBind, METH_VARARGS, "batchBind(batch, field): a computed field as an array."},
    {"batchParameter", batchParameter, METH_VARARGS,
     "batchParameter(batch, field): a field of the model as an array."},
    {"batchCheck", batchCheck, METH_VARARGS,
     "batchCheck(batch, field, numbers): whether they, float64, may stand in a parameter; None: whether it "
     "is one."},
    {"batchNames", batchNames, METH_O, "batchNames(batch): the names of all arrays that there are."},
    {"batchScalarFeatures", batchScalarFeatures, METH_O,
     "batchScalarFeatures(model): what lanes cannot do, with commas."},
    {NULL, NULL, 0, NULL},
};

int makeBatchType(Core* core, PyObject* module)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, Batch_dealloc},
        {Py_tp_getset, getset},
        {Py_tp_doc, "Many simulations of one model."},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "sinew._core.Batch",
        .basicsize = sizeof(Batch),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    core->batch_type = addType(module, &spec);
    if (!core->batch_type || PyModule_AddFunctions(module, functions) < 0 ||
        PyModule_AddFunctions(module, each_functions) < 0 ||
        PyModule_AddFunctions(module, batch_copy_functions) < 0)
        return -1;
    return PyModule_AddFunctions(module, batch_run_functions);
}
