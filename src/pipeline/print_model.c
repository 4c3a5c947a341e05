// A model as text, from its tables.
#include <sinew/loop.h>
#include <sinew/names.h>
#include <sinew/print.h>
#include <string.h>
#include "pipeline/print_text.h"

static void putSizes(const snText* t, const snModel* m)
{
    fputs("\nMEMORY\n", t->file);
    sn_putBytes(t, "total", m->nbuffer + sizeof *m);
    fputs("\nSIZES\n", t->file);
#define X(name, meaning)                                                                                     \
    if (m->name) {                                                                                           \
        sn_putName(t, #name);                                                                                \
        fprintf(t->file, "%d\n", m->name);                                                                   \
    }
    SN_MODEL_SIZES(X)
#undef X
    sn_putName(t, "narena");
    fprintf(t->file, "%zu\n", m->narena);
    sn_putName(t, "nbuffer");
    fprintf(t->file, "%zu\n", m->nbuffer);
}

static void putOptions(const snText* t, const snOption* opt)
{
    int count;
    const snOptionField* fields = sn_optionFields(&count);
    fputs("\nOPTION\n", t->file);
    for (int i = 0; i < count; i++) {
        sn_putName(t, fields[i].name);
        sn_putEntries(t, fields[i].type, (const char*)opt + fields[i].offset, fields[i].count);
    }
}

static void putVisual(const snText* t, const snVisual* vis)
{
    int count;
    const snVisualField* fields = sn_visualFields(&count);
    fputs("\nVISUAL\n", t->file);
    for (int i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", fields[i].group, fields[i].name);
        sn_putName(t, name);
        sn_putEntries(t, fields[i].type, (const char*)vis + fields[i].offset, fields[i].count);
    }
}

static void putStatistic(const snText* t, const snModel* m)
{
    const struct {
        const char* name;
        const double* numbers;
        int count;
    } rows[] = {{"meaninertia", &m->stat.meaninertia, 1},
                {"meanmass", &m->stat.meanmass, 1},
                {"meansize", &m->stat.meansize, 1},
                {"extent", &m->stat.extent, 1},
                {"center", m->stat.center, 3}};
    fputs("\n", t->file);
    sn_putName(t, "totalmass");
    sn_putEntries(t, "double", m->body_subtreemass, m->nbody > 0);
    fputs("\nSTATISTIC\n", t->file);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sn_putName(t, rows[i].name);
        sn_putEntries(t, "double", rows[i].numbers, rows[i].count);
    }
}

// ---- elements

// A group of fields whose rows are elements, and the kind that names them.
typedef struct Kind {
    const char *group, *title;
    int type; ///< SN_OBJ_UNKNOWN: they have no names
} Kind;

static const Kind kinds[] = {
    {"body", "BODY", SN_OBJ_BODY},
    {"joint", "JOINT", SN_OBJ_JOINT},
    {"dof", "DOF", SN_OBJ_UNKNOWN},
    {"geom", "GEOM", SN_OBJ_GEOM},
    {"site", "SITE", SN_OBJ_SITE},
    {"camera", "CAMERA", SN_OBJ_CAMERA},
    {"light", "LIGHT", SN_OBJ_LIGHT},
    {"mesh", "MESH", SN_OBJ_MESH},
    {"skin", "SKIN", SN_OBJ_SKIN},
    {"flex", "FLEX", SN_OBJ_FLEX},
    {"hfield", "HFIELD", SN_OBJ_HFIELD},
    {"texture", "TEXTURE", SN_OBJ_TEXTURE},
    {"material", "MATERIAL", SN_OBJ_MATERIAL},
    {"pair", "PAIR", SN_OBJ_PAIR},
    {"exclude", "EXCLUDE", SN_OBJ_EXCLUDE},
    {"equality", "EQUALITY", SN_OBJ_EQUALITY},
    {"loop", "LOOP", SN_OBJ_UNKNOWN},
    {"tendon", "TENDON", SN_OBJ_TENDON},
    {"actuator", "ACTUATOR", SN_OBJ_ACTUATOR},
    {"sensor", "SENSOR", SN_OBJ_SENSOR},
    {"numeric", "NUMERIC", SN_OBJ_NUMERIC},
    {"text", "TEXT", SN_OBJ_TEXT},
    {"tuple", "TUPLE", SN_OBJ_TUPLE},
    {"key", "KEY", SN_OBJ_KEY},
};
enum { NKINDS = sizeof kinds / sizeof *kinds };

static const void* arrayOf(const snModel* m, const snField* field)
{
    return *(const void* const*)((const char*)m + field->offset);
}

static void putElementName(const snText* t, const snModel* m, const Kind* kind, int id)
{
    const bool loop = !strcmp(kind->group, "loop");
    if (kind->type == SN_OBJ_UNKNOWN && !loop) return;
    const char* name = loop ? sn_loopName(m, id) : sn_id2name(m, kind->type, id);
    sn_putName(t, "name");
    fprintf(t->file, "%s\n", name ? name : "");
}

// One element with all of its fields.
static void putElement(const snText* t, const snModel* m, const Kind* kind, int id)
{
    int count;
    const snField* fields = sn_modelFields(&count);
    fprintf(t->file, "\n%s %d:\n", kind->title, id);
    putElementName(t, m, kind, id);
    for (int i = 0; i < count; i++) {
        int rows, columns;
        if (strcmp(fields[i].group, kind->group)) continue;
        sn_modelFieldShape(m, i, &rows, &columns);
        if (!columns) continue;
        const size_t row = (size_t)columns * fields[i].itemsize;
        sn_putName(t, fields[i].name);
        sn_putEntries(t, fields[i].type, (const char*)arrayOf(m, &fields[i]) + (size_t)id * row, columns);
    }
}

static void putElements(const snText* t, const snModel* m, const Kind* kind)
{
    int count, rows = 0, columns;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count && !rows; i++)
        if (!strcmp(fields[i].group, kind->group)) sn_modelFieldShape(m, i, &rows, &columns);
    for (int id = 0; id < rows; id++) putElement(t, m, kind, id);
    if (rows) fputs("\n", t->file);
}

static bool isElement(const char* group)
{
    for (int k = 0; k < NKINDS; k++)
        if (!strcmp(group, kinds[k].group)) return true;
    return false;
}

// Fields of the group `state`, which lead, or all that belong to no element.
static void putOthers(const snText* t, const snModel* m, bool state)
{
    int count, rows, columns;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++) {
        if (isElement(fields[i].group) || state != !strcmp(fields[i].group, "state")) continue;
        sn_modelFieldShape(m, i, &rows, &columns);
        sn_putField(t, &fields[i], arrayOf(m, &fields[i]), rows, columns);
    }
}

snStatus sn_printModel(const snModel* m, const char* path, const char* float_format, snError* error)
{
    snText t;
    const snStatus status = sn_openText(&t, path, float_format, error);
    if (status != SN_STATUS_OK) return status;
    fprintf(t.file, "Sinew version %s\n", sn_version());
    fprintf(t.file, "model name     %s\n", m->nnames ? m->names : "");
    putSizes(&t, m);
    putOptions(&t, &m->opt);
    putVisual(&t, &m->vis);
    putStatistic(&t, m);
    putOthers(&t, m, true);
    for (int k = 0; k < NKINDS; k++) putElements(&t, m, &kinds[k]);
    putOthers(&t, m, false);
    return sn_closeText(&t, error);
}
