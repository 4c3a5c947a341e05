// Elements of a model by name or id: `model.body("torso").mass`, `data.joint("knee").qpos`.
//
// Which attributes an element has comes from the field tables: a field whose rows count bodies belongs to
// `body(...)` and loses the prefix "body_"; dofs and coordinates belong to their joint, parts of the large
// arrays to the element whose addresses say where they are.
//
// A model or data keeps the elements that it has given, by name and by id, and an element the arrays that it
// has given, so both are found again in a moment. An element holds memory alone, never the Data or the Model
// it came from: no cycle can form.
#include "named/element.h"

const Kind element_kinds[NKINDS] = {
#define X(kind, object, size, prefix, data_prefix, title)                                                    \
    {#kind, SN_OBJ_##object, #size, prefix, data_prefix, #title},
    MODEL_KINDS(X)
#undef X
};

static Attribute* findAttribute(const NamedType* t, const char* name)
{
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->attributes[i].name, name) == 0) return &t->attributes[i];
    return NULL;
}

// The first of a name stays: a joint's own fields win over those of its dofs (solref).
static void addAttribute(NamedType* t, Attribute a)
{
    if (findAttribute(t, a.name)) return;
    a.slot = t->count;
    t->attributes[t->count++] = a;
}

static void addFields(NamedType* t, const char* rows, const char* prefix,
                      PyObject* (*make)(const Named*, const Attribute*))
{
    int count, narena = 0;
    const snField* fields = t->data ? sn_dataFields(&count, &narena) : sn_modelFields(&count);
    const size_t length = strlen(prefix);
    for (int i = 0; i < count - narena; i++) {
        const snField* f = &fields[i];
        if (strcmp(f->rows, rows) || strcmp(f->type, "char") == 0 || strcmp(f->group, "cache") == 0 ||
            strncmp(f->name, "name_", 5) == 0)
            continue;
        const char* name = strncmp(f->name, prefix, length) ? f->name : f->name + length;
        addAttribute(t, (Attribute){name, f->type, f->meaning, make, .source = f, .index = i});
    }
}

static void addArms(NamedType* t)
{
    if (t->kind == &element_kinds[KIND_actuator])
        addAttribute(t,
                     (Attribute){"moment", "double", "moment arms over all dofs, a copy", .make = getMoment});
    if (t->kind != &element_kinds[KIND_tendon]) return;
    addAttribute(t, (Attribute){"J", "double", "moment arms over all dofs, a copy", .make = getArms});
    addAttribute(t, (Attribute){"J_colind", "int", "dofs of its moment arms", .make = getArmDofs});
    findAttribute(t, "J_rownnz")->make = getArmRow;
    findAttribute(t, "J_rowadr")->make = getArmRow;
    static const char* const computed[] = {"J", "J_colind", "J_rownnz", "J_rowadr"};
    for (size_t i = 0; i < sizeof computed / sizeof *computed; i++) findAttribute(t, computed[i])->slot = -1;
}

static void addComputed(NamedType* t, const char* name, const char* type, const char* meaning,
                        PyObject* (*make)(const Named*, const Attribute*))
{
    addAttribute(t, (Attribute){name, type, meaning, .make = make});
    findAttribute(t, name)->slot = -1;
}

static void addLater(NamedType* t)
{
    static const char frame[] = "orientation, world; a copy", rest[] = "where its spring is at rest";
    const int kind = (int)(t->kind - element_kinds);
    if (t->data && kind == KIND_body) addComputed(t, "xiquat", "double", frame, getFrameQuat);
    if (t->data && (kind == KIND_geom || kind == KIND_site))
        addComputed(t, "xquat", "double", frame, getFrameQuat);
    if (t->data && (kind == KIND_joint || kind == KIND_tendon))
        addAttribute(t, (Attribute){"plastic", "double", rest, .make = getPlastic});
    if (t->data || kind != KIND_tendon) return;
    addComputed(t, "_type", "int", "0: fixed, 1: spatial", getTendonType);
    addAttribute(t, (Attribute){"J_colind", "int", tendon_arms.meaning, viewSpan, .source = &tendon_arms});
}

// The peer calls the fields of a model's tendon _adr, _range, ...
static void addUnderscored(NamedType* t)
{
    const int count = t->count;
    const size_t length = strlen(t->kind->prefix) - 1;
    for (int i = 0; i < count; i++) {
        Attribute a = t->attributes[i];
        if (a.make != viewOwnRow) continue;
        a.name = ((const snField*)a.source)->name + length;
        a.hidden = true;
        addAttribute(t, a);
    }
}

