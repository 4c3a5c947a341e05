// Controllers: set-up from dicts of settings, and the functions of a cycle.
#include "control/control.h"
#include "memory/buffers.h"
#include "model/model.h"

// ---- settings --------------------------------------------------------------------------------------------

// A member of the settings: format 'd', 'i' or '?', how many.
typedef struct Setting {
    const char* name;
    char format;
    int count;
    size_t offset;
} Setting;

#define SET(s, format, count, name)                                                                          \
    {                                                                                                        \
#name, format, count, offsetof(s, name)                                                              \
    }
static const Setting controller_settings[] = {
    SET(snControllerSettings, 'i', 1, mode),
    SET(snControllerSettings, 'd', 1, dt),
    SET(snControllerSettings, 'i', 1, max_tasks),
    SET(snControllerSettings, 'i', 1, max_contacts),
    SET(snControllerSettings, 'i', 1, max_points),
    SET(snControllerSettings, 'i', 1, max_rows),
    SET(snControllerSettings, '?', 1, position_limits),
    SET(snControllerSettings, '?', 1, velocity_limits),
    SET(snControllerSettings, '?', 1, acceleration_limits),
    SET(snControllerSettings, '?', 1, torque_limits),
    SET(snControllerSettings, 'i', 1, limit_level),
    SET(snControllerSettings, 'd', 1, force_norm),
    SET(snControllerSettings, '?', 1, integrator),
    SET(snControllerSettings, 'd', 1, friction_velocity),
    SET(snControllerSettings, 'd', 1, singular),
    {"iterations", 'i', 1, offsetof(snControllerSettings, hqp.iterations)},
    {"tolerance", 'd', 1, offsetof(snControllerSettings, hqp.tolerance)},
    {"rank_tolerance", 'd', 1, offsetof(snControllerSettings, hqp.rank_tolerance)},
    {"warmstart", '?', 1, offsetof(snControllerSettings, hqp.warmstart)},
    {"weighted", '?', 1, offsetof(snControllerSettings, hqp.weighted)},
    {"level_weight", 'd', 1, offsetof(snControllerSettings, hqp.level_weight)},
    {0},
};
static const Setting task_settings[] = {
    SET(snTaskSettings, 'i', 1, type),
    SET(snTaskSettings, 'i', 1, level),
    SET(snTaskSettings, 'd', 1, weight),
    SET(snTaskSettings, 'd', 1, kp),
    SET(snTaskSettings, 'd', 1, kd),
    SET(snTaskSettings, 'i', 1, axes),
    SET(snTaskSettings, '?', 1, local),
    SET(snTaskSettings, 'i', 1, objtype),
    SET(snTaskSettings, 'i', 1, objid),
    SET(snTaskSettings, 'd', 3, offset),
    SET(snTaskSettings, 'i', 1, reftype),
    SET(snTaskSettings, 'i', 1, refid),
    SET(snTaskSettings, 'd', 3, axis),
    SET(snTaskSettings, 'd', 1, height),
    SET(snTaskSettings, 'd', 6, mass),
    SET(snTaskSettings, 'd', 1, follow),
    SET(snTaskSettings, 'd', 1, distance_min),
    SET(snTaskSettings, 'd', 1, distance_max),
    SET(snTaskSettings, 'i', 1, rows),
    SET(snTaskSettings, 'i', 1, columns),
    {0},
};
static const Setting contact_settings[] = {
    SET(snContactSettings, 'i', 1, objtype),   SET(snContactSettings, 'i', 1, objid),
    SET(snContactSettings, 'i', 1, reftype),   SET(snContactSettings, 'i', 1, refid),
    SET(snContactSettings, 'i', 1, npoint),    SET(snContactSettings, 'd', 3 * SN_CONTACT_POINTS, point),
    SET(snContactSettings, 'd', 3, normal),    SET(snContactSettings, '?', 1, world),
    SET(snContactSettings, 'd', 1, mu),        SET(snContactSettings, 'i', 1, facets),
    SET(snContactSettings, 'd', 1, force_min), SET(snContactSettings, 'd', 1, force_max),
    SET(snContactSettings, 'd', 4, cop),       SET(snContactSettings, 'd', 1, ramp),
    SET(snContactSettings, 'i', 1, rows),      SET(snContactSettings, 'i', 1, level),
    SET(snContactSettings, 'd', 1, weight),    SET(snContactSettings, 'd', 1, kp),
    SET(snContactSettings, 'd', 1, kd),        {0},
};

