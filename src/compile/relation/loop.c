// Loop joints from text fields: <text name="sinew_loop_NAME" data="TYPE SITE1 SITE2 key=value ..."/>.
#include <locale.h>
#include <stdio.h>
#include "base/nearest.h"
#include "base/number.h"
#include "compile/relation/relation.h"

#define PREFIX "sinew_loop_"
enum { MAXWORD = 256 };

#define X(name, value, keyword, meaning) keyword,
static const char* const TYPES[] = {SN_LOOP_TABLE(X)};
#undef X
enum { NTYPES = sizeof TYPES / sizeof *TYPES };

typedef enum Key { KEY_PITCH, KEY_LENGTH, KEY_STIFFNESS, KEY_DAMPING, KEY_REF, NKEYS } Key;
static const char* const KEYS[NKEYS] = {"pitch", "length", "stiffness", "damping", "ref"};

const char* sn_loopTextName(const char* text)
{
    const char* at = text ? strstr(text, PREFIX) : NULL;
    return at && at[strlen(PREFIX)] ? at + strlen(PREFIX) : NULL;
}

// What is being read: the field, and what is left of its text.
typedef struct Reading {
    snBuild* b;
    const snSpecText* text;
    const char* rest;
    int loop;
} Reading;

static bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// The next word; "": none is left. false: it is too long.
static bool nextWord(Reading* r, char word[MAXWORD])
{
    int length = 0;
    while (isBlank(*r->rest)) r->rest++;
    for (; *r->rest && !isBlank(*r->rest); r->rest++) {
        if (length == MAXWORD - 1)
            return sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL,
                                "data has a word of more than %d bytes", MAXWORD - 1);
        word[length++] = *r->rest;
    }
    word[length] = 0;
    return true;
}

static bool failWord(Reading* r, const char* what, const char* word, const char* const* words, int n)
{
    const char* nearest = sn_nearestWord(word, words, n);
    return sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL,
                        "%s \"%.80s\" of a loop joint is not known%s%s%s", what, word,
                        nearest ? ", did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

static bool readType(Reading* r)
{
    char word[MAXWORD];
    if (!nextWord(r, word)) return false;
    for (int k = 0; k < NTYPES; k++) {
        if (strcmp(word, TYPES[k]) != 0) continue;
        r->b->m->loop_type[r->loop] = k;
        return true;
    }
    return failWord(r, "type", word, TYPES, NTYPES);
}

// A site by its name; in what was attached with a prefix, first with that.
static bool readSite(Reading* r, int which)
{
    char word[MAXWORD], name[2 * MAXWORD];
    if (!nextWord(r, word)) return false;
    if (!word[0])
        return sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL,
                            "data must be a type and two sites: \"TYPE SITE1 SITE2 key=value ...\"");
    const char* full = r->text->head.name;
    const int prefix = (int)(strstr(full, PREFIX) - full);
    const snSpecHead* found = NULL;
    if (prefix > 0 && prefix < MAXWORD) {
        snprintf(name, sizeof name, "%.*s%s", prefix, full, word);
        found = sn_buildFind(r->b, &r->text->head, "data", SN_OBJ_SITE, name);
    } else {
        found = sn_buildFind(r->b, &r->text->head, "data", SN_OBJ_SITE, word);
    }
    if (!found) return false;
    r->b->m->loop_siteid[2 * r->loop + which] = found->id;
    return true;
}

static bool readNumber(Reading* r, const char* key, const char* text, double* value)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!locale) return sn_buildFail(r->b, &r->text->head, SN_STATUS_NO_MEMORY, "out of memory");
    const char* rest = text;
    const bool ok = sn_nextReal(&rest, locale, value) == SN_NUMBER_OK && !*rest && isfinite(*value);
    freelocale(locale);
    return ok ||
           sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL, "%s=%.80s is not a finite number", key, text);
}

// Puts a value where the type has a use for it.
static bool setKey(Reading* r, Key key, double value)
{
    snModel* m = r->b->m;
    const int l = r->loop, type = m->loop_type[l];
    const bool single = type == SN_LOOP_REVOLUTE || type == SN_LOOP_PRISMATIC || type == SN_LOOP_HELICAL;
    const bool fits = key == KEY_PITCH    ? type == SN_LOOP_HELICAL
                      : key == KEY_LENGTH ? type == SN_LOOP_DISTANCE
                                          : single;
    if (!fits)
        return sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL,
                            "%s is nothing that a %s joint has: it is for %s", KEYS[key], TYPES[type],
                            key == KEY_PITCH    ? "helical ones"
                            : key == KEY_LENGTH ? "distances"
                                                : "revolute, prismatic and helical ones");
    if ((key == KEY_LENGTH && !(value > 0)) || ((key == KEY_STIFFNESS || key == KEY_DAMPING) && value < 0))
        return sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL, "%s=%g must be %s", KEYS[key], value,
                            key == KEY_LENGTH ? "positive" : "0 or more");
    double* const fields[NKEYS] = {m->loop_parameter, m->loop_parameter, m->loop_stiffness, m->loop_damping,
                                   m->loop_ref};
    fields[key][l] = value;
    return true;
}

