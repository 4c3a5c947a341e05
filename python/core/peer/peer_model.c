// What the peer's model has beside ours.
#include "peer/peer_absent.h"
#include "peer/peer_fields.h"
#include "peer/peer_flex.h"
#include "peer/peer_octree.h"

static const snModel* modelOf(PyObject* object)
{
    return ((Model*)object)->memory->model;
}

// An array of the table of absent fields.
typedef struct AbsentField {
    char format;
    int columns;
} AbsentField;

static PyObject* getAbsent(PyObject* object, void* closure)
{
    const AbsentField* field = closure;
    Model* self = (Model*)object;
    PyObject* kept = keptArray(self->made, field);
    if (kept) return Py_NewRef(kept);
    return keepArray(&self->made, field,
                     makeView(self->memory, NULL, field->format, 0, field->columns ? field->columns : -1));
}

static int setAbsent(PyObject* object, PyObject* value, void* closure)
{
    return assignArray(getAbsent(object, closure), value);
}

static PyObject* getZero(PyObject* Py_UNUSED(object), void* Py_UNUSED(closure))
{
    return PyLong_FromLong(0);
}

// An array that is the same number for each element.
typedef struct Link {
    char format;
    size_t rows; // offset of the size
    int value;
} Link;

static PyObject* getLink(PyObject* object, void* closure)
{
    const Link* link = closure;
    Model* self = (Model*)object;
    PyObject* kept = keptArray(self->made, link);
    if (kept) return Py_NewRef(kept);
    const int rows = *(const int*)((const char*)modelOf(object) + link->rows);
    void* address;
    PyObject* array = makeOwned(coreOfMemory(self->memory), link->format, rows, -1, &address);
    for (int i = 0; array && link->value && i < rows; i++) ((int*)address)[i] = link->value;
    return keepArray(&self->made, link, array);
}

// What is assigned is in nothing else, but must have the shape.
static int setLink(PyObject* object, PyObject* value, void* closure)
{
    return assignArray(getLink(object, closure), value);
}

// Rows that all equalities would have if they were active.
static PyObject* getNemax(PyObject* object, void* Py_UNUSED(closure))
{
    const snModel* m = modelOf(object);
    int count = 0;
    for (int i = 0; i < m->neq; i++)
        count += m->eq_type[i] == SN_EQ_CONNECT ? 3 : m->eq_type[i] == SN_EQ_WELD ? 7 : 1;
    return PyLong_FromLong(count);
}

// Signed bytes, as the peer has them.
static PyObject* getPluginAttr(PyObject* object, void* Py_UNUSED(closure))
{
    static const char key;
    Model* self = (Model*)object;
    const snModel* m = modelOf(object);
    PyObject* kept = keptArray(self->made, &key);
    if (kept) return Py_NewRef(kept);
    return keepArray(&self->made, &key, makeView(self->memory, m->plugin_attr, 'b', m->npluginattr, -1));
}

static int setPluginAttr(PyObject* object, PyObject* value, void* closure)
{
    return assignArray(getPluginAttr(object, closure), value);
}

static PyObject* getInt(PyObject* object, void* closure)
{
    return PyLong_FromLong(*(const int*)((const char*)modelOf(object) + (intptr_t)closure));
}

#define X(format, name, columns) {format, columns},
static const AbsentField absent_fields[] = {PEER_ABSENT_MODEL_FIELDS(X)};
#undef X
#define X(format, name, rows, value) {format, offsetof(snModel, rows), value},
static const Link links[] = {PEER_ABSENT_MODEL_LINKS(X)};
#undef X
enum {
#define X(format, name, columns) FIELD_##name,
    PEER_ABSENT_MODEL_FIELDS(X)
#undef X
};
enum {
#define X(format, name, rows, value) LINK_##name,
    PEER_ABSENT_MODEL_LINKS(X)
#undef X
};

static PyGetSetDef getset[] = {
#define X(name, meaning) {#name, getZero, NULL, "number of " meaning ", which Sinew has not: 0", NULL},
    PEER_ABSENT_MODEL_SIZES(X)
#undef X
#define X(format, name, columns)                                                                             \
    {#name, getAbsent, setAbsent, "of something that Sinew has not: no rows",                                \
     (void*)&absent_fields[FIELD_##name]},
        PEER_ABSENT_MODEL_FIELDS(X)
#undef X
#define X(format, name, rows, value)                                                                         \
    {#name, getLink, setLink, "of something that Sinew has not: " #value, (void*)&links[LINK_##name]},
            PEER_ABSENT_MODEL_LINKS(X)
#undef X
                PEER_FLEX_FIELDS PEER_OCTREE_FIELDS{
                    "nemax", getNemax, NULL, "rows of all equalities, active or not, 7 for a weld", NULL},
    {"plugin_attr", getPluginAttr, setPluginAttr, "configurations of plugins, texts closed by 0", NULL},
    {"njmax", getInt, NULL, "as the model file says; no effect", (void*)offsetof(snModel, njmax)},
    {"nconmax", getInt, NULL, "as the model file says; no effect", (void*)offsetof(snModel, nconmax)},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject* makePeerModelType(PyObject* module, PyTypeObject* model_type)
{
    return addDerivedType(module, "sinew._core.PeerModel", "What the peer's model has beside ours.",
                          model_type, getset);
}
