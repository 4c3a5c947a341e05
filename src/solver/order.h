// A fill-reducing order of elimination. Source: Amestoy, Davis and Duff 1996 (AMD).
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
/// graph alone. Takes scratch and gives it back; false: the arena is full.
bool sn_orderNodes(snData* d, const snGraph* graph, int* order);

#endif
