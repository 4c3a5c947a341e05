// What elements of flexes have by their dimension, and the room of their elasticity; formulas stand in
// docs/flex.md.
#ifndef SINEW_MODEL_FLEX_H
#define SINEW_MODEL_FLEX_H

/// Numbers of an edge in flex_bending: Q [4 x 4], then the factor of its cubic term.
#define SN_FLEX_BENDING 17

/// Numbers of an element in flex_stiffness, of dimension 2 or 3: the upper triangle of K, row by row, then
/// zeros.
static inline int sn_flexStiffness(int dim)
{
    return dim == 3 ? 24 : 21;
}

/// Number of edges of an element.
static inline int sn_flexElementEdges(int dim)
{
    return dim == 1 ? 1 : dim == 2 ? 3 : 6;
}

/// Edge k of an element, as two of its corners; of a triangle the one that does not have corner k.
static inline const int* sn_flexElementEdge(int dim, int k)
{
    static const int line[1][2] = {{0, 1}};
    static const int triangle[3][2] = {{1, 2}, {2, 0}, {0, 1}};
    static const int tetrahedron[6][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};
    return dim == 1 ? line[k] : dim == 2 ? triangle[k] : tetrahedron[k];
}

#endif
