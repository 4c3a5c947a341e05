// The reading as a whole: sections in the order in which they depend on each other.
#define _GNU_SOURCE // newlocale
#include "format/mjcf/reader.h"
#include "base/error.h"
#include "format/mjcf/expand.h"
#include "format/mjcf/mjcf.h"
#include "format/urdf/urdf.h"
#include <stdio.h>
#include <string.h>

bool sn_mjcfFail(const snReader* r, const snXmlNode* node, snStatus status, const char* format, ...)
{
    char text[500];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char* name = sn_xmlAttribute(node, "name");
    if (name && *name)
        sn_failAt(r->error, status, node->place.file, node->place.line, "<%s name=\"%s\">: %s",
                  sn_short(node->tag).text, sn_short(name).text, text);
    else
        sn_failAt(r->error, status, node->place.file, node->place.line, "<%s>: %s", sn_short(node->tag).text,
                  text);
    return false;
}

bool sn_mjcfNoMemory(const snReader* r)
{
    sn_fail(r->error, SN_STATUS_NO_MEMORY, "out of memory");
    return false;
}

// The element, with what tells it from others of its tag.
static void later(const snReader* r, const snXmlNode* node)
{
    static const char* const telling[] = {"plugin", "instance", "name"};
    for (int i = 0; i < SN_COUNT(telling); i++) {
        const char* text = sn_xmlAttribute(node, telling[i]);
        if (!text || !*text) continue;
        sn_failAt(r->error, SN_STATUS_UNSUPPORTED, node->place.file, node->place.line,
                  "not supported yet: <%s %s=\"%s\">", node->tag, telling[i], sn_short(text).text);
        return;
    }
    sn_failAt(r->error, SN_STATUS_UNSUPPORTED, node->place.file, node->place.line, "not supported yet: <%s>",
              node->tag);
}

bool sn_mjcfLater(const snReader* r, const snXmlNode* node, const char* attribute)
{
    if (attribute)
        sn_failAt(r->error, SN_STATUS_UNSUPPORTED, node->place.file, node->place.line,
                  "not supported yet: '%s' of <%s>", attribute, node->tag);
    else
        later(r, node);
    return false;
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
    return kind == SN_OBJ_UNKNOWN || sn_nameSpec(r->spec, kind, head, r->error);
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
        return sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED, "it came after the MJCF that Sinew reads (3.3.7)");
    snGuess guess = {node->tag, NULL, 0};
    for (int i = 0; i < nchildren; i++) sn_guess(&guess, children[i].tag);
    if (guess.best)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "unknown element in <%s>, did you mean <%s>?",
                           parent->tag, guess.best);
    return sn_mjcfFail(r, node, SN_STATUS_MODEL, "unknown element in <%s>", parent->tag);
}

bool sn_readChildren(snReader* r, const snXmlNode* parent, const snChild* children, int nchildren,
                     void* context)
{
    uint64_t seen = 0;
    for (const snXmlNode* node = parent->first; node; node = node->next) {
        int i = 0;
        while (i < nchildren && strcmp(children[i].tag, node->tag)) i++;
        if (i == nchildren) return unknownChild(r, node, parent, children, nchildren);
        if (children[i].unique && (seen >> i & 1))
            return sn_mjcfFail(r, node, SN_STATUS_MODEL, "only one may stand in <%s>", parent->tag);
        seen |= (uint64_t)1 << i;
        if (!children[i].read) return sn_mjcfLater(r, node, NULL);
        if (!children[i].read(r, node, context)) return false;
    }
    return true;
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
        if (strcmp(root->attributes[i].name, "model"))
            return sn_mjcfFail(r, root, SN_STATUS_MODEL, "unknown attribute '%s', only 'model' is allowed",
                               sn_short(root->attributes[i].name).text);
        if (*root->attributes[i].value) r->spec->modelname = root->attributes[i].value;
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
    snReader reader = {.spec = spec, .error = error, .locale = locale};
    spec->modelname = "MuJoCo Model"; // what the peer calls a model without a name
    spec->read = sn_expandTree(&reader) && readRoot(&reader, spec->root);
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
