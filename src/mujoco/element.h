// Elements of a spec as structs of the program: made when they are asked for, filled from the source, and
// written back where they have been changed.
#ifndef SINEW_MUJOCO_ELEMENT_H
#define SINEW_MUJOCO_ELEMENT_H

#include "inside.h"

/// What texts and lists hold: `count` items of the type that the pointer's own type says; of a text its bytes
/// without the 0.
typedef struct Items {
    void* data;
    int count;
    bool changed; ///< since the element was filled or written
} Items;

struct mjString_ {
    Items items;
};
struct mjIntVec_ {
    Items items;
};
struct mjFloatVec_ {
    Items items;
};
struct mjDoubleVec_ {
    Items items;
};
struct sinew_names_ {
    Items items; ///< of char*
};

/// A member of a struct. code: d, f, i, b for numbers (i: also enumerations), s text, D F I lists, N names, o
/// orientation.
typedef struct Member {
    const char* name;
    char code;
    size_t offset;
    int count;
} Member;

typedef struct Kind {
    const char* tag;
    const char* section;
    mjtObj type;
    size_t size;
    const Member* members; ///< up to one without a name
} Kind;

typedef struct Element {
    mjsElement shown; ///< what programs see, first
    struct Element* next;
    mjSpec* s;
    snElement* source;
    const Kind* kind; ///< NULL: a point of a tendon's path, or a default class
    void* record;     ///< mjsGeom, ...
    void* seen;       ///< as it was filled or written
    mjString name;
} Element;

enum { NSETTINGS = 12 };

/// What a spec has that programs do not see.
typedef struct sinew_source {
    snSpec* spec;
    Element* elements;
    Element settings[NSETTINGS];                  ///< members of mjSpec itself: their records stand in it
    Element whole;                                ///< mjSpec.element
    char told[sizeof(((snError*)NULL)->message)]; ///< error or warnings of the last compilation
    bool is_warning;
} Source;

// kind.c
/// The kind of an element of a source; NULL: none with members.
const Kind* kindOf(const snElement* source);
/// A member of a kind by its name; NULL: none.
const Member* memberOf(const Kind* kind, const char* name);

// element.c
/// The element of a source, made when it is asked for first; NULL for NULL, and out of memory.
Element* elementOf(mjSpec* s, snElement* source);
/// That of a source that has none yet.
Element* newElement(mjSpec* s, snElement* source);
/// Writes what has been changed in all elements of a spec; false with the error.
bool writeElements(mjSpec* s, snError* error);
/// Fills an element from its attributes, and writes to them what has been changed; false with the error.
void fillElement(Element* e);
bool writeElement(Element* e, snError* error);
/// Makes the texts and lists of a record, and frees them.
bool makeItems(Element* e);
void freeAllItems(Element* e);
/// Frees all elements, or those that have been removed from the source.
void freeElements(mjSpec* s);
void dropRemoved(mjSpec* s);
/// The members of an element, whatever its kind.
static inline void* memberAt(const Element* e, const Member* m)
{
    return (char*)e->record + m->offset;
}
/// Whether the numbers of a member have been changed.
bool isChanged(const Element* e, const char* name);

// settings.c
bool fillSettings(mjSpec* s);
bool writeSettings(mjSpec* s, snError* error);
void freeSettings(mjSpec* s);

// own_members.c: members that are no attributes of the same name
void fillOwn(Element* e);
bool writeOwn(Element* e, snError* error);

// sensor.c
void fillSensor(Element* e);
bool writeSensor(Element* e, snError* error);

// actuator.c
void fillActuator(Element* e);
bool writeActuator(Element* e, snError* error);

// items.c
void setItems(Items* items, const void* data, int count, size_t size);
void setText(mjString* text, const char* value);
/// Its bytes, "" where there are none.
const char* textOf(const mjString* text);
void freeItems(Items* items, char code);

#endif
