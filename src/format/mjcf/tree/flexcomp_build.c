// The tree that a flexcomp stands for: a body for each point that moves, the flex, and the equality of its
// edges. There may be a million bodies: what they have in common they share.
#include "base/number.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/tree/flexcomp_points.h"
#include "format/mjcf/tree/name_set.h"
#include "format/mjcf/tree/plugin.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ATTRIBUTES = 16 };

static void* room(const snFlexcomp* f, size_t size)
{
    return sn_poolAlloc(&f->r->spec->tree, size);
}

// Text with numbers, 0 for -0, which is the same model once written; NULL: out of memory.
static const char* numbers(const snFlexcomp* f, const double* x, int n)
{
    double plain[5];
    char text[5 * SN_REAL_SIZE];
    for (int i = 0; i < n; i++) plain[i] = x[i] + 0.0;
    const size_t length = sn_printReals(text, sizeof text, plain, n);
    return sn_poolText(&f->r->spec->tree, text, length);
}

// ---- where

static bool mayHoldBodies(const snElement* e)
{
    static const char* const tags[] = {"body", "frame", "replicate", "attach", "composite", "flexcomp"};
    for (int i = 0; i < SN_COUNT(tags); i++)
        if (!strcmp(e->tag, tags[i])) return true;
    return false;
}

// Moves what stands behind an element of a frame into a second frame like it, so that bodies between the two
// keep their order.
static bool splitFrame(snFlexcomp* f, snElement* frame, snElement* last)
{
    bool bodies = false;
    for (const snElement* e = last->next; e; e = e->next) bodies |= mayHoldBodies(e);
    if (!bodies) return true;
    snElement* rest = sn_newElement(&f->r->spec->tree, frame->tag, frame->place);
    if (!rest) return sn_mjcfNoMemory(f->r);
    rest->origin = frame->origin;
    for (int i = 0; i < frame->nattributes; i++) {
        const snAttributeText* a = &frame->attributes[i];
        if (strcmp(a->name, "name") != 0 && !sn_putAttribute(&f->r->spec->tree, rest, a->name, a->value))
            return sn_mjcfNoMemory(f->r);
    }
    sn_linkElement(frame->parent, rest, frame->next);
    for (snElement* e; (e = last->next);) {
        sn_unlinkElement(e);
        sn_linkElement(rest, e, NULL);
    }
    return true;
}

// The element that the bodies stand behind: the flexcomp, or the outermost frame around it. Poses and scales
// of frames are not theirs: the points have the former, the peer leaves out the latter.
static snElement* leaveFrames(snFlexcomp* f)
{
    snElement* at = f->node;
    for (; !strcmp(at->parent->tag, "frame"); at = at->parent)
        if (!splitFrame(f, at->parent, at)) return NULL;
    return at;
}

// ---- bodies

typedef struct Bodies {
    snFlexcomp* f;
    snElement *parent, *before;
    snAttributeText inertial[3], joint[3][2]; // lent to all bodies, or copied
    snAttributeText *all_inertial, *all_joint[3];
    int njoint;
} Bodies;

static bool share(Bodies* b, const snAttributeText* texts, int n, snAttributeText** shared)
{
    *shared = room(b->f, (size_t)n * sizeof **shared);
    if (*shared) memcpy(*shared, texts, (size_t)n * sizeof **shared);
    return *shared != NULL;
}

static bool shareTexts(Bodies* b)
{
    static const char* const axes[] = {"1 0 0", "0 1 0", "0 0 1"};
    const snSpecFlexcomp* set = &b->f->set;
    const double mass = set->mass / b->f->npoint;
    const double moment = mass * (2 * set->inertiabox * set->inertiabox) / 3;
    const char *mass_text = numbers(b->f, &mass, 1),
               *moments = numbers(b->f, (const double[]){moment, moment, moment}, 3);
    if (!mass_text || !moments) return false;
    const snAttributeText inertial[3] = {{"pos", "0 0 0"}, {"mass", mass_text}, {"diaginertia", moments}};
    if (!share(b, inertial, 3, &b->all_inertial)) return false;
    b->njoint = set->dof == SN_FLEXDOF_RADIAL ? 1 : set->dof == SN_FLEXDOF_PLANAR ? 2 : 3;
    for (int k = 0; k < 3; k++) {
        const snAttributeText joint[2] = {{"type", "slide"}, {"axis", axes[k]}};
        if (!share(b, joint, 2, &b->all_joint[k])) return false;
    }
    return true;
}

