// Attributes by the table: from text to the members of a record, and every way in which that can fail.
#include "format/mjcf/language/element.h"
#include "format/mjcf/language/newer.h"
#include "format/mjcf/language/reading.h"
#include "format/mjcf/language/words.h"
#include "base/nearest.h"
#include "base/number.h"
#include "model/rules.h"
#include <stdio.h>
#include <string.h>

snShort sn_short(const char* text)
{
    snShort s;
    size_t n = strlen(text);
    if (n <= 40) {
        memcpy(s.text, text, n + 1);
        return s;
    }
    n = 40;
    while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) n--; // not inside a UTF-8 character
    memcpy(s.text, text, n);
    memcpy(s.text + n, "...", 4);
    return s;
}

void sn_guess(snGuess* guess, const char* candidate)
{
    if (!*candidate) return;
    const int distance = sn_wordDistance(guess->word, candidate);
    const int length = (int)strlen(guess->word);
    if (3 * distance > (length < 3 ? 3 : length) || distance >= length) return;
    if (guess->best && distance >= guess->distance) return;
    guess->best = candidate;
    guess->distance = distance;
}

static bool badValue(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                     const char* what)
{
    return sn_mjcfFail(r, node, SN_STATUS_MODEL, "%s=\"%s\": %s", a->name, sn_short(text).text, what);
}

// inf is a way to write "no bound"; anywhere else it can only do harm.
static bool mayBeInfinite(const char* name)
{
    const size_t n = strlen(name);
    return (n >= 5 && !strcmp(name + n - 5, "range")) || !strcmp(name, "cutoff");
}

static bool checkReal(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                      snNumber result, double value)
{
    if (result == SN_NUMBER_BAD) return badValue(r, node, a, text, "expected a number");
    if (result == SN_NUMBER_RANGE)
        return badValue(r, node, a, text, "a number is too large, at most 1.8e308 is possible");
    if (isfinite(value) || (isinf(value) && mayBeInfinite(a->name))) return true;
    return sn_mjcfWarn(r, node, "%s=\"%s\": %s", a->name, sn_short(text).text,
                       isnan(value) ? "nan is not a number" : "numbers must be finite");
}

static bool checkCount(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                       int count)
{
    if (count >= a->min && count <= a->max) return true;
    char what[64];
    if (sn_isNewerCount(node, a->name, text))
        return sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED, "%s=\"%s\": so many numbers %s, give %d", a->name,
                           sn_short(text).text, sn_mjcfWhyNewer(r), a->max);
    if (a->min == a->max)
        snprintf(what, sizeof what, "expected %d number%s", a->min, a->min == 1 ? "" : "s");
    else
        snprintf(what, sizeof what, "expected %d to %d numbers", a->min, a->max);
    return badValue(r, node, a, text, what);
}

// Up to a->max numbers over the leading entries of values. An empty text is as no attribute.
static bool readReals(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                      double* values, int* count)
{
    *count = 0;
    for (const char* at = text;; ++*count) {
        double value = 0;
        const snNumber result = sn_nextReal(&at, r->locale, &value);
        if (result == SN_NUMBER_END) return *count == 0 || checkCount(r, node, a, text, *count);
        if (!checkReal(r, node, a, text, result, value)) return false;
        if (*count == a->max) return checkCount(r, node, a, text, *count + 1);
        values[*count] = value;
    }
}

// As it is under 3.3.7: one number where 4.0 reads several.
static snAttribute asMeant(const snReader* r, const snXmlNode* node, const snAttribute* a)
{
    snAttribute meant = *a;
    if (!sn_means(r->spec->physics, SN_RULE_NEWER_NAMES) && sn_isNewerCount(node, a->name, "")) meant.max = 1;
    return meant;
}

static bool readReal(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                     void* member)
{
    double values[10];
    int count;
    const snAttribute meant = asMeant(r, node, a);
    if (!readReals(r, node, &meant, text, values, &count)) return false;
    memcpy(member, values, (size_t)count * sizeof *values);
    return true;
}

static bool readFloat(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                      float* member)
{
    double values[10];
    int count;
    if (!readReals(r, node, a, text, values, &count)) return false;
    for (int i = 0; i < count; i++)
        if (isinf((float)values[i]) && !isinf(values[i]))
            return badValue(r, node, a, text, "a number is too large, at most 3.4e38 is possible");
    for (int i = 0; i < count; i++) member[i] = (float)values[i];
    return true;
}

