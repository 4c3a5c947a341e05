// Types over C structs, from tables of their members. A record lies in memory that another object keeps: a
// model, a data, or, for one that its type made, a bytearray of its own. A record never keeps who has it, and
// neither do its arrays, so that no cycle can form.
#include "record/kind.h"
#include <structmember.h>

RecordKind* recordKindOf(Core* core, PyTypeObject* type)
{
    for (PyTypeObject* base = type; base; base = PyType_GetSlot(base, Py_tp_base)) {
        for (RecordKind* kind = core->record_kinds; kind; kind = kind->next)
            if (kind->type == base || kind->list == base) return kind;
        if (!(PyType_GetFlags(base) & Py_TPFLAGS_HEAPTYPE)) break;
    }
    PyErr_SetString(PyExc_SystemError, "sinew: not a type of records");
    return NULL;
}

RecordKind* recordKindOfTable(Core* core, const RecordTable* table)
{
    for (RecordKind* kind = core->record_kinds; kind; kind = kind->next)
        if (kind->table == table) return kind;
    PyErr_Format(PyExc_SystemError, "sinew: %s has no type yet", table->name);
    return NULL;
}

PyObject* allocateRecord(const RecordKind* kind, PyTypeObject* type, PyObject* owner, void* address)
{
    Record* self = owner ? (Record*)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0) : NULL;
    if (!self) {
        Py_XDECREF(owner);
        return NULL;
    }
    self->kind = kind;
    self->owner = owner;
    self->address = address;
    self->beside = self->address + kind->table->size;
    return (PyObject*)self;
}

PyTypeObject* recordType(Core* core, const char* name)
{
    for (RecordKind* kind = core->record_kinds; kind; kind = kind->next)
        if (strcmp(strrchr(kind->table->name, '.') + 1, name) == 0) return kind->type;
    PyErr_Format(PyExc_SystemError, "sinew: no record has the type %s", name);
    return NULL;
}

PyObject* makeRecord(PyTypeObject* type, PyObject* owner, void* address)
{
    Core* core = coreOfType(type);
    const RecordKind* kind = core ? recordKindOf(core, type) : NULL;
    return kind ? allocateRecord(kind, type, Py_NewRef(owner), address) : NULL;
}

PyObject* makeListed(const RecordKind* kind, PyObject* owner, RecordPlace place, PyObject* beside_owner)
{
    PyObject* self = allocateRecord(kind, kind->type, Py_NewRef(owner), place.address);
    if (self && beside_owner) moveBeside((Record*)self, beside_owner, place.beside);
    return self;
}

void moveBeside(Record* self, PyObject* beside_owner, char* beside)
{
    const RecordTable* table = self->kind->table;
    for (int i = 0; self->views && i < self->kind->nmembers; i++)
        if (table->members[i].offset >= table->size) Py_CLEAR(self->views[i]);
    PyObject* before = self->beside_owner;
    self->beside_owner = Py_NewRef(beside_owner);
    self->beside = beside;
    Py_XDECREF(before);
}

RecordPlace recordPlace(const Record* self)
{
    const RecordTable* table = self->kind->table;
    if (self->beside_owner && table->refresh) table->refresh(self->owner, self->address, self->beside);
    return (RecordPlace){self->address, self->beside};
}

// One that has its memory to itself, with the contents of another, or what its table says.
static PyObject* makeOwn(const RecordKind* kind, PyTypeObject* type, const Record* source)
{
    const RecordTable* table = kind->table;
    PyObject* owner = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(table->size + table->beside));
    if (!owner) return NULL;
    char* address = PyByteArray_AsString(owner);
    if (source) {
        const RecordPlace place = recordPlace(source);
        memcpy(address, place.address, table->size);
        memcpy(address + table->size, place.beside, table->beside);
    } else {
        memset(address, 0, table->size + table->beside);
        if (table->init) table->init(address);
    }
    return allocateRecord(kind, type, owner, address);
}

