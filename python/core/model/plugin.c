// Plugins in Python: classes whose instances the C data keep, and the functions that call them. They take the
// GIL for the time of a call, whoever runs the library: models with them are for one thread.
//
// In a step they get the Model and Data of the library function that runs, which CallbackRun knows. A data
// that no Python object has, as the library makes some for its own work, has nobody to show: there a plugin
// does nothing, and its failure is counted.
//
// What __init__ and the sizes raise becomes the error of the model, with the exception as its cause. What
// anything else raises stays set in the thread and comes out of the function that called the library; until
// then nothing of Python is called in it.
#include <math.h>
#include "model/model.h"
#include "model/plugin.h"

// A class that is registered; it stays for as long as the process does.
typedef struct PythonPlugin {
    PyObject* class;
    PyObject* asarray; // NumPy's, lent by the module
    int nattribute, nnumber;
    const char* attributes[];
} PythonPlugin;

// The text of the exception that is set, with its type, into an error, whose cause it becomes. One that is no
// fault, as an interrupt, stays set.
static bool tellError(snError* error)
{
    PyObject *type, *value, *trace, *text = NULL, *name = NULL;
    if (!PyErr_ExceptionMatches(PyExc_Exception)) return false;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value) text = PyObject_Str(value);
    if (type) name = PyObject_GetAttrString(type, "__name__");
    const char* words = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    const char* kind = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    const bool plain = kind && !strcmp(kind, "ValueError"); // how a class says that a configuration is wrong
    if (error)
        snprintf(error->message, sizeof error->message, "%s%s%s", plain || !kind ? "" : kind,
                 plain || !kind ? "" : ": ", words ? words : "?");
    PyErr_Clear();
    if (value && trace) PyException_SetTraceback(value, trace);
    keepCause(value);
    Py_XDECREF(text);
    Py_XDECREF(name);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return false;
}

// A dict of what a configuration gives: values [nattribute], NULL or empty where it gives nothing.
static PyObject* configOf(const PythonPlugin* plugin, const char* const* values)
{
    PyObject* config = PyDict_New();
    for (int i = 0; config && i < plugin->nattribute; i++) {
        if (!values[i]) continue;
        PyObject* text = PyUnicode_DecodeUTF8(values[i], (Py_ssize_t)strlen(values[i]), "replace");
        if (!text || PyDict_SetItemString(config, plugin->attributes[i], text) < 0) Py_CLEAR(config);
        Py_XDECREF(text);
    }
    return config;
}

// A new object of the class with a configuration.
static PyObject* makeWith(const PythonPlugin* plugin, const char* const* values)
{
    PyObject* config = configOf(plugin, values);
    PyObject* object = config ? PyObject_CallFunctionObjArgs(plugin->class, config, NULL) : NULL;
    Py_XDECREF(config);
    return object;
}

static PyObject* makeOf(const PythonPlugin* plugin, const snModel* m, int instance)
{
    const char** values = PyMem_Calloc((size_t)plugin->nattribute + 1, sizeof *values);
    if (!values) return PyErr_NoMemory();
    for (int i = 0; i < plugin->nattribute; i++) {
        const char* text = sn_pluginConfig(m, instance, plugin->attributes[i]);
        values[i] = text && *text ? text : NULL;
    }
    PyObject* object = makeWith(plugin, values);
    PyMem_Free((void*)values);
    return object;
}

// Numbers [n] from a sequence that a class gives for `what`.
static bool takeNumbers(PyObject* sequence, double* numbers, int n, const char* what)
{
    const Py_ssize_t count = PySequence_Size(sequence);
    if (count < 0) return false;
    if (count != n) {
        PyErr_Format(PyExc_ValueError, "%s must give %d numbers, not %zd", what, n, count);
        return false;
    }
    for (int i = 0; i < n; i++) {
        PyObject* item = PySequence_GetItem(sequence, i);
        numbers[i] = item ? PyFloat_AsDouble(item) : -1;
        Py_XDECREF(item);
        if (numbers[i] == -1 && PyErr_Occurred()) return false;
    }
    return true;
}

// ---- when a model is compiled

static bool parse(const char* const* values, double* numbers, void* user, snError* error)
{
    const PythonPlugin* plugin = user;
    const PyGILState_STATE lock = PyGILState_Ensure();
    PyObject* object = PyErr_Occurred() ? NULL : makeWith(plugin, values); // says whether that is right
    bool good = object != NULL;
    if (good && plugin->nnumber) {
        PyObject* sequence = PyObject_GetAttrString(object, "numbers");
        good = sequence && takeNumbers(sequence, numbers, plugin->nnumber, "numbers");
        Py_XDECREF(sequence);
    }
    Py_XDECREF(object);
    if (!good) tellError(error);
    PyGILState_Release(lock);
    return good;
}

