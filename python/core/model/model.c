// Model: sizes, options, statistics, and a view for each array of the field table.
#include "base/assets.h"
#include "model/model.h"

bool sameSizes(const snModel* a, const snModel* b)
{
    int count;
    sn_modelSizes(&count);
    return a == b || memcmp(a, b, (size_t)count * sizeof(int)) == 0;
}

// Whether a model looks the same as at the peer of 3.3.7, whose actuators have one control and one force
// each.
static bool isForPeer(const snModel* m)
{
    for (int i = 0; i < m->nactuator; i++) {
        const int controls = m->actuator_ctrlnum[i], forces = m->actuator_outnum[i];
        if (controls == 1 && forces == 1) continue;
        const char* name = sn_id2name(m, SN_OBJ_ACTUATOR, i);
        PyErr_Format(
            PyExc_ValueError,
            "actuator %d '%s' has %d controls and %d forces; sinew.mujoco shows what MuJoCo 3.3.7 has, where "
            "each actuator has one of both: load the model with sinew.Model, or choose MuJoCo 4.0's "
            "interface "
            "by SINEW_MUJOCO=4.0",
            i, name ? name : "", controls, forces);
        return false;
    }
    return true;
}

PyObject* wrapModel(Core* core, PyTypeObject* type, snModel* m)
{
    int count;
    sn_modelFields(&count);
    Memory* memory = makeMemory(core, m, NULL);
    if (!memory) return NULL;
    Model* self = (Model*)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) {
        Py_DECREF(memory);
        return NULL;
    }
    self->memory = memory;
    self->views = PyMem_Calloc((size_t)count, sizeof *self->views);
    if (!self->views) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    self->peer = core->peer_model_type && PyType_IsSubtype(type, core->peer_model_type);
    if (self->peer && !core->peer_is_later && !isForPeer(m)) Py_CLEAR(self);
    return (PyObject*)self;
}

void clearElements(PyObject** elements)
{
    for (int i = 0; i < ELEMENT_KINDS; i++) Py_CLEAR(elements[i]);
}

static void Model_dealloc(PyObject* object)
{
    Model* self = (Model*)object;
    int count;
    sn_modelFields(&count);
    for (int i = 0; self->views && i < count; i++) Py_XDECREF(self->views[i]);
    PyMem_Free(self->views);
    clearElements(self->elements);
    for (int i = 0; i < NPARTS; i++) Py_XDECREF(self->parts[i]);
    Py_XDECREF(self->made);
    Py_XDECREF((PyObject*)self->memory);
    freeObject(object);
}

static PyObject* Model_new(PyTypeObject* Py_UNUSED(type), PyObject* Py_UNUSED(args),
                           PyObject* Py_UNUSED(kwargs))
{
    PyErr_SetString(PyExc_TypeError, "a model comes from Model.from_path(path) or Model.from_xml(text)");
    return NULL;
}

static PyObject* getView(PyObject* object, void* closure)
{
    Model* self = (Model*)object;
    const snField* field = closure;
    int count, rows, columns;
    const int index = (int)(field - sn_modelFields(&count));
    const bool text = strcmp(field->type, "char") == 0;
    if (self->views[index]) return giveView(text || self->peer, self->views[index]);
    const snModel* m = self->memory->model;
    sn_modelFieldShape(m, index, &rows, &columns);
    void* address = *(void* const*)((const char*)m + field->offset);
    if (text) {
        self->views[index] = PyBytes_FromStringAndSize(address, (Py_ssize_t)rows);
        return Py_XNewRef(self->views[index]);
    }
    const bool vector = strcmp(field->columns, "1") == 0;
    PyObject* view = makeView(self->memory, address, formatOf(field->type), rows, vector ? -1 : columns);
    self->views[index] = view;
    return view ? giveView(self->peer, view) : NULL;
}

