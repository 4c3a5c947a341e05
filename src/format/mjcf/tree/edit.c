// The public functions that change a spec: sections, elements, attributes. Each checks by the table what it
// is told, so that an element of the source is never worse than one read from a file.
#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/language/field.h"
#include "format/mjcf/language/reading.h"
#include "format/mjcf/tree/edit.h"
#include "format/mjcf/tree/inherit.h"
#include "format/mjcf/tree/name_list.h"
#include "format/mjcf/tree/name_set.h"
#include <string.h>

static snStatus noMemory(snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
}

snElement* sn_blamedElement(snSpec* spec)
{
    if (!spec || !spec->blamed) return NULL;
    snElement* e = spec->root;
    while (e && e != spec->blamed) e = sn_nextInTree(spec->root, e);
    return e;
}

snElement* sn_root(snSpec* spec)
{
    return spec->root;
}

int sn_elementType(const snElement* element)
{
    const int kind = sn_mjcfKind(element);
    return kind < SN_NOBJECT ? kind : SN_OBJ_UNKNOWN;
}

int sn_elementId(const snElement* element)
{
    return element->id;
}

const char* sn_elementTag(const snElement* element)
{
    return element->tag;
}

snElement* sn_elementParent(const snElement* element)
{
    return element->parent;
}

snElement* sn_elementFirst(const snElement* element)
{
    return element->first;
}

snElement* sn_elementNext(const snElement* element)
{
    return element->next;
}

static snElement* append(snSpec* spec, snElement* parent, const char* tag)
{
    snElement* element = sn_newElement(&spec->tree, tag, (snPlace){spec->file, 0});
    if (!element) return NULL;
    element->origin = parent->origin;
    sn_linkElement(parent, element, NULL);
    spec->read = false;
    return element;
}

snElement* sn_section(snSpec* spec, const char* path, snError* error)
{
    const char* slash = strchr(path, '/');
    char tag[32];
    const size_t n = slash ? (size_t)(slash - path) : strlen(path);
    if (n >= sizeof tag) goto unknown;
    memcpy(tag, path, n);
    tag[n] = 0;
    if (!sn_mjcfIsSection(tag)) goto unknown;
    snElement* section = sn_childElement(spec->root, tag);
    if (!section) section = append(spec, spec->root, tag);
    if (section && slash) {
        int where;
        if (!sn_mjcfInside(section, slash + 1, &where)) goto unknown;
        snElement* part = sn_childElement(section, slash + 1);
        section = part ? part : append(spec, section, slash + 1);
    }
    if (!section) noMemory(error);
    return section;
unknown:
    sn_fail(error, SN_STATUS_ARGUMENT, "a model has no section '%s'", sn_short(path).text);
    return NULL;
}

// What elements of an origin call by a name of one kind.
static snElement* findNamed(const snSpec* spec, int kind, const snOrigin* origin, const char* name)
{
    if (kind == (int)SN_NAME_DEFAULT) return sn_findClass(spec, origin, name);
    for (snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e)) {
        const char* own = sn_mjcfName(e);
        if (own && !strcmp(own, name) && sn_mjcfKind(e) == kind) return e;
    }
    return NULL;
}

// Whether an element stands in the spec, default classes of what was attached included.
static bool isStillIn(const snSpec* spec, const snElement* element, snError* error)
{
    for (const snOrigin* o = spec->origins; o; o = o->next)
        if (element != o->settings && sn_isInTree(element, o->settings)) return true;
    return sn_isStillInTree(element, spec->root, error);
}

snElement* sn_findElement(const snSpec* spec, int objtype, const char* name)
{
    if (!name || !*name) return NULL;
    const int kind = objtype == SN_OBJ_XBODY     ? (int)SN_OBJ_BODY
                     : objtype == SN_OBJ_UNKNOWN ? (int)SN_NAME_FRAME
                                                 : objtype;
    return findNamed(spec, kind, NULL, name);
}

snElement* sn_findDefault(const snSpec* spec, const char* name)
{
    return findNamed(spec, (int)SN_NAME_DEFAULT, NULL, name);
}

// The attribute that a new element's name goes into; NULL: it has none.
static const char* nameAttribute(const snElement* parent, const char* tag)
{
    int where;
    if (!strcmp(tag, "default")) return "class";
    const snMjcfElement* type = sn_mjcfInside(parent, tag, &where);
    return sn_mjcfAttribute(type, where, "name") ? "name" : NULL;
}

