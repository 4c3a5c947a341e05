// Elements found by name or id, and kept.
#include "named/element.h"

// A model or a data in the search for one of its elements.
typedef struct Search {
    Core* core;
    const NamedType* of;
    Memory *memory, *model;
    PyObject** found; // the elements that it keeps of this kind: a dict by name and id
} Search;

static bool beginSearch(Search* s, PyObject* owner, int kind, bool data)
{
    s->core = coreOfType(Py_TYPE(owner));
    if (!s->core) return false;
    Model* model = data ? ((Data*)owner)->model : (Model*)owner;
    s->memory = data ? ((Data*)owner)->memory : model->memory;
    s->model = model->memory;
    s->found = &(data ? ((Data*)owner)->elements : model->elements)[kind];
    PyTypeObject* peer = data ? s->core->peer_data_type : s->core->peer_model_type;
    const bool is_peer = peer && PyObject_TypeCheck(owner, peer);
    s->of = &s->core->named_types[kind + NKINDS * (data + 2 * is_peer)];
    if (!*s->found) *s->found = PyDict_New();
    return *s->found != NULL;
}

// The names of all elements of a kind, sorted.
static PyObject* listNames(const Search* s)
{
    const int object = s->of->kind->object, count = sn_objectCount(s->model->model, object);
    PyObject* list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        const char* text = sn_id2name(s->model->model, object, i);
        if (!text || !*text) continue;
        PyObject* name = PyUnicode_FromString(text);
        if (!name || PyList_Append(list, name) < 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    if (list && PyList_Sort(list) < 0) Py_CLEAR(list);
    return list;
}

// "; did you mean 'elbow'?", or nothing.
static PyObject* makeHint(PyObject* key, PyObject* names)
{
    PyObject* module = PyImport_ImportModule("sinew._named");
    PyObject* hint = module ? PyObject_CallMethod(module, "hint", "OO", key, names) : NULL;
    Py_XDECREF(module);
    return hint;
}

static int unknownName(const Search* s, PyObject* key)
{
    PyObject* names = listNames(s);
    PyObject* hint = names ? makeHint(key, names) : NULL;
    if (hint && s->of->peer)
        PyErr_Format(PyExc_KeyError, "Invalid name %R. Valid names: %R%U", key, names, hint);
    else if (hint && PyUnicode_GetLength(hint) > 0)
        PyErr_Format(PyExc_KeyError, "no %s is called %R%U", s->of->kind->name, key, hint);
    else if (hint)
        PyErr_Format(PyExc_KeyError, "no %s is called %R. Valid names: %R", s->of->kind->name, key, names);
    Py_XDECREF(hint);
    Py_XDECREF(names);
    return -1;
}

static int findName(const Search* s, PyObject* key)
{
    const char* text = textOf(key);
    if (!text) PyErr_Clear(); // what is no text in C is no element's name
    const int id = text && *text ? sn_name2id(s->model->model, s->of->kind->object, text) : -1;
    return id >= 0 ? id : unknownName(s, key);
}

static int findIndex(const Search* s, PyObject* key)
{
    const int count = sn_objectCount(s->model->model, s->of->kind->object);
    PyObject* index = PyNumber_Index(key);
    if (!index) {
        PyErr_Format(PyExc_TypeError, "%s takes a name or an id, not %R of %R", s->of->kind->name, key,
                     Py_TYPE(key));
        return -1;
    }
    int overflow;
    const long id = PyLong_AsLongAndOverflow(index, &overflow);
    const bool there = !overflow && id >= 0 && id < count;
    if (!there && s->of->peer)
        PyErr_Format(PyExc_IndexError, "Invalid index %R. Valid indices from 0 to %d", index, count - 1);
    else if (!there)
        PyErr_Format(PyExc_IndexError, "%s %R does not exist: valid ids are 0 to %d", s->of->kind->name,
                     index, count - 1);
    Py_DECREF(index);
    return there ? (int)id : -1;
}

// No key at all stands for the only element of a kind.
static int findKey(const Search* s, PyObject* key)
{
    if (key && PyUnicode_Check(key)) return findName(s, key);
    if (key && !PyBytes_Check(key)) return findIndex(s, key);
    if (!key && sn_objectCount(s->model->model, s->of->kind->object) == 1) return 0;
    PyObject* text = key ? PyUnicode_FromEncodedObject(key, "utf-8", "replace") : PyUnicode_FromString("");
    const int id = text ? findName(s, text) : -1;
    Py_XDECREF(text);
    return id;
}

static PyObject* makeElement(const Search* s, int id)
{
    PyTypeObject* type = s->of->type;
    Named* self = (Named*)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    self->memory = (Memory*)Py_NewRef((PyObject*)s->memory);
    self->model = (Memory*)Py_NewRef((PyObject*)s->model);
    self->of = s->of;
    self->id = id;
    return (PyObject*)self;
}

// The element with this id, kept from now on under it and, if that is a str, under the key.
static PyObject* keepElement(const Search* s, int id, PyObject* key)
{
    PyObject* number = PyLong_FromLong(id);
    if (!number) return NULL;
    PyObject* element = PyDict_GetItemWithError(*s->found, number);
    Py_XINCREF(element);
    if (!element && !PyErr_Occurred()) {
        element = makeElement(s, id);
        if (element && PyDict_SetItem(*s->found, number, element) < 0) Py_CLEAR(element);
    }
    Py_DECREF(number);
    if (element && key && PyUnicode_CheckExact(key) && PyDict_SetItem(*s->found, key, element) < 0)
        Py_CLEAR(element);
    return element;
}

static PyObject* findSlowly(PyObject* owner, int kind, bool data, PyObject* const* args, Py_ssize_t nargs,
                            PyObject* kwnames)
{
    Search search;
    const Py_ssize_t nkeywords = kwnames ? PyTuple_Size(kwnames) : 0;
    if (nargs + nkeywords > 1)
        return PyErr_Format(PyExc_TypeError, "%s takes one name or id", element_kinds[kind].name);
    if (nkeywords && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(kwnames, 0), "name"))
        return PyErr_Format(PyExc_TypeError, "%s has no argument %R", element_kinds[kind].name,
                            PyTuple_GetItem(kwnames, 0));
    PyObject* key = nargs + nkeywords ? args[0] : NULL;
    if (!beginSearch(&search, owner, kind, data)) return NULL;
    const int id = findKey(&search, key);
    return id < 0 ? NULL : keepElement(&search, id, key);
}

