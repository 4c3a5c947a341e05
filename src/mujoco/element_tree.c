// Elements of a spec: found, added, attached, removed, walked through.
#include "element.h"
#include <string.h>

static Element* innerOf(const mjsElement* element)
{
    return (Element*)(size_t)element;
}

// The element that a struct is of.
static Element* of(const void* record)
{
    return record ? innerOf(*(mjsElement* const*)record) : NULL;
}

static void* recordOf(Element* e)
{
    return e ? e->record : NULL;
}

// ---- finding

static snElement* worldOf(mjSpec* s)
{
    return sn_section(s->source->spec, "worldbody", NULL);
}

mjsBody* mjs_findBody(mjSpec* s, const char* name)
{
    snElement* body =
        strcmp(name, "world") != 0 ? sn_findElement(s->source->spec, SN_OBJ_BODY, name) : worldOf(s);
    return recordOf(elementOf(s, body));
}

mjsFrame* mjs_findFrame(mjSpec* s, const char* name)
{
    return recordOf(elementOf(s, sn_findElement(s->source->spec, SN_OBJ_UNKNOWN, name)));
}

mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name)
{
    if (type == mjOBJ_BODY) {
        const mjsBody* body = mjs_findBody(s, name);
        return body ? body->element : NULL;
    }
    if (type == mjOBJ_DEFAULT) {
        const mjsDefault* def = mjs_findDefault(s, name);
        return def ? def->element : NULL;
    }
    Element* e =
        elementOf(s, sn_findElement(s->source->spec, type == mjOBJ_FRAME ? SN_OBJ_UNKNOWN : (int)type, name));
    return e ? &e->shown : NULL;
}

// The next element of a tree of the source, children first, that stays below top.
static snElement* nextBelow(const snElement* top, snElement* at, bool inside)
{
    snElement* next = inside ? sn_elementFirst(at) : NULL;
    for (; !next && at && at != top; at = sn_elementParent(at)) next = sn_elementNext(at);
    return next == top ? NULL : next;
}

static bool isBody(const snElement* source)
{
    const Kind* kind = kindOf(source);
    return kind && kind->type == mjOBJ_BODY;
}

static bool isOf(const snElement* source, mjtObj type)
{
    const Kind* kind = kindOf(source);
    return kind && kind->type == type && strcmp(sn_elementTag(source), "worldbody") != 0;
}

// The next body, or the world, behind `at` below top; classes are not looked into.
static snElement* nextBody(const snElement* top, snElement* at)
{
    do at = nextBelow(top, at, strcmp(sn_elementTag(at), "default") != 0);
    while (at && !isBody(at));
    return at;
}

// The next one of a type behind `at` in a body alone, or outside of bodies; frames are looked through.
static snElement* nextInBody(const snElement* body, snElement* at, mjtObj type)
{
    do {
        const bool is_class = !strcmp(sn_elementTag(at), "default");
        at = nextBelow(body, at, at == body || (!is_class && !isBody(at)));
    } while (at && !isOf(at, type));
    return at;
}

// The next one of a type behind `at`: what a body has itself comes before what the bodies in it have.
static snElement* nextOfType(const snElement* top, snElement* at, mjtObj type, bool recurse)
{
    snElement* body = at;
    if (type == mjOBJ_BODY && recurse) return nextBody(top, at);
    while (body != top && !(body != at && isBody(body))) body = sn_elementParent(body);
    for (;;) {
        snElement* next = nextInBody(body, at, type);
        if (next || !recurse) return next;
        body = at = nextBody(top, body);
        if (!body) return NULL;
    }
}

static mjsElement* shownOf(Element* e)
{
    return e ? &e->shown : NULL;
}

mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse)
{
    Element* e = of(body);
    return shownOf(elementOf(e->s, nextOfType(e->source, e->source, type, recurse)));
}

mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse)
{
    Element *e = of(body), *at = innerOf(child);
    return shownOf(elementOf(e->s, nextOfType(e->source, at->source, at->shown.elemtype, recurse)));
}

