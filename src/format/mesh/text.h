// Lines, words and numbers of a text that need not end in 0: what OBJ, ASCII STL and PLY are made of.
#ifndef SINEW_FORMAT_MESH_TEXT_H
#define SINEW_FORMAT_MESH_TEXT_H

#include <sinew/base.h>
#include "base/platform/plain_locale.h"

/// A piece of the text, [at, end).
typedef struct snTextSpan {
    const char *at, *end;
} snTextSpan;

/// Takes the next line off the text; it ends at \n, \r or \r\n, which are left out. false: no text is left.
bool sn_textLine(snTextSpan* text, snTextSpan* line);
/// Takes the next word off a line; blanks and tabs separate words, '#' ends the line. false: none is left.
bool sn_textWord(snTextSpan* line, snTextSpan* word);
/// Takes the next word off a text; all white space separates words, the ends of lines too, and '#' is a
/// letter. false: none is left.
bool sn_textToken(snTextSpan* text, snTextSpan* word);
bool sn_textIs(snTextSpan word, const char* name);

/// A decimal number, correctly rounded. `locale` is a "C" locale. false: not a number, or not finite.
bool sn_textReal(snTextSpan word, snLocale locale, double* value);
/// The same as a float. false: not a number, or not finite as a float.
bool sn_textFloat(snTextSpan word, snLocale locale, float* value);
/// The number that a word begins with, as strtod reads it, 0 where that is none. false: not finite as a
/// float, or of more than 127 letters.
bool sn_textBeginning(snTextSpan word, snLocale locale, float* value);

#endif