static int setView(PyObject* object, PyObject* value, void* closure)
{
    PyObject* view = getView(object, closure);
    if (!view) return -1;
    const int result = assignView(view, value);
    Py_DECREF(view);
    return result;
}

static PyObject* getSize(PyObject* object, void* closure)
{
    const snModel* m = ((Model*)object)->memory->model;
    return PyLong_FromLong(((const int*)m)[(intptr_t)closure]);
}

static PyObject* getPhysics(PyObject* object, void* Py_UNUSED(closure))
{
    int count;
    const snEnum* enums = sn_enums(&count);
    while (strcmp(enums->type, "snPhysics") != 0) enums++;
    return PyUnicode_FromString(enums->items[((Model*)object)->memory->model->physics].keyword);
}

static int setPhysics(PyObject* Py_UNUSED(object), PyObject* Py_UNUSED(value), void* Py_UNUSED(closure))
{
    PyErr_SetString(PyExc_AttributeError,
                    "physics: the model was compiled by these rules; load it again with physics=...");
    return -1;
}

static PyObject* getBytes(PyObject* object, void* closure)
{
    const snModel* m = ((Model*)object)->memory->model;
    return PyLong_FromSize_t(*(const size_t*)((const char*)m + (intptr_t)closure));
}

static PyGetSetDef* makeGetset(void)
{
    int nsizes, nfields, k = 0;
    const char* const* sizes = sn_modelSizes(&nsizes);
    const snField* fields = sn_modelFields(&nfields);
    static const char* const meanings[] = {
#define X(name, meaning) meaning,
        SN_MODEL_SIZES(X)
#undef X
    };
    PyGetSetDef* getset = PyMem_Calloc((size_t)(nsizes + nfields + 7), sizeof *getset);
    if (!getset) return NULL;
    for (intptr_t i = 0; i < nsizes; i++)
        getset[k++] = (PyGetSetDef){sizes[i], getSize, NULL, meanings[i], (void*)i};
    for (int i = 0; i < nfields; i++) {
        const bool text = strcmp(fields[i].type, "char") == 0;
        getset[k++] = (PyGetSetDef){fields[i].name, getView, text ? NULL : setView, fields[i].meaning,
                                    (void*)&fields[i]};
    }
    const PyGetSetDef others[] = {
        {"narena", getBytes, NULL, "limit of the arena of each Data, bytes of address space",
         (void*)offsetof(snModel, narena)},
        {"nbuffer", getBytes, NULL, "bytes of the model's arrays", (void*)offsetof(snModel, nbuffer)},
        {"physics", getPhysics, setPhysics, "whose rules the model means, \"3.3.7\" or \"4.0\"; read-only",
         NULL},
        {"opt", getPart, NULL, "physics and solver settings", (void*)PART_OPT},
        {"vis", getPart, NULL, "settings for viewers", (void*)PART_VIS},
        {"stat", getPart, NULL, "sizes and scales at qpos0", (void*)PART_STAT},
    };
    memcpy(getset + k, others, sizeof others);
    return getset;
}

PyTypeObject* makeModelType(Core* core, PyObject* module, PyMethodDef* elements)
{
    PyGetSetDef* getset = core->getsets[0] = makeGetset();
    if (!getset) return (PyTypeObject*)PyErr_NoMemory();
    PyType_Slot slots[] = {
        {Py_tp_new, Model_new},
        {Py_tp_dealloc, Model_dealloc},
        {Py_tp_methods, elements},
        {Py_tp_getset, getset},
        {Py_tp_doc, "A compiled model: everything that does not change while it moves."},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "sinew._core.Model",
        .basicsize = sizeof(Model),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
        .slots = slots,
    };
    return addType(module, &spec);
}

static bool isModelType(Core* core, PyObject* type)
{
    return isSubclass(type, core->model_type, "sinew.Model");
}