// The world stands before all other bodies.
mjsElement* mjs_firstElement(mjSpec* s, mjtObj type)
{
    if (type == mjOBJ_BODY) return shownOf(elementOf(s, worldOf(s)));
    snElement* root = sn_root(s->source->spec);
    return shownOf(elementOf(s, nextOfType(root, root, type, true)));
}

mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element)
{
    Element* at = innerOf(element);
    return shownOf(elementOf(s, nextOfType(sn_root(s->source->spec), at->source, element->elemtype, true)));
}

static mjsBody* childOfName(Element* e, const char* name)
{
    for (snElement* at = e->source; (at = nextOfType(e->source, at, mjOBJ_BODY, true));) {
        const char* text = sn_getText(e->s->source->spec, at, "name");
        if (text && !strcmp(text, name)) return recordOf(elementOf(e->s, at));
    }
    return NULL;
}

mjsBody* mjs_findChild(mjsBody* body, const char* name)
{
    return childOfName(of(body), name);
}

static Element* above(mjsElement* element, mjtObj type)
{
    Element* e = innerOf(element);
    for (snElement* at = sn_elementParent(e->source); at; at = sn_elementParent(at)) {
        const Kind* kind = kindOf(at);
        if (kind && kind->type == type) return elementOf(e->s, at);
        if (kind && kind->type == mjOBJ_BODY) return NULL;
    }
    return NULL;
}

mjsBody* mjs_getParent(mjsElement* element)
{
    return recordOf(above(element, mjOBJ_BODY));
}

mjsFrame* mjs_getFrame(mjsElement* element)
{
    return recordOf(above(element, mjOBJ_FRAME));
}

mjSpec* mjs_getSpec(mjsElement* element)
{
    return innerOf(element)->s;
}

int mjs_getId(mjsElement* element)
{
    return element ? sn_elementId(innerOf(element)->source) : -1;
}

// ---- names

int mjs_setName(mjsElement* element, const char* name)
{
    Element* e = innerOf(element);
    snError error = {0};
    if (sn_setText(e->s->source->spec, e->source, "name", name && *name ? name : NULL, &error) ==
        SN_STATUS_OK)
        return 0;
    giveText(error.message, e->s->source->told, sizeof e->s->source->told);
    return -1;
}

mjString* mjs_getName(mjsElement* element)
{
    Element* e = innerOf(element);
    const bool world = !strcmp(sn_elementTag(e->source), "worldbody");
    setText(&e->name, world ? "world" : sn_getText(e->s->source->spec, e->source, "name"));
    return &e->name;
}

// ---- adding

static void* fail(mjSpec* s, const snError* error)
{
    giveText(error->message, s->source->told, sizeof s->source->told);
    mju_error("%s", error->message);
    return NULL;
}

// Classes, whose changes elements that are made after them have.
static bool writeClass(const mjsDefault* def, snError* error)
{
    const void* const records[] = {def->joint,    def->geom,   def->site,     def->camera,
                                   def->light,    def->mesh,   def->material, def->pair,
                                   def->equality, def->tendon, def->actuator};
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
        if (records[i] && !writeElement(of(records[i]), error)) return false;
    return true;
}

static void* add(mjSpec* s, snElement* parent, const char* tag, const mjsDefault* def)
{
    snError error = {0};
    if (def && !writeClass(def, &error)) return fail(s, &error);
    snElement* source = parent ? sn_addElement(s->source->spec, parent, tag, NULL, &error) : NULL;
    const char* class_ = def ? sn_getText(s->source->spec, of(def)->source, "class") : NULL;
    const char* attribute = !strcmp(tag, "body") || !strcmp(tag, "frame") ? "childclass" : "class";
    if (source && class_ && strcmp(class_, "main") != 0 && strcmp(tag, "freejoint") != 0 &&
        sn_setText(s->source->spec, source, attribute, class_, &error) != SN_STATUS_OK)
        return fail(s, &error);
    return source ? recordOf(newElement(s, source)) : fail(s, &error);
}

static void* addIn(mjsBody* body, const char* tag, const mjsDefault* def)
{
    Element* e = of(body);
    return add(e->s, e->source, tag, def);
}

