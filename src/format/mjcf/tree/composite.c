// <composite type="cable">: a chain of bodies along a curve, with their joints, geoms, excluded contacts and
// the sites at its ends. What is made starts from the defaults of the language, not from default classes.
#include "format/mjcf/tree/composite.h"
#include "base/number.h"
#include "format/mjcf/tree/attach.h"
#include "format/mjcf/tree/cable.h"
#include "format/mjcf/tree/name_set.h"
#include "format/mjcf/tree/plugin.h"
#include <stdio.h>
#include <string.h>

#define MAX_PREFIX 200
enum { NAME_SIZE = MAX_PREFIX + 32 };

typedef struct Cable {
    snReader* r;
    snElement* node;
    snSpecComposite set;
    const char* prefix;
    const snElement *joint, *geom, *site, *skin; // what its parts are like; NULL: not given
    const snElement* plugin;                     // of all its bodies; NULL: none
    const char* instance;                        // of it
    snOrigin* origin; // of its parts, with the units of the model and no default classes
    float* vertex;    // [count x 3]
    int count;
} Cable;

// ---- what is given

// Attributes that a part may have; what the peer's other kinds of composite had more is passed over.
static const char joint_attributes[] =
    " axis group limited range margin solreflimit solimplimit solreffriction "
    "solimpfriction stiffness armature damping frictionloss ";
static const char joint_ignored[] = " kind type solreffix solimpfix ";
static const char geom_attributes[] =
    " type contype conaffinity condim group priority size material rgba friction "
    "mass density solmix solref solimp margin gap ";
static const char site_attributes[] = " group size material rgba ";
static const char skin_attributes[] = " texcoord material group rgba inflate subgrid ";

static bool isAmong(const char* list, const char* name)
{
    const size_t n = strlen(name);
    for (const char* at = list; (at = strchr(at, ' ')) && at[1]; at++)
        if (!strncmp(at + 1, name, n) && at[1 + n] == ' ') return true;
    return false;
}

static bool checkPart(const snReader* r, const snElement* part, const char* known, const char* ignored)
{
    for (int i = 0; i < part->nattributes; i++) {
        const char* name = part->attributes[i].name;
        if (!isAmong(known, name) && !isAmong(ignored, name))
            return sn_mjcfFail(r, part, SN_STATUS_MODEL, "unknown attribute '%s' in a composite's %s",
                               sn_short(name).text, part->tag);
    }
    return sn_readNoChildren(r, part);
}

static bool readJoint(snReader* r, const snXmlNode* node, void* context)
{
    Cable* c = context;
    const char* kind = sn_attributeText(node, "kind");
    if (!kind) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute 'kind' is missing: kind=\"main\"");
    if (strcmp(kind, "main"))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "kind=\"%s\": expected main", sn_short(kind).text);
    c->joint = node;
    return checkPart(r, node, joint_attributes, joint_ignored);
}

static bool readPlugin(snReader* r, const snXmlNode* node, void* context)
{
    (void)r;
    ((Cable*)context)->plugin = node;
    return true; // with the bodies
}

static bool readGeom(snReader* r, const snXmlNode* node, void* context)
{
    ((Cable*)context)->geom = node;
    return checkPart(r, node, geom_attributes, "");
}

static bool readSite(snReader* r, const snXmlNode* node, void* context)
{
    ((Cable*)context)->site = node;
    return checkPart(r, node, site_attributes, "");
}

static bool readSkin(snReader* r, const snXmlNode* node, void* context)
{
    ((Cable*)context)->skin = node;
    return checkPart(r, node, skin_attributes, "");
}

static bool checkType(const Cable* c)
{
    static const char* const instead[] = {"<replicate>", "<flexcomp>", "type=\"cable\"",
                                          "<flexcomp>",  NULL,         "<flexcomp>"};
    if (!instead[c->set.type]) return true;
    return sn_mjcfFail(c->r, c->node, SN_STATUS_MODEL,
                       "type=\"%s\" is no longer part of the language, use %s in its place",
                       sn_attributeText(c->node, "type"), instead[c->set.type]);
}

static bool checkGeom(const Cable* c)
{
    const char* type = c->geom ? sn_attributeText(c->geom, "type") : NULL;
    if (type && (!strcmp(type, "capsule") || !strcmp(type, "cylinder") || !strcmp(type, "box"))) return true;
    return sn_mjcfFail(c->r, c->geom ? c->geom : c->node, SN_STATUS_MODEL,
                       "a cable is made of a <geom> of type capsule, cylinder or box");
}

