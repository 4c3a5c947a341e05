// worldbody: bodies, frames and what stands in them.
#include "format/mjcf/read/reader.h"
#include <string.h>
#include "base/number.h"
#include "model/rules.h"
#include "shape/kind.h"

// Where the reader stands in the tree.
typedef struct Inside {
    snSpecBody* body;
    const snSpecFrame* frame;
    const snDefaults* defaults;
} Inside;

// `first`: the one before it in the body, from which it started; or NULL.
static bool checkFullInertia(const snReader* r, const snXmlNode* node, const snSpecInertial* first,
                             const snSpecInertial* inertial)
{
    static const char* const others[] = {"diaginertia", "quat", "axisangle", "xyaxes", "zaxis", "euler"};
    if (isnan(inertial->fullinertia[0])) return true;
    for (int i = 0; i < SN_COUNT(others) && sn_xmlAttribute(node, "fullinertia"); i++)
        if (sn_xmlAttribute(node, others[i]))
            return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'fullinertia' and '%s' exclude each other",
                               others[i]);
    const double* moment = inertial->diaginertia;
    const bool moments = moment[0] != 0 || moment[1] != 0 || moment[2] != 0;
    if (!first || (!moments && inertial->orient.kind == SN_ORIENT_QUAT)) return true;
    return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                       "of the two in the body one has 'fullinertia', the other moments or an orientation");
}

static bool readInertial(snReader* r, const snXmlNode* node, void* context)
{
    const Inside* in = context;
    if (!in->body->parent)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "the world has no inertia, put it into a body");
    const snSpecInertial* first = in->body->inertial;
    const snSpecInertial blank = {.frame = in->frame, .orient.quat = {1, 0, 0, 0}, .fullinertia = {SN_NAN}};
    if (first && !sn_mjcfWarn(r, node,
                              "another stands at line %d of the body, of which this one takes what it does "
                              "not say itself: leave out one of them",
                              first->head.place.line))
        return false;
    snSpecInertial* inertial = sn_makeElement(r, node, SN_OBJ_UNKNOWN, first ? first : &blank, sizeof blank);
    if (!inertial || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_INERTIAL), SN_IN_ELEMENT, inertial) ||
        !checkFullInertia(r, node, first, inertial))
        return false;
    in->body->inertial = inertial;
    return sn_readNoChildren(r, node);
}

static bool readJoint(snReader* r, const snXmlNode* node, void* context)
{
    const Inside* in = context;
    if (!in->body->parent)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "the world has no joints, put it into a body");
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", in->defaults);
    if (!defaults) return false;
    snSpecJoint* joint = sn_makeElement(r, node, SN_OBJ_JOINT, &defaults->joint, sizeof *joint);
    if (!joint || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_JOINT), SN_IN_ELEMENT, joint))
        return false;
    joint->frame = in->frame;
    if (node->endless && sn_means(r->spec->physics, SN_RULE_CONTINUOUS_JOINTS))
        memset(joint->range, 0, sizeof joint->range);
    SN_SPEC_APPEND(&in->body->joints, joint);
    return sn_readNoChildren(r, node);
}

static bool readFreeJoint(snReader* r, const snXmlNode* node, void* context)
{
    const Inside* in = context;
    if (!in->body->parent)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "the world has no joints, put it into a body");
    const snSpecJoint blank = {.frame = in->frame,
                               .align = SN_AUTO,
                               .type = SN_JNT_FREE,
                               .axis = {0, 0, 1},
                               .limited = SN_FALSE,
                               .actfrclimited = SN_FALSE,
                               .solref_limit = {0.02, 1},
                               .solimp_limit = {0.9, 0.95, 0.001, 0.5, 2},
                               .solref_friction = {0.02, 1},
                               .solimp_friction = {0.9, 0.95, 0.001, 0.5, 2}};
    snSpecJoint* joint = sn_makeElement(r, node, SN_OBJ_JOINT, &blank, sizeof blank);
    if (!joint || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FREEJOINT), SN_IN_ELEMENT, joint))
        return false;
    SN_SPEC_APPEND(&in->body->joints, joint);
    return sn_readNoChildren(r, node);
}

