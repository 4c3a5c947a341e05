// The library's tables as Python objects: enumerations, named access, type stubs and tests read them.
#include "call/call.h"
#include "control/control.h"
#include "named/named.h"
#include "tables.h"

static int addTo(PyObject* list, PyObject* item)
{
    if (!item) return -1;
    const int result = PyList_Append(list, item);
    Py_DECREF(item);
    return result;
}

static PyObject* fieldTable(const snField* fields, int count)
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        const snField* f = &fields[i];
        PyObject* item =
            Py_BuildValue("(ssssss)", f->name, f->type, f->rows, f->columns, f->group, f->meaning);
        if (addTo(list, item) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject* modelFieldTable(void)
{
    int count;
    const snField* fields = sn_modelFields(&count);
    return fieldTable(fields, count);
}

static PyObject* dataFieldTable(void)
{
    int count;
    const snField* fields = sn_dataFields(&count, NULL);
    return fieldTable(fields, count);
}

static PyObject* sizeTable(void)
{
    PyObject* list = PyList_New(0);
#define X(name, meaning)                                                                                     \
    if (list && addTo(list, Py_BuildValue("(ss)", #name, meaning)) < 0) Py_CLEAR(list);
    SN_MODEL_SIZES(X)
#undef X
    return list;
}

static PyObject* scalarTable(void)
{
    PyObject* list = PyList_New(0);
#define X(type, name, meaning)                                                                               \
    if (list && addTo(list, Py_BuildValue("(sss)", #name, #type, meaning)) < 0) Py_CLEAR(list);
    SN_DATA_SCALARS(X)
#undef X
    return list;
}

static PyObject* optionTable(void)
{
    int count;
    const snOptionField* fields = sn_optionFields(&count);
    PyObject* list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        const snOptionField* f = &fields[i];
        if (addTo(list, Py_BuildValue("(ssis)", f->name, f->type, f->count, f->meaning)) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject* visualTable(void)
{
    int count;
    const snVisualField* fields = sn_visualFields(&count);
    PyObject* list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        const snVisualField* f = &fields[i];
        if (addTo(list, Py_BuildValue("(sssis)", f->group, f->name, f->type, f->count, f->meaning)) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject* memberTable(const Member* members, size_t size)
{
    PyObject* list = PyList_New(0);
    for (const Member* f = members; list && f->name; f++) {
        const char format[2] = {f->format, 0};
        if (addTo(list, Py_BuildValue("(ssins)", f->name, format, f->rows ? f->rows : 1,
                                      (Py_ssize_t)f->offset, f->meaning)) < 0)
            Py_CLEAR(list);
    }
    return list ? Py_BuildValue("(nN)", (Py_ssize_t)size, list) : NULL;
}

static PyObject* recordTable(void)
{
    return Py_BuildValue("{sNsNsNsNsNsN}", "snContact", memberTable(contact_members, sizeof(snContact)),
                         "snSolverStat", memberTable(solver_members, sizeof(snSolverStat)), "snWarningStat",
                         memberTable(warning_members, sizeof(snWarningStat)), "snTimerStat",
                         memberTable(timer_members, sizeof(snTimerStat)), "snImpulse",
                         memberTable(impulse_members, sizeof(snImpulse)), "snStatistic",
                         memberTable(statistic_members, sizeof(snStatistic)));
}

// Sums of bits that people use by name; they stand in the C enumeration after its table.
static int addStateSums(PyObject* list, const char* type)
{
    if (strcmp(type, "snStateBit")) return 0;
    if (addTo(list, Py_BuildValue("(siss)", "PHYSICS", SN_STATE_PHYSICS, "", "qpos, qvel, act, plastic")) <
            0 ||
        addTo(list, Py_BuildValue("(siss)", "FULLPHYSICS", SN_STATE_FULLPHYSICS, "",
                                  "time, PHYSICS and history")) < 0 ||
        addTo(list, Py_BuildValue("(siss)", "USER", SN_STATE_USER, "", "what the user sets")) < 0)
        return -1;
    return addTo(list, Py_BuildValue("(siss)", "INTEGRATION", SN_STATE_INTEGRATION, "",
                                     "all that the next step depends on"));
}

static PyObject* addEnums(PyObject* all, const snEnum* enums, int count)
{
    for (int i = 0; all && i < count; i++) {
        PyObject* items = PyList_New(0);
        for (int k = 0; items && k < enums[i].count; k++) {
            const snEnumItem* item = &enums[i].items[k];
            if (addTo(items, Py_BuildValue("(siss)", item->name, item->value, item->keyword, item->meaning)) <
                0)
                Py_CLEAR(items);
        }
        if (items && addStateSums(items, enums[i].type) < 0) Py_CLEAR(items);
        if (!items || addTo(all, Py_BuildValue("(ssN)", enums[i].type, enums[i].prefix, items)) < 0)
            Py_CLEAR(all);
    }
    return all;
}

// Types of sensor, the columns of SN_SENSOR_TABLE: (value, keyword, object, numbers, data type, stage), words
// as there.
static PyObject* sensorTable(void)
{
    PyObject* list = PyList_New(0);
#define X(name, value, keyword, meaning, form, object, dim, datatype, stage, ...)                            \
    if (list && addTo(list, Py_BuildValue("(ississ)", value, keyword, #object, dim, #datatype, #stage)) < 0) \
        Py_CLEAR(list);
    SN_SENSOR_TABLE(X)
#undef X
    return list;
}

static PyObject* constantTable(void)
{
#define REAL(name) #name, SN_##name
#define INT(name) #name, SN_##name
    return Py_BuildValue("{sdsdsdsdsdsdsisisisisisisisisisisisisisi}", REAL(MINVAL), REAL(PI), REAL(MINMU),
                         REAL(MINIMP), REAL(MAXIMP), REAL(MAXVAL), INT(MAXCONPAIR), INT(NREF), INT(NIMP),
                         INT(NDYN), INT(NGAIN), INT(NBIAS), INT(NSENS), INT(NFLUID), INT(NSOLVER),
                         INT(NEQDATA), INT(NGROUP), INT(MAXLIGHT), INT(MAXLINE), INT(MAXLINEPNT));
#undef REAL
#undef INT
}

static PyObject* sceneArrayTable(void)
{
    PyObject* list = PyList_New(0);
#define X(type, name, count, meaning)                                                                        \
    if (list && addTo(list, Py_BuildValue("(ss)", #name, meaning)) < 0) Py_CLEAR(list);
    SNV_SCENE_ARRAYS(X)
#undef X
    return list;
}

typedef struct Switch {
    const char* label;
    int initial;
    const char* key;
} Switch;

#define X(name, value, label, initial, key, meaning) {label, initial, key},
static const Switch vis_switches[] = {SN_VISFLAG_TABLE(X)}, rnd_switches[] = {SN_RNDFLAG_TABLE(X)};
#undef X

static PyObject* switchList(const Switch* switches, int count)
{
    PyObject* list = PyList_New(0);
    for (const Switch* s = switches; list && s < switches + count; s++)
        if (addTo(list, Py_BuildValue("(sis)", s->label, s->initial, s->key)) < 0) Py_CLEAR(list);
    return list;
}

// What can be switched on and off in a view: (label, default, key), in the order of the enumerations.
static PyObject* switchTable(void)
{
    return Py_BuildValue("{sNsN}", "snVisFlag", switchList(vis_switches, SN_NVISFLAG), "snRndFlag",
                         switchList(rnd_switches, SN_NRNDFLAG));
}

static PyObject* functionTable(const FunctionRow* rows, int count)
{
    PyObject* list = PyList_New(0);
    for (const FunctionRow* row = rows; list && row < rows + count; row++)
        if (addTo(list, Py_BuildValue("(sss)", row->name, row->signature, row->doc)) < 0) Py_CLEAR(list);
    return list;
}

// Attributes of a controller, a task and a contact: (name, type, meaning, settable), "double" for a number,
// "double*" for an array.
static PyObject* controlArrays(PyObject* list, const ControlArray* arrays, bool settable)
{
    for (const ControlArray* f = arrays; list && f->name; f++) {
        const char* type = f->format == 'd'   ? "double*"
                           : f->format == 'i' ? "int*"
                           : f->format == 'b' ? "int8_t*"
                                              : "uint8_t*";
        if (addTo(list, Py_BuildValue("(sssi)", f->name, type, f->meaning, settable)) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject* controlTable(void)
{
    PyObject* all = PyList_New(0);
    for (int i = 0; all && i < NCONTROL_PARTS; i++) {
        const ControlPartTable* t = &control_parts[i];
        PyObject* list = PyList_New(0);
        for (const ControlNumber* f = t->numbers; list && f->name; f++) {
            const char* type = f->format == 'd' ? "double" : f->format == 'i' ? "int" : "bool";
            if (addTo(list, Py_BuildValue("(sssi)", f->name, type, f->meaning, f->low <= f->high)) < 0)
                Py_CLEAR(list);
        }
        list = controlArrays(controlArrays(list, t->arrays, true), t->copies, false);
        if (!list || addTo(all, Py_BuildValue("(sN)", strrchr(t->type, '.') + 1, list)) < 0) Py_CLEAR(all);
    }
    return all;
}

PyObject* tables(PyObject* module, PyObject* Py_UNUSED(unused))
{
    int nenums, ncontrol, nwords, nscene;
    const snEnum *enums = sn_enums(&nenums), *control = sn_controlEnums(&ncontrol),
                 *words = sn_specEnums(&nwords), *scene = sn_sceneEnums(&nscene);
    const struct {
        const char* name;
        PyObject* table;
    } parts[] = {
        {"sizes", sizeTable()},
        {"model", modelFieldTable()},
        {"data", dataFieldTable()},
        {"scalars", scalarTable()},
        {"option", optionTable()},
        {"visual", visualTable()},
        {"records", recordTable()},
        {"enums", addEnums(addEnums(PyList_New(0), enums, nenums), control, ncontrol)},
        {"words", addEnums(PyList_New(0), words, nwords)},
        {"sensors", sensorTable()},
        {"functions", functionTable(function_rows, nfunctions)},
        {"arithmetic", functionTable(arithmetic_rows, narithmetic)},
        {"visual_functions", functionTable(visual_rows, nvisual)},
        {"constants", constantTable()},
        {"control", controlTable()},
        {"elements", elementTable(PyModule_GetState(module))},
        {"scene", addEnums(PyList_New(0), scene, nscene)},
        {"switches", switchTable()},
        {"scene_arrays", sceneArrayTable()},
        {"structs", structTable(PyModule_GetState(module))},
    };
    PyObject* all = PyDict_New();
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (all && (!parts[i].table || PyDict_SetItemString(all, parts[i].name, parts[i].table) < 0))
            Py_CLEAR(all);
        Py_XDECREF(parts[i].table);
    }
    return all;
}