static bool checkCount(Cable* c)
{
    const int* count = c->set.count;
    const snReader* r = c->r;
    const bool given =
        sn_attributeText(c->node, "count") && (count[0] != 1 || count[1] != 1 || count[2] != 1);
    if (c->set.vertex.count && given)
        return sn_mjcfFail(r, c->node, SN_STATUS_MODEL, "'vertex' and 'count' exclude each other");
    if (c->set.vertex.count % 3 &&
        !sn_mjcfWarn(r, c->node, "vertex has %d numbers, three a vertex: the rest is passed over",
                     c->set.vertex.count))
        return false;
    c->set.vertex.count -= c->set.vertex.count % 3;
    c->count = c->set.vertex.count ? c->set.vertex.count / 3 : count[0];
    if (c->count < 2 || (!c->set.vertex.count && (count[1] != 1 || count[2] != 1)))
        return sn_mjcfFail(r, c->node, SN_STATUS_MODEL,
                           "a cable has two vertices at least along one line: count=\"N 1 1\"");
    if (c->count - 1 > SN_TREE_DEPTH - c->node->depth)
        return sn_mjcfFail(r, c->node, SN_STATUS_MODEL, "more than %d elements are inside each other",
                           SN_TREE_DEPTH);
    return true;
}

static bool readShapes(const Cable* c, snCableShape shape[3])
{
    static const char* const words[] = {"0", "s", "cos(s)", "sin(s)"};
    int n = 0;
    for (int k = 0; k < 3; k++) shape[k] = SN_CABLE_ZERO;
    for (const char* at = c->set.curve ? c->set.curve : ""; *(at += strspn(at, " \t\n\r")); n++) {
        const size_t length = strcspn(at, " \t\n\r");
        int word = 0;
        while (word < 4 && (strlen(words[word]) != length || strncmp(words[word], at, length) != 0)) word++;
        if (word == 4 || n == 3)
            return sn_mjcfFail(c->r, c->node, SN_STATUS_MODEL,
                               "curve=\"%s\": expected up to three words, each s, cos(s), sin(s) or 0",
                               sn_short(c->set.curve).text);
        shape[n] = (snCableShape)word;
        at += length;
    }
    return true;
}

static bool makeVertices(Cable* c)
{
    snCableShape shape[3];
    const double* size = c->set.size;
    if (!readShapes(c, shape)) return false;
    if (!c->set.vertex.count && size[0] == 0 && size[1] == 0)
        return sn_mjcfFail(c->r, c->node, SN_STATUS_MODEL, "size is zero: the length of the cable");
    c->vertex = sn_specAlloc(c->r->spec, 3 * (size_t)c->count * sizeof *c->vertex);
    if (!c->vertex) return sn_mjcfNoMemory(c->r);
    const snQuat quat = sn_quatNormalize(sn_quatLoad(c->set.quat));
    for (int i = 0; i < c->count; i++) {
        const snVec3 v = c->set.vertex.count ? sn_v3Load(c->set.vertex.values + 3 * i)
                                             : sn_quatRotate(quat, sn_cableVertex(shape, size, i, c->count));
        c->vertex[3 * i] = (float)v.x;
        c->vertex[3 * i + 1] = (float)v.y;
        c->vertex[3 * i + 2] = (float)v.z;
        if (!isfinite(c->vertex[3 * i]) || !isfinite(c->vertex[3 * i + 1]) || !isfinite(c->vertex[3 * i + 2]))
            return sn_mjcfFail(c->r, c->node, SN_STATUS_MODEL, "a coordinate of a vertex is too large");
    }
    return true;
}

// ---- what is made

static bool put(Cable* c, snElement* e, const char* name, const char* text)
{
    return sn_putAttribute(&c->r->spec->tree, e, name, text);
}

// Adding 0 makes -0 a 0, which is the same model once written.
static bool putNumbers(Cable* c, snElement* e, const char* name, const double* x, int n)
{
    double plain[7];
    char text[7 * SN_REAL_SIZE];
    for (int i = 0; i < n; i++) plain[i] = x[i] + 0.0;
    sn_printReals(text, sizeof text, plain, n);
    return put(c, e, name, text);
}

// A new element with the attributes in `names` that `like` has.
static snElement* addPart(Cable* c, snElement* parent, const char* tag, const snElement* like,
                          const char* names)
{
    snElement* e = sn_newElement(&c->r->spec->tree, tag, like ? like->place : c->node->place);
    if (!e) return NULL;
    e->origin = c->origin;
    sn_linkElement(parent, e, parent == c->node->parent ? c->node : NULL);
    for (int i = 0; like && i < like->nattributes; i++)
        if (isAmong(names, like->attributes[i].name) &&
            !put(c, e, like->attributes[i].name, like->attributes[i].value))
            return NULL;
    return e;
}

