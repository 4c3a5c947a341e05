// equality: connect, weld, joint, tendon, flex.
#include "format/mjcf/read/reader.h"
#include "model/kinds.h"
#include <string.h>

static bool given(const snXmlNode* node, const char* attribute)
{
    return sn_xmlAttribute(node, attribute) != NULL;
}

// A connect or weld stands between two bodies or two sites, not a mixture.
static bool checkBodies(const snReader* r, const snXmlNode* node, const snSpecEquality* equality)
{
    const bool connect = equality->type == SN_EQ_CONNECT;
    const bool placed = !isnan(equality->anchor[0]) || !isnan(equality->relpose[0]);
    const bool site = given(node, "site1") || given(node, "site2");
    if (site && (placed || given(node, "body1") || given(node, "body2")))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "sites do not go with bodies%s: give site1 and site2 alone",
                           connect ? " and anchor" : ", anchor and relpose");
    if (site && equality->site1 && equality->site2) return true;
    if (site)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute '%s' is missing, it needs both sites",
                           equality->site1 ? "site2" : "site1");
    if (!equality->body1)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "attribute 'body1' is missing; or give site1 and site2 in place of bodies");
    return !connect || placed ||
           sn_mjcfFail(r, node, SN_STATUS_MODEL,
                       "attribute 'anchor' is missing: the point of body1 that is held");
}

static bool readEquality(snReader* r, const snXmlNode* node, snMjcfId id, snEqType type)
{
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", r->main);
    if (!defaults) return false;
    snSpecEquality* equality =
        sn_makeElement(r, node, SN_OBJ_EQUALITY, &defaults->equality, sizeof *equality);
    if (!equality) return false;
    equality->type = type;
    if (!sn_readAttributes(r, node, sn_mjcfElement(id), SN_IN_ELEMENT, equality)) return false;
    // the second one may be left out, which an empty name does, too
    sn_keepEmptyReference(node, "joint1", &equality->joint1);
    sn_keepEmptyReference(node, "tendon1", &equality->tendon1);
    sn_keepEmptyReference(node, "body1", &equality->body1);
    sn_keepEmptyReference(node, "flex", &equality->flex);
    if (sn_equalityKind(type).bodies && !checkBodies(r, node, equality)) return false;
    SN_SPEC_APPEND(&r->spec->equalities, equality);
    return sn_readNoChildren(r, node);
}

static bool readConnect(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    return readEquality(r, node, SN_MJCF_CONNECT, SN_EQ_CONNECT);
}

static bool readWeld(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    return readEquality(r, node, SN_MJCF_WELD, SN_EQ_WELD);
}

static bool readJoint(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    return readEquality(r, node, SN_MJCF_EQUALITY_JOINT, SN_EQ_JOINT);
}

static bool readTendon(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    return readEquality(r, node, SN_MJCF_EQUALITY_TENDON, SN_EQ_TENDON);
}

static bool readFlex(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    return readEquality(r, node, SN_MJCF_EQUALITY_FLEX, SN_EQ_FLEX);
}

bool sn_readEqualities(snReader* r, const snXmlNode* section, void* context)
{
    static const snChild children[] = {{"connect", readConnect, 0},
                                       {"weld", readWeld, 0},
                                       {"joint", readJoint, 0},
                                       {"tendon", readTendon, 0},
                                       {"flex", readFlex, 0}};
    static const snMjcfElement none = {"equality", "equality", 0, NULL};
    (void)context;
    return sn_readAttributes(r, section, &none, SN_IN_ELEMENT, NULL) &&
           sn_readChildren(r, section, children, SN_COUNT(children), NULL);
}
