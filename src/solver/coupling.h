// Which dofs of a large island rows and inertia couple, and its Hessian M + J'WJ, assembled in the panels of
// its sparse factor.
//
// A node is a path of dofs without branches in the tree of those that rows touch: such as the six of a free
// body, a limb. It couples as a whole, so that the graph and the factor are those of nodes.
#ifndef SINEW_SOLVER_COUPLING_H
#define SINEW_SOLVER_COUPLING_H

#include "math/dense.h"
#include "solver/supernode.h"

enum { SN_HESSIAN_STRIP = 16 }; ///< rows of J'WJ that are made at once

/// Dofs of a support that are neighbours in a node.
typedef struct snPiece {
    int node, offset, count; ///< the node's dofs offset .. offset + count - 1
    int block, shift;        ///< where they begin in the support's quads: block, and column in it
    int column;              ///< where they begin in the support's own columns
    int stride;              ///< of the panel that their rows are in
} snPiece;

/// Rows that touch the same dofs. Its own columns are the blocks of its pieces, one piece after the other.
typedef struct snHessianSupport {
    int quad, nquad; ///< their quads
    int npiece, ncolumn;
    snPiece* piece;        ///< [npiece] in the order of elimination
    const size_t* meeting; ///< [npiece (npiece + 1) / 2] where H of pieces a and b >= a stands, by a; NULL:
                           ///< of many pieces, found when asked
} snHessianSupport;

typedef struct snCoupling {
    int ndof, nnode;
    int* node;  ///< [ndof] of a dof
    int* first; ///< [nnode + 1] first dof of a node
    int nsupport;
    snHessianSupport* support;
    snElimination elimination;
    double work;          ///< of assembly and factorisation, as snElimination's
    size_t* chain;        ///< where M's numbers stand in the panels, as snChains has them
    size_t* elastic;      ///< the same of those of elasticity
    int* row;             ///< [ndof] row of R of a dof
    size_t rows, columns; ///< most numbers of a support's rows in its own columns; most columns
    int pieces;           ///< most pieces
    bool whole;           ///< all supports have `meeting`
    size_t* found;        ///< [pieces] work: where pieces meet
} snCoupling;

struct snProblem;

/// Finds the coupling of an island whose rows are filled in, in scratch. index [nv]: its compact dofs; unused
/// where the problem has `touched`. false: the arena is full.
bool sn_findCoupling(snData* d, const int* index, const struct snProblem* p, snCoupling* c);

/// value = M + the rows in one dof, of M + J' diag(weight) J.
void sn_assembleInertia(const struct snProblem* p, const double* weight, double* value);

/// Adds all other rows. quad: the rows, as the problem's but for their numbers. work [rows + SN_HESSIAN_STRIP
/// columns].
void sn_assembleRows(const struct snProblem* p, const snQuad* quad, const double* weight, double* work,
                     double* value);

/// Places [low, high) of the elimination, and the supports that are there, ascending.
typedef struct snPlaces {
    int low, high, nsupport, *support;
} snPlaces;

/// The same as far as it is in rows of these places; where the coupling is `whole`. Parts can be done in any
/// order, and at once.
void sn_assemblePart(const struct snProblem* p, const snQuad* quad, const double* weight,
                     const snPlaces* part, double* work, double* value);

#endif
