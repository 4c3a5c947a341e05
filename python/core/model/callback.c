// Callbacks in Python. The C data has functions only while a library function runs on it, so that no copy of
// it can outlive the Python objects; they take the GIL back for the time of the call. The first exception
// stops the run: callbacks after it are skipped, the state goes back to that before the step, the exception
// goes on to the caller.
#include "model/model.h"
#include "model/plugin.h"

enum { PASSIVE, CONTROL, CONTACTFILTER, SENSOR, ACT_DYN, ACT_GAIN, ACT_BIAS, TIME };
static const char* const callback_names[NCALLBACKS] = {
    "passive", "control", "contactfilter", "sensor", "act_dyn", "act_gain", "act_bias", "time",
};
static const unsigned int kept = SN_STATE_FULLPHYSICS | SN_STATE_WARMSTART;

// The callable that holds for a data, borrowed: its own, or the default of its type. NULL: none.
static PyObject* findCallback(const Core* core, const Data* data, int kind)
{
    if (data->callbacks[kind]) return data->callbacks[kind];
    if (!core->callbacks[kind] || !core->peer_data_type) return NULL;
    return PyObject_TypeCheck((PyObject*)data, core->peer_data_type) ? core->callbacks[kind] : NULL;
}

// (model, data, indices...), or () for the clock
static PyObject* makeArguments(const CallbackRun* run, int kind, int count, const int indices[2])
{
    if (kind == TIME) return PyTuple_New(0);
    PyObject* args = PyTuple_New(2 + count);
    if (!args) return NULL;
    PyTuple_SetItem(args, 0, Py_NewRef(run->model));
    PyTuple_SetItem(args, 1, Py_NewRef((PyObject*)run->data));
    bool complete = true;
    for (int i = 0; i < count; i++) {
        PyObject* index = PyLong_FromLong(indices[i]);
        complete = index && complete;
        PyTuple_SetItem(args, 2 + i, index);
    }
    if (!complete) Py_CLEAR(args);
    return args;
}

// Calls with the GIL. NULL: it has raised, or is not there any more.
static PyObject* callWith(CallbackRun* run, int kind, int count, const int indices[2])
{
    PyObject* function = findCallback(run->core, run->data, kind);
    if (!function) return kind == TIME ? PyFloat_FromDouble(0) : Py_NewRef(Py_None);
    Py_INCREF(function);
    PyObject* args = makeArguments(run, kind, count, indices);
    PyObject* result = NULL;
    if (args) {
        atomic_store(&run->data->callback_thread, PyThread_get_thread_ident());
        result = PyObject_Call(function, args, NULL);
        atomic_store(&run->data->callback_thread, 0);
    }
    Py_XDECREF(args);
    Py_DECREF(function);
    return result;
}

// What a callback must return: nothing in particular, a number, or an integer.
typedef enum Wanted { ANYTHING, NUMBER, INTEGER } Wanted;

static double numberFrom(const CallbackRun* run, PyObject* result, int kind, Wanted wanted, bool* failed)
{
    double value = 0;
    if (wanted == NUMBER) value = PyFloat_AsDouble(result);
    if (wanted == INTEGER) value = PyLong_Check(result) ? PyObject_IsTrue(result) : -1;
    if (wanted == ANYTHING || value != -1 || (wanted == NUMBER && !PyErr_Occurred())) return value;
    PyErr_Clear();
    if (run->core->peer_data_type && PyObject_TypeCheck((PyObject*)run->data, run->core->peer_data_type))
        PyErr_Format(PyExc_TypeError, "mjcb_%s callback did not return %s", callback_names[kind],
                     wanted == NUMBER ? "a number" : "an integer");
    else
        PyErr_Format(PyExc_TypeError, "the callback %s must return %s, not %R", callback_names[kind],
                     wanted == NUMBER ? "a number" : "an integer or a bool", Py_TYPE(result));
    *failed = true;
    return 0;
}

static PyGILState_STATE takeLock(const CallbackRun* run)
{
    if (run->foreign) return PyGILState_Ensure();
    PyEval_RestoreThread(run->thread);
    return PyGILState_LOCKED;
}

