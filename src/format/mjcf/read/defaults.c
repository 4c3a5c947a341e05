// Default classes. A class starts as a copy of its parent; what stands in it directly is read before the
// classes in it.
#include "format/mjcf/read/initial.h"
#include "format/mjcf/read/reader.h"
#include "format/mjcf/tree/inherit.h"
#include "model/rules.h"
#include <string.h>

static const snDefaults first_defaults = {
    .joint = {.align = SN_AUTO, SN_SPEC_JOINT(SN_INITIAL)},
    .geom = {SN_SPEC_GEOM(SN_INITIAL)},
    .site = {SN_SPEC_SITE(SN_INITIAL)},
    .camera = {.outputs = SN_CAMOUT_RGB, SN_SPEC_CAMERA(SN_INITIAL)},
    .light = {SN_SPEC_LIGHT(SN_INITIAL)},
    .texture = {SN_SPEC_TEXTURE(SN_INITIAL)},
    .material = {SN_SPEC_MATERIAL(SN_INITIAL)},
    .mesh = {SN_SPEC_MESH(SN_INITIAL)},
    .pair = {SN_SPEC_PAIR(SN_INITIAL)},
    .tendon = {SN_SPEC_TENDON(SN_INITIAL) SN_SPEC_TENDON_SPATIAL(SN_INITIAL)},
    .equality = {SN_SPEC_EQUALITY_ALL(SN_INITIAL)},
    .actuator = {SN_SPEC_ACTUATOR_ALL(SN_INITIAL)},
    .actuator_written = SN_MJCF_GENERAL,
};

const snSpecActuator* sn_defaultActuator(void)
{
    return &first_defaults.actuator;
}

const snSpecTendon* sn_defaultTendon(void)
{
    return &first_defaults.tendon;
}

static bool readRecord(snReader* r, const snXmlNode* node, snMjcfId id, void* record)
{
    return sn_readAttributes(r, node, sn_mjcfElement(id), SN_IN_DEFAULT, record) &&
           sn_readNoChildren(r, node);
}

static bool readJoint(snReader* r, const snXmlNode* node, void* context)
{
    return readRecord(r, node, SN_MJCF_JOINT, &((snDefaults*)context)->joint);
}

static bool readGeom(snReader* r, const snXmlNode* node, void* context)
{
    return readRecord(r, node, SN_MJCF_GEOM, &((snDefaults*)context)->geom);
}

static bool readSite(snReader* r, const snXmlNode* node, void* context)
{
    return readRecord(r, node, SN_MJCF_SITE, &((snDefaults*)context)->site);
}

static bool readCamera(snReader* r, const snXmlNode* node, void* context)
{
    snSpecCamera* camera = &((snDefaults*)context)->camera;
    return readRecord(r, node, SN_MJCF_CAMERA, camera) && sn_finishCamera(r, node, camera);
}

static bool readLight(snReader* r, const snXmlNode* node, void* context)
{
    snSpecLight* light = &((snDefaults*)context)->light;
    if (!readRecord(r, node, SN_MJCF_LIGHT, light)) return false;
    sn_finishLight(light);
    return true;
}

static bool readTexture(snReader* r, const snXmlNode* node, void* context)
{
    return readRecord(r, node, SN_MJCF_TEXTURE, &((snDefaults*)context)->texture);
}

static bool readMaterial(snReader* r, const snXmlNode* node, void* context)
{
    snSpecMaterial* material = &((snDefaults*)context)->material;
    return sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_MATERIAL), SN_IN_DEFAULT, material) &&
           sn_finishMaterial(r, node, material);
}

static bool readMesh(snReader* r, const snXmlNode* node, void* context)
{
    return readRecord(r, node, SN_MJCF_MESH, &((snDefaults*)context)->mesh);
}

static bool readPair(snReader* r, const snXmlNode* node, void* context)
{
    return readRecord(r, node, SN_MJCF_PAIR, &((snDefaults*)context)->pair);
}

static bool readTendon(snReader* r, const snXmlNode* node, void* context)
{
    snSpecTendon* tendon = &((snDefaults*)context)->tendon;
    return sn_readTendonValues(r, node, SN_MJCF_TENDON_DEFAULT, SN_IN_DEFAULT, tendon) &&
           sn_readNoChildren(r, node);
}

static bool readEquality(snReader* r, const snXmlNode* node, void* context)
{
    return readRecord(r, node, SN_MJCF_EQUALITY_DEFAULT, &((snDefaults*)context)->equality);
}

static bool readActuator(snReader* r, const snXmlNode* node, void* context)
{
    snDefaults* class = context;
    if (!sn_readActuatorValues(r, node, SN_IN_DEFAULT, class, &class->actuator)) return false;
    class->actuator_written = sn_actuatorWritten(node);
    return sn_readNoChildren(r, node);
}

static bool passOver(snReader* r, const snXmlNode* node, void* context)
{
    (void)r, (void)node, (void)context;
    return true;
}

static const snChild default_children[] = {
    {"default", passOver, 0},
    {"joint", readJoint, 1},
    {"geom", readGeom, 1},
    {"site", readSite, 1},
    {"camera", readCamera, 1},
    {"light", readLight, 1},
    {"texture", readTexture, 1},
    {"material", readMaterial, 1},
    {"pair", readPair, 1},
    {"general", readActuator, 1},
    {"motor", readActuator, 1},
    {"position", readActuator, 1},
    {"velocity", readActuator, 1},
    {"mesh", readMesh, 1},
    {"equality", readEquality, 1},
    {"tendon", readTendon, 1},
    {"intvelocity", readActuator, 1},
    {"damper", readActuator, 1},
    {"cylinder", readActuator, 1},
    {"muscle", readActuator, 1},
    {"adhesion", readActuator, 1},
    {"pid", readActuator, 1},
    {"dcmotor", readActuator, 1},
    {"orientation", readActuator, 1},
};

