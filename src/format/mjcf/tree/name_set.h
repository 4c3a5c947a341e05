// A set of names of elements, each with its kind.
#ifndef SINEW_FORMAT_MJCF_TREE_NAME_SET_H
#define SINEW_FORMAT_MJCF_TREE_NAME_SET_H

#include "format/mjcf/language/words.h"
#include "model/spec/tree.h"

typedef struct snKindName {
    int kind;
    const char* name;
    const snElement* element; ///< whose name it is; NULL: not said
} snKindName;

/// All zero: empty. Names are not copied.
typedef struct snNameSet {
    snKindName* slots; ///< open addressing, a power of two; name NULL: free
    int count, nslots;
} snNameSet;

/// Adds a name; false: out of memory.
bool sn_addName(snNameSet* set, int kind, const char* name);
bool sn_hasName(const snNameSet* set, int kind, const char* name);
bool sn_hasWord(const snNameSet* set, int kind, snWord name);
/// As sn_addName with the element whose name it is; the first one of a name stays.
bool sn_addNamed(snNameSet* set, int kind, const char* name, const snElement* element);
/// The element of a name, or NULL.
const snElement* sn_findNamed(const snNameSet* set, int kind, const char* name);
/// Adds the names of an element and of all that it holds; false: out of memory.
bool sn_addTreeNames(snNameSet* set, const snElement* root);
void sn_freeNames(snNameSet* set);

/// Sets an attribute to prefix + name + suffix; false: out of memory.
bool sn_putDecorated(snPool* pool, snElement* e, const char* attribute, const char* prefix, const char* name,
                     const char* suffix);

/// Changes the names of an element and of all that it holds to prefix + name + suffix, and so the references
/// to names in the set. The element must stand in its place. false: out of memory.
bool sn_decorate(snPool* pool, snElement* root, const snNameSet* set, const char* prefix, const char* suffix);

/// How many references of an element, and of what it holds, are to names in the set (inside) and to others
/// (outside); default classes and the world do not count.
void sn_countReferences(snElement* root, const snNameSet* set, int* inside, int* outside);

/// The last section with a tag, made when there is none; NULL: out of memory.
snElement* sn_lastSection(snSpec* spec, const char* tag);

#endif
