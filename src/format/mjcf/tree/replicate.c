// <replicate>: copies of a subtree, each displaced against the one before, with what refers to it.
#include "base/number.h"
#include "format/mjcf/tree/replicate.h"
#include "format/mjcf/tree/name_set.h"
#include "math/orient.h"
#include <string.h>

#define MAX_ELEMENTS (1 << 21) // that copies may add to a model; nested counts multiply
#define SUFFIX_SIZE 128

// Attributes of a replicate.
static bool readSettings(snReader* r, const snElement* node, snSpecReplicate* settings)
{
    *settings = (snSpecReplicate){.sep = NULL};
    if (!sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_REPLICATE), SN_IN_ELEMENT, settings)) return false;
    if (settings->count < 0 && !sn_mjcfWarn(r, node, "count is %d, must not be negative", settings->count))
        return false;
    if (settings->count < 0) settings->count = 0;
    if (settings->sep && strlen(settings->sep) > SUFFIX_SIZE - 16)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "sep is longer than %d letters", SUFFIX_SIZE - 16);
    int64_t size = 1;
    for (const snElement* e = node; (e = sn_nextInTree(node, e));) size++;
    r->spec->ncopied += size * settings->count;
    if (r->spec->ncopied > MAX_ELEMENTS)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "more than %d elements by replication", MAX_ELEMENTS);
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
static void suffixOf(char text[SUFFIX_SIZE], const snSpecReplicate* s, int i)
{
    size_t n = s->sep ? strlen(s->sep) : 0;
    if (n) memcpy(text, s->sep, n);
    for (int count = s->count; count > 0; count /= 10) n++;
    text[n] = 0;
    for (int count = s->count; count > 0; count /= 10, i /= 10) text[--n] = (char)('0' + i % 10);
}

// Elements of a section that refer to what is replicated go, a set of copies for each replica comes.
static bool copyReferrers(snSpec* spec, const char* tag, const snSpecReplicate* s, snNameSet* names)
{
    snElement gathered = {.tag = tag, .depth = 2}; // a section out of the tree
    gathered.parent = spec->root;
    for (snElement* section = spec->root->first; section; section = section->next) {
        if (strcmp(section->tag, tag)) continue;
        for (snElement *e = section->first, *next; e; e = next) {
            next = e->next;
            int inside, outside;
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
        char suffix[SUFFIX_SIZE];
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
    static const char* const sections[] = {"tendon", "contact", "equality", "actuator", "sensor"};
    snSpec* spec = r->spec;
    snSpecReplicate settings;
    if (!readSettings(r, node, &settings)) return false;
    snNameSet names = {NULL, 0, 0};
    bool done = sn_addTreeNames(&names, node);
    snPose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    for (int i = 0; done && i < settings.count; i++) {
        char suffix[SUFFIX_SIZE];
        suffixOf(suffix, &settings, i);
        if (i) pose = nextPose(r, &settings, pose, i);
        snElement* frame = copyChildren(spec, node);
        if (frame && i) sn_dropKeyNumbers(frame, 0, 0); // keyframes are about the first copy
        done = frame && setPose(spec, frame, pose) && sn_decorate(&spec->tree, frame, &names, "", suffix);
    }
    sn_unlinkElement(node);
    for (int i = 0; done && i < SN_COUNT(sections); i++)
        done = copyReferrers(spec, sections[i], &settings, &names);
    sn_freeNames(&names);
    return done || sn_mjcfNoMemory(r);
}
