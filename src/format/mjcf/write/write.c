#include "format/mjcf/write/write.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "format/mjcf/read/reader.h"
#include "format/mjcf/tree/inherit.h"
#include "format/mjcf/write/writer.h"
#include "math/orient.h"
#include "model/rules.h"
#include <string.h>

// ---- angles: in the units of each element's own model before, in radians after

static void putQuat(snWriter* w, snQuat q)
{
    sn_putNumbers(w, "quat", (const double[]){q.w, q.x, q.y, q.z}, 4);
}

// Any form as a quaternion; what is no orientation is left out, as no model has it.
static void putTurned(snWriter* w, snOrientKind kind, const double* v, const double* turned,
                      const double* axisangle, const char* sequence)
{
    snQuat q = {1, 0, 0, 0};
    bool good = true;
    switch (kind) {
    case SN_ORIENT_EULER: q = sn_orientEuler(turned, sequence); break;
    case SN_ORIENT_AXISANGLE: good = sn_orientAxisAngle(axisangle, &q); break;
    case SN_ORIENT_XYAXES: good = sn_orientAxes(v, &q); break;
    case SN_ORIENT_ZAXIS: good = sn_orientZ(v, &q); break;
    case SN_ORIENT_QUAT: break;
    }
    if (good) putQuat(w, q);
}

static void putOrientation(snWriter* w, const snSpecHead* head, const snOrientation* o)
{
    const snSpecCompiler* compiler = sn_specCompiler(w->spec, head);
    const double unit = compiler->degree ? SN_PI / 180 : 1;
    const double* v = o->value;
    const double turned[4] = {v[0] * unit, v[1] * unit, v[2] * unit, v[3] * unit};
    const double axisangle[4] = {v[0], v[1], v[2], turned[3]};
    if (w->notation == SN_NOTATION_CANONICAL && o->kind != SN_ORIENT_QUAT) {
        putTurned(w, o->kind, v, turned, axisangle, compiler->eulerseq);
        return;
    }
    switch (o->kind) {
    case SN_ORIENT_QUAT:
        if (o->quat[0] != 1 || o->quat[1] != 0 || o->quat[2] != 0 || o->quat[3] != 0)
            sn_putNumbers(w, "quat", o->quat, 4);
        break;
    case SN_ORIENT_AXISANGLE: sn_putNumbers(w, "axisangle", axisangle, 4); break;
    case SN_ORIENT_XYAXES: sn_putNumbers(w, "xyaxes", v, 6); break;
    case SN_ORIENT_ZAXIS: sn_putNumbers(w, "zaxis", v, 3); break;
    case SN_ORIENT_EULER:
        if (!strcmp(compiler->eulerseq, w->classes ? "xyz" : w->spec->compiler.eulerseq))
            sn_putNumbers(w, "euler", turned, 3);
        else
            putQuat(w, sn_orientEuler(turned, compiler->eulerseq));
        break;
    }
}

static bool isLimited(const snWriter* w, const snSpecJoint* joint)
{
    if (joint->limited != SN_AUTO) return joint->limited == SN_TRUE;
    return sn_specCompiler(w->spec, &joint->head)->autolimits && joint->range[0] < joint->range[1];
}

// Whether an attribute of a joint is an angle in the units of its model.
static bool isAngle(const snWriter* w, const snSpecJoint* joint, const char* attribute)
{
    if (!sn_specCompiler(w->spec, &joint->head)->degree) return false;
    const bool hinge = joint->type == SN_JNT_HINGE;
    const bool turns = hinge || joint->type == SN_JNT_BALL;
    if (!strcmp(attribute, "range")) return turns && isLimited(w, joint);
    if (!strcmp(attribute, "springyield")) return turns;
    return hinge && (!strcmp(attribute, "ref") || !strcmp(attribute, "springref"));
}

