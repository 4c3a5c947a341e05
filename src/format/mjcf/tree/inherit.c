// What an attribute of the source amounts to: as set, over what the default classes say, over the language's
// own default.
#include "base/number.h"
#include "format/mjcf/tree/inherit.h"
#include "model/option_default.h"
#include <stdlib.h>
#include <string.h>

static bool isClass(const snElement* e)
{
    return e && !strcmp(e->tag, "default");
}

static bool isOutermost(const snElement* class)
{
    return class->depth == 2 || !isClass(class->parent);
}

// The last section of the outermost class.
static snElement* lastSection(snElement* section)
{
    for (snElement* e = section; e; e = e->next)
        if (isClass(e)) section = e;
    return section;
}

// Its outermost class is "main" whatever it is called.
static snElement* findBelow(const snElement* root, const char* name)
{
    for (snElement* section = root->first; section; section = section->next) {
        if (strcmp(section->tag, "default")) continue;
        if (!strcmp(name, "main")) return section;
        for (snElement* e = section; e; e = sn_nextInTree(section, e))
            if (!strcmp(e->tag, "default") && !strcmp(sn_mjcfName(e), name)) return e;
    }
    return NULL;
}

snElement* sn_findClass(const snSpec* spec, const snOrigin* origin, const char* name)
{
    const bool main = !strcmp(name, "main");
    snElement* found = origin ? findBelow(origin->settings, name) : NULL;
    if (!found && !(origin && main)) found = findBelow(spec->root, name);
    for (const snOrigin* o = spec->origins; o && !found && !main; o = o->next)
        found = findBelow(o->settings, name);
    return found && isOutermost(found) ? lastSection(found) : found;
}

// What it was attached to does not count, what it was added to does.
const char* sn_elementClass(const snElement* element)
{
    const bool holds = !strcmp(element->tag, "body") || !strcmp(element->tag, "frame");
    const char* name = sn_attributeText(element, holds ? "childclass" : "class");
    const snOrigin* origin = element->origin;
    for (const snElement* e = element->parent; (!name || !*name) && e; e = e->parent) {
        if (!origin) origin = e->origin;
        if (e->origin != origin) break;
        name = sn_attributeText(e, "childclass");
    }
    return name && *name ? name : "main";
}

static bool isActuator(const char* tag)
{
    snElement root = {.tag = "mujoco"};
    const snElement section = {.tag = "actuator", .parent = &root};
    int where;
    return sn_mjcfInside(&section, tag, &where) != NULL;
}

// Whether what a default of one tag says holds for elements of another: all actuators share one record.
static bool sharesDefaults(const snElement* element, const char* tag)
{
    const char* section = element->parent ? element->parent->tag : "";
    if (!strcmp(section, "actuator") || (!strcmp(section, "default") && isActuator(element->tag)))
        return isActuator(tag);
    if (!strcmp(section, "tendon")) return !strcmp(tag, "tendon");
    if (!strcmp(section, "equality")) return !strcmp(tag, "equality");
    return !strcmp(element->tag, tag);
}

// Of several sections with the outermost class.
static const snElement* sectionBefore(const snElement* section)
{
    do section = section->prev;
    while (section && !isClass(section));
    return section;
}

// The class that an element starts from, its last section if it is the outermost one. What stands in a class
// starts from the class around it, or from the section before.
static const snElement* firstClass(const snSpec* spec, const snElement* element)
{
    if (!strcmp(element->tag, "freejoint")) return NULL;
    if (isClass(element->parent))
        return isOutermost(element->parent) ? sectionBefore(element->parent) : element->parent->parent;
    return sn_findClass(spec, element->origin, sn_elementClass(element));
}

// The outermost class may stand in several sections. A class inside one starts as a copy of what stands up to
// there, "main" itself is all of them.
snClasses sn_classesOf(const snSpec* spec, const snElement* element)
{
    snClasses classes = {.count = 0};
    const snElement* class = firstClass(spec, element);
    while (class && classes.count < SN_MAX_CLASSES) {
        classes.list[classes.count++] = class;
        class = isOutermost(class) ? sectionBefore(class) : class->parent;
    }
    return classes;
}

