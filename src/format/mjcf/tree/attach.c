// Attaching: a copy of another model, or of one of its bodies or frames, with what belongs to it. Names get a
// prefix and a suffix; units and default classes of the other model go on to hold for the copy (snOrigin).
#include "format/mjcf/tree/attach.h"
#include "base/error.h"
#include "base/memory.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/language/field.h"
#include "format/mjcf/language/loop_text.h"
#include "format/mjcf/language/reading.h"
#include "format/mjcf/tree/attach_keys.h"
#include "format/mjcf/tree/attach_skin.h"
#include "format/mjcf/tree/name_set.h"
#include "model/spec/spec_file.h"
#include <string.h>

typedef struct Attach {
    snSpec* spec;
    snSpec* child;
    const snElement* what; // NULL: all of the world, as a frame
    const char *prefix, *suffix;
    snOrigin* origin; // of what is the child's own
    snAttachments* attachments;
    snNameSet names;
} Attach;

// A copy of an element that shares nothing with the other model; NULL: out of memory.
static snElement* copyElement(Attach* a, const snElement* from)
{
    snPool* pool = &a->spec->tree;
    snElement* copy = sn_copyElement(pool, from);
    return copy && sn_ownPlaces(pool, copy) ? copy : NULL;
}

// ---- origins

snOrigin* sn_addOrigin(snSpec* spec, const char* file, const char* folder)
{
    snPool* pool = &spec->tree;
    snOrigin* origin = sn_poolAlloc(pool, sizeof *origin);
    if (!origin) return NULL;
    origin->file = sn_poolText(pool, file, strlen(file));
    origin->folder = sn_poolText(pool, folder, strlen(folder));
    origin->settings = sn_newElement(pool, "mujoco", (snPlace){spec->file, 0});
    if (!origin->file || !origin->folder || !origin->settings) return NULL;
    origin->index = spec->origins ? spec->origins->index + 1 : 1;
    origin->next = spec->origins;
    spec->origins = origin;
    return origin;
}

// Classes and what names them, as other names; "main" is the outermost one of the own model.
static bool decorateClasses(Attach* a, snElement* root)
{
    static const char* const attributes[] = {"class", "childclass"};
    if (!*a->prefix && !*a->suffix) return true;
    for (snElement* e = root; e; e = sn_nextInTree(root, e))
        for (int i = 0; i < SN_COUNT(attributes); i++) {
            const char* name = sn_attributeText(e, attributes[i]);
            if (name && *name && strcmp(name, "main") != 0 &&
                !sn_putDecorated(&a->spec->tree, e, attributes[i], a->prefix, name, a->suffix))
                return false;
        }
    return true;
}

// The outermost class is called by the affixes, as others are.
static bool nameMain(Attach* a, snElement* class)
{
    return strcmp(sn_mjcfName(class), "main") != 0 || (!*a->prefix && !*a->suffix) ||
           sn_putDecorated(&a->spec->tree, class, "class", a->prefix, "main", a->suffix);
}

// One is there for programs to find.
static bool addMain(Attach* a, snOrigin* origin)
{
    snElement* class = sn_newElement(&a->spec->tree, "default", (snPlace){a->spec->file, 0});
    if (!class) return false;
    class->origin = origin;
    sn_linkElement(origin->settings, class, NULL);
    return nameMain(a, class);
}

// Settings and default classes, which name assets of the child.
static bool copySettings(Attach* a, const snElement* root, snOrigin* origin)
{
    for (const snElement* e = root->first; e; e = e->next) {
        if (strcmp(e->tag, "compiler") && strcmp(e->tag, "default")) continue;
        snElement* copy = copyElement(a, e);
        if (!copy) return false;
        sn_linkElement(origin->settings, copy, NULL);
        for (snElement* part = copy; part; part = sn_nextInTree(copy, part)) part->origin = origin;
        if (!sn_decorate(&a->spec->tree, copy, &a->names, a->prefix, a->suffix) ||
            !decorateClasses(a, copy) || (!strcmp(e->tag, "default") && !nameMain(a, copy)))
            return false;
    }
    return sn_childElement(origin->settings, "default") || addMain(a, origin);
}

// The child's origins come along; each remembers in `read` what it is here.
static bool copyOrigins(Attach* a)
{
    a->origin = sn_addOrigin(a->spec, a->child->file, a->child->folder);
    if (!a->origin || !copySettings(a, a->child->root, a->origin)) return false;
    for (snOrigin* from = a->child->origins; from; from = from->next) {
        snOrigin* to = sn_addOrigin(a->spec, from->file, from->folder);
        if (!to || !copySettings(a, from->settings, to)) return false;
        from->read = to;
    }
    a->child->read = false; // its origins' settings are to be read again
    return true;
}

// ---- elements

