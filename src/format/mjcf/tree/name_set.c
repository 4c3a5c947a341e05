#include "format/mjcf/tree/name_set.h"
#include "base/hash.h"
#include "base/memory.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/language/field.h"
#include "format/mjcf/language/loop_text.h"
#include "format/mjcf/language/reading.h"
#include "format/mjcf/tree/name_list.h"
#include <stdio.h>
#include <string.h>

static snKindName* findWord(const snNameSet* set, int kind, snWord name)
{
    const unsigned mask = (unsigned)set->nslots - 1;
    unsigned i = sn_hashPart(kind, name.at, name.length) & mask;
    while (set->slots[i].name && (set->slots[i].kind != kind || !sn_wordIs(name, set->slots[i].name)))
        i = (i + 1) & mask;
    return &set->slots[i];
}

static snKindName* findSlot(const snNameSet* set, int kind, const char* name)
{
    return findWord(set, kind, (snWord){name, strlen(name)});
}

static bool grow(snNameSet* set)
{
    snNameSet bigger = {NULL, set->count, set->nslots ? 2 * set->nslots : 64};
    bigger.slots = sn_calloc((size_t)bigger.nslots * sizeof *bigger.slots);
    if (!bigger.slots) return false;
    for (int i = 0; i < set->nslots; i++)
        if (set->slots[i].name) *findSlot(&bigger, set->slots[i].kind, set->slots[i].name) = set->slots[i];
    sn_free(set->slots);
    *set = bigger;
    return true;
}

bool sn_addName(snNameSet* set, int kind, const char* name)
{
    if (2 * (set->count + 1) > set->nslots && !grow(set)) return false;
    snKindName* slot = findSlot(set, kind, name);
    if (!slot->name) set->count++;
    *slot = (snKindName){kind, name, NULL};
    return true;
}

bool sn_addNamed(snNameSet* set, int kind, const char* name, const snElement* element)
{
    if (sn_hasName(set, kind, name)) return true;
    if (!sn_addName(set, kind, name)) return false;
    findSlot(set, kind, name)->element = element;
    return true;
}

const snElement* sn_findNamed(const snNameSet* set, int kind, const char* name)
{
    return set->nslots && name ? findSlot(set, kind, name)->element : NULL;
}

bool sn_hasName(const snNameSet* set, int kind, const char* name)
{
    return set->nslots && findSlot(set, kind, name)->name;
}

bool sn_hasWord(const snNameSet* set, int kind, snWord name)
{
    return set->nslots && findWord(set, kind, name)->name;
}

bool sn_addTreeNames(snNameSet* set, const snElement* root)
{
    for (const snElement* e = root; e; e = sn_nextInTree(root, e)) {
        const char* name = sn_mjcfName(e);
        const int kind = name ? sn_mjcfKind(e) : SN_OBJ_UNKNOWN;
        if (kind == SN_OBJ_UNKNOWN || kind == (int)SN_NAME_DEFAULT || !strcmp(e->tag, "worldbody")) continue;
        if (!sn_addName(set, kind, name)) return false;
    }
    return true;
}

void sn_freeNames(snNameSet* set)
{
    sn_free(set->slots);
    *set = (snNameSet){NULL, 0, 0};
}

bool sn_putDecorated(snPool* pool, snElement* e, const char* attribute, const char* prefix, const char* name,
                     const char* suffix)
{
    const size_t room = strlen(prefix) + strlen(name) + strlen(suffix) + 1;
    char* text = sn_malloc(room);
    if (!text) return false;
    snprintf(text, room, "%s%s%s", prefix, name, suffix);
    const bool done = sn_putAttribute(pool, e, attribute, text);
    sn_free(text);
    return done;
}

// The name of the set that a field holds; NULL: that is in no set of these.
static const char* heldInSet(const snNameSet* set, const snFieldName* held)
{
    char name[256];
    const size_t prefix = held->prefix.length, length = prefix + held->word.length;
    if (length < sizeof name && set->nslots) {
        memcpy(name, held->prefix.at, prefix);
        memcpy(name + prefix, held->word.at, held->word.length);
        name[length] = 0;
        const char* first = findSlot(set, held->kind[0], name)->name;
        return first || held->kind[1] == SN_OBJ_UNKNOWN ? first : findSlot(set, held->kind[1], name)->name;
    }
    for (int i = 0; i < set->nslots; i++)
        if (set->slots[i].name && sn_isFieldName(held, set->slots[i].kind, set->slots[i].name))
            return set->slots[i].name;
    return NULL;
}