// What raised says what is wrong; which setting it is now stands before. false.
static bool blame(const Setting* s)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject* text = value ? PyObject_Str(value) : NULL;
    if (text) PyErr_Format(type, "%s: %U", s->name, text);
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return false;
}

static bool setOne(char* address, const Setting* s, PyObject* value)
{
    if (s->format == '?') {
        const int truth = PyObject_IsTrue(value);
        if (truth >= 0) *(bool*)address = truth;
        return truth >= 0 || blame(s);
    }
    if (s->count == 1) return setNumber(address, &s->format, value) == 0 || blame(s);
    Py_buffer list[1];
    Buffers b = {.list = list};
    const double* numbers = NULL;
    const bool found = getDoubles(&b, value, s->name, s->count, &numbers);
    if (numbers) memcpy(address, numbers, (size_t)s->count * sizeof *numbers);
    releaseBuffers(&b);
    return found;
}

// Settings of a struct from a dict of name to number, or array of float64. False with an exception.
static bool setAll(void* address, const Setting* settings, PyObject* dict)
{
    Py_ssize_t at = 0;
    PyObject *key, *value;
    while (PyDict_Next(dict, &at, &key, &value)) {
        const Setting* s = settings;
        while (s->name && PyUnicode_CompareWithASCIIString(key, s->name) != 0) s++;
        if (!s->name) {
            PyErr_Format(PyExc_TypeError, "there is no setting %R", key);
            return false;
        }
        if (!setOne((char*)address + s->offset, s, value)) return false;
    }
    return true;
}

// ---- set-up ----------------------------------------------------------------------------------------------

static bool isController(Core* core, PyObject* object)
{
    if (PyObject_TypeCheck(object, core->control_types[0])) return true;
    PyErr_SetString(PyExc_TypeError, "not a Controller");
    return false;
}

static PyObject* makeController(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *type, *model, *dict;
    if (!PyArg_ParseTuple(args, "OO!O!", &type, core->model_type, &model, &PyDict_Type, &dict) ||
        !isSubclass(type, core->control_types[0], "sinew._core.Controller"))
        return NULL;
    snControllerSettings settings;
    sn_defaultController(&settings);
    if (!setAll(&settings, controller_settings, dict)) return NULL;
    snError error = {0};
    Memory* of = ((Model*)model)->memory;
    snController* c = sn_makeController(of->model, &settings, &error);
    if (!c) {
        raiseError(core, &error, NULL);
        return NULL;
    }
    Memory* memory = makeMemory(core, NULL, NULL);
    if (!memory) {
        sn_freeController(c);
        return NULL;
    }
    memory->controller = c;
    memory->of = (Memory*)Py_NewRef((PyObject*)of);
    PyObject* result = makeControlPart((PyTypeObject*)type, memory, c);
    Py_DECREF((PyObject*)memory);
    return result;
}

// The number of what `add` adds, as an object of type; NULL with an exception.
static PyObject* finishAdding(Core* core, Memory* memory, PyObject* type, int index, bool contact,
                              const snError* error)
{
    const snController* c = memory->controller;
    releaseController(memory);
    if (index < 0) {
        raiseError(core, error, NULL);
        return NULL;
    }
    void* address = contact ? (void*)c->contact[index] : (void*)c->task[index];
    return makeControlPart((PyTypeObject*)type, memory, address);
}

// One weight is enough for those who write them: that of the rows.
static void foldWeight(snTask* task)
{
    for (int i = 0; i < task->rows; i++) task->weight[i] *= task->set.weight;
    task->set.weight = 1;
}

