#include "format/mjcf/language/loop_text.h"
#include "format/mjcf/language/field.h"

#define X(name, value, keyword, meaning) keyword,
static const char* const TYPES[] = {SN_LOOP_TABLE(X)};
#undef X
enum { NTYPES = sizeof TYPES / sizeof *TYPES };
static const char* const KEYS[SN_NLOOPKEY] = {"pitch", "length", "stiffness", "damping", "ref"};

static const char* const CHOICES[] = {"soft", "exact"};
typedef enum Setting { SET_SOLUTION, SET_TSTAB, SET_RANKTOL, SET_PROJECT, NSETTINGS } Setting;
static const char* const SETTINGS[NSETTINGS] = {"solution", "tstab", "ranktol", "project"};

// ---- loop joints

const char* sn_loopTextName(const char* name, size_t* prefix_length)
{
    return sn_fieldSubject(name, SN_LOOP_PREFIX, prefix_length);
}

bool sn_loopTextSites(const char* data, snWord site[2])
{
    if (!sn_nextTextWord(&data).length) return false;
    for (int k = 0; k < 2; k++) site[k] = sn_nextTextWord(&data);
    return site[0].length && site[1].length;
}

// A number by its key.
typedef struct Pair {
    int key;
    double value;
} Pair;

static bool readPair(snWord word, const char* what, const char* const* keys, int n, uint64_t* seen,
                     Pair* pair, snTextMistake* mistake)
{
    snTextPair text;
    if (!sn_readTextPair(word, what, "a number", keys, n, seen, &text, mistake)) return false;
    pair->key = text.key;
    return sn_readTextNumber(text.name, text.value, &pair->value, mistake);
}

// Whether a type has a use for a key and the value is one that it can have.
static bool checkKey(snLoopType type, Pair pair, snTextMistake* mistake)
{
    const bool single = type == SN_LOOP_REVOLUTE || type == SN_LOOP_PRISMATIC || type == SN_LOOP_HELICAL;
    const bool pitch = pair.key == SN_LOOPKEY_PITCH, length = pair.key == SN_LOOPKEY_LENGTH;
    const bool fits = pitch ? type == SN_LOOP_HELICAL : length ? type == SN_LOOP_DISTANCE : single;
    if (!fits)
        return sn_textMistake(mistake, "%s is nothing that a %s joint has: it is for %s", KEYS[pair.key],
                              TYPES[type],
                              pitch    ? "helical ones"
                              : length ? "distances"
                                       : "revolute, prismatic and helical ones");
    const bool positive = pair.key == SN_LOOPKEY_STIFFNESS || pair.key == SN_LOOPKEY_DAMPING;
    if ((length && !(pair.value > 0)) || (positive && pair.value < 0))
        return sn_textMistake(mistake, "%s=%g must be %s", KEYS[pair.key], pair.value,
                              length ? "positive" : "0 or more");
    return true;
}

bool sn_readLoopText(const char* data, snLoopText* text, snTextMistake* mistake)
{
    const char* rest = data;
    const snWord word = sn_nextTextWord(&rest);
    const int type = sn_findTextWord(word, TYPES, NTYPES);
    uint64_t seen = 0;
    *text = (snLoopText){.type = (snLoopType)type};
    if (!word.length || (type < NTYPES && !sn_loopTextSites(data, text->site)))
        return sn_textMistake(mistake,
                              "data must be a type and two sites: \"TYPE SITE1 SITE2 key=value ...\"");
    if (type == NTYPES) return sn_unknownTextWord(mistake, "type", word, TYPES, NTYPES);
    rest = text->site[1].at + text->site[1].length;
    for (snWord next; (next = sn_nextTextWord(&rest)).length;) {
        Pair pair;
        if (!readPair(next, "key", KEYS, SN_NLOOPKEY, &seen, &pair, mistake) ||
            !checkKey(text->type, pair, mistake))
            return false;
        text->value[pair.key] = pair.value;
    }
    const snLoopKey needed = type == SN_LOOP_HELICAL    ? SN_LOOPKEY_PITCH
                             : type == SN_LOOP_DISTANCE ? SN_LOOPKEY_LENGTH
                                                        : SN_NLOOPKEY;
    return needed == SN_NLOOPKEY || (seen >> needed & 1) ||
           sn_textMistake(mistake, "a %s joint needs %s=VALUE", TYPES[type], KEYS[needed]);
}

// ---- options

static bool setOption(snOption* opt, Pair pair, snTextMistake* mistake)
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
    return !mend || sn_textMistake(mistake, "%s=%g must be %s", SETTINGS[pair.key], value, mend);
}

bool sn_readLoopsText(const char* data, snOption* opt, snTextMistake* mistake)
{
    const snWord word = sn_nextTextWord(&data);
    const int choice = sn_findTextWord(word, CHOICES, 2);
    uint64_t seen = 0;
    if (choice == 2) {
        const char* nearest = sn_nearestTextWord(word, CHOICES, 2);
        return sn_textMistake(mistake, "data \"%.*s\" must begin with soft or exact%s%s%s", sn_shownOf(word),
                              word.at, nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                              nearest ? "\"?" : "");
    }
    opt->loops = choice;
    for (snWord next; (next = sn_nextTextWord(&data)).length;) {
        Pair pair;
        if (!readPair(next, "setting", SETTINGS, NSETTINGS, &seen, &pair, mistake) ||
            !setOption(opt, pair, mistake))
            return false;
    }
    return true;
}
