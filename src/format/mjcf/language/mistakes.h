// The mistakes of one reading: kept in a fixed buffer, told all at once in the order of the document.
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_MISTAKES_H
#define SINEW_FORMAT_MJCF_LANGUAGE_MISTAKES_H

#include "base/error.h"
#include "model/spec/spec.h"

#define SN_TOLD_MISTAKES 20    ///< most that are told one by one
#define SN_MOST_MISTAKES 10000 ///< after so many the reading stops: the text is something else

typedef struct snMistake {
    const snElement* node;
    snStatus status;
    size_t at; ///< where its sentence begins in the text
} snMistake;

typedef struct snMistakes {
    int count, nkept;
    int nseen; ///< with those of copies
    bool over; ///< nothing can follow: no memory
    snMistake list[SN_TOLD_MISTAKES];
    size_t used;
    char text[8192];         ///< sentences, each with its 0
    const snElement* spoilt; ///< an element whose attributes are wrong: what follows from them is not told
} snMistakes;

/// No mistakes.
void sn_clearMistakes(snMistakes* mistakes);

/// Adds a mistake of an element. Copies of an element, made by replication, are told once.
void sn_addMistake(snMistakes* mistakes, const snElement* node, snStatus status, const char* sentence);

/// Fills the error: place and status of the first mistake in the tree of `root`, all sentences a line each,
/// then "and N more". There must be a mistake.
void sn_tellMistakes(const snMistakes* mistakes, const snElement* root, snError* error);

/// Adds a line to the message of an error; false: it does not fit, and the message is as before.
bool sn_addErrorLine(snError* error, const char* line);
/// Adds "and N more", or "and at least N more", in the room that sn_addErrorLine leaves for it.
void sn_addErrorRest(snError* error, int more, bool least);

#endif