static PyObject* addTask(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *type, *dict, *dofs;
    Py_ssize_t ndof;
    snTaskSettings settings;
    sn_defaultTask(&settings);
    if (!PyArg_ParseTuple(args, "OOO!zOn", &object, &type, &PyDict_Type, &dict, &settings.name, &dofs,
                          &ndof) ||
        !isController(core, object) || !isSubclass(type, core->control_types[1], "sinew._core.ControlTask"))
        return NULL;
    Py_buffer list[1];
    Buffers b = {.list = list};
    if (!setAll(&settings, task_settings, dict)) return NULL;
    Memory* memory = ((ControlPart*)object)->memory;
    PyObject* result = NULL;
    settings.ndof = (int)ndof;
    if (getInts(&b, dofs, "dofs", ndof, &settings.dof) && takeController(memory)) {
        snError error = {0};
        const int index = sn_controllerAddTask(memory->controller, &settings, &error);
        if (index >= 0) foldWeight(memory->controller->task[index]);
        result = finishAdding(core, memory, type, index, false, &error);
    }
    releaseBuffers(&b);
    return result;
}

static PyObject* addContact(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *type, *dict;
    snContactSettings settings;
    sn_defaultContact(&settings);
    if (!PyArg_ParseTuple(args, "OOO!z", &object, &type, &PyDict_Type, &dict, &settings.name) ||
        !isController(core, object) ||
        !isSubclass(type, core->control_types[2], "sinew._core.ControlContact") ||
        !setAll(&settings, contact_settings, dict))
        return NULL;
    Memory* memory = ((ControlPart*)object)->memory;
    if (!takeController(memory)) return NULL;
    snError error = {0};
    const int index = sn_controllerAddContact(memory->controller, &settings, &error);
    return finishAdding(core, memory, type, index, true, &error);
}

// ---- a cycle ---------------------------------------------------------------------------------------------

