// The walk that replaces <replicate>, <attach>, <composite> and <flexcomp>, inner ones first.
#include "format/mjcf/expand.h"
#include "format/mjcf/mjcf.h"
#include "format/mjcf/read/reader.h"
#include "format/mjcf/tree/attach.h"
#include "format/mjcf/tree/composite.h"
#include "format/mjcf/tree/flexcomp.h"
#include "format/mjcf/tree/replicate.h"
#include "base/error.h"
#include "model/rules.h"
#include "model/spec/allowed.h"
#include "model/spec/spec_file.h"
#include <string.h>

#define MAX_NESTING 20 // of models attached to each other

// Reads the model that `asset`, an element of <asset>, names, for `node`; NULL: the error says what is wrong.
static snSpec* loadModelAsset(snReader* r, const snElement* node, const snElement* asset,
                              const snSpecModel* model)
{
    snSpec* spec = r->spec;
    if (spec->nesting >= MAX_NESTING) {
        sn_mjcfFail(r, node, SN_STATUS_MODEL, "more than %d models are attached to each other", MAX_NESTING);
        return NULL;
    }
    const char* path = sn_findModelFile(spec, &asset->place, model->file);
    if (!path) {
        sn_mjcfNoMemory(r);
        return NULL;
    }
    snError why;
    snLoadOptions options = r->options ? *r->options : (snLoadOptions){0};
    options.physics = sn_physicsWord(spec->physics); // all of a model is of one
    if (!sn_specAsset(spec, path) && !sn_allowFile(spec, spec->folder, path, &why)) {
        sn_mjcfFail(r, node, why.status, "%s", why.message);
        return NULL;
    }
    snSpec* child = sn_readNested(path, spec->assets, spec->nassets, spec->nesting + 1, &options, &why);
    if (!child) sn_mjcfFailInside(r, node, &why);
    return child;
}

// A model of <asset> and its attachments.
typedef struct Use {
    struct Use* next;
    const snElement* asset;
    snAttachments attachments;
} Use;

typedef struct Expansion {
    snReader* r;
    Use* uses;
} Expansion;

// The element of <asset> with a model's name; a model without a name has that of its file. NULL: the error
// says what is wrong.
static const snElement* findModel(snReader* r, const snElement* node, const char* name, snSpecModel* found)
{
    const snElement* root = r->spec->root;
    for (const snElement* e = root; e; e = sn_nextInTree(root, e)) {
        if (strcmp(e->tag, "model") || !e->parent || strcmp(e->parent->tag, "asset") || e->origin) continue;
        *found = (snSpecModel){.file = NULL};
        if (!sn_readAttributes(r, e, sn_mjcfElement(SN_MJCF_MODEL), SN_IN_ELEMENT, found)) return NULL;
        const char* own = sn_attributeText(e, "name");
        if (own && !strcmp(own, name)) return e;
        if (own) continue;
        snSpec* model = loadModelAsset(r, e, e, found);
        if (!model) return NULL;
        const bool same = !strcmp(model->modelname, name);
        sn_deleteSpec(model);
        if (same) return e;
    }
    sn_mjcfFail(r, node, SN_STATUS_MODEL, "model=\"%s\": there is no such model among the assets",
                sn_short(name).text);
    return NULL;
}

// The attachments of a model so far; NULL: out of memory.
static snAttachments* attachmentsOf(Expansion* x, const snElement* asset)
{
    Use* use = x->uses;
    while (use && use->asset != asset) use = use->next;
    if (use) return &use->attachments;
    use = sn_specAlloc(x->r->spec, sizeof *use);
    if (!use) return NULL;
    *use = (Use){.next = x->uses, .asset = asset};
    x->uses = use;
    return &use->attachments;
}

// The part of a model that an <attach> names; NULL in *what: all of it. false: there is none.
static bool findPart(snReader* r, const snElement* node, const snSpecAttach* attach, snSpec* model,
                     const snElement** what)
{
    snError why;
    *what = NULL;
    if (attach->body && attach->frame)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'body' and 'frame' exclude each other");
    const char* name = attach->frame ? attach->frame : attach->body;
    if (!name) return true;
    if (attach->body && !strcmp(name, "world"))
        *what = sn_section(model, "worldbody", &why);
    else
        *what = sn_findElement(model, attach->body ? SN_OBJ_BODY : SN_OBJ_UNKNOWN, name);
    return *what ||
           sn_mjcfFail(r, node, SN_STATUS_MODEL, "%s=\"%s\": the model has no such %s",
                       attach->body ? "body" : "frame", sn_short(name).text, attach->body ? "body" : "frame");
}

