#include "format/mjcf/language/lcp_text.h"
#include <limits.h>
#include <math.h>
#include "model/option_enum.h"

bool sn_readContactText(const char* data, snOption* opt, snTextMistake* mistake)
{
    static const char* const models[] = {
#define X(name, value, keyword, meaning) [value] = keyword,
        SN_CONTACTMODEL_TABLE(X)
#undef X
    };
    const int model =
        sn_readOnlyWord(data, "model of contact", ": settings belong in the text field \"sinew_lcp\"", models,
                        sizeof models / sizeof *models, mistake);
    if (model >= 0) opt->contact = model;
    return model >= 0;
}

// ---- settings

enum { MOST_KEYS = 32, MOST_WORDS = 16 };

// The options of rigid contact, whose names without "lcp_" are the keys.
typedef struct Keys {
    const snOptionField* field[MOST_KEYS];
    const char* name[MOST_KEYS];
    int count;
} Keys;

static Keys keysOfLcp(void)
{
    static const char ours[] = "lcp_";
    int count;
    const snOptionField* fields = sn_optionFields(&count);
    Keys keys = {.count = 0};
    for (int i = 0; i < count && keys.count < MOST_KEYS; i++) {
        if (strncmp(fields[i].name, ours, strlen(ours)) != 0) continue;
        keys.field[keys.count] = &fields[i];
        keys.name[keys.count++] = fields[i].name + strlen(ours);
    }
    return keys;
}

static bool readWord(const snEnum* kinds, const char* key, snWord word, int* value, snTextMistake* mistake)
{
    const char* words[MOST_WORDS];
    int n = 0;
    for (; n < kinds->count && n < MOST_WORDS; n++) words[n] = kinds->items[n].keyword;
    const int k = sn_findTextWord(word, words, n);
    if (k == n) return sn_unknownTextWord(mistake, key, word, words, n);
    *value = kinds->items[k].value;
    return true;
}

static bool readSetting(const Keys* keys, const snTextPair* pair, snOption* opt, snTextMistake* mistake)
{
    const snOptionField* field = keys->field[pair->key];
    void* at = (char*)opt + field->offset;
    double number;
    const snEnum* kinds = sn_optionEnum(field);
    if (kinds) return readWord(kinds, keys->name[pair->key], pair->value, at, mistake);
    if (!sn_readTextNumber(pair->name, pair->value, &number, mistake)) return false;
    if (*field->type == 'd') {
        *(double*)at = number;
    } else {
        if (number != trunc(number) || fabs(number) > INT_MAX)
            return sn_textMistake(mistake, "%.*s=%.*s is not a whole number", sn_shownOf(pair->name),
                                  pair->name.at, sn_shownOf(pair->value), pair->value.at);
        *(int*)at = (int)number;
    }
    return true;
}

bool sn_readLcpText(const char* data, snOption* opt, snTextMistake* mistake)
{
    const Keys keys = keysOfLcp();
    uint64_t seen = 0;
    for (snWord next; (next = sn_nextTextWord(&data)).length;) {
        snTextPair pair;
        if (!sn_readTextPair(next, "setting", "a value", keys.name, keys.count, &seen, &pair, mistake) ||
            !readSetting(&keys, &pair, opt, mistake))
            return false;
    }
    snError why;
    for (int k = 0; k < keys.count; k++) // what a value may be can hang on others
        if (sn_checkOption(opt, keys.field[k]->name, &why) != SN_STATUS_OK)
            return sn_textMistake(mistake, "%s", why.message);
    return true;
}

// ---- numbers of elements

static bool readBounded(const char* data, double most, const char* mend, double* value,
                        snTextMistake* mistake)
{
    const snWord word = sn_nextTextWord(&data), more = sn_nextTextWord(&data);
    if (!word.length || more.length) return sn_textMistake(mistake, "data must be one number, %s", mend);
    if (!sn_readTextNumber((snWord){data, 0}, word, value, mistake)) return false;
    if (*value >= 0 && *value <= most) return true;
    return sn_textMistake(mistake, "data is %.*s, must be %s", sn_shownOf(word), word.at, mend);
}

bool sn_readRestitutionText(const char* data, double* restitution, snTextMistake* mistake)
{
    return readBounded(data, 1, "0 to 1", restitution, mistake);
}

bool sn_readMaxforceText(const char* data, double* maxforce, snTextMistake* mistake)
{
    return readBounded(data, HUGE_VAL, "0 or more", maxforce, mistake);
}
