// Memory, which owns a model, a data, a controller or a batch and is the base of the arrays in it; Array,
// which shows a part of what another object keeps through the buffer protocol.
#include "memory/memory.h"

/// The bytes that NumPy is to put an array over.
struct Shown {
    void* address;
    Py_ssize_t size;
};

typedef struct Array {
    PyObject_HEAD PyObject* owner;
    void* address;
    char format[2];
    int ndim;
    Py_ssize_t itemsize;
    Py_ssize_t shape[MAX_DIMS];
    Py_ssize_t strides[MAX_DIMS];
} Array;

static void Memory_dealloc(PyObject* self)
{
    Memory* memory = (Memory*)self;
    sn_deleteModel(memory->model);
    sn_deleteData(memory->data);
    sn_freeController(memory->controller);
    sn_deleteBatch(memory->batch);
    sn_deleteThreadPool(memory->pool);
    Py_XDECREF((PyObject*)memory->of);
    freeObject(self);
}

// What makeShown has put there: only while it asks NumPy for an array.
static int Memory_getbuffer(PyObject* self, Py_buffer* buffer, int flags)
{
    const struct Shown* shown = ((Memory*)self)->shown;
    if (shown) return PyBuffer_FillInfo(buffer, self, shown->address, shown->size, 0, flags);
    PyErr_SetString(PyExc_BufferError, "the memory shows nothing of itself, its arrays do");
    buffer->obj = NULL;
    return -1;
}

static PyType_Slot memory_slots[] = {
    {Py_tp_dealloc, Memory_dealloc},
    {Py_bf_getbuffer, Memory_getbuffer},
    {Py_tp_doc, "Owner of the memory of one model, one data, one controller or one batch."},
    {0, NULL},
};
PyType_Spec memory_spec = {
    .name = "sinew._core.Memory",
    .basicsize = sizeof(Memory),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = memory_slots,
};

Core* coreOfMemory(const Memory* memory)
{
    return PyType_GetModuleState(Py_TYPE((PyObject*)memory));
}

Memory* makeMemory(Core* core, snModel* m, snData* d)
{
    Memory* memory = PyObject_New(Memory, core->memory_type);
    if (!memory) {
        sn_deleteModel(m);
        sn_deleteData(d);
        return NULL;
    }
    memory->model = m;
    memory->data = d;
    memory->controller = NULL;
    memory->batch = NULL;
    memory->pool = NULL;
    memory->of = NULL;
    memory->shown = NULL;
    atomic_flag_clear(&memory->busy);
    return memory;
}

static void Array_dealloc(PyObject* self)
{
    Py_DECREF(((Array*)self)->owner);
    freeObject(self);
}

static int Array_getbuffer(PyObject* self, Py_buffer* buffer, int flags)
{
    Array* array = (Array*)self;
    Py_ssize_t size = array->itemsize;
    bool contiguous = true;
    for (int i = array->ndim; i-- > 0;) {
        contiguous = contiguous && array->strides[i] == size;
        size *= array->shape[i];
    }
    if (!contiguous && (flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "the memory is not contiguous");
        buffer->obj = NULL;
        return -1;
    }
    *buffer = (Py_buffer){
        .buf = array->address,
        .obj = Py_NewRef(self),
        .len = size,
        .itemsize = array->itemsize,
        .readonly = 0,
        .ndim = array->ndim,
        .format = flags & PyBUF_FORMAT ? array->format : NULL,
        .shape = flags & PyBUF_ND ? array->shape : NULL,
        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? array->strides : NULL,
    };
    return 0;
}

static PyType_Slot array_slots[] = {
    {Py_tp_dealloc, Array_dealloc},
    {Py_bf_getbuffer, Array_getbuffer},
    {Py_tp_doc, "A part of a model's or a data's memory, for the buffer protocol."},
    {0, NULL},
};
PyType_Spec array_spec = {
    .name = "sinew._core.Array",
    .basicsize = sizeof(Array),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = array_slots,
};

