#include "format/mjcf/language/element.h"
#include "format/mjcf/language/reading.h"
#include <string.h>

// What may stand in a body stands in frames and in the world, too.
static bool isBodyLike(const char* tag)
{
    return !strcmp(tag, "body") || !strcmp(tag, "worldbody") || !strcmp(tag, "frame") ||
           !strcmp(tag, "replicate");
}

// Whether the row of a path ("tendon/fixed/joint") holds for its last element inside a parent.
static bool isInside(const char* path, size_t before, const snElement* parent)
{
    if (before == 0)
        return isBodyLike(path) && strcmp(path, "worldbody") ? isBodyLike(parent->tag) : !parent->parent;
    size_t start = before - 1; // the component in front of the last
    while (start > 0 && path[start - 1] != '/') start--;
    const size_t n = before - 1 - start;
    if (n == 4 && !strncmp(path + start, "body", n)) return isBodyLike(parent->tag);
    return strlen(parent->tag) == n && !strncmp(path + start, parent->tag, n);
}

static const snMjcfElement* findRow(const snElement* parent, const char* tag)
{
    int count;
    const snMjcfElement* rows = sn_mjcfElements(&count);
    for (int i = 0; i < count; i++) {
        const char* slash = strrchr(rows[i].path, '/');
        const char* last = slash ? slash + 1 : rows[i].path;
        if (!strcmp(last, tag) && isInside(rows[i].path, (size_t)(last - rows[i].path), parent))
            return &rows[i];
    }
    return NULL;
}

// A row of any element of a tag, as default classes hold them. Those of <equality> have theirs under its
// name, not under joint or tendon; those of plugins have none.
static const snMjcfElement* findDefaultRow(const char* tag)
{
    int count;
    const snMjcfElement* rows = sn_mjcfElements(&count);
    const snMjcfElement* found = NULL;
    for (int i = 0; i < count; i++) {
        if (strcmp(rows[i].tag, tag) || !strncmp(rows[i].path, "equality/", 9) || !strcmp(tag, "plugin"))
            continue;
        for (int k = 0; k < rows[i].nattributes; k++)
            if (rows[i].attributes[k].where & SN_IN_DEFAULT) found = &rows[i];
    }
    return found;
}

bool sn_mjcfIsSection(const char* tag)
{
    static const char* const sections[] = {
#define X(tag, read) #tag,
        SN_MJCF_SECTIONS(X)
#undef X
    };
    for (int i = 0; i < SN_COUNT(sections); i++)
        if (!strcmp(sections[i], tag)) return true;
    return false;
}

const snMjcfElement* sn_mjcfInside(const snElement* parent, const char* tag, int* where)
{
    static const snMjcfElement plain = {"", "", 0, NULL};
    *where = SN_IN_ELEMENT;
    if (!parent) return &plain;
    if (!parent->parent && sn_mjcfIsSection(tag)) {
        const snMjcfElement* row = findRow(parent, tag);
        return row ? row : &plain;
    }
    if (!strcmp(parent->tag, "default")) {
        *where = SN_IN_DEFAULT;
        return strcmp(tag, "default") ? findDefaultRow(tag) : &plain;
    }
    if (!strcmp(parent->tag, "sensor")) return sn_mjcfSensor(tag);
    return findRow(parent, tag);
}

const snMjcfElement* sn_mjcfOf(const snElement* element, int* where)
{
    return sn_mjcfInside(element->parent, element->tag, where);
}

const snAttribute* sn_mjcfAttribute(const snMjcfElement* type, int where, const char* name)
{
    for (int i = 0; type && i < type->nattributes; i++)
        if ((type->attributes[i].where & where) && !strcmp(type->attributes[i].name, name))
            return &type->attributes[i];
    return NULL;
}

