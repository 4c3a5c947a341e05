// The text of a spec as it is said: every element with its attributes, in the order of the source.
#include "format/mjcf/language/reading.h"
#include "format/mjcf/write/writer.h"
#include "model/rules.h"
#include <string.h>

// What of the compiler says where files are, which have their whole names, and what is written.
static bool isOfFiles(const snElement* e, const char* attribute)
{
    static const char* const names[] = {"meshdir",   "texturedir",   "assetdir",
                                        "strippath", "savecompiled", "savecanonical"};
    if (strcmp(e->tag, "compiler") || e->depth != 2) return false;
    for (int i = 0; i < SN_COUNT(names); i++)
        if (!strcmp(names[i], attribute)) return true;
    return false;
}

// A range that a URDF gives a joint without one.
static bool isEndless(const snWriter* w, const snElement* e, const char* attribute)
{
    return e->endless && !strcmp(attribute, "range") && sn_means(w->spec->physics, SN_RULE_CONTINUOUS_JOINTS);
}

static void putAttributes(snWriter* w, const snElement* e)
{
    for (int i = 0; i < e->nattributes; i++) {
        const snAttributeText* a = &e->attributes[i];
        if (*a->name == '#' || isOfFiles(e, a->name) || isEndless(w, e, a->name)) continue;
        if (!strncmp(a->name, "file", 4) && sn_mjcfKind(e) != SN_OBJ_UNKNOWN)
            sn_putFile(w, e, a->name, a->value);
        else
            sn_putText(w, a->name, a->value);
    }
}

static bool isModel(const snElement* e)
{
    return !strcmp(e->tag, "model") && !strcmp(e->parent->tag, "asset");
}

static void putElement(snWriter* w, const snElement* e)
{
    if (isModel(e) || sn_putTextField(w, e)) return;
    sn_openTag(w, e->tag);
    if (e->key) // it was spread over what it is for
        sn_putKey(w, e);
    else
        putAttributes(w, e);
    const size_t opened = w->size;
    sn_put(w, ">");
    const size_t inside = w->size;
    w->depth++;
    sn_putInertial(w, e);
    for (const snElement* child = e->first; child; child = child->next)
        putElement(w, child); // as deep as files may be nested
    w->depth--;
    if (w->size == inside) {
        sn_takeBack(w, opened);
        sn_put(w, "/>");
        return;
    }
    sn_openTag(w, "/");
    sn_put(w, e->tag);
    sn_put(w, ">");
}

void sn_putSource(snWriter* w)
{
    for (const snElement* e = w->spec->root->first; e; e = e->next)
        if (e->first || e->nattributes) putElement(w, e);
}
