// Memory that one process writes and others read: the newest of many states, whole, and nothing waits for
// anybody. A program pays for each state that it shows, after a pause in which all of this has left the
// caches: so it is one call, which touches little.
//
// State k stands in slot k % 2, and k is written once it is whole. A reader that finds the same k before and
// after it has copied has copied one state: who writes into its slot has first made the other one newer.
//
//     uint64 k, room up to FIRST, slot 0, slot 1
//     a slot: uint64 n, uint64 size[n], room up to HEAD, n parts, each from a multiple of ALIGNMENT bytes on
#include "viewer/viewer.h"

enum { FIRST = 64, HEAD = 192, MOST_PARTS = 16, ALIGNMENT = 8 };
enum { SPARE = HEAD + MOST_PARTS * ALIGNMENT }; ///< bytes of a slot beside those of the parts
_Static_assert((1 + MOST_PARTS) * sizeof(uint64_t) <= HEAD, "the sizes of all parts stand in the head");

/// A part of a state: a data, which is packed where the part stands, or bytes.
typedef struct StatePart {
    Data* data; ///< NULL: bytes
    Py_buffer bytes;
    size_t size;
} StatePart;

static size_t roundUp(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t slotSize(const Py_buffer* memory)
{
    return ((size_t)memory->len - FIRST) / 2 / ALIGNMENT * ALIGNMENT;
}

static char* slotOf(const Py_buffer* memory, uint64_t k)
{
    return (char*)memory->buf + FIRST + k % 2 * slotSize(memory);
}

static bool isBlock(const Py_buffer* memory)
{
    if ((uintptr_t)memory->buf % ALIGNMENT == 0 && memory->len >= FIRST + 2 * SPARE) return true;
    PyErr_SetString(PyExc_ValueError, "this memory has no room for states");
    return false;
}

static bool takePart(const Core* core, PyObject* object, StatePart* part)
{
    if (!PyObject_TypeCheck(object, core->data_type)) {
        part->data = NULL;
        if (PyObject_GetBuffer(object, &part->bytes, PyBUF_SIMPLE) < 0) return false;
        part->size = (size_t)part->bytes.len;
        return true;
    }
    part->data = (Data*)object;
    if (!lookAtData(part->data)) return false;
    part->size = dataSize(part->data->memory->data);
    return true;
}

static void releaseParts(StatePart* parts, int n)
{
    for (int i = 0; i < n; i++) {
        if (parts[i].data)
            releaseData(parts[i].data);
        else
            PyBuffer_Release(&parts[i].bytes);
    }
}

// false with an exception, and none of them is to be released
static bool takeParts(const Core* core, PyObject* tuple, StatePart* parts, int n)
{
    for (int i = 0; i < n; i++) {
        if (!takePart(core, PyTuple_GetItem(tuple, i), &parts[i])) {
            releaseParts(parts, i);
            return false;
        }
    }
    return true;
}

// false with ValueError: there is no room for it
static bool fillSlot(char* slot, size_t room, const StatePart* parts, int n)
{
    size_t total = 0, at = HEAD;
    for (int i = 0; i < n; i++) total += parts[i].size;
    if (total > room) {
        PyErr_Format(PyExc_ValueError, "a state of %zu bytes, and room for %zu", total, room);
        return false;
    }
    uint64_t* head = (uint64_t*)slot;
    head[0] = (uint64_t)n;
    for (int i = 0; i < n; i++) {
        head[1 + i] = parts[i].size;
        if (parts[i].data)
            dataInto(parts[i].data->memory->data, parts[i].size, slot + at);
        else
            memcpy(slot + at, parts[i].bytes.buf, parts[i].size);
        at += roundUp(parts[i].size);
    }
    return true;
}

static bool writeParts(const Py_buffer* memory, const StatePart* parts, int n)
{
    _Atomic uint64_t* newest = memory->buf;
    const uint64_t k = atomic_load_explicit(newest, memory_order_relaxed) + 1;
    atomic_thread_fence(memory_order_release); // k - 1 is seen before what is written over k - 2
    if (!fillSlot(slotOf(memory, k), slotSize(memory) - SPARE, parts, n)) return false;
    atomic_store_explicit(newest, k, memory_order_release);
    return true;
}

static PyObject* writeState(PyObject* module, PyObject* args)
{
    Py_buffer memory;
    PyObject* tuple;
    if (!PyArg_ParseTuple(args, "w*O!", &memory, &PyTuple_Type, &tuple)) return NULL;
    StatePart parts[MOST_PARTS];
    const Py_ssize_t n = PyTuple_Size(tuple);
    if (n > MOST_PARTS) PyErr_Format(PyExc_ValueError, "a state of %zd parts, at most %d", n, MOST_PARTS);
    bool done =
        n <= MOST_PARTS && isBlock(&memory) && takeParts(PyModule_GetState(module), tuple, parts, (int)n);
    if (done) {
        done = writeParts(&memory, parts, (int)n);
        releaseParts(parts, (int)n);
    }
    PyBuffer_Release(&memory);
    if (!done) return NULL;
    Py_RETURN_NONE;
}

// NULL without an exception: what stands there is no state, or one that is being written
static PyObject* readParts(const char* slot, size_t size)
{
    uint64_t head[1 + MOST_PARTS];
    memcpy(head, slot, sizeof head);
    PyObject* list = head[0] <= MOST_PARTS ? PyList_New(0) : NULL;
    size_t at = HEAD;
    for (uint64_t i = 0; list && i < head[0]; i++) {
        const bool fits = head[1 + i] <= size - at;
        PyObject* part = fits ? PyBytes_FromStringAndSize(slot + at, (Py_ssize_t)head[1 + i]) : NULL;
        if (!part || PyList_Append(list, part) < 0) Py_CLEAR(list);
        Py_XDECREF(part);
        if (fits) at += roundUp(head[1 + i]);
    }
    return list;
}

static PyObject* readNewest(const Py_buffer* memory, uint64_t seen)
{
    _Atomic uint64_t* newest = memory->buf;
    for (;;) {
        const uint64_t k = atomic_load_explicit(newest, memory_order_acquire);
        if (k == seen) Py_RETURN_NONE;
        PyObject* parts = readParts(slotOf(memory, k), slotSize(memory));
        if (PyErr_Occurred()) return NULL;
        atomic_thread_fence(memory_order_acquire);
        if (atomic_load_explicit(newest, memory_order_relaxed) != k) {
            Py_XDECREF(parts); // it may be torn
            continue;
        }
        if (!parts) return PyErr_Format(PyExc_ValueError, "what stands in this memory is no state");
        return Py_BuildValue("(KN)", (unsigned long long)k, parts);
    }
}

static PyObject* readState(PyObject* Py_UNUSED(module), PyObject* args)
{
    Py_buffer memory;
    unsigned long long seen;
    if (!PyArg_ParseTuple(args, "y*K", &memory, &seen)) return NULL;
    PyObject* result = isBlock(&memory) ? readNewest(&memory, seen) : NULL;
    PyBuffer_Release(&memory);
    return result;
}

static PyObject* blockSize(PyObject* Py_UNUSED(module), PyObject* room)
{
    const size_t size = PyLong_AsSize_t(room);
    if (size == (size_t)-1 && PyErr_Occurred()) return NULL;
    if (size > PTRDIFF_MAX / 4) return PyErr_NoMemory();
    return PyLong_FromSize_t(FIRST + 2 * (roundUp(size) + SPARE));
}

PyMethodDef viewer_functions[] = {
    {"blockSize", blockSize, METH_O,
     "blockSize(room): bytes of memory for states whose parts have at most `room` bytes; it begins as "
     "zeros."},
    {"writeState", writeState, METH_VARARGS,
     "writeState(memory, parts): the newest state, of at most 16 parts: bytes, or data, which are packed. "
     "ValueError: there is no room for it, and the last one stays."},
    {"structBytes", structBytes, METH_O,
     "structBytes(struct): a view of the bytes of an MjvCamera, an Option, ..., as they are now."},
    {"quaternions", quaternions, METH_VARARGS,
     "quaternions(matrices, quats, rotations): unit quaternions [n, 4] of matrices [n, 9] of float32, and "
     "whether these are rotations [n]."},
    {"readState", readState, METH_VARARGS,
     "readState(memory, seen): number and parts of the newest state, as bytes; None where `seen` is its "
     "number, 0 where none has been."},
    {NULL, NULL, 0, NULL},
};
