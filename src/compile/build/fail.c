// Errors of the compiler: which element, what, where, the mend.
#include "base/error.h"
#include "base/nearest.h"
#include "compile/build/build.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/read/reader.h"
#include <stdio.h>
#include <string.h>
#include "model/rules.h"
#include "model/warnings.h"

static void sentence(const snBuild* b, snError* error, const snSpecHead* element, snStatus status,
                     const char* format, va_list args)
{
    char text[600];
    vsnprintf(text, sizeof text, format, args);
    if (!element)
        sn_failAt(error, status, b->spec->file, 0, "%s", text);
    else if (element->name)
        sn_failAt(error, status, element->place.file, element->place.line, "<%s name=\"%.60s\">: %s",
                  element->tag, element->name, text);
    else
        sn_failAt(error, status, element->place.file, element->place.line, "<%s>: %s", element->tag, text);
}

bool sn_buildFail(snBuild* b, const snSpecHead* element, snStatus status, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    sentence(b, b->error, element, status, format, args);
    va_end(args);
    if (element && element->node) b->spec->blamed = element->node;
    return false;
}

bool sn_buildWarn(snBuild* b, const snSpecHead* element, const char* format, ...)
{
    snError warning;
    va_list args;
    va_start(args, format);
    sentence(b, &warning, element, SN_STATUS_MODEL, format, args);
    va_end(args);
    b->spec->warned = true;
    if (sn_addWarning(b->options, &warning)) return true;
    *b->error = warning;
    return false;
}

bool sn_buildOutdated(snBuild* b, const snSpecHead* element, const char* what)
{
    return !sn_means(b->spec->physics, SN_RULE_REFUSED) ||
           sn_buildWarn(b, element, "4.0 refuses this: %s", what);
}

// The better of two candidates.
static void offer(const char** best, const char* word, const char* candidate)
{
    const char* const pair[2] = {*best, candidate};
    if (candidate) *best = sn_nearestWord(word, pair, 2);
}

const char* sn_buildNearest(const snBuild* b, snObjType kind, const char* word)
{
    const char* best = NULL;
    const snSpec* s = b->spec;
#define OFFER(type, list)                                                                                    \
    SN_EACH (type, e, list) offer(&best, word, e->head.name);                                                \
    break
#define OFFER_BODY(type, list)                                                                               \
    for (const snSpecBody* body = s->world; body; body = sn_specNextBody(body))                              \
        SN_EACH (type, e, body->list) offer(&best, word, e->head.name);                                      \
    break
    switch (kind) {
    case SN_OBJ_BODY:
    case SN_OBJ_XBODY:
        for (const snSpecBody* body = s->world; body; body = sn_specNextBody(body))
            offer(&best, word, body->head.name);
        break;
    case SN_OBJ_JOINT: OFFER_BODY(snSpecJoint, joints);
    case SN_OBJ_GEOM: OFFER_BODY(snSpecGeom, geoms);
    case SN_OBJ_SITE: OFFER_BODY(snSpecSite, sites);
    case SN_OBJ_CAMERA: OFFER_BODY(snSpecCamera, cameras);
    case SN_OBJ_LIGHT: OFFER_BODY(snSpecLight, lights);
    case SN_OBJ_TEXTURE: OFFER(snSpecTexture, s->textures);
    case SN_OBJ_SKIN: OFFER(snSpecSkin, s->skins);
    case SN_OBJ_FLEX: OFFER(snSpecFlex, s->flexes);
    case SN_OBJ_HFIELD: OFFER(snSpecHfield, s->hfields);
    case SN_OBJ_MESH: OFFER(snSpecMesh, s->meshes);
    case SN_OBJ_MATERIAL: OFFER(snSpecMaterial, s->materials);
    case SN_OBJ_PAIR: OFFER(snSpecPair, s->pairs);
    case SN_OBJ_EXCLUDE: OFFER(snSpecExclude, s->excludes);
    case SN_OBJ_TENDON: OFFER(snSpecTendon, s->tendons);
    case SN_OBJ_EQUALITY: OFFER(snSpecEquality, s->equalities);
    case SN_OBJ_ACTUATOR: OFFER(snSpecActuator, s->actuators);
    case SN_OBJ_SENSOR: OFFER(snSpecSensor, s->sensors);
    case SN_OBJ_NUMERIC: OFFER(snSpecNumeric, s->numerics);
    case SN_OBJ_TEXT: OFFER(snSpecText, s->texts);
    case SN_OBJ_TUPLE: OFFER(snSpecTuple, s->tuples);
    case SN_OBJ_KEY: OFFER(snSpecKey, s->keys);
    case SN_OBJ_PLUGIN:
        SN_EACH (snSpecPlugin, e, s->plugins)
            if (e->order == SN_PLUGIN_DECLARED) offer(&best, word, e->head.name);
        break;
    default: break;
    }
#undef OFFER
#undef OFFER_BODY
    return best;
}

