// The robot as a whole: settings, the tree of links.
#include "format/urdf/urdf.h"
#include "base/error.h"
#include "base/number.h"
#include "format/mjcf/language/element.h"
#include "format/urdf/import.h"
#include "model/warnings.h"
#include <stdio.h>
#include <string.h>

static void sentence(snError* error, const snElement* at, snStatus status, const char* format, va_list args)
{
    char text[500];
    vsnprintf(text, sizeof text, format, args);
    const char* name = sn_attributeText(at, "name");
    if (name && *name)
        sn_failAt(error, status, at->place.file, at->place.line, "<%.40s name=\"%.40s\">: %s", at->tag, name,
                  text);
    else
        sn_failAt(error, status, at->place.file, at->place.line, "<%.40s>: %s", at->tag, text);
}

bool sn_urdfFail(const snUrdf* u, const snElement* at, snStatus status, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    sentence(u->error, at, status, format, args);
    va_end(args);
    return false;
}

bool sn_urdfWarn(const snUrdf* u, const snElement* at, const char* format, ...)
{
    snError warning;
    va_list args;
    va_start(args, format);
    sentence(&warning, at, SN_STATUS_MODEL, format, args);
    va_end(args);
    if (sn_addWarning(u->load, &warning)) return true;
    if (u->error) *u->error = warning;
    return false;
}

bool sn_urdfNoMemory(const snUrdf* u)
{
    sn_fail(u->error, SN_STATUS_NO_MEMORY, "out of memory");
    return false;
}

snElement* sn_urdfAdd(const snUrdf* u, snElement* parent, const char* tag, const snElement* at)
{
    snElement* element = sn_newElement(&u->spec->tree, tag, at->place);
    if (element)
        sn_linkElement(parent, element, NULL);
    else
        sn_urdfNoMemory(u);
    return element;
}

bool sn_urdfPut(const snUrdf* u, snElement* element, const char* name, const char* text)
{
    return !text || sn_putAttribute(&u->spec->tree, element, name, text) || sn_urdfNoMemory(u);
}

bool sn_urdfPutNumbers(const snUrdf* u, snElement* element, const char* name, const double* numbers, int n)
{
    char text[300];
    sn_printReals(text, sizeof text, numbers, n);
    return sn_urdfPut(u, element, name, text);
}

bool sn_urdfNumbers(const snUrdf* u, const snElement* element, const char* name, double* numbers, int n)
{
    const char* text = sn_attributeText(element, name);
    if (!text) return true;
    if (!text[strspn(text, " \t\r\n")]) return sn_urdfWarn(u, element, "%s is empty", name);
    const snLocale locale = sn_makeLocale();
    if (!locale) return sn_urdfNoMemory(u);
    double values[8];
    int count = 0;
    const char* at = text;
    snNumber result;
    while ((result = sn_nextReal(&at, locale, &values[count < 7 ? count : 7])) == SN_NUMBER_OK) count++;
    sn_freeLocale(locale);
    if (result != SN_NUMBER_END || count != n)
        return sn_urdfFail(u, element, SN_STATUS_MODEL, "%s=\"%.60s\": expected %d number%s", name, text, n,
                           n == 1 ? "" : "s");
    bool finite = true;
    for (int i = 0; i < n; i++) finite &= values[i] - values[i] == 0;
    if (!finite && !sn_urdfWarn(u, element, "%s=\"%.60s\": numbers must be finite", name, text)) return false;
    memcpy(numbers, values, (size_t)n * sizeof *values);
    return true;
}

// ---- settings

// The peer looks at no other attributes of a setting here.
static bool dropUnknown(const snUrdf* u, snElement* setting)
{
    int where;
    const snMjcfElement* type = sn_mjcfOf(setting, &where);
    for (int i = setting->nattributes - 1; type && i >= 0; i--) {
        const char* name = setting->attributes[i].name;
        if (sn_mjcfAttribute(type, where, name)) continue;
        if (!sn_urdfWarn(u, setting, "unknown attribute '%.40s' is passed over", name)) return false;
        sn_putAttribute(&u->spec->tree, setting, name, NULL);
    }
    return true;
}