// A child of one of the bodies, or one of them; NULL: out of memory.
static snElement* addElement(Bodies* b, snElement* parent, const char* tag, snAttributeText* texts, int n)
{
    snElement* e = texts ? sn_newKnownElement(&b->f->r->spec->tree, tag, b->f->node->place) : NULL;
    if (!e) return NULL;
    e->origin = b->f->node->origin;
    sn_lendAttributes(e, texts, n);
    sn_linkElement(parent, e, parent == b->parent ? b->before : NULL);
    return e;
}

// The axis of a point that moves towards the origin of the body around it, or away.
static bool addRadialJoint(Bodies* b, snElement* body, int i)
{
    const snVec3 p = sn_v3Load(b->f->point + 3 * (size_t)i);
    const double length = sn_v3Norm(p);
    if (!(length > SN_MINVAL))
        return sn_mjcfFail(
            b->f->r, b->f->node, SN_STATUS_MODEL,
            "point %d is the origin of the body around it, from which it should move away: give "
            "'pos'",
            i);
    double axis[3];
    sn_v3Store(axis, sn_v3Scale(p, 1 / length));
    const char* text = numbers(b->f, axis, 3);
    const snAttributeText joint[2] = {{"type", "slide"}, {"axis", text}};
    snAttributeText* own = NULL;
    return (text && share(b, joint, 2, &own) && addElement(b, body, "joint", own, 2)) ||
           sn_mjcfNoMemory(b->f->r);
}

static bool addBody(Bodies* b, int i)
{
    char name[16];
    snFlexcomp* f = b->f;
    const size_t n = strlen(f->name), digits = (size_t)snprintf(name, sizeof name, "_%d", i);
    char* text = room(f, n + digits + 1);
    const char* pos = numbers(f, f->point + 3 * (size_t)i, 3);
    snAttributeText* own = NULL;
    if (!text || !pos) return sn_mjcfNoMemory(f->r);
    memcpy(text, f->name, n);
    memcpy(text + n, name, digits);
    const snAttributeText texts[2] = {{"name", text}, {"pos", pos}};
    snElement* body = share(b, texts, 2, &own) ? addElement(b, b->parent, "body", own, 2) : NULL;
    if (!body || !addElement(b, body, "inertial", b->all_inertial, 3)) return sn_mjcfNoMemory(f->r);
    if (f->instance && !sn_givePlugin(f->r->spec, body, f->plugin, f->instance)) return sn_mjcfNoMemory(f->r);
    if (f->set.dof == SN_FLEXDOF_RADIAL) return addRadialJoint(b, body, i);
    for (int k = 0; k < b->njoint; k++)
        if (!addElement(b, body, "joint", b->all_joint[k], 2)) return sn_mjcfNoMemory(f->r);
    return true;
}

static bool addBodies(snFlexcomp* f)
{
    snElement* at = leaveFrames(f);
    if (!at) return false;
    Bodies b = {.f = f, .parent = at->parent, .before = at->next};
    if (!shareTexts(&b)) return sn_mjcfNoMemory(f->r);
    for (int i = 0; i < f->npoint; i++)
        if (!f->pinned[i] && !addBody(&b, i)) return false;
    return true;
}

// ---- the flex

// A long text that is written once; it has room for what is added.
typedef struct Text {
    char* text;
    size_t used;
} Text;

static bool makeText(const snFlexcomp* f, Text* t, size_t size)
{
    *t = (Text){room(f, size + 1), 0};
    return t->text != NULL;
}

static void addWord(Text* t, const char* word, size_t length)
{
    if (t->used) t->text[t->used++] = ' ';
    memcpy(t->text + t->used, word, length);
    t->used += length;
}