static void putAngles(snWriter* w, const snSpecJoint* joint, const snAttribute* a)
{
    double values[2];
    memcpy(values, (const char*)joint + a->offset, (size_t)a->max * sizeof *values);
    for (int i = 0; i < a->max; i++) values[i] *= SN_PI / 180;
    sn_putNumbers(w, a->name, values, a->max);
}

// ---- attributes

// The values that several texts give together: later ones set the leading numbers.
static void putMerged(snWriter* w, const snElement* e, const snAttribute* a)
{
    double numbers[10];
    const int n = sn_getNumbers(w->spec, e, a->name, numbers, 10);
    sn_putNumbers(w, a->name, numbers, n < 10 ? n : 10);
}

static bool isFile(const snAttribute* a)
{
    return a->kind == SN_ATTR_TEXT && !strncmp(a->name, "file", 4);
}

static bool isOrientation(const snAttribute* a)
{
    return a->kind >= SN_ATTR_QUAT && a->kind <= SN_ATTR_EULER;
}

// Units and limits that the text's own compiler settings do not give; false: nothing special.
static bool putSpecial(snWriter* w, const snElement* e, const snAttribute* a)
{
    const snSpecHead* head = e->record;
    if (!head) return false;
    if (isOrientation(a)) {
        if (a->kind == SN_ATTR_QUAT && (!w->classes || sn_givesOrientation(e)))
            putOrientation(w, head, (const snOrientation*)((const char*)head + a->offset));
        return true;
    }
    const bool joint = !strcmp(e->tag, "joint") && sn_mjcfKind(e) == SN_OBJ_JOINT;
    if (!joint || !isAngle(w, (const snSpecJoint*)head, a->name)) return false;
    putAngles(w, (const snSpecJoint*)head, a);
    return true;
}

// What is said of an attribute: by the element and its classes, or where classes stay by the element alone.
static int givenTexts(const snWriter* w, const snElement* e, const char* name,
                      const char* texts[SN_MAX_CLASSES + 1])
{
    if (!w->classes) {
        const snClasses classes = sn_classesOf(w->spec, e);
        return sn_givenTexts(&classes, e, name, texts);
    }
    texts[0] = sn_attributeText(e, name);
    return texts[0] != NULL;
}

// The choice of a default class; that of "main" where nothing else would hold is left out.
static void putClass(snWriter* w, const snElement* e, const snAttribute* a)
{
    const char* name = sn_attributeText(e, a->name);
    bool needed = name && strcmp(name, "main") != 0;
    for (const snElement* p = e->parent; name && p; p = p->parent)
        needed |= sn_attributeText(p, "childclass") != NULL;
    if (needed) sn_putText(w, a->name, name);
}

// The range of a joint that has none, as its record is read, too.
static bool isEndless(const snWriter* w, const snElement* e, const snAttribute* a)
{
    return e->endless && !strcmp(a->name, "range") && sn_means(w->spec->physics, SN_RULE_CONTINUOUS_JOINTS);
}

static void putAttribute(snWriter* w, const snElement* e, const snAttribute* a)
{
    const char* texts[SN_MAX_CLASSES + 1];
    const int n = givenTexts(w, e, a->name, texts);
    if (isOrientation(a) && e->record) {
        putSpecial(w, e, a);
        return;
    }
    if (!n || isEndless(w, e, a) || putSpecial(w, e, a)) return;
    if (!strcmp(a->name, "texture") && sn_hasLayers(w, e)) return;
    if (isFile(a))
        sn_putFile(w, e, a->name, texts[n - 1]);
    else if (n > 1 && a->kind == SN_ATTR_VEC)
        putMerged(w, e, a);
    else
        sn_putText(w, a->name, texts[n - 1]);
}

// Whether what follows from other attributes is written in their place, in the canonical notation.
static bool isReplaced(const snWriter* w, const snElement* e, const snAttribute* a)
{
    static const char* const spanned[] = {"size", "fromto", "pos", "quat"};
    if (w->notation != SN_NOTATION_CANONICAL || !e->record) return false;
    if (!strcmp(e->tag, "inertial")) return !strcmp(a->name, "fullinertia");
    for (int i = 0; i < SN_COUNT(spanned) && sn_attributeText(e, "fromto"); i++)
        if (!strcmp(a->name, spanned[i])) return true;
    return false;
}

