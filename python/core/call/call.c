// Calls of library functions from Python: reads the signatures of the function table once, checks every
// argument against them, and runs the function with the GIL released and the data taken.
#include "call/call.h"
#include "peer/peer_fields.h"

// ---- signatures ------------------------------------------------------------------------------------------

static int sizeIndex(const char* name, size_t length)
{
    int count;
    const char* const* sizes = sn_modelSizes(&count);
    for (int i = 0; i < count; i++)
        if (strlen(sizes[i]) == length && strncmp(sizes[i], name, length) == 0) return i;
    return -1;
}

static bool readExtent(const char* text, size_t length, Extent* extent)
{
    static const struct {
        const char* name;
        int kind;
    } special[] = {{"nefc", EXTENT_NEFC},
                   {"ncon", EXTENT_NCON},
                   {"nlooprow", EXTENT_NLOOPROW},
                   {"ny", EXTENT_NY},
                   {"nx", EXTENT_NX},
                   {"state", EXTENT_STATE},
                   {"object", EXTENT_OBJECT},
                   {"parameters", EXTENT_PARAMETERS}};
    if (text[0] >= '0' && text[0] <= '9') {
        *extent = (Extent){EXTENT_NUMBER, atoi(text)};
        return true;
    }
    if (length == 1 && text[0] >= 'a' && text[0] <= 'z') {
        *extent = (Extent){EXTENT_FREE, text[0] - 'a'};
        return true;
    }
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        if (strlen(special[i].name) != length || strncmp(special[i].name, text, length)) continue;
        *extent = (Extent){special[i].kind, 0};
        return true;
    }
    *extent = (Extent){EXTENT_SIZE, sizeIndex(text, length)};
    return extent->value >= 0;
}

// "r(3,nv)", "w?(nv)", "ri(*)", "index(nbody)", "int=0", "float?", "str"
static bool readKind(const char* text, Param* param)
{
    const char* open = strchr(text, '(');
    if (text[0] == 'r' || text[0] == 'w') {
        param->kind = text[0] == 'r' ? PARAM_READ : PARAM_WRITE;
        param->item = text[1] == 'i' || text[1] == 'b' || text[1] == 'f' ? text[1] : 'd';
        param->optional = text[param->item == 'd' ? 1 : 2] == '?';
        if (open && strcmp(open, "(*)") == 0) return true;
    } else if (strchr("M_", text[0])) {
        const size_t length = strcspn(text, "?");
        param->kind = PARAM_RECORD;
        param->optional = text[length] == '?';
        return snprintf(param->record, sizeof param->record, "%.*s", (int)length, text) <
               (int)sizeof param->record;
    } else if (strncmp(text, "index", 5) == 0) {
        param->kind = PARAM_INDEX;
    } else {
        param->kind = strcmp(text, "int64") == 0  ? PARAM_INT64
                      : strcmp(text, "size") == 0 ? PARAM_SIZE
                      : text[0] == 'i'            ? PARAM_INT
                      : text[0] == 'f'            ? PARAM_FLOAT
                                                  : PARAM_STR;
        param->optional = strchr(text, '?') != NULL;
        const char* initial = strchr(text, '=');
        param->defaulted = initial != NULL;
        if (initial) param->initial = atoi(initial + 1);
        return true;
    }
    if (!open) return false;
    for (const char* at = open + 1; *at && *at != ')';) {
        const size_t length = strcspn(at, ",)");
        if (param->ndim == MAX_DIMS || !readExtent(at, length, &param->extents[param->ndim++])) return false;
        at += length + (at[length] == ',');
    }
    return true;
}