static PyObject* Record_new(PyTypeObject* type, PyObject* Py_UNUSED(args), PyObject* Py_UNUSED(kwargs))
{
    Core* core = coreOfType(type);
    const RecordKind* kind = core ? recordKindOf(core, type) : NULL;
    return kind ? makeOwn(kind, type, NULL) : NULL;
}

static int Record_init(PyObject* self, PyObject* args, PyObject* kwargs)
{
    if (((Record*)self)->kind->table->inside) {
        PyErr_Format(PyExc_TypeError, "%s is a part of others, and is not made alone",
                     ((Record*)self)->kind->table->name);
        return -1;
    }
    if (PyTuple_Size(args) == 0 && (!kwargs || PyDict_Size(kwargs) == 0)) return 0;
    PyErr_Format(PyExc_TypeError, "%s takes no arguments", ((Record*)self)->kind->table->name);
    return -1;
}

static void Record_dealloc(PyObject* object)
{
    Record* self = (Record*)object;
    if (self->weak) PyObject_ClearWeakRefs(object);
    for (int i = 0; self->views && i < self->kind->nmembers; i++) Py_XDECREF(self->views[i]);
    PyMem_Free(self->views);
    Py_DECREF(self->owner);
    Py_XDECREF(self->beside_owner);
    freeObject(object);
}

static bool equalMembers(const RecordKind* kind, const Member* member, char* a, char* b)
{
    if (member->format == 'R') {
        const RecordKind* inner = recordKindOfTable(kind->core, member->record);
        return inner && equalRecords(inner, (RecordPlace){a, NULL}, (RecordPlace){b, NULL});
    }
    if (member->format == 's') return strncmp(a, b, (size_t)member->rows) == 0;
    if (member->format != 'd' && member->format != 'f') return memcmp(a, b, memberSize(member)) == 0;
    for (Py_ssize_t i = 0; i < memberCount(member); i++) {
        const bool equal = member->format == 'd' ? ((const double*)a)[i] == ((const double*)b)[i]
                                                 : ((const float*)a)[i] == ((const float*)b)[i];
        if (!equal) return false;
    }
    return true;
}

bool equalRecords(const RecordKind* kind, RecordPlace a, RecordPlace b)
{
    const Member* end = kind->table->members + kind->nmembers;
    for (const Member* member = kind->table->members; member < end; member++)
        if (!equalMembers(kind, member, memberPlace(kind, a, member), memberPlace(kind, b, member)))
            return false;
    return true;
}

static PyObject* Record_richcompare(PyObject* self, PyObject* other, int op)
{
    const RecordKind* kind = ((Record*)self)->kind;
    if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(other, kind->type)) Py_RETURN_NOTIMPLEMENTED;
    const bool equal = equalRecords(kind, recordPlace((Record*)self), recordPlace((Record*)other));
    return PyErr_Occurred() ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

// "  name: value\n", with the lines of a struct inside it indented
static PyObject* reprOfAttribute(PyObject* object, const char* name)
{
    PyObject* value = PyObject_GetAttrString(object, name);
    PyObject* text = value ? PyObject_Repr(value) : NULL;
    const bool record = value && PyErr_Occurred() == NULL &&
                        PyType_GetSlot(Py_TYPE(value), Py_tp_dealloc) == (void*)Record_dealloc;
    Py_XDECREF(value);
    if (text && record) {
        PyObject* deeper = PyObject_CallMethod(text, "replace", "ss", "\n", "\n  ");
        Py_DECREF(text);
        text = deeper;
    }
    PyObject* line = text ? PyUnicode_FromFormat("  %s: %U\n", name, text) : NULL;
    Py_XDECREF(text);
    return line;
}

PyObject* reprOfMembers(PyObject* object, const RecordKind* kind)
{
    PyObject* name = PyType_GetName(Py_TYPE(object));
    PyObject* all = name ? PyUnicode_FromFormat("<%U\n", name) : NULL;
    Py_XDECREF(name);
    for (int i = 0; all && i < kind->nnames; i++) {
        PyObject* line = reprOfAttribute(object, kind->names[i]);
        PyObject* longer = line ? PyUnicode_Concat(all, line) : NULL;
        Py_XDECREF(line);
        Py_DECREF(all);
        all = longer;
    }
    PyObject* result = all ? PyUnicode_FromFormat("%U>", all) : NULL;
    Py_XDECREF(all);
    return result;
}

