// The reading as a whole: sections in the order in which they depend on each other.
#define _GNU_SOURCE // newlocale
#include "format/mjcf/read/reader.h"
#include "base/error.h"
#include "format/mjcf/expand.h"
#include "format/mjcf/mjcf.h"
#include "format/urdf/urdf.h"
#include <stdio.h>
#include <string.h>

// A mistake is kept or, where none are kept, is the error.
static bool mistake(const snReader* r, const snXmlNode* node, const snError* why)
{
    if (r->mistakes && why->status != SN_STATUS_NO_MEMORY)
        sn_addMistake(r->mistakes, node, why->status, why->message);
    else if (r->error)
        *r->error = *why;
    if (r->mistakes && why->status == SN_STATUS_NO_MEMORY) r->mistakes->over = true;
    return false;
}

bool sn_mjcfGoOn(const snReader* r)
{
    return r->mistakes && !r->mistakes->over && r->mistakes->nseen < SN_MOST_MISTAKES;
}

bool sn_mjcfGoOnHere(const snReader* r)
{
    return sn_mjcfGoOn(r) && !r->expanding;
}

bool sn_mjcfFail(const snReader* r, const snXmlNode* node, snStatus status, const char* format, ...)
{
    if (r->mistakes && r->mistakes->spoilt == node) return false;
    char text[500];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snError why;
    const char* name = sn_xmlAttribute(node, "name");
    if (name && *name)
        sn_failAt(&why, status, node->place.file, node->place.line, "<%s name=\"%s\">: %s",
                  sn_short(node->tag).text, sn_short(name).text, text);
    else
        sn_failAt(&why, status, node->place.file, node->place.line, "<%s>: %s", sn_short(node->tag).text,
                  text);
    return mistake(r, node, &why);
}

bool sn_mjcfFailInside(const snReader* r, const snXmlNode* node, const snError* why)
{
    snError line = {.status = why->status};
    const char* next = strchr(why->message, '\n');
    const int first = next ? (int)(next - why->message) : (int)strlen(why->message);
    if (why->status == SN_STATUS_NO_MEMORY) return sn_mjcfNoMemory(r);
    sn_mjcfFail(r, node, why->status, "%.*s", first, why->message);
    while (r->mistakes && next) {
        const char* begin = next + 1;
        next = strchr(begin, '\n');
        const int n = next ? (int)(next - begin) : (int)strlen(begin);
        snprintf(line.message, sizeof line.message, "%.*s", n, begin);
        mistake(r, node, &line);
    }
    return false;
}

bool sn_mjcfNoMemory(const snReader* r)
{
    snError why;
    sn_fail(&why, SN_STATUS_NO_MEMORY, "out of memory");
    return mistake(r, NULL, &why);
}

// What a user can do about an element that is not supported yet.
static const char* wayRound(const snXmlNode* node)
{
    static const char* const ways[][2] = {
        {"flexcomp", "remove it, or build it of bodies, a rope with <composite type=\"cable\">"},
        {"flex", "remove it, or build it of bodies"},
        {"plugin", "remove it, and what refers to it"}};
    for (int i = 0; i < SN_COUNT(ways); i++)
        if (!strcmp(node->tag, ways[i][0])) return ways[i][1];
    return "remove it";
}

bool sn_mjcfLater(const snReader* r, const snXmlNode* node, const char* attribute)
{
    static const char* const telling[] = {"plugin", "instance", "name"}; // it from others of its tag
    snError why;
    const snPlace place = node->place;
    const char *which = NULL, *text = NULL;
    for (int i = 0; i < SN_COUNT(telling) && !attribute && !which; i++) {
        text = sn_xmlAttribute(node, telling[i]);
        if (text && *text) which = telling[i];
    }
    if (attribute)
        sn_failAt(&why, SN_STATUS_UNSUPPORTED, place.file, place.line,
                  "not supported yet: '%s' of <%s> (remove it)", attribute, node->tag);
    else if (which)
        sn_failAt(&why, SN_STATUS_UNSUPPORTED, place.file, place.line,
                  "not supported yet: <%s %s=\"%s\"> (%s)", node->tag, which, sn_short(text).text,
                  wayRound(node));
    else
        sn_failAt(&why, SN_STATUS_UNSUPPORTED, place.file, place.line, "not supported yet: <%s> (%s)",
                  node->tag, wayRound(node));
    return mistake(r, node, &why);
}

bool sn_enterName(const snReader* r, const snXmlNode* node, snObjType kind, snSpecHead* head)
{
    snError why;
    if (sn_nameSpec(r->spec, kind, head, &why)) return true;
    mistake(r, node, &why);
    return sn_mjcfGoOnHere(r);
}