// References of a field of ours: names in its data, by words. Where blanks would tear these apart the text
// stays, and the compiler goes by the field's name.
static bool decorateField(snPool* pool, snElement* e, const snNameSet* set, const char* prefix,
                          const char* suffix)
{
    snFieldName held[SN_FIELD_NAMES];
    if (strpbrk(prefix, " \t\r\n") || strpbrk(suffix, " \t\r\n")) return true;
    for (int k = 0; k < sn_fieldNames(e, held); k++) {
        const char* own = held[k].own ? NULL : heldInSet(set, &held[k]);
        if (own && !sn_putFieldName(pool, e, k, prefix, own, suffix)) return false;
    }
    return true;
}

static bool decorateLists(snPool* pool, snElement* e, const snNameSet* set, const char* prefix,
                          const char* suffix)
{
    snNameList lists[SN_NAME_LISTS];
    const int n = sn_nameLists(e, lists);
    for (int i = 0; i < n; i++)
        if (!sn_decorateListed(pool, e, &lists[i], set, prefix, suffix)) return false;
    return true;
}

bool sn_decorate(snPool* pool, snElement* root, const snNameSet* set, const char* prefix, const char* suffix)
{
    for (snElement* e = root; e; e = sn_nextInTree(root, e)) {
        snReference list[SN_MAX_REFERENCES];
        const int n = sn_mjcfReferences(e, list, SN_MAX_REFERENCES);
        for (int i = 0; i < n; i++)
            if (sn_hasName(set, list[i].kind, list[i].name) &&
                !sn_putDecorated(pool, e, list[i].attribute, prefix, list[i].name, suffix))
                return false;
        if (!decorateField(pool, e, set, prefix, suffix) || !decorateLists(pool, e, set, prefix, suffix))
            return false;
        const char* name = sn_attributeText(e, "name");
        const int kind = name && *name ? sn_mjcfKind(e) : SN_OBJ_UNKNOWN;
        if (kind != SN_OBJ_UNKNOWN && kind != (int)SN_NAME_DEFAULT &&
            !sn_putDecorated(pool, e, "name", prefix, name, suffix))
            return false;
    }
    return true;
}

// Whether an element is a sensor of the user that shows the force of a loop, by its name; *known: of one
// whose name is in the set.
static bool showsLoop(const snElement* e, const snNameSet* set, bool* known)
{
    size_t prefix;
    const char *name = sn_attributeText(e, "name"), *rest = sn_loopTextName(name, &prefix);
    if (!rest || strcmp(e->tag, "user") != 0 || sn_mjcfKind(e) != SN_OBJ_SENSOR) return false;
    *known = sn_hasName(set, SN_OBJ_TEXT, name);
    for (int i = 0; i < set->nslots && !*known; i++) {
        const char* other = set->slots[i].name;
        *known = other && set->slots[i].kind == SN_OBJ_EQUALITY && !strncmp(other, name, prefix) &&
                 !strcmp(other + prefix, rest);
    }
    return true;
}

void sn_countReferences(snElement* root, const snNameSet* set, int* inside, int* outside)
{
    *inside = *outside = 0;
    for (snElement* e = root; e; e = sn_nextInTree(root, e)) {
        snReference list[SN_MAX_REFERENCES];
        const int n = sn_mjcfReferences(e, list, SN_MAX_REFERENCES);
        for (int i = 0; i < n; i++) {
            const bool world = list[i].kind == SN_OBJ_BODY && !strcmp(list[i].name, "world");
            if (world || list[i].kind == (int)SN_NAME_DEFAULT) continue;
            if (sn_hasName(set, list[i].kind, list[i].name))
                ++*inside;
            else
                ++*outside;
        }
        snFieldName held[SN_FIELD_NAMES];
        const int names = sn_fieldNames(e, held);
        for (int k = 0; k < names; k++) ++*(heldInSet(set, &held[k]) ? inside : outside);
        snNameList lists[SN_NAME_LISTS];
        const int nlists = sn_nameLists(e, lists);
        for (int k = 0; k < nlists; k++) sn_countListed(&lists[k], set, inside, outside);
        bool known;
        if (showsLoop(e, set, &known)) ++*(known ? inside : outside);
    }
}

snElement* sn_lastSection(snSpec* spec, const char* tag)
{
    snElement* section = spec->root->last;
    while (section && (strcmp(section->tag, tag) || section->origin)) section = section->prev;
    if (section) return section;
    section = sn_newElement(&spec->tree, tag, (snPlace){spec->file, 0});
    if (section) sn_linkElement(spec->root, section, NULL);
    return section;
}