static bool readGeom(snReader* r, const snXmlNode* node, void* context)
{
    const Inside* in = context;
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", in->defaults);
    if (!defaults) return false;
    snSpecGeom* geom = sn_makeElement(r, node, SN_OBJ_GEOM, &defaults->geom, sizeof *geom);
    if (!geom || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_GEOM), SN_IN_ELEMENT, geom)) return false;
    if (*sn_factsOf(geom->type)->refusal)
        return sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED, "not supported yet: type=\"%s\" (use a mesh)",
                           sn_shapeWord(geom->type));
    geom->frame = in->frame;
    SN_SPEC_APPEND(&in->body->geoms, geom);
    return sn_readOnlyPlugin(r, node, SN_PLUGIN_OF_WORLD, &geom->plug);
}

static bool readSite(snReader* r, const snXmlNode* node, void* context)
{
    const Inside* in = context;
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", in->defaults);
    if (!defaults) return false;
    snSpecSite* site = sn_makeElement(r, node, SN_OBJ_SITE, &defaults->site, sizeof *site);
    if (!site || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_SITE), SN_IN_ELEMENT, site)) return false;
    const bool meshes = sn_means(r->spec->physics, SN_RULE_NEWER_NAMES);
    if (!sn_isPrimitive(site->type) && !(meshes && sn_isMeshAsset(site->type)))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           meshes ? "a site is a sphere, capsule, ellipsoid, cylinder, box or mesh"
                                  : "a site is a sphere, capsule, ellipsoid, cylinder or box, nothing else");
    site->frame = in->frame;
    SN_SPEC_APPEND(&in->body->sites, site);
    return sn_readNoChildren(r, node);
}

// Words in any order, each once; none: colours.
static bool readOutputs(const snReader* r, const snXmlNode* node, snSpecCamera* camera)
{
    int count, bits = 0;
    const snEnumItem* words = sn_mjcfWords("snCamOutput", &count);
    for (const char* at = camera->output ? camera->output : ""; *(at += strspn(at, " \t\n\r"));) {
        const size_t n = strcspn(at, " \t\n\r");
        int i = 0;
        while (i < count && (strlen(words[i].keyword) != n || strncmp(at, words[i].keyword, n))) i++;
        if (i == count || bits & words[i].value)
            return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                               "output=\"%s\": expected some of rgb, depth, distance, normal, segmentation, "
                               "each once",
                               sn_short(camera->output).text);
        bits |= words[i].value;
        at += n;
    }
    camera->outputs = bits ? bits : SN_CAMOUT_RGB;
    return true;
}

bool sn_finishCamera(const snReader* r, const snXmlNode* node, snSpecCamera* camera)
{
    return readOutputs(r, node, camera) &&
           (!sn_xmlAttribute(node, "orthographic") ||
            sn_mjcfOutdated(r, node, "'orthographic' has become 'projection', which 3.3.7 passes over"));
}

static bool readCamera(snReader* r, const snXmlNode* node, void* context)
{
    const Inside* in = context;
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", in->defaults);
    if (!defaults) return false;
    snSpecCamera* camera = sn_makeElement(r, node, SN_OBJ_CAMERA, &defaults->camera, sizeof *camera);
    if (!camera || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_CAMERA), SN_IN_ELEMENT, camera) ||
        !sn_finishCamera(r, node, camera))
        return false;
    camera->frame = in->frame;
    SN_SPEC_APPEND(&in->body->cameras, camera);
    return sn_readNoChildren(r, node);
}

void sn_finishLight(snSpecLight* light)
{
    if (light->directional >= 0) light->type = light->directional ? SN_LIGHT_DIRECTIONAL : SN_LIGHT_SPOT;
    light->directional = -1;
}

static bool readLight(snReader* r, const snXmlNode* node, void* context)
{
    const Inside* in = context;
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", in->defaults);
    if (!defaults) return false;
    snSpecLight* light = sn_makeElement(r, node, SN_OBJ_LIGHT, &defaults->light, sizeof *light);
    if (!light || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_LIGHT), SN_IN_ELEMENT, light))
        return false;
    if (sn_xmlAttribute(node, "type") && light->directional >= 0)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "'directional' is an older way to write 'type', give one");
    sn_finishLight(light);
    light->frame = in->frame;
    SN_SPEC_APPEND(&in->body->lights, light);
    return sn_readNoChildren(r, node);
}

