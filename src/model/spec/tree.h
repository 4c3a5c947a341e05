// The source of a description: a tree of elements with their attributes as text, as MJCF writes them. It is
// what files are read into, what the public functions of <sinew/spec.h> edit, and what is read into the
// typed records of spec.h before a model is compiled.
#ifndef SINEW_MODEL_SPEC_TREE_H
#define SINEW_MODEL_SPEC_TREE_H

#include <sinew/spec.h>
#include "base/pool.h"

#define SN_TREE_DEPTH 1000 ///< most elements inside each other, includes counted; more is an error

/// Words between the elements of a URDF, kept as an attribute of the one that they stand in.
#define SN_TREE_TEXT "#text"

/// CDATA of a text field, kept as an attribute until it is known whether it is read.
#define SN_TREE_CDATA "#cdata"

/// Where an element stands; for sn_failAt. Line 0: it was not read from a file.
typedef struct snPlace {
    const char* file;
    int line;
} snPlace;

typedef struct snAttributeText {
    const char *name, *value;
} snAttributeText;

typedef struct snOrigin snOrigin;

/// Lists of a keyframe: X(NAME, attribute, what a number of it is for).
#define SN_KEY_LISTS(X)                                                                                      \
    X(QPOS, qpos, "position coordinates")                                                                    \
    X(QVEL, qvel, "degrees of freedom")                                                                      \
    X(ACT, act, "activations")                                                                               \
    X(MPOS, mpos, "mocap coordinates")                                                                       \
    X(MQUAT, mquat, "mocap quaternion entries")                                                              \
    X(CTRL, ctrl, "controls")                                                                                \
    X(PLASTIC, plastic, "numbers of springs that yield")
#define X(name, attribute, what) SN_KEY_##name,
typedef enum snKeyList { SN_KEY_LISTS(X) SN_KEY_LIST_COUNT } snKeyList;
#undef X

/// What an attached keyframe has for one joint, mocap body or actuator that came with it: its numbers are
/// kept there, for the keyframe cannot know where the element will stand in the model.
typedef struct snKeyNumbers {
    struct snKeyNumbers* next;
    int key; ///< snElement.key of the keyframe
    snKeyList list;
    int count;
    double values[];
} snKeyNumbers;

struct snElement {
    const char* tag;
    snPlace place;
    int depth; ///< the root: 1
    int nattributes, room;
    int key;                     ///< of an attached keyframe: its number, from 1 on; 0: any other element
    snAttributeText* attributes; ///< [nattributes], room for more; room 0: see sn_lendAttributes
    snElement *parent, *prev, *next, *first, *last;
    snOrigin* origin;    ///< of what was attached; NULL: the model itself
    snKeyNumbers* keyed; ///< what attached keyframes have for it; NULL: nothing
    bool shared;         ///< an instance that stands for the inline plugin of a composite or flexcomp
    bool taken;          ///< for attaching: it goes along
    bool endless;        ///< a URDF's continuous joint, whose range counts under 3.3.7 alone
    void* record;        ///< the snSpecHead that it was read into, while the records are; NULL: none
    int id, oldid;       ///< in the model of the last compilation and of the one before; -1: none
};

/// The model that attached elements came from: its own units and default classes go on to hold for them.
struct snOrigin {
    snOrigin* next;
    int index;           ///< 1, 2, ...
    snElement* settings; ///< an element with copies of the <compiler> and <default> sections as children
    const char* file;    ///< its file
    const char* folder;  ///< of its file, with its slash
    void* read;          ///< what the reader made of the settings
};

/// An element without parent, its text copied into the pool; NULL: out of memory.
snElement* sn_newElement(snPool* pool, const char* tag, snPlace place);
/// The same with a tag that lives as long as the pool, as a literal does.
snElement* sn_newKnownElement(snPool* pool, const char* tag, snPlace place);
/// Puts an element without parent behind the last child of parent, or in front of `before` when that is one
/// of its children. Sets the depths of all that it holds.
void sn_linkElement(snElement* parent, snElement* child, snElement* before);
/// Takes an element out of its parent.
void sn_unlinkElement(snElement* element);
/// The next element in document order below `root`, NULL after the last.
snElement* sn_nextInTree(const snElement* root, const snElement* element);
/// Whether an element is `root` or below it.
bool sn_isInTree(const snElement* element, const snElement* root);
/// Whether an element is in the tree below `root` still; if not, it has been removed and the error says so.
bool sn_isStillInTree(const snElement* element, const snElement* root, snError* error);
/// A deep copy without parent; NULL: out of memory.
snElement* sn_copyElement(snPool* pool, const snElement* element);
/// Gives an element the numbers of an attached keyframe, copied into the pool; false: out of memory.
bool sn_addKeyNumbers(snPool* pool, snElement* element, int key, snKeyList list, const double* values, int n);
/// Takes from an element, and from all that it holds, what attached keyframes have for it; key 0: all of
/// them, else that one's list.
void sn_dropKeyNumbers(snElement* root, int key, snKeyList list);
/// Gives a copy of an element from another pool file names of this one in its places; false: out of memory.
bool sn_ownPlaces(snPool* pool, snElement* root);
/// The first child with this tag, or NULL.
snElement* sn_childElement(const snElement* parent, const char* tag);

/// The attribute's text, NULL when it is not there.
const char* sn_attributeText(const snElement* element, const char* name);
/// Sets an attribute, text copied into the pool, or with text NULL takes it away. false: out of memory.
bool sn_putAttribute(snPool* pool, snElement* element, const char* name, const char* text);
/// Gives an element without attributes these, which others may have, too: they and their texts live as long
/// as the pool, and are copied before one is changed.
void sn_lendAttributes(snElement* element, snAttributeText* attributes, int count);

#endif