// A copy below `parent`, in front of `before`, with the names of this attachment.
static snElement* copyInto(Attach* a, const snElement* from, snElement* parent, snElement* before)
{
    snElement* copy = copyElement(a, from);
    const snElement* skin = from;
    if (!copy) return NULL;
    for (snElement* e = copy; e; e = sn_nextInTree(copy, e), from = sn_nextInTree(a->child->root, from)) {
        e->origin = e->origin ? e->origin->read : a->origin;
        if (!sn_takeKeyNumbers(a->spec, e, from, a->attachments)) return NULL;
    }
    sn_linkElement(parent, copy, before);
    const bool renamed = *a->prefix || *a->suffix;
    if (renamed && !sn_attachSkin(&a->spec->tree, copy, a->child, skin)) return NULL;
    const bool named = sn_decorate(&a->spec->tree, copy, &a->names, a->prefix, a->suffix);
    return named && decorateClasses(a, copy) ? copy : NULL;
}

// What says how the child's own loops and contacts are held is an option of it.
static bool isOption(const snElement* e)
{
    const char* name = strcmp(e->tag, "text") ? NULL : sn_attributeText(e, "name");
    return name && sn_isOptionField(name);
}

// Elements of the child's sections of a tag whose references all go along; assets go along all.
static bool copySection(Attach* a, const char* tag)
{
    for (snElement* section = a->child->root->first; section; section = section->next) {
        if (strcmp(section->tag, tag)) continue;
        for (snElement* e = section->first; e; e = e->next) {
            int inside, outside;
            sn_countReferences(e, &a->names, &inside, &outside);
            e->taken = !outside && strcmp(e->tag, "model") && !isOption(e);
            if (!e->taken) continue;
            snElement* to = sn_addTreeNames(&a->names, e) ? sn_lastSection(a->spec, tag) : NULL;
            if (!to || !copyInto(a, e, to, NULL)) return false;
        }
    }
    return true;
}

// A keyframe without a name is called by the prefix and the suffix, if nothing else is.
static bool nameKey(Attach* a, snElement* key)
{
    if (sn_mjcfName(key) || (!*a->prefix && !*a->suffix)) return true;
    if (!sn_putDecorated(&a->spec->tree, key, "name", a->prefix, "", a->suffix)) return false;
    const bool taken = sn_findElement(a->spec, SN_OBJ_KEY, sn_mjcfName(key)) != key;
    return !taken || sn_putAttribute(&a->spec->tree, key, "name", NULL);
}

static bool copyKeys(Attach* a)
{
    SN_EACH (snSpecKey, key, a->child->keys) {
        snElement* section = sn_lastSection(a->spec, "keyframe");
        snElement* copy = section ? copyInto(a, key->head.node, section, NULL) : NULL;
        if (!copy || !nameKey(a, copy)) return false;
    }
    return true;
}

// ---- all of it

static bool isWorld(const Attach* a)
{
    return !a->what || !strcmp(a->what->tag, "worldbody");
}

// The names that go along from the start: of what is attached and of all assets.
static bool gatherNames(Attach* a)
{
    if (!isWorld(a) && !sn_addTreeNames(&a->names, a->what)) return false;
    if (a->what && isWorld(a) && !sn_addName(&a->names, SN_OBJ_BODY, "world")) return false;
    for (snElement* section = a->child->root->first; section; section = section->next) {
        const bool along = !strcmp(section->tag, "asset") || !strcmp(section->tag, "extension") ||
                           (isWorld(a) && !strcmp(section->tag, "worldbody"));
        if (along && !sn_addTreeNames(&a->names, section)) return false;
    }
    return true;
}

// Names of the loop joints that go along, for what shows them.
static bool gatherLoops(Attach* a)
{
    for (snElement* section = a->child->root->first; section; section = section->next)
        for (snElement* e = strcmp(section->tag, "custom") ? NULL : section->first; e; e = e->next) {
            int inside, outside;
            if (!sn_loopTextName(sn_attributeText(e, "name"), NULL)) continue;
            sn_countReferences(e, &a->names, &inside, &outside);
            if (inside && !outside && !sn_addTreeNames(&a->names, e)) return false;
        }
    return true;
}

static bool copyAssets(Attach* a)
{
    for (int i = 0; i < a->child->nassets; i++)
        if (!sn_specAsset(a->spec, a->child->assets[i].name) &&
            sn_addAsset(a->spec, &a->child->assets[i], NULL))
            return false;
    return true;
}

static bool copySections(Attach* a)
{
    static const char* const sections[] = {"extension", "asset",    "deformable", "tendon", "contact",
                                           "equality",  "actuator", "sensor",     "custom"};
    for (int i = 0; i < SN_COUNT(sections); i++)
        if (!copySection(a, sections[i])) return false;
    return true;
}

