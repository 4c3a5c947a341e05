// Types over what a view is made of: cameras, options, perturbation, figures, geoms, lights and scenes.
#include "model/model.h"
#include "scene/scene.h"

#define FORMAT_double 'd'
#define FORMAT_float 'f'
#define FORMAT_int 'i'
#define FORMAT_uint8_t 'B'
#define PLACE(name) offsetof(STRUCT, name)
#define SINGLE(type, name, meaning) {#name, FORMAT_##type, 0, 0, PLACE(name), meaning, NULL},
#define VECTOR(type, name, count, meaning) {#name, FORMAT_##type, count, 0, PLACE(name), meaning, NULL},
#define MATRIX(type, name, rows, columns, meaning)                                                           \
    {#name, FORMAT_##type, rows, columns, PLACE(name), meaning, NULL},
#define TEXT(name, size, meaning) {#name, 's', size, 0, PLACE(name), meaning, NULL},
#define TEXTS(name, rows, size, meaning) {#name, 'S', rows, size, PLACE(name), meaning, NULL},
#define MEMBERS(TABLE) TABLE(SINGLE, VECTOR, MATRIX, TEXT)
#define STRUCT snvCamera
static const Member camera_members[] = {MEMBERS(SNV_CAMERA_MEMBERS){0}};
#undef STRUCT
#define STRUCT snvOption
static const Member option_members[] = {MEMBERS(SNV_OPTION_MEMBERS){0}};
#undef STRUCT
#define STRUCT snvPerturb
static const Member perturb_members[] = {MEMBERS(SNV_PERTURB_MEMBERS){0}};
#undef STRUCT
#define STRUCT snvGLCamera
static const Member glcamera_members[] = {MEMBERS(SNV_GLCAMERA_MEMBERS){0}};
#undef STRUCT
#define STRUCT snvGeom
static const Member geom_members[] = {MEMBERS(SNV_GEOM_MEMBERS){0}};
#undef STRUCT
#define STRUCT snvLight
static const Member light_members[] = {MEMBERS(SNV_LIGHT_MEMBERS){0}};
#undef STRUCT
#define STRUCT snvFigure
static const Member figure_members[] = {SNV_FIGURE_MEMBERS(SINGLE, VECTOR, MATRIX, TEXT, TEXTS){0}};
#undef STRUCT
#define STRUCT snrRect
static const Member rect_members[] = {MEMBERS(SNR_RECT_MEMBERS){0}};
#undef STRUCT
#define STRUCT snvScene
static const Member scene_members[] = {SNV_SCENE_MEMBERS(SINGLE, VECTOR){0}};
#undef STRUCT

#define INIT(name, type, function)                                                                           \
    static void name(void* address)                                                                          \
    {                                                                                                        \
        function((type*)address);                                                                            \
    }
INIT(initCamera, snvCamera, snv_defaultCamera)
INIT(initOption, snvOption, snv_defaultOption)
INIT(initPerturb, snvPerturb, snv_defaultPerturb)
INIT(initFigure, snvFigure, snv_defaultFigure)

static void initGeom(void* address)
{
    snv_initGeom(address, SN_GEOM_NONE, NULL, NULL, NULL, NULL);
}

// Members that came after 3.3.7 of the peer.
static bool isLaterOfGeom(const char* member)
{
    static const char* const names[] = {"texid", "texuniform", "texrepeat", "castshadow"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(member, names[i])) return true;
    return false;
}

static bool isLaterOfLight(const char* member)
{
    return !strcmp(member, "softness");
}

static const RecordTable visual_tables[] = {
    {.name = "sinew.mujoco.MjvCamera",
     .doc = "Where one looks from; made as a free camera.",
     .size = sizeof(snvCamera),
     .members = camera_members,
     .init = initCamera},
    {.name = "sinew.mujoco.MjvOption",
     .doc = "What is shown; made with the defaults.",
     .size = sizeof(snvOption),
     .members = option_members,
     .init = initOption},
    {.name = "sinew.mujoco.MjvPerturb",
     .doc = "A body held by the pointer; made with none.",
     .size = sizeof(snvPerturb),
     .members = perturb_members,
     .init = initPerturb},
    {.name = "sinew.mujoco.MjvGLCamera",
     .doc = "A camera as a renderer wants it; made with zeros.",
     .size = sizeof(snvGLCamera),
     .members = glcamera_members},
    {.name = "sinew.mujoco.MjvGeom",
     .doc = "A shape to draw; made as none.",
     .size = sizeof(snvGeom),
     .members = geom_members,
     .own = isLaterOfGeom,
     .init = initGeom},
    {.name = "sinew.mujoco.MjvLight",
     .doc = "A light; made with zeros.",
     .size = sizeof(snvLight),
     .members = light_members,
     .own = isLaterOfLight},
    {.name = "sinew.mujoco.MjvFigure",
     .doc = "A plot in two dimensions; made empty.",
     .size = sizeof(snvFigure),
     .members = figure_members,
     .init = initFigure},
    {.name = "sinew.mujoco._MjrRect",
     .doc = "A rectangle of pixels.",
     .size = sizeof(snrRect),
     .members = rect_members},
    {.name = "sinew.mujoco._MjvScene",
     .doc = "What a renderer draws.",
     .size = sizeof(snvScene),
     .members = scene_members},
};

int makeVisualStructTypes(Core* core, PyObject* module)
{
    for (size_t i = 0; i < sizeof visual_tables / sizeof visual_tables[0]; i++)
        if (!addRecordType(core, module, &visual_tables[i])) return -1;
    return 0;
}

// ---- scenes: a capsule owns the block, the record and its arrays lie in it

static void freeScene(PyObject* capsule)
{
    snv_freeScene(PyCapsule_GetPointer(capsule, "snvScene"));
}

// A record of `type` over a scene, which it takes over; NULL: no memory.
static PyObject* wrapScene(PyTypeObject* type, snvScene* scene)
{
    PyObject* capsule = scene ? PyCapsule_New(scene, "snvScene", freeScene) : NULL;
    if (!capsule) {
        snv_freeScene(scene);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    PyObject* record = makeRecord(type, capsule, scene);
    Py_DECREF(capsule);
    return record;
}

static bool isScene(Core* core, PyObject* object)
{
    PyTypeObject* type = recordType(core, "_MjvScene");
    if (type && PyObject_TypeCheck(object, type)) return true;
    if (type) PyErr_SetString(PyExc_TypeError, "the argument must be a MjvScene");
    return false;
}

// makeScene(cls, model or None, maxgeom)
static PyObject* makeScene(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *type, *model;
    int maxgeom;
    if (!PyArg_ParseTuple(args, "OOi", &type, &model, &maxgeom)) return NULL;
    PyTypeObject* base = recordType(core, "_MjvScene");
    if (!base || !isSubclass(type, base, "MjvScene")) return NULL;
    if (model != Py_None && !PyObject_TypeCheck(model, core->model_type))
        return PyErr_Format(PyExc_TypeError, "model must be a MjModel, not %R", Py_TYPE(model));
    snError error = {0};
    snvScene* scene =
        snv_makeScene(model == Py_None ? NULL : ((Model*)model)->memory->model, maxgeom, &error);
    if (scene) return wrapScene((PyTypeObject*)type, scene);
    raiseError(core, &error, NULL);
    return NULL;
}

// swapScenes(a, b): each has what the other had.
static PyObject* swapScenes(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *first, *second;
    if (!PyArg_ParseTuple(args, "OO", &first, &second) || !isScene(core, first) || !isScene(core, second))
        return NULL;
    Record *a = (Record*)first, *b = (Record*)second;
    const Record kept = *a;
    a->owner = b->owner, a->address = b->address, a->beside = b->beside, a->views = b->views;
    b->owner = kept.owner, b->address = kept.address, b->beside = kept.beside, b->views = kept.views;
    Py_RETURN_NONE;
}

static PyObject* copyScene(PyObject* module, PyObject* object)
{
    if (!isScene(PyModule_GetState(module), object)) return NULL;
    return wrapScene(Py_TYPE(object), snv_copyScene((const snvScene*)((Record*)object)->address));
}

// A tuple of records that follow each other in the memory of a scene.
static PyObject* recordsOf(Core* core, const char* name, PyObject* owner, void* address, Py_ssize_t count,
                           size_t size)
{
    PyTypeObject* type = recordType(core, name);
    PyObject* all = type ? PyTuple_New(count) : NULL;
    for (Py_ssize_t i = 0; all && i < count; i++) {
        PyObject* record = makeRecord(type, owner, (char*)address + (size_t)i * size);
        if (!record || PyTuple_SetItem(all, i, record) < 0) Py_CLEAR(all);
    }
    return all;
}

static PyObject* arrayOf(Core* core, PyObject* owner, void* address, char format, Py_ssize_t count)
{
    const Py_ssize_t size = (Py_ssize_t)formatSize(format);
    return makeArray(core, owner, address, format, 1, &count, &size);
}

// A member as NumPy writes the type of a field.
static PyObject* fieldType(const Member* member)
{
    const char item = member->format == 'B' ? 'u' : member->format == 'd' ? 'f' : member->format;
    if (item == 's') return PyUnicode_FromFormat("S%d", member->rows);
    const int size = (int)formatSize(member->format);
    if (member->columns)
        return PyUnicode_FromFormat("(%d,%d)%c%d", member->rows, member->columns, item, size);
    return member->rows ? PyUnicode_FromFormat("(%d,)%c%d", member->rows, item, size)
                        : PyUnicode_FromFormat("%c%d", item, size);
}

static int appendNew(PyObject* list, PyObject* item)
{
    const int result = item ? PyList_Append(list, item) : -1;
    Py_XDECREF(item);
    return result;
}

// The type of rows with these members, as NumPy's dtype takes it.
static PyObject* rowType(const Member* members, size_t size)
{
    PyObject* type =
        Py_BuildValue("{s[]s[]s[]sn}", "names", "formats", "offsets", "itemsize", (Py_ssize_t)size);
    for (const Member* member = members; type && member->name; member++)
        if (appendNew(PyDict_GetItemString(type, "names"), PyUnicode_FromString(member->name)) < 0 ||
            appendNew(PyDict_GetItemString(type, "formats"), fieldType(member)) < 0 ||
            appendNew(PyDict_GetItemString(type, "offsets"), PyLong_FromSize_t(member->offset)) < 0)
            Py_CLEAR(type);
    return type;
}

// Geoms as one array of rows.
static PyObject* geomRows(Core* core, PyObject* owner, const snvScene* s)
{
    PyObject* bytes = arrayOf(core, owner, s->geoms, 'B', (Py_ssize_t)((size_t)s->room * sizeof *s->geoms));
    PyObject* type = bytes ? rowType(geom_members, sizeof *s->geoms) : NULL;
    PyObject* rows = type ? PyObject_CallMethod(bytes, "view", "O", type) : NULL;
    Py_XDECREF(bytes);
    Py_XDECREF(type);
    return rows;
}

// sceneArray(scene, name): a new array or tuple over what a scene has more of than one.
static PyObject* sceneArray(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject* object;
    const char* name;
    if (!PyArg_ParseTuple(args, "Os", &object, &name) || !isScene(core, object)) return NULL;
    PyObject* owner = ((Record*)object)->owner;
    snvScene* s = (snvScene*)((Record*)object)->address;
    if (strcmp(name, "geoms") == 0)
        return recordsOf(core, "MjvGeom", owner, s->geoms, s->room, sizeof *s->geoms);
    if (strcmp(name, "geom_rows") == 0) return geomRows(core, owner, s);
    if (strcmp(name, "lights") == 0)
        return recordsOf(core, "MjvLight", owner, s->lights, SN_MAXLIGHT, sizeof *s->lights);
    if (strcmp(name, "camera") == 0)
        return recordsOf(core, "MjvGLCamera", owner, s->camera, 2, sizeof *s->camera);
    const int room = s->room, room_skin = s->room_skin, nskinvert = s->nskinvert, room_flex = s->room_flex,
              nflexedge = s->nflexedge, nflexvert = s->nflexvert, nflexface = s->nflexface,
              nflextexcoord = s->nflextexcoord;
#define X(type, member, count, meaning)                                                                      \
    if (strcmp(name, #member) == 0) return arrayOf(core, owner, s->member, FORMAT_##type, count);
    SNV_SCENE_ARRAYS(X)
    SNV_SCENE_OWN_ARRAYS(X)
#undef X
    return PyErr_Format(PyExc_AttributeError, "a scene has no array %s", name);
}

PyMethodDef scene_functions[] = {
    {"makeScene", makeScene, METH_VARARGS, "A scene for a model or None, with room for maxgeom geoms."},
    {"swapScenes", swapScenes, METH_VARARGS, "Exchanges what two scenes have."},
    {"copyScene", copyScene, METH_O, "A copy of a scene."},
    {"sceneArray", sceneArray, METH_VARARGS, "An array, or a tuple of structs, of a scene, by its name."},
    {NULL, NULL, 0, NULL},
};