// What a load gave: a model, or NULL with its error.
static PyObject* finishLoad(Core* core, PyTypeObject* type, snModel* m, snWarnings* warnings,
                            const snError* error, const char* path)
{
    const bool raised = m && PyErr_Occurred(); // a plugin's reset
    PyObject* result = m && !raised ? wrapModel(core, type, m) : NULL;
    if (!m) raiseError(core, error, path);
    if (raised) sn_deleteModel(m);
    return tellWarnings(warnings, result);
}

static PyObject* loadModel(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *type, *path, *tuple;
    int strict, anywhere, n;
    const char *give, *physics, *within = NULL, **folders;
    if (!PyArg_ParseTuple(args, "OO&ppOsz|y", &type, PyUnicode_FSConverter, &path, &strict, &anywhere, &tuple,
                          &give, &physics, &within))
        return NULL;
    PyObject* result = NULL;
    if (isModelType(core, type) && getFolders(tuple, &folders, &n)) {
        snWarnings warnings = {NULL, 0, 0};
        const snUrdfOptions urdf = {.package_dirs = folders, .npackage_dirs = n};
        const snLoadOptions load = {.strict = strict,
                                    .warnings = &warnings,
                                    .urdf = &urdf,
                                    .packages = *give ? give : PACKAGES_IN_PYTHON,
                                    .files_anywhere = anywhere,
                                    .physics = physics,
                                    .within = within};
        snError error = {0};
        snModel* m;
        const char* text = PyBytes_AsString(path);
        Py_BEGIN_ALLOW_THREADS;
        m = sn_loadModel(text, &load, &error);
        Py_END_ALLOW_THREADS;
        result = finishLoad(core, (PyTypeObject*)type, m, &warnings, &error, text);
        PyMem_Free(folders);
    }
    Py_DECREF(path);
    return result;
}

static PyObject* loadModelText(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *type, *text, *dict = Py_None, *result = NULL;
    int strict = 0, anywhere = 0;
    const char* physics = NULL;
    Assets assets;
    Py_buffer buffer;
    if (!PyArg_ParseTuple(args, "OO|Oppz", &type, &text, &dict, &strict, &anywhere, &physics) ||
        !isModelType(core, type) || getText(text, "the model", &buffer) < 0)
        return NULL;
    if (getAssets(dict, &assets)) {
        snError error = {0};
        snWarnings warnings = {NULL, 0, 0};
        const snLoadOptions load = {.strict = strict,
                                    .warnings = &warnings,
                                    .packages = PACKAGES_IN_PYTHON,
                                    .files_anywhere = anywhere,
                                    .physics = physics};
        snModel* m;
        Py_BEGIN_ALLOW_THREADS;
        m = sn_loadModelText(buffer.buf, (size_t)buffer.len, assets.list, assets.n, &load, &error);
        Py_END_ALLOW_THREADS;
        result = finishLoad(core, (PyTypeObject*)type, m, &warnings, &error, NULL);
        freeAssets(&assets);
    }
    PyBuffer_Release(&buffer);
    return result;
}

static PyObject* copyModel(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *type, *source;
    if (!PyArg_ParseTuple(args, "OO!", &type, core->model_type, &source) || !isModelType(core, type))
        return NULL;
    snModel* m = sn_copyModel(((Model*)source)->memory->model);
    return m ? wrapModel(core, (PyTypeObject*)type, m) : PyErr_NoMemory();
}

static PyObject* loadTexture(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject* source;
    int id, width, height, colorspace;
    uint8_t* data;
    snError error;
    if (!PyArg_ParseTuple(args, "O!i", core->model_type, &source, &id)) return NULL;
    const snModel* m = ((Model*)source)->memory->model;
    snStatus status;
    Py_BEGIN_ALLOW_THREADS status = sn_loadTexture(m, id, &data, &width, &height, &colorspace, &error);
    Py_END_ALLOW_THREADS if (status != SN_STATUS_OK)
    {
        raiseError(core, &error, NULL);
        return NULL;
    }
    const Py_ssize_t size = (Py_ssize_t)width * height * m->tex_nchannel[id];
    PyObject* result = Py_BuildValue("y#iii", (const char*)data, size, height, width, colorspace);
    sn_freeTexture(data);
    return result;
}

