// Words of a text field, "word word key=value ...", and what is wrong with them.
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_WORDS_H
#define SINEW_FORMAT_MJCF_LANGUAGE_WORDS_H

#include <sinew/base.h>
#include <stdbool.h>
#include <string.h>

/// A part of a text, not closed by a 0.
typedef struct snWord {
    const char* at;
    size_t length;
} snWord;

/// What is wrong with a text, as a sentence without its element.
typedef struct snTextMistake {
    snStatus status;
    char text[300];
} snTextMistake;

/// The next word of a text, *rest moves behind it; of length 0: none is left.
snWord sn_nextTextWord(const char** rest);

/// Whether a word is this name.
static inline bool sn_wordIs(snWord word, const char* name)
{
    return !strncmp(word.at, name, word.length) && !name[word.length];
}

/// The place of a word among n; n: it is none of them.
int sn_findTextWord(snWord word, const char* const* words, int n);
/// The one of n words that is nearest to it; NULL: none is near.
const char* sn_nearestTextWord(snWord word, const char* const* words, int n);

/// How much of a word is printed.
static inline int sn_shownOf(snWord word)
{
    return word.length < 80 ? (int)word.length : 80;
}

/// Fills the mistake; returns false.
bool sn_textMistake(snTextMistake* mistake, const char* format, ...) __attribute__((format(printf, 2, 3)));
/// WHAT "word" is not known, and the nearest of the n that are, or all of them; returns false.
bool sn_unknownTextWord(snTextMistake* mistake, const char* what, snWord word, const char* const* words,
                        int n);

/// The place among n of the one word that a text must be; -1: mistake filled. what: how it calls the word;
/// more: its end where others stand behind the first.
int sn_readOnlyWord(const char* text, const char* what, const char* more, const char* const* words, int n,
                    snTextMistake* mistake);

/// A word "key=value".
typedef struct snTextPair {
    int key; ///< its place among the keys
    snWord name, value;
} snTextPair;

/// Splits a word; what: how mistakes call a key; value: how they call what is behind it; seen: bits of the
/// keys that have been.
bool sn_readTextPair(snWord word, const char* what, const char* value, const char* const* keys, int n,
                     uint64_t* seen, snTextPair* pair, snTextMistake* mistake);
/// A finite number, the whole of a word. key: whose it is, for the mistake "KEY=WORD is not ..."; of length
/// 0: of the field itself.
bool sn_readTextNumber(snWord key, snWord text, double* value, snTextMistake* mistake);

#endif