static bool readKeys(Reading* r)
{
    char word[MAXWORD];
    bool seen[NKEYS] = {false};
    for (;;) {
        if (!nextWord(r, word)) return false;
        if (!word[0]) break;
        char* equals = strchr(word, '=');
        if (equals) *equals = 0;
        int key = 0;
        while (key < NKEYS && strcmp(word, KEYS[key]) != 0) key++;
        if (key == NKEYS) return failWord(r, "key", word, KEYS, NKEYS);
        double value;
        if (!equals)
            return sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL, "%s wants a number: %s=VALUE", word,
                                word);
        if (seen[key]) return sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL, "%s stands twice", word);
        seen[key] = true;
        if (!readNumber(r, word, equals + 1, &value) || !setKey(r, (Key)key, value)) return false;
    }
    const int type = r->b->m->loop_type[r->loop];
    const Key needed = type == SN_LOOP_HELICAL ? KEY_PITCH : type == SN_LOOP_DISTANCE ? KEY_LENGTH : NKEYS;
    return needed == NKEYS || seen[needed] ||
           sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL, "a %s joint needs %s=VALUE", TYPES[type],
                        KEYS[needed]);
}

// Whether the sites can move against each other at all.
static bool checkSites(Reading* r)
{
    const snModel* m = r->b->m;
    const int* site = m->loop_siteid + 2 * r->loop;
    const int p = m->body_weldid[m->site_bodyid[site[0]]], s = m->body_weldid[m->site_bodyid[site[1]]];
    if (p != s) return true;
    return sn_buildFail(
        r->b, &r->text->head, SN_STATUS_MODEL,
        p == 0 ? "both sites are fixed in the world: put one of them on a body that moves"
               : "both sites are on bodies that do not move against each other: put them on two that do");
}

// ---- <text name="sinew_loops" data="exact key=value ..."/>: the options

static const char* const CHOICES[] = {"soft", "exact"};
typedef enum Setting { SET_SOLUTION, SET_TSTAB, SET_RANKTOL, SET_PROJECT, NSETTINGS } Setting;
static const char* const SETTINGS[NSETTINGS] = {"solution", "tstab", "ranktol", "project"};

static bool failSetting(Reading* r, const char* key, double value, const char* mend)
{
    return sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL, "%s=%g must be %s", key, value, mend);
}

static bool setOption(Reading* r, Setting setting, double value)
{
    snOption* opt = &r->b->m->opt;
    switch (setting) {
    case SET_SOLUTION:
        if (value != 1 && value != 2 && value != 3)
            return failSetting(r, SETTINGS[setting], value, "1, 2 or 3");
        opt->loop_solution = (int)value;
        return true;
    case SET_TSTAB:
        if (!(value > 0)) return failSetting(r, SETTINGS[setting], value, "positive");
        opt->loop_tstab = value;
        return true;
    case SET_RANKTOL:
        if (!(value >= 0 && value < 1))
            return failSetting(r, SETTINGS[setting], value, "0 or more, and below 1");
        opt->loop_ranktol = value;
        return true;
    default:
        if (value != 0 && value != 1) return failSetting(r, SETTINGS[setting], value, "0 or 1");
        opt->loop_project = (int)value;
        return true;
    }
}

static bool readOptions(Reading* r)
{
    char word[MAXWORD];
    if (!nextWord(r, word)) return false;
    int choice = 0;
    while (choice < 2 && strcmp(word, CHOICES[choice]) != 0) choice++;
    if (choice == 2)
        return sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL,
                            "data \"%.80s\" must begin with soft or exact", word);
    r->b->m->opt.loops = choice;
    for (;;) {
        if (!nextWord(r, word)) return false;
        if (!word[0]) return true;
        char* equals = strchr(word, '=');
        if (equals) *equals = 0;
        int key = 0;
        while (key < NSETTINGS && strcmp(word, SETTINGS[key]) != 0) key++;
        if (key == NSETTINGS) return failWord(r, "setting", word, SETTINGS, NSETTINGS);
        double value;
        if (!equals)
            return sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL, "%s wants a number: %s=VALUE", word,
                                word);
        if (!readNumber(r, word, equals + 1, &value) || !setOption(r, (Setting)key, value)) return false;
    }
}

// Errors decay by k_stab in steps of time: below two of them the decay would turn into growth.
static bool checkDecay(Reading* r)
{
    const snOption* opt = &r->b->m->opt;
    if (opt->loop_tstab >= 2 * opt->timestep) return true;
    return sn_buildFail(r->b, &r->text->head, SN_STATUS_MODEL,
                        "tstab=%g is too small for the timestep %g: make it %g or more", opt->loop_tstab,
                        opt->timestep, 2 * opt->timestep);
}

static bool readLoopOptions(Reading* r)
{
    SN_EACH (snSpecText, text, r->b->spec->texts) {
        if (!text->head.name || strcmp(text->head.name, "sinew_loops") != 0) continue;
        r->text = text;
        r->rest = text->data ? text->data : "";
        if (!readOptions(r) || !checkDecay(r)) return false;
    }
    return true;
}

bool sn_buildLoops(snBuild* b)
{
    Reading r = {.b = b, .loop = 0};
    if (!readLoopOptions(&r)) return false;
    SN_EACH (snSpecText, text, b->spec->texts) {
        if (!sn_loopTextName(text->head.name)) continue;
        r.text = text;
        r.rest = text->data ? text->data : "";
        b->m->loop_textid[r.loop] = text->head.id;
        if (!readType(&r) || !readSite(&r, 0) || !readSite(&r, 1) || !readKeys(&r) || !checkSites(&r))
            return false;
        r.loop++;
    }
    return true;
}