// Whether it becomes something of its own in a body, which then has the units and classes of the spec,
// whatever model the body came from.
static bool isInBody(const snElement* element)
{
    static const char* const holders[] = {"body", "frame", "worldbody"};
    const int kind = sn_mjcfKind(element);
    bool held = false;
    for (int i = 0; i < SN_COUNT(holders); i++) held |= !strcmp(element->parent->tag, holders[i]);
    return held && kind != SN_OBJ_UNKNOWN && kind != (int)SN_NAME_FRAME;
}

snElement* sn_addElement(snSpec* spec, snElement* parent, const char* tag, const char* name, snError* error)
{
    int where;
    if (!isStillIn(spec, parent, error)) return NULL;
    if (!sn_mjcfInside(parent, tag, &where)) {
        sn_fail(error, SN_STATUS_ARGUMENT, "<%s> cannot hold <%s>", sn_short(parent->tag).text,
                sn_short(tag).text);
        return NULL;
    }
    if (parent->depth >= SN_TREE_DEPTH) {
        sn_fail(error, SN_STATUS_ARGUMENT, "<%s> is nested too deep, more than %d elements", tag,
                SN_TREE_DEPTH);
        return NULL;
    }
    const char* attribute = name && *name ? nameAttribute(parent, tag) : NULL;
    if (name && *name && !attribute) {
        sn_fail(error, SN_STATUS_ARGUMENT, "<%s> has no name", tag);
        return NULL;
    }
    snElement* element = append(spec, parent, tag);
    if (!element) {
        noMemory(error);
        return NULL;
    }
    if (isInBody(element)) element->origin = NULL;
    if (!attribute || !sn_setText(spec, element, attribute, name, error)) return element;
    sn_unlinkElement(element);
    return NULL;
}

// ---- attributes

static const char* kindName(snAttributeKind kind)
{
    switch (kind) {
    case SN_ATTR_REAL:
    case SN_ATTR_FLOAT: return "number";
    case SN_ATTR_VEC:
    case SN_ATTR_FVEC: return "numbers";
    case SN_ATTR_INT: return "int";
    case SN_ATTR_IVEC: return "ints";
    case SN_ATTR_BOOL: return "bool";
    case SN_ATTR_WORD: return "word";
    case SN_ATTR_LIST:
    case SN_ATTR_FLIST:
    case SN_ATTR_ILIST: return "list";
    case SN_ATTR_QUAT:
    case SN_ATTR_AXISANGLE:
    case SN_ATTR_XYAXES:
    case SN_ATTR_ZAXIS:
    case SN_ATTR_EULER: return "orientation";
    case SN_ATTR_FLAG: return "flag";
    case SN_ATTR_NAMES: return "names";
    case SN_ATTR_REF:
    case SN_ATTR_CLASS:
    case SN_ATTR_CHILDCLASS: return "name";
    default: return "text";
    }
}

bool sn_elementAttribute(const snElement* element, int index, snAttributeInfo* info)
{
    int where;
    const snMjcfElement* type = sn_mjcfOf(element, &where);
    for (int i = 0; type && i < type->nattributes; i++) {
        const snAttribute* a = &type->attributes[i];
        if (!(a->where & where) || index-- > 0) continue;
        const bool flag = a->kind == SN_ATTR_FLAG, list = !strcmp(kindName(a->kind), "list");
        *info = (snAttributeInfo){
            .name = a->name,
            .kind = kindName(a->kind),
            .least = flag || list ? 0 : a->min,
            .most = flag || list ? 0 : a->max,
            .meaning = a->meaning,
            .member = a->member ? a->member : a->name,
            .words = a->kind == SN_ATTR_WORD || a->kind == SN_ATTR_REF || a->kind == SN_ATTR_NAMES ? a->words
                                                                                                   : NULL,
            .single = a->kind == SN_ATTR_FLOAT || a->kind == SN_ATTR_FVEC || a->kind == SN_ATTR_FLIST,
        };
        return true;
    }
    return false;
}

