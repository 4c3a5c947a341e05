// Attaching a part of a model to the model itself: a copy with other names, and of what refers into it
// outside of the bodies, with what else that refers to. Assets and default classes are shared.
#include "base/error.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/language/field.h"
#include "format/mjcf/language/reading.h"
#include "format/mjcf/tree/attach.h"
#include "format/mjcf/tree/name_set.h"
#include <string.h>

typedef struct Self {
    snSpec* spec;
    const snElement* what;
    const snElement* before; // what is made stands in front of it; NULL: as the last
    const char *prefix, *suffix;
    snNameSet names; // of what is copied
} Self;

static bool isWorld(const snElement* what)
{
    return !strcmp(what->tag, "worldbody");
}

// Takes out of a copy what is not there yet when it is made: the element in front of which it comes, and all
// behind that. Both are walked side by side.
static void dropLater(const snElement* from, snElement* copy, const snElement* before)
{
    bool later = false;
    const snElement* e = from;
    for (snElement* twin = copy; twin;) {
        later |= e == before;
        snElement* next = sn_nextInTree(copy, twin);
        e = sn_nextInTree(from, e);
        if (!later) {
            twin = next;
            continue;
        }
        while (next && sn_isInTree(next, twin)) {
            next = sn_nextInTree(copy, next);
            e = sn_nextInTree(from, e);
        }
        sn_unlinkElement(twin);
        twin = next;
    }
}

// A copy without what keyframes have for it, its names not changed yet.
static snElement* copyPart(Self* s, const snElement* from)
{
    snElement* copy = sn_copyElement(&s->spec->tree, from);
    if (!copy) return NULL;
    sn_dropKeyNumbers(copy, 0, 0);
    if (s->before && sn_isInTree(s->before, from)) dropLater(from, copy, s->before);
    return copy;
}

// The world's content so far as a body.
static snElement* copyWorld(Self* s)
{
    snPool* pool = &s->spec->tree;
    snElement* body = sn_newElement(pool, "body", (snPlace){s->spec->file, 0});
    if (!body || !sn_putAttribute(pool, body, "name", "world")) return NULL;
    for (const snElement* section = s->spec->root->first; section; section = section->next)
        for (const snElement* e = isWorld(section) ? section->first : NULL; e && e != s->before;
             e = e->next) {
            snElement* copy = copyPart(s, e);
            if (!copy) return NULL;
            sn_linkElement(body, copy, NULL);
            if (s->before && sn_isInTree(s->before, e)) return body;
        }
    return body;
}

// What of a section refers into the copied part comes once more, behind all others.
static bool copyReferrers(Self* s, const char* tag)
{
    snElement* last = s->spec->root->last;
    for (snElement* section = s->spec->root->first; section; section = section->next) {
        if (strcmp(section->tag, tag)) continue;
        snElement* end = section->last;
        for (snElement* e = section->first; e; e = e == end ? NULL : e->next) {
            int inside, outside;
            sn_countReferences(e, &s->names, &inside, &outside);
            if (!inside || !strcmp(e->tag, "skin")) continue;
            snElement* copy = sn_addTreeNames(&s->names, e) ? copyPart(s, e) : NULL;
            snElement* to = copy ? sn_lastSection(s->spec, tag) : NULL;
            if (!to) return false;
            copy->taken = true;
            sn_linkElement(to, copy, NULL);
            if (!sn_decorate(&s->spec->tree, copy, &s->names, s->prefix, s->suffix)) return false;
        }
        if (section == last) break;
    }
    return true;
}

static snElement* copyAll(Self* s, snElement* parent)
{
    static const char* const sections[] = {"deformable", "tendon", "contact", "equality",
                                           "actuator",   "custom", "sensor"};
    snElement* copy = isWorld(s->what) ? copyWorld(s) : copyPart(s, s->what);
    if (!copy) return NULL;
    copy->taken = true;
    sn_linkElement(parent, copy, (snElement*)s->before);
    if (!sn_keepClass(s->spec, copy, s->what, "", "") || !sn_addTreeNames(&s->names, copy) ||
        !sn_decorate(&s->spec->tree, copy, &s->names, s->prefix, s->suffix))
        return NULL;
    for (int i = 0; i < SN_COUNT(sections); i++)
        if (!copyReferrers(s, sections[i])) return NULL;
    return copy;
}

// Marks no element, or takes out those that are marked.
static void sweep(snSpec* spec, bool take)
{
    for (snElement *e = spec->root, *next; e; e = next) {
        next = sn_nextInTree(spec->root, e);
        const bool out = take && e->taken;
        e->taken = false;
        if (!out) continue;
        while (next && sn_isInTree(next, e)) next = sn_nextInTree(spec->root, next);
        sn_unlinkElement(e);
    }
}

snElement* sn_attachSelf(snSpec* spec, snElement* parent, snElement* before, const snElement* what,
                         const char* prefix, const char* suffix, snError* error)
{
    Self s = {.spec = spec, .what = what, .before = before, .prefix = prefix, .suffix = suffix};
    spec->read = false;
    sweep(spec, false);
    snElement* copy = copyAll(&s, parent);
    sn_freeNames(&s.names);
    const snElement* twin = copy ? sn_findTwin(spec) : NULL;
    if (copy && !twin) return copy;
    if (twin)
        sn_fail(error, SN_STATUS_MODEL, "<%s name=\"%s\">: this name is taken, give another prefix",
                twin->tag, sn_short(sn_mjcfName(twin)).text);
    else
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    sweep(spec, true);
    return NULL;
}
