// Lists of records that follow each other in memory whose place and number may change: contacts, warnings.
// The items are made once, so that `list[0] is list[0]`, as are the views behind the attributes.
#include "record/kind.h"

typedef struct RecordList {
    PyObject_HEAD const RecordKind* kind;
    PyObject* owner;
    RecordSpan (*span)(PyObject* owner); ///< NULL: `seen` for good, of a slice
    Py_ssize_t stride;                   ///< bytes from one to the next
    PyObject** items;
    Py_ssize_t room;  ///< of `items`
    PyObject* beside; ///< keeps what lies beside the items; NULL: nothing, or no item was asked for
    char* beside_start;
    Py_ssize_t beside_stride, beside_room;
    PyObject** columns; ///< by member, over `seen`
    RecordSpan seen;
} RecordList;

static void forgetColumns(RecordList* self)
{
    for (int i = 0; self->columns && i < self->kind->nmembers; i++) Py_CLEAR(self->columns[i]);
}

// Where the items are now.
static RecordSpan look(RecordList* self)
{
    if (!self->span) return self->seen;
    const RecordSpan now = self->span(self->owner);
    if (now.address != self->seen.address || now.count != self->seen.count) {
        forgetColumns(self);
        self->seen = now;
    }
    return now;
}

static PyObject* allocate(const RecordKind* kind, PyObject* owner, Py_ssize_t stride)
{
    RecordList* self = (RecordList*)((allocfunc)PyType_GetSlot(kind->list, Py_tp_alloc))(kind->list, 0);
    if (!self) return NULL;
    self->kind = kind;
    self->owner = Py_NewRef(owner);
    self->stride = stride;
    self->beside_stride = (Py_ssize_t)kind->table->beside;
    self->columns = PyMem_Calloc((size_t)kind->nmembers, sizeof *self->columns);
    if (self->columns) return (PyObject*)self;
    Py_DECREF(self);
    return PyErr_NoMemory();
}

PyObject* makeRecordList(PyTypeObject* list, PyObject* owner, RecordSpan (*span)(PyObject* owner))
{
    const RecordKind* kind = recordKindOf(PyType_GetModuleState(list), list);
    RecordList* self = kind ? (RecordList*)allocate(kind, owner, (Py_ssize_t)kind->table->size) : NULL;
    if (self) self->span = span;
    return (PyObject*)self;
}

static void RecordList_dealloc(PyObject* object)
{
    RecordList* self = (RecordList*)object;
    forgetColumns(self);
    PyMem_Free(self->columns);
    for (Py_ssize_t i = 0; i < self->room; i++) Py_XDECREF(self->items[i]);
    PyMem_Free(self->items);
    Py_XDECREF(self->beside);
    Py_DECREF(self->owner);
    freeObject(object);
}

static Py_ssize_t RecordList_length(PyObject* self)
{
    return look((RecordList*)self).count;
}

static bool makeRoom(RecordList* self, Py_ssize_t count)
{
    PyObject** items = PyMem_Realloc(self->items, (size_t)count * sizeof *items);
    if (!items) {
        PyErr_NoMemory();
        return false;
    }
    memset(items + self->room, 0, (size_t)(count - self->room) * sizeof *items);
    self->items = items;
    self->room = count;
    return true;
}

// Room for what lies beside `count` items. Items and columns move to it when it is another.
static bool makeBeside(RecordList* self, Py_ssize_t count)
{
    const Py_ssize_t size = (Py_ssize_t)self->kind->table->beside;
    if (!size || !self->span || count <= self->beside_room) return true;
    const Py_ssize_t room = count < 16 ? 16 : 2 * count;
    PyObject* block = PyByteArray_FromStringAndSize(NULL, room * size);
    if (!block) return false;
    char* start = PyByteArray_AsString(block);
    const Py_ssize_t used = self->beside_room * size;
    if (used) memcpy(start, self->beside_start, (size_t)used);
    memset(start + used, 0, (size_t)(room * size - used));
    Py_XDECREF(self->beside);
    self->beside = block;
    self->beside_start = start;
    self->beside_room = room;
    forgetColumns(self);
    for (Py_ssize_t i = 0; i < self->room; i++)
        if (self->items[i]) moveBeside((Record*)self->items[i], block, start + i * size);
    return true;
}

static RecordPlace placeOf(const RecordList* self, RecordSpan now, Py_ssize_t i)
{
    return (RecordPlace){(char*)now.address + i * self->stride,
                         self->beside ? self->beside_start + i * self->beside_stride : NULL};
}

// The places of all items, with what lies beside up to date. False with an exception.
static bool refreshAll(RecordList* self, RecordSpan now)
{
    const RecordTable* table = self->kind->table;
    if (!makeBeside(self, now.count)) return false;
    for (Py_ssize_t i = 0; table->refresh && i < now.count; i++) {
        const RecordPlace place = placeOf(self, now, i);
        table->refresh(self->owner, place.address, place.beside);
    }
    return true;
}

static PyObject* RecordList_item(PyObject* object, Py_ssize_t index)
{
    RecordList* self = (RecordList*)object;
    const RecordSpan now = look(self);
    if (index < 0 || index >= now.count)
        return PyErr_Format(PyExc_IndexError, "index %zd is out of range, there are %zd", index, now.count);
    if (index >= self->room && (!makeRoom(self, now.count) || !makeBeside(self, now.count))) return NULL;
    const RecordPlace place = placeOf(self, now, index);
    PyObject** item = &self->items[index];
    if (*item && ((Record*)*item)->address != place.address) Py_CLEAR(*item);
    if (!*item) *item = makeListed(self->kind, self->owner, place, self->beside);
    return *item ? Py_NewRef(*item) : NULL;
}