// "m d body:index(nbody) jacp:w?(3,nv) -> float"
static bool readSignature(const char* text, Function* f)
{
    while (*text) {
        const size_t length = strcspn(text, " ");
        char word[64];
        if (length >= sizeof word) return false;
        memcpy(word, text, length);
        word[length] = 0;
        text += length;
        while (*text == ' ') text++;
        if (strcmp(word, "->") == 0) {
            f->result = text[0] == 'i'   ? RESULT_INT
                        : text[0] == 'f' ? RESULT_FLOAT
                        : text[0] == 's' ? RESULT_STR
                                         : RESULT_PRINT;
            if (text[0] == 'l') f->result = RESULT_LIST;
            return true;
        }
        if (f->nparams == MAX_PARAMS) return false;
        Param* param = &f->params[f->nparams++];
        char* colon = strchr(word, ':');
        if (colon) *colon = 0;
        if (strlen(word) >= sizeof param->name) return false;
        strcpy(param->name, word);
        if (colon && !readKind(colon + 1, param)) return false;
        if (!colon) param->kind = word[0] == 'm' ? PARAM_MODEL : PARAM_DATA;
    }
    return true;
}

// "m: MjModel, jacp: ndarray | None, nstep: int = 1", one parameter of it.
static int describeParam(char* text, size_t room, const Param* p)
{
    static const char* const types[] = {
        [PARAM_MODEL] = "MjModel", [PARAM_DATA] = "MjData", [PARAM_INT] = "int",   [PARAM_INT64] = "int",
        [PARAM_SIZE] = "int",      [PARAM_FLOAT] = "float", [PARAM_STR] = "str",   [PARAM_READ] = "ArrayLike",
        [PARAM_WRITE] = "ndarray", [PARAM_INDEX] = "int",   [PARAM_RECORD] = NULL,
    };
    const char* type = types[p->kind] ? types[p->kind] : p->record + (p->record[0] == '_');
    const int at = snprintf(text, room, "%s: %s%s", p->name, type, p->optional ? " | None" : "");
    return at + (p->defaulted ? snprintf(text + at, room - (size_t)at, " = %d", p->initial) : 0);
}

// "name($module, m, d, nstep=1)\n--\n\ndoc", from which Python makes __text_signature__ and __doc__. That of
// a function of the peer's begins with "name(m: MjModel, d: MjData, nstep: int = 1) -> None", as at the peer.
static char* makeDoc(const Function* f, const char* name, bool peer)
{
    static const char* const results[] = {
        [RESULT_NONE] = "None", [RESULT_INT] = "int",    [RESULT_FLOAT] = "float",
        [RESULT_STR] = "str",   [RESULT_PRINT] = "None", [RESULT_LIST] = "list[str]",
    };
    const size_t room = strlen(f->row->doc) + 2 * strlen(name) + 80 + (size_t)f->nparams * 100;
    char* doc = PyMem_Malloc(room);
    if (!doc) return NULL;
    int at = snprintf(doc, room, "%s($module", name);
    for (int i = 0; i < f->nparams; i++) {
        const Param* p = &f->params[i];
        at += snprintf(doc + at, room - (size_t)at, ", %s", p->name);
        if (p->defaulted) at += snprintf(doc + at, room - (size_t)at, "=%d", p->initial);
    }
    at += snprintf(doc + at, room - (size_t)at, ")\n--\n\n");
    if (peer) at += snprintf(doc + at, room - (size_t)at, "%s(", name);
    for (int i = 0; peer && i < f->nparams; i++) {
        if (i) at += snprintf(doc + at, room - (size_t)at, ", ");
        at += describeParam(doc + at, room - (size_t)at, &f->params[i]);
    }
    if (peer) at += snprintf(doc + at, room - (size_t)at, ") -> %s\n\n", results[f->result]);
    snprintf(doc + at, room - (size_t)at, "%s", f->row->doc);
    return doc;
}

static int makeFunction(Function* f, PyMethodDef* method, const FunctionRow* row)
{
    f->row = row;
    if (!readSignature(row->signature, f)) {
        PyErr_Format(PyExc_SystemError, "sinew: bad signature of %s", row->name);
        return -1;
    }
    f->doc = makeDoc(f, row->name, strncmp(row->name, "mj", 2) == 0);
    if (!f->doc) {
        PyErr_NoMemory();
        return -1;
    }
    *method = (PyMethodDef){row->name, (PyCFunction)(void (*)(void))row->python,
                            METH_FASTCALL | METH_KEYWORDS, f->doc};
    return 0;
}

