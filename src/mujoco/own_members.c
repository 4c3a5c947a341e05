// Members that are no attributes of the same name: orientations, inertias, free joints, equalities, sensors,
// textures of a material.
#include "element.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool setNumbers(Element* e, snElement* source, const char* attribute, const double* numbers, int n,
                       snError* error)
{
    return sn_setNumbers(e->s->source->spec, source, attribute, numbers, n, error) == SN_STATUS_OK;
}

static bool setWord(Element* e, snElement* source, const char* attribute, const char* text, snError* error)
{
    return sn_setText(e->s->source->spec, source, attribute, text && *text ? text : NULL, error) ==
           SN_STATUS_OK;
}

static int getNumbers(const Element* e, const snElement* source, const char* attribute, double* numbers,
                      int n)
{
    return sn_getNumbers(e->s->source->spec, source, attribute, numbers, n);
}

static snElement* childOf(const snElement* source, const char* tag)
{
    snElement* child = sn_elementFirst(source);
    while (child && strcmp(sn_elementTag(child), tag) != 0) child = sn_elementNext(child);
    return child;
}

// ---- orientations

// The attributes of mjsOrientation in the order of its types, from mjORIENTATION_AXISANGLE on.
static const struct {
    const char* attribute;
    size_t offset;
    int count;
} ways[] = {
    {"axisangle", offsetof(mjsOrientation, axisangle), 4},
    {"xyaxes", offsetof(mjsOrientation, xyaxes), 6},
    {"zaxis", offsetof(mjsOrientation, zaxis), 3},
    {"euler", offsetof(mjsOrientation, euler), 3},
};

static void fillOrientation(const Element* e, const snElement* source, double quat[4], mjsOrientation* alt)
{
    if (getNumbers(e, source, "quat", quat, 4) == 0) mju_unit4(quat);
    for (int i = 0; i < 4; i++)
        if (getNumbers(e, source, ways[i].attribute, (double*)((char*)alt + ways[i].offset), ways[i].count) >
            0)
            alt->type = (mjtOrientation)(i + 1);
}

static bool writeOrientation(Element* e, snElement* source, const double quat[4], const mjsOrientation* alt,
                             snError* error)
{
    const int way = (int)alt->type - 1;
    for (int i = 0; i < 4; i++)
        if (!setWord(e, source, ways[i].attribute, NULL, error)) return false;
    if (way < 0) return setNumbers(e, source, "quat", quat, 4, error);
    if (!setWord(e, source, "quat", NULL, error)) return false;
    return setNumbers(e, source, ways[way].attribute, (const double*)((const char*)alt + ways[way].offset),
                      ways[way].count, error);
}

// ---- bodies

static void fillInertial(Element* e)
{
    mjsBody* body = e->record;
    const snElement* inertial = childOf(e->source, "inertial");
    body->ipos[0] = body->fullinertia[0] = NAN;
    mju_unit4(body->iquat);
    if (!inertial) return;
    body->explicitinertial = 1;
    fillOrientation(e, inertial, body->iquat, &body->ialt);
    getNumbers(e, inertial, "pos", body->ipos, 3);
    getNumbers(e, inertial, "diaginertia", body->inertia, 3);
    getNumbers(e, inertial, "fullinertia", body->fullinertia, 6);
    getNumbers(e, inertial, "mass", &body->mass, 1);
}

// Without a position the mass is that of the geoms, where there are any.
static bool writeInertial(Element* e, snError* error)
{
    const mjsBody* body = e->record;
    snElement* inertial = childOf(e->source, "inertial");
    const bool given = !isnan(body->ipos[0]), full = !isnan(body->fullinertia[0]);
    const double none[3] = {0};
    if (!given && childOf(e->source, "geom"))
        return !inertial || sn_removeElement(e->s->source->spec, inertial, error) == SN_STATUS_OK;
    if (!inertial) inertial = sn_addElement(e->s->source->spec, e->source, "inertial", NULL, error);
    if (!inertial || !setNumbers(e, inertial, "pos", given ? body->ipos : none, 3, error) ||
        !setNumbers(e, inertial, "mass", &body->mass, 1, error) ||
        !setWord(e, inertial, full ? "diaginertia" : "fullinertia", NULL, error))
        return false;
    if (full) return setNumbers(e, inertial, "fullinertia", body->fullinertia, 6, error);
    return setNumbers(e, inertial, "diaginertia", body->inertia, 3, error) &&
           writeOrientation(e, inertial, body->iquat, &body->ialt, error);
}