bool sn_readHead(const snReader* r, const snXmlNode* node, snObjType kind, snSpecHead* head)
{
    const char* name = sn_xmlAttribute(node, "name");
    *head =
        (snSpecHead){.tag = node->tag,
                     .name = name && *name ? name : NULL,
                     .place = node->place,
                     .id = -1,
                     .node = (snXmlNode*)node,
                     .compiler = node->origin ? &((snOriginSettings*)node->origin->read)->compiler : NULL};
    head->node->record = head;
    return kind == SN_OBJ_UNKNOWN || sn_enterName(r, node, kind, head);
}

void* sn_makeElement(snReader* r, const snXmlNode* node, snObjType kind, const void* record, size_t size)
{
    void* element = sn_specAlloc(r->spec, size);
    if (!element) {
        sn_mjcfNoMemory(r);
        return NULL;
    }
    memcpy(element, record, size);
    return sn_readHead(r, node, kind, element) ? element : NULL;
}

static bool unknownChild(snReader* r, const snXmlNode* node, const snXmlNode* parent, const snChild* children,
                         int nchildren)
{
    if (sn_mjcfIsNewer(node->tag, NULL))
        return sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED,
                           "it came after the MJCF that Sinew reads (3.3.7), remove it");
    snGuess guess = {node->tag, NULL, 0};
    for (int i = 0; i < nchildren; i++) sn_guess(&guess, children[i].tag);
    if (guess.best)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "unknown element in <%s>, did you mean <%s>?",
                           parent->tag, guess.best);
    char words[200] = "";
    for (int i = 0; i < nchildren && nchildren <= 8; i++) {
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s<%s>", i ? ", " : "; it may hold ", children[i].tag);
    }
    return sn_mjcfFail(r, node, SN_STATUS_MODEL, "unknown element in <%s>%s", parent->tag, words);
}

static bool readChild(snReader* r, const snXmlNode* node, const snXmlNode* parent, const snChild* children,
                      int nchildren, uint64_t* seen, void* context)
{
    int i = 0;
    while (i < nchildren && strcmp(children[i].tag, node->tag)) i++;
    if (i == nchildren) return unknownChild(r, node, parent, children, nchildren);
    if (children[i].unique && (*seen >> i & 1))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "only one may stand in <%s>, join them", parent->tag);
    *seen |= (uint64_t)1 << i;
    return children[i].read ? children[i].read(r, node, context) : sn_mjcfLater(r, node, NULL);
}

bool sn_readChildren(snReader* r, const snXmlNode* parent, const snChild* children, int nchildren,
                     void* context)
{
    uint64_t seen = 0;
    bool good = true;
    for (const snXmlNode* node = parent->first; node; node = node->next) {
        if (readChild(r, node, parent, children, nchildren, &seen, context)) continue;
        if (!sn_mjcfGoOn(r)) return false;
        good = false;
    }
    return good || sn_mjcfGoOnHere(r);
}

bool sn_readNoChildren(const snReader* r, const snXmlNode* node)
{
    if (!node->first) return true;
    if (!strcmp(node->first->tag, "plugin")) return sn_mjcfLater(r, node->first, NULL);
    return sn_mjcfFail(r, node->first, SN_STATUS_MODEL, "unknown element, <%s> has no children", node->tag);
}

static bool passOver(snReader* r, const snXmlNode* node, void* context)
{
    (void)r, (void)node, (void)context;
    return true;
}

// Sections of the language whose elements are not supported yet; empty ones do no harm.
static bool readExtension(snReader* r, const snXmlNode* node, void* context)
{
    static const snMjcfElement none = {"extension", "extension", 0, NULL};
    static const snChild children[] = {{"plugin", NULL, 0}};
    (void)context;
    return sn_readAttributes(r, node, &none, SN_IN_ELEMENT, NULL) &&
           sn_readChildren(r, node, children, SN_COUNT(children), NULL);
}

static bool readDeformable(snReader* r, const snXmlNode* node, void* context)
{
    static const snMjcfElement none = {"deformable", "deformable", 0, NULL};
    static const snChild children[] = {{"flex", NULL, 0}, {"skin", sn_readSkinElement, 0}};
    (void)context;
    return sn_readAttributes(r, node, &none, SN_IN_ELEMENT, NULL) &&
           sn_readChildren(r, node, children, SN_COUNT(children), NULL);
}

static const snChild sections[] = {{"compiler", passOver, 0},
                                   {"option", passOver, 0},
                                   {"size", passOver, 0},
                                   {"visual", passOver, 0},
                                   {"statistic", passOver, 0},
                                   {"default", passOver, 0},
                                   {"extension", readExtension, 0},
                                   {"custom", sn_readCustom, 0},
                                   {"asset", sn_readAsset, 0},
                                   {"worldbody", sn_readWorld, 0},
                                   {"deformable", readDeformable, 0},
                                   {"contact", sn_readContact, 0},
                                   {"equality", sn_readEqualities, 0},
                                   {"tendon", sn_readTendons, 0},
                                   {"actuator", sn_readActuators, 0},
                                   {"sensor", sn_readSensors, 0},
                                   {"keyframe", sn_readKeyframes, 0}};

