// What an attribute of the source amounts to: as set, over what the default classes say, over the language's
// own default.
#define _GNU_SOURCE // newlocale
#include "base/number.h"
#include "format/mjcf/tree/inherit.h"
#include <stdlib.h>
#include <string.h>

// The element that holds the default classes that apply to another one.
static const snElement* classRoot(const snSpec* spec, const snElement* element)
{
    return element->origin ? element->origin->settings : spec->root;
}

static const snElement* findClass(const snElement* root, const char* name)
{
    for (const snElement* section = root->first; section; section = section->next)
        for (const snElement* e = strcmp(section->tag, "default") ? NULL : section; e;
             e = sn_nextInTree(section, e))
            if (!strcmp(e->tag, "default") && !strcmp(sn_mjcfName(e), name)) return e;
    return NULL;
}

// The name of the class that an element starts from.
static const char* className(const snElement* element)
{
    const char* name = sn_attributeText(element, "class");
    for (const snElement* e = element->parent; !name && e && e->origin == element->origin; e = e->parent)
        name = sn_attributeText(e, "childclass");
    return name ? name : "main";
}

// Whether what a default of one tag says holds for elements of another: all actuators share one record.
static bool sharesDefaults(const snElement* element, const char* tag)
{
    const char* section = element->parent ? element->parent->tag : "";
    if (!strcmp(section, "actuator")) {
        int where;
        return sn_mjcfInside(element->parent, tag, &where) != NULL;
    }
    if (!strcmp(section, "tendon")) return !strcmp(tag, "tendon");
    if (!strcmp(section, "equality")) return !strcmp(tag, "equality");
    return !strcmp(element->tag, tag);
}

snClasses sn_classesOf(const snSpec* spec, const snElement* element)
{
    snClasses classes = {.count = 0};
    const snElement* class;
    if (!strcmp(element->tag, "freejoint"))
        class = NULL;
    else if (element->parent && !strcmp(element->parent->tag, "default"))
        class = element->parent->parent;
    else
        class = findClass(classRoot(spec, element), className(element));
    for (; class && !strcmp(class->tag, "default") && classes.count < SN_MAX_CLASSES; class = class->parent) {
        classes.list[classes.count++] = class;
        if (class->depth == 2 || !class->parent || strcmp(class->parent->tag, "default")) break;
    }
    // The outermost class may stand in several sections. A class inside one starts as a copy of what stands
    // up to there, "main" itself is all of them.
    const snElement* top = classes.count ? classes.list[--classes.count] : NULL;
    if (top && !classes.count)
        for (const snElement* e = top; e; e = e->next)
            if (!strcmp(e->tag, "default")) top = e;
    for (; top && classes.count < SN_MAX_CLASSES; top = top->prev)
        if (!strcmp(top->tag, "default")) classes.list[classes.count++] = top;
    return classes;
}

int sn_givenTexts(const snClasses* classes, const snElement* element, const char* attribute,
                  const char* texts[SN_MAX_CLASSES + 1])
{
    int n = 0;
    for (int i = classes->count - 1; i >= 0; i--)
        for (const snElement* e = classes->list[i]->first; e; e = e->next) {
            const char* text = sharesDefaults(element, e->tag) ? sn_attributeText(e, attribute) : NULL;
            if (text && n < SN_MAX_CLASSES) texts[n++] = text;
        }
    const char* own = sn_attributeText(element, attribute);
    if (own) texts[n++] = own;
    return n;
}

static int collect(const snSpec* spec, const snElement* element, const char* attribute,
                   const char* texts[SN_MAX_CLASSES + 1])
{
    const snClasses classes = sn_classesOf(spec, element);
    return sn_givenTexts(&classes, element, attribute, texts);
}

// Words of <option> have their defaults where sn_defaultOption sets them, not in the table.
static const char* optionWord(const snAttribute* a)
{
    snOption option;
    sn_defaultOption(&option);
    int value, count;
    memcpy(&value, (const char*)&option + a->offset, sizeof value);
    const snEnumItem* items = sn_mjcfWords(a->words, &count);
    for (int i = 0; i < count; i++)
        if (items[i].value == value) return items[i].keyword;
    return "";
}