// A foreign thread ends for Python with each call, and what it raised with it.
static void giveLock(CallbackRun* run, PyGILState_STATE state)
{
    if (!run->foreign) {
        run->thread = PyEval_SaveThread(); // an exception stays set in it
        return;
    }
    if (run->failed) PyErr_Fetch(&run->error[0], &run->error[1], &run->error[2]);
    PyGILState_Release(state);
}

static double call(CallbackRun* run, int kind, int count, int first, int second, Wanted wanted)
{
    if (run->failed) return 0;
    const PyGILState_STATE state = takeLock(run);
    PyObject* result = callWith(run, kind, count, (const int[2]){first, second});
    run->failed = result == NULL;
    const double value = result ? numberFrom(run, result, kind, wanted, &run->failed) : 0;
    Py_XDECREF(result);
    giveLock(run, state);
    return value;
}

static void onPassive(const snModel* Py_UNUSED(m), snData* Py_UNUSED(d), void* user)
{
    call(user, PASSIVE, 0, 0, 0, ANYTHING);
}

static void onControl(const snModel* Py_UNUSED(m), snData* Py_UNUSED(d), void* user)
{
    call(user, CONTROL, 0, 0, 0, ANYTHING);
}

static int onContact(const snModel* Py_UNUSED(m), snData* Py_UNUSED(d), int geom1, int geom2, void* user)
{
    return call(user, CONTACTFILTER, 2, geom1, geom2, INTEGER) != 0;
}

static void onSensor(const snModel* Py_UNUSED(m), snData* Py_UNUSED(d), int stage, void* user)
{
    call(user, SENSOR, 1, stage, 0, ANYTHING);
}

static double onDyn(const snModel* Py_UNUSED(m), snData* Py_UNUSED(d), int actuator, void* user)
{
    return call(user, ACT_DYN, 1, actuator, 0, NUMBER);
}

static double onGain(const snModel* Py_UNUSED(m), snData* Py_UNUSED(d), int actuator, void* user)
{
    return call(user, ACT_GAIN, 1, actuator, 0, NUMBER);
}

static double onBias(const snModel* Py_UNUSED(m), snData* Py_UNUSED(d), int actuator, void* user)
{
    return call(user, ACT_BIAS, 1, actuator, 0, NUMBER);
}

static double onTime(void* user)
{
    return call(user, TIME, 0, 0, 0, NUMBER);
}

// The warm start stands last in the state and is larger where contacts are rigid, which a callback may
// change.
static unsigned int keptNow(const CallbackRun* run)
{
    const snModel* m = ((Model*)run->model)->memory->model;
    return m->opt.contact == run->contact ? kept : SN_STATE_FULLPHYSICS;
}

void rememberState(CallbackRun* run)
{
    if (!run || !run->state || run->failed) return;
    run->warned = run->data->memory->data->warning[SN_WARN_PLUGIN];
    sn_getState(((Model*)run->model)->memory->model, run->data->memory->data, run->state, keptNow(run));
}

bool beginCallbacks(CallbackRun* run, Core* core, Data* data, PyObject* model)
{
    snData* d = data->memory->data;
    *run = (CallbackRun){.core = core, .data = data, .model = model, .outer = d->callback};
    const bool peer = core->peer_data_type && PyObject_TypeCheck((PyObject*)data, core->peer_data_type);
    d->callback = (snCallbacks){.time = peer ? readClock : NULL, .time_every = 8};
    enterRun(run);
    if (data->nested) return true; // inside a callback no other is called
    bool any = false, has[NCALLBACKS];
    for (int k = 0; k < NCALLBACKS; k++) any |= has[k] = findCallback(core, data, k) != NULL;
    const bool plugins = sn_isSerial(((Model*)model)->memory->model);
    if (!any && !plugins) return true;
    const int size = sn_stateSize(((Model*)model)->memory->model, kept);
    run->contact = ((Model*)model)->memory->model->opt.contact;
    run->state = PyMem_Malloc((size_t)size * sizeof *run->state);
    if (!run->state) {
        leaveRun(run);
        PyErr_NoMemory();
        return false;
    }
    rememberState(run);
    if (plugins) beginPlugins(run);
    d->callback = (snCallbacks){
        .user = run,
        .passive = has[PASSIVE] ? onPassive : NULL,
        .control = has[CONTROL] ? onControl : NULL,
        .contactfilter = has[CONTACTFILTER] ? onContact : NULL,
        .sensor = has[SENSOR] ? onSensor : NULL,
        .act_dyn = has[ACT_DYN] ? onDyn : NULL,
        .act_gain = has[ACT_GAIN] ? onGain : NULL,
        .act_bias = has[ACT_BIAS] ? onBias : NULL,
        .time = has[TIME] ? onTime : d->callback.time,
        .time_every = has[TIME] ? 0 : d->callback.time_every,
    };
    return true;
}

