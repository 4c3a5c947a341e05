// Exceptions: what the library reports as an snError, in Python's words.
#include "base/base.h"
#include "base/platform/files.h"

int makeErrors(Core* core, PyObject* module)
{
    core->ModelError = PyErr_NewExceptionWithDoc(
        "sinew.ModelError",
        "A model is wrong.\n\nAttributes\n----------\nfile : str\n    File or asset, empty if there is "
        "none.\n"
        "line : int\n    Line in the file, from 1; 0 if there is none.\nstatus : int\n    Code of the "
        "library.",
        PyExc_ValueError, NULL);
    if (!core->ModelError) return -1;
    PyObject* bases = PyTuple_Pack(2, core->ModelError, PyExc_NotImplementedError);
    if (!bases) return -1;
    core->NotSupportedError = PyErr_NewExceptionWithDoc(
        "sinew.NotSupportedError", "The model uses something that Sinew does not support yet.", bases, NULL);
    Py_DECREF(bases);
    if (!core->NotSupportedError) return -1;
    bases = PyTuple_Pack(2, PyExc_TypeError, PyExc_ValueError);
    if (!bases) return -1;
    core->ShapeError =
        PyErr_NewExceptionWithDoc("sinew.ShapeError", "An array has a wrong shape or type.", bases, NULL);
    Py_DECREF(bases);
    if (!core->ShapeError) return -1;
    bases = PyTuple_Pack(2, PyExc_TypeError, PyExc_OverflowError);
    if (!bases) return -1;
    core->IntegerError =
        PyErr_NewExceptionWithDoc("sinew.IntegerError", "An integer is out of range.", bases, NULL);
    Py_DECREF(bases);
    if (!core->IntegerError) return -1;
    core->SimulationWarning = PyErr_NewExceptionWithDoc("sinew.SimulationWarning",
                                                        "A simulation goes on with less than it should: its "
                                                        "memory is full and contacts or constraint rows are "
                                                        "dropped, a number is NaN, infinite or huge, "
                                                        "a closed loop is open or at a singular pose, "
                                                        "or rigid contact is not solved.",
                                                        PyExc_RuntimeWarning, NULL);
    if (!core->SimulationWarning) return -1;
    if (PyModule_AddObjectRef(module, "ModelError", core->ModelError) < 0 ||
        PyModule_AddObjectRef(module, "ShapeError", core->ShapeError) < 0 ||
        PyModule_AddObjectRef(module, "IntegerError", core->IntegerError) < 0 ||
        PyModule_AddObjectRef(module, "SimulationWarning", core->SimulationWarning) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "NotSupportedError", core->NotSupportedError);
}

static PyObject* classOf(Core* core, const snError* error, const char* path)
{
    const char* file = error->file[0] ? error->file : path;
    switch (error->status) {
    case SN_STATUS_NO_MEMORY: return PyExc_MemoryError;
    case SN_STATUS_FILE: return file && !sn_exists(file) ? PyExc_FileNotFoundError : PyExc_OSError;
    case SN_STATUS_UNSUPPORTED: return core->NotSupportedError;
    case SN_STATUS_ARGUMENT: return PyExc_ValueError;
    default: return core->ModelError;
    }
}

static int setPlace(PyObject* exception, const snError* error)
{
    PyObject* file = PyUnicode_DecodeFSDefault(error->file);
    PyObject* line = PyLong_FromLong(error->line);
    PyObject* status = PyLong_FromLong(error->status);
    int result = -1;
    if (file && line && status)
        result = PyObject_SetAttrString(exception, "file", file) < 0 ||
                         PyObject_SetAttrString(exception, "line", line) < 0 ||
                         PyObject_SetAttrString(exception, "status", status) < 0
                     ? -1
                     : 0;
    Py_XDECREF(file);
    Py_XDECREF(line);
    Py_XDECREF(status);
    return result;
}

static _Thread_local PyObject* cause; // of the error of the call that this thread is in

void keepCause(PyObject* exception)
{
    Py_XDECREF(cause);
    cause = exception;
}

// Gives the exception that is set a note: where in the model it happened.
static void addNote(PyObject* note)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject* done = value && note ? PyObject_CallMethod(value, "add_note", "O", note) : NULL;
    if (!done) PyErr_Clear();
    Py_XDECREF(done);
    PyErr_Restore(type, value, trace);
}

void raiseError(Core* core, const snError* error, const char* path)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace); // nothing new may be made while one is set
    const char* text = error->message[0] ? error->message : sn_statusText(error->status);
    PyObject* message = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    if (type) {
        PyErr_Restore(type, value, trace);
        addNote(message);
        keepCause(NULL);
        Py_XDECREF(message);
        return;
    }
    PyObject* class = classOf(core, error, path);
    PyObject* exception = message ? PyObject_CallFunctionObjArgs(class, message, NULL) : NULL;
    if (exception && setPlace(exception, error) == 0) {
        PyException_SetCause(exception, cause); // which it takes over
        cause = NULL;
        PyErr_SetObject(class, exception);
    }
    Py_XDECREF(message);
    Py_XDECREF(exception);
}

bool raiseFatal(const char* function, const char* message)
{
    PyObject* module = PyImport_ImportModule("sinew._fatal");
    PyObject* type = module ? PyObject_GetAttrString(module, "FatalError") : NULL;
    if (type) PyErr_Format(type, "%s: %s", function, message);
    Py_XDECREF(type);
    Py_XDECREF(module);
    return false;
}

const char* textOf(PyObject* text)
{
    Py_ssize_t size;
    const char* utf8 = PyUnicode_AsUTF8AndSize(text, &size);
    if (!utf8 || strlen(utf8) == (size_t)size) return utf8;
    PyErr_SetString(PyExc_ValueError, "embedded null character in a name");
    return NULL;
}

// [(message, file, line), ...]
static PyObject* listWarnings(const snWarnings* warnings)
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list && i < warnings->count + (warnings->more > 0); i++) {
        const snModelWarning* w = &warnings->list[i];
        char rest[60];
        snprintf(rest, sizeof rest, "and %d more", warnings->more);
        const bool told = i < warnings->count;
        const char *text = told ? w->message : rest, *file = told ? w->file : "";
        PyObject* message = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
        PyObject* name = PyUnicode_DecodeFSDefault(file);
        PyObject* row = message && name ? Py_BuildValue("OOi", message, name, told ? w->line : 0) : NULL;
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
        Py_XDECREF(name);
        Py_XDECREF(message);
    }
    return list;
}

PyObject* tellWarnings(snWarnings* warnings, PyObject* result)
{
    if (result && warnings->count) {
        PyObject* list = listWarnings(warnings);
        PyObject* module = list ? PyImport_ImportModule("sinew._warn") : NULL;
        PyObject* told = module ? PyObject_CallMethod(module, "tell", "O", list) : NULL;
        if (!told) Py_CLEAR(result);
        Py_XDECREF(told);
        Py_XDECREF(module);
        Py_XDECREF(list);
    }
    sn_freeWarnings(warnings);
    return result;
}
