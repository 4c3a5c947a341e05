// Memory, which owns a model, a data or a controller, and Array, which shows a part of it through the buffer
// protocol.
#include "core.h"

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
    Py_XDECREF((PyObject*)memory->of);
    freeObject(self);
}

static PyType_Slot memory_slots[] = {
    {Py_tp_dealloc, Memory_dealloc},
    {Py_tp_doc, "Owner of the memory of one model, one data or one controller."},
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
    memory->of = NULL;
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

PyObject* makeArray(Core* core, PyObject* owner, void* address, char format, int ndim,
                    const Py_ssize_t* shape, const Py_ssize_t* strides)
{
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