static bool hasNewInertial(const Element* e)
{
    static const char* const names[] = {"mass", "ipos",        "iquat",           "inertia",
                                        "ialt", "fullinertia", "explicitinertial"};
    for (int i = 0; i < 7; i++)
        if (isChanged(e, names[i])) return true;
    return false;
}

// ---- free joints, which are joints without most attributes, and take nothing from classes

static void fillFreeJoint(mjsJoint* joint)
{
    joint->type = mjJNT_FREE;
    joint->axis[2] = 1;
    joint->limited = joint->actfrclimited = mjLIMITED_AUTO;
    mj_defaultSolRefImp(joint->solref_limit, joint->solimp_limit);
    mj_defaultSolRefImp(joint->solref_friction, joint->solimp_friction);
}

// One that has more becomes a joint of type free, and all of it is written.
static bool writeFreeJoint(Element* e, snError* error)
{
    mjsJoint *joint = e->record, *seen = e->seen;
    mjsJoint same = *seen;
    same.group = joint->group, same.align = joint->align;
    if (!memcmp(&same, joint, sizeof same)) return true;
    memset(seen, 0xFF, sizeof *seen);
    return sn_changeTag(e->s->source->spec, e->source, "joint", error) == SN_STATUS_OK;
}

// ---- equalities

static const char* const equality_tags[] = {"connect", "weld", "joint", "tendon", "flex"};
enum { EQUALITY_TAGS = sizeof equality_tags / sizeof *equality_tags };

// What the ends of an equality are called in its attributes.
static const char* endsOf(const mjsEquality* eq)
{
    if (eq->type == mjEQ_JOINT || eq->type == mjEQ_TENDON) return equality_tags[eq->type];
    return eq->objtype == mjOBJ_SITE ? "site" : "body";
}

static void fillEquality(Element* e)
{
    mjsEquality* eq = e->record;
    const char* tag = sn_elementTag(e->source);
    char end[16];
    for (int i = 0; i < EQUALITY_TAGS; i++)
        if (!strcmp(tag, equality_tags[i])) eq->type = (mjtEq)i;
    eq->data[1] = eq->data[10] = 1;
    if (eq->type == mjEQ_FLEX) {
        setText(eq->name1, sn_getText(e->s->source->spec, e->source, "flex"));
        return;
    }
    const bool bodies = eq->type == mjEQ_CONNECT || eq->type == mjEQ_WELD;
    if (bodies) eq->objtype = sn_getText(e->s->source->spec, e->source, "site1") ? mjOBJ_SITE : mjOBJ_BODY;
    if (eq->type == mjEQ_WELD) {
        eq->data[1] = 0;
        getNumbers(e, e->source, "anchor", eq->data, 3);
        getNumbers(e, e->source, "relpose", eq->data + 3, 7);
        getNumbers(e, e->source, "torquescale", eq->data + 10, 1);
    } else {
        getNumbers(e, e->source, bodies ? "anchor" : "polycoef", eq->data, bodies ? 3 : 5);
    }
    snprintf(end, sizeof end, "%s1", endsOf(eq));
    setText(eq->name1, sn_getText(e->s->source->spec, e->source, end));
    snprintf(end, sizeof end, "%s2", endsOf(eq));
    setText(eq->name2, sn_getText(e->s->source->spec, e->source, end));
}

static bool writeEqualityData(Element* e, const mjsEquality* eq, snError* error)
{
    if (eq->type == mjEQ_JOINT || eq->type == mjEQ_TENDON)
        return setNumbers(e, e->source, "polycoef", eq->data, 5, error);
    const bool sites = eq->objtype == mjOBJ_SITE;
    if (eq->type == mjEQ_WELD && !setNumbers(e, e->source, "torquescale", eq->data + 10, 1, error))
        return false;
    if (eq->type == mjEQ_WELD && !sites && !setNumbers(e, e->source, "relpose", eq->data + 3, 7, error))
        return false;
    return sites || setNumbers(e, e->source, "anchor", eq->data, 3, error);
}

