#define _GNU_SOURCE // newlocale
#include "format/mjcf/language/loop_text.h"
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/nearest.h"
#include "base/number.h"

#define X(name, value, keyword, meaning) keyword,
static const char* const TYPES[] = {SN_LOOP_TABLE(X)};
#undef X
enum { NTYPES = sizeof TYPES / sizeof *TYPES };
static const char* const KEYS[SN_NLOOPKEY] = {"pitch", "length", "stiffness", "damping", "ref"};

static const char* const CHOICES[] = {"soft", "exact"};
typedef enum Setting { SET_SOLUTION, SET_TSTAB, SET_RANKTOL, SET_PROJECT, NSETTINGS } Setting;
static const char* const SETTINGS[NSETTINGS] = {"solution", "tstab", "ranktol", "project"};

// ---- words

static bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// The next word of a text; of length 0: none is left.
static snWord nextWord(const char** rest)
{
    while (isBlank(**rest)) ++*rest;
    snWord word = {*rest, 0};
    while (word.at[word.length] && !isBlank(word.at[word.length])) word.length++;
    *rest += word.length;
    return word;
}

// How much of a word is printed.
static int shown(snWord word)
{
    return word.length < 80 ? (int)word.length : 80;
}

__attribute__((format(printf, 2, 3))) static bool say(snLoopMistake* mistake, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    mistake->status = SN_STATUS_MODEL;
    vsnprintf(mistake->text, sizeof mistake->text, format, args);
    va_end(args);
    return false;
}

static int findWord(snWord word, const char* const* words, int n)
{
    int k = 0;
    while (k < n && !sn_wordIs(word, words[k])) k++;
    return k;
}

static const char* nearestTo(snWord word, const char* const* words, int n)
{
    char text[64];
    snprintf(text, sizeof text, "%.*s", shown(word), word.at);
    return sn_nearestWord(text, words, n);
}

static bool sayUnknown(snLoopMistake* mistake, const char* what, snWord word, const char* const* words, int n)
{
    const char* nearest = nearestTo(word, words, n);
    if (nearest)
        return say(mistake, "%s \"%.*s\" is not known, did you mean \"%s\"?", what, shown(word), word.at,
                   nearest);
    char list[200] = "";
    for (int i = 0, at = 0; i < n && at < (int)sizeof list; i++)
        at += snprintf(list + at, sizeof list - (size_t)at, "%s%s", i ? ", " : "", words[i]);
    return say(mistake, "%s \"%.*s\" is not known, expected one of: %s", what, shown(word), word.at, list);
}

// ---- key=value

typedef struct Pair {
    int key;
    double value;
} Pair;

static bool readNumber(snWord key, snWord text, double* value, snLoopMistake* mistake)
{
    const locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!locale) {
        say(mistake, "out of memory");
        mistake->status = SN_STATUS_NO_MEMORY;
        return false;
    }
    const char* rest = text.at;
    const bool ok = sn_nextReal(&rest, locale, value) == SN_NUMBER_OK && rest == text.at + text.length &&
                    isfinite(*value);
    freelocale(locale);
    return ok || say(mistake, "%.*s=%.*s is not a finite number", shown(key), key.at, shown(text), text.at);
}

// One word "key=value"; seen: bits of the keys that have been.
static bool readPair(snWord word, const char* what, const char* const* keys, int n, unsigned* seen,
                     Pair* pair, snLoopMistake* mistake)
{
    const char* equals = memchr(word.at, '=', word.length);
    const snWord key = {word.at, equals ? (size_t)(equals - word.at) : word.length};
    pair->key = findWord(key, keys, n);
    if (pair->key == n) return sayUnknown(mistake, what, key, keys, n);
    if (!equals) return say(mistake, "%s wants a number: %s=VALUE", keys[pair->key], keys[pair->key]);
    if (*seen & 1u << pair->key) return say(mistake, "%s stands twice", keys[pair->key]);
    *seen |= 1u << pair->key;
    return readNumber(key, (snWord){equals + 1, word.length - key.length - 1}, &pair->value, mistake);
}

// ---- loop joints

const char* sn_loopTextName(const char* name, size_t* prefix_length)
{
    const char* at = name ? strstr(name, SN_LOOP_PREFIX) : NULL;
    if (!at || !at[strlen(SN_LOOP_PREFIX)]) return NULL;
    if (prefix_length) *prefix_length = (size_t)(at - name);
    return at + strlen(SN_LOOP_PREFIX);
}

bool sn_loopTextSites(const char* data, snWord site[2])
{
    if (!nextWord(&data).length) return false;
    for (int k = 0; k < 2; k++) site[k] = nextWord(&data);
    return site[0].length && site[1].length;
}

bool sn_loopElementSites(const snElement* element, snWord site[2])
{
    if (strcmp(element->tag, "text") != 0 || !sn_loopTextName(sn_attributeText(element, "name"), NULL))
        return false;
    const char* data = sn_attributeText(element, "data");
    return data && sn_loopTextSites(data, site);
}

bool sn_putLoopSite(snPool* pool, snElement* element, int which, const char* prefix, snWord name,
                    const char* suffix)
{
    snWord site[2];
    if (!sn_loopElementSites(element, site)) return true;
    const char *data = sn_attributeText(element, "data"), *rest = site[which].at + site[which].length;
    const size_t room = strlen(data) + strlen(prefix) + name.length + strlen(suffix) + 1;
    char* text = sn_malloc(room);
    if (!text) return false;
    snprintf(text, room, "%.*s%s%.*s%s%s", (int)(site[which].at - data), data, prefix, (int)name.length,
             name.at, suffix, rest);
    const bool done = sn_putAttribute(pool, element, "data", text);
    sn_free(text);
    return done;
}