// An attribute's value is tried on a record of zeros: what the reader refuses there, it would refuse later.
static bool isGood(snSpec* spec, snElement* element, const snMjcfElement* type, int where,
                   const char* attribute, const char* text, snError* error)
{
    _Alignas(max_align_t) char record[4096] = {0};
    _Static_assert(sizeof(snOption) < sizeof record && sizeof(snVisual) < sizeof record &&
                       sizeof(snSpecActuator) < sizeof record && sizeof(snSpecGeom) < sizeof record &&
                       sizeof(snSensorText) < sizeof record && sizeof(snSpecTexture) < sizeof record,
                   "every record fits");
    const snLocale locale = sn_makeLocale();
    if (!locale) {
        noMemory(error);
        return false;
    }
    const snLoadOptions strict = {.strict = true};
    snReader reader = {.spec = spec, .error = error, .locale = locale, .options = &strict};
    // its name is for errors
    const char* name = strcmp(attribute, "name") ? sn_attributeText(element, "name") : NULL;
    snAttributeText pairs[2] = {{attribute, text}, {"name", name}};
    const snElement trial = {.tag = element->tag,
                             .place = element->place,
                             .parent = element->parent,
                             .nattributes = name && sn_mjcfAttribute(type, where, "name") ? 2 : 1,
                             .attributes = pairs};
    const bool good = sn_readAttributes(&reader, &trial, type, where | SN_IN_PART, record);
    sn_freeLocale(locale);
    return good;
}

static bool isTaken(const snSpec* spec, const snElement* element, const char* name, snError* error)
{
    const snElement* other = findNamed(spec, sn_mjcfKind(element), element->origin, name);
    if (!other || other == element) return false;
    sn_fail(error, SN_STATUS_MODEL, "<%s name=\"%s\">: this name is taken, names must differ", element->tag,
            sn_short(name).text);
    return true;
}

// The same in a text field of ours, which holds names.
static bool renameInField(snSpec* spec, snElement* e, int kind, const char* old, const char* name)
{
    snFieldName held[SN_FIELD_NAMES];
    for (int k = 0; k < sn_fieldNames(e, held); k++)
        if (sn_isFieldName(&held[k], kind, old) && !sn_putFieldName(&spec->tree, e, k, "", name, ""))
            return false;
    return true;
}

static bool renameInLists(snSpec* spec, snElement* e, int kind, const char* old, const char* name)
{
    snNameList lists[SN_NAME_LISTS];
    const int n = sn_nameLists(e, lists);
    for (int i = 0; i < n; i++)
        if (lists[i].kind == kind && !sn_renameListed(&spec->tree, e, &lists[i], old, name)) return false;
    return true;
}

static bool renameBelow(snSpec* spec, snElement* root, int kind, const snElement* class, const char* old,
                        const char* name)
{
    for (snElement* e = root; e; e = sn_nextInTree(root, e)) {
        snReference list[SN_MAX_REFERENCES];
        const int n = sn_mjcfReferences(e, list, SN_MAX_REFERENCES);
        for (int i = 0; i < n; i++) {
            if (list[i].kind != kind || strcmp(list[i].name, old)) continue;
            if (kind == (int)SN_NAME_DEFAULT && sn_findClass(spec, e->origin, old) != class) continue;
            if (!sn_putAttribute(&spec->tree, e, list[i].attribute, name)) return false;
        }
        if (!renameInField(spec, e, kind, old, name) || !renameInLists(spec, e, kind, old, name))
            return false;
    }
    return true;
}

// Default classes of what was attached refer to assets, too.
bool sn_renameReferences(snSpec* spec, const snElement* element, const char* old, const char* name)
{
    const int kind = sn_mjcfKind(element);
    for (const snOrigin* o = spec->origins; o; o = o->next)
        if (!renameBelow(spec, o->settings, kind, element, old, name)) return false;
    return renameBelow(spec, spec->root, kind, element, old, name);
}

static snStatus setName(snSpec* spec, snElement* element, const char* attribute, const char* name,
                        snError* error)
{
    if (!strcmp(element->tag, "worldbody"))
        return sn_fail(error, SN_STATUS_ARGUMENT, "the world keeps its name");
    if (name && isTaken(spec, element, name, error)) return SN_STATUS_MODEL;
    const char* old = sn_mjcfName(element);
    const int kind = sn_mjcfKind(element);
    if (old && name && kind != SN_OBJ_UNKNOWN && !sn_renameReferences(spec, element, old, name))
        return noMemory(error);
    return sn_putAttribute(&spec->tree, element, attribute, name) ? SN_STATUS_OK : noMemory(error);
}