// Subclasses of str and int may compare as they like, so only exact ones are looked up right away.
static PyObject* findElement(PyObject* owner, PyObject* found, int kind, bool data, PyObject* const* args,
                             Py_ssize_t nargs, PyObject* kwnames)
{
    if (found && nargs == 1 && !kwnames && (PyUnicode_CheckExact(args[0]) || PyLong_CheckExact(args[0]))) {
        PyObject* element = PyDict_GetItemWithError(found, args[0]);
        if (element) return Py_NewRef(element);
    }
    return findSlowly(owner, kind, data, args, nargs, kwnames);
}

#define ARGUMENTS PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames
#define X(kind, ...)                                                                                         \
    static PyObject* modelElement_##kind(ARGUMENTS)                                                          \
    {                                                                                                        \
        return findElement(self, ((Model*)self)->elements[KIND_##kind], KIND_##kind, false, args, nargs,     \
                           kwnames);                                                                         \
    }
MODEL_KINDS(X)
#undef X
#define X(kind, ...)                                                                                         \
    static PyObject* dataElement_##kind(ARGUMENTS)                                                           \
    {                                                                                                        \
        return findElement(self, ((Data*)self)->elements[KIND_##kind], KIND_##kind, true, args, nargs,       \
                           kwnames);                                                                         \
    }
DATA_KINDS(X)
#undef X

#define METHOD(table, method, kind)                                                                          \
    {#method, (PyCFunction)(void (*)(void))table##Element_##kind, METH_FASTCALL | METH_KEYWORDS,             \
     #method "($self, /, name='')\n--\n\nThe " #kind " with this name or id."},
PyMethodDef model_elements[] = {
#define X(kind, ...) METHOD(model, kind, kind)
    MODEL_KINDS(X)
#undef X
#define X(method, kind) METHOD(model, method, kind)
        MODEL_ALIASES(X)
#undef X
            {NULL, NULL, 0, NULL},
};
PyMethodDef data_elements[] = {
#define X(kind, ...) METHOD(data, kind, kind)
    DATA_KINDS(X)
#undef X
#define X(method, kind) METHOD(data, method, kind)
        DATA_ALIASES(X)
#undef X
            {NULL, NULL, 0, NULL},
};