static void putReplaced(snWriter* w, const snElement* e, const snAttribute* a)
{
    if (!strcmp(a->name, "fullinertia") && sn_attributeText(e, "fullinertia")) sn_putPrincipal(w, e);
    if (!strcmp(a->name, "fromto")) sn_putSpan(w, e);
}

static void putAttributes(snWriter* w, const snElement* e, const snMjcfElement* type, int where)
{
    const snSpecHead* head = e->record;
    // MuJoCo 3.3.7 gives the place of every site
    const bool site = w->classes && w->spec->physics == SN_PHYSICS_V3_3_7 && sn_mjcfKind(e) == SN_OBJ_SITE;
    if (head && head->name) sn_putText(w, "name", head->name);
    for (int i = 0; i < type->nattributes; i++) {
        const snAttribute* a = &type->attributes[i];
        if (!(a->where & where) || (a->kind == SN_ATTR_NAME && head)) continue;
        if (isReplaced(w, e, a)) {
            putReplaced(w, e, a);
            continue;
        }
        if (a->kind != SN_ATTR_CLASS && a->kind != SN_ATTR_CHILDCLASS) {
            if (!site || strcmp(a->name, "pos") != 0) putAttribute(w, e, a);
            continue;
        }
        if (w->classes) putClass(w, e, a);
        if (site) sn_putNumbers(w, "pos", ((const snSpecSite*)head)->pos, 3);
    }
}

// A limit that holds or not by the rule of a model of its own says so.
static void putLimits(snWriter* w, const snElement* e)
{
    const snSpecHead* head = e->record;
    const snSpecCompiler* own = head ? sn_specCompiler(w->spec, head) : NULL;
    if (!own || own->autolimits == w->spec->compiler.autolimits) return;
    static const char* const pairs[][2] = {{"limited", "range"},
                                           {"actuatorfrclimited", "actuatorfrcrange"},
                                           {"ctrllimited", "ctrlrange"},
                                           {"forcelimited", "forcerange"},
                                           {"actlimited", "actrange"}};
    int where;
    const snMjcfElement* type = sn_mjcfOf(e, &where);
    for (int i = 0; i < SN_COUNT(pairs); i++) {
        double range[2] = {0, 0};
        const char* word =
            sn_mjcfAttribute(type, where, pairs[i][0]) ? sn_getText(w->spec, e, pairs[i][0]) : NULL;
        if (!word || strcmp(word, "auto") || sn_attributeText(e, pairs[i][0])) continue;
        sn_getNumbers(w->spec, e, pairs[i][1], range, 2);
        sn_putText(w, pairs[i][0], own->autolimits && range[0] < range[1] ? "true" : "false");
    }
}

// ---- the tree

static bool isSetting(const char* tag)
{
    static const char* const settings[] = {"compiler", "option", "size", "visual", "statistic", "default"};
    for (int i = 0; i < SN_COUNT(settings); i++)
        if (!strcmp(tag, settings[i])) return true;
    return false;
}

// Opens a default class, or what stands in one; false: it says nothing.
static bool openInDefault(snWriter* w, const snElement* e)
{
    int where;
    const snMjcfElement* type = sn_mjcfOf(e, &where);
    const bool class = !strcmp(e->tag, "default");
    if (!class && (!type || (!e->nattributes && !e->first))) return false;
    sn_openTag(w, e->tag);
    if (!class)
        putAttributes(w, e, type, where);
    else if (e->depth > 2)
        sn_putText(w, "class", sn_mjcfName(e));
    return true;
}

static bool isInDefault(const snElement* e)
{
    while (e && e->depth > 2) e = e->parent;
    return e && !strcmp(e->tag, "default");
}