int sn_mjcfKind(const snElement* element)
{
    static const struct {
        const char* path; // of a row, or its beginning
        int kind;
    } kinds[] = {{"asset/texture", SN_OBJ_TEXTURE},
                 {"asset/material", SN_OBJ_MATERIAL},
                 {"asset/mesh", SN_OBJ_MESH},
                 {"asset/hfield", SN_OBJ_HFIELD},
                 {"asset/skin", SN_OBJ_SKIN},
                 {"deformable/skin", SN_OBJ_SKIN},
                 {"deformable/flex", SN_OBJ_FLEX},
                 {"body", SN_OBJ_BODY},
                 {"frame", SN_NAME_FRAME},
                 {"body/joint", SN_OBJ_JOINT},
                 {"body/freejoint", SN_OBJ_JOINT},
                 {"body/geom", SN_OBJ_GEOM},
                 {"body/site", SN_OBJ_SITE},
                 {"body/camera", SN_OBJ_CAMERA},
                 {"body/light", SN_OBJ_LIGHT},
                 {"contact/pair", SN_OBJ_PAIR},
                 {"contact/exclude", SN_OBJ_EXCLUDE},
                 {"equality/connect", SN_OBJ_EQUALITY},
                 {"equality/weld", SN_OBJ_EQUALITY},
                 {"equality/joint", SN_OBJ_EQUALITY},
                 {"equality/tendon", SN_OBJ_EQUALITY},
                 {"equality/flex", SN_OBJ_EQUALITY},
                 {"tendon/fixed", SN_OBJ_TENDON},
                 {"tendon/spatial", SN_OBJ_TENDON},
                 {"custom/numeric", SN_OBJ_NUMERIC},
                 {"custom/text", SN_OBJ_TEXT},
                 {"custom/tuple", SN_OBJ_TUPLE},
                 {"keyframe/key", SN_OBJ_KEY},
                 {"extension/plugin/instance", SN_OBJ_PLUGIN}};
    int where;
    if (!strcmp(element->tag, "default")) return SN_NAME_DEFAULT;
    if (!element->parent) return SN_OBJ_UNKNOWN;
    if (!strcmp(element->tag, "worldbody")) return SN_OBJ_BODY;
    if (!strcmp(element->parent->tag, "sensor")) return SN_OBJ_SENSOR;
    if (!strcmp(element->parent->tag, "actuator")) return SN_OBJ_ACTUATOR;
    const snMjcfElement* type = sn_mjcfOf(element, &where);
    if (!type || where == SN_IN_DEFAULT) return SN_OBJ_UNKNOWN;
    for (int i = 0; i < SN_COUNT(kinds); i++)
        if (!strcmp(type->path, kinds[i].path)) return kinds[i].kind;
    return SN_OBJ_UNKNOWN;
}

const char* sn_mjcfName(const snElement* element)
{
    if (!strcmp(element->tag, "worldbody")) return "world";
    const bool class = !strcmp(element->tag, "default");
    const char* name = sn_attributeText(element, class ? "class" : "name");
    if (class && (!name || !*name)) return "main";
    return name && *name ? name : NULL;
}

// The kind that a word of the tables ("JOINT") or of a file ("xbody") names.
static int kindByWord(const char* word, bool keyword)
{
    int count;
    const snEnumItem* items = sn_mjcfWords("snObjType", &count);
    for (int i = 0; i < count; i++)
        if (!strcmp(keyword ? items[i].keyword : items[i].name, word))
            return items[i].value == SN_OBJ_XBODY ? SN_OBJ_BODY : items[i].value;
    return SN_OBJ_UNKNOWN;
}

int sn_mjcfReferences(snElement* element, snReference* list, int room)
{
    int where, n = 0;
    const snMjcfElement* type = sn_mjcfOf(element, &where);
    for (int i = 0; type && i < element->nattributes; i++) {
        const snAttributeText* text = &element->attributes[i];
        const snAttribute* a = sn_mjcfAttribute(type, where, text->name);
        int kind = SN_OBJ_UNKNOWN;
        if (!a || !*text->value) continue;
        if (a->kind == SN_ATTR_REF)
            kind = kindByWord(a->words, false);
        else if (a->kind == SN_ATTR_CLASS || a->kind == SN_ATTR_CHILDCLASS)
            kind = SN_NAME_DEFAULT;
        else if (!strcmp(a->name, "objname") || !strcmp(a->name, "refname")) {
            const char* word = sn_attributeText(element, *a->name == 'o' ? "objtype" : "reftype");
            kind = word ? kindByWord(word, true) : SN_OBJ_UNKNOWN;
        }
        if (kind == SN_OBJ_UNKNOWN) continue;
        if (n < room) list[n] = (snReference){element, text->name, kind, text->value};
        n++;
    }
    return n < room ? n : room;
}