static int sizeOf(const snModel* m, int instance, const PythonPlugin* plugin, const char* name,
                  snError* error)
{
    const PyGILState_STATE lock = PyGILState_Ensure();
    PyObject* object = PyErr_Occurred() ? NULL : makeOf(plugin, m, instance);
    PyObject* value = object ? PyObject_GetAttrString(object, name) : NULL;
    long size = value ? PyLong_AsLong(value) : -1;
    if (size < 0 && !PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%s is %ld", name, size);
    if (size < 0) tellError(error);
    Py_XDECREF(value);
    Py_XDECREF(object);
    PyGILState_Release(lock);
    return size > INT_MAX ? INT_MAX : (int)size;
}

static int stateSize(const snModel* m, int instance, void* user, snError* error)
{
    return sizeOf(m, instance, user, "state_size", error);
}

static int sensorSize(const snModel* m, int instance, int sensor, void* user, snError* error)
{
    (void)sensor;
    return sizeOf(m, instance, user, "sensor_size", error);
}

// ---- life

static bool init(const snModel* m, snData* d, int instance, void* user, snError* error)
{
    const PyGILState_STATE lock = PyGILState_Ensure();
    d->plugin_data[instance] = PyErr_Occurred() ? NULL : makeOf(user, m, instance);
    const bool good = d->plugin_data[instance] != NULL;
    if (!good) tellError(error);
    PyGILState_Release(lock);
    return good;
}

static void destroy(snData* d, int instance, void* user)
{
    (void)user;
    const PyGILState_STATE lock = PyGILState_Ensure();
    Py_XDECREF((PyObject*)d->plugin_data[instance]);
    d->plugin_data[instance] = NULL;
    PyGILState_Release(lock);
}

// ---- runs, and what is called in them

static CallbackRun* runs; // those that go on, of all threads; under the GIL

void beginPlugins(CallbackRun* run)
{
    run->next = runs;
    runs = run;
}

void endPlugins(CallbackRun* run)
{
    CallbackRun** at = &runs;
    while (*at && *at != run) at = &(*at)->next;
    if (*at) *at = run->next;
}

static CallbackRun* findRun(const snData* d)
{
    for (CallbackRun* run = runs; run; run = run->next)
        if (run->data->memory->data == d) return run;
    return NULL;
}

static _Thread_local CallbackRun* innermost;

void enterRun(CallbackRun* run)
{
    run->around = innermost;
    innermost = run;
}

void leaveRun(const CallbackRun* run)
{
    CallbackRun** at = &innermost;
    while (*at && *at != run) at = &(*at)->around;
    if (*at) *at = run->around;
}

// An exception stays set for the caller of the run, or, where there is none, of what compiles or makes a
// data.
static void keepError(CallbackRun* run)
{
    if (!run) return;
    run->failed = true;
    if (run->foreign) PyErr_Fetch(&run->error[0], &run->error[1], &run->error[2]);
}

// object.method(model, data, instance)
static PyObject* callMethod(CallbackRun* run, PyObject* object, const char* method, int instance)
{
    PyObject* function = PyObject_GetAttrString(object, method);
    PyObject* number = PyLong_FromLong(instance);
    PyObject* result = NULL;
    if (function && number) {
        const unsigned long before = atomic_load(&run->data->callback_thread);
        atomic_store(&run->data->callback_thread, PyThread_get_thread_ident());
        result =
            PyObject_CallFunctionObjArgs(function, run->model, (PyObject*)run->data, number, (PyObject*)NULL);
        atomic_store(&run->data->callback_thread, before);
    }
    Py_XDECREF(number);
    Py_XDECREF(function);
    return result;
}

// False, which is counted, where there is no run; else an exception comes out of it.
static bool callStage(snData* d, int instance, const char* method)
{
    const PyGILState_STATE lock = PyGILState_Ensure();
    CallbackRun* run = findRun(d);
    if (run && !run->failed && !PyErr_Occurred()) {
        PyObject* result = callMethod(run, d->plugin_data[instance], method, instance);
        run->failed = false; // what it caught is done with
        if (!result) keepError(run);
        Py_XDECREF(result);
    }
    PyGILState_Release(lock);
    return run != NULL;
}

#define STAGE(function, method)                                                                              \
    static bool function(const snModel* m, snData* d, int instance, void* user)                              \
    {                                                                                                        \
        (void)m, (void)user;                                                                                 \
        return callStage(d, instance, method);                                                               \
    }
STAGE(passive, "passive")
STAGE(actDot, "act_dot")
STAGE(actuator, "actuator")
STAGE(sensor, "sensor")
STAGE(advance, "advance")
#undef STAGE

static void reset(const snModel* m, snData* d, int instance, void* user)
{
    (void)user;
    const PyGILState_STATE lock = PyGILState_Ensure();
    if (!PyErr_Occurred()) {
        PyObject* state = PyObject_CallMethod(d->plugin_data[instance], "reset", NULL);
        double* numbers = sn_pluginState(m, d, instance);
        if (!state || !takeNumbers(state, numbers, m->plugin_statenum[instance], "reset"))
            keepError(findRun(d));
        Py_XDECREF(state);
    }
    PyGILState_Release(lock);
}

// ---- shapes

static PyObject* tupleOf(const double* x, int n)
{
    PyObject* tuple = PyTuple_New(n);
    bool complete = tuple != NULL;
    for (int i = 0; complete && i < n; i++) {
        PyObject* item = PyFloat_FromDouble(x[i]);
        complete = item && PyTuple_SetItem(tuple, i, item) == 0;
    }
    if (!complete) Py_CLEAR(tuple);
    return tuple;
}

// class.method(numbers, point), point may be NULL. NULL with an exception.
static PyObject* callShape(const PythonPlugin* plugin, const char* method, const double* numbers,
                           const double* point)
{
    PyObject* first = tupleOf(numbers, plugin->nnumber);
    PyObject* second = point ? tupleOf(point, 3) : NULL;
    PyObject* function = PyObject_GetAttrString(plugin->class, method);
    PyObject* result = first && function && (second || !point)
                           ? PyObject_CallFunctionObjArgs(function, first, second, (PyObject*)NULL)
                           : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    Py_XDECREF(function);
    return result;
}

// What a shape raises ends the function that this thread is in, if it has a data: else it is a compilation.
static void failShape(void)
{
    keepError(innermost);
}

// NAN with an exception.
static double distanceAt(const PythonPlugin* plugin, const double* numbers, const double point[3])
{
    PyObject* result = callShape(plugin, "distance", numbers, point);
    const double distance = result ? PyFloat_AsDouble(result) : -1;
    Py_XDECREF(result);
    return PyErr_Occurred() ? (double)NAN : distance;
}

enum { SIDES = 6 };
static const double shift = 1e-6; // m, of differences

// The points before and behind one along each axis.
static void putSides(const double point[3], double sides[3 * SIDES])
{
    for (int i = 0; i < SIDES; i++) {
        memcpy(sides + 3 * i, point, 3 * sizeof *sides);
        sides[3 * i + i / 2] += i % 2 ? -shift : shift;
    }
}

static void differences(const double distance[SIDES], double gradient[3])
{
    for (int k = 0; k < 3; k++) gradient[k] = (distance[2 * k] - distance[2 * k + 1]) / (2 * shift);
}

// By differences where the class has none of its own. False with an exception.
static bool gradientAt(const PythonPlugin* plugin, const double* numbers, const double point[3],
                       double gradient[3])
{
    if (PyObject_HasAttrString(plugin->class, "gradient")) {
        PyObject* result = callShape(plugin, "gradient", numbers, point);
        const bool good = result && takeNumbers(result, gradient, 3, "gradient");
        Py_XDECREF(result);
        return good;
    }
    double sides[3 * SIDES], beside[SIDES];
    putSides(point, sides);
    for (int i = 0; i < SIDES; i++) {
        beside[i] = distanceAt(plugin, numbers, sides + 3 * i);
        if (PyErr_Occurred()) return false;
    }
    differences(beside, gradient);
    return true;
}

static double distance(const double* numbers, const double point[3], double gradient[3], void* user)
{
    const PyGILState_STATE lock = PyGILState_Ensure();
    double result = NAN;
    if (gradient) memset(gradient, 0, 3 * sizeof *gradient);
    if (!PyErr_Occurred()) {
        result = distanceAt(user, numbers, point);
        if (gradient && !PyErr_Occurred() && !gradientAt(user, numbers, point, gradient)) result = NAN;
        if (PyErr_Occurred()) failShape();
    }
    PyGILState_Release(lock);
    return result;
}

static void box(const double* numbers, double result[6], void* user)
{
    const PythonPlugin* plugin = user;
    const PyGILState_STATE lock = PyGILState_Ensure();
    memset(result, 0, 6 * sizeof *result);
    if (!PyErr_Occurred()) {
        PyObject* sequence = callShape(plugin, "box", numbers, NULL);
        if (!sequence || !takeNumbers(sequence, result, 6, "box")) memset(result, 0, 6 * sizeof *result);
        Py_XDECREF(sequence);
    }
    PyGILState_Release(lock);
}

// ---- many points of a shape at once

// An array (n,3) of points that is nobody's but Python's.
static PyObject* arrayOf(const PythonPlugin* plugin, const double* points, Py_ssize_t n)
{
    PyObject* bytes = PyBytes_FromStringAndSize((const char*)points, 3 * n * (Py_ssize_t)sizeof *points);
    PyObject* view = bytes ? PyMemoryView_FromObject(bytes) : NULL;
    PyObject* shaped = view ? PyObject_CallMethod(view, "cast", "s(nn)", "d", n, (Py_ssize_t)3) : NULL;
    PyObject* array = shaped ? PyObject_CallFunctionObjArgs(plugin->asarray, shaped, NULL) : NULL;
    Py_XDECREF(shaped);
    Py_XDECREF(view);
    Py_XDECREF(bytes);
    return array;
}

// class.method(numbers, points) into so many numbers; false with an exception.
static bool callMany(const PythonPlugin* plugin, const char* method, const double* numbers, PyObject* points,
                     double* out, size_t count)
{
    Py_buffer buffer = {.obj = NULL};
    PyObject* first = tupleOf(numbers, plugin->nnumber);
    PyObject* result = first ? PyObject_CallMethod(plugin->class, method, "OO", first, points) : NULL;
    PyObject* array = result ? PyObject_CallFunction(plugin->asarray, "Oss", result, "float64", "C") : NULL;
    bool good = array && PyObject_GetBuffer(array, &buffer, PyBUF_C_CONTIGUOUS) == 0;
    if (good && (size_t)buffer.len != count * sizeof *out) {
        PyErr_Format(PyExc_ValueError, "%s must give %zu numbers, not %zu", method, count,
                     (size_t)buffer.len / sizeof *out);
        good = false;
    }
    if (good) memcpy(out, buffer.buf, count * sizeof *out);
    if (buffer.obj) PyBuffer_Release(&buffer);
    Py_XDECREF(array);
    Py_XDECREF(result);
    Py_XDECREF(first);
    return good;
}

static bool distancesAt(const PythonPlugin* plugin, const double* numbers, size_t n, const double* points,
                        double* out)
{
    PyObject* array = arrayOf(plugin, points, (Py_ssize_t)n);
    const bool good = array && callMany(plugin, "distances", numbers, array, out, n);
    Py_XDECREF(array);
    return good;
}

static bool differencesAt(const PythonPlugin* plugin, const double* numbers, size_t n, const double* points,
                          double* gradients)
{
    double* sides = malloc(n * SIDES * 4 * sizeof *sides);
    if (!sides) return PyErr_NoMemory() != NULL;
    double* beside = sides + 3 * SIDES * n;
    for (size_t i = 0; i < n; i++) putSides(points + 3 * i, sides + 3 * SIDES * i);
    const bool good = distancesAt(plugin, numbers, SIDES * n, sides, beside);
    for (size_t i = 0; good && i < n; i++) differences(beside + SIDES * i, gradients + 3 * i);
    free(sides);
    return good;
}

static bool gradientsAt(const PythonPlugin* plugin, const double* numbers, size_t n, const double* points,
                        double* out)
{
    if (PyObject_HasAttrString(plugin->class, "gradients")) {
        PyObject* array = arrayOf(plugin, points, (Py_ssize_t)n);
        const bool good = array && callMany(plugin, "gradients", numbers, array, out, 3 * n);
        Py_XDECREF(array);
        return good;
    }
    if (!PyObject_HasAttrString(plugin->class, "gradient"))
        return differencesAt(plugin, numbers, n, points, out);
    for (size_t i = 0; i < n; i++)
        if (!gradientAt(plugin, numbers, points + 3 * i, out + 3 * i)) return false;
    return true;
}

static void distances(const double* numbers, int n, const double* points, double* out, double* gradients,
                      void* user)
{
    const PyGILState_STATE lock = PyGILState_Ensure();
    const bool good = !PyErr_Occurred() && distancesAt(user, numbers, (size_t)n, points, out) &&
                      (!gradients || gradientsAt(user, numbers, (size_t)n, points, gradients));
    for (int i = 0; i < n && !good; i++) out[i] = NAN;
    if (!good) failShape();
    PyGILState_Release(lock);
}

// ---- registering

// Keeps the class and the texts of its attributes; NULL with an exception.
static PythonPlugin* keepClass(PyObject* class, PyObject* attributes, int nnumber)
{
    const Py_ssize_t n = PyTuple_Size(attributes);
    PythonPlugin* plugin = calloc(1, sizeof *plugin + (size_t)n * sizeof *plugin->attributes);
    if (!plugin) return (PythonPlugin*)PyErr_NoMemory();
    plugin->nattribute = (int)n;
    plugin->nnumber = nnumber;
    for (Py_ssize_t i = 0; i < n; i++) {
        plugin->attributes[i] = textOf(PyTuple_GetItem(attributes, i));
        if (plugin->attributes[i]) continue;
        free(plugin);
        return NULL;
    }
    plugin->class = Py_NewRef(class);
    Py_INCREF(attributes); // whose texts are lent
    return plugin;
}

static PyObject* registerPlugin(PyObject* module, PyObject* args)
{
    enum { PASSIVE = 1, ACT_DOT = 2, ACTUATOR = 4, SENSOR = 8, ADVANCE = 16, SHAPE = 32, MANY = 64 };
    PyObject* class, *attributes, *name;
    int nnumber, stage, can;
    if (!PyArg_ParseTuple(args, "OUO!iii", &class, &name, &PyTuple_Type, &attributes, &nnumber, &stage, &can))
        return NULL;
    const char* text = textOf(name);
    PythonPlugin* plugin = text ? keepClass(class, attributes, nnumber) : NULL;
    if (!plugin) return NULL;
    plugin->asarray = ((Core*)PyModule_GetState(module))->asarray;
    const snPlugin row = {
        .size = sizeof row,
        .name = text,
        .attributes = plugin->attributes,
        .nattribute = plugin->nattribute,
        .user = plugin,
        .serial = true,
        .nnumber = nnumber,
        .parse = parse,
        .state_size = stateSize,
        .sensor_size = sensorSize,
        .sensor_stage = stage,
        .init = init,
        .destroy = destroy,
        .reset = reset,
        .passive = can & PASSIVE ? passive : NULL,
        .act_dot = can & ACT_DOT ? actDot : NULL,
        .actuator = can & ACTUATOR ? actuator : NULL,
        .sensor = can & SENSOR ? sensor : NULL,
        .advance = can & ADVANCE ? advance : NULL,
        .sdf_distance = can & SHAPE ? distance : NULL,
        .sdf_box = can & SHAPE ? box : NULL,
        .sdf_distances = can & MANY ? distances : NULL,
    };
    snError error = {.status = SN_STATUS_OK};
    if (sn_registerPlugin(&row, &error) == SN_STATUS_OK) Py_RETURN_NONE;
    Py_DECREF(plugin->class);
    Py_DECREF(attributes);
    free(plugin);
    raiseError(PyModule_GetState(module), &error, NULL);
    return NULL;
}

static PyObject* loadPluginLibrary(PyObject* module, PyObject* path)
{
    PyObject* bytes;
    snError error = {.status = SN_STATUS_OK};
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    char* text = PyBytes_AsString(bytes);
    const snStatus status = text ? sn_loadPluginLibrary(text, &error) : SN_STATUS_ARGUMENT;
    if (text && status != SN_STATUS_OK) raiseError(PyModule_GetState(module), &error, text);
    Py_DECREF(bytes);
    if (status != SN_STATUS_OK) return NULL;
    Py_RETURN_NONE;
}

static PyObject* listPlugins(PyObject* Py_UNUSED(module), PyObject* Py_UNUSED(unused))
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list && i < sn_pluginCount(); i++) {
        const snPlugin* p = sn_pluginAt(i);
        PyObject* keys = PyTuple_New(p->nattribute);
        for (int k = 0; keys && k < p->nattribute; k++)
            PyTuple_SetItem(keys, k, PyUnicode_FromString(p->attributes[k]));
        const int can = (p->actuator != NULL) | (p->sensor != NULL) << 1 | (p->passive != NULL) << 2 |
                        (p->sdf_distance != NULL) << 3;
        PyObject* row = keys ? Py_BuildValue("sOi", p->name, keys, can) : NULL;
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
        Py_XDECREF(keys);
    }
    return list;
}

PyMethodDef plugin_functions[] = {
    {"registerPlugin", registerPlugin, METH_VARARGS,
     "registerPlugin(class, name, attributes, nnumber, stage, can): what sinew.register_plugin calls."},
    {"loadPluginLibrary", loadPluginLibrary, METH_O, "loadPluginLibrary(path): loads a library of plugins."},
    {"listPlugins", listPlugins, METH_NOARGS,
     "listPlugins(): name, attributes and capabilities (actuator 1, sensor 2, passive 4, sdf 8) of each "
     "plugin."},
    {NULL, NULL, 0, NULL},
};