// A list of its own, over the places that the items have now.
static PyObject* slice(RecordList* self, PyObject* key)
{
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) return NULL;
    const RecordSpan now = look(self);
    const Py_ssize_t count = PySlice_AdjustIndices(now.count, &start, &stop, step);
    if (!makeBeside(self, now.count)) return NULL;
    RecordList* part = (RecordList*)allocate(self->kind, self->owner, count > 1 ? self->stride * step : 0);
    if (!part) return NULL;
    const RecordPlace first = placeOf(self, now, count ? start : 0);
    part->seen = (RecordSpan){count ? first.address : NULL, count};
    part->beside = Py_XNewRef(self->beside);
    part->beside_start = first.beside;
    part->beside_stride = count > 1 ? self->beside_stride * step : 0;
    return (PyObject*)part;
}

static PyObject* RecordList_subscript(PyObject* object, PyObject* key)
{
    if (PySlice_Check(key)) return slice((RecordList*)object, key);
    if (!PyIndex_Check(key)) {
        PyErr_SetString(PyExc_TypeError, "an index is a whole number or a slice");
        return NULL;
    }
    const Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (index == -1 && PyErr_Occurred()) return NULL;
    return RecordList_item(object, index < 0 ? index + RecordList_length(object) : index);
}

static PyObject* makeColumn(RecordList* self, RecordSpan now, const Member* member)
{
    const bool beside = member->offset >= self->kind->table->size;
    const char format = member->format == 'p' ? 'Q' : member->format;
    const Py_ssize_t size = (Py_ssize_t)formatSize(format);
    const Py_ssize_t shape[] = {now.count, member->rows, member->columns};
    const Py_ssize_t strides[] = {beside ? self->beside_stride : self->stride,
                                  member->columns ? size * member->columns : size, size};
    char* address = now.count ? memberPlace(self->kind, placeOf(self, now, 0), member) : NULL;
    return makeArray(self->kind->core, beside && self->beside ? self->beside : self->owner, address, format,
                     1 + (member->rows > 0) + (member->columns > 0), shape, strides);
}

static PyObject* getColumn(PyObject* object, void* closure)
{
    RecordList* self = (RecordList*)object;
    const Member* member = closure;
    const RecordSpan now = look(self);
    if (member->offset >= self->kind->table->size && !refreshAll(self, now)) return NULL;
    PyObject** column = &self->columns[member - self->kind->table->members];
    if (!*column) *column = makeColumn(self, now, member);
    return *column ? freshView(*column) : NULL;
}

static PyObject* RecordList_richcompare(PyObject* a, PyObject* b, int op)
{
    RecordList *self = (RecordList*)a, *other = (RecordList*)b;
    if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(b, self->kind->list)) Py_RETURN_NOTIMPLEMENTED;
    const RecordSpan mine = look(self), its = look(other);
    bool equal = mine.count == its.count;
    if (equal && (!refreshAll(self, mine) || !refreshAll(other, its))) return NULL;
    for (Py_ssize_t i = 0; equal && i < mine.count; i++)
        equal = equalRecords(self->kind, placeOf(self, mine, i), placeOf(other, its, i));
    return PyErr_Occurred() ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

static PyObject* RecordList_repr(PyObject* self)
{
    return reprOfMembers(self, ((RecordList*)self)->kind);
}

// Whether there are members of which a list has no view.
static bool hasOther(const RecordTable* table)
{
    for (const Member* member = table->members; member->name; member++)
        if (member->format == 's' || member->format == 'R') return true;
    return false;
}

PyTypeObject* addRecordListType(Core* core, PyObject* module, PyTypeObject* record)
{
    RecordKind* kind = recordKindOf(core, record);
    if (!kind) return NULL;
    if (kind->nnames != kind->nmembers || hasOther(kind->table)) {
        PyErr_Format(PyExc_SystemError, "sinew: no lists of %s", kind->table->name);
        return NULL;
    }
    PyGetSetDef* getset = kind->list_getset = PyMem_Calloc((size_t)kind->nmembers + 1, sizeof *getset);
    if (!getset) return (PyTypeObject*)PyErr_NoMemory();
    for (int i = 0; i < kind->nmembers; i++) {
        const Member* member = &kind->table->members[i];
        getset[i] = (PyGetSetDef){member->name, getColumn, NULL, member->meaning, (void*)member};
    }
    PyType_Slot slots[] = {
        {Py_tp_dealloc, RecordList_dealloc},
        {Py_tp_richcompare, RecordList_richcompare},
        {Py_tp_repr, RecordList_repr},
        {Py_tp_getset, getset},
        {Py_sq_length, RecordList_length},
        {Py_sq_item, RecordList_item},
        {Py_mp_length, RecordList_length},
        {Py_mp_subscript, RecordList_subscript},
        {Py_tp_doc, "Structs that follow each other; an attribute is that member of all of them."},
        {0, NULL},
    };
    const char* last = strrchr(kind->table->name, '.') + 1;
    char name[96];
    snprintf(name, sizeof name, "%.*s_%sList", (int)(last - kind->table->name), kind->table->name, last);
    PyType_Spec spec = {
        .name = name,
        .basicsize = sizeof(RecordList),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return kind->list = addType(module, &spec);
}
