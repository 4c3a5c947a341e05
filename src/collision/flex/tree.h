// Trees of boxes, made anew for each step: which of many boxes overlap another, or each other.
#ifndef SINEW_COLLISION_FLEX_TREE_H
#define SINEW_COLLISION_FLEX_TREE_H

#include <sinew/data.h>
#include "math/simd.h"

/// A box along the world's axes, rounded outwards.
typedef struct snTreeBox {
    float low[3], high[3];
} snTreeBox;

enum {
    SN_TREE_WIDTH = 8,   ///< boxes in a box of the next level
    SN_TREE_LEVELS = 12, ///< eight to the power of these are more than all ints
};

/// Eight boxes side by side; where there are fewer the others are empty.
typedef struct snBoxGroup {
    v8 low[3], high[3];
} snBoxGroup;

/// Level 0 are the boxes themselves, in an order in which neighbours are near; a box of a level holds a group
/// of the one below it; the last level is one box.
typedef struct snBoxTree {
    int levels;
    int number[SN_TREE_LEVELS];        ///< boxes of each level
    snBoxGroup* group[SN_TREE_LEVELS]; ///< in groups
    int* id;                           ///< [number[0]] which box of the caller's each is
} snBoxTree;

/// The box [low, high] and `reach` around it; where one of its sides is NaN, an empty one, which meets none.
snTreeBox sn_treeBox(const double low[3], const double high[3], double reach);

/// A tree of boxes with the given ids in the scratch memory of d, which the caller releases; false: it is
/// full. Cost: O(count).
bool sn_growTree(snData* d, const snTreeBox* box, const int* id, int count, snBoxTree* tree);

static inline bool sn_boxesMeet(const snTreeBox* a, const snTreeBox* b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

/// Is told of boxes that overlap, by their ids.
typedef void (*snVisitBox)(void* user, int id);
typedef void (*snVisitBoxes)(void* user, int a, int b);

/// Visits all boxes of a tree that overlap `box`, in no particular order.
void sn_askTree(const snBoxTree* tree, const snTreeBox* box, snVisitBox visit, void* user);

/// Visits all pairs of boxes, one of each tree, that overlap; of one tree and itself pairs of two, each once.
void sn_pairTrees(const snBoxTree* a, const snBoxTree* b, snVisitBoxes visit, void* user);

#endif