static PyObject* embedAssets(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *type, *source;
    snError error;
    if (!PyArg_ParseTuple(args, "OO!", &type, core->model_type, &source) || !isModelType(core, type))
        return NULL;
    const snModel* from = ((Model*)source)->memory->model;
    snModel* m;
    Py_BEGIN_ALLOW_THREADS m = sn_embedAssets(from, &error);
    Py_END_ALLOW_THREADS if (m) return wrapModel(core, (PyTypeObject*)type, m);
    raiseError(core, &error, NULL);
    return NULL;
}

static PyObject* compareModel(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *a, *b;
    if (!PyArg_ParseTuple(args, "O!O!", core->model_type, &a, core->model_type, &b)) return NULL;
    return PyLong_FromLong(sn_compareModel(((Model*)a)->memory->model, ((Model*)b)->memory->model));
}

static PyObject* packModel(PyObject* module, PyObject* model)
{
    Core* core = PyModule_GetState(module);
    if (!PyObject_TypeCheck(model, core->model_type)) return PyErr_Format(PyExc_TypeError, "not a Model");
    return modelToBytes(core, ((Model*)model)->memory->model);
}

static PyObject* unpackModel(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject* type;
    Py_buffer buffer;
    if (!PyArg_ParseTuple(args, "Oy*", &type, &buffer)) return NULL;
    snModel* m = isModelType(core, type) ? modelFromBytes(core, buffer.buf, (size_t)buffer.len) : NULL;
    PyBuffer_Release(&buffer);
    return m ? wrapModel(core, (PyTypeObject*)type, m) : NULL;
}

static PyObject* saveModel(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *model, *path;
    if (!PyArg_ParseTuple(args, "O!O&", core->model_type, &model, PyUnicode_FSConverter, &path)) return NULL;
    snError error = {0};
    snStatus status;
    const char* text = PyBytes_AsString(path);
    const snModel* m = ((Model*)model)->memory->model;
    Py_BEGIN_ALLOW_THREADS;
    status = sn_saveModel(m, text, &error);
    Py_END_ALLOW_THREADS;
    if (status != SN_STATUS_OK) raiseError(core, &error, NULL);
    Py_DECREF(path);
    if (status != SN_STATUS_OK) return NULL;
    Py_RETURN_NONE;
}

PyMethodDef model_functions[] = {
    {"loadModel", loadModel, METH_VARARGS,
     "loadModel(cls, path, strict, anywhere, folders, give, physics, within): a model from a file."},
    {"saveModel", saveModel, METH_VARARGS, "saveModel(model, path): writes a binary file."},
    {"loadModelText", loadModelText, METH_VARARGS,
     "loadModelText(cls, text, assets=None, strict=False, anywhere=False, physics=None): a model from MJCF "
     "text."},
    {"copyModel", copyModel, METH_VARARGS, "copyModel(cls, model): a deep copy."},
    {"loadTexture", loadTexture, METH_VARARGS,
     "loadTexture(model, id): bytes, height, width and colour space of a texture, read from its file if need "
     "be."},
    {"embedAssets", embedAssets, METH_VARARGS,
     "embedAssets(cls, model): a copy without textures by reference."},
    {"compareModel", compareModel, METH_VARARGS,
     "compareModel(a, b): -1 equal, -2 sizes or options differ, else the first field that differs."},
    {"packModel", packModel, METH_O, "packModel(model): the bytes of a binary file."},
    {"unpackModel", unpackModel, METH_VARARGS, "unpackModel(cls, bytes): the inverse of packModel."},
    {NULL, NULL, 0, NULL},
};
