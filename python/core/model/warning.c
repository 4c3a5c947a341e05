// What a data warns of, in Python.
#include "model/model.h"

// What raised a warning last, as 'loop "hip"' or 'dof 3'; "" where its text says all.
static void lastOf(const snModel* m, snWarning kind, int id, char* text, size_t size)
{
    const bool loop = kind == SN_WARN_LOOPOPEN || kind == SN_WARN_LOOPSINGULAR,
               ctrl = kind == SN_WARN_BADCTRL;
    const char* name = loop ? sn_loopName(m, id) : ctrl ? sn_id2name(m, SN_OBJ_ACTUATOR, id) : NULL;
    *text = 0;
    if (name && *name)
        snprintf(text, size, ", last: %s \"%s\"", loop ? "loop" : "actuator", name);
    else if (ctrl)
        snprintf(text, size, ", last: actuator %d", id);
    else if (kind == SN_WARN_BADQPOS)
        snprintf(text, size, ", last: coordinate %d", id);
    else if (kind == SN_WARN_BADQVEL || kind == SN_WARN_BADQACC)
        snprintf(text, size, ", last: dof %d", id);
}

// A warning in words.
static void warningText(const snModel* m, const snData* d, snWarning kind, char* text, size_t size)
{
    sn_warningText(d, kind, text, size);
    const size_t length = strlen(text);
    if (length) lastOf(m, kind, d->warning[kind].lastinfo, text + length, size - length);
}

static const char* const warning_names[] = {
#define X(name, ...) #name,
    SN_WARNING_TABLE(X)
#undef X
};

// To the user's function for warnings, or as a SimulationWarning; false with an exception.
static bool tellText(Core* core, PyObject* function, const char* text)
{
    PyObject* message = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    if (!message) return false;
    bool told;
    if (function) {
        Py_INCREF(function);
        PyObject* result = PyObject_CallFunctionObjArgs(function, message, NULL);
        told = result != NULL;
        Py_XDECREF(result);
        Py_DECREF(function);
    } else
        told = PyErr_WarnEx(core->SimulationWarning, PyUnicode_AsUTF8AndSize(message, NULL), 1) == 0;
    Py_DECREF(message);
    return told;
}

bool warnOfData(Core* core, Data* data)
{
    // programs for the peer, which counts them, look at their numbers themselves
    static const int bad = 1 << SN_WARN_INERTIA | 1 << SN_WARN_BADQPOS | 1 << SN_WARN_BADQVEL |
                           1 << SN_WARN_BADQACC | 1 << SN_WARN_BADCTRL;
    const bool of_peer = PyObject_TypeCheck((PyObject*)data, core->peer_data_type);
    const bool peer = core->user_warning && of_peer;
    const snData* d = data->memory->data;
    const int before = data->warned, kinds = of_peer && !peer ? ~bad : ~0;
    data->warned = 0;
    for (int k = 0; k < SN_NWARNING; k++)
        if (kinds >> k & 1 && d->warning[k].number > 0) data->warned |= 1 << k;
    const int fresh = data->warned & ~before;
    for (int k = 0; k < SN_NWARNING; k++) {
        if (!(fresh >> k & 1)) continue;
        char text[400];
        const int length = peer ? snprintf(text, sizeof text, "%s: ", warning_names[k]) : 0;
        warningText(data->model->memory->model, d, (snWarning)k, text + length, sizeof text - (size_t)length);
        if (!tellText(core, peer ? core->user_warning : NULL, text)) return false;
    }
    return true;
}
