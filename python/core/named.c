// Elements of a model by name or id: `model.body("torso").mass`, `data.joint("knee").qpos`.
//
// Which attributes an element has comes from the field tables: a field whose rows count bodies belongs to
// `body(...)` and loses the prefix "body_"; dofs and coordinates belong to their joint, parts of the large
// arrays to the element whose addresses say where they are.
//
// A model or data keeps the elements that it has given, by name and by id, and an element the arrays that it
// has given, so both are found again in a moment. An element holds memory alone, never the Data or the Model
// it came from: no cycle can form.
#include "core.h"

// X(kind, object kind, size that counts it, prefix of its fields in the model, in the data, class)
// clang-format off
#define DATA_KINDS(X) \
    X(body,     BODY,     nbody,    "body_",     "body_",     Body) \
    X(joint,    JOINT,    njnt,     "jnt_",      "jnt_",      Joint) \
    X(geom,     GEOM,     ngeom,    "geom_",     "geom_",     Geom) \
    X(site,     SITE,     nsite,    "site_",     "site_",     Site) \
    X(camera,   CAMERA,   ncam,     "cam_",      "cam_",      Camera) \
    X(light,    LIGHT,    nlight,   "light_",    "light_",    Light) \
    X(equality, EQUALITY, neq,      "eq_",       "eq_",       Equality) \
    X(tendon,   TENDON,   ntendon,  "tendon_",   "ten_",      Tendon) \
    X(actuator, ACTUATOR, nu,       "actuator_", "actuator_", Actuator) \
    X(sensor,   SENSOR,   nsensor,  "sensor_",   "sensor_",   Sensor)
#define MODEL_KINDS(X) \
    DATA_KINDS(X) \
    X(mesh,     MESH,     nmesh,    "mesh_",     NULL, Mesh) \
    X(skin,     SKIN,     nskin,    "skin_",     NULL, Skin) \
    X(hfield,   HFIELD,   nhfield,  "hfield_",   NULL, Hfield) \
    X(texture,  TEXTURE,  ntex,     "tex_",      NULL, Texture) \
    X(material, MATERIAL, nmat,     "mat_",      NULL, Material) \
    X(pair,     PAIR,     npair,    "pair_",     NULL, Pair) \
    X(exclude,  EXCLUDE,  nexclude, "exclude_",  NULL, Exclude) \
    X(numeric,  NUMERIC,  nnumeric, "numeric_",  NULL, Numeric) \
    X(text,     TEXT,     ntext,    "text_",     NULL, Text) \
    X(tuple,    TUPLE,    ntuple,   "tuple_",    NULL, Tuple) \
    X(key,      KEY,      nkey,     "key_",      NULL, Keyframe)
// X(another name, kind)
#define DATA_ALIASES(X) X(jnt, joint) X(cam, camera) X(eq, equality) X(ten, tendon)
#define MODEL_ALIASES(X) DATA_ALIASES(X) X(tex, texture) X(mat, material) X(keyframe, key)
// clang-format on

enum {
#define X(kind, ...) KIND_##kind,
    MODEL_KINDS(X)
#undef X
        NKINDS
};
_Static_assert((int)NKINDS == (int)ELEMENT_KINDS, "a model keeps the elements of each kind");

typedef struct Kind {
    const char* name;
    int object;
    const char *size, *prefix, *data_prefix, *title;
} Kind;