static bool isLast(const Cable* c, int i)
{
    return i == c->count - 2;
}

// PREFIX B_first, B_1, ..., B_last.
static const char* nameOf(const Cable* c, char kind, int i, char text[NAME_SIZE])
{
    if (i == 0 || isLast(c, i))
        snprintf(text, NAME_SIZE, "%s%c_%s", c->prefix, kind, i == 0 ? "first" : "last");
    else
        snprintf(text, NAME_SIZE, "%s%c_%d", c->prefix, kind, i);
    return text;
}

// The size that is given of a box; what is wrong with it shows when the geom is read.
static void boxSize(const Cable* c, double size[3])
{
    const char* at = sn_attributeText(c->geom, "size");
    for (int k = 0; k < 3; k++) size[k] = 0;
    for (int k = 0; at && k < 3; k++)
        if (sn_nextReal(&at, c->r->locale, &size[k]) != SN_NUMBER_OK) break;
}

static bool addGeom(Cable* c, snElement* body, int i, double length)
{
    char name[NAME_SIZE];
    snElement* geom = addPart(c, body, "geom", c->geom, geom_attributes);
    snprintf(name, sizeof name, "%sG%d", c->prefix, i);
    if (!geom || !put(c, geom, "name", name)) return sn_mjcfNoMemory(c->r);
    if (strcmp(sn_attributeText(c->geom, "type"), "box") != 0) {
        const double fromto[6] = {0, 0, 0, length, 0, 0};
        return putNumbers(c, geom, "fromto", fromto, 6) || sn_mjcfNoMemory(c->r);
    }
    double size[3];
    boxSize(c, size);
    const double pos[3] = {length / 2, 0, 0};
    size[0] = length / 2;
    return (putNumbers(c, geom, "pos", pos, 3) && putNumbers(c, geom, "size", size, 3)) ||
           sn_mjcfNoMemory(c->r);
}

// A ball joint; of the first body, what `initial` says. A free joint has no inertia or friction of its own.
static bool addJoint(Cable* c, snElement* body, int i)
{
    const char* initial = c->set.initial && i == 0 ? c->set.initial : "ball";
    if (!strcmp(initial, "none")) return true;
    const bool is_free = !strcmp(initial, "free");
    char name[NAME_SIZE];
    snElement* joint = addPart(c, body, "joint", c->joint, joint_attributes);
    bool done = joint && put(c, joint, "name", nameOf(c, 'J', i, name)) &&
                put(c, joint, "type", is_free ? "free" : "ball");
    if (done && !sn_attributeText(joint, "group")) done = put(c, joint, "group", "3");
    if (done && is_free)
        done = put(c, joint, "damping", NULL) && put(c, joint, "armature", NULL) &&
               put(c, joint, "frictionloss", NULL);
    return done || sn_mjcfNoMemory(c->r);
}

static bool addSite(Cable* c, snElement* body, int i, double length)
{
    if (i != 0 && !isLast(c, i)) return true;
    const double pos[3] = {isLast(c, i) ? length : 0, 0, 0};
    char name[NAME_SIZE];
    snElement* site = addPart(c, body, "site", c->site, site_attributes);
    bool done = site && put(c, site, "name", nameOf(c, 'S', i, name)) && putNumbers(c, site, "pos", pos, 3);
    if (done && !sn_attributeText(site, "group")) done = put(c, site, "group", "3");
    return done || sn_mjcfNoMemory(c->r);
}

// Neighbours do not collide.
static bool addExclude(Cable* c, int i)
{
    char body1[NAME_SIZE], body2[NAME_SIZE];
    if (isLast(c, i)) return true;
    snElement* section = sn_lastSection(c->r->spec, "contact");
    snElement* exclude = section ? addPart(c, section, "exclude", NULL, "") : NULL;
    return (exclude && put(c, exclude, "body1", nameOf(c, 'B', i, body1)) &&
            put(c, exclude, "body2", nameOf(c, 'B', i + 1, body2))) ||
           sn_mjcfNoMemory(c->r);
}

static bool addText(Cable* c)
{
    char name[NAME_SIZE], data[NAME_SIZE];
    snprintf(name, sizeof name, "composite_%s", c->prefix);
    snprintf(data, sizeof data, "rope_%s", c->prefix);
    snElement* section = sn_lastSection(c->r->spec, "custom");
    snElement* text = section ? addPart(c, section, "text", NULL, "") : NULL;
    return (text && put(c, text, "name", name) && put(c, text, "data", data)) || sn_mjcfNoMemory(c->r);
}