static bool writeEquality(Element* e, snError* error)
{
    const mjsEquality* eq = e->record;
    char first[16], second[16];
    if ((int)eq->type >= EQUALITY_TAGS) {
        snprintf(error->message, sizeof error->message, "equalities of type %d are not in Sinew", eq->type);
        return false;
    }
    if (sn_changeTag(e->s->source->spec, e->source, equality_tags[eq->type], error) != SN_STATUS_OK)
        return false;
    if (eq->type == mjEQ_FLEX) return setWord(e, e->source, "flex", textOf(eq->name1), error);
    snprintf(first, sizeof first, "%s1", endsOf(eq));
    snprintf(second, sizeof second, "%s2", endsOf(eq));
    return writeEqualityData(e, eq, error) && setWord(e, e->source, first, textOf(eq->name1), error) &&
           setWord(e, e->source, second, textOf(eq->name2), error);
}

static bool hasNewEquality(const Element* e)
{
    static const char* const names[] = {"type", "data", "name1", "name2", "objtype"};
    for (int i = 0; i < 5; i++)
        if (isChanged(e, names[i])) return true;
    return false;
}

// ---- textures of a material, by roles

static void fillTextures(Element* e)
{
    sinew_names* names = ((mjsMaterial*)e->record)->textures;
    static char* const none[mjNTEXROLE] = {NULL};
    setItems(&names->items, none, mjNTEXROLE, sizeof none[0]);
    const char* rgb = sn_getText(e->s->source->spec, e->source, "texture");
    if (rgb) mjs_setInStringVec(names, mjTEXROLE_RGB, rgb);
}

static bool writeTextures(Element* e, snError* error)
{
    char** names = ((mjsMaterial*)e->record)->textures->items.data;
    for (int i = 0; i < mjNTEXROLE; i++)
        if (i != mjTEXROLE_RGB && names[i] && *names[i]) {
            snprintf(error->message, sizeof error->message,
                     "a material of several textures: write its <layer>s as text; only mjTEXROLE_RGB is "
                     "taken here");
            return false;
        }
    return setWord(e, e->source, "texture", names[mjTEXROLE_RGB], error);
}

// ---- all of them

static bool isPlaced(const Element* e)
{
    return e->kind->type != mjOBJ_TEXTURE && memberOf(e->kind, "alt") != NULL;
}

void fillOwn(Element* e)
{
    const mjtObj type = e->kind->type;
    if (isPlaced(e))
        fillOrientation(e, e->source, memberAt(e, memberOf(e->kind, "quat")),
                        memberAt(e, memberOf(e->kind, "alt")));
    if (type == mjOBJ_BODY) fillInertial(e);
    if (type == mjOBJ_JOINT) {
        mjsJoint* joint = e->record;
        joint->align = mjALIGNFREE_AUTO;
        if (!strcmp(sn_elementTag(e->source), "freejoint")) fillFreeJoint(joint);
    }
    if (type == mjOBJ_EQUALITY) fillEquality(e);
    if (type == mjOBJ_MATERIAL) fillTextures(e);
    if (type == mjOBJ_SENSOR) fillSensor(e);
    if (type == mjOBJ_ACTUATOR) fillActuator(e);
}

bool writeOwn(Element* e, snError* error)
{
    const mjtObj type = e->kind->type;
    const char* tag = sn_elementTag(e->source);
    if (!strcmp(tag, "worldbody") && memcmp(e->record, e->seen, e->kind->size) != 0) {
        snprintf(error->message, sizeof error->message, "the world has no members");
        return false;
    }
    if (!strcmp(tag, "freejoint") && !writeFreeJoint(e, error)) return false;
    if (isPlaced(e) && (isChanged(e, "quat") || isChanged(e, "alt")) &&
        !writeOrientation(e, e->source, memberAt(e, memberOf(e->kind, "quat")),
                          memberAt(e, memberOf(e->kind, "alt")), error))
        return false;
    if (type == mjOBJ_BODY && hasNewInertial(e)) return writeInertial(e, error);
    if (type == mjOBJ_EQUALITY && hasNewEquality(e)) return writeEquality(e, error);
    if (type == mjOBJ_MATERIAL && isChanged(e, "textures")) return writeTextures(e, error);
    if (type == mjOBJ_SENSOR) return writeSensor(e, error);
    if (type == mjOBJ_ACTUATOR) return writeActuator(e, error);
    return true;
}
