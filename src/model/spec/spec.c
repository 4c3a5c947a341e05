// The description's pool, its name table and its defaults.
#include "model/spec/spec.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "model/kinds.h"
#include "model/motor.h"
#include "model/option_default.h"
#include <string.h>

typedef struct Name {
    int kind;
    snSpecHead* element;
} Name;

struct snSpecNames {
    Name* names; // open addressing, a power of two slots
    int nnames, nslots;
};

void* sn_specAlloc(snSpec* spec, size_t size)
{
    return sn_poolAlloc(&spec->pool, size);
}

const char* sn_specText(snSpec* spec, const char* text, size_t length)
{
    return sn_poolText(&spec->pool, text, length);
}

// The slot that holds the name, or the empty one where it would go.
static Name* findSlot(Name* names, int nslots, int kind, const char* name)
{
    const unsigned mask = (unsigned)nslots - 1;
    unsigned i = sn_hashName(kind, name) & mask;
    while (names[i].element && (names[i].kind != kind || strcmp(names[i].element->name, name)))
        i = (i + 1) & mask;
    return &names[i];
}

static bool growNames(snSpecNames* table)
{
    const int nslots = table->nslots ? 2 * table->nslots : 64;
    Name* names = sn_calloc((size_t)nslots * sizeof *names);
    if (!names) return false;
    for (int i = 0; i < table->nslots; i++) {
        const Name* old = &table->names[i];
        if (old->element) *findSlot(names, nslots, old->kind, old->element->name) = *old;
    }
    sn_free(table->names);
    table->names = names;
    table->nslots = nslots;
    return true;
}

bool sn_nameSpec(snSpec* spec, snObjType kind, snSpecHead* element, snError* error)
{
    if (!element->name) return true;
    if (kind == SN_OBJ_XBODY) kind = SN_OBJ_BODY;
    snSpecNames* table = spec->names;
    if (2 * (table->nnames + 1) > table->nslots && !growNames(table)) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return false;
    }
    Name* slot = findSlot(table->names, table->nslots, (int)kind, element->name);
    if (slot->element) {
        const snPlace first = slot->element->place;
        if (first.line > 0)
            sn_failAt(error, SN_STATUS_MODEL, element->place.file, element->place.line,
                      "<%s name=\"%s\">: line %d of %s has this name already, names must differ",
                      element->tag, element->name, first.line, first.file);
        else
            sn_failAt(error, SN_STATUS_MODEL, element->place.file, element->place.line,
                      "<%s name=\"%s\">: this name is taken", element->tag, element->name);
        return false;
    }
    *slot = (Name){(int)kind, element};
    table->nnames++;
    return true;
}

snSpecHead* sn_findSpec(const snSpec* spec, snObjType kind, const char* name)
{
    if (!spec->names->nslots || !name) return NULL;
    if (kind == SN_OBJ_XBODY) kind = SN_OBJ_BODY;
    return findSlot(spec->names->names, spec->names->nslots, (int)kind, name)->element;
}

#define SN_SPEC_INIT_REAL(member, ...) .member = __VA_ARGS__,
#define SN_SPEC_INIT_VEC(member, ...) .member = {__VA_ARGS__},
#define SN_SPEC_INIT_INT(member, ...) .member = __VA_ARGS__,
#define SN_SPEC_INIT_IVEC(member, ...) .member = {__VA_ARGS__},
#define SN_SPEC_INIT_BOOL(member, ...) .member = __VA_ARGS__,
#define SN_SPEC_INIT_WORD(member, ...) .member = __VA_ARGS__,
#define SN_SPEC_INIT_TEXT(member, ...) .member = __VA_ARGS__,
#define X(kind, attribute, member, min, max, words, where, meaning, ...)                                     \
    SN_SPEC_INIT_##kind(member, __VA_ARGS__)
static const snSpecCompiler default_compiler = {SN_SPEC_COMPILER(X)};
static const snLengthRange default_lengthrange = {SN_SPEC_LENGTHRANGE(X)};
static const snSpecSize default_size = {SN_SPEC_SIZE(X)};
static const snSpecStatistic default_statistic = {SN_SPEC_STATISTIC(X)};
#undef X

snSpecCompiler sn_defaultCompiler(void)
{
    return default_compiler;
}

snLengthRange sn_defaultLengthRange(void)
{
    return default_lengthrange;
}

snSpecSize sn_defaultSize(void)
{
    return default_size;
}

snSpecStatistic sn_defaultStatistic(void)
{
    return default_statistic;
}

static void freeRecords(snSpec* spec)
{
    if (spec->names) sn_free(spec->names->names);
    sn_free(spec->names);
    spec->names = NULL;
    sn_clearPool(&spec->pool);
}