// The world's content in an element of its own: a frame, or a body by the world's name.
static snElement* copyWorld(Attach* a, snElement* parent, snElement* before)
{
    snPool* pool = &a->spec->tree;
    const char* tag = a->what ? "body" : "frame";
    snElement* copy = sn_newElement(pool, tag, (snPlace){a->spec->file, 0});
    if (!copy || (a->what && !sn_putDecorated(pool, copy, "name", a->prefix, "world", a->suffix)))
        return NULL;
    copy->origin = a->origin;
    sn_linkElement(parent, copy, before);
    for (const snElement* section = a->child->root->first; section; section = section->next)
        for (const snElement* e = strcmp(section->tag, "worldbody") ? NULL : section->first; e; e = e->next)
            if (!copyInto(a, e, copy, NULL)) return NULL;
    return copy;
}

bool sn_keepClass(snSpec* spec, snElement* copy, const snElement* what, const char* prefix,
                  const char* suffix)
{
    const char *own = sn_attributeText(copy, "childclass"), *class = sn_elementClass(what);
    const bool main = !strcmp(class, "main");
    if ((own && *own) ||
        (main && (copy->origin != copy->parent->origin || !strcmp(sn_elementClass(copy->parent), "main"))))
        return true;
    return sn_putDecorated(&spec->tree, copy, "childclass", main ? "" : prefix, class, main ? "" : suffix);
}

static snElement* copyAll(Attach* a, snElement* parent, snElement* before)
{
    if (!sn_beginAttachment(a->spec, a->child, a->attachments)) return NULL;
    if (!gatherNames(a) || !gatherLoops(a) || !copyOrigins(a) || !copyAssets(a)) return NULL;
    snElement* copy = isWorld(a) ? copyWorld(a, parent, before) : copyInto(a, a->what, parent, before);
    if (copy && !isWorld(a) && !sn_keepClass(a->spec, copy, a->what, a->prefix, a->suffix)) return NULL;
    return copy && copySections(a) && copyKeys(a) ? copy : NULL;
}

const snElement* sn_findTwin(const snSpec* spec)
{
    snNameSet seen = {NULL, 0, 0};
    const snElement* twin = NULL;
    for (const snElement* e = spec->root; e && !twin; e = sn_nextInTree(spec->root, e)) {
        const char* name = sn_attributeText(e, "name");
        const int kind = name && *name ? sn_mjcfKind(e) : SN_OBJ_UNKNOWN;
        if (kind == SN_OBJ_UNKNOWN) continue;
        if (sn_hasName(&seen, kind, name))
            twin = e;
        else if (!sn_addName(&seen, kind, name))
            break;
    }
    sn_freeNames(&seen);
    return twin;
}

// Takes out all that came with origins of this index and above.
static void takeBack(snSpec* spec, int index)
{
    for (snElement *e = spec->root, *next; e; e = next) {
        next = sn_nextInTree(spec->root, e);
        if (!e->origin || e->origin->index < index) continue;
        while (next && sn_isInTree(next, e)) next = sn_nextInTree(spec->root, next);
        sn_unlinkElement(e);
    }
    while (spec->origins && spec->origins->index >= index) spec->origins = spec->origins->next;
}

// A file in memory of the child's that is another one in the spec; NULL: none.
static const snAsset* findOther(const snSpec* spec, const snSpec* child)
{
    for (int i = 0; i < child->nassets; i++) {
        const snAsset *asset = &child->assets[i], *own = sn_specAsset(spec, asset->name);
        if (own && (own->size != asset->size || (own->size && memcmp(own->data, asset->data, own->size))))
            return asset;
    }
    return NULL;
}

snElement* sn_attachInFront(snSpec* spec, snElement* parent, snElement* before, snSpec* child,
                            const snElement* what, const char* prefix, const char* suffix,
                            snAttachments* attachments, snError* error)
{
    const snAsset* other = findOther(spec, child);
    if (other) {
        sn_fail(error, SN_STATUS_MODEL,
                "both models have a file '%s' in memory, with other bytes: rename one",
                sn_short(other->name).text);
        return NULL;
    }
    if (!sn_findConflicts(spec, child, &attachments->conflicts, error) ||
        !sn_layDownKeys(child, &attachments->conflicts, error))
        return NULL;
    Attach a = {.spec = spec,
                .child = child,
                .what = what,
                .prefix = prefix,
                .suffix = suffix,
                .attachments = attachments};
    const int index = spec->origins ? spec->origins->index + 1 : 1;
    spec->read = false;
    snElement* copy = copyAll(&a, parent, before);
    sn_freeNames(&a.names);
    const snElement* twin = copy ? sn_findTwin(spec) : NULL;
    if (copy && !twin && sn_mergeSettings(spec, child)) return copy;
    if (twin)
        sn_fail(error, SN_STATUS_MODEL, "<%s name=\"%s\">: this name is taken, give another prefix",
                twin->tag, sn_short(sn_mjcfName(twin)).text);
    else
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    takeBack(spec, index);
    return NULL;
}