// An orientation has several forms, of which the last one set counts.
static void dropOtherOrientations(snSpec* spec, snElement* element, const snMjcfElement* type, int where,
                                  const snAttribute* given)
{
    for (int i = 0; i < type->nattributes; i++) {
        const snAttribute* a = &type->attributes[i];
        if (a != given && (a->where & where) && a->kind >= SN_ATTR_QUAT && a->kind <= SN_ATTR_EULER)
            sn_putAttribute(&spec->tree, element, a->name, NULL);
    }
}

snStatus sn_setText(snSpec* spec, snElement* element, const char* attribute, const char* text, snError* error)
{
    int where;
    const snMjcfElement* type = sn_mjcfOf(element, &where);
    const bool class = !strcmp(element->tag, "default") && !strcmp(attribute, "class");
    const bool root = !element->parent && !strcmp(attribute, "model");
    const snAttribute* a = sn_mjcfAttribute(type, where, attribute);
    if (!isStillIn(spec, element, error)) return SN_STATUS_ARGUMENT;
    if (!type) return sn_fail(error, SN_STATUS_ARGUMENT, "<%s> has no attributes to set here", element->tag);
    if (!a && !class && !root) {
        snError why;
        isGood(spec, element, type, where, attribute, text ? text : "", &why);
        return sn_fail(error, why.status, "%s", why.message);
    }
    if (text && !sn_isXmlText(text))
        return sn_fail(error, SN_STATUS_MODEL, "<%s>: '%s' is to be UTF-8 without control characters",
                       element->tag, attribute);
    spec->read = false;
    if (class || (a && a->kind == SN_ATTR_NAME && sn_mjcfKind(element) != SN_OBJ_UNKNOWN))
        return setName(spec, element, attribute, text && *text ? text : NULL, error);
    snError why = {SN_STATUS_OK, 0, "", ""};
    if (text && a && !isGood(spec, element, type, where, attribute, text, &why)) {
        if (error) *error = why;
        return why.status;
    }
    if (text && a && a->kind >= SN_ATTR_QUAT && a->kind <= SN_ATTR_EULER)
        dropOtherOrientations(spec, element, type, where, a);
    if (!strcmp(attribute, "range")) element->endless = false;
    return sn_putAttribute(&spec->tree, element, attribute, text) ? SN_STATUS_OK : noMemory(error);
}

snStatus sn_setNumbers(snSpec* spec, snElement* element, const char* attribute, const double* numbers, int n,
                       snError* error)
{
    if (n < 0 || (n > 0 && !numbers)) return sn_fail(error, SN_STATUS_ARGUMENT, "no numbers given");
    const size_t room = SN_REAL_SIZE * (size_t)n + 1;
    char few[512];
    char* text = room <= sizeof few ? few : sn_malloc(room);
    if (!text) return noMemory(error);
    sn_printReals(text, room, numbers, n);
    const snStatus status = sn_setText(spec, element, attribute, text, error);
    if (text != few) sn_free(text);
    return status;
}

// ---- removal

// Whether an element of a section loses its meaning with what it refers to.
static bool dependsOn(const snElement* element, int kind)
{
    if (sn_mjcfKind(element) == SN_OBJ_FLEX) return kind == SN_OBJ_BODY;
    static const char* const sections[] = {"contact", "equality", "tendon", "actuator", "sensor", "custom"};
    const snElement* section = element;
    while (section->depth > 2) section = section->parent;
    for (int i = 0; i < SN_COUNT(sections); i++)
        if (!strcmp(section->tag, sections[i])) return true;
    return false;
}

// The element below its section that holds this one: a tendon of a wrap object.
static snElement* wholeOf(snElement* element)
{
    while (element->depth > 3) element = element->parent;
    return element;
}

// What is removed, and the names in it, of whatever kind.
typedef struct Removed {
    const snElement* root;
    snNameSet names;
    bool listed; // false: they could not be, any name may be one
} Removed;

static Removed listRemoved(const snElement* root)
{
    Removed removed = {root, {NULL, 0, 0}, true};
    for (const snElement* e = root; e && removed.listed; e = sn_nextInTree(root, e))
        if (sn_mjcfName(e)) removed.listed = sn_addName(&removed.names, 0, sn_mjcfName(e));
    return removed;
}

static bool refersInto(const snSpec* spec, const snReference* reference, const Removed* removed)
{
    if (removed->listed && reference->kind != (int)SN_NAME_DEFAULT &&
        !sn_hasName(&removed->names, 0, reference->name))
        return false;
    const snElement* target = findNamed(spec, reference->kind, reference->element->origin, reference->name);
    return target && sn_isInTree(target, removed->root);
}