static size_t digitsOf(int i)
{
    size_t n = 1;
    for (; i >= 10; i /= 10) n++;
    return n;
}

// A number that is not negative.
static void addInt(Text* t, int i)
{
    char text[12];
    size_t n = digitsOf(i);
    for (size_t k = n; k-- > 0; i /= 10) text[k] = (char)('0' + i % 10);
    addWord(t, text, n);
}

static const char* listInts(const snFlexcomp* f, const int* list, size_t n)
{
    size_t size = n;
    Text t;
    for (size_t i = 0; i < n; i++) size += digitsOf(list[i]);
    if (!makeText(f, &t, size)) return NULL;
    for (size_t i = 0; i < n; i++) addInt(&t, list[i]);
    return t.text;
}

static const char* listBodies(const snFlexcomp* f, const char* holder)
{
    if (f->npinned == f->npoint) return holder;
    const size_t n = strlen(f->name), h = strlen(holder);
    size_t size = (size_t)f->npoint;
    Text t;
    for (int i = 0; i < f->npoint; i++) size += f->pinned[i] ? h : n + 1 + digitsOf(i);
    if (!makeText(f, &t, size)) return NULL;
    for (int i = 0; i < f->npoint; i++) {
        addWord(&t, f->pinned[i] ? holder : f->name, f->pinned[i] ? h : n);
        if (f->pinned[i]) continue;
        t.text[t.used++] = '_';
        Text number = {t.text + t.used, 0};
        addInt(&number, i);
        t.used += number.used;
    }
    return t.text;
}

// Points that are held stand where they are, the others at the origins of their bodies.
static const char* listVertices(const snFlexcomp* f)
{
    Text t;
    char text[3 * SN_REAL_SIZE];
    if (!makeText(f, &t, 6 * (size_t)f->npoint + 3 * SN_REAL_SIZE * (size_t)f->npinned)) return NULL;
    for (int i = 0; i < f->npoint; i++) {
        const double* x = f->point + 3 * (size_t)i;
        const double plain[3] = {x[0] + 0.0, x[1] + 0.0, x[2] + 0.0};
        if (f->pinned[i])
            addWord(&t, text, sn_printReals(text, sizeof text, plain, 3));
        else
            addWord(&t, "0 0 0", 5);
    }
    return t.text;
}

static const char* listTexcoord(const snFlexcomp* f)
{
    Text t;
    char text[2 * SN_REAL_SIZE];
    if (!makeText(f, &t, 2 * SN_REAL_SIZE * (size_t)f->ntexcoord)) return NULL;
    for (int i = 0; i < f->ntexcoord; i++) {
        const float* x = f->texcoord + 2 * (size_t)i;
        const double pair[2] = {(double)x[0], (double)x[1]};
        addWord(&t, text, sn_printReals(text, sizeof text, pair, 2));
    }
    return t.text;
}

static bool put(snFlexcomp* f, snElement* e, const char* name, const char* text)
{
    return text && sn_putAttribute(&f->r->spec->tree, e, name, text);
}

// What the flex has from the flexcomp as it is said there.
static bool putLooks(snFlexcomp* f, snElement* flex)
{
    static const char* const names[] = {"group", "radius", "material", "rgba", "flatskin"};
    const snFlexcompType type = (snFlexcompType)f->set.type;
    const bool faceted = type == SN_FLEXCOMP_BOX || type == SN_FLEXCOMP_CYLINDER ||
                         (type == SN_FLEXCOMP_GRID && f->set.dim == 3);
    for (int i = 0; i < SN_COUNT(names); i++) {
        const char* text = sn_attributeText(f->node, names[i]);
        if (text && !put(f, flex, names[i], text)) return false;
    }
    return !faceted || sn_attributeText(flex, "flatskin") || put(f, flex, "flatskin", "true");
}

