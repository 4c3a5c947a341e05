// Loops, for which MJCF has no words: text fields say them.
//     <text name="sinew_loop_NAME" data="TYPE SITE1 SITE2 key=value ..."/>     a loop joint
//     <text name="sinew_loops" data="exact key=value ..."/>                    how loops are held
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_LOOP_TEXT_H
#define SINEW_FORMAT_MJCF_LANGUAGE_LOOP_TEXT_H

#include <sinew/option.h>
#include "format/mjcf/language/words.h"

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

/// NAME of sinew_loop_NAME, behind a prefix of prefix_length bytes that an attachment may have put in front
/// (NULL: not wanted). NULL: it is the name of no loop joint.
const char* sn_loopTextName(const char* name, size_t* prefix_length);

/// The two sites that the data of a loop joint names; false: it has fewer words.
bool sn_loopTextSites(const char* data, snWord site[2]);

/// Reads the data of a loop joint; false, with *mistake filled.
bool sn_readLoopText(const char* data, snLoopText* text, snTextMistake* mistake);

/// Reads the data of sinew_loops into the options of loops; those that it does not name stay.
bool sn_readLoopsText(const char* data, snOption* opt, snTextMistake* mistake);

#endif
