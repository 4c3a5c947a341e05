// Members of structs as attributes: numbers, texts, and arrays and structs inside, which are made once.
#include "base/assets.h"
#include "record/kind.h"

Py_ssize_t memberCount(const Member* member)
{
    return (Py_ssize_t)(member->rows ? member->rows : 1) * (member->columns ? member->columns : 1);
}

size_t memberSize(const Member* member)
{
    const size_t size = member->format == 'R' ? member->record->size : formatSize(member->format);
    return (size_t)memberCount(member) * size;
}

static inline void* placeOf(PyObject* self, void* closure)
{
    return ((Record*)self)->address + ((const Member*)closure)->offset;
}

static PyObject* getDouble(PyObject* self, void* closure)
{
    return PyFloat_FromDouble(*(const double*)placeOf(self, closure));
}

static PyObject* getFloat(PyObject* self, void* closure)
{
    return PyFloat_FromDouble((double)*(const float*)placeOf(self, closure));
}

static PyObject* getInt(PyObject* self, void* closure)
{
    return PyLong_FromLong(*(const int*)placeOf(self, closure));
}

static PyObject* getByte(PyObject* self, void* closure)
{
    return PyLong_FromLong(*(const uint8_t*)placeOf(self, closure));
}

static PyObject* getSignedByte(PyObject* self, void* closure)
{
    return PyLong_FromLong(*(const int8_t*)placeOf(self, closure));
}

static PyObject* getSize(PyObject* self, void* closure)
{
    return PyLong_FromUnsignedLongLong(*(const uint64_t*)placeOf(self, closure));
}

static PyObject* getString(PyObject* self, void* closure)
{
    const char* text = placeOf(self, closure);
    const size_t room = (size_t)((const Member*)closure)->rows;
    const char* end = memchr(text, 0, room);
    return PyUnicode_DecodeUTF8(text, end ? end - text : (Py_ssize_t)room, "replace");
}

// An array of texts, which NumPy has as the type "S100".
static PyObject* makeTexts(const Record* self, const Member* member)
{
    const Py_ssize_t shape[] = {member->rows, member->columns}, strides[] = {member->columns, 1};
    PyObject* bytes =
        makeArray(self->kind->core, self->owner, self->address + member->offset, 'B', 2, shape, strides);
    char type[16];
    snprintf(type, sizeof type, "S%d", member->columns);
    PyObject* column = bytes ? PyObject_CallMethod(bytes, "view", "s", type) : NULL;
    PyObject* texts = column ? PyObject_CallMethod(column, "reshape", "i", member->rows) : NULL;
    Py_XDECREF(column);
    Py_XDECREF(bytes);
    return texts;
}

static PyObject* makeMemberArray(const Record* self, const Member* member)
{
    const bool beside = member->offset >= self->kind->table->size;
    const char format = member->format == 'p' ? 'Q' : member->format;
    if (format == 'S') return makeTexts(self, member);
    const Py_ssize_t size = (Py_ssize_t)formatSize(format), shape[] = {member->rows, member->columns};
    const Py_ssize_t strides[] = {member->columns ? size * member->columns : size, size};
    return makeArray(self->kind->core, beside && self->beside_owner ? self->beside_owner : self->owner,
                     memberPlace(self->kind, (RecordPlace){self->address, self->beside}, member), format,
                     member->columns ? 2 : 1, shape, strides);
}

// The array or struct of a member, made at the first access; borrowed.
static PyObject* heldView(Record* self, const Member* member)
{
    const RecordKind* kind = self->kind;
    if (!self->views) self->views = PyMem_Calloc((size_t)kind->nmembers, sizeof *self->views);
    if (!self->views) return PyErr_NoMemory();
    PyObject** view = &self->views[member - kind->table->members];
    if (*view) return *view;
    if (member->format != 'R') return *view = makeMemberArray(self, member);
    const RecordKind* inner = recordKindOfTable(kind->core, member->record);
    if (!inner) return NULL;
    return *view = allocateRecord(inner, inner->type, Py_NewRef(self->owner), self->address + member->offset);
}