static int compareNames(const void* a, const void* b)
{
    return strcmp(((const Attribute*)a)->name, ((const Attribute*)b)->name);
}

static bool listAttributes(NamedType* t)
{
    int model, data;
    sn_modelFields(&model);
    sn_dataFields(&data, NULL);
    t->attributes = PyMem_Calloc(2 * (size_t)(model + data) + 8, sizeof *t->attributes);
    if (!t->attributes) return false;
    addAttribute(t, (Attribute){"id", "id", "index among the elements of its kind", .make = getId});
    addAttribute(t, (Attribute){"name", "name", "its name; empty when it has none", .make = getName});
    addFields(t, t->kind->size, t->data ? t->kind->data_prefix : t->kind->prefix, viewOwnRow);
    if (t->kind == &element_kinds[KIND_joint]) {
        // at the peer the body stands once for each dof
        if (t->peer && !t->data) findAttribute(t, "bodyid")->name = "jnt_bodyid";
        addFields(t, "nv", "dof_", viewDofs);
        addFields(t, "nq", "", viewCoordinates);
    }
    if (t->kind == &element_kinds[KIND_actuator]) {
        addFields(t, "nu", t->kind->prefix, viewControls);
        addFields(t, "nout", t->kind->prefix, viewOutputs);
    }
    for (const Span* span = element_spans; span->attribute; span++)
        if (t->kind == &element_kinds[span->kind] && span->data == t->data)
            addAttribute(t,
                         (Attribute){span->attribute, span->type, span->meaning, viewSpan, .source = span});
    if (t->data) addArms(t);
    if (!t->data && t->peer && t->kind == &element_kinds[KIND_tendon]) addUnderscored(t);
    if (t->later) addLater(t);
    qsort(t->attributes, (size_t)t->count, sizeof *t->attributes, compareNames);
    return true;
}

static PyObject* getAttribute(PyObject* object, void* closure)
{
    Named* self = (Named*)object;
    const Attribute* a = closure;
    if (a->slot < 0) return a->make(self, a);
    PyObject** kept = &self->kept[a->slot];
    if (!*kept) *kept = a->make(self, a);
    return Py_XNewRef(*kept);
}

static int setAttribute(PyObject* object, PyObject* value, void* closure)
{
    PyObject* view = getAttribute(object, closure);
    if (!view) return -1;
    const int result = assignView(view, value);
    Py_DECREF(view);
    return result;
}

static bool isSettable(const Attribute* a)
{
    return a->slot >= 0 && a->type[0] != 'n' && strcmp(a->type, "char") && a->make != getId;
}

static void Named_dealloc(PyObject* object)
{
    Named* self = (Named*)object;
    for (int i = 0; i < self->of->count; i++) Py_XDECREF(self->kept[i]);
    Py_DECREF((PyObject*)self->memory);
    Py_DECREF((PyObject*)self->model);
    freeObject(object);
}

// "<DataGeom\n  id: 1\n  name: 'box'\n  xpos: array(...)\n>"
static PyObject* Named_repr(PyObject* object)
{
    const NamedType* t = ((Named*)object)->of;
    PyObject* text = PyUnicode_FromFormat("<%s\n", strrchr(t->name, '.') + 1);
    for (int i = 0; text && i < t->count; i++) {
        if (t->attributes[i].hidden) continue;
        PyObject* value = getAttribute(object, &t->attributes[i]);
        PyObject* line =
            value ? PyUnicode_FromFormat("%U  %s: %R\n", text, t->attributes[i].name, value) : NULL;
        Py_XDECREF(value);
        Py_DECREF(text);
        text = line;
    }
    PyObject* whole = text ? PyUnicode_FromFormat("%U>", text) : NULL;
    Py_XDECREF(text);
    return whole;
}

static bool makeGetset(NamedType* t)
{
    t->getset = PyMem_Calloc((size_t)t->count + 1, sizeof *t->getset);
    for (int i = 0; t->getset && i < t->count; i++) {
        Attribute* a = &t->attributes[i];
        t->getset[i] =
            (PyGetSetDef){a->name, getAttribute, isSettable(a) ? setAttribute : NULL, a->meaning, a};
    }
    return t->getset != NULL;
}