#define ADD_IN_BODY(name, tag)                                                                               \
    mjs##name* mjs_add##name(mjsBody* body, const mjsDefault* def)                                           \
    {                                                                                                        \
        return addIn(body, tag, def);                                                                        \
    }
ADD_IN_BODY(Body, "body")
ADD_IN_BODY(Site, "site")
ADD_IN_BODY(Joint, "joint")
ADD_IN_BODY(Geom, "geom")
ADD_IN_BODY(Camera, "camera")
ADD_IN_BODY(Light, "light")

mjsJoint* mjs_addFreeJoint(mjsBody* body)
{
    return addIn(body, "freejoint", NULL);
}

mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe)
{
    Element* e = parentframe ? of(parentframe) : of(body);
    return add(e->s, e->source, "frame", NULL);
}

static void* addTo(mjSpec* s, mjtObj type, const mjsDefault* def)
{
#define X(name, members, object, section, tag)                                                               \
    if (type == mjOBJ_##object) return add(s, sn_section(s->source->spec, section, NULL), tag, def);
    SINEW_ELEMENTS(X)
#undef X
    return NULL;
}

#define ADD_WITH_CLASS(name, object)                                                                         \
    mjs##name* mjs_add##name(mjSpec* s, const mjsDefault* def)                                               \
    {                                                                                                        \
        return addTo(s, mjOBJ_##object, def);                                                                \
    }
ADD_WITH_CLASS(Actuator, ACTUATOR)
ADD_WITH_CLASS(Pair, PAIR)
ADD_WITH_CLASS(Equality, EQUALITY)
ADD_WITH_CLASS(Tendon, TENDON)
ADD_WITH_CLASS(Mesh, MESH)
ADD_WITH_CLASS(Material, MATERIAL)

#define ADD(name, object)                                                                                    \
    mjs##name* mjs_add##name(mjSpec* s)                                                                      \
    {                                                                                                        \
        return addTo(s, mjOBJ_##object, NULL);                                                               \
    }
ADD(Sensor, SENSOR)
ADD(Exclude, EXCLUDE)
ADD(Texture, TEXTURE)
ADD(Numeric, NUMERIC)
ADD(Text, TEXT)
ADD(Key, KEY)

// ---- paths of tendons

static mjsWrap* wrap(mjsTendon* tendon, const char* tag, const char* named, const char* name,
                     const char* counted, double number)
{
    Element* e = of(tendon);
    snError error = {0};
    const char* whole = !strcmp(tag, "joint") ? "fixed" : "spatial";
    snElement* part = sn_changeTag(e->s->source->spec, e->source, whole, &error) == SN_STATUS_OK
                          ? sn_addElement(e->s->source->spec, e->source, tag, NULL, &error)
                          : NULL;
    if (!part || (named && sn_setText(e->s->source->spec, part, named, name, &error) != SN_STATUS_OK) ||
        (counted && sn_setNumbers(e->s->source->spec, part, counted, &number, 1, &error) != SN_STATUS_OK))
        return fail(e->s, &error);
    return recordOf(elementOf(e->s, part));
}

mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name)
{
    return wrap(tendon, "site", "site", name, NULL, 0);
}

mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite)
{
    mjsWrap* made = wrap(tendon, "geom", "geom", name, NULL, 0);
    Element* e = of(made);
    snError error = {0};
    if (e && sidesite && *sidesite &&
        sn_setText(e->s->source->spec, e->source, "sidesite", sidesite, &error) != SN_STATUS_OK)
        return fail(e->s, &error);
    return made;
}

mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef)
{
    return wrap(tendon, "joint", "joint", name, "coef", coef);
}

mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor)
{
    return wrap(tendon, "pulley", NULL, NULL, "divisor", divisor);
}

// ---- removing, moving, attaching

// References are in the source once it has been written, as far as it can be: what is wrong may be removed.
int mjs_delete(mjSpec* spec, mjsElement* element)
{
    snError error = {0};
    writeElements(spec, &error);
    error = (snError){0};
    const bool good = sn_removeElement(spec->source->spec, innerOf(element)->source, &error) == SN_STATUS_OK;
    giveText(error.message, spec->source->told, sizeof spec->source->told);
    dropRemoved(spec);
    return good ? 0 : -1;
}

