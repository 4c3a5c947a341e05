// Elements: made, filled from attributes, written back to them.
#include "element.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- attributes and members

// What an attribute is called as a member, where it is not as in our records.
static const Member* memberFor(const Element* e, const snAttributeInfo* info)
{
    static const char* const renamed[][2] = {
        {"user", "userdata"},
        {"target", "targetbody"},
        {"mesh", "meshname"},
        {"hfield", "hfieldname"},
        {"shellinertia", "typeinertia"},
        {"geom1", "geomname1"},
        {"geom2", "geomname2"},
        {"body1", "bodyname1"},
        {"body2", "bodyname2"},
        {"fluidcoef", "fluid_coefs"},
        {"fluidshape", "fluid_ellipsoid"},
        {"vertex", "uservert"},
        {"normal", "usernormal"},
        {"texcoord", "usertexcoord"},
        {"face", "userface"},
    };
    const char* name = info->member;
    if (!name || !strcmp(info->kind, "orientation")) return NULL;
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (!strcmp(renamed[i][0], name) && memberOf(e->kind, renamed[i][1])) name = renamed[i][1];
    return memberOf(e->kind, name);
}

static double numberAt(const void* place, char code, int i)
{
    if (code == 'd' || code == 'D') return ((const double*)place)[i];
    if (code == 'f' || code == 'F') return (double)((const float*)place)[i];
    if (code == 'b') return ((const mjtByte*)place)[i];
    return ((const int*)place)[i];
}

static void putNumber(void* place, char code, int i, double number)
{
    if (code == 'd' || code == 'D')
        ((double*)place)[i] = number;
    else if (code == 'f' || code == 'F')
        ((float*)place)[i] = (float)number;
    else if (code == 'b')
        ((mjtByte*)place)[i] = (mjtByte)number;
    else
        ((int*)place)[i] = (int)number;
}

static size_t sizeOf(char code)
{
    return code == 'd' || code == 'D' ? sizeof(double)
           : code == 'b'              ? 1
           : code == 'o'              ? sizeof(mjsOrientation)
                                      : sizeof(int);
}

// The table of an enumeration; NULL: none of that name.
static const snEnum* wordsOf(const char* name)
{
    int count;
    const snEnum* enums = sn_enums(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(enums[i].type, name)) return enums + i;
    enums = sn_specEnums(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(enums[i].type, name)) return enums + i;
    return NULL;
}

// ---- filling

// NaN stands for what is not given.
static bool canBeUndefined(const Element* e, const Member* m)
{
    return !strcmp(m->name, "fromto") || !strcmp(e->kind->tag, "statistic") ||
           (e->kind->type == mjOBJ_GEOM && !strcmp(m->name, "mass"));
}

static void fillNumbers(Element* e, const Member* m, const char* attribute)
{
    double numbers[16];
    const int n = sn_getNumbers(e->s->source->spec, e->source, attribute, numbers, 16);
    for (int i = 0; i < m->count && i < n; i++) putNumber(memberAt(e, m), m->code, i, numbers[i]);
    if (n == 0 && canBeUndefined(e, m)) putNumber(memberAt(e, m), m->code, 0, NAN);
}

static void fillList(Element* e, const Member* m, const char* attribute)
{
    Items* items = &(*(mjDoubleVec**)memberAt(e, m))->items;
    const int n = sn_getNumbers(e->s->source->spec, e->source, attribute, NULL, 0);
    double* numbers = n > 0 ? malloc((size_t)n * sizeof(double)) : NULL;
    if (!numbers) return;
    sn_getNumbers(e->s->source->spec, e->source, attribute, numbers, n);
    setItems(items, numbers, n, sizeof(double)); // as wide as any
    for (int i = 0; i < n; i++) putNumber(items->data, m->code, i, numbers[i]);
    free(numbers);
}