// What the peer takes for granted, then what <mujoco> in the robot says. Angles are not its to choose.
static bool addSettings(snUrdf* u)
{
    snElement* compiler = sn_urdfAdd(u, u->root, "compiler", u->robot);
    const char* keep = u->options->keep_fixed ? "false" : "true";
    if (!compiler || !sn_urdfPut(u, compiler, "fusestatic", keep) ||
        !sn_urdfPut(u, compiler, "discardvisual", u->options->keep_visuals ? "false" : "true"))
        return false;
    for (const snElement* extension = u->robot->first; extension; extension = extension->next)
        for (const snElement* e = strcmp(extension->tag, "mujoco") ? NULL : extension->first; e;
             e = e->next) {
            if (strcmp(e->tag, "compiler") && strcmp(e->tag, "option") && strcmp(e->tag, "size")) {
                if (!sn_urdfWarn(u, e, "<mujoco> of a robot may hold compiler, option and size alone"))
                    return false;
                continue;
            }
            snElement* copy = sn_copyElement(&u->spec->tree, e);
            if (!copy) return sn_urdfNoMemory(u);
            sn_linkElement(u->root, copy, NULL);
            if (!dropUnknown(u, copy)) return false;
            const char* meshdir = sn_attributeText(copy, "meshdir");
            const char* visual = sn_attributeText(copy, "discardvisual");
            if (meshdir) u->meshdir = meshdir;
            if (visual && !u->options->keep_visuals) u->visuals = !strcmp(visual, "false");
            if (u->options->keep_visuals) sn_putAttribute(&u->spec->tree, copy, "discardvisual", NULL);
            // files have been looked up, orientations are roll, pitch, yaw
            static const char* const own[] = {"meshdir", "strippath", "angle", "eulerseq"};
            for (int i = 0; i < (int)(sizeof own / sizeof *own); i++)
                sn_putAttribute(&u->spec->tree, copy, own[i], NULL);
        }
    snElement* angles = sn_urdfAdd(u, u->root, "compiler", u->robot);
    return angles && sn_urdfPut(u, angles, "angle", "radian") && sn_urdfPut(u, angles, "eulerseq", "XYZ");
}

// ---- the tree

static const char* linkName(const snElement* joint, const char* end)
{
    const snElement* e = sn_childElement(joint, end);
    return e ? sn_attributeText(e, "link") : NULL;
}

const snElement* sn_urdfNamed(const snUrdf* u, int kind, const char* name)
{
    return sn_findNamed(u->names, kind, name);
}

// Names to elements. The joints below a link hang on it as a list, by their `record`.
static bool indexNames(const snUrdf* u)
{
    for (snElement* e = u->robot->first; e; e = e->next) {
        const char* name = sn_attributeText(e, "name");
        const char* child = strcmp(e->tag, "joint") ? NULL : linkName(e, "child");
        e->record = NULL;
        if (name && !strcmp(e->tag, "link") && !sn_addNamed(u->names, SN_URDF_LINK, name, e)) return false;
        if (name && !strcmp(e->tag, "joint") && !sn_addNamed(u->names, SN_URDF_JOINT, name, e)) return false;
        if (child && !sn_addNamed(u->names, SN_URDF_CHILD, child, e)) return false;
    }
    for (const snElement* e = u->robot; e; e = sn_nextInTree(u->robot, e)) {
        const char* name = strcmp(e->tag, "material") ? NULL : sn_attributeText(e, "name");
        const snElement* color = name ? sn_childElement(e, "color") : NULL;
        if (color && !sn_addNamed(u->names, SN_URDF_COLOR, name, color)) return false;
    }
    return true;
}

static void listJoints(const snUrdf* u)
{
    for (snElement* e = u->robot->last; e; e = e->prev) {
        const char* parent = strcmp(e->tag, "joint") ? NULL : linkName(e, "parent");
        snElement* link = (snElement*)sn_urdfNamed(u, SN_URDF_LINK, parent);
        if (!link) continue;
        e->record = link->record;
        link->record = e;
    }
}

static bool checkJoint(const snUrdf* u, const snElement* joint)
{
    const char *parent = linkName(joint, "parent"), *child = linkName(joint, "child");
    if (!parent || !child)
        return sn_urdfFail(u, joint, SN_STATUS_MODEL, "<parent link=...> and <child link=...> are needed");
    const snElement* above = sn_urdfNamed(u, SN_URDF_LINK, parent);
    if (!above || !sn_urdfNamed(u, SN_URDF_LINK, child))
        return sn_urdfFail(u, joint, SN_STATUS_MODEL, "there is no link '%.80s'", above ? child : parent);
    const snElement* other = sn_urdfNamed(u, SN_URDF_CHILD, child);
    if (other != joint)
        return sn_urdfFail(u, joint, SN_STATUS_MODEL,
                           "the link '%.80s' has another parent at line %d: a URDF is a tree", child,
                           other->place.line);
    return true;
}

