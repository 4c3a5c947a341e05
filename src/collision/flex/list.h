// Lists in scratch memory that grow.
#ifndef SINEW_COLLISION_FLEX_LIST_H
#define SINEW_COLLISION_FLEX_LIST_H

#include <stdint.h>
#include "collision/contact/contact.h"

/// Elements, or pairs of elements, the first in the upper half.
typedef struct snKeys {
    snData* d;
    uint64_t* list;
    int count, capacity;
    bool full; ///< scratch ran out: some are missing
} snKeys;

void sn_addKey(snKeys* keys, uint64_t key);

/// Sorts them; false: some are missing, or cannot be sorted.
bool sn_orderKeys(snKeys* keys);

/// A contact point and the parts of both sides.
typedef struct snTouch {
    snContactPoint point;
    int part[2];
} snTouch;

typedef struct snTouches {
    snTouch* list;
    int count, capacity;
} snTouches;

/// Adds points [count] of two parts; false: scratch is full.
bool sn_addTouches(snData* d, snTouches* touches, const snContactPoint* points, int count, int part1,
                   int part2);

/// Leaves `most`: the deepest, and then each time the one that is farthest from those chosen. They stay in
/// order. False: scratch is full.
bool sn_thinTouches(snData* d, snTouches* touches, int most);

/// Makes contacts of them; false: no room for all.
bool sn_appendTouches(const snModel* m, snData* d, const snContactEnd end[2], const snTouches* touches);

#endif
