// Option, Statistic and Visual: the structs inside a model, as our types and as the peer's, and as structs on
// their own.
#include "model/model.h"
#include <math.h>

#define FORMAT_double 'd'
#define FORMAT_float 'f'
#define FORMAT_int 'i'

// clang-format off
static const Member option_members[] = {
#define X(type, name, init, meaning) {#name, FORMAT_##type, 0, 0, offsetof(snOption, name), meaning, NULL},
    SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...) {#name, 'd', count, 0, offsetof(snOption, name), meaning, NULL},
    SN_OPTION_VECTORS(X)
#undef X
    {0},
};

#define MEMBER(count, name, meaning) {#name, 'd', count, 0, offsetof(snStatistic, name), meaning, NULL}
const Member statistic_members[] = {
    MEMBER(0, meaninertia, "mean of the diagonal of M at qpos0"),
    MEMBER(0, meanmass, "mean body mass"),
    MEMBER(0, meansize, "mean body size"),
    MEMBER(0, extent, "spatial extent"),
    MEMBER(3, center, "centre of the model"),
    {0},
};
#undef MEMBER

#define INSIDE(group, name) (offsetof(snVisual, group.name) - offsetof(snVisual, group))
#define SINGLE(group, type, name, meaning, init) \
    {#name, FORMAT_##type, 0, 0, INSIDE(group, name), meaning, NULL},
#define VECTOR(group, name, count, meaning, ...) {#name, 'f', count, 0, INSIDE(group, name), meaning, NULL},
#define GROUP(group, table) static const Member group##_members[] = {table(SINGLE, SINGLE, VECTOR){0}};
SN_VISUAL_GROUPS(GROUP)
#undef GROUP
#undef SINGLE
#undef VECTOR
// clang-format on

static bool checkOption(const void* opt, const Member* member, snError* error)
{
    return sn_checkOption(opt, member->name, error) == SN_STATUS_OK;
}

static bool isOurOption(const char* name)
{
    return strncmp(name, "loop", 4) == 0 || strncmp(name, "sleep", 5) == 0 || strncmp(name, "lcp", 3) == 0 ||
           strcmp(name, "contact") == 0 || strcmp(name, "servo") == 0;
}

// The peer takes any value, and its functions say what they cannot work with (canRun).
static bool checkPeerOption(const void* opt, const Member* member, snError* error)
{
    const snOption* now = opt;
    const bool ours = now->contact == SN_CONTACT_LCP || now->loops == SN_LOOPS_EXACT;
    return (!ours && !isOurOption(member->name)) || checkOption(opt, member, error);
}

static bool checkFinite(const void* address, const Member* member, snError* error)
{
    const char* place = (const char*)address + member->offset;
    const int count = member->rows ? member->rows : 1;
    bool finite = true;
    for (int i = 0; i < count && member->format != 'i'; i++)
        finite = finite && isfinite(member->format == 'f' ? (double)((const float*)place)[i]
                                                          : ((const double*)place)[i]);
    if (!finite) snprintf(error->message, sizeof error->message, "%s must be finite", member->name);
    return finite;
}

static void initOption(void* opt)
{
    sn_defaultOption(opt);
}

static void initVisual(void* vis)
{
    sn_defaultVisual(vis);
}

#define OPTION(type)                                                                                         \
    .name = type, .doc = "Physics and solver settings of a model.", .size = sizeof(snOption),                \
    .members = option_members, .init = initOption, .own = isOurOption
#define STATISTIC(type)                                                                                      \
    .name = type, .doc = "Sizes and scales of a model at qpos0.", .size = sizeof(snStatistic),               \
    .members = statistic_members
#define VISUAL(type, list)                                                                                   \
    .name = type, .doc = "Settings for viewers, by groups.", .size = sizeof(snVisual), .members = list,      \
    .init = initVisual
#define GROUP(type, group)                                                                                   \
    .name = type, .doc = "Settings for viewers.", .size = sizeof(((snVisual*)0)->group),                     \
    .members = group##_members, .check = checkFinite

static const RecordTable option = {OPTION("sinew._core.Option"), .check = checkOption, .fresh = true};
static const RecordTable peer_option = {OPTION("sinew.mujoco.MjOption"), .check = checkPeerOption};
static const RecordTable statistic = {STATISTIC("sinew._core.Statistic"), .check = checkFinite,
                                      .fresh = true};
// that of an MjSpec is NaN where it is to be computed
static const RecordTable peer_statistic = {STATISTIC("sinew.mujoco.MjStatistic")};

enum { NGROUPS = 6 };
static const RecordTable groups[NGROUPS] = {
    {GROUP("sinew._core.Visual_global", global), .fresh = true},
    {GROUP("sinew._core.Visual_quality", quality), .fresh = true},
    {GROUP("sinew._core.Visual_headlight", headlight), .fresh = true},
    {GROUP("sinew._core.Visual_map", map), .fresh = true},
    {GROUP("sinew._core.Visual_scale", scale), .fresh = true},
    {GROUP("sinew._core.Visual_rgba", rgba), .fresh = true},
};
static const RecordTable peer_groups[NGROUPS] = {
    {GROUP("sinew.mujoco.Global", global), .hidden = true, .inside = true},
    {GROUP("sinew.mujoco.Quality", quality), .hidden = true, .inside = true},
    {GROUP("sinew.mujoco.Headlight", headlight), .hidden = true, .inside = true},
    {GROUP("sinew.mujoco.Map", map), .hidden = true, .inside = true},
    {GROUP("sinew.mujoco.Scale", scale), .hidden = true, .inside = true},
    {GROUP("sinew.mujoco.Rgba", rgba), .hidden = true, .inside = true},
};

// `global` is a keyword of Python
#define MEMBERS(tables)                                                                                      \
    {"global_", 'R', 0, 0, offsetof(snVisual, global), "", &tables[0]},                                      \
        {"quality", 'R', 0, 0, offsetof(snVisual, quality), "", &tables[1]},                                 \
        {"headlight", 'R', 0, 0, offsetof(snVisual, headlight), "", &tables[2]},                             \
        {"map", 'R', 0, 0, offsetof(snVisual, map), "", &tables[3]},                                         \
        {"scale", 'R', 0, 0, offsetof(snVisual, scale), "", &tables[4]},                                     \
        {"rgba", 'R', 0, 0, offsetof(snVisual, rgba), "", &tables[5]},                                       \
    {                                                                                                        \
        0                                                                                                    \
    }
static const Member visual_members[] = {MEMBERS(groups)};
static const Member peer_visual_members[] = {MEMBERS(peer_groups)};
static const RecordTable visual = {VISUAL("sinew._core.Visual", visual_members)};
static const RecordTable peer_visual = {VISUAL("sinew.mujoco.MjVisual", peer_visual_members), .inside = true};

static bool addGroups(Core* core, PyObject* module, const RecordTable* tables)
{
    for (int i = 0; i < NGROUPS; i++)
        if (!addRecordType(core, module, &tables[i])) return false;
    return true;
}

// MjVisual.Global and so on, and what getattr(visual, "global") finds
static bool nestGroups(Core* core, PyObject* outer)
{
    PyObject* member = PyObject_GetAttrString(outer, "global_");
    const bool twice = member && PyObject_SetAttrString(outer, "global", member) == 0;
    Py_XDECREF(member);
    if (!twice) return false;
    for (int i = 0; i < NGROUPS; i++) {
        const char* name = strrchr(peer_groups[i].name, '.') + 1;
        PyObject* type = (PyObject*)recordType(core, name);
        PyObject* qualified = type ? PyUnicode_FromFormat("MjVisual.%s", name) : NULL;
        const bool done = qualified && PyObject_SetAttrString(type, "__qualname__", qualified) == 0 &&
                          PyObject_SetAttrString(outer, name, type) == 0;
        Py_XDECREF(qualified);
        if (!done) return false;
    }
    return true;
}

// Adds the names of the peer's options whose members pass.
static bool addNames(PyObject* list, bool (*passes)(const Member*))
{
    for (const Member* member = option_members; member->name; member++) {
        if (isOurOption(member->name) || !passes(member)) continue;
        PyObject* text = PyUnicode_FromString(member->name);
        const bool added = text && PyList_Append(list, text) == 0;
        Py_XDECREF(text);
        if (!added) return false;
    }
    return true;
}

// MjOption._int_fields and its like; `passes` ends by NULL.
static bool listOptions(PyObject* type, const char* name, bool (*const* passes)(const Member*))
{
    PyObject* list = PyList_New(0);
    bool done = list;
    for (; done && *passes; passes++) done = addNames(list, *passes);
    PyObject* names = done ? PyList_AsTuple(list) : NULL;
    done = names && PyObject_SetAttrString(type, name, names) == 0;
    Py_XDECREF(list);
    Py_XDECREF(names);
    return done;
}

static bool isNumber(const Member* member)
{
    return member->format == 'd' && !member->rows;
}

static bool isInt(const Member* member)
{
    return member->format == 'i';
}

static bool isArray(const Member* member)
{
    return member->rows > 0;
}

static bool listAllOptions(PyObject* type)
{
    bool (*const kinds[])(const Member*) = {isNumber, NULL, isArray, NULL, isInt, NULL};
    bool (*const all[])(const Member*) = {isNumber, isArray, isInt, NULL};
    return listOptions(type, "_all_fields", all) && listOptions(type, "_float_fields", kinds) &&
           listOptions(type, "_floatarray_fields", kinds + 2) && listOptions(type, "_int_fields", kinds + 4);
}

int makePartTypes(Core* core, PyObject* module)
{
    const RecordTable* const ours[NPARTS] = {&option, &visual, &statistic};
    const RecordTable* const peers[NPARTS] = {&peer_option, &peer_visual, &peer_statistic};
    if (!addGroups(core, module, groups) || !addGroups(core, module, peer_groups)) return -1;
    for (int i = 0; i < NPARTS; i++) {
        core->parts[i] = addRecordType(core, module, ours[i]);
        core->peer_parts[i] = addRecordType(core, module, peers[i]);
        if (!core->parts[i] || !core->peer_parts[i]) return -1;
    }
    const bool done = listAllOptions((PyObject*)core->peer_parts[PART_OPT]) &&
                      nestGroups(core, (PyObject*)core->peer_parts[PART_VIS]);
    return done ? 0 : -1;
}

static const size_t part_offsets[NPARTS] = {offsetof(snModel, opt), offsetof(snModel, vis),
                                            offsetof(snModel, stat)};

PyObject* getPart(PyObject* object, void* closure)
{
    Model* self = (Model*)object;
    const intptr_t i = (intptr_t)closure;
    if (!self->parts[i]) {
        const Core* core = coreOfMemory(self->memory);
        PyTypeObject* type = self->peer ? core->peer_parts[i] : core->parts[i];
        self->parts[i] =
            makeRecord(type, (PyObject*)self->memory, (char*)self->memory->model + part_offsets[i]);
    }
    return self->parts[i] ? Py_NewRef(self->parts[i]) : NULL;
}