bool sn_clearSpec(snSpec* spec)
{
    freeRecords(spec);
    // what stands after the members of the source is made anew
    const size_t kept = offsetof(snSpec, read);
    memset((char*)spec + kept, 0, sizeof *spec - kept);
    spec->names = sn_calloc(sizeof *spec->names);
    spec->world = spec->names ? sn_specAlloc(spec, sizeof *spec->world) : NULL;
    if (!spec->world) return false;
    spec->modelname = "";
    spec->compiler = default_compiler;
    spec->compiler.file = spec->file;
    spec->compiler.folder = spec->folder;
    spec->lengthrange = default_lengthrange;
    spec->option = sn_optionOf(spec->physics);
    spec->size = default_size;
    spec->memory = -1;
    spec->statistic = default_statistic;
    spec->visual = sn_visualOf(spec->physics);
    spec->world->head = (snSpecHead){.tag = "worldbody", .name = "world", .place.file = "", .id = -1};
    spec->world->orient.quat[0] = 1;
    return sn_nameSpec(spec, SN_OBJ_BODY, &spec->world->head, NULL);
}

snSpec* sn_makeSpec(void)
{
    snSpec* spec = sn_calloc(sizeof *spec);
    if (!spec) return NULL;
    spec->file = "";
    spec->folder = "";
    spec->asked = -1;
    spec->silent = spec->physics = SN_PHYSICS_V4_0;
    spec->root = sn_newElement(&spec->tree, "mujoco", (snPlace){"", 0});
    if (spec->root && sn_clearSpec(spec)) return spec;
    sn_deleteSpec(spec);
    return NULL;
}

void sn_deleteSpec(snSpec* spec)
{
    if (!spec) return;
    freeRecords(spec);
    sn_clearPool(&spec->tree);
    sn_free(spec);
}

snSpecBody* sn_specNextBody(const snSpecBody* body)
{
    if (body->bodies.first) return body->bodies.first;
    while (body && !body->next) body = body->parent;
    return body ? body->next : NULL;
}

// Tokens of `input`, in their order.
static const struct {
    const char* word;
    int bit;
} inputs[] = {{"pos", SN_INPUT_POS},         {"vel", SN_INPUT_VEL},   {"ff", SN_INPUT_FF},
              {"voltage", SN_INPUT_VOLTAGE}, {"none", SN_INPUT_NONE}, {"pressure", SN_INPUT_PRESSURE}};

static bool readInputs(const char* text, int* spec)
{
    static const char space[] = " \t\r\n";
    size_t n;
    *spec = 0;
    for (const char* at = text ? text + strspn(text, space) : ""; *at; at += n + strspn(at + n, space)) {
        size_t i = 0;
        n = strcspn(at, space);
        while (i < sizeof inputs / sizeof *inputs &&
               (strlen(inputs[i].word) != n || strncmp(at, inputs[i].word, n)))
            i++;
        if (i == sizeof inputs / sizeof *inputs || inputs[i].bit <= *spec) return false;
        *spec |= inputs[i].bit;
    }
    return true;
}

// A rotation vector, or a quaternion; nothing stands for the former.
static bool readChart(const char* text, int* spec)
{
    const bool quat = text && !strcmp(text, "quat");
    *spec = quat ? SN_CHART_QUAT : SN_CHART_EXPMAP;
    return quat || !text || !text[0] || !strcmp(text, "expmap");
}

bool sn_actuatorInputs(const snSpecActuator* actuator, int* spec)
{
    if (actuator->gaintype == SN_GAIN_SO3) return readChart(actuator->input, spec);
    if (!readInputs(actuator->input, spec)) return false;
    if (actuator->gaintype == SN_GAIN_PID) {
        if (!*spec) *spec = SN_INPUT_POS | SN_INPUT_VEL;
        return *spec < SN_INPUT_VOLTAGE;
    }
    if (actuator->gaintype == SN_GAIN_DCMOTOR) {
        if (!*spec) *spec = SN_INPUT_VOLTAGE;
        return *spec <= SN_INPUT_NONE;
    }
    const bool one = *spec == SN_INPUT_POS || *spec == SN_INPUT_VEL || *spec == SN_INPUT_PRESSURE;
    return !*spec || (one && (actuator->gaintype == SN_GAIN_FIXED || actuator->gaintype == SN_GAIN_AFFINE));
}

int sn_actuatorControls(const snSpecActuator* actuator)
{
    int spec;
    if (!sn_actuatorInputs(actuator, &spec)) return 1; // an error later on
    if (actuator->gaintype == SN_GAIN_SO3) return sn_numbersOfChart(spec);
    return sn_controlsOf(spec);
}

int sn_actuatorOutputs(const snSpecActuator* actuator)
{
    return actuator->gaintype == SN_GAIN_SO3 ? 3 : 1;
}

int sn_actuatorActivations(const snSpecActuator* actuator)
{
    if (actuator->plug) {
        const int own = actuator->dyntype != SN_DYN_NONE;
        return actuator->actdim < 0 ? own : actuator->actdim;
    }
    if (actuator->gaintype == SN_GAIN_SO3) return actuator->dyntype == SN_DYN_NONE ? 0 : 3;
    if (actuator->dyntype == SN_DYN_DCMOTOR)
        return __builtin_popcount(sn_motorStates(actuator->dynprm, actuator->gainprm));
    if (actuator->dyntype == SN_DYN_PID) return (actuator->dynprm[1] > 0) + (actuator->gainprm[0] > 0);
    return sn_dynamicsKind(actuator->dyntype).most == 0 ? 0 : actuator->actdim < 0 ? 1 : actuator->actdim;
}