static bool addBodies(Cable* c)
{
    snElement* parent = c->node->parent;
    const snVec3 first = sn_v3((double)c->vertex[0], (double)c->vertex[1], (double)c->vertex[2]);
    snVec3 normal = {0, 1, 0}, pos = sn_v3Add(sn_v3Load(c->set.offset), first);
    snQuat before = sn_quatIdentity();
    for (int i = 0; i < c->count - 1; i++) {
        char name[NAME_SIZE];
        snQuat frame;
        const double length = sn_cableEdge(c->vertex, i, c->count, &normal, &frame);
        const snQuat turn = i ? sn_quatMul(sn_quatConj(before), frame) : frame;
        double quat[4], place[3];
        sn_quatStore(quat, turn);
        sn_v3Store(place, pos);
        snElement* body = addPart(c, parent, "body", NULL, "");
        if (!body || !put(c, body, "name", nameOf(c, 'B', i, name)) ||
            !putNumbers(c, body, "pos", place, 3) || !putNumbers(c, body, "quat", quat, 4))
            return sn_mjcfNoMemory(c->r);
        if (!addJoint(c, body, i) || !addGeom(c, body, i, length) || !addSite(c, body, i, length) ||
            !addExclude(c, i))
            return false;
        if (c->instance && !sn_givePlugin(c->r->spec, body, c->plugin, c->instance))
            return sn_mjcfNoMemory(c->r);
        parent = body;
        before = frame;
        pos = sn_v3(length, 0, 0);
    }
    return true;
}

// ---- the skin of a cable of boxes

// A list of numbers as text; size is enough for what is appended.
typedef struct List {
    char* text;
    size_t used, size;
} List;

static bool makeList(Cable* c, List* list, size_t numbers)
{
    *list = (List){sn_specAlloc(c->r->spec, 12 * numbers + 1), 0, 12 * numbers + 1};
    return list->text != NULL;
}

static void append(List* list, const int* x, int n)
{
    for (int i = 0; i < n && list->used < list->size; i++)
        list->used += (size_t)snprintf(list->text + list->used, list->size - list->used, "%d ", x[i]);
}

// Two triangles over the corners a b c d in order.
static void appendSquare(List* list, int a, int b, int c, int d)
{
    append(list, (const int[]){a, b, c, a, c, d}, 6);
}

// Vertices 2 i and 2 i + 1 stand above the left and right edge of vertex i, those of the lower side 2 n
// later.
static void appendFaces(List* list, int n)
{
    const int below = 2 * n, last = 2 * (n - 1);
    for (int a = 0; a < last; a += 2) appendSquare(list, a, a + 2, a + 3, a + 1);
    for (int b = below; b < below + last; b += 2)
        append(list, (const int[]){b, b + 3, b + 2, b, b + 1, b + 3}, 6);
    for (int a = 0; a < last; a += 2)
        append(list, (const int[]){a, a + below + 2, a + 2, a, a + below, a + below + 2}, 6);
    for (int a = 1; a < last; a += 2) appendSquare(list, a, a + 2, a + below + 2, a + below);
    appendSquare(list, 0, 1, below + 1, below);
    append(list, (const int[]){last, below + last + 1, last + 1, last, below + last, below + last + 1}, 6);
}

static bool addBones(Cable* c, snElement* skin, const double size[3])
{
    const double bindquat[4] = {1, 0, 0, 0};
    for (int i = 0; i < c->count; i++) {
        const int body = i < c->count - 1 ? i : i - 1;
        for (int side = 0; side < 2; side++) {
            // the end of the last body is where a body of the given size would have it, as with the peer
            const double bindpos[3] = {i == body ? 0 : -2 * size[0], side ? size[1] : -size[1], 0};
            char name[NAME_SIZE], id[64];
            snElement* bone = addPart(c, skin, "bone", NULL, "");
            snprintf(id, sizeof id, "%d %d", 2 * i + side, 2 * (i + c->count) + side);
            if (!bone || !put(c, bone, "body", nameOf(c, 'B', body, name)) ||
                !putNumbers(c, bone, "bindpos", bindpos, 3) ||
                !putNumbers(c, bone, "bindquat", bindquat, 4) || !put(c, bone, "vertid", id) ||
                !put(c, bone, "vertweight", "1 1"))
                return false;
        }
    }
    return true;
}

