// tendon: fixed and spatial, and what their paths are made of.
#include "format/mjcf/read/reader.h"
#include <string.h>

bool sn_readTendonValues(const snReader* r, const snXmlNode* node, snMjcfId id, int where,
                         snSpecTendon* tendon)
{
    const double given = tendon->springlength[1];
    tendon->springlength[1] = SN_NAN;
    if (!sn_readAttributes(r, node, sn_mjcfElement(id), where, tendon)) return false;
    if (isnan(tendon->springlength[1]))
        tendon->springlength[1] = sn_xmlAttribute(node, "springlength") ? tendon->springlength[0] : given;
    return true;
}

static bool readWrap(snReader* r, const snXmlNode* node, snMjcfId id, snWrapType type, snSpecTendon* tendon)
{
    snSpecWrap* wrap = sn_specAlloc(r->spec, sizeof *wrap);
    if (!wrap) return sn_mjcfNoMemory(r);
    if (!sn_readHead(r, node, SN_OBJ_UNKNOWN, &wrap->head)) return false;
    wrap->type = type;
    if (!sn_readAttributes(r, node, sn_mjcfElement(id), SN_IN_ELEMENT, wrap)) return false;
    sn_keepEmptyReference(node,
                          type == SN_WRAP_JOINT  ? "joint"
                          : type == SN_WRAP_SITE ? "site"
                                                 : "geom",
                          &wrap->object);
    SN_SPEC_APPEND(&tendon->path, wrap);
    return sn_readNoChildren(r, node);
}

static bool readJoint(snReader* r, const snXmlNode* node, void* context)
{
    return readWrap(r, node, SN_MJCF_WRAP_JOINT, SN_WRAP_JOINT, context);
}

static bool readSite(snReader* r, const snXmlNode* node, void* context)
{
    return readWrap(r, node, SN_MJCF_WRAP_SITE, SN_WRAP_SITE, context);
}

static bool readGeom(snReader* r, const snXmlNode* node, void* context)
{
    return readWrap(r, node, SN_MJCF_WRAP_GEOM, SN_WRAP_SPHERE, context);
}

static bool readPulley(snReader* r, const snXmlNode* node, void* context)
{
    return readWrap(r, node, SN_MJCF_WRAP_PULLEY, SN_WRAP_PULLEY, context);
}

static bool readTendon(snReader* r, const snXmlNode* node, void* context)
{
    static const snChild fixed[] = {{"joint", readJoint, 0}};
    static const snChild spatial[] = {
        {"site", readSite, 0}, {"geom", readGeom, 0}, {"pulley", readPulley, 0}};
    (void)context;
    const bool is_fixed = !strcmp(node->tag, "fixed");
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", r->main);
    if (!defaults) return false;
    snSpecTendon* tendon = sn_makeElement(r, node, SN_OBJ_TENDON, &defaults->tendon, sizeof *tendon);
    if (!tendon) return false;
    if (!sn_readTendonValues(r, node, is_fixed ? SN_MJCF_FIXED : SN_MJCF_SPATIAL, SN_IN_ELEMENT, tendon))
        return false;
    SN_SPEC_APPEND(&r->spec->tendons, tendon);
    return is_fixed ? sn_readChildren(r, node, fixed, SN_COUNT(fixed), tendon)
                    : sn_readChildren(r, node, spatial, SN_COUNT(spatial), tendon);
}

bool sn_readTendons(snReader* r, const snXmlNode* section, void* context)
{
    static const snChild children[] = {{"fixed", readTendon, 0}, {"spatial", readTendon, 0}};
    static const snMjcfElement none = {"tendon", "tendon", 0, NULL};
    (void)context;
    return sn_readAttributes(r, section, &none, SN_IN_ELEMENT, NULL) &&
           sn_readChildren(r, section, children, SN_COUNT(children), NULL);
}
