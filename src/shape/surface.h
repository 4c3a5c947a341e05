// What a ray needs to know of a shape in its own frame.
#ifndef SINEW_SHAPE_SURFACE_H
#define SINEW_SHAPE_SURFACE_H

#include "math/vec.h"

/// Triangles of a mesh, and the tree of boxes over them: depth first, a node before its left subtree and that
/// before its right one.
typedef struct snTriangles {
    const float* vert;  ///< [3 x]
    const int* face;    ///< [count x 3] vertices; NULL: no mesh
    const real* box;    ///< [nodes x 6] centre, half sizes
    const int* child;   ///< [nodes x 2] -1: none
    const int* element; ///< [nodes] triangle of a leaf; -1: a node with children
    int count, nodes;   ///< nodes 0: no tree
} snTriangles;

/// Heights on a grid, rows along y.
typedef struct snHeights {
    const float* height; ///< [nrow x ncol] from 0 to 1; NULL: no field
    const real* size;    ///< half sizes x and y, height of 1, depth of the base
    int nrow, ncol;
} snHeights;

typedef struct snSurface {
    snVec3 size;
    snTriangles mesh;
    snHeights field;
} snSurface;

#endif
