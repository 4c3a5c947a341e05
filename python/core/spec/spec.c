// Specs and their elements: two small types. An Element holds its Spec, so that what it points to stays
// there; the memory of a removed element lives as long as the spec, too.
#include "base/assets.h"
#include "model/model.h"
#include "spec/spec.h"

typedef struct Spec {
    PyObject_HEAD snSpec* spec;
    atomic_flag busy; ///< taken while a function works on it
    Assets lent;      ///< files beside its own
} Spec;

typedef struct Element {
    PyObject_HEAD Spec* owner;
    snElement* element;
} Element;

static bool take(Spec* self)
{
    if (!atomic_flag_test_and_set(&self->busy)) return true;
    PyErr_SetString(PyExc_RuntimeError, "this spec is used by another thread");
    return false;
}

static void release(Spec* self)
{
    atomic_flag_clear(&self->busy);
}

static void Spec_dealloc(PyObject* object)
{
    sn_deleteSpec(((Spec*)object)->spec);
    freeAssets(&((Spec*)object)->lent);
    freeObject(object);
}

static void Element_dealloc(PyObject* object)
{
    Py_XDECREF((PyObject*)((Element*)object)->owner);
    freeObject(object);
}

static PyObject* noConstructor(PyTypeObject* Py_UNUSED(type), PyObject* Py_UNUSED(args),
                               PyObject* Py_UNUSED(kwargs))
{
    PyErr_SetString(PyExc_TypeError, "use sinew.Spec");
    return NULL;
}

static PyObject* wrapSpec(Core* core, snSpec* spec)
{
    Spec* self = (Spec*)((allocfunc)PyType_GetSlot(core->spec_type, Py_tp_alloc))(core->spec_type, 0);
    if (!self) {
        sn_deleteSpec(spec);
        return NULL;
    }
    self->spec = spec;
    atomic_flag_clear(&self->busy);
    return (PyObject*)self;
}

// NULL: None
static PyObject* wrapElement(Core* core, Spec* owner, snElement* element)
{
    if (!element) Py_RETURN_NONE;
    Element* self =
        (Element*)((allocfunc)PyType_GetSlot(core->element_type, Py_tp_alloc))(core->element_type, 0);
    if (!self) return NULL;
    self->owner = (Spec*)Py_NewRef((PyObject*)owner);
    self->element = element;
    return (PyObject*)self;
}

static Py_hash_t Element_hash(PyObject* object)
{
    const Py_hash_t hash = (Py_hash_t)((uintptr_t)((Element*)object)->element >> 4);
    return hash == -1 ? -2 : hash;
}

static PyObject* Element_compare(PyObject* a, PyObject* b, int op)
{
    if (Py_TYPE(a) != Py_TYPE(b) || (op != Py_EQ && op != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
    const bool same = ((Element*)a)->element == ((Element*)b)->element;
    return PyBool_FromLong(same == (op == Py_EQ));
}

// ---- whole specs

static PyObject* finishLoad(Core* core, snSpec* spec, snWarnings* warnings, const snError* error,
                            const char* path)
{
    PyObject* result = spec ? wrapSpec(core, spec) : NULL;
    if (!spec) raiseError(core, error, path);
    return tellWarnings(warnings, result);
}

static PyObject* specMake(PyObject* module, PyObject* args)
{
    const char* silent = NULL;
    if (!PyArg_ParseTuple(args, "|z", &silent)) return NULL;
    static const char empty[] = "<mujoco/>";
    const snLoadOptions load = {.silent = silent};
    snError error = {0};
    snSpec* spec = silent ? sn_loadSpecText(empty, sizeof empty - 1, NULL, 0, &load, &error) : sn_makeSpec();
    snWarnings none = {NULL, 0, 0};
    if (!spec && !silent) return PyErr_NoMemory();
    return finishLoad(PyModule_GetState(module), spec, &none, &error, NULL);
}

static snSpec* loadUrdf(const char* path, const snUrdfOptions* urdf, const Assets* assets,
                        const snLoadOptions* load, snError* error)
{
    snSpec* spec;
    Py_BEGIN_ALLOW_THREADS;
    spec = sn_loadUrdf(path, urdf, assets->list, assets->n, load, error);
    Py_END_ALLOW_THREADS;
    return spec;
}

static PyObject* specLoad(PyObject* module, PyObject* args, PyObject* keywords)
{
    static char* names[] = {"", "", "", "", "", "", "", "", "", "", "", "", "silent", NULL};
    PyObject *path, *dict = Py_None, *folders = NULL;
    int floating = 0, fixed = 0, visuals = 0, actuators = 0, strict = 0, anywhere = 0, n = 0;
    const char *give = "", *physics = NULL, *within = NULL, *silent = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&|OO!ppppppszy$z", names, PyUnicode_FSConverter, &path,
                                     &dict, &PyTuple_Type, &folders, &floating, &fixed, &visuals, &actuators,
                                     &strict, &anywhere, &give, &physics, &within, &silent))
        return NULL;
    PyObject* result = NULL;
    const char** list = NULL;
    Assets assets;
    if ((!folders || getFolders(folders, &list, &n)) && getAssets(dict, &assets)) {
        const snUrdfOptions options = {list, n, floating, fixed, visuals, actuators};
        snError error = {0};
        snWarnings warnings = {NULL, 0, 0};
        const snLoadOptions load = {.strict = strict,
                                    .warnings = &warnings,
                                    .anywhere = assets.anywhere,
                                    .packages = *give ? give : PACKAGES_IN_PYTHON,
                                    .files_anywhere = anywhere,
                                    .physics = physics,
                                    .silent = silent,
                                    .within = within};
        const char* text = PyBytes_AsString(path);
        snSpec* spec = loadUrdf(text, &options, &assets, &load, &error);
        result = finishLoad(PyModule_GetState(module), spec, &warnings, &error, text);
        freeAssets(&assets);
    }
    PyMem_Free(list);
    Py_DECREF(path);
    return result;
}

