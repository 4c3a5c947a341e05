// Settings of a spec, which are members of mjSpec itself: each a struct over the attributes of a section.
#include "element.h"
#include <stdlib.h>
#include <string.h>

#define ONE(type, name) {#name, (char)CODE_##type, offsetof(RECORD, name), 1},
#define END                                                                                                  \
    {                                                                                                        \
        NULL, 0, 0, 0                                                                                        \
    }
enum { CODE_double = 'd', CODE_int = 'i', CODE_float = 'f' };

// ---- members

#define RECORD snOption
#define X(type, name, init, meaning) ONE(type, name)
#define V(name, count, meaning, ...) {#name, 'd', offsetof(RECORD, name), count},
static const Member option[] = {SN_OPTION_SCALARS(X) SN_OPTION_VECTORS(V) END};
#undef X
#undef V
#undef RECORD

#define RECORD snVisual
#define GROUP_ONE(group, type, name, meaning, init)                                                          \
    {#name, (char)CODE_##type, offsetof(RECORD, group.name) - offsetof(RECORD, group), 1},
#define GROUP_ROW(group, name, count, meaning, ...)                                                          \
    {#name, 'f', offsetof(RECORD, group.name) - offsetof(RECORD, group), count},
#define GROUP(group, table) static const Member group[] = {table(GROUP_ONE, GROUP_ONE, GROUP_ROW) END};
SN_VISUAL_GROUPS(GROUP)
#undef GROUP
#undef RECORD

static const Member statistic[] = {
    {"meaninertia", 'd', offsetof(snStatistic, meaninertia), 1},
    {"meanmass", 'd', offsetof(snStatistic, meanmass), 1},
    {"meansize", 'd', offsetof(snStatistic, meansize), 1},
    {"extent", 'd', offsetof(snStatistic, extent), 1},
    {"center", 'd', offsetof(snStatistic, center), 3},
    END,
};

#define AT(code, name, count)                                                                                \
    {                                                                                                        \
#name, code, offsetof(mjsCompiler, name), count                                                      \
    }
static const Member compiler[] = {
    AT('b', autolimits, 1),
    AT('d', boundmass, 1),
    AT('d', boundinertia, 1),
    AT('d', settotalmass, 1),
    AT('b', balanceinertia, 1),
    AT('b', fitaabb, 1),
    AT('b', degree, 1),
    AT('b', discardvisual, 1),
    AT('b', usethread, 1),
    AT('b', fusestatic, 1),
    AT('i', inertiafromgeom, 1),
    AT('i', inertiagrouprange, 2),
    AT('b', saveinertial, 1),
    AT('i', alignfree, 1),
    AT('s', meshdir, 1),
    AT('s', texturedir, 1),
    END,
};
#undef AT
#define AT(code, name)                                                                                       \
    {                                                                                                        \
#name, code, offsetof(mjLROpt, name), 1                                                              \
    }
static const Member lengthrange[] = {
    AT('i', mode),
    AT('i', useexisting),
    AT('i', uselimit),
    AT('d', accel),
    AT('d', maxforce),
    AT('d', timeconst),
    AT('d', timestep),
    AT('d', inttotal),
    AT('d', interval),
    AT('d', tolrange),
    END,
};
#undef AT
#define AT(code, name)                                                                                       \
    {                                                                                                        \
#name, code, offsetof(mjSpec, name), 1                                                               \
    }
static const Member size[] = {
    AT('i', nuserdata),
    AT('i', nuser_body),
    AT('i', nuser_jnt),
    AT('i', nuser_geom),
    AT('i', nuser_site),
    AT('i', nuser_cam),
    AT('i', nuser_tendon),
    AT('i', nuser_actuator),
    AT('i', nuser_sensor),
    AT('i', nkey),
    AT('i', njmax),
    AT('i', nconmax),
    END,
};
static const Member strip[] = {AT('b', strippath), END};
static const Member model[] = {AT('s', modelname), END};
#undef AT

// Where each stands in mjSpec; the path "" is the root.
#define IN(member) offsetof(mjSpec, member)
static const struct {
    Kind kind;
    const char* path;
    size_t offset;
} sections[] = {{{"option", "", mjOBJ_UNKNOWN, sizeof(mjOption), option}, "option", IN(option)},
                {{"statistic", "", mjOBJ_UNKNOWN, sizeof(mjStatistic), statistic}, "statistic", IN(stat)},
                {{"compiler", "", mjOBJ_UNKNOWN, sizeof(mjsCompiler), compiler}, "compiler", IN(compiler)},
                {{"lengthrange", "", mjOBJ_UNKNOWN, sizeof(mjLROpt), lengthrange},
                 "compiler/lengthrange",
                 IN(compiler.LRopt)},
                {{"size", "", mjOBJ_UNKNOWN, sizeof(mjSpec), size}, "size", 0},
                {{"compiler", "", mjOBJ_UNKNOWN, sizeof(mjSpec), strip}, "compiler", 0},
#define GROUP(group, table)                                                                                  \
    {{#group, "", mjOBJ_UNKNOWN, sizeof(((mjVisual*)NULL)->group), group},                                   \
     "visual/" #group,                                                                                       \
     IN(visual.group)},
                SN_VISUAL_GROUPS(GROUP)
#undef GROUP
};
enum { NSECTIONS = sizeof sections / sizeof sections[0] };
_Static_assert((int)NSECTIONS == (int)NSETTINGS, "settings of a spec");
static const Kind root = {"mujoco", "", mjOBJ_UNKNOWN, sizeof(mjSpec), model};

// ---- flags and groups of actuators, bits in options

typedef struct Flag {
    const char* keyword;
    int bit;
    bool enables;
} Flag;

static const Flag flags[] = {
#define X(name, bit, keyword, meaning) {keyword, 1 << bit, false},
    SN_DSBL_TABLE(X)
#undef X
#define X(name, bit, keyword, meaning) {keyword, 1 << bit, true},
        SN_ENBL_TABLE(X)
#undef X
};
enum { NFLAGS = sizeof flags / sizeof flags[0] };

static void fillFlags(mjSpec* s)
{
    const snElement* flag = sn_section(s->source->spec, "option/flag", NULL);
    double groups[31];
    for (int i = 0; i < NFLAGS; i++) {
        const char* text = sn_getText(s->source->spec, flag, flags[i].keyword);
        int* bits = flags[i].enables ? &s->option.enableflags : &s->option.disableflags;
        if (text && !strcmp(text, flags[i].enables ? "enable" : "disable")) *bits |= flags[i].bit;
    }
    const snElement* options = sn_section(s->source->spec, "option", NULL);
    const int n = sn_getNumbers(s->source->spec, options, "actuatorgroupdisable", groups, 31);
    for (int i = 0; i < n && i < 31; i++) s->option.disableactuator |= 1 << (int)groups[i];
}

static bool writeFlags(mjSpec* s, const mjOption* seen, snError* error)
{
    snElement* flag = sn_section(s->source->spec, "option/flag", error);
    for (int i = 0; i < NFLAGS; i++) {
        const int now = flags[i].enables ? s->option.enableflags : s->option.disableflags;
        const int before = flags[i].enables ? seen->enableflags : seen->disableflags;
        const char* text = ((now & flags[i].bit) != 0) == flags[i].enables ? "enable" : "disable";
        if ((now ^ before) & flags[i].bit &&
            sn_setText(s->source->spec, flag, flags[i].keyword, text, error) != SN_STATUS_OK)
            return false;
    }
    if (s->option.disableactuator == seen->disableactuator) return true;
    double groups[31];
    int n = 0;
    for (int i = 0; i < 31; i++)
        if (s->option.disableactuator >> i & 1) groups[n++] = i;
    snElement* options = sn_section(s->source->spec, "option", error);
    if (!n) return sn_setText(s->source->spec, options, "actuatorgroupdisable", NULL, error) == SN_STATUS_OK;
    return sn_setNumbers(s->source->spec, options, "actuatorgroupdisable", groups, n, error) == SN_STATUS_OK;
}

// ---- all

static bool start(mjSpec* s, Element* e, const Kind* kind, snElement* source, size_t offset)
{
    *e = (Element){.s = s, .source = source, .kind = kind, .record = (char*)s + offset};
    e->seen = calloc(1, kind->size);
    return source && e->seen && makeItems(e);
}

bool fillSettings(mjSpec* s)
{
    Source* source = s->source;
    if (!start(s, &source->whole, &root, sn_root(source->spec), 0)) return false;
    for (int i = 0; i < NSECTIONS; i++)
        if (!start(s, source->settings + i, &sections[i].kind,
                   sn_section(source->spec, sections[i].path, NULL), sections[i].offset))
            return false;
    fillFlags(s);
    const char* eulerseq = sn_getText(source->spec, source->settings[2].source, "eulerseq");
    if (eulerseq) memcpy(s->compiler.eulerseq, eulerseq, strnlen(eulerseq, 3));
    const char* name = sn_getText(source->spec, source->whole.source, "model");
    setText(s->modelname, name ? name : "MuJoCo Model");
    source->whole.shown.elemtype = mjOBJ_MODEL;
    s->element = &source->whole.shown;
    for (int i = 0; i < NSECTIONS; i++) fillElement(source->settings + i);
    fillElement(&source->whole);
    return true;
}

static bool writeName(mjSpec* s, snError* error)
{
    return sn_setText(s->source->spec, s->source->whole.source, "model", textOf(s->modelname), error) ==
           SN_STATUS_OK;
}

static bool writeEulerseq(mjSpec* s, snError* error)
{
    char text[4] = "";
    memcpy(text, s->compiler.eulerseq, 3);
    return sn_setText(s->source->spec, s->source->settings[2].source, "eulerseq", text, error) ==
           SN_STATUS_OK;
}

bool writeSettings(mjSpec* s, snError* error)
{
    Source* source = s->source;
    const mjsCompiler* seen = source->settings[2].seen;
    if (!writeFlags(s, source->settings[0].seen, error)) return false;
    if (memcmp(s->compiler.eulerseq, seen->eulerseq, 3) != 0 && !writeEulerseq(s, error)) return false;
    if (isChanged(&source->whole, "modelname") && !writeName(s, error)) return false;
    for (int i = 0; i < NSECTIONS; i++)
        if (!writeElement(source->settings + i, error)) return false;
    return writeElement(&source->whole, error);
}

void freeSettings(mjSpec* s)
{
    for (int i = 0; i <= NSECTIONS; i++) {
        Element* e = i < NSECTIONS ? s->source->settings + i : &s->source->whole;
        if (e->kind) freeAllItems(e);
        free(e->seen);
    }
}
