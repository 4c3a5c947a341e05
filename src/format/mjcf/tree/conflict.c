// compiler.conflict: what becomes of settings when a model is attached that says them otherwise.
#include "format/mjcf/tree/conflict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/language/reading.h"
#include "model/rules.h"

typedef enum Better { SMALLER, LARGER, NEITHER } Better;

// Attributes of a section, and which of two values serves both models.
typedef struct Setting {
    const char *section, *attributes; // with a space around each
    Better better;
} Setting;

static const Setting settings[] = {
    {"option", " timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance ", SMALLER},
    {"option", " iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints ",
     LARGER},
    {"option",
     " gravity wind magnetic density viscosity integrator cone jacobian solver impratio o_margin o_solref "
     "o_solimp o_friction ",
     NEITHER},
    {"size",
     " memory nkey nuserdata nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon "
     "nuser_actuator nuser_sensor ",
     LARGER},
    {"visual/map", " znear ", SMALLER},
    {"visual/map", " zfar ", LARGER},
    {"visual/global", " realtime ", SMALLER},
};

// Two models at one attribute.
typedef struct Pair {
    snSpec *spec, *child;
    snConflict policy;
    bool apply; // else it is only looked at
    bool failed;
    snConflicts* found;
} Pair;

// ---- values

// The last element of a section's kind that gives an attribute, else the last one; NULL: there is none.
static snElement* lastGiving(const snSpec* spec, const char* path, const char* attribute)
{
    const char* part = strchr(path, '/');
    const size_t n = part ? (size_t)(part - path) : strlen(path);
    snElement *last = NULL, *giving = NULL;
    for (snElement* section = spec->root->first; section; section = section->next) {
        if (strlen(section->tag) != n || strncmp(section->tag, path, n)) continue;
        for (snElement* e = part ? section->first : section; e; e = part ? e->next : NULL) {
            if (part && strcmp(e->tag, part + 1)) continue;
            last = e;
            if (sn_attributeText(e, attribute)) giving = e;
        }
    }
    return giving ? giving : last;
}

// A setting of one model.
typedef struct Value {
    const char* given; // NULL: by default
    char text[120];    // for people
    double numbers[8];
    int count;
} Value;

// Bytes, with K, M, ... for powers of 1024.
static double bytesOf(const char* text)
{
    static const char suffixes[] = "KMGTPE";
    char* end;
    double bytes = strtod(text, &end);
    const char* at = *end ? strchr(suffixes, *end & ~0x20) : NULL;
    for (const char* s = suffixes; at && s <= at; s++) bytes *= 1024;
    return bytes;
}

static Value valueOf(snSpec* spec, const char* path, const char* attribute)
{
    Value v = {.given = NULL};
    snElement* e = lastGiving(spec, path, attribute);
    const snElement blank = {.tag = "option", .parent = spec->root, .depth = 2};
    v.given = e ? sn_attributeText(e, attribute) : NULL;
    if (!e && !strcmp(path, "option")) e = (snElement*)&blank; // whose defaults are told, too
    const char* text = v.given ? v.given : e ? sn_getText(spec, e, attribute) : NULL;
    v.count = e ? sn_getNumbers(spec, e, attribute, v.numbers, 8) : 0;
    if (v.count > 8) v.count = 8;
    for (size_t i = 0, used = 0; i < (size_t)v.count && used < sizeof v.text; i++)
        used += (size_t)snprintf(v.text + used, sizeof v.text - used, i ? " %g" : "%g", v.numbers[i]);
    if (!v.count) snprintf(v.text, sizeof v.text, "%s", text ? text : "");
    if (!strcmp(attribute, "memory") && text) v.numbers[v.count++] = bytesOf(text);
    return v;
}

static bool isSame(const Value* a, const Value* b)
{
    if (!a->count) return !strcmp(a->text, b->text);
    return a->count == b->count && !memcmp(a->numbers, b->numbers, (size_t)a->count * sizeof *a->numbers);
}

// ---- what is told, and done

static void tell(Pair* p, const char* attribute, const char* own, bool given, const char* other,
                 const char* done)
{
    char* text = p->found->text;
    const size_t used = strlen(text), room = sizeof p->found->text - used;
    snprintf(text + used, room, "%s%s is %.60s%s here and %.60s there%s%s", used ? "; " : "", attribute,
             *own ? own : "not set", given ? "" : " by default", other, *done ? ", " : "", done);
}

static void set(Pair* p, const char* path, const char* attribute, const char* text)
{
    snError why;
    snElement* e = lastGiving(p->spec, path, attribute);
    if (!e) e = sn_section(p->spec, path, &why);
    p->failed |= !e || !sn_putAttribute(&p->spec->tree, e, attribute, text);
    p->spec->read = false;
}