static const Kind kinds[] = {
#define X(kind, object, size, prefix, data_prefix, title)                                                    \
    {#kind, SN_OBJ_##object, #size, prefix, data_prefix, #title},
    MODEL_KINDS(X)
#undef X
};

// Reads a part of the large array of all: `adr` says where an element's starts, the product of `counts` how
// many entries it has.
typedef struct Span {
    int kind;
    const char *attribute, *type;
    bool data; // the array stands in the data, not in the model
    size_t array;
    size_t total; // of the size in the model that counts its rows
    size_t adr;
    size_t counts[3];
    const char* meaning;
} Span;

#define AT(name) offsetof(snModel, name)
static const Span spans[] = {
    {KIND_sensor, "data", "double", true, offsetof(snData, sensordata), AT(nsensordata), AT(sensor_adr),
     .counts = {AT(sensor_dim)}, "outputs of the sensor"},
    {KIND_numeric, "data", "double", false, AT(numeric_data), AT(nnumericdata), AT(numeric_adr),
     .counts = {AT(numeric_size)}, "its numbers"},
    {KIND_text, "data", "char", false, AT(text_data), AT(ntextdata), AT(text_adr), .counts = {AT(text_size)},
     "its text"},
    {KIND_tuple, "objtype", "int", false, AT(tuple_objtype), AT(ntupledata), AT(tuple_adr),
     .counts = {AT(tuple_size)}, "snObjType of each object"},
    {KIND_tuple, "objid", "int", false, AT(tuple_objid), AT(ntupledata), AT(tuple_adr),
     .counts = {AT(tuple_size)}, "id of each object"},
    {KIND_tuple, "objprm", "double", false, AT(tuple_objprm), AT(ntupledata), AT(tuple_adr),
     .counts = {AT(tuple_size)}, "number of each object"},
    {KIND_hfield, "data", "float", false, AT(hfield_data), AT(nhfielddata), AT(hfield_adr),
     .counts = {AT(hfield_nrow), AT(hfield_ncol)}, "heights, 0 to 1 (nrow x ncol)"},
    {KIND_texture, "data", "uint8_t", false, AT(tex_data), AT(ntexdata), AT(tex_adr),
     .counts = {AT(tex_height), AT(tex_width), AT(tex_nchannel)}, "pixels (height x width x nchannel)"},
};
#undef AT

typedef struct Named Named;

// An attribute of the elements of a kind.
typedef struct Attribute {
    const char *name, *type, *meaning;
    PyObject* (*make)(const Named* self, const struct Attribute* attribute);
    const void* source; // the snField or the Span
    int index;          // of the field
    int slot;           // where the element keeps it; -1: it is made each time
    bool hidden;        // it repeats another one
} Attribute;

// The elements of a kind of a model or of a data, of this package or of sinew.mujoco.
struct NamedType {
    PyTypeObject* type;
    const Kind* kind;
    char name[60];
    bool data, peer;
    int count; // of attributes
    Attribute* attributes;
    PyGetSetDef* getset;
};

struct Named {
    PyObject_HEAD Memory* memory; ///< of the model or the data whose element this is
    Memory* model;
    const NamedType* of;
    int id;
    PyObject* kept[]; ///< [number of attributes]
};

// ---- what attributes give --------------------------------------------------------------------------------

static PyObject* misfit(const Named* self)
{
    return PyErr_Format(PyExc_ValueError, "%s %d: addresses and counts of the model leave its arrays",
                        self->of->kind->name, self->id);
}

static PyObject* getId(const Named* self, const Attribute* Py_UNUSED(a))
{
    return PyLong_FromLong(self->id);
}

static PyObject* getName(const Named* self, const Attribute* Py_UNUSED(a))
{
    const char* name = sn_id2name(self->model->model, self->of->kind->object, self->id);
    return PyUnicode_FromString(name ? name : "");
}

// Rows [start, start + count) of a field; count < 0: the single row `start`, without its dimension.
static PyObject* viewRows(const Named* self, const Attribute* a, int start, int count)
{
    const snField* field = a->source;
    int rows, columns;
    const void* owner = self->of->data ? (const void*)self->memory->data : self->memory->model;
    if (self->of->data)
        sn_dataFieldShape(self->model->model, self->memory->data, a->index, &rows, &columns);
    else
        sn_modelFieldShape(self->model->model, a->index, &rows, &columns);
    const int end = start + (count < 0 ? 1 : count);
    if (start < 0 || start > rows || end < start || end > rows) return misfit(self);
    char* address = *(char* const*)((const char*)owner + field->offset);
    if (address) address += (size_t)start * (size_t)columns * field->itemsize;
    const bool vector = strcmp(field->columns, "1") == 0;
    if (count >= 0)
        return makeView(self->memory, address, formatOf(field->type), count, vector ? -1 : columns);
    return makeView(self->memory, address, formatOf(field->type), columns, -1);
}

static PyObject* viewOwnRow(const Named* self, const Attribute* a)
{
    return viewRows(self, a, self->id, -1);
}

static PyObject* viewJointRows(const Named* self, const Attribute* a, const int* adr, int total)
{
    const int njnt = self->model->model->njnt, start = adr[self->id];
    const int end = self->id + 1 == njnt ? total : adr[self->id + 1];
    return start < 0 || end < start ? misfit(self) : viewRows(self, a, start, end - start);
}

static PyObject* viewDofs(const Named* self, const Attribute* a)
{
    const snModel* m = self->model->model;
    return viewJointRows(self, a, m->jnt_dofadr, m->nv);
}

static PyObject* viewCoordinates(const Named* self, const Attribute* a)
{
    const snModel* m = self->model->model;
    return viewJointRows(self, a, m->jnt_qposadr, m->nq);
}

// The numbers are the user's to change, so the span is checked against the array.
static PyObject* viewSpan(const Named* self, const Attribute* a)
{
    const Span* span = a->source;
    const char* m = (const char*)self->model->model;
    const int total = *(const int*)(m + span->total), adr = (*(int*const*)(m + span->adr))[self->id];
    Py_ssize_t extents[3], size = 1;
    int ndim = 0;
    for (; ndim < 3 && span->counts[ndim]; ndim++) {
        extents[ndim] = (*(int* const*)(m + span->counts[ndim]))[self->id];
        if (extents[ndim] < 0 || extents[ndim] > total) return misfit(self);
        if (size > 0 && extents[ndim] > total / size) return misfit(self);
        size *= extents[ndim];
    }
    if (adr < 0 ? size > 0 : adr > total - size) return misfit(self);
    const char* owner = span->data ? (const char*)self->memory->data : m;
    char* array = *(char* const*)(owner + span->array);
    const char format = formatOf(span->type);
    if (array && size > 0) array += (size_t)adr * formatSize(format);
    if (span->type[0] == 'c') return PyUnicode_DecodeUTF8(array, size > 0 ? size - 1 : 0, "replace");
    if (ndim < 3) return makeView(self->memory, array, format, extents[0], ndim == 2 ? extents[1] : -1);
    PyObject* flat = makeView(self->memory, array, format, size, -1);
    PyObject* view =
        flat ? PyObject_CallMethod(flat, "reshape", "nnn", extents[0], extents[1], extents[2]) : NULL;
    Py_XDECREF(flat);
    return view;
}

// ---- moment arms, which are sparse -----------------------------------------------------------------------

// A NumPy array of a list, which is released.
static PyObject* arrayOf(const Named* self, PyObject* list, const char* type)
{
    if (!list) return NULL;
    PyObject* array = PyObject_CallFunction(coreOfMemory(self->memory)->asarray, "Os", list, type);
    Py_DECREF(list);
    return array;
}

static PyObject* zeros(Py_ssize_t count, bool real)
{
    PyObject* list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject* zero = real ? PyFloat_FromDouble(0) : PyLong_FromLong(0);
        if (!zero)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, zero);
    }
    return list;
}

