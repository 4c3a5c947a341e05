// asset/skin and deformable/skin.
#include "format/mjcf/read/initial.h"
#include "format/mjcf/read/reader.h"

static const snSpecSkin blank_skin = {SN_SPEC_SKIN(SN_INITIAL)};

static bool readBone(snReader* r, const snXmlNode* node, void* context)
{
    snSpecSkin* skin = context;
    const snSpecBone blank = {.body = NULL};
    snSpecBone* bone = sn_makeElement(r, node, SN_OBJ_UNKNOWN, &blank, sizeof blank);
    if (!bone || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_BONE), SN_IN_ELEMENT, bone)) return false;
    if (!bone->body) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute 'body' is empty");
    SN_SPEC_APPEND(&skin->bones, bone);
    return sn_readNoChildren(r, node);
}

bool sn_readSkinElement(snReader* r, const snXmlNode* node, void* context)
{
    static const snChild children[] = {{"bone", readBone, 0}};
    (void)context;
    snSpecSkin* skin = sn_makeElement(r, node, SN_OBJ_SKIN, &blank_skin, sizeof blank_skin);
    if (!skin || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_SKIN), SN_IN_ELEMENT, skin) ||
        !sn_nameAfterFile(r, SN_OBJ_SKIN, &skin->head, skin->file))
        return false;
    if (!skin->head.name) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute 'name' is missing");
    if (skin->group < 0 || skin->group > 5)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "group is %d, must be 0 to 5", skin->group);
    SN_SPEC_APPEND(&r->spec->skins, skin);
    return sn_readChildren(r, node, children, SN_COUNT(children), skin);
}
