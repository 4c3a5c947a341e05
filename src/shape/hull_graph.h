// Convex hulls by qhull: triangles, and the graph of which vertices an edge joins, on which the collider
// climbs to a support point.
#ifndef SINEW_SHAPE_HULL_GRAPH_H
#define SINEW_SHAPE_HULL_GRAPH_H

#include <stdbool.h>
#include <sinew/base.h>

/// What a hull is made of, and how large it may be.
typedef struct snHullWish {
    const double* point; ///< [3 count]
    int count;
    int most;            ///< vertices; below 4: no bound
    bool farthest_first; ///< with a bound: the farthest point of all is added first, not that of a facet
} snHullWish;

/// The hull [*size], as mesh_graph of the model has it; to be freed with sn_free. NULL: error says why.
int* sn_makeHullGraph(const snHullWish* wish, int* size, snError* error);

/// The [numface x 3] points of the triangles of a graph, anticlockwise seen from outside.
int* sn_hullGraphFaces(int* graph, int* numface);

#endif
