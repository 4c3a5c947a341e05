// deformable/flex.
#include "format/mjcf/read/reader.h"

#define SCALAR(member, ...) .member = __VA_ARGS__,
#define VECTOR(member, ...) .member = {__VA_ARGS__},
#define NOTHING(member, ...)
#define INIT_REAL SCALAR
#define INIT_VEC VECTOR
#define INIT_FVEC VECTOR
#define INIT_INT SCALAR
#define INIT_BOOL SCALAR
#define INIT_WORD SCALAR
#define INIT_TEXT SCALAR
#define INIT_REF SCALAR
#define INIT_LIST NOTHING
#define INIT_FLIST NOTHING
#define INIT_ILIST NOTHING
#define INIT_NAME NOTHING
#define INIT_LATER NOTHING
#define X(kind, attribute, member, min, max, words, where, meaning, ...) INIT_##kind(member, __VA_ARGS__)
static const snSpecFlex blank_flex = {SN_SPEC_FLEX(X) SN_SPEC_FLEX_CONTACT(X) SN_SPEC_FLEX_EDGE(X)
                                          SN_SPEC_FLEX_ELASTICITY(X)};
#undef X

static bool readContact(snReader* r, const snXmlNode* node, void* context)
{
    snSpecFlex* flex = context;
    if (!sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FLEX_CONTACT), SN_IN_ELEMENT, flex)) return false;
    if (flex->passive) return sn_mjcfLater(r, node, "passive");
    return sn_readNoChildren(r, node);
}

static bool readEdge(snReader* r, const snXmlNode* node, void* context)
{
    return sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FLEX_EDGE), SN_IN_ELEMENT, context) &&
           sn_readNoChildren(r, node);
}

static bool readElasticity(snReader* r, const snXmlNode* node, void* context)
{
    return sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FLEX_ELASTICITY), SN_IN_ELEMENT, context) &&
           sn_readNoChildren(r, node);
}

bool sn_readFlex(snReader* r, const snXmlNode* node, void* context)
{
    static const snChild children[] = {
        {"contact", readContact, 1}, {"edge", readEdge, 1}, {"elasticity", readElasticity, 1}};
    (void)context;
    snSpecFlex* flex = sn_makeElement(r, node, SN_OBJ_FLEX, &blank_flex, sizeof blank_flex);
    if (!flex || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FLEX), SN_IN_ELEMENT, flex)) return false;
    SN_SPEC_APPEND(&r->spec->flexes, flex);
    return sn_readChildren(r, node, children, SN_COUNT(children), flex);
}
