// Fill-reducing orders of elimination.
#ifndef SINEW_SOLVER_ORDER_H
#define SINEW_SOLVER_ORDER_H

#include <sinew/data.h>

/// What couples with what: the neighbours of node i are adj[adr[i]] .. adj[adr[i + 1] - 1], each once,
/// without i; j is among those of i where i is among those of j.
typedef struct snGraph {
    int n;
    int* adr; ///< [n + 1]
    int* adj;
} snGraph;

/// order [n]: the node that goes k-th, by approximate minimum degree (AMD of SuiteSparse), a function of the
/// graph alone.  Source: Amestoy, Davis and Duff 1996. Takes scratch and gives it back; false: the arena is
/// full.
bool sn_orderNodes(snData* d, const snGraph* graph, int* order);

/// The same by nested dissection, which fills meshes in less the larger they are.
/// Cost: O(edges log n).  Source: George and Liu 1978.
bool sn_dissectNodes(snData* d, const snGraph* graph, int* order);

#endif