int makeFunctions(Core* core, PyObject* module)
{
    const int count = nfunctions + narithmetic + nvisual;
    core->functions = PyMem_Calloc((size_t)count, sizeof *core->functions);
    PyMethodDef* methods = core->methods = PyMem_Calloc((size_t)count + 1, sizeof *methods);
    if (!core->functions || !methods) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < count; i++) {
        const FunctionRow* row = i < nfunctions                 ? &function_rows[i]
                                 : i < nfunctions + narithmetic ? &arithmetic_rows[i - nfunctions]
                                                                : &visual_rows[i - nfunctions - narithmetic];
        if (makeFunction(&core->functions[i], &methods[i], row) < 0) return -1;
    }
    return PyModule_AddFunctions(module, methods);
}

void freeFunctions(Core* core)
{
    for (int i = 0; core->functions && i < nfunctions + narithmetic + nvisual; i++)
        PyMem_Free(core->functions[i].doc);
    PyMem_Free(core->functions);
    PyMem_Free(core->methods);
    for (int i = 0; core->peer_functions && i < nfunctions; i++) PyMem_Free(core->peer_functions[i].doc);
    PyMem_Free(core->peer_functions);
    core->functions = NULL;
    core->methods = NULL;
    core->peer_functions = NULL;
}

PyObject* peerFunction(PyObject* module, PyObject* args)
{
    Core* core = PyModule_GetState(module);
    const char *ours, *theirs;
    int i = 0;
    if (!PyArg_ParseTuple(args, "ss", &ours, &theirs)) return NULL;
    while (i < nfunctions && strcmp(function_rows[i].name, ours)) i++;
    if (i == nfunctions) return PyErr_Format(PyExc_ValueError, "there is no function %s", ours);
    if (!core->peer_functions)
        core->peer_functions = PyMem_Calloc((size_t)nfunctions, sizeof *core->peer_functions);
    if (!core->peer_functions) return PyErr_NoMemory();
    PeerFunction* p = &core->peer_functions[i];
    if (!p->doc) {
        snprintf(p->name, sizeof p->name, "%s", theirs);
        p->doc = makeDoc(&core->functions[i], p->name, true);
        if (!p->doc) return PyErr_NoMemory();
        p->method = core->methods[i];
        p->method.ml_name = p->name;
        p->method.ml_doc = p->doc;
    }
    PyObject* place = PyUnicode_FromString("sinew.mujoco");
    PyObject* function = place ? PyCFunction_NewEx(&p->method, module, place) : NULL;
    Py_XDECREF(place);
    return function;
}

// ---- arguments -------------------------------------------------------------------------------------------

// One call on its way: the Python objects beside what the library gets.
typedef struct Frame {
    Core* core;
    const Function* f;
    Data* data;
    PyObject* objects[MAX_PARAMS];
    Py_buffer buffers[MAX_PARAMS];
    Call call;
} Frame;

static bool bindKeyword(Frame* frame, PyObject* name, PyObject* value)
{
    const Function* f = frame->f;
    const char* text = PyUnicode_AsUTF8AndSize(name, NULL);
    if (!text) return false;
    for (int k = 0; k < f->nparams; k++) {
        if (strcmp(f->params[k].name, text)) continue;
        if (frame->objects[k]) {
            PyErr_Format(PyExc_TypeError, "%s: %s is given twice", f->row->name, text);
            return false;
        }
        frame->objects[k] = value;
        return true;
    }
    PyErr_Format(PyExc_TypeError, "%s has no argument %s", f->row->name, text);
    return false;
}

