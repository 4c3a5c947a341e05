#include "format/mjcf/language/words.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include "base/nearest.h"
#include "base/number.h"

static bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

snWord sn_nextTextWord(const char** rest)
{
    while (isBlank(**rest)) ++*rest;
    snWord word = {*rest, 0};
    while (word.at[word.length] && !isBlank(word.at[word.length])) word.length++;
    *rest += word.length;
    return word;
}

int sn_findTextWord(snWord word, const char* const* words, int n)
{
    int k = 0;
    while (k < n && !sn_wordIs(word, words[k])) k++;
    return k;
}

const char* sn_nearestTextWord(snWord word, const char* const* words, int n)
{
    char text[64];
    snprintf(text, sizeof text, "%.*s", sn_shownOf(word), word.at);
    return sn_nearestWord(text, words, n);
}

bool sn_textMistake(snTextMistake* mistake, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    mistake->status = SN_STATUS_MODEL;
    vsnprintf(mistake->text, sizeof mistake->text, format, args);
    va_end(args);
    return false;
}

bool sn_unknownTextWord(snTextMistake* mistake, const char* what, snWord word, const char* const* words,
                        int n)
{
    const char* nearest = sn_nearestTextWord(word, words, n);
    if (nearest)
        return sn_textMistake(mistake, "%s \"%.*s\" is not known, did you mean \"%s\"?", what,
                              sn_shownOf(word), word.at, nearest);
    char list[200] = "";
    for (int i = 0, at = 0; i < n && at < (int)sizeof list; i++)
        at += snprintf(list + at, sizeof list - (size_t)at, "%s%s", i ? ", " : "", words[i]);
    return sn_textMistake(mistake, "%s \"%.*s\" is not known, expected one of: %s", what, sn_shownOf(word),
                          word.at, list);
}

int sn_readOnlyWord(const char* text, const char* what, const char* more, const char* const* words, int n,
                    snTextMistake* mistake)
{
    const snWord word = sn_nextTextWord(&text), next = sn_nextTextWord(&text);
    const int place = sn_findTextWord(word, words, n);
    if (place == n) {
        sn_unknownTextWord(mistake, what, word, words, n);
        return -1;
    }
    if (!next.length) return place;
    sn_textMistake(mistake, "data must be one word, there is \"%.*s\" behind it%s", sn_shownOf(next), next.at,
                   more);
    return -1;
}

bool sn_readTextPair(snWord word, const char* what, const char* value, const char* const* keys, int n,
                     uint64_t* seen, snTextPair* pair, snTextMistake* mistake)
{
    const char* equals = memchr(word.at, '=', word.length);
    const snWord key = {word.at, equals ? (size_t)(equals - word.at) : word.length};
    pair->key = sn_findTextWord(key, keys, n);
    if (pair->key == n) return sn_unknownTextWord(mistake, what, key, keys, n);
    if (!equals)
        return sn_textMistake(mistake, "%s wants %s: %s=VALUE", keys[pair->key], value, keys[pair->key]);
    if (*seen >> pair->key & 1) return sn_textMistake(mistake, "%s stands twice", keys[pair->key]);
    *seen |= UINT64_C(1) << pair->key;
    pair->name = key;
    pair->value = (snWord){equals + 1, word.length - key.length - 1};
    return true;
}

bool sn_readTextNumber(snWord key, snWord text, double* value, snTextMistake* mistake)
{
    const snLocale locale = sn_makeLocale();
    if (!locale) {
        sn_textMistake(mistake, "out of memory");
        mistake->status = SN_STATUS_NO_MEMORY;
        return false;
    }
    const char* rest = text.at;
    const bool ok = sn_nextReal(&rest, locale, value) == SN_NUMBER_OK && rest == text.at + text.length &&
                    isfinite(*value);
    sn_freeLocale(locale);
    return ok || sn_textMistake(mistake, "%.*s%s%.*s is not a finite number", sn_shownOf(key), key.at,
                                key.length ? "=" : "", sn_shownOf(text), text.at);
}