// Opens an element; false: nothing of it is written.
static bool open(snWriter* w, const snElement* e)
{
    int where;
    const snMjcfElement* type = sn_mjcfOf(e, &where);
    if (w->classes && e->first && e->depth == 2 && !strcmp(e->tag, "default")) return openInDefault(w, e);
    if (w->classes && e->depth > 2 && isInDefault(e)) return openInDefault(w, e);
    if (!type || (e->depth == 2 && (isSetting(e->tag) || !e->first))) return false;
    if (!strcmp(e->tag, "model") && !strcmp(e->parent->tag, "asset")) return false;
    const int kind = sn_mjcfKind(e);
    if (kind == SN_OBJ_ACTUATOR) {
        sn_putActuator(w, e);
        return true;
    }
    sn_openTag(w, e->tag);
    if (kind == SN_OBJ_KEY)
        sn_putKey(w, e);
    else if (e->depth > 2) {
        putAttributes(w, e, type, SN_IN_ELEMENT);
        putLimits(w, e);
        if (kind == SN_OBJ_TENDON && !w->classes) sn_putTendonClass(w, e);
    }
    return true;
}

bool sn_putTextField(snWriter* w, const snElement* e)
{
    const char* data = sn_mjcfKind(e) == SN_OBJ_TEXT ? sn_attributeText(e, "data") : NULL;
    if (!data || !strpbrk(data, "\n<>&\"'") || strchr(data, '\r') || strstr(data, "]]>") ||
        !sn_means(w->spec->physics, SN_RULE_NEWER_NAMES))
        return false;
    sn_openTag(w, "text");
    if (sn_mjcfName(e)) sn_putText(w, "name", sn_mjcfName(e));
    sn_put(w, "><![CDATA[");
    sn_put(w, data);
    sn_put(w, "]]></text>");
    return true;
}

static void writeTree(snWriter* w, const snElement* root)
{
    for (const snElement* e = root->first; e; e = e->next) {
        if (sn_putTextField(w, e) || !open(w, e)) continue;
        if (sn_hasLayers(w, e)) {
            sn_putLayers(w, e);
            continue;
        }
        if (!e->first) {
            sn_put(w, "/>");
            continue;
        }
        sn_put(w, ">");
        w->depth++;
        sn_putInertial(w, e);
        writeTree(w, e); // as deep as files may be nested
        w->depth--;
        sn_openTag(w, "/");
        sn_put(w, e->tag);
        sn_put(w, ">");
    }
}

static void writeAll(snWriter* w)
{
    sn_put(w, "<mujoco");
    sn_putText(w, "model", w->spec->modelname);
    sn_put(w, ">");
    w->depth = 1;
    if (w->notation == SN_NOTATION_SOURCE) {
        sn_putSource(w);
    } else {
        sn_putSettings(w);
        writeTree(w, w->spec->root);
    }
    sn_put(w, "\n</mujoco>\n");
}

snNotation sn_notationOf(const snSpec* spec)
{
    if (spec->compiler.savecompiled || !sn_means(spec->physics, SN_RULE_NEWER_NAMES))
        return SN_NOTATION_COMPILED;
    return spec->compiler.savecanonical || spec->origins ? SN_NOTATION_CANONICAL : SN_NOTATION_SOURCE;
}

snStatus sn_writeMJCF(snSpec* spec, const snModel* m, snNotation notation, const char* folder,
                      snFileSet* files, bool classes, char** text, size_t* size, snError* error)
{
    snWriter w = {.spec = spec, .m = m, .notation = notation, .folder = folder, .files = files};
    w.classes = (classes || notation != SN_NOTATION_COMPILED) && sn_canKeepClasses(spec);
    do { // a second time at most: then all names are known that stay
        w.size = 0;
        if (files) files->again = false;
        writeAll(&w);
    } while (!w.failed && files && files->again);
    if (w.failed) {
        sn_free(w.text);
        return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    }
    *text = w.text;
    *size = w.size;
    return SN_STATUS_OK;
}