static PyObject* Record_repr(PyObject* self)
{
    return reprOfMembers(self, ((Record*)self)->kind);
}

static PyObject* Record_copy(PyObject* self, PyObject* Py_UNUSED(memo))
{
    const RecordKind* kind = ((Record*)self)->kind;
    return makeOwn(kind, Py_TYPE(self), (Record*)self);
}

// A value for pickles: arrays are copied, since pickles of views would hold all that they are views of.
static PyObject* pickledValue(PyObject* self, const Member* member)
{
    PyObject* value = PyObject_GetAttrString(self, member->name);
    if (!value || !member->rows || member->format == 's' || member->format == 'R') return value;
    PyObject* copy = PyObject_CallMethod(value, "copy", NULL);
    Py_DECREF(value);
    return copy;
}

static PyObject* Record_reduce(PyObject* self, PyObject* Py_UNUSED(unused))
{
    const RecordKind* kind = ((Record*)self)->kind;
    PyObject* state = PyDict_New();
    const Member* end = kind->table->members + kind->nmembers;
    for (const Member* member = kind->table->members; state && member < end; member++) {
        PyObject* value = pickledValue(self, member);
        if (!value || PyDict_SetItemString(state, member->name, value) < 0) Py_CLEAR(state);
        Py_XDECREF(value);
    }
    PyObject* registry = state ? PyImport_ImportModule("copyreg") : NULL;
    PyObject* make = registry ? PyObject_GetAttrString(registry, "__newobj__") : NULL; // without __init__
    Py_XDECREF(registry);
    if (make) return Py_BuildValue("(N(O)N)", make, Py_TYPE(self), state);
    Py_XDECREF(state);
    return NULL;
}

static int restore(PyObject* self, const Member* member, PyObject* value)
{
    if (member->format != 'R') return setUncheckedMember(self, value, member);
    const RecordKind* inner = recordKindOfTable(((Record*)self)->kind->core, member->record);
    if (!inner) return -1;
    if (!PyObject_TypeCheck(value, inner->type)) {
        PyErr_Format(PyExc_TypeError, "the state has no %s for %s", inner->table->name, member->name);
        return -1;
    }
    memcpy(((Record*)self)->address + member->offset, ((Record*)value)->address, inner->table->size);
    return 0;
}

static PyObject* Record_setstate(PyObject* self, PyObject* state)
{
    if (!PyDict_Check(state)) return PyErr_Format(PyExc_TypeError, "the state must be a dict");
    const RecordKind* kind = ((Record*)self)->kind;
    const Member* end = kind->table->members + kind->nmembers;
    for (const Member* member = kind->table->members; member < end; member++) {
        PyObject* value = PyDict_GetItemString(state, member->name);
        if (value && restore(self, member, value) < 0) return NULL;
    }
    Py_RETURN_NONE;
}

