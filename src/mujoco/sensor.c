// Sensors, whatever their tags: what they are attached to, and what contacts are asked for.
#include "element.h"
#include <string.h>

// The words of a type of sensor, in model files; NULL: none.
static const char* tagOf(int type)
{
#define X(name, value, keyword, ...)                                                                         \
    if (type == value) return keyword;
    SN_SENSOR_TABLE(X)
#undef X
    return NULL;
}

static int typeOf(const char* tag)
{
#define X(name, value, keyword, ...)                                                                         \
    if (!strcmp(tag, keyword)) return value;
    SN_SENSOR_TABLE(X)
#undef X
    return -1;
}

static bool setText_(Element* e, const char* attribute, const char* text, snError* error)
{
    return sn_setText(e->s->source->spec, e->source, attribute, text && *text ? text : NULL, error) ==
           SN_STATUS_OK;
}

// One attribute that names an object: which it is, and of what kind; UNKNOWN: objtype or reftype says.
typedef struct Slot {
    const char* attribute;
    mjtObj type;
} Slot;

typedef struct Slots {
    Slot objects[8], references[8];
    int nobjects, nreferences;
    bool has_data;
} Slots;

// Kinds in the words of attributes: subtrees go by the frames of their bodies.
static mjtObj kindOfSlot(const snAttributeInfo* info)
{
    if (!strncmp(info->name, "subtree", 7)) return mjOBJ_XBODY;
#define X(name, value, keyword, meaning)                                                                     \
    if (info->words && !strcmp(info->words, #name)) return mjOBJ_##name;
    SN_OBJ_TABLE(X)
#undef X
    return mjOBJ_UNKNOWN;
}

static Slots slotsOf(const Element* e)
{
    Slots slots = {0};
    snAttributeInfo info;
    bool objtype = false, reftype = false;
    for (int k = 0; sn_elementAttribute(e->source, k, &info); k++) {
        objtype |= !strcmp(info.name, "objtype"), reftype |= !strcmp(info.name, "reftype");
        slots.has_data |= !strcmp(info.name, "data");
    }
    for (int k = 0; sn_elementAttribute(e->source, k, &info); k++) {
        if (strcmp(info.kind, "name") != 0) continue;
        const char last = info.name[strlen(info.name) - 1];
        const Slot slot = {info.name, kindOfSlot(&info)};
        if (last == '2' || !strcmp(info.name, "geom") || (!strcmp(info.name, "camera") && !slots.has_data))
            slots.references[slots.nreferences++] = slot;
        else
            slots.objects[slots.nobjects++] = slot;
    }
    if (objtype && slots.nobjects) { // insidesite
        memcpy(slots.references, slots.objects, sizeof slots.objects);
        slots.nreferences = slots.nobjects;
    }
    if (objtype) slots.objects[0] = (Slot){"objname", mjOBJ_UNKNOWN}, slots.nobjects = 1;
    if (reftype) slots.references[0] = (Slot){"refname", mjOBJ_UNKNOWN}, slots.nreferences = 1;
    return slots;
}

static void fillSlots(Element* e, const Slot* slots, int n, const char* typed, mjtObj* type, mjString* name)
{
    for (int i = 0; i < n; i++) {
        const char* text = sn_getText(e->s->source->spec, e->source, slots[i].attribute);
        if (!text) continue;
        setText(name, text);
        *type = slots[i].type;
        const char* word = *type ? NULL : sn_getText(e->s->source->spec, e->source, typed);
        if (word) *type = (mjtObj)sn_str2Type(word);
    }
}

static bool writeSlots(Element* e, const Slot* slots, int n, const char* typed, mjtObj type, const char* name,
                       snError* error)
{
    for (int i = 0; i < n; i++) {
        const bool here = n == 1 || slots[i].type == type;
        if (!slots[i].type && !setText_(e, typed, *name ? sn_type2Str(type) : NULL, error)) return false;
        if (!setText_(e, slots[i].attribute, here ? name : NULL, error)) return false;
    }
    return true;
}

// ---- sensors of contacts: bits of data, reduction, number

static const char* const contact_data[] = {"found", "force", "torque", "dist", "pos", "normal", "tangent"};
static const char* const reductions[] = {"none", "mindist", "maxforce", "netforce"};

static bool hasWord(const char* text, const char* word)
{
    const size_t n = strlen(word);
    for (const char* at = text; (at = strstr(at, word)); at += n)
        if ((at == text || at[-1] == ' ') && (at[n] == 0 || at[n] == ' ')) return true;
    return false;
}

static void fillContact(Element* e, mjsSensor* sensor)
{
    const char* data = sn_getText(e->s->source->spec, e->source, "data");
    double num = 1;
    for (int i = 0; i < 7; i++) sensor->intprm[0] |= (data ? hasWord(data, contact_data[i]) : i == 0) << i;
    const char* reduce = sn_getText(e->s->source->spec, e->source, "reduce");
    for (int i = 0; reduce && i < 4; i++)
        if (!strcmp(reduce, reductions[i])) sensor->intprm[1] = i;
    sn_getNumbers(e->s->source->spec, e->source, "num", &num, 1);
    sensor->intprm[2] = (int)num;
}

static bool writeContact(Element* e, const mjsSensor* sensor, snError* error)
{
    const int bits = sensor->intprm[0], reduce = sensor->intprm[1];
    char data[80] = "";
    if (bits <= 0 || bits >> 7 || reduce < 0 || reduce > 3) {
        snprintf(
            error->message, sizeof error->message,
            "a contact sensor has intprm %d %d %d: bits of mjtConDataField, a reduction of 0 to 3, a number",
            bits, reduce, sensor->intprm[2]);
        return false;
    }
    for (int i = 0; i < 7; i++)
        if (bits >> i & 1) {
            if (*data) strcat(data, " ");
            strcat(data, contact_data[i]);
        }
    const double num = sensor->intprm[2];
    return setText_(e, "data", data, error) && setText_(e, "reduce", reductions[reduce], error) &&
           sn_setNumbers(e->s->source->spec, e->source, "num", &num, 1, error) == SN_STATUS_OK;
}

// ---- sensors of the user

static const char* const datatypes[] = {"real", "positive", "axis", "quaternion"};
static const char* const stages[] = {"none", "pos", "vel", "acc"};

static bool writeUser(Element* e, const mjsSensor* sensor, snError* error)
{
    const double dim = sensor->dim;
    return sn_setNumbers(e->s->source->spec, e->source, "dim", &dim, 1, error) == SN_STATUS_OK &&
           setText_(e, "datatype", datatypes[sensor->datatype & 3], error) &&
           setText_(e, "needstage", stages[sensor->needstage & 3], error);
}

static void fillUser(Element* e, mjsSensor* sensor)
{
    double dim = 0;
    sn_getNumbers(e->s->source->spec, e->source, "dim", &dim, 1);
    sensor->dim = (int)dim;
    const char* datatype = sn_getText(e->s->source->spec, e->source, "datatype");
    const char* stage = sn_getText(e->s->source->spec, e->source, "needstage");
    for (int i = 0; i < 4; i++) {
        if (datatype && !strcmp(datatype, datatypes[i])) sensor->datatype = (mjtDataType)i;
        if (stage && !strcmp(stage, stages[i])) sensor->needstage = (mjtStage)i;
    }
}

// ---- all

void fillSensor(Element* e)
{
    mjsSensor* sensor = e->record;
    const char* tag = sn_elementTag(e->source);
    const int type = typeOf(tag);
    if (type < 0) return;
    sensor->type = (mjtSensor)type;
    const Slots slots = slotsOf(e);
    fillSlots(e, slots.objects, slots.nobjects, "objtype", &sensor->objtype, sensor->objname);
    fillSlots(e, slots.references, slots.nreferences, "reftype", &sensor->reftype, sensor->refname);
    sensor->needstage = mjSTAGE_ACC;
    if (sensor->type == mjSENS_CONTACT) fillContact(e, sensor);
    if (sensor->type == mjSENS_USER) fillUser(e, sensor);
}

bool writeSensor(Element* e, snError* error)
{
    const mjsSensor* sensor = e->record;
    const char* tag = tagOf((int)sensor->type);
    static const char* const names[] = {"type",   "objtype",  "objname",   "reftype", "refname",
                                        "intprm", "datatype", "needstage", "dim"};
    bool changed = false;
    for (int i = 0; i < 9; i++) changed |= isChanged(e, names[i]);
    if (!changed || !tag) return true;
    if (sn_changeTag(e->s->source->spec, e->source, tag, error) != SN_STATUS_OK) return false;
    const Slots slots = slotsOf(e);
    if (!writeSlots(e, slots.objects, slots.nobjects, "objtype", sensor->objtype, textOf(sensor->objname),
                    error) ||
        !writeSlots(e, slots.references, slots.nreferences, "reftype", sensor->reftype,
                    textOf(sensor->refname), error))
        return false;
    if (sensor->type == mjSENS_CONTACT) return writeContact(e, sensor, error);
    return sensor->type != mjSENS_USER || writeUser(e, sensor, error);
}