static bool makeType(PyObject* module, NamedType* t)
{
    const char *table = t->data ? "Data" : "Model", *title = t->kind->title;
    if (t->peer)
        snprintf(t->name, sizeof t->name, "sinew.mujoco._structs._Mj%s%sViews", table, title);
    else
        snprintf(t->name, sizeof t->name, "sinew._core.%s%s", table, title);
    if (!listAttributes(t) || !makeGetset(t)) {
        PyErr_NoMemory();
        return false;
    }
    PyType_Slot slots[] = {
        {Py_tp_dealloc, Named_dealloc},
        {Py_tp_repr, Named_repr},
        {Py_tp_getset, t->getset},
        {Py_tp_doc, "An element of a model; its attributes are views of the element's rows."},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = t->name,
        .basicsize = (int)(sizeof(Named) + (size_t)t->count * sizeof(PyObject*)),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                 (t->peer ? 0 : Py_TPFLAGS_IMMUTABLETYPE), // the peer's get a __dir__
        .slots = slots,
    };
    t->type = t->peer ? (PyTypeObject*)PyType_FromModuleAndSpec(module, &spec, NULL) : addType(module, &spec);
    return t->type != NULL;
}

// Those of models, of data, of sinew.mujoco's models, and of its data; NKINDS each.
enum { NTYPES = 4 * NKINDS };

int makeNamedTypes(Core* core, PyObject* module, bool peer)
{
    if (!core->named_types) core->named_types = PyMem_Calloc(NTYPES, sizeof *core->named_types);
    if (!core->named_types) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = peer ? NTYPES / 2 : 0; i < (peer ? NTYPES : NTYPES / 2); i++) {
        NamedType* t = &core->named_types[i];
        t->kind = &element_kinds[i % NKINDS];
        t->data = i / NKINDS & 1;
        t->peer = peer;
        t->later = peer && core->peer_is_later;
        if (t->type || (t->data && !t->kind->data_prefix)) continue;
        if (!makeType(module, t)) return -1;
    }
    return 0;
}

PyObject* listPeerTypes(Core* core)
{
    PyObject* list = PyList_New(0);
    for (int i = NTYPES / 2; list && i < NTYPES; i++) {
        PyObject* type = (PyObject*)core->named_types[i].type;
        if (type && PyList_Append(list, type) < 0) Py_CLEAR(list);
    }
    return list;
}

// (name, type, meaning, whether it can be set) of each attribute.
static PyObject* attributeTable(const NamedType* t)
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list && i < t->count; i++) {
        const Attribute* a = &t->attributes[i];
        PyObject* row = Py_BuildValue("(sssi)", a->name, a->type, a->meaning, isSettable(a));
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

// The names of the methods that find elements of a kind, its own and others.
static PyObject* methodTable(const NamedType* t)
{
    const PyMethodDef* methods = t->data ? data_elements : model_elements;
    const PyMethodDef* own = methods;
    PyObject* list = PyList_New(0);
    while (strcmp(own->ml_name, t->kind->name)) own++;
    for (; list && methods->ml_name; methods++) {
        if (methods->ml_meth != own->ml_meth) continue;
        PyObject* name = PyUnicode_FromString(methods->ml_name);
        if (!name || PyList_Append(list, name) < 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

PyObject* elementTable(Core* core)
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list && i < NTYPES / 2; i++) {
        const NamedType* t = &core->named_types[i];
        if (!t->type) continue;
        PyObject *attributes = attributeTable(t), *methods = methodTable(t);
        PyObject* row = attributes && methods ? Py_BuildValue("(ssOO)", t->data ? "Data" : "Model",
                                                              strrchr(t->name, '.') + 1, methods, attributes)
                                              : NULL;
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
        Py_XDECREF(methods);
        Py_XDECREF(attributes);
    }
    return list;
}

int traverseNamedTypes(Core* core, visitproc visit, void* arg)
{
    for (int i = 0; core->named_types && i < NTYPES; i++) Py_VISIT((PyObject*)core->named_types[i].type);
    return 0;
}

void clearNamedTypes(Core* core)
{
    for (int i = 0; core->named_types && i < NTYPES; i++) Py_CLEAR(core->named_types[i].type);
}

void freeNamedTypes(Core* core)
{
    for (int i = 0; core->named_types && i < NTYPES; i++) {
        PyMem_Free(core->named_types[i].attributes);
        PyMem_Free(core->named_types[i].getset);
    }
    PyMem_Free(core->named_types);
    core->named_types = NULL;
}