int mjs_setFrame(mjsElement* dest, mjsFrame* frame)
{
    Element* e = innerOf(dest);
    snError error = {0};
    if (frame && sn_moveElement(e->s->source->spec, e->source, of(frame)->source, &error) == SN_STATUS_OK)
        return 0;
    giveText(error.message, e->s->source->told, sizeof e->s->source->told);
    return -1;
}

mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix, const char* suffix)
{
    Element *to = innerOf(parent), *from = innerOf(child);
    snError error = {0};
    if (!writeElements(to->s, &error) || !writeElements(from->s, &error)) return fail(to->s, &error);
    const snElement* what = from->shown.elemtype == mjOBJ_MODEL ? NULL : from->source;
    snElement* copy =
        sn_attach(to->s->source->spec, to->source, from->s->source->spec, what, prefix, suffix, &error);
    return copy ? shownOf(elementOf(to->s, copy)) : fail(to->s, &error);
}

// ---- default classes

// The element of a tag in a class, made where there is none.
static void* inClass(Element* e, const char* tag)
{
    snElement* child = sn_elementFirst(e->source);
    while (child && strcmp(sn_elementTag(child), tag) != 0) child = sn_elementNext(child);
    return child ? recordOf(elementOf(e->s, child)) : add(e->s, e->source, tag, NULL);
}

static mjsDefault* defaultOf(mjSpec* s, snElement* source)
{
    Element* e = elementOf(s, source);
    mjsDefault* def = recordOf(e);
    if (!def || def->joint) return def;
    def->joint = inClass(e, "joint"), def->geom = inClass(e, "geom"), def->site = inClass(e, "site");
    def->camera = inClass(e, "camera"), def->light = inClass(e, "light"), def->mesh = inClass(e, "mesh");
    def->material = inClass(e, "material"), def->pair = inClass(e, "pair"),
    def->equality = inClass(e, "equality");
    def->tendon = inClass(e, "tendon"), def->actuator = inClass(e, "general");
    return def;
}

mjsDefault* mjs_findDefault(mjSpec* s, const char* classname)
{
    snElement* source = sn_findDefault(s->source->spec, classname);
    return source ? defaultOf(s, source) : NULL;
}

mjsDefault* mjs_getSpecDefault(mjSpec* s)
{
    snElement* source = sn_findDefault(s->source->spec, "main");
    return defaultOf(s, source ? source : sn_section(s->source->spec, "default", NULL));
}

mjsDefault* mjs_getDefault(mjsElement* element)
{
    Element* e = innerOf(element);
    const char* name = sn_elementClass(e->source);
    mjsDefault* def = name ? mjs_findDefault(e->s, name) : NULL;
    return def ? def : mjs_getSpecDefault(e->s);
}

mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent)
{
    snError error = {0};
    if (mjs_findDefault(s, classname)) return NULL;
    const mjsDefault* outer = parent ? parent : mjs_getSpecDefault(s);
    if (outer && !writeClass(outer, &error)) return fail(s, &error);
    snElement* source =
        outer ? sn_addElement(s->source->spec, of(outer)->source, "default", NULL, &error) : NULL;
    if (!source || sn_setText(s->source->spec, source, "class", classname, &error) != SN_STATUS_OK)
        return fail(s, &error);
    return defaultOf(s, source);
}

void mjs_setDefault(mjsElement* element, const mjsDefault* def)
{
    Element* e = innerOf(element);
    snError error = {0};
    const char* class_ = sn_getText(e->s->source->spec, of(def)->source, "class");
    if (sn_setText(e->s->source->spec, e->source,
                   e->kind && e->kind->type == mjOBJ_BODY ? "childclass" : "class", class_,
                   &error) != SN_STATUS_OK)
        fail(e->s, &error);
}

// ---- from an element to its struct

#define X(name, members, object, section, tag)                                                               \
    mjs##name* mjs_as##name(mjsElement* element)                                                             \
    {                                                                                                        \
        return element && element->elemtype == mjOBJ_##object ? innerOf(element)->record : NULL;             \
    }
SINEW_ELEMENTS(X)
#undef X