// A row over all dofs, from `num` entries at `adr` of arrays with `total`.
static PyObject* denseRow(const Named* self, int adr, int num, int total, const int* dofs, const double* arms)
{
    const int nv = self->model->model->nv;
    if (adr < 0 || num < 0 || num > total || adr > total - num) return misfit(self);
    PyObject* list = zeros(nv, true);
    for (int k = adr; list && k < adr + num; k++) {
        if (dofs[k] < 0 || dofs[k] >= nv) {
            Py_DECREF(list);
            return misfit(self);
        }
        PyObject* number = PyFloat_FromDouble(arms[k]);
        if (!number)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, dofs[k], number);
    }
    return arrayOf(self, list, "float64");
}

static PyObject* getMoment(const Named* self, const Attribute* Py_UNUSED(a))
{
    const snData* d = self->memory->data;
    return denseRow(self, d->moment_rowadr[self->id], d->moment_rownnz[self->id], self->model->model->nJmom,
                    d->moment_colind, d->actuator_moment);
}

static bool isSparse(const snModel* m)
{
    return m->opt.jacobian == SN_JAC_SPARSE || (m->opt.jacobian == SN_JAC_AUTO && m->nv >= 60);
}

// How many entries stand in the rows of all tendons, one after the other.
static int tendonEntries(const Named* self)
{
    const snModel* m = self->model->model;
    const snData* d = self->memory->data;
    long count = 0;
    for (int i = 0; i < m->ntendon; i++) count += d->ten_J_rownnz[i];
    return count < 0 ? 0 : count > m->nJten ? m->nJten : (int)count;
}

