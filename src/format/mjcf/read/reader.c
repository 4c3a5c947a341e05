// The source as a whole: sections in the order in which they depend on each other.
#include "format/mjcf/read/reader.h"
#include "base/error.h"
#include <string.h>

bool sn_enterName(const snReader* r, const snXmlNode* node, snObjType kind, snSpecHead* head)
{
    snError why;
    if (sn_nameSpec(r->spec, kind, head, &why)) return true;
    sn_mjcfMistake(r, node, &why);
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

void sn_keepEmptyReference(const snXmlNode* node, const char* attribute, const char** reference)
{
    if (!*reference && sn_xmlAttribute(node, attribute)) *reference = "";
}

static bool passOver(snReader* r, const snXmlNode* node, void* context)
{
    (void)r, (void)node, (void)context;
    return true;
}

static bool readDeformable(snReader* r, const snXmlNode* node, void* context)
{
    static const snMjcfElement none = {"deformable", "deformable", 0, NULL};
    static const snChild children[] = {{"flex", sn_readFlex, 0}, {"skin", sn_readSkinElement, 0}};
    (void)context;
    return sn_readAttributes(r, node, &none, SN_IN_ELEMENT, NULL) &&
           sn_readChildren(r, node, children, SN_COUNT(children), NULL);
}

static const snChild sections[] = {
#define X(tag, read) {#tag, read, 0},
    SN_MJCF_SECTIONS(X)
#undef X
};

bool sn_readRoot(snReader* r, const snElement* root)
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