bool sn_mjcfIsSection(const char* tag)
{
    for (int i = 0; i < SN_COUNT(sections); i++)
        if (!strcmp(sections[i].tag, tag)) return true;
    return false;
}

static bool readRoot(snReader* r, const snXmlNode* root)
{
    if (strcmp(root->tag, "mujoco"))
        return sn_mjcfFail(r, root, SN_STATUS_MODEL, "the root of a model must be <mujoco> or <robot>");
    for (int i = 0; i < root->nattributes; i++) {
        if (strcmp(root->attributes[i].name, "model")) {
            sn_mjcfFail(r, root, SN_STATUS_MODEL, "unknown attribute '%s', only 'model' is allowed",
                        sn_short(root->attributes[i].name).text);
            if (!sn_mjcfGoOn(r)) return false;
        } else if (*root->attributes[i].value)
            r->spec->modelname = root->attributes[i].value;
    }
    return sn_readSettings(r, root) && sn_readDefaults(r, root, NULL, &r->main) && sn_readOrigins(r) &&
           sn_readChildren(r, root, sections, SN_COUNT(sections), NULL);
}

// The compiler opens meshes and images among the assets too; their bytes stay the caller's.
static bool keepAssets(snSpec* spec, const snAsset* assets, int nassets)
{
    snAsset* kept = sn_poolAlloc(&spec->tree, (size_t)nassets * sizeof *kept);
    if (!kept) return false;
    for (int i = 0; i < nassets; i++)
        kept[i] = (snAsset){assets[i].name ? assets[i].name : "", assets[i].data, assets[i].size};
    spec->assets = kept;
    spec->nassets = nassets;
    return true;
}

bool sn_readSpec(snSpec* spec, snError* error)
{
    if (spec->read) return true;
    const locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!locale || !sn_clearSpec(spec)) {
        if (locale) freelocale(locale);
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return false;
    }
    snMistakes mistakes;
    sn_clearMistakes(&mistakes);
    snReader reader = {.spec = spec, .error = error, .locale = locale, .mistakes = &mistakes};
    spec->modelname = "MuJoCo Model"; // what the peer calls a model without a name
    spec->read = sn_expandTree(&reader) && readRoot(&reader, spec->root) && !mistakes.count;
    if (mistakes.count && !mistakes.over) sn_tellMistakes(&mistakes, spec->root, error);
    freelocale(locale);
    return spec->read;
}

static bool isUrdf(const snElement* root)
{
    return !strcmp(root->tag, "robot");
}

static snSpec* readModel(const char* path, const char* text, size_t size, const snAsset* assets, int nassets,
                         int nesting, const snUrdfOptions* urdf, snError* error)
{
    snSpec* spec = sn_makeSpec();
    if (!spec || !keepAssets(spec, assets, assets ? nassets : 0)) {
        sn_deleteSpec(spec);
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    spec->nesting = nesting;
    snReader reader = {.spec = spec, .error = error};
    spec->root = sn_loadTree(&reader, path, text, size);
    if (spec->root && (!isUrdf(spec->root) || sn_importUrdf(spec, spec->root, urdf, error)) &&
        sn_readSpec(spec, error))
        return spec;
    sn_deleteSpec(spec);
    return NULL;
}

snSpec* sn_readNested(const char* path, const snAsset* assets, int nassets, int nesting, snError* error)
{
    return readModel(path, NULL, 0, assets, nassets, nesting, NULL, error);
}

snSpec* sn_readUrdf(const char* path, const snUrdfOptions* options, const snAsset* assets, int nassets,
                    snError* error)
{
    return readModel(path, NULL, 0, assets, nassets, 0, options, error);
}

snSpec* sn_readMJCF(const char* path, const snAsset* assets, int nassets, snError* error)
{
    if (!path) {
        sn_fail(error, SN_STATUS_ARGUMENT, "no path given");
        return NULL;
    }
    return sn_readNested(path, assets, nassets, 0, error);
}

snSpec* sn_readMJCFText(const char* text, size_t size, const char* name, const snAsset* assets, int nassets,
                        snError* error)
{
    if (!text && size > 0) {
        sn_fail(error, SN_STATUS_ARGUMENT, "no text given");
        return NULL;
    }
    return readModel(name ? name : "text", text ? text : "", size, assets, nassets, 0, NULL, error);
}
