#include "model/spec/tree.h"
#include "base/error.h"
#include <string.h>

snElement* sn_newElement(snPool* pool, const char* tag, snPlace place)
{
    const char* own = sn_poolText(pool, tag, strlen(tag));
    return own ? sn_newKnownElement(pool, own, place) : NULL;
}

snElement* sn_newKnownElement(snPool* pool, const char* tag, snPlace place)
{
    snElement* element = sn_poolAlloc(pool, sizeof *element);
    if (!element) return NULL;
    element->tag = tag;
    element->place = place;
    element->depth = 1;
    element->id = element->oldid = -1;
    return element;
}

snElement* sn_nextInTree(const snElement* root, const snElement* element)
{
    if (element->first) return element->first;
    while (element != root && !element->next) element = element->parent;
    return element == root ? NULL : element->next;
}

void sn_linkElement(snElement* parent, snElement* child, snElement* before)
{
    child->parent = parent;
    child->next = before;
    child->prev = before ? before->prev : parent->last;
    *(child->prev ? &child->prev->next : &parent->first) = child;
    *(before ? &before->prev : &parent->last) = child;
    child->depth = parent->depth + 1;
    for (snElement* e = child; (e = sn_nextInTree(child, e));) e->depth = e->parent->depth + 1;
}

void sn_unlinkElement(snElement* element)
{
    snElement* parent = element->parent;
    if (!parent) return;
    *(element->prev ? &element->prev->next : &parent->first) = element->next;
    *(element->next ? &element->next->prev : &parent->last) = element->prev;
    element->parent = element->prev = element->next = NULL;
}

bool sn_isInTree(const snElement* element, const snElement* root)
{
    while (element && element != root) element = element->parent;
    return element == root;
}

bool sn_addKeyNumbers(snPool* pool, snElement* element, int key, snKeyList list, const double* values, int n)
{
    const size_t size = (size_t)n * sizeof *values;
    snKeyNumbers* numbers = sn_poolAlloc(pool, sizeof *numbers + size);
    if (!numbers) return false;
    numbers->next = element->keyed;
    numbers->key = key;
    numbers->list = list;
    numbers->count = n;
    if (n) memcpy(numbers->values, values, size);
    element->keyed = numbers;
    return true;
}

void sn_dropKeyNumbers(snElement* root, int key, snKeyList list)
{
    for (snElement* e = root; e; e = sn_nextInTree(root, e))
        for (snKeyNumbers** link = &e->keyed; *link;) {
            if (!key || ((*link)->key == key && (*link)->list == list))
                *link = (*link)->next;
            else
                link = &(*link)->next;
        }
}

static snElement* copyOne(snPool* pool, const snElement* element)
{
    snElement* copy = sn_newElement(pool, element->tag, element->place);
    if (!copy) return NULL;
    copy->origin = element->origin;
    copy->key = element->key;
    copy->endless = element->endless;
    copy->shared = element->shared;
    for (const snKeyNumbers* n = element->keyed; n; n = n->next)
        if (!sn_addKeyNumbers(pool, copy, n->key, n->list, n->values, n->count)) return NULL;
    copy->attributes = sn_poolAlloc(pool, (size_t)element->nattributes * sizeof *copy->attributes);
    if (!copy->attributes) return NULL;
    copy->room = element->nattributes;
    for (int i = 0; i < element->nattributes; i++) {
        const snAttributeText* a = &element->attributes[i];
        if (!sn_putAttribute(pool, copy, a->name, a->value)) return NULL;
    }
    return copy;
}

bool sn_isStillInTree(const snElement* element, const snElement* root, snError* error)
{
    if (sn_isInTree(element, root)) return true;
    const char* name = sn_attributeText(element, "name");
    sn_fail(error, SN_STATUS_ARGUMENT,
            "<%s%s%.60s%s> is not in the spec any more: it, or what held it, has been removed", element->tag,
            name ? " name=\"" : "", name ? name : "", name ? "\"" : "");
    return false;
}

snElement* sn_copyElement(snPool* pool, const snElement* element)
{
    snElement *root = copyOne(pool, element), *parent = root;
    const snElement* from = element;
    while (parent && (from = sn_nextInTree(element, from))) {
        // the copy's place: below the copy of from's parent, which is `parent` or one of its ancestors
        while (parent->depth - root->depth >= from->depth - element->depth) parent = parent->parent;
        snElement* copy = copyOne(pool, from);
        if (!copy) return NULL;
        sn_linkElement(parent, copy, NULL);
        parent = copy;
    }
    return root;
}

bool sn_ownPlaces(snPool* pool, snElement* root)
{
    const char *file = NULL, *own = NULL;
    for (snElement* e = root; e; e = sn_nextInTree(root, e)) {
        if (e->place.file != file) {
            file = e->place.file;
            own = sn_poolText(pool, file, strlen(file));
            if (!own) return false;
        }
        e->place.file = own;
    }
    return true;
}

snElement* sn_childElement(const snElement* parent, const char* tag)
{
    snElement* child = parent->first;
    while (child && strcmp(child->tag, tag)) child = child->next;
    return child;
}

static int indexOf(const snElement* element, const char* name)
{
    int i = 0;
    while (i < element->nattributes && strcmp(element->attributes[i].name, name)) i++;
    return i;
}

const char* sn_attributeText(const snElement* element, const char* name)
{
    const int i = indexOf(element, name);
    return i < element->nattributes ? element->attributes[i].value : NULL;
}

static bool makeRoom(snPool* pool, snElement* element)
{
    if (element->nattributes < element->room) return true;
    const int room = element->nattributes < 2 ? 4 : 2 * element->nattributes;
    snAttributeText* attributes = sn_poolAlloc(pool, (size_t)room * sizeof *attributes);
    if (!attributes) return false;
    if (element->nattributes)
        memcpy(attributes, element->attributes, (size_t)element->nattributes * sizeof *attributes);
    element->attributes = attributes;
    element->room = room;
    return true;
}

void sn_lendAttributes(snElement* element, snAttributeText* attributes, int count)
{
    element->attributes = attributes;
    element->nattributes = count;
    element->room = 0;
}

bool sn_putAttribute(snPool* pool, snElement* element, const char* name, const char* text)
{
    const int i = indexOf(element, name);
    const bool lent = element->nattributes > 0 && element->room == 0;
    if (lent && !makeRoom(pool, element)) return false;
    if (!text) {
        if (i == element->nattributes) return true;
        element->nattributes--;
        memmove(element->attributes + i, element->attributes + i + 1,
                (size_t)(element->nattributes - i) * sizeof *element->attributes);
        return true;
    }
    const char* value = sn_poolText(pool, text, strlen(text));
    if (!value) return false;
    if (i < element->nattributes) {
        element->attributes[i].value = value;
        return true;
    }
    const char* own = sn_poolText(pool, name, strlen(name));
    if (!own || !makeRoom(pool, element)) return false;
    element->attributes[element->nattributes++] = (snAttributeText){own, value};
    return true;
}
