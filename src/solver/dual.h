// The dual problem (seed 001, (9)) of one constraint island: minimise over f in its set
//     1/2 f' (A + R) f + f' b,   A = J inv(M) J',   b = J qacc_smooth - aref.
// Sweeps go through its rows in the order of the efc arrays and move f row by row, or contact by contact,
// with the residual (A + R) f + b kept up to date. Islands do not meet in A, so that a sweep over each in
// turn does what one over all rows would.
#ifndef SINEW_SOLVER_DUAL_H
#define SINEW_SOLVER_DUAL_H

#include "solver/problem.h"

typedef struct snDual {
    snProblem inertia;   ///< M and the island's dofs; no rows
    double *L, *diaginv; ///< factor of M
    int count;           ///< rows; 0, and all else too: there was no room
    int stride;          ///< count padded to a multiple of four
    int* efc;            ///< [count] row in the efc arrays, ascending
    int* group;          ///< [count] rows of the group that starts here; 0: inside one
    double* A;           ///< [stride x stride]
    double *R, *b;       ///< [stride]
    double* f;           ///< [stride] forces
    double* res;         ///< [stride] (A + R) f + b
    double *lo, *hi;     ///< [stride] bounds of f; cones have their own
    double* step;        ///< [stride] 1 / (A + R)_ii
} snDual;

/// Builds the dual of an island, in scratch, with f from efc_force. b [nefc] as above. false: the arena is
/// full.
bool sn_buildDual(const snModel* m, snData* d, const snIslands* islands, int island, const double* b,
                  snDual* q);

/// Computes res and step from f, A and R.
void sn_dualResidual(snDual* q);

/// The cost above, from res.
double sn_dualCost(const snDual* q);

/// Changes f of n rows by delta, and res with it.
void sn_dualMove(snDual* q, int first, int n, const double* delta);

/// (A + R) of n rows, block [n x n].
void sn_dualBlock(const snDual* q, int first, int n, double* block);

/// What the cost changes by when n rows move by delta; block as above, res at the start.
double sn_dualChange(const double* block, const double* res, const double* delta, int n);

/// Writes efc_state of the rows; adds the active ones and those that changed to the statistics.
void sn_dualState(snData* d, const snDual* q, snSolverStat* stat);

/// Writes efc_force, and qfrc_constraint and qacc of the island's dofs. false: the arena is full.
bool sn_dualFinish(const snModel* m, snData* d, const snIslands* islands, const snDual* q);

/// Minimises 1/2 x'A x + x'b over sum of (x_i / mu_i)^2 <= r^2, n <= 5. A [n x n] positive semidefinite.
void sn_minimiseInEllipsoid(const double* A, const double* b, const double* mu, double r, int n, double* x);

/// Minimises the cost over the friction of an elliptic contact with its normal force fixed: delta [dim - 1]
/// is added to b_i = res_i, i > 0. f [dim]; block [dim x dim]; res [dim] at f. x [dim - 1]: the friction.
void sn_dualFriction(const double* block, const double* res, const double* f, const double* mu, int dim,
                     double* x);

/// Sweeps over all islands until the improvement of one, times scale, is below the tolerance of snOption.
/// Add statistics to d->solver and d->solver_niter.
void sn_projectedGaussSeidel(const snModel* m, snData* d, snDual* q, int count, double scale);
void sn_noslip(const snModel* m, snData* d, snDual* q, int count, double scale);

/// Forces by PGS if opt.solver says so, else those found before; then noslip iterations, if any.
void sn_solveDual(const snModel* m, snData* d, const snIslands* islands);

#endif