// What came after 3.3.7 and is in the table is read under 4.0 alone.
static bool isTooNewWord(const snReader* r, const snXmlNode* node, const char* attribute, const char* word)
{
    return !sn_means(r->spec->physics, SN_RULE_NEWER_NAMES) &&
           sn_isNewerWord(node, attribute, word, strlen(word));
}

// A word in place of a whole number, for `active` of the headlight.
static bool readNumberWord(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                           int* member)
{
    int count;
    const snEnumItem* items = sn_mjcfWords("TRISTATE", &count);
    for (int i = 0; i < count; i++) {
        const char* word = items[i].keyword;
        if (strcmp(word, text) || !sn_isNewerWord(node, a->name, word, strlen(word))) continue;
        *member = items[i].value;
        return !isTooNewWord(r, node, a->name, word);
    }
    return false;
}

static bool notWhole(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text)
{
    if (isTooNewWord(r, node, a->name, text))
        return sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED, "%s=\"%s\": this %s, give a whole number", a->name,
                           sn_short(text).text, sn_mjcfWhyNewer(r));
    return badValue(r, node, a, text, "expected a whole number");
}

static bool readInt(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                    int* member)
{
    int values[4], count = 0;
    if (readNumberWord(r, node, a, text, member)) return true;
    for (const char* at = text;; count++) {
        int value;
        const snNumber result = sn_nextInt(&at, &value);
        if (result == SN_NUMBER_END) break;
        if (result == SN_NUMBER_BAD) return notWhole(r, node, a, text);
        if (result == SN_NUMBER_RANGE)
            return badValue(r, node, a, text,
                            "the number is too large, -2147483648 to 2147483647 are possible");
        if (count == a->max) return checkCount(r, node, a, text, count + 1);
        values[count] = value;
    }
    const bool absent = !count && a->max > 1; // an empty text is as no attribute
    if (!absent && !checkCount(r, node, a, text, count)) return false;
    memcpy(member, values, (size_t)count * sizeof *values);
    return true;
}

static bool readWord(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* words,
                     const char* text, int* value)
{
    int count;
    const snEnumItem* items = sn_mjcfWords(words, &count);
    snGuess guess = {text, NULL, 0};
    char list[200] = "";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        if (!*items[i].keyword || isTooNewWord(r, node, a->name, items[i].keyword)) continue;
        if (!strcmp(items[i].keyword, text)) {
            *value = items[i].value;
            return true;
        }
        sn_guess(&guess, items[i].keyword);
        const size_t room = sizeof list - used;
        const int n = snprintf(list + used, room, "%s%s", used ? ", " : "", items[i].keyword);
        used = n < (int)room ? used + (size_t)n : sizeof list - 1;
    }
    if (!strcmp(a->name, "reftype")) return true; // the sensor tells what becomes of it
    char what[300];
    if (sn_isNewerWord(node, a->name, text, strlen(text)))
        return sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED, "%s=\"%s\": this %s, it has %s", a->name,
                           sn_short(text).text, sn_mjcfWhyNewer(r), list);
    if (guess.best)
        snprintf(what, sizeof what, "unknown word, did you mean '%s'?", guess.best);
    else
        snprintf(what, sizeof what, "expected one of: %s", list);
    return badValue(r, node, a, text, what);
}

static bool readList(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                     snSpecNumbers* list)
{
    int count = 0;
    double value = 0;
    snNumber result;
    const char* at = text;
    for (; (result = sn_nextReal(&at, r->locale, &value)) == SN_NUMBER_OK; count++)
        if (!checkReal(r, node, a, text, result, value)) return false;
    if (result != SN_NUMBER_END) return checkReal(r, node, a, text, result, 0);
    double* values = sn_specAlloc(r->spec, (size_t)count * sizeof *values);
    if (!values) return sn_mjcfNoMemory(r);
    at = text;
    for (int i = 0; i < count; i++) sn_nextReal(&at, r->locale, &values[i]);
    *list = (snSpecNumbers){values, count};
    return true;
}

static bool readFloatList(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                          snSpecFloats* list)
{
    snSpecNumbers numbers;
    if (!readList(r, node, a, text, &numbers)) return false;
    float* values = sn_specAlloc(r->spec, (size_t)numbers.count * sizeof *values);
    if (!values) return sn_mjcfNoMemory(r);
    for (int i = 0; i < numbers.count; i++) {
        values[i] = (float)numbers.values[i];
        if (isinf(values[i]))
            return badValue(r, node, a, text, "a number is too large, at most 3.4e38 is possible");
    }
    *list = (snSpecFloats){values, numbers.count};
    return true;
}