static bool bindArguments(Frame* frame, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames)
{
    const Function* f = frame->f;
    if (nargs > f->nparams) {
        PyErr_Format(PyExc_TypeError, "%s takes %d arguments, not %zd", f->row->name, f->nparams, nargs);
        return false;
    }
    for (Py_ssize_t i = 0; i < nargs; i++) frame->objects[i] = args[i];
    const Py_ssize_t nkeywords = kwnames ? PyTuple_Size(kwnames) : 0;
    for (Py_ssize_t i = 0; i < nkeywords; i++)
        if (!bindKeyword(frame, PyTuple_GetItem(kwnames, i), args[nargs + i])) return false;
    for (int k = 0; k < f->nparams; k++) {
        if (frame->objects[k] || f->params[k].defaulted) continue;
        PyErr_Format(PyExc_TypeError, "%s misses its argument %s", f->row->name, f->params[k].name);
        return false;
    }
    return true;
}

static bool getInt(Frame* frame, int k)
{
    const Param* p = &frame->f->params[k];
    int* result = &frame->call.args[k].i;
    if (!frame->objects[k]) {
        *result = p->initial;
        return true;
    }
    char name[80];
    long long value;
    snprintf(name, sizeof name, "%s: %s", frame->f->row->name, p->name);
    if (!getInteger(frame->objects[k], name, INT_MIN, INT_MAX, &value)) return false;
    *result = (int)value;
    return true;
}

static bool getRecord(Frame* frame, int k)
{
    const Param* p = &frame->f->params[k];
    PyObject* object = frame->objects[k];
    PyTypeObject* type = recordType(frame->core, p->record);
    if (!type) return false;
    if (p->optional && object == Py_None) return true;
    if (PyObject_TypeCheck(object, type)) {
        frame->call.args[k].record = ((Record*)object)->address;
        return true;
    }
    PyErr_Format(PyExc_TypeError, "%s: %s must be a %s, not %R", frame->f->row->name, p->name,
                 p->record + (p->record[0] == '_'), Py_TYPE(object));
    return false;
}

// The text in bytes; NULL for what is none, and with an exception where it has a null character.
static const char* bytesOf(PyObject* object)
{
    char* text = NULL;
    if (!PyBytes_Check(object) || PyBytes_AsStringAndSize(object, &text, NULL) < 0) return NULL;
    return text;
}

static bool getScalar(Frame* frame, int k)
{
    const Param* p = &frame->f->params[k];
    PyObject* object = frame->objects[k];
    Arg* arg = &frame->call.args[k];
    switch (p->kind) {
    case PARAM_MODEL:
        if (!PyObject_TypeCheck(object, frame->core->model_type)) break;
        frame->call.m = ((Model*)object)->memory->model;
        return true;
    case PARAM_DATA:
        if (!PyObject_TypeCheck(object, frame->core->data_type)) break;
        frame->data = (Data*)object;
        frame->call.d = frame->data->memory->data;
        return true;
    case PARAM_INT:
    case PARAM_INDEX: return getInt(frame, k);
    case PARAM_INT64: arg->i64 = PyLong_AsLongLong(object); return arg->i64 != -1 || !PyErr_Occurred();
    case PARAM_SIZE:
        arg->i64 = (int64_t)PyLong_AsUnsignedLongLong(object);
        return arg->i64 != -1 || !PyErr_Occurred();
    case PARAM_FLOAT:
        if (p->optional && object == Py_None) return true;
        arg->f = PyFloat_AsDouble(object);
        return arg->f != -1 || !PyErr_Occurred();
    case PARAM_STR:
        arg->s = PyUnicode_Check(object) ? textOf(object) : bytesOf(object);
        if (arg->s || PyErr_Occurred()) return arg->s != NULL;
        PyErr_Format(PyExc_TypeError, "%s: %s must be a str", frame->f->row->name, p->name);
        return false;
    case PARAM_RECORD: return getRecord(frame, k);
    case PARAM_READ:
    case PARAM_WRITE: return true;
    }
    PyErr_Format(PyExc_TypeError, "%s: %s must be a sinew.%s, not %R", frame->f->row->name, p->name,
                 p->kind == PARAM_MODEL ? "Model" : "Data", Py_TYPE(object));
    return false;
}