static void fillWord(Element* e, const Member* m, const snAttributeInfo* info)
{
    const char* text = sn_getText(e->s->source->spec, e->source, info->name);
    const snEnum* words = info->words ? wordsOf(info->words) : NULL;
    if (!text) return;
    if (!words) putNumber(memberAt(e, m), m->code, 0, !strcmp(text, "true"));
    for (int i = 0; words && i < words->count; i++)
        if (!strcmp(words->items[i].keyword, text))
            putNumber(memberAt(e, m), m->code, 0, words->items[i].value);
}

static void fillMember(Element* e, const Member* m, const snAttributeInfo* info)
{
    if (m->code == 's')
        setText(*(mjString**)memberAt(e, m), sn_getText(e->s->source->spec, e->source, info->name));
    else if (strchr("DFI", m->code))
        fillList(e, m, info->name);
    else if (!strcmp(info->kind, "word") || !strcmp(info->kind, "bool"))
        fillWord(e, m, info);
    else
        fillNumbers(e, m, info->name);
}

static void settle(Element* e)
{
    for (const Member* m = e->kind->members; m->name; m++)
        if (strchr("sDFIN", m->code)) (*(mjString**)memberAt(e, m))->items.changed = false;
    memcpy(e->seen, e->record, e->kind->size);
}

void fillElement(Element* e)
{
    snAttributeInfo info;
    for (int k = 0; sn_elementAttribute(e->source, k, &info); k++) {
        const Member* m = memberFor(e, &info);
        if (m) fillMember(e, m, &info);
    }
    fillOwn(e);
    settle(e);
}

// ---- writing

bool isChanged(const Element* e, const char* name)
{
    const Member* m = memberOf(e->kind, name);
    if (strchr("sDFIN", m->code)) return (*(mjString**)memberAt(e, m))->items.changed;
    return memcmp(memberAt(e, m), (char*)e->seen + m->offset, (size_t)m->count * sizeOf(m->code)) != 0;
}

static bool writeList(Element* e, const Member* m, const char* attribute, snError* error)
{
    const Items* items = &(*(mjDoubleVec**)memberAt(e, m))->items;
    if (!items->count)
        return sn_setText(e->s->source->spec, e->source, attribute, NULL, error) == SN_STATUS_OK;
    double* numbers = malloc((size_t)items->count * sizeof(double));
    for (int i = 0; numbers && i < items->count; i++) numbers[i] = numberAt(items->data, m->code, i);
    const bool good = numbers && sn_setNumbers(e->s->source->spec, e->source, attribute, numbers,
                                               items->count, error) == SN_STATUS_OK;
    free(numbers);
    return good;
}

// Of a spring or damper the first number alone is a member.
static bool writeNumbers(Element* e, const Member* m, const char* attribute, snError* error)
{
    double numbers[16] = {0};
    int n = m->count;
    if (n == 1) n = sn_getNumbers(e->s->source->spec, e->source, attribute, numbers, 16);
    for (int i = 0; i < m->count; i++) numbers[i] = numberAt(memberAt(e, m), m->code, i);
    if (isnan(numbers[0]) && canBeUndefined(e, m))
        return sn_setText(e->s->source->spec, e->source, attribute, NULL, error) == SN_STATUS_OK;
    n = n > m->count ? n : m->count;
    return sn_setNumbers(e->s->source->spec, e->source, attribute, numbers, n, error) == SN_STATUS_OK;
}

static bool writeWord(Element* e, const Member* m, const snAttributeInfo* info, snError* error)
{
    const int value = (int)numberAt(memberAt(e, m), m->code, 0);
    const snEnum* words = info->words ? wordsOf(info->words) : NULL;
    const char* text = words ? NULL : value ? "true" : "false";
    for (int i = 0; words && i < words->count; i++)
        if (words->items[i].value == value) text = words->items[i].keyword;
    if (text) return sn_setText(e->s->source->spec, e->source, info->name, text, error) == SN_STATUS_OK;
    error->status = SN_STATUS_ARGUMENT;
    snprintf(error->message, sizeof error->message, "%s of a %s is %d, which it cannot be", m->name,
             e->kind->tag, value);
    return false;
}

