// Edges and sides of elements: which are the same, and which have an element on one side alone.
#ifndef SINEW_COMPILE_FLEX_TOPOLOGY_H
#define SINEW_COMPILE_FLEX_TOPOLOGY_H

#include <stdbool.h>

// edges.c
/// Numbers edges in the order in which elements have them. element [nelem x (dim + 1)]: vertices; *edge
/// [*nedge x 2]: their ends, the lower first, which the caller frees; elemedge [nelem x
/// sn_flexElementEdges], NULL: not wanted. Cost: O(nelem) by hashes. false: out of memory.
bool sn_flexEdges(const int* element, int nelem, int dim, int** edge, int* nedge, int* elemedge);

// sides.c
// Side k of an element has dim corners, 0 <= k <= dim; a triangle's goes around it counter-clockwise, a
// tetrahedron's is seen so from outside.
/// What lies behind each side: *behind [nelem x (dim + 1)]: (dim + 1) element + side on its other side, -1:
/// it is a shell; which the caller frees. Cost: O(nelem) by hashes. false: out of memory.
bool sn_flexBehind(const int* element, int nelem, int dim, int** behind);
/// Vertices of the nshell sides with nothing behind them [nshell x dim], each in the order of its element,
/// sorted by vertices. Cost: O(nelem + nshell log nshell). false: out of memory.
bool sn_flexShells(const int* element, int nelem, int dim, const int* behind, int nshell, int* shell);
/// Steps over sides from each element to one with a shell [nelem]; -1: there is no way.
/// Cost: O(nelem). false: out of memory.
bool sn_flexLayers(int nelem, int dim, const int* behind, int* layer);

#endif