const char* sn_getText(snSpec* spec, const snElement* element, const char* attribute)
{
    const char* texts[SN_MAX_CLASSES + 1];
    int where;
    if (!element->parent || !strcmp(element->tag, "default")) return sn_attributeText(element, attribute);
    const snMjcfElement* type = sn_mjcfOf(element, &where);
    const snAttribute* a = sn_mjcfAttribute(type, where, attribute);
    if (!a) return NULL;
    if (a->kind == SN_ATTR_NAME || a->kind == SN_ATTR_CLASS || a->kind == SN_ATTR_CHILDCLASS)
        return sn_attributeText(element, attribute);
    const int n = collect(spec, element, attribute, texts);
    if (n > 0) return texts[n - 1];
    if (a->kind == SN_ATTR_WORD && !strcmp(type->path, "option")) return optionWord(a);
    if (a->kind == SN_ATTR_WORD || a->kind == SN_ATTR_BOOL) return sn_mjcfDefaultWord(a);
    if (a->kind == SN_ATTR_FLAG) return a->init;
    if (a->kind == SN_ATTR_TEXT && *a->init == '"') // the eulerseq of the compiler
        return sn_poolText(&spec->tree, a->init + 1, strlen(a->init) - 2);
    return NULL;
}

static bool isList(snAttributeKind kind)
{
    return kind == SN_ATTR_LIST || kind == SN_ATTR_FLIST || kind == SN_ATTR_ILIST;
}

// Numbers of a default as the table writes it: C, with commas, suffixes and names.
static int defaultNumbers(const snMjcfElement* type, const snAttribute* a, double* numbers, int n)
{
    int count = 0;
    if (!strcmp(type->path, "option")) {
        snOption option;
        sn_defaultOption(&option);
        const char* member = (const char*)&option + a->offset;
        for (; count < a->max; count++) {
            if (count >= n) continue;
            int whole;
            memcpy(&whole, member + (size_t)count * sizeof whole, sizeof whole);
            if (a->kind == SN_ATTR_INT)
                numbers[count] = whole;
            else
                memcpy(&numbers[count], member + (size_t)count * sizeof(double), sizeof(double));
        }
        return count;
    }
    if (isList(a->kind) || strstr(a->init, "NAN") || strstr(a->init, "nan"))
        return 0; // stands for: not given
    for (const char* at = a->init; *at && count < a->max; count++) {
        const int value = atoi(at);
        // digits with a point or an exponent, and nothing else, stand in the tables
        const double x = strpbrk(at, ".e") ? strtod(at, NULL) : value;
        if (count < n) numbers[count] = x;
        at = strchr(at, ',') ? strchr(at, ',') + 1 : "";
        at += strspn(at, " ");
    }
    for (; count > 0 && count < a->max && a->min == a->max; count++) // {0} fills the rest with zeros
        if (count < n) numbers[count] = 0;
    return count;
}

static int numbersOf(locale_t locale, const char* text, double* numbers, int n)
{
    int count = 0;
    double x;
    while (sn_nextReal(&text, locale, &x) == SN_NUMBER_OK) {
        if (count < n) numbers[count] = x;
        count++;
    }
    return count;
}

static bool isNumeric(snAttributeKind kind)
{
    return kind <= SN_ATTR_IVEC || isList(kind) || (kind >= SN_ATTR_QUAT && kind <= SN_ATTR_EULER);
}

int sn_getNumbers(snSpec* spec, const snElement* element, const char* attribute, double* numbers, int n)
{
    const char* texts[SN_MAX_CLASSES + 1];
    int where;
    const snMjcfElement* type = sn_mjcfOf(element, &where);
    const snAttribute* a = sn_mjcfAttribute(type, where, attribute);
    if (!a || !isNumeric(a->kind)) return 0;
    const locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!locale) return 0;
    int count = defaultNumbers(type, a, numbers, n);
    const int ntexts = collect(spec, element, attribute, texts);
    for (int i = 0; i < ntexts; i++) { // a shorter text sets the leading numbers
        const int given = numbersOf(locale, texts[i], numbers, n);
        if (given > count || isList(a->kind)) count = given;
    }
    freelocale(locale);
    return count;
}
