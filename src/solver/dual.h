// The dual problem (seed 001, (9)) of one constraint island: minimise over f in its set
//     1/2 f' (A + R) f + f' b,   A = J inv(M) J',   b = J qacc_smooth - aref.
// Sweeps go through its rows in the order of the efc arrays and move f row by row, or contact by contact,
// with the residual (A + R) f + b kept up to date. Islands do not meet in A, so that a sweep over each in
// turn does what one over all rows would.
#ifndef SINEW_SOLVER_DUAL_H
#define SINEW_SOLVER_DUAL_H

#include "math/simd.h"
#include "solver/problem.h"

typedef struct snDual {
    snProblem inertia;   ///< M and the island's dofs; no rows
    double *L, *diaginv; ///< factor of M
    int count;           ///< rows; 0, and all else too: there was no room
    int stride;          ///< count padded to a multiple of four
    const int* index;    ///< [nv] place of a dof in the island
    int* efc;            ///< [count] row in the efc arrays, ascending
    int* group;          ///< [count] rows of the group that starts here; 0: inside one
    double* A;           ///< [stride x stride]
    double *R, *b;       ///< [stride]
    double* f;           ///< [stride] forces
    double* res;         ///< [stride] (A + R) f + b
    double *lo, *hi;     ///< [stride] bounds of f; cones have their own
    double* step;        ///< [stride] 1 / (A + R)_ii
    double* lambda;      ///< [stride] multiplier of each cone's friction when last found
    double* force;       ///< [inertia.n] J' excess
    double* excess;      ///< [stride] f less what it should be, for the residual at the end
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
SN_INLINE void sn_dualMove(snDual* q, int first, int n, const double* delta)
{
    const double* rows = q->A + (size_t)first * (size_t)q->stride;
    for (int i = 0; i < q->stride; i += 4) {
        v4 res = v4_load(q->res + i);
        for (int k = 0; k < n; k++) res += delta[k] * v4_load(rows + k * q->stride + i);
        v4_store(q->res + i, res);
    }
    for (int k = 0; k < n; k++) {
        q->f[first + k] += delta[k];
        q->res[first + k] += q->R[first + k] * delta[k];
    }
}

/// Moves a row to where the cost is least within its bounds, all others fixed. Returns the improvement.
SN_INLINE double sn_dualMoveRow(snDual* q, int r)
{
    const double old = q->f[r], res = q->res[r], step = q->step[r];
    double f = old - res * step;
    f = f < q->lo[r] ? q->lo[r] : f;
    f = f > q->hi[r] ? q->hi[r] : f;
    const double delta = f - old;
    if (delta == 0) return 0;
    sn_dualMove(q, r, 1, &delta);
    return -delta * (res + 0.5 * delta / step);
}

/// (A + R) of n rows, block [n x n].
SN_INLINE void sn_dualBlock(const snDual* q, int first, int n, double* block)
{
    for (int i = 0; i < n; i++) {
        const double* row = q->A + (size_t)(first + i) * (size_t)q->stride + first;
        for (int j = 0; j < n; j++) block[i * n + j] = row[j];
        block[i * n + i] += q->R[first + i];
    }
}

/// Moves n rows by delta, unless that costs more; block as above. Returns the improvement.
SN_INLINE double sn_dualMoveBlock(snDual* q, int first, int n, const double* block, const double* delta)
{
    double change = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += block[i * n + j] * delta[j];
        change += delta[i] * (q->res[first + i] + 0.5 * sum);
    }
    if (change > 1e-10) return 0; // rounding only
    if (change != 0) sn_dualMove(q, first, n, delta);
    return -change;
}

/// Norm of J' excess, a force in the dofs as the gradient of the primal problem.
double sn_dualExcess(const snData* d, const snDual* q);

/// Writes efc_state of the rows; adds the active ones and those that changed to the statistics.
void sn_dualState(snData* d, const snDual* q, snSolverStat* stat);

/// Writes efc_force, and qfrc_constraint and qacc of the island's dofs. false: the arena is full.
bool sn_dualFinish(const snModel* m, snData* d, const snIslands* islands, const snDual* q);

/// Minimises 1/2 x'A x + x'b over sum of (x_i / mu_i)^2 <= r^2, n <= 5. A [n x n] positive semidefinite.
/// lambda: the multiplier of the constraint, in a guess (0: none), out the result.
void sn_minimiseInEllipsoid(const double* A, const double* b, const double* mu, double r, int n,
                            double* lambda, double* x);

/// The friction x [dim - 1] of an elliptic contact that costs least with its normal force f[0] and all other
/// rows fixed. block [dim x dim]; res [dim] at f [dim]; lambda as above. x may be f + 1.
void sn_dualFriction(const double* block, const double* res, const double* f, const double* mu, int dim,
                     double* lambda, double* x);

/// Sweeps over all islands until the improvement of one, times scale, is below the tolerance of snOption.
/// Add statistics to d->solver and d->solver_niter; write d->solver_residual, d->noslip_residual.
void sn_projectedGaussSeidel(const snModel* m, snData* d, snDual* q, int count, double scale);
void sn_noslip(const snModel* m, snData* d, snDual* q, int count, double scale);

/// Forces by PGS if opt.solver says so, else those found before; then noslip iterations, if any.
void sn_solveDual(const snModel* m, snData* d, const snIslands* islands);

#endif