static void settleOne(Pair* p, const Setting* s, const char* attribute)
{
    const Value own = valueOf(p->spec, s->section, attribute),
                other = valueOf(p->child, s->section, attribute);
    if (!other.given || isSame(&own, &other)) return;
    const bool both = own.given != NULL, merge = p->policy == SN_CONFLICT_MERGE;
    if (both && (p->policy == SN_CONFLICT_ERROR || (merge && s->better == NEITHER))) {
        tell(p, attribute, own.text, true, other.text, "");
        p->found->wrong = true;
        return;
    }
    const bool better =
        s->better == SMALLER ? other.numbers[0] < own.numbers[0] : other.numbers[0] > own.numbers[0];
    const bool take = merge && (!both || better);
    tell(p, attribute, own.text, both, other.text,
         !merge  ? "which stays behind"
         : !take ? "the first holds"
                 : "the second holds");
    if (take && p->apply) set(p, s->section, attribute, other.given);
}

// ---- flags and groups

static void settleFlag(Pair* p, const snAttribute* a)
{
    static const char path[] = "option/flag";
    const Value own = valueOf(p->spec, path, a->name), other = valueOf(p->child, path, a->name);
    const char* acts = a->max ? "enable" : "disable"; // what sets the flag's bit
    const bool merge = p->policy == SN_CONFLICT_MERGE, adds = !strcmp(other.text, acts);
    if (!other.given || !strcmp(own.text, other.text) || (!own.given && !adds)) return;
    if (own.given && p->policy == SN_CONFLICT_ERROR) {
        tell(p, a->name, own.text, true, other.text, "");
        p->found->wrong = true;
    } else if (merge && adds) {
        tell(p, a->name, own.text, own.given != NULL, other.text, "the second holds");
        if (p->apply) set(p, path, a->name, acts);
    } else if (own.given && !merge) {
        tell(p, a->name, own.text, true, other.text, "which stays behind");
    }
}

static void settleFlags(Pair* p)
{
    const snMjcfElement* flag = sn_mjcfElement(SN_MJCF_FLAG);
    for (int i = 0; i < flag->nattributes; i++) settleFlag(p, &flag->attributes[i]);
}

static int groupsOf(const char* text)
{
    int groups = 0;
    for (char* end; *text; text = end) {
        const long group = strtol(text, &end, 10);
        if (end == text) break;
        if (group >= 0 && group < 31) groups |= 1 << group;
    }
    return groups;
}

// Groups of actuators that are off come together.
static void settleGroups(Pair* p)
{
    static const char name[] = "actuatorgroupdisable";
    const snElement *own = lastGiving(p->spec, "option", name), *other = lastGiving(p->child, "option", name);
    const char *ours = own ? sn_attributeText(own, name) : NULL,
               *theirs = other ? sn_attributeText(other, name) : NULL;
    const int before = groupsOf(ours ? ours : ""), all = before | groupsOf(theirs ? theirs : "");
    if (!theirs || all == before || p->policy != SN_CONFLICT_MERGE) return;
    char text[100] = "";
    for (int i = 0; i < 31; i++)
        if (all >> i & 1) snprintf(text + strlen(text), sizeof text - strlen(text), "%d ", i);
    tell(p, name, ours ? ours : "", ours != NULL, theirs, "both hold");
    if (p->apply) set(p, "option", name, text);
}

// ---- all of it

static snConflict policyOf(snSpec* spec)
{
    static const char* const words[] = {"warning", "merge", "error"};
    const snElement* e = lastGiving(spec, "compiler", "conflict");
    const char* word = e ? sn_attributeText(e, "conflict") : NULL;
    for (int i = 0; word && i < SN_COUNT(words); i++)
        if (!strcmp(words[i], word)) return (snConflict)i;
    return SN_CONFLICT_WARNING;
}

static void settle(Pair* p)
{
    for (int i = 0; i < SN_COUNT(settings); i++)
        for (const char* at = settings[i].attributes + 1; *at; at += strcspn(at, " ") + 1) {
            char name[40];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
            settleOne(p, &settings[i], name);
        }
    settleFlags(p);
    settleGroups(p);
}

bool sn_findConflicts(snSpec* spec, snSpec* child, snConflicts* found, snError* error)
{
    *found = (snConflicts){.wrong = false};
    if (!sn_means(spec->physics, SN_RULE_NEWER_NAMES)) return true;
    settle(&(Pair){.spec = spec, .child = child, .policy = policyOf(spec), .found = found});
    if (!found->wrong) return true;
    sn_fail(error, SN_STATUS_MODEL, "settings conflict, which compiler conflict=\"%s\" does not allow: %s",
            policyOf(spec) == SN_CONFLICT_MERGE ? "merge" : "error", found->text);
    return false;
}

bool sn_mergeSettings(snSpec* spec, snSpec* child)
{
    snConflicts found = {.wrong = false};
    Pair p = {.spec = spec, .child = child, .policy = policyOf(spec), .apply = true, .found = &found};
    if (!sn_means(spec->physics, SN_RULE_NEWER_NAMES) || p.policy != SN_CONFLICT_MERGE) return true;
    settle(&p);
    return !p.failed;
}
