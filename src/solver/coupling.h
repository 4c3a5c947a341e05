// Which dofs of a large island rows and inertia couple, and its Hessian M + J'WJ, assembled in the panels of
// its sparse factor.
//
// A node is a path of dofs without branches in the tree of those that rows touch: such as the six of a free
// body, a limb. It couples as a whole, so that the graph and the factor are those of nodes.
#ifndef SINEW_SOLVER_COUPLING_H
#define SINEW_SOLVER_COUPLING_H

#include "math/dense.h"
#include "solver/supernode.h"

/// Dofs of a support that are neighbours in a node.
typedef struct snPiece {
    int node, offset; ///< its first dof is the node's dof `offset`
    int count;
    int column; ///< where they begin in the columns of the support's quads, four a block
} snPiece;

/// Where a piece meets another one in the factor's panels: number (i, j) at at + i across + j along.
typedef struct snMeeting {
    size_t at;
    int across, along;
} snMeeting;

/// Rows that touch the same dofs.
typedef struct snSupport {
    int quad, nquad; ///< their quads
    int npiece;
    const snPiece* piece;     ///< [npiece] ascending
    const snMeeting* meeting; ///< [npiece (npiece + 1) / 2] of piece a with b >= a, by a
} snSupport;

typedef struct snCoupling {
    int ndof, nnode;
    int* node;  ///< [ndof] of a dof
    int* first; ///< [nnode + 1] first dof of a node
    int nsupport;
    snSupport* support;
    snElimination elimination;
    size_t* chain; ///< where M's numbers stand in the panels, as snChains has them
    int* row;      ///< [ndof] row of R of a dof
    int most;      ///< blocks of a quad
} snCoupling;

struct snProblem;

/// Finds the coupling of an island whose rows are filled in, in scratch. index [nv]: its compact dofs. false:
/// the arena is full.
bool sn_findCoupling(snData* d, const int* index, const struct snProblem* p, snCoupling* c);

/// value = M + J' diag(weight) J. quad: the rows, as the problem's but for their numbers. strip [16 most] is
/// work.
void sn_assemble(const struct snProblem* p, const snQuad* quad, const double* weight, double* strip,
                 double* value);

#endif
