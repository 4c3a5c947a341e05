// Rigid contact, from text fields; see format/mjcf/language/lcp_text.h.
#include "compile/relation/relation.h"
#include "base/nearest.h"
#include "compile/build/field.h"
#include "compile/scale/scale.h"
#include "format/mjcf/language/lcp_text.h"

// ---- options

// What the model asks for must hold together.
static bool checkContact(snBuild* b, const snSpecText* text)
{
    snError why;
    return sn_checkOption(&b->m->opt, "contact", &why) == SN_STATUS_OK ||
           sn_buildFail(b, &text->head, SN_STATUS_MODEL, "%s", why.message);
}

static bool readOptions(snBuild* b, const snSpecText* text)
{
    snTextMistake mistake;
    const char* name = text->head.name;
    if (!strcmp(name, SN_CONTACT_NAME))
        return sn_readContactText(sn_fieldData(text), &b->m->opt, &mistake)
                   ? checkContact(b, text)
                   : sn_buildFailText(b, text, &mistake);
    return strcmp(name, SN_LCP_NAME) != 0 || sn_readLcpText(sn_fieldData(text), &b->m->opt, &mistake) ||
           sn_buildFailText(b, text, &mistake);
}

// ---- numbers of elements

// Puts the number of a field in its place, which holds `absent` as long as no other field has.
static bool store(snBuild* b, const snSpecText* text, const char* what, const char* name, double* place,
                  double absent, double value)
{
    if (*place != absent)
        return sn_buildFail(b, &text->head, SN_STATUS_MODEL,
                            "%s \"%.80s\" has one already, from another field", what, name);
    *place = value;
    return true;
}

static bool buildRestitution(snBuild* b, const snSpecText* text, const char* name)
{
    double value;
    snTextMistake mistake;
    if (!sn_readRestitutionText(sn_fieldData(text), &value, &mistake))
        return sn_buildFailText(b, text, &mistake);
    const snSpecHead* geom = sn_buildFind(b, &text->head, "GEOM", SN_OBJ_GEOM, name);
    if (!geom) return false;
    // compiler/discardvisual has left out what does not collide
    if (((const snSpecGeom*)geom)->shows) return true;
    return store(b, text, "the geom", name, b->m->geom_restitution + geom->id, -1, value);
}

static bool failNoForce(snBuild* b, const snSpecText* text, const char* name)
{
    const char* const near[2] = {sn_buildNearest(b, SN_OBJ_JOINT, name),
                                 sn_buildNearest(b, SN_OBJ_EQUALITY, name)};
    const char* nearest = sn_nearestWord(name, near, 2);
    return sn_buildFail(b, &text->head, SN_STATUS_MODEL,
                        "there is no joint and no equality \"%.80s\" whose force it could bound%s%.80s%s",
                        name, nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                        nearest ? "\"?" : "");
}

static bool buildMaxforce(snBuild* b, const snSpecText* text, const char* name)
{
    double value;
    snTextMistake mistake;
    snModel* m = b->m;
    if (!sn_readMaxforceText(sn_fieldData(text), &value, &mistake))
        return sn_buildFailText(b, text, &mistake);
    const snSpecHead *joint = sn_findSpec(b->spec, SN_OBJ_JOINT, name),
                     *equality = sn_findSpec(b->spec, SN_OBJ_EQUALITY, name);
    if (!joint && !equality) return failNoForce(b, text, name);
    if (joint && equality)
        return sn_buildFail(b, &text->head, SN_STATUS_MODEL,
                            "a joint and an equality have the name \"%.80s\": give one of them another",
                            name);
    value *= equality ? sn_scaleOfEquality(b, (const snSpecEquality*)equality)
                      : sn_scaleOfJoint((const snSpecJoint*)joint).force;
    if (equality) return store(b, text, "the equality", name, m->eq_maxforce + equality->id, 0, value);
    if (!m->jnt_limited[joint->id] &&
        !sn_buildWarn(b, &text->head, "the joint \"%.80s\" has no limit whose force it could bound", name))
        return false;
    return store(b, text, "the joint", name, m->jnt_maxforce + joint->id, 0, value);
}

typedef bool (*BuildField)(snBuild* b, const snSpecText* text, const char* name);

// Where a field is one of `ours`.
static bool buildField(snBuild* b, const snSpecText* text, const char* ours, BuildField build)
{
    const char* name;
    return sn_buildSubject(b, text->head.name, ours, &name) && (!name || build(b, text, name));
}

bool sn_buildRigid(snBuild* b)
{
    SN_EACH (snSpecText, text, b->spec->texts) {
        if (!text->head.name) continue;
        if (!readOptions(b, text) || !buildField(b, text, SN_RESTITUTION_PREFIX, buildRestitution) ||
            !buildField(b, text, SN_MAXFORCE_PREFIX, buildMaxforce))
            return false;
    }
    return true;
}