// The texts of what stands in a class, up to `end`, behind the first n; returns how many there are then.
static int addTexts(const snElement* class, const snElement* end, const snElement* element,
                    const char* attribute, const char** texts, int n)
{
    for (const snElement* e = class->first; e && e != end; e = e->next) {
        const char* text = sharesDefaults(element, e->tag) ? sn_attributeText(e, attribute) : NULL;
        if (text && n < SN_MAX_CLASSES) texts[n++] = text;
    }
    return n;
}

int sn_givenTexts(const snClasses* classes, const snElement* element, const char* attribute,
                  const char* texts[SN_MAX_CLASSES + 1])
{
    int n = 0;
    for (int i = classes->count - 1; i >= 0; i--)
        n = addTexts(classes->list[i], NULL, element, attribute, texts, n);
    if (isClass(element->parent)) n = addTexts(element->parent, element, element, attribute, texts, n);
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

// Words of <option> have their defaults where sn_optionOf sets them, not in the table.
static const char* optionWord(const snSpec* spec, const snAttribute* a)
{
    const snOption option = sn_optionOf(spec->physics);
    int value, count;
    memcpy(&value, (const char*)&option + a->offset, sizeof value);
    const snEnumItem* items = sn_mjcfWords(a->words, &count);
    for (int i = 0; i < count; i++)
        if (items[i].value == value) return items[i].keyword;
    return "";
}

// The word of a flag where none is said.
static const char* flagWord(const snSpec* spec, const snAttribute* a)
{
    const snOption option = sn_optionOf(spec->physics);
    int bits;
    memcpy(&bits, (const char*)&option + a->offset, sizeof bits);
    return !(bits & a->min) == !a->max ? "enable" : "disable";
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
    if (a->kind == SN_ATTR_WORD && !strcmp(type->path, "option")) return optionWord(spec, a);
    if (a->kind == SN_ATTR_WORD || a->kind == SN_ATTR_BOOL) return sn_mjcfDefaultWord(a);
    if (a->kind == SN_ATTR_FLAG) return flagWord(spec, a);
    if (a->kind == SN_ATTR_TEXT && *a->init == '"') // the eulerseq of the compiler
        return sn_poolText(&spec->tree, a->init + 1, strlen(a->init) - 2);
    return NULL;
}

static bool isList(snAttributeKind kind)
{
    return kind == SN_ATTR_LIST || kind == SN_ATTR_FLIST || kind == SN_ATTR_ILIST;
}

// Numbers of a default as the table writes it: C, with commas, suffixes and names.
static int defaultNumbers(const snSpec* spec, const snMjcfElement* type, const snAttribute* a,
                          double* numbers, int n)
{
    int count = 0;
    if (!strcmp(type->path, "visual/headlight") && a->kind == SN_ATTR_INT) {
        if (n > 0) numbers[0] = sn_visualOf(spec->physics).headlight.active;
        return 1;
    }
    if (!strcmp(type->path, "option")) {
        const snOption option = sn_optionOf(SN_PHYSICS_V3_3_7); // its numbers are the same under all
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

static int numbersOf(snLocale locale, const char* text, double* numbers, int n)
{
    int count = 0, words;
    double x;
    const snEnumItem* word = sn_mjcfWords("TRISTATE", &words);
    for (int i = 0; i < words; i++) { // of the headlight, in place of a number
        if (strcmp(word[i].keyword, text)) continue;
        if (n > 0) numbers[0] = word[i].value;
        return 1;
    }
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
    const snLocale locale = sn_makeLocale();
    if (!locale) return 0;
    int count = defaultNumbers(spec, type, a, numbers, n);
    const int ntexts = collect(spec, element, attribute, texts);
    int last = 0;
    for (int i = 0; i < ntexts; i++) { // a shorter text sets the leading numbers
        const int given = numbersOf(locale, texts[i], numbers, n);
        if (given > count || isList(a->kind)) count = given;
        last = given;
    }
    sn_freeLocale(locale);
    // one scale of a frame is for all three axes
    if (last == 1 && !strcmp(type->path, "frame"))
        for (int k = 1; k < count && k < n; k++) numbers[k] = numbers[0];
    return count;
}