// Numbers in the arrays of snModelGradient whose bits are set, in their order.
static size_t parameterCount(const snModel* m, int wanted)
{
    size_t count = 0;
    int bit = 0;
#define X(name, rows, columns, meaning)                                                                      \
    if (wanted >> bit++ & 1) count += (size_t)(rows) * (columns);
    SN_MODEL_GRADIENT(X, m)
#undef X
    return count;
}

// The value of an extent; -1: free. The state's signature, an object's kind and the arrays of a gradient are
// the first int argument.
static Py_ssize_t extentOf(const Frame* frame, const Extent* extent)
{
    const Call* call = &frame->call;
    int selector = 0;
    for (int k = 0; k < frame->f->nparams; k++) {
        if (frame->f->params[k].kind != PARAM_INT) continue;
        selector = call->args[k].i;
        break;
    }
    switch (extent->kind) {
    case EXTENT_NUMBER: return extent->value;
    case EXTENT_SIZE: return ((const int*)call->m)[extent->value];
    case EXTENT_NEFC: return call->d->nefc;
    case EXTENT_NCON: return call->d->ncon;
    case EXTENT_NLOOPROW: return call->d->nlooprow;
    case EXTENT_NY: return sn_loopMobility(call->m, call->d);
    case EXTENT_NX: return 2 * (Py_ssize_t)call->m->nv + call->m->na;
    case EXTENT_STATE: return sn_stateSize(call->m, (unsigned int)selector);
    case EXTENT_OBJECT: return sn_objectCount(call->m, selector);
    case EXTENT_PARAMETERS: return (Py_ssize_t)parameterCount(call->m, selector);
    case EXTENT_FREE: return call->free[extent->value];
    }
    return -1;
}

static bool checkIndex(const Frame* frame, int k)
{
    const Param* p = &frame->f->params[k];
    const Py_ssize_t limit = extentOf(frame, &p->extents[0]);
    const int value = frame->call.args[k].i;
    if (value >= 0 && value < limit) return true;
    PyErr_Format(PyExc_IndexError, "%s: %s is %d, but there are %zd", frame->f->row->name, p->name, value,
                 limit);
    return false;
}

static const char* itemName(char item)
{
    return item == 'i' ? "int32" : item == 'b' ? "uint8" : item == 'f' ? "float32" : "float64";
}

static bool isOf(const Py_buffer* buffer, char item)
{
    const char* format = buffer->format ? buffer->format : "B";
    if (*format == '@' || *format == '=' || *format == '<') format++;
    if (!format[0] || format[1]) return false;
    if (item == 'b') return *format == 'B' || *format == '?';
    if (item == 'i') return (*format == 'i' || *format == 'l') && buffer->itemsize == sizeof(int);
    return *format == item;
}

// NumPy's complaint, with the name of the argument.
static void nameArgument(const Frame* frame, const Param* p)
{
    PyObject *type = NULL, *value = NULL, *trace = NULL;
    if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError)) return;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_Format(frame->core->ShapeError, "%s: %s must be an array of %s: %S", frame->f->row->name, p->name,
                 itemName(p->item), value ? value : Py_None);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

// The array itself when it is contiguous and of the right items; for reading also anything that NumPy can
// turn into it.
static bool getBuffer(Frame* frame, int k)
{
    const Param* p = &frame->f->params[k];
    Py_buffer* buffer = &frame->buffers[k];
    const bool write = p->kind == PARAM_WRITE;
    const int flags = PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | (write ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(frame->objects[k], buffer, flags) == 0) {
        if (isOf(buffer, p->item)) return true;
        PyBuffer_Release(buffer);
    }
    PyErr_Clear();
    if (write) {
        PyErr_Format(frame->core->ShapeError, "%s: %s must be a writable, C-contiguous array of %s",
                     frame->f->row->name, p->name, itemName(p->item));
        return false;
    }
    PyObject* array =
        PyObject_CallFunction(frame->core->asarray, "Oss", frame->objects[k], itemName(p->item), "C");
    if (!array) {
        nameArgument(frame, p);
        return false;
    }
    const int result = PyObject_GetBuffer(array, buffer, flags);
    Py_DECREF(array);
    return result == 0;
}

