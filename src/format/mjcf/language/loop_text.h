// Loops, for which MJCF has no words: text fields say them.
//     <text name="sinew_loop_NAME" data="TYPE SITE1 SITE2 key=value ..."/>     a loop joint
//     <text name="sinew_loops" data="exact key=value ..."/>                    how loops are held
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_LOOP_TEXT_H
#define SINEW_FORMAT_MJCF_LANGUAGE_LOOP_TEXT_H

#include <sinew/option.h>
#include <string.h>
#include "model/spec/tree.h"

#define SN_LOOP_PREFIX "sinew_loop_"
#define SN_LOOPS_NAME "sinew_loops"

/// A part of a text, not closed by a 0.
typedef struct snWord {
    const char* at;
    size_t length;
} snWord;

typedef enum snLoopKey {
    SN_LOOPKEY_PITCH,
    SN_LOOPKEY_LENGTH,
    SN_LOOPKEY_STIFFNESS,
    SN_LOOPKEY_DAMPING,
    SN_LOOPKEY_REF,
    SN_NLOOPKEY
} snLoopKey;

/// What a loop joint's text says; a key that is not given has the value 0.
typedef struct snLoopText {
    snLoopType type;
    snWord site[2];
    double value[SN_NLOOPKEY];
} snLoopText;

/// What is wrong with a text, as a sentence without its element.
typedef struct snLoopMistake {
    snStatus status;
    char text[300];
} snLoopMistake;

/// NAME of sinew_loop_NAME, behind a prefix of prefix_length bytes that an attachment may have put in front
/// (NULL: not wanted). NULL: it is the name of no loop joint.
const char* sn_loopTextName(const char* name, size_t* prefix_length);

/// The two sites that the data of a loop joint names; false: it has fewer words.
bool sn_loopTextSites(const char* data, snWord site[2]);

/// As sn_loopTextSites, for an element that is the text of a loop joint; false for all others.
bool sn_loopElementSites(const snElement* element, snWord site[2]);

/// Whether a word is this name.
static inline bool sn_wordIs(snWord word, const char* name)
{
    return !strncmp(word.at, name, word.length) && !name[word.length];
}

/// Puts prefix + name + suffix in the place of site 0 or 1 of an element that is the text of a loop joint;
/// false: out of memory.
bool sn_putLoopSite(snPool* pool, snElement* element, int which, const char* prefix, snWord name,
                    const char* suffix);

/// Reads the data of a loop joint; false, with *mistake filled.
bool sn_readLoopText(const char* data, snLoopText* text, snLoopMistake* mistake);

/// Reads the data of sinew_loops into the options of loops; those that it does not name stay.
bool sn_readLoopsText(const char* data, snOption* opt, snLoopMistake* mistake);

/// For the name of a text field that begins as ours do: what it was probably meant to be, "sinew_loops" or
/// "sinew_loop_NAME"; NULL: it is one, or something else.
const char* sn_nearestLoopText(const char* name);

#endif
