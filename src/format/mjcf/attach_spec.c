// Attaching for programs: a copy of another spec, which stays as it is.
#include <sinew/spec.h>
#include "base/error.h"
#include "base/utf8.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/language/reading.h"
#include "format/mjcf/mjcf.h"
#include "format/mjcf/tree/attach.h"
#include "format/mjcf/tree/attach_keys.h"
#include "model/rules.h"
#include <string.h>

// The element of a copied spec that is where another one is in the original.
static const snElement* sameElement(const snSpec* copy, const snSpec* spec, const snElement* element)
{
    const snElement *e = spec->root, *twin = copy->root;
    while (e && e != element) {
        e = sn_nextInTree(spec->root, e);
        twin = sn_nextInTree(copy->root, twin);
    }
    return e ? twin : NULL;
}

static bool canHold(const snElement* parent)
{
    return !strcmp(parent->tag, "body") || !strcmp(parent->tag, "worldbody") || !strcmp(parent->tag, "frame");
}

// The peer lists what is attached behind all that its body has. A frame that held nothing can go there whole.
static void moveBehindSiblings(snElement* frame)
{
    snElement* parent = frame->parent;
    sn_unlinkElement(frame);
    sn_linkElement(parent, frame, NULL);
}

// A frame where a site is, behind all that its body or frame has; NULL: out of memory.
static snElement* frameAt(snSpec* spec, const snElement* site)
{
    static const char* const forms[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
    double ends[6], pos[3] = {0, 0, 0};
    snElement* frame = sn_newElement(&spec->tree, "frame", (snPlace){spec->file, 0});
    if (!frame) return NULL;
    frame->origin = site->origin;
    sn_linkElement(site->parent, frame, NULL);
    spec->read = false;
    if (sn_getNumbers(spec, site, "fromto", ends, 6) == 6) {
        const double along[3] = {ends[0] - ends[3], ends[1] - ends[4], ends[2] - ends[5]};
        for (int k = 0; k < 3; k++) pos[k] = 0.5 * (ends[k] + ends[k + 3]);
        sn_setNumbers(spec, frame, "zaxis", along, 3, NULL);
    } else {
        sn_getNumbers(spec, site, "pos", pos, 3);
        for (int i = 0; i < SN_COUNT(forms); i++) {
            const char* text = sn_getText(spec, site, forms[i]);
            if (text) sn_setText(spec, frame, forms[i], text, NULL);
        }
    }
    if (sn_setNumbers(spec, frame, "pos", pos, 3, NULL) == SN_STATUS_OK) return frame;
    sn_unlinkElement(frame);
    return NULL;
}

// Attaches below a new frame where a site is.
static snElement* attachAtSite(snSpec* spec, const snElement* site, const snSpec* child,
                               const snElement* what, const char* prefix, const char* suffix, snError* error)
{
    snElement* frame = frameAt(spec, site);
    if (!frame) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    snElement* done = sn_attach(spec, frame, child, what, prefix, suffix, error);
    if (!done) sn_unlinkElement(frame);
    return done;
}

snElement* sn_attach(snSpec* spec, snElement* parent, const snSpec* child, const snElement* what,
                     const char* prefix, const char* suffix, snError* error)
{
    if (!sn_isStillInTree(parent, spec->root, error) || (what && !sn_isStillInTree(what, child->root, error)))
        return NULL;
    const bool site = sn_mjcfKind(parent) == SN_OBJ_SITE;
    if (!canHold(parent) && !site) {
        sn_fail(error, SN_STATUS_ARGUMENT,
                "<%s> cannot hold what is attached: give a body, a frame, a site or the world", parent->tag);
        return NULL;
    }
    if ((prefix && !sn_isXmlText(prefix)) || (suffix && !sn_isXmlText(suffix))) {
        sn_fail(error, SN_STATUS_ARGUMENT, "prefix and suffix are to be UTF-8 without control characters");
        return NULL;
    }
    if (what && !canHold(what)) {
        sn_fail(error, SN_STATUS_ARGUMENT, "<%s> cannot be attached: give a body or a frame", what->tag);
        return NULL;
    }
    if (site) return attachAtSite(spec, parent, child, what, prefix, suffix, error);
    spec->conflicts = NULL;
    if (child == spec && what && sn_means(spec->physics, SN_RULE_NEWER_NAMES))
        return sn_attachSelf(spec, parent, NULL, what, prefix ? prefix : "", suffix ? suffix : "", error);
    snSpec* copy = sn_copySpec(child); // reading it for its keyframes must not change the caller's
    const snElement* from = copy && what ? sameElement(copy, child, what) : NULL;
    snAttachments once = {.now = NULL};
    snElement* done = NULL;
    const bool was_empty = !strcmp(parent->tag, "frame") && !parent->first;
    if (!copy)
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    else if (what && !from)
        sn_fail(error, SN_STATUS_ARGUMENT, "what is to be attached is not of this spec");
    else if (sn_readSpec(copy, NULL, error))
        done = sn_attachInFront(spec, parent, NULL, copy, from, prefix ? prefix : "", suffix ? suffix : "",
                                &once, error);
    sn_deleteSpec(copy);
    spec->conflicts =
        done ? sn_poolText(&spec->tree, once.conflicts.text, strlen(once.conflicts.text)) : NULL;
    if (done && was_empty) moveBehindSiblings(parent);
    return done;
}

const char* sn_attachConflicts(const snSpec* spec)
{
    return spec->conflicts ? spec->conflicts : "";
}

snStatus sn_spreadKeys(snSpec* spec, snError* error)
{
    snError own;
    if (!error) error = &own;
    if (!sn_readSpec(spec, NULL, error)) return error->status;
    const bool good = sn_layDownKeys(spec, NULL, error);
    spec->read = false;
    return good ? SN_STATUS_OK : error->status;
}
