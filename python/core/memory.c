// Memory, which owns a model, a data or a controller, and Array, which shows a part of it through the buffer
// protocol.
#include "core.h"

typedef struct Array {
    PyObject_HEAD Memory* memory;
    void* address;
    char format[2];
    int ndim;
    Py_ssize_t itemsize;
    Py_ssize_t shape[2];
    Py_ssize_t strides[2];
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
    Py_DECREF(((Array*)self)->memory);
    freeObject(self);
}

static int Array_getbuffer(PyObject* self, Py_buffer* buffer, int flags)
{
    Array* array = (Array*)self;
    Py_ssize_t size = array->itemsize;
    for (int i = 0; i < array->ndim; i++) size *= array->shape[i];
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

PyObject* makeView(Memory* memory, void* address, char format, Py_ssize_t rows, Py_ssize_t columns)
{
    Core* core = coreOfMemory(memory);
    Array* array = PyObject_New(Array, core->array_type);
    if (!array) return NULL;
    const Py_ssize_t itemsize = (Py_ssize_t)formatSize(format);
    array->memory = (Memory*)Py_NewRef((PyObject*)memory);
    array->address = address ? address : (void*)array->shape; // no rows: any address will do
    array->format[0] = format;
    array->format[1] = 0;
    array->itemsize = itemsize;
    array->ndim = columns < 0 ? 1 : 2;
    array->shape[0] = rows;
    array->shape[1] = columns;
    array->strides[0] = columns < 0 ? itemsize : itemsize * columns;
    array->strides[1] = itemsize;
    PyObject* view = PyObject_CallFunctionObjArgs(core->asarray, (PyObject*)array, NULL);
    Py_DECREF(array);
    return view;
}

PyObject* freshView(PyObject* view)
{
    return PyObject_GetItem(view, Py_Ellipsis);
}

int assignView(PyObject* view, PyObject* value)
{
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "a field cannot be deleted");
        return -1;
    }
    return PyObject_SetItem(view, Py_Ellipsis, value);
}
