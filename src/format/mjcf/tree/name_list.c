#include "format/mjcf/tree/name_list.h"
#include "base/memory.h"
#include "format/mjcf/language/element.h"
#include <string.h>

static int kindOf(const char* word)
{
    return !strcmp(word, "MATERIAL") ? SN_OBJ_MATERIAL : SN_OBJ_BODY;
}

// Flexes alone have lists: all other elements are told by their tag.
int sn_nameLists(const snElement* element, snNameList lists[SN_NAME_LISTS])
{
    int where, n = 0;
    if (strcmp(element->tag, "flex")) return 0;
    const snMjcfElement* type = sn_mjcfOf(element, &where);
    for (int i = 0; type && i < element->nattributes; i++) {
        const snAttributeText* text = &element->attributes[i];
        const snAttribute* a = sn_mjcfAttribute(type, where, text->name);
        if (a && a->kind == SN_ATTR_NAMES && *text->value && n < SN_NAME_LISTS)
            lists[n++] = (snNameList){text->name, kindOf(a->words), text->value};
    }
    return n;
}

void sn_countListed(const snNameList* list, const snNameSet* set, int* inside, int* outside)
{
    const char* rest = list->text;
    for (snWord name; (name = sn_nextTextWord(&rest)).length;) {
        if (list->kind == SN_OBJ_BODY && sn_wordIs(name, "world")) continue;
        ++*(sn_hasWord(set, list->kind, name) ? inside : outside);
    }
}

bool sn_listsAny(const snNameList* list, const snNameSet* set, int kind)
{
    const char* rest = list->text;
    for (snWord name; (name = sn_nextTextWord(&rest)).length;)
        if (sn_hasWord(set, kind, name)) return true;
    return false;
}

bool sn_listsName(const snNameList* list, const char* name)
{
    const char* rest = list->text;
    for (snWord word; (word = sn_nextTextWord(&rest)).length;)
        if (sn_wordIs(word, name)) return true;
    return false;
}

// ---- other names

// What becomes of a name: prefix + another one + suffix.
typedef struct Change {
    const snNameSet* set; // which names; NULL: the one that is `old`
    const char *old, *name, *prefix, *suffix;
} Change;

static size_t append(char* to, size_t at, const char* text, size_t n)
{
    if (to) memcpy(to + at, text, n);
    return at + n;
}

// The names of a list, changed, into `to`; NULL: only counted. Returns the bytes in front of the closing 0.
static size_t writeChanged(const snNameList* list, const Change* c, char* to)
{
    const char* rest = list->text;
    size_t n = 0;
    for (snWord name; (name = sn_nextTextWord(&rest)).length;) {
        const bool changed = c->set ? sn_hasWord(c->set, list->kind, name) : sn_wordIs(name, c->old);
        if (n) n = append(to, n, " ", 1);
        if (changed) n = append(to, n, c->prefix, strlen(c->prefix));
        if (changed && c->name)
            n = append(to, n, c->name, strlen(c->name));
        else
            n = append(to, n, name.at, name.length);
        if (changed) n = append(to, n, c->suffix, strlen(c->suffix));
    }
    if (to) to[n] = 0;
    return n;
}

static bool putChanged(snPool* pool, snElement* element, const snNameList* list, const Change* change)
{
    char* text = sn_malloc(writeChanged(list, change, NULL) + 1);
    if (!text) return false;
    writeChanged(list, change, text);
    const bool put = sn_putAttribute(pool, element, list->attribute, text);
    sn_free(text);
    return put;
}

bool sn_decorateListed(snPool* pool, snElement* element, const snNameList* list, const snNameSet* set,
                       const char* prefix, const char* suffix)
{
    const Change change = {.set = set, .prefix = prefix, .suffix = suffix};
    return !sn_listsAny(list, set, list->kind) || putChanged(pool, element, list, &change);
}

bool sn_renameListed(snPool* pool, snElement* element, const snNameList* list, const char* old,
                     const char* name)
{
    const Change change = {.old = old, .name = name, .prefix = "", .suffix = ""};
    return !sn_listsName(list, old) || putChanged(pool, element, list, &change);
}