static PyObject* specLoadText(PyObject* module, PyObject* args, PyObject* keywords)
{
    static char* names[] = {"", "", "", "", "", "silent", NULL};
    Py_buffer text;
    PyObject* dict = Py_None;
    int strict = 0, anywhere = 0;
    const char *physics = NULL, *silent = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "s*|Oppz$z", names, &text, &dict, &strict, &anywhere,
                                     &physics, &silent))
        return NULL;
    PyObject* result = NULL;
    Assets assets;
    if (getAssets(dict, &assets)) {
        snError error = {0};
        snWarnings warnings = {NULL, 0, 0};
        const snLoadOptions load = {.strict = strict,
                                    .warnings = &warnings,
                                    .anywhere = assets.anywhere,
                                    .packages = PACKAGES_IN_PYTHON,
                                    .files_anywhere = anywhere,
                                    .physics = physics,
                                    .silent = silent};
        snSpec* spec;
        Py_BEGIN_ALLOW_THREADS;
        spec = sn_loadSpecText(text.buf, (size_t)text.len, assets.list, assets.n, &load, &error);
        Py_END_ALLOW_THREADS;
        result = finishLoad(PyModule_GetState(module), spec, &warnings, &error, NULL);
        freeAssets(&assets);
    }
    PyBuffer_Release(&text);
    return result;
}

// The spec of an argument, taken; NULL with an exception.
static Spec* getSpec(PyObject* module, PyObject* object)
{
    Core* core = PyModule_GetState(module);
    if (!PyObject_TypeCheck(object, core->spec_type)) {
        PyErr_SetString(PyExc_TypeError, "not a spec");
        return NULL;
    }
    return take((Spec*)object) ? (Spec*)object : NULL;
}

static PyObject* specCopy(PyObject* module, PyObject* object)
{
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snSpec* copy = sn_copySpec(self->spec);
    release(self);
    return copy ? wrapSpec(PyModule_GetState(module), copy) : PyErr_NoMemory();
}