static bool badShape(const Frame* frame, int k, const Py_ssize_t* want)
{
    const Param* p = &frame->f->params[k];
    if (p->extents[0].kind == EXTENT_STATE && ((Model*)frame->objects[0])->peer) {
        PyErr_Format(frame->core->ShapeError, "%s size should equal mj_stateSize(m, sig)", p->name);
        return false;
    }
    const Py_buffer* buffer = &frame->buffers[k];
    char expected[64] = "", given[128] = "";
    int at = 0;
    for (int i = 0; i < p->ndim; i++) {
        at += want[i] < 0
                  ? snprintf(expected + at, sizeof expected - (size_t)at, "%c", 'a' + p->extents[i].value)
                  : snprintf(expected + at, sizeof expected - (size_t)at, "%zd", want[i]);
        if (i + 1 < p->ndim || p->ndim == 1) at += snprintf(expected + at, sizeof expected - (size_t)at, ",");
    }
    at = 0;
    for (int i = 0; i < buffer->ndim && i < 5; i++)
        at += snprintf(given + at, sizeof given - (size_t)at, i + 1 < buffer->ndim ? "%zd," : "%zd",
                       buffer->shape[i]);
    if (buffer->ndim == 1) snprintf(given + at, sizeof given - (size_t)at, ",");
    PyErr_Format(frame->core->ShapeError, "%s: %s must have shape (%s), not (%s)", frame->f->row->name,
                 p->name, expected, given);
    return false;
}

// The shape of an array with as many extents as its parameter: a column is a vector too, and a matrix may
// come as its only row, where the first extent alone is free, or else as its only column.
static bool adaptShape(const Param* p, const Py_buffer* buffer, Py_ssize_t shape[MAX_DIMS])
{
    const bool row = p->extents[0].kind == EXTENT_FREE && p->extents[1].kind != EXTENT_FREE;
    const int missing = p->ndim - buffer->ndim;
    if (missing == -1) {
        if (p->ndim != 1 || buffer->shape[1] != 1) return false;
    } else if (missing && (missing != 1 || p->ndim == 1)) {
        return false;
    }
    for (int i = 0; i < p->ndim; i++) shape[i] = 1;
    for (int i = 0; i < p->ndim - (missing > 0); i++) shape[i + (missing > 0 && row)] = buffer->shape[i];
    return true;
}

// Shapes must be equal; the first array with a free extent says what it is.
static bool checkShape(Frame* frame, int k)
{
    const Param* p = &frame->f->params[k];
    Py_ssize_t want[MAX_DIMS] = {0}, given[MAX_DIMS];
    if (p->ndim == 0) return true;
    for (int i = 0; i < p->ndim; i++) want[i] = extentOf(frame, &p->extents[i]);
    if (!adaptShape(p, &frame->buffers[k], given)) return badShape(frame, k, want);
    for (int i = 0; i < p->ndim; i++) {
        if (want[i] < 0) want[i] = extentOf(frame, &p->extents[i]); // (n,n)
        if (want[i] < 0 && given[i] <= INT_MAX)
            want[i] = frame->call.free[p->extents[i].value] = (int)given[i];
        if (given[i] != want[i]) return badShape(frame, k, want);
    }
    return true;
}

static void setArray(Arg* arg, char item, const Py_buffer* buffer)
{
    arg->count = buffer->len / buffer->itemsize;
    switch (item) {
    case 'i': arg->ints = buffer->buf; break;
    case 'b': arg->bytes = buffer->buf; break;
    case 'f': arg->floats = buffer->buf; break;
    default: arg->array = buffer->buf;
    }
}