static bool listsNameIn(const snSpec* spec, const snElement* e, const Removed* removed, snReference* found)
{
    snNameList lists[SN_NAME_LISTS];
    const int n = sn_nameLists(e, lists);
    for (int i = 0; i < n; i++) {
        *found = (snReference){(snElement*)e, lists[i].attribute, lists[i].kind, NULL};
        if (removed->listed && !sn_listsAny(&lists[i], &removed->names, 0)) continue;
        for (const snElement* s = removed->root; s; s = sn_nextInTree(removed->root, s)) {
            found->name = sn_mjcfName(s);
            if (found->name && sn_mjcfKind(s) == found->kind && sn_listsName(&lists[i], found->name) &&
                findNamed(spec, found->kind, e->origin, found->name) == s)
                return true;
        }
    }
    return false;
}

// Whether a text field of ours holds the name of something in what is removed.
static bool holdsNameIn(const snElement* e, const snElement* removed)
{
    snFieldName held[SN_FIELD_NAMES];
    const int n = sn_fieldNames(e, held);
    for (const snElement* s = n ? removed : NULL; s; s = sn_nextInTree(removed, s)) {
        const char* name = sn_mjcfName(s);
        for (int k = 0; k < n && name; k++)
            if (sn_isFieldName(&held[k], sn_mjcfKind(s), name)) return true;
    }
    return false;
}

static snElement* findReferrerBelow(const snSpec* spec, snElement* root, const Removed* removed,
                                    snReference* found)
{
    for (snElement* e = root; e; e = sn_nextInTree(root, e)) {
        if (e->nattributes == 0 || sn_isInTree(e, removed->root)) continue;
        snReference list[SN_MAX_REFERENCES];
        const int n = sn_mjcfReferences(e, list, SN_MAX_REFERENCES);
        for (int i = 0; i < n; i++) {
            *found = list[i];
            if (refersInto(spec, found, removed)) return e;
        }
        if (listsNameIn(spec, e, removed, found)) return e;
        *found = (snReference){e, "data", SN_OBJ_SITE, ""};
        if (holdsNameIn(e, removed->root)) return e;
    }
    return NULL;
}

// An element outside `removed` that refers into it; NULL: there is none.
static snElement* findReferrer(const snSpec* spec, const Removed* removed, snReference* found)
{
    snElement* referrer = findReferrerBelow(spec, spec->root, removed, found);
    for (const snOrigin* o = spec->origins; o && !referrer; o = o->next)
        referrer = findReferrerBelow(spec, o->settings, removed, found);
    return referrer;
}

snStatus sn_removeElement(snSpec* spec, snElement* element, snError* error)
{
    if (element == spec->root || !strcmp(element->tag, "worldbody"))
        return sn_fail(error, SN_STATUS_ARGUMENT, "<%s> cannot be removed", element->tag);
    if (!element->parent) return SN_STATUS_OK; // it has been
    snReference reference;
    Removed removed = listRemoved(element);
    for (snElement* e; (e = findReferrer(spec, &removed, &reference));) {
        if (dependsOn(e, reference.kind) && reference.kind != (int)SN_NAME_DEFAULT)
            sn_removeElement(spec, wholeOf(e), NULL); // with what refers to it in turn
        else
            sn_putAttribute(&spec->tree, e, reference.attribute, NULL);
    }
    sn_freeNames(&removed.names);
    sn_unlinkElement(element);
    spec->read = false;
    return SN_STATUS_OK;
}

// Takes what names an element out of all below root: attributes, layers of materials, text fields of ours.
static void forget(snSpec* spec, snElement* root, int kind, const char* name)
{
    for (snElement *e = root, *next; e; e = next) {
        snReference list[SN_MAX_REFERENCES];
        snFieldName held[SN_FIELD_NAMES];
        bool gone = false;
        next = sn_nextInTree(root, e);
        const int n = sn_mjcfReferences(e, list, SN_MAX_REFERENCES), fields = sn_fieldNames(e, held);
        for (int i = 0; i < n; i++) {
            if (list[i].kind != kind || strcmp(list[i].name, name)) continue;
            gone |= !strcmp(e->tag, "layer");
            sn_putAttribute(&spec->tree, e, list[i].attribute, NULL);
        }
        for (int k = 0; k < fields; k++) gone |= sn_isFieldName(&held[k], kind, name);
        snNameList lists[SN_NAME_LISTS];
        const int nlists = sn_nameLists(e, lists);
        for (int k = 0; k < nlists; k++)
            if (lists[k].kind == kind && sn_listsName(&lists[k], name))
                sn_putAttribute(&spec->tree, e, lists[k].attribute, NULL);
        if (gone) sn_unlinkElement(e); // neither holds anything
    }
}