// Whether a type has a use for a key and the value is one that it can have.
static bool checkKey(snLoopType type, Pair pair, snLoopMistake* mistake)
{
    const bool single = type == SN_LOOP_REVOLUTE || type == SN_LOOP_PRISMATIC || type == SN_LOOP_HELICAL;
    const bool pitch = pair.key == SN_LOOPKEY_PITCH, length = pair.key == SN_LOOPKEY_LENGTH;
    const bool fits = pitch ? type == SN_LOOP_HELICAL : length ? type == SN_LOOP_DISTANCE : single;
    if (!fits)
        return say(mistake, "%s is nothing that a %s joint has: it is for %s", KEYS[pair.key], TYPES[type],
                   pitch    ? "helical ones"
                   : length ? "distances"
                            : "revolute, prismatic and helical ones");
    const bool positive = pair.key == SN_LOOPKEY_STIFFNESS || pair.key == SN_LOOPKEY_DAMPING;
    if ((length && !(pair.value > 0)) || (positive && pair.value < 0))
        return say(mistake, "%s=%g must be %s", KEYS[pair.key], pair.value,
                   length ? "positive" : "0 or more");
    return true;
}

bool sn_readLoopText(const char* data, snLoopText* text, snLoopMistake* mistake)
{
    const char* rest = data;
    const snWord word = nextWord(&rest);
    const int type = findWord(word, TYPES, NTYPES);
    unsigned seen = 0;
    *text = (snLoopText){.type = (snLoopType)type};
    if (!word.length || (type < NTYPES && !sn_loopTextSites(data, text->site)))
        return say(mistake, "data must be a type and two sites: \"TYPE SITE1 SITE2 key=value ...\"");
    if (type == NTYPES) return sayUnknown(mistake, "type", word, TYPES, NTYPES);
    rest = text->site[1].at + text->site[1].length;
    for (snWord next; (next = nextWord(&rest)).length;) {
        Pair pair;
        if (!readPair(next, "key", KEYS, SN_NLOOPKEY, &seen, &pair, mistake) ||
            !checkKey(text->type, pair, mistake))
            return false;
        text->value[pair.key] = pair.value;
    }
    const snLoopKey needed = type == SN_LOOP_HELICAL    ? SN_LOOPKEY_PITCH
                             : type == SN_LOOP_DISTANCE ? SN_LOOPKEY_LENGTH
                                                        : SN_NLOOPKEY;
    return needed == SN_NLOOPKEY || (seen & 1u << needed) ||
           say(mistake, "a %s joint needs %s=VALUE", TYPES[type], KEYS[needed]);
}

// ---- options

static bool setOption(snOption* opt, Pair pair, snLoopMistake* mistake)
{
    const double value = pair.value;
    const char* mend = NULL;
    switch ((Setting)pair.key) {
    case SET_SOLUTION:
        if (value != 1 && value != 2 && value != 3)
            mend = "1, 2 or 3";
        else
            opt->loop_solution = (int)value;
        break;
    case SET_TSTAB:
        if (!(value > 0)) mend = "positive";
        opt->loop_tstab = value;
        break;
    case SET_RANKTOL:
        if (!(value >= 0 && value < 1)) mend = "0 or more, and below 1";
        opt->loop_ranktol = value;
        break;
    default:
        if (value != 0 && value != 1)
            mend = "0 or 1";
        else
            opt->loop_project = (int)value;
    }
    return !mend || say(mistake, "%s=%g must be %s", SETTINGS[pair.key], value, mend);
}

bool sn_readLoopsText(const char* data, snOption* opt, snLoopMistake* mistake)
{
    const snWord word = nextWord(&data);
    const int choice = findWord(word, CHOICES, 2);
    unsigned seen = 0;
    if (choice == 2) {
        const char* nearest = nearestTo(word, CHOICES, 2);
        return say(mistake, "data \"%.*s\" must begin with soft or exact%s%s%s", shown(word), word.at,
                   nearest ? ", did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
    }
    opt->loops = choice;
    for (snWord next; (next = nextWord(&data)).length;) {
        Pair pair;
        if (!readPair(next, "setting", SETTINGS, NSETTINGS, &seen, &pair, mistake) ||
            !setOption(opt, pair, mistake))
            return false;
    }
    return true;
}

const char* sn_nearestLoopText(const char* name)
{
    static const char ours[] = "sinew_";
    if (strncmp(name, ours, strlen(ours)) != 0 || !strcmp(name, SN_LOOPS_NAME) || sn_loopTextName(name, NULL))
        return NULL;
    const char* tail = name + strlen(ours);
    const size_t length = strcspn(tail, "_-. ");
    char head[16];
    snprintf(head, sizeof head, "%.*s", length < sizeof head ? (int)length : 0, tail);
    if (sn_wordDistance(head, "loop") > 1 && sn_wordDistance(head, "loops") > 1) return NULL;
    return tail[length] ? SN_LOOP_PREFIX "NAME" : SN_LOOPS_NAME " or " SN_LOOP_PREFIX "NAME";
}