static bool getArguments(Frame* frame)
{
    const Function* f = frame->f;
    for (int k = 0; k < f->nparams; k++) {
        if (!getScalar(frame, k)) return false;
        if (f->params[k].kind == PARAM_INDEX && !checkIndex(frame, k)) return false;
    }
    for (int k = 0; k < f->nparams; k++) {
        const Param* p = &f->params[k];
        if (p->kind != PARAM_READ && p->kind != PARAM_WRITE) continue;
        if (p->optional && frame->objects[k] == Py_None) continue;
        if (!getBuffer(frame, k) || !checkShape(frame, k)) return false;
        setArray(&frame->call.args[k], p->item, &frame->buffers[k]);
    }
    return true;
}

// Frees the text.
static PyObject* printText(char* text)
{
    PyObject* out = PySys_GetObject("stdout"); // borrowed
    PyObject* string =
        text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace") : PyErr_NoMemory();
    const int result = string && out ? PyFile_WriteObject(string, out, Py_PRINT_RAW) : string ? 0 : -1;
    Py_XDECREF(string);
    free(text);
    if (result < 0) return NULL;
    Py_RETURN_NONE;
}

// [file name, ...] without what comes again; frees the texts.
static PyObject* listTexts(char* texts, size_t size)
{
    PyObject* list = texts ? PyList_New(0) : PyErr_NoMemory();
    for (const char* at = texts; list && at < texts + size; at += strlen(at) + 1) {
        PyObject* text = PyUnicode_DecodeFSDefault(at);
        const int known = text ? PySequence_Contains(list, text) : -1;
        if (known < 0 || (!known && PyList_Append(list, text) < 0)) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    free(texts);
    return list;
}

static PyObject* getResult(Frame* frame)
{
    const Call* call = &frame->call;
    if (call->error.status != SN_STATUS_OK) free(call->printed);
    if (call->misshaped) {
        PyErr_SetString(frame->core->ShapeError, call->error.message);
        return NULL;
    }
    if (call->fatal && call->error.status != SN_STATUS_OK) {
        raiseFatal(frame->f->row->name, call->error.message);
        return NULL;
    }
    if (call->error.status != SN_STATUS_OK) {
        raiseError(frame->core, &call->error, NULL);
        return NULL;
    }
    switch (frame->f->result) {
    case RESULT_INT: return PyLong_FromLong(call->result_int);
    case RESULT_FLOAT: return PyFloat_FromDouble(call->result_float);
    case RESULT_STR:
        if (call->result_str) return PyUnicode_FromString(call->result_str);
        Py_RETURN_NONE;
    case RESULT_PRINT: return printText(call->printed);
    case RESULT_LIST: return listTexts(call->printed, call->nprinted);
    case RESULT_NONE: break;
    }
    Py_RETURN_NONE;
}

// The data that the call works on, if it has one: taken, and of the model's sizes. This comes before the
// other arguments, because converting them may run Python code, and their shapes depend on the data's rows.
static bool takeArgument(Frame* frame)
{
    const Function* f = frame->f;
    if (f->nparams < 2 || f->params[1].kind != PARAM_DATA) return true;
    if (!getScalar(frame, 0) || !getScalar(frame, 1)) return false;
    if (!sameSizes(frame->call.m, frame->data->model->memory->model)) {
        PyErr_Format(PyExc_ValueError, "%s: the data belongs to another model", f->row->name);
        frame->data = NULL;
        return false;
    }
    if (!takeData(frame->data)) {
        frame->data = NULL;
        return false;
    }
    if (!frame->data->nested || !isForbiddenInside(f->row->name)) return true;
    PyErr_Format(PyExc_RuntimeError, "%s cannot be called on a data from inside its own callback",
                 f->row->name);
    releaseData(frame->data);
    frame->data = NULL;
    return false;
}

const char* stoppedBy(const snOption* opt, char text[OPTION_TEXT])
{
    if (opt->solver < 0 || opt->solver > SN_SOL_NEWTON) {
        snprintf(text, OPTION_TEXT, "unknown solver type %d", opt->solver);
        return "mj_fwdConstraint";
    }
    if (opt->integrator < 0 || opt->integrator > SN_INT_DISCRETE) {
        snprintf(text, OPTION_TEXT, "invalid integrator");
        return "mj_step";
    }
    if (opt->cone < 0 || opt->cone > SN_CONE_ELLIPTIC) {
        snprintf(text, OPTION_TEXT, "unknown cone type %d", opt->cone);
        return "mj_makeConstraint";
    }
    return NULL;
}

static bool goodOptions(const char* function, const snOption* opt)
{
    const bool ours = opt->contact == SN_CONTACT_LCP || opt->loops == SN_LOOPS_EXACT;
    char text[OPTION_TEXT];
    const char* stage = stoppedBy(opt, text);
    if (stage) return raiseFatal(stage, text);
    return !ours || opt->timestep > 0 || raiseFatal(function, "timestep must be positive");
}

static bool flexesFit(const char* function, const snModel* m)
{
    snError error;
    return !m->nflex || sn_checkFlexOptions(m, &error) == SN_STATUS_OK || raiseFatal(function, error.message);
}

bool canRun(const char* function, const snModel* m, const snData* d)
{
    if (!goodOptions(function, &m->opt) || !flexesFit(function, m) || !canUseRows(function, m, d))
        return false;
    if (!d->pstack || d->pstack < d->narena - d->parena) return true;
    return raiseFatal("mj_stackAlloc", "out of memory, stack overflow");
}

// What resets a data can always run, and so can what is called while the data is at work.
static bool mayRun(const Frame* frame)
{
    const char* name = frame->f->row->name;
    return !frame->call.m || frame->data->nested || strncmp(name, "reset", 5) == 0 ||
           canRun(name, frame->call.m, frame->call.d);
}

// Runs the function without the GIL; false when a callback has raised.
static bool run(Frame* frame)
{
    CallbackRun callbacks = {0};
    if (frame->data) {
        if (!mayRun(frame)) return false;
        if (!beginCallbacks(&callbacks, frame->core, frame->data, frame->objects[0])) return false;
        frame->call.callbacks = &callbacks;
    }
    PyThreadState* thread = callbacks.thread = PyEval_SaveThread();
    frame->f->row->run(&frame->call);
    PyEval_RestoreThread(thread);
    return (!frame->data || endCallbacks(&callbacks)) && !frame->call.interrupted;
}

// Only what the function's parameters need is set: most calls are shorter than clearing the whole frame.
static void beginFrame(Frame* frame, Core* core, const Function* f)
{
    frame->core = core;
    frame->f = f;
    frame->data = NULL;
    for (int k = 0; k < f->nparams; k++) {
        frame->objects[k] = NULL;
        frame->buffers[k].obj = NULL;
        frame->call.args[k] = (Arg){0};
    }
    Call* call = &frame->call;
    call->m = NULL;
    call->d = NULL;
    call->callbacks = NULL;
    memset(call->free, -1, sizeof call->free);
    call->result_str = NULL;
    call->printed = NULL;
    call->misshaped = call->fatal = call->interrupted = false;
    call->error.status = SN_STATUS_OK;
    call->error.line = 0;
    call->error.file[0] = call->error.message[0] = 0;
}

PyObject* invoke(PyObject* module, int index, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames)
{
    Core* core = PyModule_GetState(module);
    Frame frame;
    beginFrame(&frame, core, &core->functions[index]);
    if (!bindArguments(&frame, args, nargs, kwnames)) return NULL;
    PyObject* result = NULL;
    const bool taken = takeArgument(&frame);
    if (taken && getArguments(&frame) && run(&frame)) result = getResult(&frame);
    for (int k = 0; k < frame.f->nparams; k++)
        if (frame.buffers[k].obj) PyBuffer_Release(&frame.buffers[k]);
    if (taken && frame.data) {
        releaseData(frame.data);
        if (result && !warnOfData(core, frame.data)) Py_CLEAR(result);
    }
    return result;
}