void sn_dropElement(snSpec* spec, snElement* element)
{
    const char* name = sn_mjcfName(element);
    const int kind = sn_mjcfKind(element);
    sn_unlinkElement(element);
    spec->read = false;
    for (snOrigin* o = spec->origins; o && name; o = o->next) forget(spec, o->settings, kind, name);
    if (name) forget(spec, spec->root, kind, name);
}

// ---- changes of place and of tag

static void dropWhatDoesNotFit(snSpec* spec, snElement* element, const snMjcfElement* type, int where)
{
    for (int i = element->nattributes - 1; i >= 0; i--)
        if (!sn_mjcfAttribute(type, where, element->attributes[i].name))
            sn_putAttribute(&spec->tree, element, element->attributes[i].name, NULL);
    for (snElement *child = element->first, *next; child; child = next) {
        int inside;
        next = child->next;
        if (!sn_mjcfInside(element, child->tag, &inside)) sn_unlinkElement(child);
    }
}

snStatus sn_changeTag(snSpec* spec, snElement* element, const char* tag, snError* error)
{
    int where;
    const snMjcfElement* type = element->parent ? sn_mjcfInside(element->parent, tag, &where) : NULL;
    const snElement trial = {.tag = tag, .parent = element->parent, .depth = element->depth};
    if (!sn_isStillInTree(element, spec->root, error)) return SN_STATUS_ARGUMENT;
    if (!type || sn_mjcfKind(&trial) != sn_mjcfKind(element))
        return sn_fail(error, SN_STATUS_ARGUMENT, "<%s> cannot become <%s>", element->tag,
                       sn_short(tag).text);
    const char* own = sn_poolText(&spec->tree, tag, strlen(tag));
    if (!own) return noMemory(error);
    element->tag = own;
    dropWhatDoesNotFit(spec, element, type, where);
    spec->read = false;
    return SN_STATUS_OK;
}

static int heightOf(const snElement* element)
{
    int deepest = element->depth;
    for (const snElement* e = element; e; e = sn_nextInTree(element, e))
        if (e->depth > deepest) deepest = e->depth;
    return deepest - element->depth;
}

snStatus sn_moveElement(snSpec* spec, snElement* element, snElement* parent, snError* error)
{
    int where;
    if (!sn_isStillInTree(element, spec->root, error) || !sn_isStillInTree(parent, spec->root, error))
        return SN_STATUS_ARGUMENT;
    if (!element->parent || !strcmp(element->tag, "worldbody") || sn_isInTree(parent, element) ||
        !sn_mjcfInside(parent, element->tag, &where))
        return sn_fail(error, SN_STATUS_ARGUMENT, "<%s> cannot be moved into <%s>", element->tag,
                       parent->tag);
    if (element->origin && element->origin != parent->origin && element->parent != parent)
        return sn_fail(error, SN_STATUS_ARGUMENT, "<%s> and <%s> come from different models", element->tag,
                       parent->tag);
    if (parent->depth + 1 + heightOf(element) > SN_TREE_DEPTH)
        return sn_fail(error, SN_STATUS_ARGUMENT, "<%s> would be nested too deep, more than %d elements",
                       element->tag, SN_TREE_DEPTH);
    sn_unlinkElement(element);
    sn_linkElement(parent, element, NULL);
    spec->read = false;
    return SN_STATUS_OK;
}

snStatus sn_placeElement(snSpec* spec, snElement* element, snElement* before, snError* error)
{
    if (!sn_isStillInTree(element, spec->root, error) ||
        (before && !sn_isStillInTree(before, spec->root, error)))
        return SN_STATUS_ARGUMENT;
    snElement* parent = element->parent;
    if (!parent || (before && before->parent != parent))
        return sn_fail(error, SN_STATUS_ARGUMENT, "<%s> and <%s> are not children of one element",
                       element->tag, before ? before->tag : "mujoco");
    if (before == element) return SN_STATUS_OK;
    sn_unlinkElement(element);
    sn_linkElement(parent, element, before);
    spec->read = false;
    return SN_STATUS_OK;
}