bool endCallbacks(CallbackRun* run)
{
    snData* d = run->data->memory->data;
    d->callback = run->outer;
    endPlugins(run);
    leaveRun(run);
    if (run->failed && run->state) {
        sn_setState(((Model*)run->model)->memory->model, d, run->state, keptNow(run));
        d->warning[SN_WARN_PLUGIN] = run->warned;
    }
    PyMem_Free(run->state);
    return !run->failed;
}

// They make contacts anew, call callbacks, or set the state, all of which the function around is at.
bool isForbiddenInside(const char* function)
{
    static const char* const names[] = {
        "step",        "step1",          "step2",           "forward",
        "forwardSkip", "fwdPosition",    "inverse",         "inverseSkip",
        "collision",   "makeConstraint", "Euler",           "RungeKutta",
        "implicit",    "setConst",       "resetData",       "resetDataKeyframe",
        "checkPos",    "checkVel",       "checkAcc",        "setLengthRange",
        "setState",    "transitionFD",   "inverseFD",       "transitionDerivative",
        "stepJVP",     "stepVJP",        "rolloutGradient", "resetDataDebug",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(function, names[i]) == 0) return true;
    return false;
}

// The place of a callback by name, of a data or (None) of the defaults.
static PyObject** findPlace(Core* core, PyObject* data, const char* name)
{
    PyObject** list = NULL;
    if (data == Py_None) list = core->callbacks;
    if (PyObject_TypeCheck(data, core->data_type)) list = ((Data*)data)->callbacks;
    if (!list) {
        PyErr_SetString(PyExc_TypeError, "not a Data");
        return NULL;
    }
    for (int k = 0; k < NCALLBACKS; k++)
        if (strcmp(callback_names[k], name) == 0) return &list[k];
    PyErr_Format(PyExc_ValueError,
                 "there is no callback '%s': passive, control, contactfilter, sensor, act_dyn, act_gain, "
                 "act_bias or time",
                 name);
    return NULL;
}

static PyObject* setCallback(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject *data, *function;
    const char* name;
    if (!PyArg_ParseTuple(args, "OsO", &data, &name, &function)) return NULL;
    PyObject** place = findPlace(core, data, name);
    if (!place) return NULL;
    if (function != Py_None && !PyCallable_Check(function))
        return PyErr_Format(PyExc_TypeError, "the callback %s must be callable or None, not %R", name,
                            Py_TYPE(function));
    PyObject* before = *place;
    *place = function == Py_None ? NULL : Py_NewRef(function);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

static PyObject* getCallback(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    PyObject* data;
    const char* name;
    if (!PyArg_ParseTuple(args, "Os", &data, &name)) return NULL;
    PyObject** place = findPlace(core, data, name);
    if (!place) return NULL;
    return Py_NewRef(*place ? *place : Py_None);
}

static PyObject* setUserWarning(PyObject* module, PyObject* function)
{
    Core* core = PyModule_GetState(module);
    PyObject* before = core->user_warning;
    core->user_warning = function == Py_None ? NULL : Py_NewRef(function);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

static PyObject* getUserWarning(PyObject* module, PyObject* Py_UNUSED(unused))
{
    const Core* core = PyModule_GetState(module);
    return Py_NewRef(core->user_warning ? core->user_warning : Py_None);
}

PyMethodDef callback_functions[] = {
    {"setUserWarning", setUserWarning, METH_O,
     "setUserWarning(function): what takes the texts of warnings, or None."},
    {"getUserWarning", getUserWarning, METH_NOARGS, "getUserWarning(): the function that is set, or None."},
    {"setCallback", setCallback, METH_VARARGS,
     "setCallback(data, name, function): a callback of a data, or (data None) the default of the peer's."},
    {"getCallback", getCallback, METH_VARARGS, "getCallback(data, name): the callback that is set, or None."},
    {NULL, NULL, 0, NULL},
};