// The long lists are lent, as they are in the pool already, behind those that are put.
static bool addLists(snFlexcomp* f, snElement* flex, const char* holder)
{
    const size_t ncorner = (size_t)f->nelement * (size_t)(f->set.dim + 1);
    snAttributeText* all = room(f, MAX_ATTRIBUTES * sizeof *all);
    if (!all) return false;
    int n = flex->nattributes;
    memcpy(all, flex->attributes, (size_t)n * sizeof *all);
    all[n++] = (snAttributeText){"body", listBodies(f, holder)};
    if (f->npinned) all[n++] = (snAttributeText){"vertex", listVertices(f)};
    all[n++] = (snAttributeText){"element", listInts(f, f->element, ncorner)};
    if (f->ntexcoord) all[n++] = (snAttributeText){"texcoord", listTexcoord(f)};
    if (f->elemtexcoord) all[n++] = (snAttributeText){"elemtexcoord", listInts(f, f->elemtexcoord, ncorner)};
    for (int i = 0; i < n; i++)
        if (!all[i].value) return false;
    sn_lendAttributes(flex, all, n);
    return true;
}

static snElement* addTo(snFlexcomp* f, const char* section, const char* tag)
{
    snElement* parent = sn_lastSection(f->r->spec, section);
    snElement* e = parent ? sn_newElement(&f->r->spec->tree, tag, f->node->place) : NULL;
    if (!e) return NULL;
    e->origin = f->node->origin;
    sn_linkElement(parent, e, NULL);
    return e;
}

// Its children are the flexcomp's; of an edge, what is about the equality stays out.
static void moveChild(snFlexcomp* f, snElement* flex, snElement* child)
{
    if (!child) return;
    if (child == f->edge)
        for (int i = 0; i < 3; i++)
            sn_putAttribute(&f->r->spec->tree, child, ((const char*[]){"equality", "solref", "solimp"})[i],
                            NULL);
    sn_unlinkElement(child);
    sn_linkElement(flex, child, NULL);
}

static bool addFlex(snFlexcomp* f, const char* holder)
{
    snElement* flex = addTo(f, "deformable", "flex");
    const double dim = f->set.dim;
    if (!flex || !put(f, flex, "name", f->name) || !put(f, flex, "dim", numbers(f, &dim, 1)) ||
        !putLooks(f, flex) || !addLists(f, flex, holder))
        return sn_mjcfNoMemory(f->r);
    moveChild(f, flex, f->contact);
    moveChild(f, flex, f->edge);
    moveChild(f, flex, f->elasticity);
    return true;
}

// What default classes say of equalities does not hold for it.
static bool addEquality(snFlexcomp* f)
{
    if (f->set.equality != SN_FLEXEQ_TRUE || f->npinned == f->npoint) return true;
    snElement* equality = addTo(f, "equality", "flex");
    return (equality && put(f, equality, "flex", f->name) && put(f, equality, "active", "true") &&
            put(f, equality, "solref", numbers(f, f->set.edgesolref, 2)) &&
            put(f, equality, "solimp", numbers(f, f->set.edgesolimp, 5))) ||
           sn_mjcfNoMemory(f->r);
}

// Points that are pinned are of the body that holds it, which has the plugin, too.
static bool sharePlugin(snFlexcomp* f, snElement* holder)
{
    if (!f->plugin) return true;
    const size_t size = sizeof "flexcomp_" + strlen(f->name);
    char* name = room(f, size);
    if (!name) return sn_mjcfNoMemory(f->r);
    snprintf(name, size, "flexcomp_%s", f->name);
    if (!sn_shareInstance(f->r, f->plugin, name, &f->instance)) return false;
    return !f->npinned || sn_givePlugin(f->r->spec, holder, f->plugin, f->instance) || sn_mjcfNoMemory(f->r);
}

bool sn_buildFlexcomp(snFlexcomp* f)
{
    snElement* holder = f->node->parent;
    while (!strcmp(holder->tag, "frame")) holder = holder->parent;
    if (!sharePlugin(f, holder) || !addBodies(f) || !addFlex(f, sn_mjcfName(holder)) || !addEquality(f))
        return false;
    sn_unlinkElement(f->node);
    return true;
}
