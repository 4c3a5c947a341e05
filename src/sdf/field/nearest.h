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

/// Nearest point of one triangle. A flat one, of which two corners or all lie on a line, has no inside.
snNearest sn_nearestOfTriangle(const snTriangles* t, int face, snVec3 p);

/// Nearest point of all; of several the first that is found. O(log n) where few triangles are as near as the
/// nearest.
snNearest sn_nearestOfTriangles(const snTriangles* t, snVec3 p);

#endif