static snObjType classKind(const snOrigin* origin)
{
    return (snObjType)((int)SN_NAME_DEFAULT + (origin ? origin->index : 0));
}

static snDefaults* makeClass(snReader* r, const snXmlNode* node, const char* name, const snDefaults* parent,
                             const snOrigin* origin)
{
    snDefaults* class = sn_specAlloc(r->spec, sizeof *class);
    if (!class) {
        sn_mjcfNoMemory(r);
        return NULL;
    }
    *class = *parent;
    class->head = (snSpecHead){.tag = "default", .name = name, .place = node->place, .id = -1};
    class->origin = origin;
    class->outer = parent == &first_defaults ? NULL : parent;
    return sn_enterName(r, node, classKind(origin), &class->head) ? class : NULL;
}

static bool readClass(snReader* r, const snXmlNode* node, snDefaults* parent, snDefaults* main)
{
    const char* name = NULL;
    for (int i = 0; i < node->nattributes; i++) {
        if (!strcmp(node->attributes[i].name, "class"))
            name = node->attributes[i].value;
        else if (!sn_mjcfFail(r, node, SN_STATUS_MODEL, "unknown attribute '%s', only 'class' is allowed",
                              sn_short(node->attributes[i].name).text) &&
                 !sn_mjcfGoOn(r))
            return false;
    }
    snDefaults* class = main;
    if (parent) {
        if (!name || !*name) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute 'class' is missing");
        class = makeClass(r, node, name, parent, parent->origin);
        if (!class) return false;
    } else if (name && *name && strcmp(name, "main") && !main->origin) {
        sn_mjcfFail(r, node, SN_STATUS_MODEL,
                    "the outermost default is 'main', it cannot be '%s'; put a <default> around it",
                    sn_short(name).text);
        if (!sn_mjcfGoOn(r)) return false;
    }
    if (!sn_readChildren(r, node, default_children, SN_COUNT(default_children), class)) return false;
    for (const snXmlNode* child = node->first; child; child = child->next)
        if (!strcmp(child->tag, "default") && !readClass(r, child, class, main) && !sn_mjcfGoOn(r))
            return false;
    return true;
}

bool sn_readDefaults(snReader* r, const snXmlNode* root, const snOrigin* origin, snDefaults** main)
{
    const snXmlNode here = {.place = {root->place.file, 0}};
    *main = makeClass(r, &here, "main", &first_defaults, origin);
    if (!*main) return false;
    if (sn_means(r->spec->physics, SN_RULE_TENDON_LIMITS)) (*main)->tendon.actfrclimited = SN_AUTO;
    for (const snXmlNode* node = root->first; node; node = node->next)
        if (!strcmp(node->tag, "default") && !readClass(r, node, NULL, *main) && !sn_mjcfGoOn(r))
            return false;
    return true;
}

static const snDefaults* mainOf(const snReader* r, const snOrigin* origin)
{
    return origin ? ((const snOriginSettings*)origin->read)->main : r->main;
}

// What comes from elsewhere starts from its own main class, not from that of what it was attached to. What
// was added to it since has its classes, but not its main one.
static const snDefaults* inheritedClass(const snReader* r, const snXmlNode* node, const snDefaults* inherited)
{
    const bool added = !node->origin && inherited != mainOf(r, inherited->origin);
    return added || inherited->origin == node->origin ? inherited : mainOf(r, node->origin);
}

static bool unknownClass(const snReader* r, const snXmlNode* node, const char* attribute, const char* name)
{
    snGuess guess = {name, NULL, 0};
    const snElement* root = node->origin ? node->origin->settings : r->spec->root;
    int left = 1000; // elements to look at, so that no text makes many mistakes dear
    for (const snElement* section = root->first; section && left-- > 0; section = section->next)
        for (const snElement* e = section; e && left > 0 && !strcmp(section->tag, "default");
             e = sn_nextInTree(section, e), left--)
            if (!strcmp(e->tag, "default"))
                sn_guess(&guess, sn_xmlAttribute(e, "class") ? sn_xmlAttribute(e, "class") : "main");
    if (guess.best)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "%s=\"%s\": there is no such default class, did you mean \"%s\"?", attribute,
                           sn_short(name).text, sn_short(guess.best).text);
    return sn_mjcfFail(r, node, SN_STATUS_MODEL, "%s=\"%s\": there is no such default class", attribute,
                       sn_short(name).text);
}

// A class by name; NULL: there is none.
static const snDefaults* findClass(const snReader* r, const snXmlNode* node, const char* name)
{
    const snSpecHead* own = sn_findSpec(r->spec, classKind(node->origin), name);
    if (own) return (const snDefaults*)own;
    const snElement* other = sn_findClass(r->spec, node->origin, name);
    if (!other) return NULL;
    if (strcmp(other->parent->tag, "default")) return mainOf(r, other->origin);
    return (const snDefaults*)sn_findSpec(r->spec, classKind(other->origin), name);
}

const snDefaults* sn_chooseDefaults(const snReader* r, const snXmlNode* node, const char* attribute,
                                    const snDefaults* inherited)
{
    const char* name = sn_xmlAttribute(node, attribute);
    if (!name) return inheritedClass(r, node, inherited);
    const snDefaults* class = findClass(r, node, name);
    if (class) return class;
    unknownClass(r, node, attribute, name);
    return sn_mjcfGoOnHere(r) ? inheritedClass(r, node, inherited) : NULL;
}
