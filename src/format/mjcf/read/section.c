// asset, custom, contact, keyframe: lists of elements without structure of their own.
#include "format/mjcf/read/initial.h"
#include "format/mjcf/read/reader.h"
#include "model/rules.h"
#include <string.h>

static bool readSection(snReader* r, const snXmlNode* section, const snChild* children, int nchildren)
{
    const snMjcfElement none = {section->tag, section->tag, 0, NULL};
    return sn_readAttributes(r, section, &none, SN_IN_ELEMENT, NULL) &&
           sn_readChildren(r, section, children, nchildren, NULL);
}

static const snSpecNumeric blank_numeric = {SN_SPEC_NUMERIC(SN_INITIAL)};

static bool checkTexture(const snReader* r, const snXmlNode* node, const snSpecTexture* t)
{
    if (t->builtin && (t->width < 1 || t->height < 1))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "a builtin texture needs a positive width and height");
    const bool sides = t->fileright || t->fileleft || t->fileup || t->filedown || t->filefront || t->fileback;
    if (!t->builtin && !t->file && (!sides || t->type == SN_TEXTURE_2D))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "give 'builtin' or 'file'");
    const bool none = t->gridsize[0] < 1 || t->gridsize[1] < 1;
    const bool many = !none && (int64_t)t->gridsize[0] * t->gridsize[1] > 12;
    if (none && t->builtin && !t->gridlayout)
        return sn_mjcfWarn(r, node, "gridsize must be positive, a builtin texture has no use for it");
    if (none || (many && !(t->builtin && !t->gridlayout)))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "gridsize must be positive, its product at most 12");
    if (t->gridlayout && strlen(t->gridlayout) != (size_t)t->gridsize[0] * (size_t)t->gridsize[1])
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "gridlayout must have a letter for each cell of gridsize");
    return true;
}

bool sn_nameAfterFile(snReader* r, snObjType kind, snSpecHead* head, const char* file)
{
    if (head->name || !file) return true;
    const char* base = file;
    for (const char* c = file; *c; c++)
        if (*c == '/' || *c == '\\') base = c + 1;
    const char* dot = strrchr(base, '.');
    const size_t length = dot ? (size_t)(dot - base) : strlen(base);
    if (!length) return true;
    head->name = sn_specText(r->spec, base, length);
    if (!head->name) return sn_mjcfNoMemory(r);
    return sn_enterName(r, head->node, kind, head);
}

static bool readTexture(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    const bool classes = sn_means(r->spec->physics, SN_RULE_NEWER_NAMES);
    const snDefaults* defaults = classes ? sn_chooseDefaults(r, node, "class", r->main) : r->main;
    if (!defaults) return false;
    snSpecTexture* texture = sn_makeElement(r, node, SN_OBJ_TEXTURE, &defaults->texture, sizeof *texture);
    if (!texture || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_TEXTURE), SN_IN_ELEMENT, texture))
        return false;
    if (!sn_nameAfterFile(r, SN_OBJ_TEXTURE, &texture->head, texture->file)) return false;
    if (!texture->head.name && texture->type != SN_TEXTURE_SKYBOX)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute 'name' is missing");
    if (!checkTexture(r, node, texture)) return false;
    SN_SPEC_APPEND(&r->spec->textures, texture);
    return sn_readNoChildren(r, node);
}

static bool readLayer(snReader* r, const snXmlNode* node, void* context)
{
    snSpecMaterial* material = context;
    snLayerText layer = {0};
    if (!sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_LAYER), SN_IN_ELEMENT, &layer)) return false;
    material->textures[layer.role] = layer.texture;
    return sn_readNoChildren(r, node);
}

bool sn_finishMaterial(snReader* r, const snXmlNode* node, snSpecMaterial* material)
{
    static const snChild children[] = {{"layer", readLayer, 0}};
    if (material->texture && node->first)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'texture' and <layer> exclude each other");
    if (material->texture) material->textures[1] = material->texture;
    material->texture = NULL;
    return sn_readChildren(r, node, children, SN_COUNT(children), material);
}

static bool readMaterial(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", r->main);
    if (!defaults) return false;
    snSpecMaterial* material =
        sn_makeElement(r, node, SN_OBJ_MATERIAL, &defaults->material, sizeof *material);
    if (!material || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_MATERIAL), SN_IN_ELEMENT, material))
        return false;
    if (!material->head.name) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute 'name' is missing");
    SN_SPEC_APPEND(&r->spec->materials, material);
    return sn_finishMaterial(r, node, material);
}

// Models are there to be attached, which has been done.
static bool readModel(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    snSpecModel model = {.file = NULL};
    return sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_MODEL), SN_IN_ELEMENT, &model) &&
           sn_readNoChildren(r, node);
}

bool sn_readAsset(snReader* r, const snXmlNode* section, void* context)
{
    static const snChild children[] = {{"texture", readTexture, 0},     {"material", readMaterial, 0},
                                       {"mesh", sn_readMesh, 0},        {"hfield", sn_readHfield, 0},
                                       {"skin", sn_readSkinElement, 0}, {"model", readModel, 0}};
    (void)context;
    return readSection(r, section, children, SN_COUNT(children));
}

