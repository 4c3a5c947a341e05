// The reduced problem (seed 001, (8)) of one constraint island, in compact dofs:
//     minimise over y:  1/2 y' M y + sum of s(J y + b),   y = qacc - qacc_smooth,  b = J qacc_smooth - aref.
//
// Only dofs that some row touches, and their ancestors, are unknowns. The others are leafward of them, their
// gradient (M y)_u is zero, and in the factor M = L'DL of sn_factorM they eliminate to
//     M~ = M_cc - L_uc' D_u L_uc  and  (L y)_u = 0.
// Dofs keep their order, parents first, so that blocks fill in only where rows couple branches. Large islands
// hold M along the chains to the root, and their Hessian in the panels of a sparse factor (coupling.h), which
// has its own order.
#ifndef SINEW_SOLVER_PROBLEM_H
#define SINEW_SOLVER_PROBLEM_H

#include "constraint/island.h"
#include "math/dense.h"
#include "solver/coupling.h"
#include "solver/points.h"
#include "solver/rowset.h"

/// Chains to the root in compact dofs: that of c from list[adr[c]] to list[adr[c+1] - 1]: c, its parent, ...
typedef struct snChains {
    int *adr, *list;
} snChains;

typedef struct snProblem {
    int ndof;                   ///< unknowns
    int n;                      ///< padded to a multiple of four; pads have M = 1
    const int* dof;             ///< [ndof] ascending
    int nfollow;                ///< dofs of the island that drop out: dof[ndof] and on
    snChains chains;            ///< of the unknowns
    bool large;                 ///< what M and the factor of M + J'DJ are:
    double* M;                  ///< small: [n x n] blocked symmetric
    snBlockPattern treePattern; ///< small: of M; with its fill if the solver factors M
    snBlockPattern pattern;     ///< small: of the factor
    double* chainM;             ///< large: [chains] M of each dof and its chain
    double *chainL, *inv;       ///< large: [chains], [ndof] unit factor of M and its 1/D, if the solver is CG
    snElastic elastic;          ///< large: what M has beside the chains, by unknowns; adr NULL: nothing
    snElasticPoints points;     ///< large: of flexes, where they are solved by iteration; else count 0
    snCoupling coupling;        ///< large: of the factor, where there is one
    int nsimple;                ///< rows +-1 in one dof, padded to a multiple of four; they come first
    int* simple_dof;            ///< [nsimple] compact
    double* simple_sign;        ///< [nsimple]
    int nquad;                  ///< the other rows, four a quad
    snQuad* quad;
    int **touched, *ntouched; ///< with loops: the unknowns of each quad [nquad], ascending; else NULL
    bool loops;               ///< dof lists the independent dofs of mechanisms; b is whole from the start
    snRowset rows;            ///< nsimple + 4 nquad
    int* efc;                 ///< [rows.count] row in efc arrays; -1: padding
    double* b;                ///< [rows.count]
} snProblem;

/// M of a large island along the chains, and its factor if `factored`, in scratch; dofs and chains are there.
/// false: the arena is full.
bool sn_problemChainInertia(const snModel* m, snData* d, const snIslands* islands, bool factored,
                            snProblem* p);

/// Whether an island is solved as a large one: where that has been found to take less time, counted by dofs.
bool sn_isLargeIsland(const snModel* m, const snIslands* islands, int island);

/// Builds the problem of an island with loops, in scratch: qacc = qacc_smooth + G y, whose unknowns y are the
/// independent dofs of its mechanisms and all dofs of its other trees. M is G'HG, rows are J G, b = J
/// qacc_smooth - aref. false: the arena is full.
bool sn_buildLoopProblem(const snModel* m, snData* d, const snIslands* islands, int island, bool large,
                         snProblem* p);

/// As sn_problemFinish, for such a problem; efc_force is there.
void sn_loopProblemFinish(const snModel* m, snData* d, const snIslands* islands, int island,
                          const snProblem* p, const double* y);

/// Takes the storage of rows: pads nsimple, nquad and rows.ncone are known; *col and *value are of these
/// sizes.
bool sn_problemRows(snData* d, snProblem* p, int ncol, int nvalue, int** col, double** value);
/// Row `at` of the problem from row `row` of efc, but for its numbers; a row of padding; and the rows of the
/// next quad from `count` rows of one constraint, padded to four.
void sn_problemRow(const snData* d, snProblem* p, int at, int row);
void sn_problemPad(snProblem* p, int at);
void sn_problemQuad(const snData* d, snProblem* p, int row, int count);

/// Up to four unknowns side by side in a block: `count` numbers of a row from `from` on, that go to `to` in
/// the first row of a quad.
typedef struct snQuadPiece {
    int from, to, count;
} snQuadPiece;

/// What a group of rows touches.
typedef struct snQuadSupport {
    int coladr; ///< of its dofs in efc_J_colind
    int ndof, nblock, npiece;
    snQuadPiece* piece; ///< [npiece, at most ndof]
    int* col;           ///< [nblock] the blocks that its dofs are in, ascending
} snQuadSupport;

/// The next quads, and the cone, of a group of rows; their numbers go to *value and on.
void sn_problemGroup(const snData* d, const snRowGroup* group, const snQuadSupport* support, snProblem* p,
                     double** value);
/// Whether a row of efc is +-1 in one dof.
bool sn_isSimpleRow(const snModel* m, const snData* d, int row);

/// Builds the problem of an island, in scratch. false: the arena is full.
bool sn_buildProblem(const snModel* m, snData* d, const snIslands* islands, int island, bool large,
                     snProblem* p);

/// How many quads the rows of an island fill that is a chain of few dofs, all of which each row touches, 0
/// where it is none; and its problem, as of sn_buildProblem.
int sn_chainQuads(const snModel* m, const snData* d, const snIslands* islands, int island);
bool sn_buildChainProblem(const snModel* m, snData* d, const snIslands* islands, int island, int nquad,
                          snProblem* p);

/// Writes qacc = qacc_smooth + y of all dofs of the island and qfrc_constraint of those that rows touch. y,
/// force [n].
void sn_problemFinish(const snModel* m, snData* d, const snIslands* islands, const snProblem* p,
                      const double* y, const double* force);

/// y [n] = M x.
void sn_problemMulM(const snProblem* p, const double* x, double* y);
/// x [n] <- inv(M) x of a large island, whose M is factored.
void sn_problemSolveM(const snProblem* p, double* x);

/// y [rows.count] = J x;  y [n] += J' x.
void sn_problemMulJ(const snProblem* p, const double* x, double* y);
void sn_problemMulJT(const snProblem* p, const double* x, double* y);

#endif