static PyObject* switchContact(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject* object;
    int active;
    if (!PyArg_ParseTuple(args, "O!p", core->control_types[2], &object, &active)) return NULL;
    Memory* memory = ((ControlPart*)object)->memory;
    if (!takeController(memory)) return NULL;
    const snController* c = memory->controller;
    int index = 0;
    while (c->contact[index] != ((ControlPart*)object)->address) index++;
    snError error = {0};
    const snStatus status = sn_controllerContact(memory->controller, index, active, &error);
    releaseController(memory);
    if (status) {
        raiseError(core, &error, NULL);
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject* isActive(PyObject* module, PyObject* object)
{
    Core* core = PyModule_GetState(module);
    if (!PyObject_TypeCheck(object, core->control_types[2]))
        return PyErr_Format(PyExc_TypeError, "no contact");
    return PyBool_FromLong(((const snControlContact*)((ControlPart*)object)->address)->active);
}

static PyObject* contactMotion(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *type;
    if (!PyArg_ParseTuple(args, "O!O", core->control_types[2], &object, &type) ||
        !isSubclass(type, core->control_types[1], "sinew._core.ControlTask"))
        return NULL;
    const snControlContact* contact = ((ControlPart*)object)->address;
    return makeControlPart((PyTypeObject*)type, ((ControlPart*)object)->memory, contact->motion);
}

// Takes both for one function; false with an exception.
static bool takeBoth(Memory* memory, Data* data, const char* function)
{
    const snModel *mine = memory->controller->model, *its = data->model->memory->model;
    if (!sameSizes(mine, its)) {
        PyErr_Format(PyExc_ValueError, "%s: the data belongs to another model", function);
        return false;
    }
    if (!takeController(memory)) return false;
    if (takeData(data)) return true;
    releaseController(memory);
    return false;
}

static PyObject* holdTask(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *data;
    if (!PyArg_ParseTuple(args, "O!O!", core->control_types[1], &object, core->data_type, &data)) return NULL;
    Memory* memory = ((ControlPart*)object)->memory;
    if (!takeBoth(memory, (Data*)data, "hold")) return NULL;
    sn_holdTask(memory->controller->model, ((Data*)data)->memory->data, ((ControlPart*)object)->address);
    releaseData((Data*)data);
    releaseController(memory);
    Py_RETURN_NONE;
}

static snStatus runSolve(Core* core, Memory* memory, Data* data, PyObject* model, snError* error,
                         bool* raised)
{
    CallbackRun callbacks = {0};
    *raised = !beginCallbacks(&callbacks, core, data, model);
    if (*raised) return SN_STATUS_OK;
    PyThreadState* thread = callbacks.thread = PyEval_SaveThread();
    const snStatus status = sn_controllerSolve(memory->controller, data->memory->data, error);
    PyEval_RestoreThread(thread);
    *raised = !endCallbacks(&callbacks);
    return status;
}

static PyObject* solveController(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *model, *data_object;
    if (!PyArg_ParseTuple(args, "OO!O!", &object, core->model_type, &model, core->data_type, &data_object) ||
        !isController(core, object))
        return NULL;
    Memory* memory = ((ControlPart*)object)->memory;
    Data* data = (Data*)data_object;
    if (!takeBoth(memory, data, "solve")) return NULL;
    snError error = {0};
    snStatus status = SN_STATUS_OK;
    bool raised = data->nested;
    if (raised)
        PyErr_SetString(PyExc_RuntimeError,
                        "a controller cannot solve with a data from inside its own callback");
    else
        status = runSolve(core, memory, data, model, &error, &raised);
    const int result = memory->controller->result.status;
    releaseData(data);
    releaseController(memory);
    if (!raised && status) raiseError(core, &error, NULL);
    if (raised || status || !warnOfData(core, data)) return NULL;
    return PyLong_FromLong(result);
}

static PyObject* applyController(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *object, *data_object;
    if (!PyArg_ParseTuple(args, "OO!", &object, core->data_type, &data_object) || !isController(core, object))
        return NULL;
    Memory* memory = ((ControlPart*)object)->memory;
    Data* data = (Data*)data_object;
    if (!takeBoth(memory, data, "apply")) return NULL;
    const int output = sn_controllerApply(memory->controller, data->memory->data);
    releaseData(data);
    releaseController(memory);
    return PyLong_FromLong(output);
}

static PyObject* controllerResult(PyObject* module, PyObject* object)
{
    if (!isController(PyModule_GetState(module), object)) return NULL;
    const snHqpResult r = ((ControlPart*)object)->memory->controller->result;
    return Py_BuildValue("iiiii", r.status, r.level, r.iterations, r.passes, r.freedom);
}

static PyObject* controllerRowText(PyObject* module, PyObject* args)
{
    PyObject* object;
    int row;
    char text[256];
    if (!PyArg_ParseTuple(args, "Oi", &object, &row) || !isController(PyModule_GetState(module), object))
        return NULL;
    Memory* memory = ((ControlPart*)object)->memory;
    if (!takeController(memory)) return NULL;
    sn_controllerRowText(memory->controller, row, text, sizeof text);
    releaseController(memory);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject* controlName(PyObject* module, PyObject* object)
{
    Core* core = PyModule_GetState(module);
    const char* name = "";
    if (PyObject_TypeCheck(object, core->control_types[1]))
        name = ((const snTask*)((ControlPart*)object)->address)->set.name;
    else if (PyObject_TypeCheck(object, core->control_types[2]))
        name = ((const snControlContact*)((ControlPart*)object)->address)->set.name;
    return PyUnicode_FromString(name ? name : "");
}

PyMethodDef controller_functions[] = {
    {"makeController", makeController, METH_VARARGS, "makeController(cls, model, settings)"},
    {"addTask", addTask, METH_VARARGS, "addTask(controller, cls, settings, name, dofs, ndof)"},
    {"addContact", addContact, METH_VARARGS, "addContact(controller, cls, settings, name)"},
    {"switchContact", switchContact, METH_VARARGS, "switchContact(contact, active)"},
    {"isActive", isActive, METH_O, "isActive(contact)"},
    {"contactMotion", contactMotion, METH_VARARGS, "contactMotion(contact, cls): the task that holds it."},
    {"holdTask", holdTask, METH_VARARGS, "holdTask(task, data)"},
    {"solveController", solveController, METH_VARARGS,
     "solveController(controller, model, data): snQpStatus."},
    {"applyController", applyController, METH_VARARGS, "applyController(controller, data): snControlOutput."},
    {"controllerResult", controllerResult, METH_O, "The members of snHqpResult of the last cycle."},
    {"controllerRowText", controllerRowText, METH_VARARGS, "controllerRowText(controller, row)"},
    {"controlName", controlName, METH_O, "The name of a task or contact."},
    {NULL, NULL, 0, NULL},
};
