// Option, Statistic and Visual: views of the structs inside a model, one attribute a member.
#include "core.h"
#include <math.h>

typedef struct Part {
    PyObject_HEAD Memory* memory;
    void* address;
} Part;

#define MEMBER(format, count, name, meaning)                                                                 \
    {                                                                                                        \
#name, format, count, 0, offsetof(snStatistic, name), meaning, NULL                                  \
    }
const Member statistic_members[] = {
    MEMBER('d', 0, meaninertia, "mean of the diagonal of M at qpos0"),
    MEMBER('d', 0, meanmass, "mean body mass"),
    MEMBER('d', 0, meansize, "mean body size"),
    MEMBER('d', 0, extent, "spatial extent"),
    MEMBER('d', 3, center, "centre of the model"),
    {0},
};
#undef MEMBER

static void Part_dealloc(PyObject* self)
{
    Py_DECREF(((Part*)self)->memory);
    freeObject(self);
}

static PyObject* getNumber(const void* address, const char* type)
{
    switch (type[0]) {
    case 'd': return PyFloat_FromDouble(*(const double*)address);
    case 'f': return PyFloat_FromDouble((double)*(const float*)address);
    default: return PyLong_FromLong(*(const int*)address);
    }
}

static PyObject* getField(PyObject* self, const char* type, int count, size_t offset)
{
    Part* part = (Part*)self;
    void* address = (char*)part->address + offset;
    if (count == 1) return getNumber(address, type);
    return makeView(part->memory, address, formatOf(type), count, -1);
}

static int setField(PyObject* self, PyObject* value, const char* type, int count, size_t offset)
{
    Part* part = (Part*)self;
    if (count == 1) return setNumber((char*)part->address + offset, type, value);
    PyObject* view = getField(self, type, count, offset);
    if (!view) return -1;
    const int result = assignView(view, value);
    Py_DECREF(view);
    return result;
}

// As setField, but a number that is not finite is an error, and the field keeps what it has.
static int setFinite(PyObject* self, PyObject* value, const char* name, const char* type, int count,
                     size_t offset)
{
    double kept[8];
    char* address = (char*)((Part*)self)->address + offset;
    const size_t size = formatSize(*type), whole = (size_t)count * size;
    if (whole > sizeof kept) return setField(self, value, type, count, offset);
    memcpy(kept, address, whole);
    if (setField(self, value, type, count, offset) < 0) return -1;
    for (int i = 0; i < count && *type != 'i'; i++) {
        const void* at = address + (size_t)i * size;
        if (isfinite(*type == 'f' ? (double)*(const float*)at : *(const double*)at)) continue;
        memcpy(address, kept, whole);
        PyErr_Format(PyExc_ValueError, "%s must be finite", name);
        return -1;
    }
    return 0;
}

static PyObject* getOption(PyObject* self, void* closure)
{
    const snOptionField* f = closure;
    return getField(self, f->type, f->count, f->offset);
}

static int setOption(PyObject* self, PyObject* value, void* closure)
{
    const snOptionField* f = closure;
    snOption* opt = ((Part*)self)->address;
    const snOption kept = *opt;
    snError error = {0};
    if (setField(self, value, f->type, f->count, f->offset) < 0) return -1;
    if (sn_checkOption(opt, f->name, &error) == SN_STATUS_OK) return 0;
    *opt = kept;
    PyErr_SetString(PyExc_ValueError, error.message);
    return -1;
}

static PyObject* getMember(PyObject* self, void* closure)
{
    const Member* f = closure;
    return getField(self, &f->format, f->rows ? f->rows : 1, f->offset);
}

static int setMember(PyObject* self, PyObject* value, void* closure)
{
    const Member* f = closure;
    return setFinite(self, value, f->name, &f->format, f->rows ? f->rows : 1, f->offset);
}

static PyTypeObject* makePartType(PyObject* module, const char* name, const char* doc, PyGetSetDef* getset)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, Part_dealloc}, {Py_tp_getset, getset}, {Py_tp_doc, (void*)doc}, {0, NULL}};
    PyType_Spec spec = {
        .name = name,
        .basicsize = sizeof(Part),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return addType(module, &spec);
}

static PyObject* getVisual(PyObject* self, void* closure)
{
    const snVisualField* f = closure;
    return getField(self, f->type, f->count, f->offset);
}