// Puts a copy of a part of the model itself in the place of an <attach>: one that stands before it.
static bool attachSelf(snReader* r, snElement* node, const snSpecAttach* attach)
{
    snError why;
    const snElement *what, *e = r->spec->root;
    if (!sn_means(r->spec->physics, SN_RULE_NEWER_NAMES))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute 'model' is missing");
    if (!findPart(r, node, attach, r->spec, &what)) return false;
    if (!what)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "without 'model' it attaches a part of the model itself: give 'body' or 'frame'");
    while (e != what && e != node) e = sn_nextInTree(r->spec->root, e);
    if (e == node)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "what it attaches of the model itself stands behind it: put it in front");
    return sn_attachSelf(r->spec, node->parent, node, what, attach->prefix ? attach->prefix : "", "", &why) ||
           sn_mjcfFailInside(r, node, &why);
}

// Puts a copy of another model, or of a part of it, in the place of an <attach>.
static bool attachModel(Expansion* x, snElement* node, const snSpecAttach* attach)
{
    snReader* r = x->r;
    snSpecModel model;
    const snElement *what, *asset = findModel(r, node, attach->model, &model);
    if (!asset) return false;
    snAttachments* attachments = attachmentsOf(x, asset);
    if (!attachments) return sn_mjcfNoMemory(r);
    snSpec* child = loadModelAsset(r, node, asset, &model);
    if (!child) return false;
    snError why;
    bool done = false;
    if (findPart(r, node, attach, child, &what))
        done = sn_attachInFront(r->spec, node->parent, node, child, what,
                                attach->prefix ? attach->prefix : "", "", attachments, &why) ||
               sn_mjcfFailInside(r, node, &why);
    sn_deleteSpec(child);
    const char* differs = attachments->conflicts.text;
    return done && (!*differs || sn_mjcfWarn(r, node, "of the model, %s", differs));
}

static bool expandAttach(Expansion* x, snElement* node)
{
    snSpecAttach attach = {.prefix = NULL};
    if (!sn_readAttributes(x->r, node, sn_mjcfElement(SN_MJCF_ATTACH), SN_IN_ELEMENT, &attach) ||
        !sn_readNoChildren(x->r, node))
        return false;
    if (sn_xmlAttribute(node, "model") && !attach.model)
        return sn_mjcfFail(x->r, node, SN_STATUS_MODEL, "attribute 'model' is empty");
    if (!(attach.model ? attachModel(x, node, &attach) : attachSelf(x->r, node, &attach))) return false;
    sn_unlinkElement(node);
    return true;
}

static bool expandBelow(Expansion* x, snElement* parent)
{
    snReader* r = x->r;
    for (snElement *e = parent->first, *next; e; e = next) {
        if (e->first && !expandBelow(x, e)) return false;
        next = e->next;
        const bool done = !strcmp(e->tag, "replicate")   ? sn_expandReplicate(r, e)
                          : !strcmp(e->tag, "attach")    ? expandAttach(x, e)
                          : !strcmp(e->tag, "composite") ? sn_expandComposite(r, e)
                          : !strcmp(e->tag, "flexcomp")  ? sn_expandFlexcomp(r, e)
                                                         : true;
        if (!done && !sn_mjcfGoOn(r)) return false;
    }
    return true;
}

static bool standsForOthers(const snElement* e)
{
    static const char* const tags[] = {"replicate", "attach", "composite", "flexcomp"};
    for (int i = 0; i < SN_COUNT(tags); i++)
        if (!strcmp(e->tag, tags[i])) return true;
    return false;
}

bool sn_expandTree(snReader* r)
{
    bool any = false;
    for (const snElement* e = r->spec->root; e && !any; e = sn_nextInTree(r->spec->root, e))
        any = standsForOthers(e);
    if (!any) return true;
    if (!sn_readSettings(r, r->spec->root)) return false; // for the units of angles
    if (r->mistakes->count) { // which are not known, then; the reading to come tells why
        sn_clearMistakes(r->mistakes);
        return true;
    }
    Expansion x = {r, NULL};
    r->expanding = true;
    bool done = true;
    for (snElement* section = r->spec->root->first; done && section; section = section->next)
        if (!strcmp(section->tag, "worldbody")) done = expandBelow(&x, section);
    r->expanding = false;
    return done;
}
