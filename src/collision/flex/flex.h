// Contacts of flexes: with geoms, with each other, with themselves.
#ifndef SINEW_COLLISION_FLEX_FLEX_H
#define SINEW_COLLISION_FLEX_FLEX_H

#include "collision/flex/list.h"
#include "collision/flex/tree.h"

/// A flex in this step.
typedef struct snFlexBounds {
    bool rests;     ///< none of its vertices is of an awake body, while some sleep
    bool grown;     ///< its tree is there
    snTreeBox box;  ///< of all that it may touch with: vertices, radius and reach of its contacts
    snBoxTree tree; ///< of its elements, the same around each
} snFlexBounds;

typedef struct snFlexes {
    snFlexBounds* bounds; ///< [nflex]
    snKeys near; ///< geoms, in the upper half, and flexes near them: by body, then by flex, then by geom
    bool full;   ///< scratch ran out
} snFlexes;

static inline int sn_nearGeom(const snFlexes* flexes, int i)
{
    return (int)(flexes->near.list[i] >> 32);
}

/// Finds what the filters allow and what is near, in the scratch memory of d, which the caller releases;
/// false: it is full. Geoms pass whose masks match the flex's; no other filter is asked but for the parts
/// that meet: none touches a geom of a body that one of its vertices is of. Reads flexvert_xpos, geom_xpos,
/// geom_xmat.
bool sn_findFlexes(const snModel* m, snData* d, snFlexes* flexes);

/// Adds the contacts of a geom and a flex, number i of `near`: with a plane those of vertices, else those of
/// elements, in their order. A rigid flex has SN_MAXCONPAIR at most, spread over all of them. False: no room.
bool sn_touchFlexPair(const snModel* m, snData* d, snFlexes* flexes, int i);

/// Adds the contacts of flexes with each other and then within each, by elements; elements that share a body
/// do not touch. False: no room.
bool sn_touchFlexes(const snModel* m, snData* d, snFlexes* flexes);

#endif