static int setVisual(PyObject* self, PyObject* value, void* closure)
{
    const snVisualField* f = closure;
    return setFinite(self, value, f->name, f->type, f->count, f->offset);
}

static PyObject* getVisualGroup(PyObject* self, void* closure)
{
    Memory* memory = ((Part*)self)->memory;
    return makePart(memory, coreOfMemory(memory)->visual_groups[(intptr_t)closure], offsetof(snModel, vis));
}

// A type for one group of visual options, from the fields that follow each other in the table.
static int makeVisualGroup(Core* core, PyObject* module, int group, const snVisualField* fields, int count)
{
    PyGetSetDef* getset = core->getsets[5 + group] = PyMem_Calloc((size_t)count + 1, sizeof *getset);
    if (!getset) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < count; i++)
        getset[i] = (PyGetSetDef){fields[i].name, getVisual, setVisual, fields[i].meaning, (void*)&fields[i]};
    char name[64];
    snprintf(name, sizeof name, "sinew._core.Visual_%s", fields[0].group);
    core->visual_groups[group] = makePartType(module, name, "Settings for viewers.", getset);
    return core->visual_groups[group] ? 0 : -1;
}

static int makeVisualTypes(Core* core, PyObject* module)
{
    int count, ngroups = 0;
    const snVisualField* fields = sn_visualFields(&count);
    PyGetSetDef* getset = core->getsets[4] = PyMem_Calloc(MAX_VISUAL_GROUPS + 1, sizeof *getset);
    if (!getset) {
        PyErr_NoMemory();
        return -1;
    }
    for (int start = 0, end; start < count; start = end, ngroups++) {
        for (end = start; end < count && strcmp(fields[end].group, fields[start].group) == 0; end++) {
        }
        if (ngroups == MAX_VISUAL_GROUPS) {
            PyErr_SetString(PyExc_SystemError, "sinew: too many groups of visual options");
            return -1;
        }
        if (makeVisualGroup(core, module, ngroups, fields + start, end - start) < 0) return -1;
        // `global` is a keyword of Python
        const char* group = fields[start].group;
        const char* name = strcmp(group, "global") == 0 ? "global_" : group;
        getset[ngroups] = (PyGetSetDef){name, getVisualGroup, NULL, NULL, (void*)(intptr_t)ngroups};
    }
    core->visual_type =
        makePartType(module, "sinew._core.Visual", "Settings for viewers, by groups.", getset);
    return core->visual_type ? 0 : -1;
}

static int makeOptionType(Core* core, PyObject* module)
{
    int count;
    const snOptionField* fields = sn_optionFields(&count);
    PyGetSetDef* getset = core->getsets[0] = PyMem_Calloc((size_t)count + 1, sizeof *getset);
    if (!getset) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < count; i++)
        getset[i] = (PyGetSetDef){fields[i].name, getOption, setOption, fields[i].meaning, (void*)&fields[i]};
    core->option_type =
        makePartType(module, "sinew._core.Option", "Physics and solver settings of a model.", getset);
    return core->option_type ? 0 : -1;
}

static int makeStatisticType(Core* core, PyObject* module)
{
    const size_t count = sizeof statistic_members / sizeof statistic_members[0] - 1;
    PyGetSetDef* getset = core->getsets[1] = PyMem_Calloc(count + 1, sizeof *getset);
    if (!getset) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        const Member* member = &statistic_members[i];
        getset[i] = (PyGetSetDef){member->name, getMember, setMember, member->meaning, (void*)member};
    }
    core->statistic_type =
        makePartType(module, "sinew._core.Statistic", "Sizes and scales of a model at qpos0.", getset);
    return core->statistic_type ? 0 : -1;
}

int makePartTypes(Core* core, PyObject* module)
{
    if (makeOptionType(core, module) < 0 || makeStatisticType(core, module) < 0) return -1;
    return makeVisualTypes(core, module);
}

PyObject* makePart(Memory* memory, PyTypeObject* type, size_t offset)
{
    Part* part = PyObject_New(Part, type);
    if (!part) return NULL;
    part->memory = (Memory*)Py_NewRef((PyObject*)memory);
    part->address = (char*)memory->model + offset;
    return (PyObject*)part;
}