static const char* kindWord(snObjType kind)
{
    switch (kind) {
#define X(name, value, keyword, meaning)                                                                     \
    case SN_OBJ_##name: return keyword;
        SN_OBJ_TABLE(X)
#undef X
    }
    return "";
}

// What is wrong with a reference to what is not there.
static void dangling(const snBuild* b, char* text, size_t size, const char* attribute, snObjType kind,
                     const char* name)
{
    const char* nearest = sn_buildNearest(b, kind, name);
    const int n = snprintf(text, size, "%s=\"%.80s\": there is no such %s", attribute, name, kindWord(kind));
    if (nearest && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, ", did you mean \"%.80s\"?", nearest);
}

// Whether a reference of the source leads nowhere. Default classes have been looked up in reading.
static bool leadsNowhere(const snBuild* b, const snReference* reference)
{
    return reference->kind < (int)SN_NAME_FRAME &&
           !sn_findSpec(b->spec, (snObjType)reference->kind, reference->name);
}

// A line of the message for a reference that leads nowhere; false: it is full.
static bool addDangling(const snBuild* b, const snReference* reference)
{
    char text[600];
    snError line;
    const snElement* e = reference->element;
    const char* own = sn_mjcfName(e);
    dangling(b, text, sizeof text, reference->attribute, (snObjType)reference->kind, reference->name);
    sn_failAt(&line, SN_STATUS_MODEL, e->place.file, e->place.line, "<%s%s%.60s%s>: %s", e->tag,
              own ? " name=\"" : "", own ? own : "", own ? "\"" : "", text);
    return sn_addErrorLine(b->error, line.message);
}

// After the first reference that leads nowhere, which has been told: the others, a line each.
static void addOthers(const snBuild* b, const snSpecHead* first, const char* name)
{
    int told = 1, more = 0;
    const snElement* root = b->spec->root;
    for (snElement* e = b->spec->root; e && b->error; e = sn_nextInTree(root, e)) {
        snReference list[SN_MAX_REFERENCES];
        const int n = sn_mjcfReferences(e, list, SN_MAX_REFERENCES);
        for (int i = 0; i < n && more < SN_MOST_MISTAKES; i++) {
            if (!leadsNowhere(b, &list[i]) || (e == first->node && !strcmp(list[i].name, name))) continue;
            if (told < SN_TOLD_MISTAKES && !more && addDangling(b, &list[i]))
                told++;
            else
                more++;
        }
    }
    if (b->error) sn_addErrorRest(b->error, more, more >= SN_MOST_MISTAKES);
}

// The last element of a kind that has no name, as the peer understands an empty one; NULL: there is none.
static const snSpecHead* lastNameless(const snSpec* s, snObjType kind)
{
    const snSpecHead* last = NULL;
#define SEEK(type, list)                                                                                     \
    SN_EACH (type, e, list)                                                                                  \
        if (!e->head.name) last = &e->head
    if (kind == SN_OBJ_TENDON) SEEK(snSpecTendon, s->tendons);
    for (const snSpecBody* body = s->world; body; body = sn_specNextBody(body)) {
        if (kind == SN_OBJ_BODY && body != s->world && !body->head.name) last = &body->head;
        if (kind == SN_OBJ_JOINT) SEEK(snSpecJoint, body->joints);
        if (kind == SN_OBJ_GEOM) SEEK(snSpecGeom, body->geoms);
        if (kind == SN_OBJ_SITE) SEEK(snSpecSite, body->sites);
    }
#undef SEEK
    return last;
}

const snSpecHead* sn_buildFind(snBuild* b, const snSpecHead* element, const char* attribute, snObjType kind,
                               const char* name)
{
    if (!name) {
        sn_buildFail(b, element, SN_STATUS_MODEL, "%s is missing", attribute);
        return NULL;
    }
    const snSpecHead* found = *name ? sn_findSpec(b->spec, kind, name) : lastNameless(b->spec, kind);
    if (found && !*name &&
        !sn_buildWarn(b, element, "%s=\"\": taken for the last %s without a name, give it one", attribute,
                      kindWord(kind)))
        return NULL;
    if (found) return found;
    char text[600];
    dangling(b, text, sizeof text, attribute, kind, name);
    sn_buildFail(b, element, SN_STATUS_MODEL, "%s", text);
    addOthers(b, element, name);
    return NULL;
}

bool sn_buildFindId(snBuild* b, const snSpecHead* element, const char* attribute, snObjType kind,
                    const char* name, int* id)
{
    *id = -1;
    if (!name) return true;
    const snSpecHead* found = sn_buildFind(b, element, attribute, kind, name);
    if (found) *id = found->id;
    return found;
}