static PyMemberDef record_slots[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Record, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef record_methods[] = {
    {"__copy__", Record_copy, METH_NOARGS, NULL},
    {"__deepcopy__", Record_copy, METH_O, NULL},
    {"__reduce__", Record_reduce, METH_NOARGS, NULL},
    {"__setstate__", Record_setstate, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static int byName(const void* a, const void* b)
{
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// Attributes of all members, then the others; the names that repr shows.
static bool makeAttributes(RecordKind* kind)
{
    const RecordTable* table = kind->table;
    int count = 0, nothers = 0;
    for (; table->members[count].name; count++) {
    }
    for (; table->others && table->others[nothers].name; nothers++) {
    }
    kind->nmembers = count;
    kind->getset = PyMem_Calloc((size_t)(count + nothers) + 1, sizeof *kind->getset);
    kind->names = PyMem_Calloc((size_t)(count + nothers) + 1, sizeof *kind->names);
    if (!kind->getset || !kind->names) return false;
    for (int i = 0; i < count; i++) {
        const Member* member = &table->members[i];
        kind->getset[i] =
            (PyGetSetDef){member->name, getterOf(table, member), member->format == 'R' ? NULL : setMember,
                          member->meaning, (void*)member};
        if (!table->own || !table->own(member->name)) kind->names[kind->nnames++] = member->name;
    }
    for (int i = 0; i < nothers; i++) {
        kind->getset[count + i] = table->others[i];
        kind->names[kind->nnames++] = table->others[i].name;
    }
    qsort(kind->names, (size_t)kind->nnames, sizeof *kind->names, byName);
    return true;
}

PyTypeObject* addRecordType(Core* core, PyObject* module, const RecordTable* table)
{
    RecordKind* kind = PyMem_Calloc(1, sizeof *kind);
    if (!kind) return (PyTypeObject*)PyErr_NoMemory();
    *kind = (RecordKind){.table = table, .core = core, .next = core->record_kinds};
    core->record_kinds = kind;
    if (!makeAttributes(kind)) return (PyTypeObject*)PyErr_NoMemory();
    PyType_Slot slots[] = {
        {Py_tp_new, Record_new},
        {Py_tp_init, Record_init},
        {Py_tp_dealloc, Record_dealloc},
        {Py_tp_richcompare, Record_richcompare},
        {Py_tp_repr, Record_repr},
        {Py_tp_methods, record_methods},
        {Py_tp_members, record_slots},
        {Py_tp_getset, kind->getset},
        {Py_tp_doc, (void*)(table->doc ? table->doc : "")},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = table->name,
        .basicsize = sizeof(Record),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
        .slots = slots,
    };
    kind->type =
        table->hidden ? (PyTypeObject*)PyType_FromModuleAndSpec(module, &spec, NULL) : addType(module, &spec);
    return kind->type;
}

int dropMember(Core* core, PyTypeObject* type, const char* name)
{
    RecordKind* kind = recordKindOf(core, type);
    if (!kind) return -1;
    if (kind->nmembers == 0 || strcmp(kind->table->members[kind->nmembers - 1].name, name)) return 0;
    kind->nmembers--;
    int count = 0;
    for (int i = 0; i < kind->nnames; i++)
        if (strcmp(kind->names[i], name)) kind->names[count++] = kind->names[i];
    kind->nnames = count;
    if (PyObject_SetAttrString((PyObject*)type, name, NULL) < 0) return -1;
    return kind->list ? PyObject_SetAttrString((PyObject*)kind->list, name, NULL) : 0;
}

// (name, format, rows, columns, meaning, name of the struct inside)
static PyObject* memberRows(const RecordTable* table)
{
    PyObject* list = PyList_New(0);
    for (const Member* f = table->members; list && f->name; f++) {
        const char format[2] = {f->format, 0};
        PyObject* row = Py_BuildValue("(ssiisz)", f->name, format, f->rows, f->columns, f->meaning,
                                      f->record ? f->record->name : NULL);
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

PyObject* structTable(const Core* core)
{
    PyObject* list = PyList_New(0);
    for (const RecordKind* kind = core->record_kinds; list && kind; kind = kind->next) {
        PyObject* row = Py_BuildValue("(sNii)", kind->table->name, memberRows(kind->table),
                                      kind->list != NULL, kind->table->hidden);
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

int visitRecordKinds(Core* core, visitproc visit, void* arg)
{
    for (RecordKind* kind = core->record_kinds; kind; kind = kind->next) {
        Py_VISIT((PyObject*)kind->type);
        Py_VISIT((PyObject*)kind->list);
    }
    return 0;
}

void clearRecordKinds(Core* core)
{
    for (RecordKind* kind = core->record_kinds; kind; kind = kind->next) {
        Py_CLEAR(kind->type);
        Py_CLEAR(kind->list);
    }
}

void freeRecordKinds(Core* core)
{
    for (RecordKind *kind = core->record_kinds, *next; kind; kind = next) {
        next = kind->next;
        PyMem_Free(kind->getset);
        PyMem_Free(kind->list_getset);
        PyMem_Free(kind->names);
        PyMem_Free(kind);
    }
    core->record_kinds = NULL;
}
