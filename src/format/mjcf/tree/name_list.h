// Names that stand in one attribute, with blanks between: bodies and materials of a flex.
#ifndef SINEW_FORMAT_MJCF_TREE_NAME_LIST_H
#define SINEW_FORMAT_MJCF_TREE_NAME_LIST_H

#include "format/mjcf/tree/name_set.h"

typedef struct snNameList {
    const char* attribute;
    int kind; ///< of what is named
    const char* text;
} snNameList;

enum { SN_NAME_LISTS = 2 }; ///< most that one element has

/// The lists of an element that are not empty; returns how many.
int sn_nameLists(const snElement* element, snNameList lists[SN_NAME_LISTS]);

/// Adds to how many names of a list are in the set (inside) and how many are not (outside); the world does
/// not count.
void sn_countListed(const snNameList* list, const snNameSet* set, int* inside, int* outside);

/// Whether the set has a name of the list as one of this kind.
bool sn_listsAny(const snNameList* list, const snNameSet* set, int kind);

/// Changes the names of a list that are in the set to prefix + name + suffix; false: out of memory.
bool sn_decorateListed(snPool* pool, snElement* element, const snNameList* list, const snNameSet* set,
                       const char* prefix, const char* suffix);

/// Whether a list has a name.
bool sn_listsName(const snNameList* list, const char* name);

/// Puts another name in the place of one, wherever the list has it; false: out of memory.
bool sn_renameListed(snPool* pool, snElement* element, const snNameList* list, const char* old,
                     const char* name);

#endif
