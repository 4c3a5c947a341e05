// Trees of boxes over boxes.
#ifndef SINEW_COMPILE_BUILD_BVH_H
#define SINEW_COMPILE_BUILD_BVH_H

#include <stdbool.h>

/// What a tree is built over: a geom of a body, a triangle of a mesh.
typedef struct snBvhLeaf {
    double low[3], high[3]; ///< its box, in the axes of the tree
    double key[3]; ///< the point by which leaves are split: a geom's origin, a triangle's circumcentre
    int id;        ///< what bvh_nodeid says of it
} snBvhLeaf;

/// Where the nodes of one tree go: rows of m->bvh_*, from the tree's root on.
typedef struct snBvhNodes {
    int* depth;   ///< [n]; NULL: not wanted
    int* child;   ///< [n x 2] counted from the root; -1: none
    int* nodeid;  ///< [n] id of a leaf, else -1
    double* aabb; ///< [n x 6] centre, half sizes
} snBvhNodes;

/// Nodes of a tree over so many leaves: each inner node has two children.
static inline int sn_bvhNodeCount(int leaves)
{
    return leaves ? 2 * leaves - 1 : 0;
}

/// Builds the tree over n > 0 leaves, root first, each left subtree before the right one (so a child comes
/// after its parent). A node holds the smallest box around its leaves; flat boxes are made 1e-14 thick. A
/// node of several leaves is split across the longest edge of its box at the median of the keys, so that the
/// depth is at most log2(n) + 1, which also bounds the recursion. Two keys closer than 1e-14 keep the order
/// of the leaves. O(n log n). Returns false when out of memory.
bool sn_buildBvhTree(const snBvhLeaf* leaves, int n, snBvhNodes nodes);

#endif