static bool readNumeric(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    snSpecNumeric* numeric = sn_makeElement(r, node, SN_OBJ_NUMERIC, &blank_numeric, sizeof blank_numeric);
    if (!numeric || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_NUMERIC), SN_IN_ELEMENT, numeric))
        return false;
    if (!sn_xmlAttribute(node, "size")) numeric->size = numeric->data.count;
    if (numeric->size < 1 || numeric->size > 500)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "a numeric holds 1 to 500 numbers, this one %d",
                           numeric->size);
    if (numeric->data.count > numeric->size)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "data has %d numbers, size is %d", numeric->data.count,
                           numeric->size);
    SN_SPEC_APPEND(&r->spec->numerics, numeric);
    return sn_readNoChildren(r, node);
}

static bool takeOne(snReader* r, snXmlNode* node)
{
    const char* text = sn_attributeText(node, SN_TREE_CDATA);
    if (!text) return true;
    if (!sn_means(r->spec->physics, SN_RULE_NEWER_NAMES))
        return sn_mjcfWarn(r, node, "text inside it is passed over, write it as its attribute 'data'");
    if (sn_attributeText(node, "data"))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "has 'data' and text inside it, leave out one");
    return (sn_putAttribute(&r->spec->tree, node, "data", text) &&
            sn_putAttribute(&r->spec->tree, node, SN_TREE_CDATA, NULL)) ||
           sn_mjcfNoMemory(r);
}

bool sn_takeCharacters(snReader* r)
{
    for (snElement* section = r->spec->root->first; section; section = section->next)
        for (snElement* e = strcmp(section->tag, "custom") ? NULL : section->first; e; e = e->next)
            if (!takeOne(r, e) && !sn_mjcfGoOn(r)) return false;
    return true;
}

static bool readText(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    const snSpecText blank = {.data = NULL};
    snSpecText* text = sn_makeElement(r, node, SN_OBJ_TEXT, &blank, sizeof blank);
    if (!text || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_TEXT), SN_IN_ELEMENT, text)) return false;
    if (!text->data) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "data is empty");
    SN_SPEC_APPEND(&r->spec->texts, text);
    return sn_readNoChildren(r, node);
}

static bool readTupleElement(snReader* r, const snXmlNode* node, void* context)
{
    snSpecTuple* tuple = context;
    const snSpecTupleElement blank = {.objname = NULL};
    snSpecTupleElement* element = sn_makeElement(r, node, SN_OBJ_UNKNOWN, &blank, sizeof blank);
    if (!element ||
        !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_TUPLE_ELEMENT), SN_IN_ELEMENT, element))
        return false;
    if (!element->objname) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "objname is empty");
    SN_SPEC_APPEND(&tuple->elements, element);
    return sn_readNoChildren(r, node);
}

static bool readTuple(snReader* r, const snXmlNode* node, void* context)
{
    static const snChild children[] = {{"element", readTupleElement, 0}};
    (void)context;
    const snSpecTuple blank = {.next = NULL};
    snSpecTuple* tuple = sn_makeElement(r, node, SN_OBJ_TUPLE, &blank, sizeof blank);
    if (!tuple || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_TUPLE), SN_IN_ELEMENT, tuple))
        return false;
    if (!node->first) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "it has no <element>");
    SN_SPEC_APPEND(&r->spec->tuples, tuple);
    return sn_readChildren(r, node, children, SN_COUNT(children), tuple);
}

bool sn_readCustom(snReader* r, const snXmlNode* section, void* context)
{
    static const snChild children[] = {
        {"numeric", readNumeric, 0}, {"text", readText, 0}, {"tuple", readTuple, 0}};
    (void)context;
    return readSection(r, section, children, SN_COUNT(children));
}

static bool readPair(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", r->main);
    if (!defaults) return false;
    snSpecPair* pair = sn_makeElement(r, node, SN_OBJ_PAIR, &defaults->pair, sizeof *pair);
    if (!pair || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_PAIR), SN_IN_ELEMENT, pair)) return false;
    sn_keepEmptyReference(node, "geom1", &pair->geom1);
    sn_keepEmptyReference(node, "geom2", &pair->geom2);
    SN_SPEC_APPEND(&r->spec->pairs, pair);
    return sn_readNoChildren(r, node);
}

static bool readExclude(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    const snSpecExclude blank = {.body1 = NULL};
    snSpecExclude* exclude = sn_makeElement(r, node, SN_OBJ_EXCLUDE, &blank, sizeof blank);
    if (!exclude || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_EXCLUDE), SN_IN_ELEMENT, exclude))
        return false;
    sn_keepEmptyReference(node, "body1", &exclude->body1);
    sn_keepEmptyReference(node, "body2", &exclude->body2);
    SN_SPEC_APPEND(&r->spec->excludes, exclude);
    return sn_readNoChildren(r, node);
}

bool sn_readContact(snReader* r, const snXmlNode* section, void* context)
{
    static const snChild children[] = {{"pair", readPair, 0}, {"exclude", readExclude, 0}};
    (void)context;
    return readSection(r, section, children, SN_COUNT(children));
}

static bool readKey(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    const snSpecKey blank = {.time = 0};
    snSpecKey* key = sn_makeElement(r, node, SN_OBJ_KEY, &blank, sizeof blank);
    if (!key || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_KEY), SN_IN_ELEMENT, key)) return false;
    SN_SPEC_APPEND(&r->spec->keys, key);
    return sn_readNoChildren(r, node);
}

bool sn_readKeyframes(snReader* r, const snXmlNode* section, void* context)
{
    static const snChild children[] = {{"key", readKey, 0}};
    (void)context;
    return readSection(r, section, children, SN_COUNT(children));
}
