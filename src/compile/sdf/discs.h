// Triangles found by flat cylinders around groups of them: where a surface is nearly flat, the distances of a
// group from a point differ by less than its size, which boxes do not tell. That counts where many triangles
// are nearly as near as the nearest: inside of what is round.
#ifndef SINEW_COMPILE_SDF_DISCS_H
#define SINEW_COMPILE_SDF_DISCS_H

#include <stdint.h>
#include "sdf/field/nearest.h"

/// A node, as those of the tree of t: its left child comes next. The triangles below it lie in a cylinder:
/// low <= n . (x - centre) <= high, and within `radius` of the line through the centre along n. n = 0: within
/// `radius` of the centre.
typedef struct snDisc {
    float n[3], centre[3];
    float low, high, radius;
    int right; ///< the other child
    int face;  ///< of a leaf; -1: it has children
} snDisc;

/// Discs [t->nodes] of the tree of t; normal [t->count]: of length 1, 0 of flat triangles. NULL: memory is
/// out.
snDisc* sn_makeDiscs(const snTriangles* t, const snVec3* normal);

/// A point of t that is no farther than the nearest by more than `slack`. hint: a triangle that is near, by
/// which others are left out early; -1: none. Adds to *visits the nodes that were looked at.
snNearest sn_nearestByDiscs(const snTriangles* t, const snDisc* discs, snVec3 p, int hint, double slack,
                            int64_t* visits);

#endif