static PyObject* specAddAsset(PyObject* module, PyObject* args)
{
    PyObject *object, *content;
    const char* name;
    Py_buffer bytes;
    if (!PyArg_ParseTuple(args, "OsO", &object, &name, &content) || getText(content, "an asset", &bytes) < 0)
        return NULL;
    Spec* self = getSpec(module, object);
    snError error = {0};
    const snAsset asset = {name, bytes.buf, (size_t)bytes.len};
    const snStatus status = self ? sn_addAsset(self->spec, &asset, &error) : SN_STATUS_ARGUMENT;
    if (self) release(self);
    PyBuffer_Release(&bytes);
    if (!self) return NULL;
    if (status == SN_STATUS_OK) Py_RETURN_NONE;
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

static PyObject* specRemoveAsset(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* name;
    if (!PyArg_ParseTuple(args, "Os", &object, &name)) return NULL;
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    sn_removeAsset(self->spec, name);
    release(self);
    Py_RETURN_NONE;
}

// None: it has its own alone again. The bytes are held for as long.
static PyObject* specLend(PyObject* module, PyObject* args)
{
    PyObject *object, *dict;
    Assets files;
    if (!PyArg_ParseTuple(args, "OO", &object, &dict)) return NULL;
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    const bool got = getAssets(dict, &files);
    if (got) {
        sn_lendAssets(self->spec, files.list, files.n);
        freeAssets(&self->lent);
        self->lent = files;
    }
    release(self);
    return got ? Py_NewRef(Py_None) : NULL;
}

static PyObject* specCompile(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *type;
    int strict = 0, anywhere = 0;
    const char* physics = NULL;
    if (!PyArg_ParseTuple(args, "OO!|ppz", &object, &PyType_Type, &type, &strict, &anywhere, &physics))
        return NULL;
    if (!PyType_IsSubtype((PyTypeObject*)type, core->model_type))
        return PyErr_Format(PyExc_TypeError, "a subclass of Model is needed");
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    snWarnings warnings = {NULL, 0, 0};
    const snLoadOptions load = {
        .strict = strict, .warnings = &warnings, .files_anywhere = anywhere, .physics = physics};
    snModel* m;
    Py_BEGIN_ALLOW_THREADS;
    m = sn_compile(self->spec, &load, &error);
    Py_END_ALLOW_THREADS;
    release(self);
    const bool raised = m && PyErr_Occurred(); // a plugin's reset
    PyObject* result = m && !raised ? wrapModel(core, (PyTypeObject*)type, m) : NULL;
    if (!m) raiseError(core, &error, NULL);
    if (raised) sn_deleteModel(m);
    return tellWarnings(&warnings, result);
}

// sn_recompile frees what it is given: it gets copies, the caller's model and data stay.
// (model, data), which take both over.
static PyObject* wrapBoth(Core* core, PyTypeObject* model_type, PyTypeObject* data_type, snModel* m,
                          snData* d)
{
    PyObject* model = wrapModel(core, model_type, m);
    if (!model) {
        sn_deleteData(d);
        return NULL;
    }
    PyObject* data = wrapData(core, data_type, (Model*)model, d);
    if (data) return Py_BuildValue("NN", model, data);
    Py_DECREF(model);
    return NULL;
}

static PyObject* specRecompile(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *model, *data, *model_type, *data_type;
    int strict = 0;
    if (!PyArg_ParseTuple(args, "OO!O!O!O!|p", &object, core->model_type, &model, core->data_type, &data,
                          &PyType_Type, &model_type, &PyType_Type, &data_type, &strict))
        return NULL;
    if (!PyType_IsSubtype((PyTypeObject*)model_type, core->model_type) ||
        !PyType_IsSubtype((PyTypeObject*)data_type, core->data_type))
        return PyErr_Format(PyExc_TypeError, "subclasses of Model and Data are needed");
    const snModel* from = ((Model*)model)->memory->model;
    if (!sameSizes(from, ((Data*)data)->model->memory->model))
        return PyErr_Format(PyExc_ValueError, "the data belongs to another model");
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    if (!takeData((Data*)data)) {
        release(self);
        return NULL;
    }
    snModel* m = sn_copyModel(from);
    snData* d = m ? sn_makeData(m) : NULL;
    snError error = {SN_STATUS_NO_MEMORY, 0, "", "out of memory"};
    snWarnings warnings = {NULL, 0, 0};
    const snLoadOptions load = {.strict = strict, .warnings = &warnings};
    snStatus status = SN_STATUS_NO_MEMORY;
    Py_BEGIN_ALLOW_THREADS;
    if (d) {
        sn_copyData(d, m, ((Data*)data)->memory->data);
        status = sn_recompile(self->spec, &m, &d, &load, &error);
    }
    Py_END_ALLOW_THREADS;
    releaseData((Data*)data);
    release(self);
    const bool raised = PyErr_Occurred() != NULL; // a plugin's reset
    if (status != SN_STATUS_OK || raised) {
        sn_deleteData(d);
        sn_deleteModel(m);
        if (status != SN_STATUS_OK) raiseError(core, &error, NULL);
        return tellWarnings(&warnings, NULL);
    }
    return tellWarnings(&warnings, wrapBoth(core, (PyTypeObject*)model_type, (PyTypeObject*)data_type, m, d));
}

static PyObject* specWrite(PyObject* module, PyObject* args)
{
    PyObject *object, *folder = NULL;
    int classes = 0;
    if (!PyArg_ParseTuple(args, "O|pO&", &object, &classes, PyUnicode_FSConverter, &folder)) return NULL;
    Spec* self = getSpec(module, object);
    if (!self) {
        Py_XDECREF(folder);
        return NULL;
    }
    const char* where = folder ? PyBytes_AsString(folder) : NULL;
    snError error = {0};
    size_t size;
    char* text;
    Py_BEGIN_ALLOW_THREADS;
    text = (classes ? sn_writeSpecClasses : sn_writeSpec)(self->spec, where, &size, NULL, &error);
    Py_END_ALLOW_THREADS;
    release(self);
    Py_XDECREF(folder);
    if (!text) {
        raiseError(PyModule_GetState(module), &error, NULL);
        return NULL;
    }
    PyObject* result = PyUnicode_FromStringAndSize(text, (Py_ssize_t)size);
    sn_freeText(text);
    return result;
}

static PyObject* specSave(PyObject* module, PyObject* args)
{
    PyObject *object, *path;
    if (!PyArg_ParseTuple(args, "OO&", &object, PyUnicode_FSConverter, &path)) return NULL;
    Spec* self = getSpec(module, object);
    snError error = {0};
    snStatus status = SN_STATUS_ARGUMENT;
    if (self) {
        const char* text = PyBytes_AsString(path);
        Py_BEGIN_ALLOW_THREADS;
        status = sn_saveSpec(self->spec, text, NULL, &error);
        Py_END_ALLOW_THREADS;
        release(self);
        if (status != SN_STATUS_OK) raiseError(PyModule_GetState(module), &error, NULL);
    }
    Py_DECREF(path);
    if (status != SN_STATUS_OK) return NULL;
    Py_RETURN_NONE;
}

static PyObject* specNumber(PyObject* module, PyObject* object)
{
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    const uint64_t number = specSignature(sn_root(self->spec));
    release(self);
    return PyLong_FromUnsignedLongLong(number);
}

static PyObject* specTimes(PyObject* module, PyObject* object)
{
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    double times[SN_NCTIMER];
    memcpy(times, sn_compileTimes(self->spec), sizeof times);
    release(self);
    return PyBytes_FromStringAndSize((const char*)times, sizeof times);
}

static PyObject* modelNumber(PyObject* module, PyObject* object)
{
    const Core* core = PyModule_GetState(module);
    if (!PyObject_TypeCheck(object, core->model_type)) return PyErr_Format(PyExc_TypeError, "not a model");
    return PyLong_FromUnsignedLongLong(modelSignature(((Model*)object)->memory->model));
}

static PyObject* specSpreadKeys(PyObject* module, PyObject* object)
{
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    const snStatus status = sn_spreadKeys(self->spec, &error);
    release(self);
    if (status == SN_STATUS_OK) Py_RETURN_NONE;
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

static PyObject* specBlamed(PyObject* module, PyObject* object)
{
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    PyObject* result = wrapElement(PyModule_GetState(module), self, sn_blamedElement(self->spec));
    release(self);
    return result;
}

// ---- elements of a spec

static PyObject* specRoot(PyObject* module, PyObject* object)
{
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    PyObject* result = wrapElement(PyModule_GetState(module), self, sn_root(self->spec));
    release(self);
    return result;
}

static PyObject* specSection(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* path;
    if (!PyArg_ParseTuple(args, "Os", &object, &path)) return NULL;
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    snElement* element = sn_section(self->spec, path, &error);
    release(self);
    if (element) return wrapElement(PyModule_GetState(module), self, element);
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

// find(spec, objtype, name): an element or None; objtype -1: a default class
static PyObject* specFind(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* name;
    int type;
    if (!PyArg_ParseTuple(args, "Ois", &object, &type, &name)) return NULL;
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snElement* element = type < 0 ? sn_findDefault(self->spec, name) : sn_findElement(self->spec, type, name);
    release(self);
    return wrapElement(PyModule_GetState(module), self, element);
}

static PyObject* specAddLoop(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char *name, *type, *site1, *site2, *keys;
    if (!PyArg_ParseTuple(args, "Osssss", &object, &name, &type, &site1, &site2, &keys)) return NULL;
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    snElement* element = sn_addLoop(self->spec, name, type, site1, site2, keys, &error);
    release(self);
    if (element) return wrapElement(PyModule_GetState(module), self, element);
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

// What a spec says of its loops or servos: a text, or None.
static PyObject* setText(PyObject* module, PyObject* args, snStatus (*set)(snSpec*, const char*, snError*))
{
    PyObject* object;
    const char* data;
    if (!PyArg_ParseTuple(args, "Oz", &object, &data)) return NULL;
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    const snStatus status = set(self->spec, data, &error);
    release(self);
    if (status == SN_STATUS_OK) Py_RETURN_NONE;
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

static PyObject* specSetLoops(PyObject* module, PyObject* args)
{
    return setText(module, args, sn_setLoops);
}

static PyObject* specSetServo(PyObject* module, PyObject* args)
{
    return setText(module, args, sn_setServo);
}

static PyObject* specSetPhysics(PyObject* module, PyObject* args)
{
    return setText(module, args, sn_setPhysics);
}

static PyObject* specSetNeedsdf(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* mesh;
    int needed;
    if (!PyArg_ParseTuple(args, "Osp", &object, &mesh, &needed)) return NULL;
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    const snStatus status = sn_setNeedsdf(self->spec, mesh, needed, &error);
    release(self);
    if (status == SN_STATUS_OK) Py_RETURN_NONE;
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

static PyObject* specNeedsdf(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* mesh;
    if (!PyArg_ParseTuple(args, "Os", &object, &mesh)) return NULL;
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    const bool needed = sn_needsdf(self->spec, mesh);
    release(self);
    return PyBool_FromLong(needed);
}

static PyObject* specSetContact(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char *model, *settings;
    if (!PyArg_ParseTuple(args, "Ozs", &object, &model, &settings)) return NULL;
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    const snStatus status = sn_setContact(self->spec, model, settings, &error);
    release(self);
    if (status == SN_STATUS_OK) Py_RETURN_NONE;
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

// The element of an argument with its spec taken; NULL with an exception.
static Element* getElement(PyObject* module, PyObject* object)
{
    Core* core = PyModule_GetState(module);
    if (!PyObject_TypeCheck(object, core->element_type)) {
        PyErr_SetString(PyExc_TypeError, "not an element of a spec");
        return NULL;
    }
    return take(((Element*)object)->owner) ? (Element*)object : NULL;
}

// (tag, objtype, id, parent, first, next)
static PyObject* elementInfo(PyObject* module, PyObject* object)
{
    Core* core = PyModule_GetState(module);
    Element* self = getElement(module, object);
    if (!self) return NULL;
    snElement* e = self->element;
    const char* tag = sn_elementTag(e);
    const int type = sn_elementType(e), id = sn_elementId(e);
    snElement *parent = sn_elementParent(e), *first = sn_elementFirst(e), *next = sn_elementNext(e);
    release(self->owner);
    return Py_BuildValue("siiNNN", tag, type, id, wrapElement(core, self->owner, parent),
                         wrapElement(core, self->owner, first), wrapElement(core, self->owner, next));
}

static PyObject* elementClass(PyObject* module, PyObject* object)
{
    Element* self = getElement(module, object);
    if (!self) return NULL;
    PyObject* name = PyUnicode_FromString(sn_elementClass(self->element));
    release(self->owner);
    return name;
}

// [(name, kind, least, most, meaning, member, words, single), ...]
static PyObject* elementAttributes(PyObject* module, PyObject* object)
{
    Element* self = getElement(module, object);
    if (!self) return NULL;
    PyObject* list = PyList_New(0);
    snAttributeInfo a;
    for (int i = 0; list && sn_elementAttribute(self->element, i, &a); i++) {
        PyObject* row = Py_BuildValue("ssiisszi", a.name, a.kind, a.least, a.most, a.meaning, a.member,
                                      a.words, a.single);
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    release(self->owner);
    return list;
}

static PyObject* elementAdd(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char *tag, *name;
    if (!PyArg_ParseTuple(args, "Osz", &object, &tag, &name)) return NULL;
    Element* self = getElement(module, object);
    if (!self) return NULL;
    snError error = {0};
    snElement* made = sn_addElement(self->owner->spec, self->element, tag, name, &error);
    release(self->owner);
    if (made) return wrapElement(PyModule_GetState(module), self->owner, made);
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

static PyObject* finish(PyObject* module, Element* self, snStatus status, const snError* error)
{
    release(self->owner);
    if (status != SN_STATUS_OK) raiseError(PyModule_GetState(module), error, NULL);
    if (PyErr_Occurred()) return NULL; // that, or what a plugin has raised
    Py_RETURN_NONE;
}

static PyObject* elementRemove(PyObject* module, PyObject* object)
{
    Element* self = getElement(module, object);
    if (!self) return NULL;
    snError error = {0};
    return finish(module, self, sn_removeElement(self->owner->spec, self->element, &error), &error);
}

static PyObject* elementChangeTag(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* tag;
    if (!PyArg_ParseTuple(args, "Os", &object, &tag)) return NULL;
    Element* self = getElement(module, object);
    if (!self) return NULL;
    snError error = {0};
    return finish(module, self, sn_changeTag(self->owner->spec, self->element, tag, &error), &error);
}

static PyObject* elementMove(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *parent;
    if (!PyArg_ParseTuple(args, "OO!", &object, core->element_type, &parent)) return NULL;
    Element* self = getElement(module, object);
    if (!self) return NULL;
    snError error = {SN_STATUS_ARGUMENT, 0, "", "elements of different specs"};
    snStatus status = SN_STATUS_ARGUMENT;
    if (((Element*)parent)->owner == self->owner)
        status = sn_moveElement(self->owner->spec, self->element, ((Element*)parent)->element, &error);
    return finish(module, self, status, &error);
}

// place(element, before or None)
static PyObject* elementPlace(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *before;
    if (!PyArg_ParseTuple(args, "OO", &object, &before)) return NULL;
    const bool last = before == Py_None;
    if (!last && !PyObject_TypeCheck(before, core->element_type))
        return PyErr_Format(PyExc_TypeError, "not an element of a spec");
    Element* self = getElement(module, object);
    if (!self) return NULL;
    snError error = {SN_STATUS_ARGUMENT, 0, "", "elements of different specs"};
    snStatus status = SN_STATUS_ARGUMENT;
    if (last || ((Element*)before)->owner == self->owner)
        status = sn_placeElement(self->owner->spec, self->element, last ? NULL : ((Element*)before)->element,
                                 &error);
    return finish(module, self, status, &error);
}

static PyObject* elementTarget(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* name;
    if (!PyArg_ParseTuple(args, "Os", &object, &name)) return NULL;
    Element* self = getElement(module, object);
    if (!self) return NULL;
    snElement* target = sn_findTarget(self->owner->spec, self->element, name);
    release(self->owner);
    return wrapElement(PyModule_GetState(module), self->owner, target);
}

static PyObject* elementGiven(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* name;
    if (!PyArg_ParseTuple(args, "Os", &object, &name)) return NULL;
    Element* self = getElement(module, object);
    if (!self) return NULL;
    const bool given = sn_isGiven(self->owner->spec, self->element, name);
    release(self->owner);
    return PyBool_FromLong(given);
}

// [(element, type, target, sidesite, factor), ...]
static PyObject* elementPath(PyObject* module, PyObject* object)
{
    Core* core = PyModule_GetState(module);
    Element* self = getElement(module, object);
    if (!self) return NULL;
    PyObject* list = PyList_New(0);
    snPathPoint p;
    for (int i = 0; list && sn_pathPoint(self->owner->spec, self->element, i, &p); i++) {
        PyObject* row = Py_BuildValue("NiNNd", wrapElement(core, self->owner, p.element), p.type,
                                      wrapElement(core, self->owner, p.target),
                                      wrapElement(core, self->owner, p.sidesite), p.factor);
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    release(self->owner);
    return list;
}

static PyObject* elementSetText(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char *name, *text;
    if (!PyArg_ParseTuple(args, "Osz", &object, &name, &text)) return NULL;
    Element* self = getElement(module, object);
    if (!self) return NULL;
    snError error = {0};
    return finish(module, self, sn_setText(self->owner->spec, self->element, name, text, &error), &error);
}

// numbers: any buffer of float64
static PyObject* elementSetNumbers(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* name;
    Py_buffer numbers;
    if (!PyArg_ParseTuple(args, "Osy*", &object, &name, &numbers)) return NULL;
    Element* self = getElement(module, object);
    if (!self || numbers.len / 8 > INT_MAX) {
        if (self) release(self->owner);
        PyBuffer_Release(&numbers);
        return self ? PyErr_NoMemory() : NULL;
    }
    snError error = {0};
    const snStatus status = sn_setNumbers(self->owner->spec, self->element, name, numbers.buf,
                                          (int)(numbers.len / (Py_ssize_t)sizeof(double)), &error);
    PyBuffer_Release(&numbers);
    return finish(module, self, status, &error);
}

static PyObject* elementGetText(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* name;
    if (!PyArg_ParseTuple(args, "Os", &object, &name)) return NULL;
    Element* self = getElement(module, object);
    if (!self) return NULL;
    const char* text = sn_getText(self->owner->spec, self->element, name);
    PyObject* result = text ? PyUnicode_FromString(text) : Py_NewRef(Py_None);
    release(self->owner);
    return result;
}

// The numbers as bytes of float64.
static PyObject* elementGetNumbers(PyObject* module, PyObject* args)
{
    PyObject* object;
    const char* name;
    if (!PyArg_ParseTuple(args, "Os", &object, &name)) return NULL;
    Element* self = getElement(module, object);
    if (!self) return NULL;
    const int n = sn_getNumbers(self->owner->spec, self->element, name, NULL, 0);
    PyObject* result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)n * (Py_ssize_t)sizeof(double));
    if (result) {
        double* numbers = PyMem_Calloc((size_t)n + 1, sizeof *numbers);
        if (numbers) {
            sn_getNumbers(self->owner->spec, self->element, name, numbers, n);
            memcpy(PyBytes_AsString(result), numbers, (size_t)n * sizeof *numbers);
        } else {
            Py_CLEAR(result);
            PyErr_NoMemory();
        }
        PyMem_Free(numbers);
    }
    release(self->owner);
    return result;
}

// attach(parent, child spec, element or None, prefix, suffix)
static PyObject* elementAttach(PyObject* module, PyObject* args)
{
    PyObject *object, *other, *what;
    const char *prefix, *suffix;
    Core* core = PyModule_GetState(module);
    if (!PyArg_ParseTuple(args, "OO!Oss", &object, core->spec_type, &other, &what, &prefix, &suffix))
        return NULL;
    if (what != Py_None &&
        (!PyObject_TypeCheck(what, core->element_type) || (PyObject*)((Element*)what)->owner != other))
        return PyErr_Format(PyExc_ValueError, "what is attached must be an element of the child");
    Element* self = getElement(module, object);
    if (!self) return NULL;
    Spec* child = (Spec*)other;
    const bool same = child == self->owner;
    if (!same && !take(child)) {
        release(self->owner);
        return NULL;
    }
    snError error = {0};
    snElement* made = sn_attach(self->owner->spec, self->element, child->spec,
                                what == Py_None ? NULL : ((Element*)what)->element, prefix, suffix, &error);
    if (!same) release(child);
    release(self->owner);
    if (made) return wrapElement(core, self->owner, made);
    raiseError(core, &error, NULL);
    return NULL;
}

// ---- operations on whole specs

static PyObject* count(PyObject* module, Spec* self, int n, const snError* error)
{
    release(self);
    if (n < 0) raiseError(PyModule_GetState(module), error, NULL);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(n);
}

static PyObject* specFuseStatic(PyObject* module, PyObject* object)
{
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    int n;
    Py_BEGIN_ALLOW_THREADS;
    n = sn_fuseStatic(self->spec, NULL, &error);
    Py_END_ALLOW_THREADS;
    return count(module, self, n, &error);
}

static PyObject* specDiscardVisual(PyObject* module, PyObject* object)
{
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    int n;
    Py_BEGIN_ALLOW_THREADS;
    n = sn_discardVisual(self->spec, NULL, &error);
    Py_END_ALLOW_THREADS;
    return count(module, self, n, &error);
}

static PyObject* specExpand(PyObject* module, PyObject* object)
{
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    return count(module, self, sn_expandSpec(self->spec, &error) == SN_STATUS_OK ? 0 : -1, &error);
}

static PyObject* specDedupAssets(PyObject* module, PyObject* object)
{
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    return count(module, self, sn_dedupAssets(self->spec, &error), &error);
}

static PyObject* elementAdoptInertial(PyObject* module, PyObject* object)
{
    Element* self = getElement(module, object);
    if (!self) return NULL;
    snError error = {0};
    snStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = sn_adoptInertial(self->owner->spec, self->element, NULL, &error);
    Py_END_ALLOW_THREADS;
    return finish(module, self, status, &error);
}

// copyBack(spec, model)
static PyObject* specCopyBack(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *model;
    if (!PyArg_ParseTuple(args, "OO!", &object, core->model_type, &model)) return NULL;
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    snError error = {0};
    const snStatus status = sn_copyBack(self->spec, ((Model*)model)->memory->model, NULL, &error);
    release(self);
    if (status == SN_STATUS_OK) Py_RETURN_NONE;
    raiseError(core, &error, NULL);
    return NULL;
}

static PyObject* specConflicts(PyObject* module, PyObject* object)
{
    Spec* self = getSpec(module, object);
    if (!self) return NULL;
    PyObject* text = PyUnicode_FromString(sn_attachConflicts(self->spec));
    release(self);
    return text;
}

PyMethodDef spec_functions[] = {
    {"specConflicts", specConflicts, METH_O,
     "specConflicts(spec): settings that differed at its last attachment."},
    {"specCopyBack", specCopyBack, METH_VARARGS, "specCopyBack(spec, model)"},
    {"specFuseStatic", specFuseStatic, METH_O, "specFuseStatic(spec): how many bodies were fused."},
    {"specDiscardVisual", specDiscardVisual, METH_O, "specDiscardVisual(spec): how many elements went."},
    {"specExpand", specExpand, METH_O, "specExpand(spec)"},
    {"specDedupAssets", specDedupAssets, METH_O, "specDedupAssets(spec): how many assets were merged."},
    {"elementAdoptInertial", elementAdoptInertial, METH_O, "elementAdoptInertial(body)"},
    {"specMake", specMake, METH_VARARGS, "specMake(silent=None): an empty spec."},
    {"specLoad", (PyCFunction)(void (*)(void))specLoad, METH_VARARGS | METH_KEYWORDS,
     "specLoad(path, assets, folders, floating_base, keep_fixed, keep_visuals, actuators, ..., silent)"},
    {"specLoadText", (PyCFunction)(void (*)(void))specLoadText, METH_VARARGS | METH_KEYWORDS,
     "specLoadText(text, assets, ..., silent)"},
    {"specCopy", specCopy, METH_O, "specCopy(spec)"},
    {"specAddAsset", specAddAsset, METH_VARARGS, "specAddAsset(spec, name, bytes)"},
    {"specRemoveAsset", specRemoveAsset, METH_VARARGS, "specRemoveAsset(spec, name)"},
    {"specLend", specLend, METH_VARARGS,
     "specLend(spec, files): a dict of files in any folder that it has beside its own, or None."},
    {"specCompile", specCompile, METH_VARARGS, "specCompile(spec, cls): a model."},
    {"specRecompile", specRecompile, METH_VARARGS,
     "specRecompile(spec, model, data, model_cls, data_cls): a new model and data."},
    {"specWrite", specWrite, METH_VARARGS,
     "specWrite(spec, classes=False, folder): MJCF text; names of files are relative to the folder."},
    {"specSave", specSave, METH_VARARGS, "specSave(spec, path)"},
    {"specSignature", specNumber, METH_O,
     "specSignature(spec): the modelSignature of what it would compile to."},
    {"specTimes", specTimes, METH_O, "specTimes(spec): seconds that stages of the last compilation took."},
    {"modelSignature", modelNumber, METH_O, "modelSignature(model): a number for what it is made of."},
    {"specBlamed", specBlamed, METH_O, "specBlamed(spec): the element of the last error, or None."},
    {"specSpreadKeys", specSpreadKeys, METH_O, "specSpreadKeys(spec): see sn_spreadKeys."},
    {"specRoot", specRoot, METH_O, "specRoot(spec)"},
    {"specSection", specSection, METH_VARARGS, "specSection(spec, path)"},
    {"specFind", specFind, METH_VARARGS, "specFind(spec, objtype, name): -1 for a default class."},
    {"specAddLoop", specAddLoop, METH_VARARGS, "specAddLoop(spec, name, type, site1, site2, keys)"},
    {"specSetLoops", specSetLoops, METH_VARARGS, "specSetLoops(spec, data)"},
    {"specSetServo", specSetServo, METH_VARARGS, "specSetServo(spec, data)"},
    {"specSetPhysics", specSetPhysics, METH_VARARGS, "specSetPhysics(spec, data)"},
    {"specSetNeedsdf", specSetNeedsdf, METH_VARARGS, "specSetNeedsdf(spec, mesh, needed)"},
    {"specNeedsdf", specNeedsdf, METH_VARARGS, "specNeedsdf(spec, mesh)"},
    {"specSetContact", specSetContact, METH_VARARGS, "specSetContact(spec, model, settings)"},
    {"elementInfo", elementInfo, METH_O, "elementInfo(element): tag, objtype, id, parent, first, next."},
    {"elementClass", elementClass, METH_O, "elementClass(element): name of its default class."},
    {"elementAttributes", elementAttributes, METH_O,
     "elementAttributes(element): name, kind, least, most, meaning, member, words, single."},
    {"elementAdd", elementAdd, METH_VARARGS, "elementAdd(parent, tag, name)"},
    {"elementRemove", elementRemove, METH_O, "elementRemove(element)"},
    {"elementChangeTag", elementChangeTag, METH_VARARGS, "elementChangeTag(element, tag)"},
    {"elementMove", elementMove, METH_VARARGS, "elementMove(element, parent)"},
    {"elementPlace", elementPlace, METH_VARARGS, "elementPlace(element, before)"},
    {"elementTarget", elementTarget, METH_VARARGS,
     "elementTarget(element, attribute): the element that it names, or None."},
    {"elementGiven", elementGiven, METH_VARARGS,
     "elementGiven(element, attribute): whether it is said there."},
    {"elementPath", elementPath, METH_O,
     "elementPath(tendon): element, type, target, sidesite and factor of each point."},
    {"elementSetText", elementSetText, METH_VARARGS, "elementSetText(element, attribute, text)"},
    {"elementSetNumbers", elementSetNumbers, METH_VARARGS,
     "elementSetNumbers(element, attribute, float64 bytes)"},
    {"elementGetText", elementGetText, METH_VARARGS, "elementGetText(element, attribute)"},
    {"elementGetNumbers", elementGetNumbers, METH_VARARGS,
     "elementGetNumbers(element, attribute): float64 bytes."},
    {"elementAttach", elementAttach, METH_VARARGS, "elementAttach(parent, child, what, prefix, suffix)"},
    {NULL, NULL, 0, NULL},
};

int makeSpecTypes(Core* core, PyObject* module)
{
    PyType_Slot spec_slots[] = {{Py_tp_new, noConstructor},
                                {Py_tp_dealloc, Spec_dealloc},
                                {Py_tp_doc, "A spec's memory."},
                                {0, NULL}};
    PyType_Spec spec = {.name = "sinew._core.Spec",
                        .basicsize = sizeof(Spec),
                        .flags = Py_TPFLAGS_DEFAULT,
                        .slots = spec_slots};
    PyType_Slot element_slots[] = {{Py_tp_new, noConstructor},           {Py_tp_dealloc, Element_dealloc},
                                   {Py_tp_hash, Element_hash},           {Py_tp_richcompare, Element_compare},
                                   {Py_tp_doc, "An element of a spec."}, {0, NULL}};
    PyType_Spec element = {.name = "sinew._core.Element",
                           .basicsize = sizeof(Element),
                           .flags = Py_TPFLAGS_DEFAULT,
                           .slots = element_slots};
    core->spec_type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &spec, NULL);
    core->element_type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &element, NULL);
    return core->spec_type && core->element_type ? 0 : -1;
}
