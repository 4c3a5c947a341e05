// Elements of the source against the table: what an element is, what it refers to.
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_ELEMENT_H
#define SINEW_FORMAT_MJCF_LANGUAGE_ELEMENT_H

#include "format/mjcf/language/table.h"

// kinds of the name table that are no snObjType; default classes have a kind for each origin
#define SN_NAME_FRAME ((snObjType)100)
#define SN_NAME_DEFAULT ((snObjType)101)

/// What an element with this tag is inside a parent, and where its attributes stand (SN_IN_ELEMENT or
/// SN_IN_DEFAULT). NULL: it cannot stand there. A section or a default class is a row without attributes.
const snMjcfElement* sn_mjcfInside(const snElement* parent, const char* tag, int* where);

/// Whether a tag is a section below the root.
bool sn_mjcfIsSection(const char* tag);

/// As sn_mjcfInside for an element where it stands.
const snMjcfElement* sn_mjcfOf(const snElement* element, int* where);

/// The attribute of a name; NULL: there is none.
const snAttribute* sn_mjcfAttribute(const snMjcfElement* type, int where, const char* name);

/// What an element becomes: an snObjType, SN_NAME_FRAME, SN_NAME_DEFAULT, or SN_OBJ_UNKNOWN.
int sn_mjcfKind(const snElement* element);

/// The name by which others refer to an element: its attribute "name", or "class" of a default; NULL: none.
const char* sn_mjcfName(const snElement* element);

/// A reference by name from an attribute of an element.
typedef struct snReference {
    snElement* element;
    const char* attribute;
    int kind; ///< of what is named, as sn_mjcfKind; a body is SN_OBJ_BODY
    const char* name;
} snReference;

/// References of one element into list [room]; returns how many there are.
int sn_mjcfReferences(snElement* element, snReference* list, int room);

#define SN_MAX_REFERENCES 32 ///< most references of one element

#endif
