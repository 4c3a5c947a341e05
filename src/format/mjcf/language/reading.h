// What all that reads the source shares: the state of one reading, errors, attributes, children.
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_READING_H
#define SINEW_FORMAT_MJCF_LANGUAGE_READING_H

#include <sinew/load.h>
#include "format/mjcf/language/mistakes.h"
#include "base/platform/plain_locale.h"
#include "format/mjcf/language/table.h"
#include "format/mjcf/language/xml.h"

typedef struct snDefaults snDefaults;

typedef struct snReader {
    snSpec* spec;
    snError* error;
    snLocale locale;
    snDefaults* main;
    snMistakes* mistakes;         ///< collects; NULL: the first mistake is the error and ends the reading
    const snLoadOptions* options; ///< where warnings go; NULL: nowhere
    bool expanding; ///< the tree is still being made: an element with a mistake is left as it is
} snReader;

// fail.c
/// Adds the mistake "<tag name="..">: text at FILE:LINE", or fills the error with it; returns false. What
/// is said of an element whose attributes are wrong is dropped: it would follow from them.
bool sn_mjcfFail(const snReader* r, const snXmlNode* node, snStatus status, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
/// Keeps a mistake as it stands or, where none are kept, makes it the error; returns false.
bool sn_mjcfMistake(const snReader* r, const snXmlNode* node, const snError* why);
/// Warns of "<tag name="..">: text at FILE:LINE" and returns true; where warnings are errors as sn_mjcfFail.
/// What is read into records is told when they are compiled, the rest at once.
bool sn_mjcfWarn(const snReader* r, const snXmlNode* node, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
/// Warns of what 3.3.7 reads and 4.0 refuses, in a model of 4.0; as sn_mjcfWarn.
bool sn_mjcfOutdated(const snReader* r, const snXmlNode* node, const char* what);
bool sn_mjcfNoMemory(const snReader* r);
/// The same with the error of another reading, every line of it.
bool sn_mjcfFailInside(const snReader* r, const snXmlNode* node, const snError* why);
/// After a failure: whether to go on with the next attribute or element.
bool sn_mjcfGoOn(const snReader* r);
/// After a failure: whether to go on with this element.
bool sn_mjcfGoOnHere(const snReader* r);
/// What a message says of a name, word or number that came after 3.3.7: that it did or, by 4.0, that it is
/// not supported yet. "'sleep' %s".
const char* sn_mjcfWhyNewer(const snReader* r);
/// An element or, with a name, an attribute that came after 3.3.7; returns false.
bool sn_mjcfNewer(const snReader* r, const snXmlNode* node, const char* attribute);
/// "not supported yet: <tag>" or, with an attribute, "not supported yet: 'attribute' of <tag>"; returns
/// false.
bool sn_mjcfLater(const snReader* r, const snXmlNode* node, const char* attribute);

// attribute.c
/// Text cut to some 40 bytes, for messages; the buffer is the caller's.
typedef struct snShort {
    char text[64];
} snShort;
snShort sn_short(const char* text);

/// The candidate nearest to a misspelt word, or NULL when none is near; call once a candidate.
typedef struct snGuess {
    const char *word, *best;
    int distance;
} snGuess;
void sn_guess(snGuess* guess, const char* candidate);

/// Reads every attribute of a node into `record` by the element's table; what the table has not is an error.
/// `where` is SN_IN_ELEMENT or SN_IN_DEFAULT. NAME, CLASS and CHILDCLASS are left to the caller. False: do
/// not go on with this element; when mistakes are collected its children are still to be read.
bool sn_readAttributes(const snReader* r, const snXmlNode* node, const snMjcfElement* element, int where,
                       void* record);

// children.c
/// A child element that a parent may have: its reader, NULL when it is known to the language but not
/// supported yet.
typedef struct snChild {
    const char* tag;
    bool (*read)(snReader* r, const snXmlNode* node, void* context);
    bool unique; ///< at most one
} snChild;

/// Calls the reader of every child in document order.
bool sn_readChildren(snReader* r, const snXmlNode* parent, const snChild* children, int nchildren,
                     void* context);
/// As an error: the node has no children at all.
bool sn_readNoChildren(const snReader* r, const snXmlNode* node);

#define SN_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#endif