static bool readPlugin(snReader* r, const snXmlNode* node, void* context)
{
    const Inside* in = context;
    return sn_readPlugin(r, node, SN_PLUGIN_OF_WORLD, &in->body->plug);
}

static bool readBody(snReader* r, const snXmlNode* node, void* context);
static bool readFrame(snReader* r, const snXmlNode* node, void* context);

// What could not be expanded, for a mistake that is told, in it or in the settings.
static bool passOver(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    return r->mistakes && r->mistakes->count ? true : sn_mjcfLater(r, node, NULL);
}

static const snChild body_children[] = {
    {"inertial", readInertial, 1}, {"joint", readJoint, 0},   {"freejoint", readFreeJoint, 0},
    {"geom", readGeom, 0},         {"site", readSite, 0},     {"camera", readCamera, 0},
    {"light", readLight, 0},       {"body", readBody, 0},     {"frame", readFrame, 0},
    {"replicate", passOver, 0},    {"attach", passOver, 0},   {"composite", passOver, 0},
    {"flexcomp", passOver, 0},     {"plugin", readPlugin, 0},
};

static bool readBody(snReader* r, const snXmlNode* node, void* context)
{
    const Inside* outer = context;
    const snDefaults* defaults = sn_chooseDefaults(r, node, "childclass", outer->defaults);
    if (!defaults) return false;
    const snSpecBody blank = {.parent = outer->body,
                              .simple = SN_AUTO,
                              .fuse = SN_AUTO,
                              .frame = outer->frame,
                              .depth = outer->body->depth + 1,
                              .orient.quat = {1, 0, 0, 0}};
    snSpecBody* body = sn_makeElement(r, node, SN_OBJ_BODY, &blank, sizeof blank);
    if (!body || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_BODY), SN_IN_ELEMENT, body)) return false;
    SN_SPEC_APPEND(&outer->body->bodies, body);
    Inside inner = {body, NULL, defaults};
    return sn_readChildren(r, node, body_children, SN_COUNT(body_children), &inner);
}

// One number is for all three axes.
static bool readScale(snReader* r, const snXmlNode* node, snSpecFrame* frame)
{
    int count = 0;
    const char* text = sn_xmlAttribute(node, "scale");
    for (double x; text && sn_nextReal(&text, r->locale, &x) == SN_NUMBER_OK;) count++;
    if (count == 2)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "scale has 2 numbers: give one, or one for each axis");
    if (count == 1) frame->scale[1] = frame->scale[2] = frame->scale[0];
    const double* s = frame->scale;
    r->spec->scales |= s[0] != 1 || s[1] != 1 || s[2] != 1 || frame->massscale != 0;
    return true;
}

static bool readFrame(snReader* r, const snXmlNode* node, void* context)
{
    const Inside* outer = context;
    const snDefaults* defaults = sn_chooseDefaults(r, node, "childclass", outer->defaults);
    if (!defaults) return false;
    const snSpecFrame blank = {.parent = outer->frame, .orient.quat = {1, 0, 0, 0}, .scale = {1, 1, 1}};
    snSpecFrame* frame = sn_makeElement(r, node, SN_NAME_FRAME, &blank, sizeof blank);
    if (!frame || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FRAME), SN_IN_ELEMENT, frame) ||
        !readScale(r, node, frame))
        return false;
    Inside inner = {outer->body, frame, defaults};
    return sn_readChildren(r, node, body_children, SN_COUNT(body_children), &inner);
}

bool sn_readWorld(snReader* r, const snXmlNode* section, void* context)
{
    (void)context;
    if (section->nattributes > 0 &&
        !sn_mjcfFail(r, section, SN_STATUS_MODEL, "the world has no attributes, '%s' is not allowed",
                     sn_short(section->attributes[0].name).text) &&
        !sn_mjcfGoOn(r))
        return false;
    snSpecHead* head = &r->spec->world->head;
    if (!head->place.line) head->place = section->place;
    Inside world = {r->spec->world, NULL, r->main};
    return sn_readChildren(r, section, body_children, SN_COUNT(body_children), &world);
}
