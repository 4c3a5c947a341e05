// Names of the language that came after mujoco 3.3.7: they are no misspellings, so they get a sentence of
// their own.
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_NEWER_H
#define SINEW_FORMAT_MJCF_LANGUAGE_NEWER_H

#include "model/spec/tree.h"

/// Whether an element that 3.3.7 does not have where it stands came later.
bool sn_isNewerElement(const snElement* element);
/// Whether it is one of those that are read under 4.0.
bool sn_isReadNewer(const snElement* element);
/// As sn_isNewerElement, of an attribute of an element.
bool sn_isNewerAttribute(const snElement* element, const char* attribute);
/// Whether a newer attribute bears on looks alone, so that it is passed over with a warning.
bool sn_isNewerLook(const snElement* element, const char* attribute);
/// Whether a word [length] in an attribute came later.
bool sn_isNewerWord(const snElement* element, const char* attribute, const char* word, size_t length);
/// Whether as many numbers as this text has are possible in an attribute since then.
bool sn_isNewerCount(const snElement* element, const char* attribute, const char* text);

#endif