// Texture coordinates: along the cable and across it, the same on both sides.
static bool putTexcoord(Cable* c, snElement* skin)
{
    const size_t size = 4 * (size_t)c->count * 32;
    char* text = sn_specAlloc(c->r->spec, size);
    if (!text) return false;
    size_t used = 0;
    for (int v = 0; v < 4 * c->count; v++) {
        const double at[2] = {(double)(v / 2 % c->count) / (c->count - 1), v % 2};
        used += sn_printReals(text + used, size - used, at, 2);
        text[used++] = ' ';
    }
    text[used] = 0;
    return put(c, skin, "texcoord", text);
}

static bool addSkin(Cable* c)
{
    static const int zero[3] = {0, 0, 0};
    const char *subgrid = c->skin ? sn_attributeText(c->skin, "subgrid") : NULL, *texcoord = NULL;
    char name[NAME_SIZE];
    double size[3];
    List vertex, face;
    if (strcmp(sn_attributeText(c->geom, "type"), "box") != 0) return true;
    if (subgrid && strspn(subgrid, "0 ") != strlen(subgrid)) return sn_mjcfLater(c->r, c->skin, "subgrid");
    boxSize(c, size);
    snElement* section = sn_lastSection(c->r->spec, "asset");
    snElement* skin = section ? addPart(c, section, "skin", c->skin, " material group rgba ") : NULL;
    if (!skin || !makeList(c, &vertex, 12 * (size_t)c->count) || !makeList(c, &face, 24 * (size_t)c->count))
        return sn_mjcfNoMemory(c->r);
    for (int v = 0; v < 4 * c->count; v++) append(&vertex, zero, 3);
    appendFaces(&face, c->count);
    snprintf(name, sizeof name, "%sSkin", c->prefix);
    const double inflate = 2 * size[2];
    bool done = put(c, skin, "name", name) && put(c, skin, "vertex", vertex.text) &&
                put(c, skin, "face", face.text) && putNumbers(c, skin, "inflate", &inflate, 1) &&
                addBones(c, skin, size);
    if (done && !sn_attributeText(skin, "rgba")) done = put(c, skin, "rgba", "1 1 1 1");
    if (c->skin) texcoord = sn_attributeText(c->skin, "texcoord");
    if (done && texcoord && !strcmp(texcoord, "true")) done = putTexcoord(c, skin);
    return done || sn_mjcfNoMemory(c->r);
}

// The parts have the units of the model that the composite stands in.
static bool makeOrigin(Cable* c)
{
    snSpec* spec = c->r->spec;
    const snOrigin* from = c->node->origin;
    const snElement* settings = from ? from->settings : spec->root;
    c->origin = sn_addOrigin(spec, from ? from->file : spec->file, from ? from->folder : spec->folder);
    if (!c->origin) return sn_mjcfNoMemory(c->r);
    for (const snElement* e = settings->first; e; e = e->next) {
        if (strcmp(e->tag, "compiler") != 0) continue;
        snElement* copy = sn_copyElement(&spec->tree, e);
        if (!copy) return sn_mjcfNoMemory(c->r);
        sn_linkElement(c->origin->settings, copy, NULL);
        for (snElement* part = copy; part; part = sn_nextInTree(copy, part)) part->origin = c->origin;
    }
    return true;
}

static bool shareInstance(Cable* c)
{
    char name[sizeof "composite" + MAX_PREFIX];
    snprintf(name, sizeof name, "composite%s", c->prefix);
    return !c->plugin || sn_shareInstance(c->r, c->plugin, name, &c->instance);
}

bool sn_expandComposite(snReader* r, snElement* node)
{
    static const snChild children[] = {{"joint", readJoint, 1},
                                       {"geom", readGeom, 1},
                                       {"site", readSite, 1},
                                       {"skin", readSkin, 1},
                                       {"plugin", readPlugin, 1}};
    Cable c = {.r = r, .node = node, .set = {.count = {1, 1, 1}, .quat = {1, 0, 0, 0}, .size = {1, 0, 0}}};
    if (!sn_mjcfOutdated(r, node, "write the bodies, as `sinew convert` does") ||
        !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_COMPOSITE), SN_IN_ELEMENT, &c.set))
        return false;
    c.prefix = c.set.prefix ? c.set.prefix : "";
    if (strlen(c.prefix) > MAX_PREFIX)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "prefix is longer than %d letters", MAX_PREFIX);
    if (!checkType(&c) || !sn_readChildren(r, node, children, SN_COUNT(children), &c)) return false;
    if (!checkGeom(&c) || !checkCount(&c) || !makeVertices(&c) || !makeOrigin(&c) || !shareInstance(&c))
        return false;
    if (!addText(&c) || !addBodies(&c) || !addSkin(&c)) return false;
    sn_unlinkElement(node);
    return true;
}