static bool checkNames(const snUrdf* u)
{
    for (const snElement* e = u->robot->first; e; e = e->next) {
        const bool link = !strcmp(e->tag, "link"), joint = !strcmp(e->tag, "joint");
        const char* name = sn_attributeText(e, "name");
        if (strstr(e->tag, "xacro:"))
            return sn_urdfFail(u, e, SN_STATUS_UNSUPPORTED,
                               "this is xacro: run `xacro FILE > robot.urdf` first");
        if ((link || joint) && (!name || !*name))
            return sn_urdfFail(u, e, SN_STATUS_MODEL, "attribute 'name' is missing");
        const snElement* first = sn_urdfNamed(u, link ? SN_URDF_LINK : SN_URDF_JOINT, name);
        if ((link || joint) && first != e)
            return sn_urdfFail(u, e, SN_STATUS_MODEL, "line %d has this name already, names must differ",
                               first->place.line);
        if (joint && !checkJoint(u, e)) return false;
    }
    return true;
}

static bool addLink(const snUrdf* u, const snElement* link, const snElement* joint, snElement* parent)
{
    if (parent->depth >= SN_TREE_DEPTH)
        return sn_urdfFail(u, link, SN_STATUS_MODEL, "more than %d links follow each other", SN_TREE_DEPTH);
    const char* name = sn_attributeText(link, "name");
    // a robot's own "world" is the world
    const bool world = !joint && !strcmp(name, "world");
    snElement* body = world ? parent : sn_urdfAdd(u, parent, "body", link);
    if (!body || (!world && !sn_urdfPut(u, body, "name", name))) return false;
    if (joint && !sn_urdfOrigin(u, joint, body)) return false;
    if (joint && !sn_urdfJoint(u, joint, body)) return false;
    if (!joint && !world && u->options->floating_base) {
        snElement* base = sn_urdfAdd(u, body, "freejoint", link);
        if (!base || !sn_urdfPut(u, base, "name", "floating_base")) return false;
    }
    if ((!world && !sn_urdfInertial(u, link, body)) || !sn_urdfGeoms(u, link, body)) return false;
    for (const snElement* e = link->record; e; e = e->record)
        if (!addLink(u, sn_urdfNamed(u, SN_URDF_LINK, linkName(e, "child")), e, body)) return false;
    return true;
}

static bool addLinks(const snUrdf* u)
{
    snElement* world = sn_urdfAdd(u, u->root, "worldbody", u->robot);
    int links = 0, roots = 0;
    for (const snElement* e = world ? u->robot->first : NULL; e; e = e->next) {
        if (strcmp(e->tag, "link")) continue;
        links += strcmp(sn_attributeText(e, "name"), "world") != 0;
        if (sn_urdfNamed(u, SN_URDF_CHILD, sn_attributeText(e, "name"))) continue;
        roots++;
        if (!addLink(u, e, NULL, world)) return false;
    }
    if (!world) return false;
    if (links && !roots)
        return sn_urdfFail(u, u->robot, SN_STATUS_MODEL,
                           "its joints go round in a ring: no link is the root");
    int bodies = 0;
    for (const snElement* e = world; (e = sn_nextInTree(world, e));) bodies += !strcmp(e->tag, "body");
    if (bodies != links)
        return sn_urdfFail(u, u->robot, SN_STATUS_MODEL, "%d of its links hang in a ring of joints",
                           links - bodies);
    return true;
}

static bool addRobot(snUrdf* u)
{
    listJoints(u);
    if (!addSettings(u)) return false;
    u->asset = sn_urdfAdd(u, u->root, "asset", u->robot);
    if (!u->asset || !sn_urdfMeshes(u) || !addLinks(u) || !sn_urdfCouplings(u)) return false;
    // inertias are taken as they are, to rounding
    snElement* custom = sn_urdfAdd(u, u->root, "custom", u->robot);
    snElement* text = custom ? sn_urdfAdd(u, custom, "text", u->robot) : NULL;
    return text && sn_urdfPut(u, text, "name", "sinew_inertia") && sn_urdfPut(u, text, "data", "given");
}

bool sn_importUrdf(snSpec* spec, const snElement* robot, const snUrdfOptions* urdf,
                   const snLoadOptions* options, snError* error)
{
    static const snUrdfOptions standard = {.package_dirs = NULL};
    if (!urdf && options) urdf = options->urdf;
    snNameSet names = {NULL, 0, 0};
    snUrdfColors* colors = NULL;
    snUrdf u = {.spec = spec,
                .robot = robot,
                .options = urdf ? urdf : &standard,
                .load = options,
                .error = error,
                .names = &names,
                .colors = &colors};
    u.visuals = u.options->keep_visuals;
    u.root = sn_newElement(&spec->tree, "mujoco", robot->place);
    const char* name = sn_attributeText(robot, "name");
    if (!u.root || (name && *name && !sn_putAttribute(&spec->tree, u.root, "model", name)))
        return sn_urdfNoMemory(&u);
    const bool done = indexNames(&u) ? checkNames(&u) && addRobot(&u) : sn_urdfNoMemory(&u);
    sn_freeNames(&names);
    if (!done) return false;
    spec->root = u.root;
    spec->read = false;
    return true;
}
