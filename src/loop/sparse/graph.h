// Bodies and joints of a model as nodes of a graph, each a block of unknowns of (8.64), and the order in
// which they are eliminated (seed 002, section 8.13).
#ifndef SINEW_LOOP_SPARSE_GRAPH_H
#define SINEW_LOOP_SPARSE_GRAPH_H

#include <sinew/data.h>
#include "base/pool.h"
#include "smooth/kinematics/resistance.h"

/// What a node holds: the acceleration of a body, or of its dofs with armature; the forces of its joint, or
/// of a loop. The first two are accelerations, the others forces, which have no diagonal of their own.
typedef enum snSparseKind {
    SN_SPARSE_BODY,
    SN_SPARSE_ARMATURE,
    SN_SPARSE_JOINT,
    SN_SPARSE_LOOP
} snSparseKind;

typedef struct snSparseNode {
    int id;   ///< the body; of a loop its id
    int size; ///< unknowns, 1 to 6
    snSparseKind kind;
    bool looped; ///< in a cluster with loops, so that forces may depend on others
} snSparseNode;

/// A block of the matrix joins each force with the accelerations that it touches.
typedef struct snSparseGraph {
    int nnode, nblock, nbody, nrow; ///< the first nbody nodes are bodies; nrow: rows of all loops
    snSparseNode* node;             ///< [nnode]
    int* block_adr;                 ///< [nnode + 1] first block of a force; accelerations have none
    int* block_node;                ///< [nblock] the acceleration
    int* block_row; ///< [nblock + 1] the first of its rows, as many as the force has, among those of all
    int* order;     ///< [nnode] nodes in the order of elimination
    int *body_node, *body_armature, *body_joint; ///< [nbody] -1: none; bodies welded together share theirs
    int* loop_node;                              ///< [nloop + neq] -1: it moves nothing
} snSparseGraph;

static inline bool sn_isForce(const snSparseGraph* g, int node)
{
    return g->node[node].kind >= SN_SPARSE_JOINT;
}

/// Whether the acceleration of a dof is an unknown of its own.
static inline bool sn_isOwnUnknown(const snModel* m, int dof)
{
    return sn_armatureOfDof(m, dof) > 0;
}

/// Fills the graph, from the pool. false: out of memory.
bool sn_sparseGraph(const snModel* m, snPool* pool, snSparseGraph* g);

/// The order. Each joint comes after both its bodies, or after all of its cluster but the topmost: then all
/// pivots are those of independent constraints. false: out of memory.
bool sn_sparseOrder(const snModel* m, snPool* pool, snSparseGraph* g);

#endif