static bool writeMember(Element* e, const Member* m, const snAttributeInfo* info, snError* error)
{
    if (m->code == 's') {
        const char* text = textOf(*(mjString**)memberAt(e, m));
        return sn_setText(e->s->source->spec, e->source, info->name, *text ? text : NULL, error) ==
               SN_STATUS_OK;
    }
    if (strchr("DFI", m->code)) return writeList(e, m, info->name, error);
    if (!strcmp(info->kind, "word") || !strcmp(info->kind, "bool")) return writeWord(e, m, info, error);
    return writeNumbers(e, m, info->name, error);
}

bool writeElement(Element* e, snError* error)
{
    snAttributeInfo info;
    if (!e->kind) return true;
    if (!writeOwn(e, error)) return false;
    for (int k = 0; sn_elementAttribute(e->source, k, &info); k++) {
        const Member* m = memberFor(e, &info);
        if (m && isChanged(e, m->name) && !writeMember(e, m, &info, error)) return false;
    }
    settle(e);
    return true;
}

bool writeElements(mjSpec* s, snError* error)
{
    if (!writeSettings(s, error)) return false;
    for (Element* e = s->source->elements; e; e = e->next)
        if (!writeElement(e, error)) return false;
    return true;
}

// ---- making

bool makeItems(Element* e)
{
    bool good = true;
    for (const Member* m = e->kind->members; m->name; m++)
        if (strchr("sDFIN", m->code)) {
            *(void**)memberAt(e, m) = calloc(1, sizeof(Items));
            good &= *(void**)memberAt(e, m) != NULL;
        }
    return good;
}

void freeAllItems(Element* e)
{
    for (const Member* m = e->kind->members; m->name; m++) {
        Items* items = strchr("sDFIN", m->code) ? *(Items**)memberAt(e, m) : NULL;
        if (items) freeItems(items, m->code);
        free(items);
    }
}

static bool makeRecord(Element* e)
{
    const size_t size = e->kind ? e->kind->size : sizeof(mjsDefault);
    e->record = calloc(1, size);
    e->seen = calloc(1, size);
    if (!e->record || !e->seen || (e->kind && !makeItems(e))) return false;
    *(mjsElement**)e->record = &e->shown;
    return true;
}

static void freeElement(Element* e)
{
    if (e->kind && e->record) freeAllItems(e);
    freeItems(&e->name.items, 's');
    free(e->record), free(e->seen), free(e);
}

Element* elementOf(mjSpec* s, snElement* source)
{
    if (!source) return NULL;
    for (Element* e = s->source->elements; e; e = e->next)
        if (e->source == source) return e;
    return newElement(s, source);
}

Element* newElement(mjSpec* s, snElement* source)
{
    Element* e = calloc(1, sizeof *e);
    if (!e) return NULL;
    *e = (Element){.s = s, .source = source, .kind = kindOf(source)};
    e->shown.elemtype = e->kind                                     ? e->kind->type
                        : !strcmp(sn_elementTag(source), "default") ? mjOBJ_DEFAULT
                                                                    : mjOBJ_UNKNOWN;
    if (!makeRecord(e)) {
        freeElement(e);
        return NULL;
    }
    e->next = s->source->elements;
    s->source->elements = e;
    if (e->kind) fillElement(e);
    return e;
}

void freeElements(mjSpec* s)
{
    while (s->source->elements) {
        Element* e = s->source->elements;
        s->source->elements = e->next;
        freeElement(e);
    }
}

void dropRemoved(mjSpec* s)
{
    const snElement* root = sn_root(s->source->spec);
    for (Element** place = &s->source->elements; *place;) {
        Element* e = *place;
        const snElement* top = e->source;
        while (sn_elementParent(top)) top = sn_elementParent(top);
        if (top == root) {
            place = &e->next;
        } else {
            *place = e->next;
            freeElement(e);
        }
    }
}