static bool readIntList(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                        snSpecInts* list)
{
    int count = 0, value;
    snNumber result;
    const char* at = text;
    while ((result = sn_nextInt(&at, &value)) == SN_NUMBER_OK) count++;
    if (result == SN_NUMBER_BAD) return badValue(r, node, a, text, "expected whole numbers");
    if (result == SN_NUMBER_RANGE)
        return badValue(r, node, a, text, "a number is too large, -2147483648 to 2147483647 are possible");
    int* values = sn_specAlloc(r->spec, (size_t)count * sizeof *values);
    if (!values) return sn_mjcfNoMemory(r);
    at = text;
    for (int i = 0; i < count; i++) sn_nextInt(&at, &values[i]);
    *list = (snSpecInts){values, count};
    return true;
}

static bool readOrientation(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                            snOrientation* orient)
{
    double values[6];
    int count;
    if (!readReals(r, node, a, text, values, &count)) return false;
    if (count == 0) return true;
    if (a->kind == SN_ATTR_QUAT) {
        if (values[0] == 0 && values[1] == 0 && values[2] == 0 && values[3] == 0)
            return badValue(r, node, a, text, "a zero quaternion is no orientation");
        memcpy(orient->quat, values, 4 * sizeof *values);
        if (sn_means(r->spec->physics, SN_RULE_QUAT_OVER_CLASS)) orient->kind = SN_ORIENT_QUAT;
        return true;
    }
    memcpy(orient->value, values, (size_t)count * sizeof *values);
    orient->kind = a->kind == SN_ATTR_AXISANGLE ? SN_ORIENT_AXISANGLE
                   : a->kind == SN_ATTR_XYAXES  ? SN_ORIENT_XYAXES
                   : a->kind == SN_ATTR_ZAXIS   ? SN_ORIENT_ZAXIS
                                                : SN_ORIENT_EULER;
    return true;
}

static bool readFlag(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                     int* bits)
{
    int enabled;
    if (!readWord(r, node, a, "ENABLE", text, &enabled)) return false;
    if (enabled == a->max)
        *bits |= a->min;
    else
        *bits &= ~a->min;
    return true;
}

// Whether a text asks for nothing that is not there: its words are the default, or it has none.
static bool isDefault(const snReader* r, const snAttribute* a, const char* text)
{
    for (snWord word; (word = sn_nextTextWord(&text)).length;) {
        double value = 0, standard = 1;
        const char *given = word.at, *init = a->init;
        if (sn_wordIs(word, a->init)) continue;
        if (sn_nextReal(&given, r->locale, &value) != SN_NUMBER_OK ||
            sn_nextReal(&init, r->locale, &standard) != SN_NUMBER_OK || value != standard)
            return false;
    }
    return true;
}

static bool readAttribute(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                          void* record)
{
    void* member = (char*)record + a->offset;
    switch (a->kind) {
    case SN_ATTR_REAL:
    case SN_ATTR_VEC: return readReal(r, node, a, text, member);
    case SN_ATTR_FLOAT:
    case SN_ATTR_FVEC: return readFloat(r, node, a, text, member);
    case SN_ATTR_INT:
    case SN_ATTR_IVEC: return readInt(r, node, a, text, member);
    case SN_ATTR_BOOL: return readWord(r, node, a, "BOOL", text, member);
    case SN_ATTR_WORD: return readWord(r, node, a, a->words, text, member);
    case SN_ATTR_FLAG: return readFlag(r, node, a, text, member);
    case SN_ATTR_TEXT:
    case SN_ATTR_NAMES:
    case SN_ATTR_REF: *(const char**)member = *text ? text : NULL; return true;
    case SN_ATTR_LIST:
        // actuatorgroupdisable has no record of its own, the settings read it
        return a->max == 0 && a->offset == 0 ? true : readList(r, node, a, text, member);
    case SN_ATTR_FLIST: return readFloatList(r, node, a, text, member);
    case SN_ATTR_ILIST: return readIntList(r, node, a, text, member);
    case SN_ATTR_QUAT:
    case SN_ATTR_AXISANGLE:
    case SN_ATTR_XYAXES:
    case SN_ATTR_ZAXIS:
    case SN_ATTR_EULER: return readOrientation(r, node, a, text, member);
    case SN_ATTR_NAME:
    case SN_ATTR_CLASS:
    case SN_ATTR_CHILDCLASS: return true;
    case SN_ATTR_LATER: return isDefault(r, a, text) || sn_mjcfLater(r, node, a->name);
    }
    return false;
}