// Row `id` of an array (ntendon x nv) whose first numbers are those of the rows of all tendons: the peer's
// sparse layout.
static PyObject* packedRow(const Named* self, const double* reals, const int* ints)
{
    const int nv = self->model->model->nv, end = tendonEntries(self);
    PyObject* list = zeros(nv, reals != NULL);
    for (int i = 0; list && i < nv; i++) {
        const Py_ssize_t k = (Py_ssize_t)self->id * nv + i;
        if (k >= end) break;
        PyObject* number = reals ? PyFloat_FromDouble(reals[k]) : PyLong_FromLong(ints[k]);
        if (!number)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, number);
    }
    return arrayOf(self, list, reals ? "float64" : "int32");
}

static PyObject* getArms(const Named* self, const Attribute* Py_UNUSED(a))
{
    const snModel* m = self->model->model;
    const snData* d = self->memory->data;
    if (self->of->peer && isSparse(m)) return packedRow(self, d->ten_J, NULL);
    return denseRow(self, d->ten_J_rowadr[self->id], d->ten_J_rownnz[self->id], m->nJten, d->ten_J_colind,
                    d->ten_J);
}

static PyObject* getArmDofs(const Named* self, const Attribute* Py_UNUSED(a))
{
    const snModel* m = self->model->model;
    const snData* d = self->memory->data;
    if (self->of->peer)
        return isSparse(m) ? packedRow(self, NULL, d->ten_J_colind)
                           : arrayOf(self, zeros(m->nv, false), "int32");
    const int adr = d->ten_J_rowadr[self->id], num = d->ten_J_rownnz[self->id];
    if (adr < 0 || num < 0 || num > m->nJten || adr > m->nJten - num) return misfit(self);
    return makeView(self->memory, d->ten_J_colind + adr, 'i', num, -1);
}

// A row's count or address, which are 0 in the peer's dense layout.
static PyObject* getArmRow(const Named* self, const Attribute* a)
{
    if (!self->of->peer || isSparse(self->model->model)) return viewOwnRow(self, a);
    return arrayOf(self, zeros(1, false), "int32");
}

// ---- types, from the tables ------------------------------------------------------------------------------

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
    if (t->kind == &kinds[KIND_actuator])
        addAttribute(t,
                     (Attribute){"moment", "double", "moment arms over all dofs, a copy", .make = getMoment});
    if (t->kind != &kinds[KIND_tendon]) return;
    addAttribute(t, (Attribute){"J", "double", "moment arms over all dofs, a copy", .make = getArms});
    addAttribute(t, (Attribute){"J_colind", "int", "dofs of its moment arms", .make = getArmDofs});
    findAttribute(t, "J_rownnz")->make = getArmRow;
    findAttribute(t, "J_rowadr")->make = getArmRow;
    static const char* const computed[] = {"J", "J_colind", "J_rownnz", "J_rowadr"};
    for (size_t i = 0; i < sizeof computed / sizeof *computed; i++) findAttribute(t, computed[i])->slot = -1;
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
    if (t->kind == &kinds[KIND_joint]) {
        // at the peer the body stands once for each dof
        if (t->peer && !t->data) findAttribute(t, "bodyid")->name = "jnt_bodyid";
        addFields(t, "nv", "dof_", viewDofs);
        addFields(t, "nq", "", viewCoordinates);
    }
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (t->kind == &kinds[spans[i].kind] && spans[i].data == t->data)
            addAttribute(t, (Attribute){spans[i].attribute, spans[i].type, spans[i].meaning, viewSpan,
                                        .source = &spans[i]});
    if (t->data) addArms(t);
    if (!t->data && t->peer && t->kind == &kinds[KIND_tendon]) addUnderscored(t);
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
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
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
        t->kind = &kinds[i % NKINDS];
        t->data = i / NKINDS & 1;
        t->peer = peer;
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

// ---- finding elements ------------------------------------------------------------------------------------

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
        return PyErr_Format(PyExc_TypeError, "%s takes one name or id", kinds[kind].name);
    if (nkeywords && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(kwnames, 0), "name"))
        return PyErr_Format(PyExc_TypeError, "%s has no argument %R", kinds[kind].name,
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

void clearElements(PyObject** elements)
{
    for (int i = 0; i < NKINDS; i++) Py_CLEAR(elements[i]);
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
