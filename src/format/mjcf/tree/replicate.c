// <replicate>: copies of a subtree, each displaced against the one before, with what refers to it.
#include "base/number.h"
#include "format/mjcf/language/field.h"
#include "format/mjcf/tree/replicate.h"
#include "format/mjcf/tree/name_set.h"
#include "math/orient.h"
#include <limits.h>
#include <string.h>

#define MAX_ELEMENTS (1 << 21) // that copies may add to a model; nested counts multiply
#define LONG_SEPARATOR 128     // letters whose copies take as much memory as an element
#define DIGITS 16              // of a count, with the closing 0

// Attributes of a replicate.
static bool readSettings(snReader* r, const snElement* node, snSpecReplicate* settings)
{
    *settings = (snSpecReplicate){.sep = NULL};
    if (!sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_REPLICATE), SN_IN_ELEMENT, settings)) return false;
    if (settings->count < 0 && !sn_mjcfWarn(r, node, "count is %d, must not be negative", settings->count))
        return false;
    if (settings->count < 0) settings->count = 0;
    int64_t size = 1;
    for (const snElement* e = node; (e = sn_nextInTree(node, e));) size++;
    const size_t letters = settings->sep ? strlen(settings->sep) : 0;
    const int64_t weight = 1 + (int64_t)(letters < INT_MAX ? letters : INT_MAX) / LONG_SEPARATOR;
    if (size * settings->count > (MAX_ELEMENTS - r->spec->ncopied) / weight)
        return sn_mjcfFail(
            r, node, SN_STATUS_MODEL,
            "more than %d elements by replication (a sep of %d letters or more counts as more)", MAX_ELEMENTS,
            LONG_SEPARATOR);
    r->spec->ncopied += size * settings->count * weight;
    return true;
}

// The frame of copy i: turned i times, displaced by the offset in the frame before it.
static snPose nextPose(const snReader* r, const snSpecReplicate* s, snPose before, int i)
{
    const double unit = r->spec->compiler.degree ? SN_PI / 180 : 1;
    const snVec3 turned = sn_quatRotate(before.quat, sn_v3Load(s->offset));
    const double angles[3] = {i * s->euler[0] * unit, i * s->euler[1] * unit, i * s->euler[2] * unit};
    return (snPose){sn_v3Add(before.pos, turned), sn_orientEuler(angles, r->spec->compiler.eulerseq)};
}

static bool setPose(snSpec* spec, snElement* frame, snPose pose)
{
    char text[4 * SN_REAL_SIZE];
    double pos[3], quat[4];
    sn_v3Store(pos, pose.pos);
    sn_quatStore(quat, pose.quat);
    sn_printReals(text, sizeof text, pos, 3);
    if (!sn_putAttribute(&spec->tree, frame, "pos", text)) return false;
    sn_printReals(text, sizeof text, quat, 4);
    return sn_putAttribute(&spec->tree, frame, "quat", text);
}

// A frame in front of the replicate with copies of its children.
static snElement* copyChildren(snSpec* spec, snElement* node)
{
    snElement* frame = sn_newElement(&spec->tree, "frame", node->place);
    const char* class = sn_attributeText(node, "childclass");
    if (!frame || (class && !sn_putAttribute(&spec->tree, frame, "childclass", class))) return NULL;
    frame->origin = node->origin;
    sn_linkElement(node->parent, frame, node);
    for (const snElement* child = node->first; child; child = child->next) {
        snElement* copy = sn_copyElement(&spec->tree, child);
        if (!copy) return NULL;
        sn_linkElement(frame, copy, NULL);
    }
    return frame;
}

// The separator and the number of the copy, with as many digits as the count.
static void suffixOf(char* text, const snSpecReplicate* s, int i)
{
    size_t n = s->sep ? strlen(s->sep) : 0;
    if (n) memcpy(text, s->sep, n);
    for (int count = s->count; count > 0; count /= 10) n++;
    text[n] = 0;
    for (int count = s->count; count > 0; count /= 10, i /= 10) text[--n] = (char)('0' + i % 10);
}

// Elements of a section that refer to what is replicated go, a set of copies for each replica comes.
static bool copyReferrers(snSpec* spec, const char* tag, const snSpecReplicate* s, char* suffix,
                          snNameSet* names)
{
    snElement gathered = {.tag = tag, .depth = 2}; // a section out of the tree
    gathered.parent = spec->root;
    for (snElement* section = spec->root->first; section; section = section->next) {
        if (strcmp(section->tag, tag)) continue;
        for (snElement *e = section->first, *next; e; e = next) {
            next = e->next;
            int inside, outside;
            snFieldName held[SN_FIELD_NAMES];
            if (!strcmp(tag, "custom") && !sn_fieldNames(e, held)) continue;
            if (!strcmp(e->tag, "skin")) continue; // whose bones may name copies
            sn_countReferences(e, names, &inside, &outside);
            if (!inside) continue;
            if (!sn_addTreeNames(names, e)) return false;
            sn_unlinkElement(e);
            sn_linkElement(&gathered, e, NULL);
        }
    }
    snElement* section = gathered.first ? sn_lastSection(spec, tag) : NULL;
    if (gathered.first && !section) return false;
    for (int i = 0; i < s->count; i++) {
        suffixOf(suffix, s, i);
        for (const snElement* e = gathered.first; e; e = e->next) {
            snElement* copy = sn_copyElement(&spec->tree, e);
            if (!copy) return false;
            sn_linkElement(section, copy, NULL);
            if (i) sn_dropKeyNumbers(copy, 0, 0);
            if (!sn_decorate(&spec->tree, copy, names, "", suffix)) return false;
        }
    }
    return true;
}

bool sn_expandReplicate(snReader* r, snElement* node)
{
    static const char* const sections[] = {"deformable", "tendon", "contact", "equality",
                                           "actuator",   "custom", "sensor"};
    snSpec* spec = r->spec;
    snSpecReplicate settings;
    if (!readSettings(r, node, &settings)) return false;
    snNameSet names = {NULL, 0, 0};
    char* suffix = sn_specAlloc(spec, (settings.sep ? strlen(settings.sep) : 0) + DIGITS);
    bool done = suffix && sn_addTreeNames(&names, node);
    snPose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    for (int i = 0; done && i < settings.count; i++) {
        suffixOf(suffix, &settings, i);
        if (i) pose = nextPose(r, &settings, pose, i);
        snElement* frame = copyChildren(spec, node);
        if (frame && i) sn_dropKeyNumbers(frame, 0, 0); // keyframes are about the first copy
        done = frame && setPose(spec, frame, pose) && sn_decorate(&spec->tree, frame, &names, "", suffix);
    }
    sn_unlinkElement(node);
    for (int i = 0; done && i < SN_COUNT(sections); i++)
        done = copyReferrers(spec, sections[i], &settings, suffix, &names);
    sn_freeNames(&names);
    return done || sn_mjcfNoMemory(r);
}