static PyObject* getHeld(PyObject* object, void* closure)
{
    Record* self = (Record*)object;
    const Member* member = closure;
    PyObject* view = self->views ? self->views[member - self->kind->table->members] : NULL;
    if (!view) view = heldView(self, member);
    return view ? Py_NewRef(view) : NULL;
}

static PyObject* getBeside(PyObject* object, void* closure)
{
    recordPlace((Record*)object);
    return getHeld(object, closure);
}

static PyObject* getFresh(PyObject* object, void* closure)
{
    PyObject* view = heldView((Record*)object, closure);
    return view ? freshView(view) : NULL;
}

static int setInteger(void* place, char format, PyObject* value)
{
    long long number;
    if (format == 'p') {
        PyObject* index = PyNumber_Index(value);
        const uint64_t size = index ? PyLong_AsUnsignedLongLong(index) : 0;
        Py_XDECREF(index);
        if (PyErr_Occurred()) return -1;
        *(uint64_t*)place = size;
        return 0;
    }
    const int low = format == 'i' ? INT_MIN : format == 'b' ? INT8_MIN : 0;
    const int high = format == 'i' ? INT_MAX : format == 'b' ? INT8_MAX : UINT8_MAX;
    if (!getInteger(value, "the number", low, high, &number)) return -1;
    if (format == 'i')
        *(int*)place = (int)number;
    else
        *(uint8_t*)place = (uint8_t)number;
    return 0;
}

static int setString(void* place, size_t room, PyObject* value)
{
    Py_buffer text;
    if (getText(value, "the text", &text) < 0) return -1;
    int result = 0;
    if ((size_t)text.len < room) {
        memset(place, 0, room);
        memcpy(place, text.buf, (size_t)text.len);
    } else {
        PyErr_Format(PyExc_ValueError, "the text has %zd bytes, there is room for %zd", text.len,
                     (Py_ssize_t)room - 1);
        result = -1;
    }
    PyBuffer_Release(&text);
    return result;
}

int setNumber(void* address, const char* type, PyObject* value)
{
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "a field cannot be deleted");
        return -1;
    }
    if (type[0] != 'd' && type[0] != 'f') return setInteger(address, type[0], value);
    const double number = PyFloat_AsDouble(value);
    if (number == -1 && PyErr_Occurred()) return -1;
    if (type[0] == 'f')
        *(float*)address = (float)number;
    else
        *(double*)address = number;
    return 0;
}

int setUncheckedMember(PyObject* self, PyObject* value, const Member* member)
{
    void* place = ((Record*)self)->address + member->offset;
    if (member->format == 's') return setString(place, (size_t)member->rows, value);
    if (member->rows) {
        if (member->offset >= ((Record*)self)->kind->table->size) recordPlace((Record*)self);
        PyObject* view = heldView((Record*)self, member);
        return view ? assignView(view, value) : -1;
    }
    return setNumber(place, &member->format, value);
}

// A value that the table's check refuses goes back.
static int setChecked(PyObject* self, PyObject* value, const Member* member)
{
    const RecordTable* table = ((Record*)self)->kind->table;
    char* place = ((Record*)self)->address + member->offset;
    const size_t size = memberSize(member);
    char* kept = PyMem_Malloc(size);
    if (!kept) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(kept, place, size);
    snError error = {0};
    int result = setUncheckedMember(self, value, member);
    if (result == 0 && !table->check(((Record*)self)->address, member, &error)) {
        memcpy(place, kept, size);
        PyErr_SetString(PyExc_ValueError, error.message);
        result = -1;
    }
    PyMem_Free(kept);
    return result;
}

int setMember(PyObject* self, PyObject* value, void* closure)
{
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "a field cannot be deleted");
        return -1;
    }
    const bool checked = ((Record*)self)->kind->table->check;
    return checked ? setChecked(self, value, closure) : setUncheckedMember(self, value, closure);
}

getter getterOf(const RecordTable* table, const Member* member)
{
    if (member->format == 's') return getString;
    if (member->format == 'R') return getHeld;
    if (member->offset >= table->size) return getBeside;
    if (member->rows) return table->fresh ? getFresh : getHeld;
    switch (member->format) {
    case 'd': return getDouble;
    case 'f': return getFloat;
    case 'i': return getInt;
    case 'b': return getSignedByte;
    case 'p': return getSize;
    default: return getByte;
    }
}
