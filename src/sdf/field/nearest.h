// The point of a mesh's triangles that is nearest to another, found through their tree of boxes.
#ifndef SINEW_SDF_FIELD_NEAREST_H
#define SINEW_SDF_FIELD_NEAREST_H

#include "math/vec.h"
#include "shape/surface.h"

/// The part of a triangle on which a point lies: its inside, edge k from corner k to the next, or corner k.
typedef enum snTrianglePart {
    SN_PART_FACE,
    SN_PART_EDGE0,
    SN_PART_EDGE1,
    SN_PART_EDGE2,
    SN_PART_CORNER0,
    SN_PART_CORNER1,
    SN_PART_CORNER2
} snTrianglePart;

typedef struct snNearest {
    snVec3 point;
    real square; ///< of the distance; INFINITY: there is none
    int face;    ///< -1: there is none
    snTrianglePart part;
} snNearest;

/// The triangles below a node lie in a cylinder: low <= n . (x - centre) <= high, and at most `radius` from
/// the line through the centre along n. Where they are nearly flat this tells more than their box: their
/// distances from a point differ by less than their size.
typedef struct snDisc {
    snVec3 n; ///< of length 1; 0: nothing is known
    snVec3 centre;
    real low, high, radius;
} snDisc;

/// Helps of a search; all zero: none, but for the hint.
typedef struct snSearch {
    const snDisc* discs; ///< [t->nodes] or NULL
    int hint;            ///< a triangle that is near, by which others are left out early; -1: none
    real slack;          ///< another may be nearer, but by no more than this
} snSearch;

/// Nearest point of all; of several the first that is found. O(log n) where few triangles are as near as the
/// nearest.
snNearest sn_nearestOfTriangles(const snTriangles* t, const snSearch* search, snVec3 p);

#endif