static bool unknownAttribute(const snReader* r, const snXmlNode* node, const snMjcfElement* element,
                             int where, const char* name)
{
    if (sn_isNewerLook(node, name))
        return sn_mjcfWarn(r, node, "'%s' %s and is passed over, remove it", name, sn_mjcfWhyNewer(r));
    const bool reads = sn_means(r->spec->physics, SN_RULE_NEWER_NAMES) && sn_mjcfAttribute(element, ~0, name);
    if (sn_isNewerAttribute(node, name) && !reads) return sn_mjcfNewer(r, node, name);
    snGuess guess = {name, NULL, 0};
    bool elsewhere = false;
    for (int i = 0; i < element->nattributes; i++) {
        const snAttribute* a = &element->attributes[i];
        if (a->where & where)
            sn_guess(&guess, a->name);
        else
            elsewhere |= !strcmp(a->name, name);
    }
    // the peer looks at no others in these two
    if (!strcmp(node->tag, "frame") || !strcmp(node->tag, "replicate"))
        return sn_mjcfWarn(r, node, "unknown attribute '%s' is passed over%s%s%s", sn_short(name).text,
                           guess.best ? ", did you mean '" : "", guess.best ? guess.best : "",
                           guess.best ? "'?" : "");
    if (elsewhere)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute '%s' is not allowed in a default", name);
    if (guess.best)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "unknown attribute '%s', did you mean '%s'?",
                           sn_short(name).text, guess.best);
    return sn_mjcfFail(r, node, SN_STATUS_MODEL, "unknown attribute '%s'", sn_short(name).text);
}

static bool checkRequired(const snReader* r, const snXmlNode* node, const snMjcfElement* element)
{
    bool good = true;
    for (int i = 0; i < element->nattributes; i++) {
        const snAttribute* a = &element->attributes[i];
        if (!(a->where & SN_REQUIRED)) continue;
        const char* text = sn_xmlAttribute(node, a->name);
        const bool number = a->kind == SN_ATTR_REAL || a->kind == SN_ATTR_VEC;
        if (text && !(number && text[strspn(text, " \t\n\r")] == 0)) continue;
        good = sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute '%s' is missing", a->name);
        if (!sn_mjcfGoOn(r)) return false;
    }
    return good;
}

static const snAttribute* findAttribute(const snMjcfElement* element, int where, const char* name)
{
    for (int i = 0; i < element->nattributes; i++)
        if ((element->attributes[i].where & where) && !strcmp(element->attributes[i].name, name))
            return &element->attributes[i];
    return NULL;
}

// What came after 3.3.7 and is in the table is read under 4.0 alone.
static bool isTooNew(const snReader* r, const snXmlNode* node, const char* name)
{
    return !sn_means(r->spec->physics, SN_RULE_NEWER_NAMES) &&
           (sn_isNewerAttribute(node, name) || sn_isNewerLook(node, name));
}

// An attribute of the table; an element has one orientation.
static bool readKnown(const snReader* r, const snXmlNode* node, const snAttribute* a, const char* text,
                      const snAttribute** orientation, void* record)
{
    if (a->kind >= SN_ATTR_QUAT && a->kind <= SN_ATTR_EULER) {
        if (*orientation)
            return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'%s' and '%s' are both an orientation, give one",
                               (*orientation)->name, a->name);
        *orientation = a;
    }
    return readAttribute(r, node, a, text, record);
}

bool sn_readAttributes(const snReader* r, const snXmlNode* node, const snMjcfElement* element, int where,
                       void* record)
{
    const snAttribute* orientation = NULL;
    bool good = true, known = true;
    for (int i = 0; i < node->nattributes; i++) {
        const snXmlAttribute* text = &node->attributes[i];
        const snAttribute* a = findAttribute(element, where, text->name);
        if (!strcmp(text->name, SN_TREE_CDATA)) continue;
        if (a && isTooNew(r, node, text->name)) a = NULL;
        if (a ? readKnown(r, node, a, text->value, &orientation, record)
              : unknownAttribute(r, node, element, where, text->name))
            continue;
        good = false;
        known &= a != NULL;
        if (!sn_mjcfGoOn(r)) return false;
    }
    // one that seems to be missing may be the one that is misspelt
    if (where == SN_IN_ELEMENT && known) good &= checkRequired(r, node, element);
    if (good) return true;
    if (r->mistakes) r->mistakes->spoilt = node;
    return sn_mjcfGoOnHere(r);
}
