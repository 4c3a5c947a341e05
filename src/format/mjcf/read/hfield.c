// asset/hfield
#include "format/mjcf/read/reader.h"

bool sn_readHfield(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    const snSpecHfield blank = {.file = NULL};
    snSpecHfield* hfield = sn_makeElement(r, node, SN_OBJ_HFIELD, &blank, sizeof blank);
    if (!hfield || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_HFIELD), SN_IN_ELEMENT, hfield) ||
        !sn_nameAfterFile(r, SN_OBJ_HFIELD, &hfield->head, hfield->file))
        return false;
    if (!hfield->head.name) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute 'name' is missing");
    SN_SPEC_APPEND(&r->spec->hfields, hfield);
    return sn_readNoChildren(r, node);
}