size_t formatSize(char format)
{
    switch (format) {
    case 'd': return sizeof(double);
    case 'f': return sizeof(float);
    case 'i': return sizeof(int);
    case 'Q': return sizeof(uint64_t);
    default: return 1;
    }
}

char formatOf(const char* ctype)
{
    switch (ctype[0]) {
    case 'd': return 'd'; // double
    case 'f': return 'f'; // float
    case 'i': return 'i'; // int
    default: return 'B';  // uint8_t, char
    }
}

static PyObject* tupleOf(const Py_ssize_t* numbers, int count)
{
    PyObject* tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyObject* number = PyLong_FromSsize_t(numbers[i]);
        if (!number || PyTuple_SetItem(tuple, i, number) < 0) Py_CLEAR(tuple);
    }
    return tuple;
}

// An array whose base is the memory itself, which all arrays in it share. One without entries owns its
// memory.
static PyObject* makeShown(Core* core, Memory* memory, void* address, char format, int ndim,
                           const Py_ssize_t* shape, const Py_ssize_t* strides)
{
    const char type[2] = {format, 0};
    struct Shown shown = {address, (Py_ssize_t)formatSize(format)}, *outer = memory->shown;
    bool empty = false;
    for (int i = 0; i < ndim; i++) {
        shown.size += (shape[i] - 1) * strides[i];
        empty = empty || shape[i] == 0;
    }
    PyObject *counts = tupleOf(shape, ndim), *steps = tupleOf(strides, ndim), *view = NULL;
    memory->shown = &shown;
    if (counts && steps)
        view = empty ? PyObject_CallFunction(core->ndarray, "Os", counts, type)
                     : PyObject_CallFunction(core->ndarray, "OsOiO", counts, type, memory, 0, steps);
    memory->shown = outer;
    Py_XDECREF(counts);
    Py_XDECREF(steps);
    return view;
}

PyObject* makeArray(Core* core, PyObject* owner, void* address, char format, int ndim,
                    const Py_ssize_t* shape, const Py_ssize_t* strides)
{
    bool backwards = false; // which the array's constructor does not take from where it begins
    for (int i = 0; i < ndim; i++) backwards = backwards || strides[i] < 0;
    if (Py_TYPE(owner) == core->memory_type && !backwards)
        return makeShown(core, (Memory*)owner, address, format, ndim, shape, strides);
    Array* array = PyObject_New(Array, core->array_type);
    if (!array) return NULL;
    array->owner = Py_NewRef(owner);
    array->address = address ? address : (void*)array->shape; // no rows: any address will do
    array->format[0] = format;
    array->format[1] = 0;
    array->itemsize = (Py_ssize_t)formatSize(format);
    array->ndim = ndim;
    for (int i = 0; i < ndim; i++) {
        array->shape[i] = shape[i];
        array->strides[i] = strides[i];
    }
    PyObject* view = PyObject_CallFunctionObjArgs(core->asarray, (PyObject*)array, NULL);
    Py_DECREF(array);
    return view;
}

PyObject* makeView(Memory* memory, void* address, char format, Py_ssize_t rows, Py_ssize_t columns)
{
    const Py_ssize_t size = (Py_ssize_t)formatSize(format), shape[] = {rows, columns};
    const Py_ssize_t strides[] = {columns < 0 ? size : size * columns, size};
    return makeArray(coreOfMemory(memory), (PyObject*)memory, address, format, columns < 0 ? 1 : 2, shape,
                     strides);
}

PyObject* freshView(PyObject* view)
{
    return PyObject_GetItem(view, Py_Ellipsis);
}

PyObject* giveView(bool peer, PyObject* view)
{
    return peer ? Py_NewRef(view) : freshView(view);
}

int assignView(PyObject* view, PyObject* value)
{
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "a field cannot be deleted");
        return -1;
    }
    return PyObject_SetItem(view, Py_Ellipsis, value);
}
