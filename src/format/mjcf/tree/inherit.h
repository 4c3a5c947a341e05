// What default classes give to an element of the source.
#ifndef SINEW_FORMAT_MJCF_TREE_INHERIT_H
#define SINEW_FORMAT_MJCF_TREE_INHERIT_H

#include "format/mjcf/language/element.h"

#define SN_MAX_CLASSES 100 ///< default classes inside each other

/// The default class that elements of an origin (NULL: the spec's own) call `name`: one of theirs, else of
/// the spec or of what was attached to it; "main": the outermost one of theirs alone. Of several sections
/// of an outermost class the last, which starts from those before. NULL: there is none.
snElement* sn_findClass(const snSpec* spec, const snOrigin* origin, const char* name);

/// The default classes that an element starts from, its own one first.
typedef struct snClasses {
    int count;
    const snElement* list[SN_MAX_CLASSES];
} snClasses;
snClasses sn_classesOf(const snSpec* spec, const snElement* element);

/// The texts that classes and element give to an attribute, the weakest first; returns how many.
int sn_givenTexts(const snClasses* classes, const snElement* element, const char* attribute,
                  const char* texts[SN_MAX_CLASSES + 1]);

#endif
