// The dual problem (seed 001, (9)) of all rows: minimise over f in its set
//     1/2 f' (A + R) f + f' b,   A = J inv(M) J',   b = J qacc_smooth - aref.
// Sweeps go through the rows in the order of the efc arrays and move f row by row, or contact by contact,
// with the residual (A + R) f + b kept up to date.
//
// Rows stand in quads of four: a contact with friction begins one, the others follow each other. Of A only
// the blocks of two quads that move a common kinematic tree are there: rows of different islands never meet.
#ifndef SINEW_SOLVER_DUAL_H
#define SINEW_SOLVER_DUAL_H

#include "math/simd.h"
#include "solver/problem.h"

/// What the rows of a quad are.
typedef enum snDualKind {
    SN_DUAL_EQUALITY, ///< equalities alone
    SN_DUAL_ROWS,     ///< any rows that move one by one
    SN_DUAL_PYRAMID,  ///< of one contact: pairs of opposite edges
    SN_DUAL_CONE,     ///< the first, mostly only quad of an elliptic contact
    SN_DUAL_TAIL      ///< its second
} snDualKind;

typedef struct snDual {
    int nquad;           ///< quads of rows; all arrays of rows have 4 nquad entries
    int* efc;            ///< row in the efc arrays; -1: padding
    unsigned char* kind; ///< [nquad] snDualKind
    int* adr;            ///< [nquad + 1] first block of a quad's rows
    int* col;            ///< [adr[nquad]] quad of a block's columns: itself, the other of its contact, others
    double* A;           ///< [adr[nquad]][4][4] blocks of A + R
    double* diagA;       ///< A_ii
    double *R, *b;
    double* f;         ///< forces
    double* res;       ///< (A + R) f + b
    double *lo, *hi;   ///< bounds of f; cones have their own
    double* curvature; ///< (A + R)_ii
    double* step;      ///< 1 / curvature; 0: the row stays as it is
    double* within;    ///< [nquad][8] A_ij step_j, i < j, of a quad: 01 02 03 12 13 23
    double* zone;      ///< -1, 0, 1: f at lo, between, at hi; cones: snConstraintState in the first
    double* lambda;    ///< multiplier of each cone's friction when last found
    double* excess;    ///< f less what it should be, for the residual at the end
} snDual;

/// Builds the dual in scratch, with f from efc_force and without res. b [nefc] as above. false: the arena is
/// full.
bool sn_buildDual(const snModel* m, snData* d, const snIslands* islands, const double* b, snDual* q);

/// The parts of it, in scratch: quads from the rows; blocks of A from the quads.
bool sn_dualQuads(snData* d, const snIslands* islands, const double* b, snDual* q);
bool sn_dualMatrix(const snModel* m, snData* d, snDual* q);

/// Computes step and within from curvature and A, for all rows or for those of dry friction alone.
void sn_dualSteps(snDual* q, bool friction);
/// Computes res from f.
void sn_dualResidual(snDual* q);

/// Adds to res what a change of a quad's forces by d0, ..., d3 does to it.
SN_INLINE void sn_dualSpread(snDual* q, int quad, double d0, double d1, double d2, double d3)
{
    const double* A = q->A + 16 * (size_t)q->adr[quad];
    for (int k = q->adr[quad]; k < q->adr[quad + 1]; k++, A += 16) {
        double* res = q->res + 4 * q->col[k];
        v4_store(res, v4_load(res) + ((v4_all(d0) * v4_load(A) + v4_all(d1) * v4_load(A + 4)) +
                                      (v4_all(d2) * v4_load(A + 8) + v4_all(d3) * v4_load(A + 12))));
    }
}

/// Moves the rows of a quad, in turn, to where the cost is least within their bounds, all others fixed.
/// Returns the improvement, to be summed. `low` and `high`: whether there are bounds.
SN_INLINE v4 sn_dualMoveQuad(snDual* q, int quad, bool low, bool high)
{
    const int at = 4 * quad;
    const double* a = q->within + 8 * quad;
    const v4 f = v4_load(q->f + at), lo = v4_load(q->lo + at), hi = v4_load(q->hi + at);
    const v4 least = lo - f, most = hi - f, start = v4_load(q->res + at) * v4_load(q->step + at);
    double d[4], s[4];
    for (int r = 0; r < 4; r++) {
        s[r] = start[r];
        if (r == 1) s[r] += a[0] * d[0];
        if (r == 2) s[r] += a[1] * d[0] + a[3] * d[1];
        if (r == 3) s[r] += (a[2] * d[0] + a[4] * d[1]) + a[5] * d[2];
        d[r] = -s[r];
        if (low) d[r] = d[r] < least[r] ? least[r] : d[r];
        if (high) d[r] = d[r] > most[r] ? most[r] : d[r];
    }
    const v4 delta = v4_of(d[0], d[1], d[2], d[3]), slope = v4_of(s[0], s[1], s[2], s[3]);
    const v4i still = v4_equal(delta, v4_all(0));
    if (still[0] & still[1] & still[2] & still[3]) return (v4){0};
    v4 moved = f - slope; // a bound is met to the bit, and rows that stand still stay
    if (low) moved = v4_max(lo, moved);
    if (high) moved = v4_min(hi, moved);
    v4_store(q->f + at, v4_select(still, f, moved));
    sn_dualSpread(q, quad, d[0], d[1], d[2], d[3]);
    return -(delta * (slope + 0.5 * delta) * v4_load(q->curvature + at));
}

/// (A + R) of the first n rows of a contact whose quads begin at `quad`, block [n x n].
SN_INLINE void sn_dualBlock(const snDual* q, int quad, int n, double* block)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int side = i >> 2 != j >> 2; // the other quad of the contact comes second
            block[i * n + j] = q->A[16 * (size_t)(q->adr[quad + (i >> 2)] + side) + 4 * (i & 3) + (j & 3)];
        }
}

/// What the cost gains when n rows at residuals res [n] move by delta; block as above. 0: no more than
/// rounding is lost; below: it must not be done.
SN_INLINE double sn_dualGain(const double* block, const double* res, int n, const double* delta)
{
    double change = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += block[i * n + j] * delta[j];
        change += delta[i] * (res[i] + 0.5 * sum);
    }
    return -change;
}

/// Moves the n rows of an elliptic contact by delta, unless that costs more; block as above. Returns the
/// improvement.
SN_INLINE double sn_dualMoveCone(snDual* q, int quad, int n, const double* block, const double* delta)
{
    const double gain = sn_dualGain(block, q->res + 4 * quad, n, delta);
    double d[8] = {0};
    if (gain < -1e-10) return 0; // rounding only
    if (gain == 0) return 0;
    for (int k = 0; k < n; k++) {
        q->f[4 * quad + k] += delta[k];
        d[k] = delta[k];
    }
    sn_dualSpread(q, quad, d[0], d[1], d[2], d[3]);
    if (n > 4) sn_dualSpread(q, quad + 1, d[4], d[5], d[6], d[7]);
    return gain;
}

/// Norm of J' excess, a force in the dofs as the gradient of the primal problem: the largest of an island.
/// Overwrites efc_force and qfrc_constraint.
double sn_dualExcess(const snModel* m, snData* d, const snIslands* islands, const snDual* q);

/// Finds the zones of the rows; adds the active ones and those that changed to the statistics, if any.
void sn_dualState(const snData* d, snDual* q, snSolverStat* stat);

/// Minimises 1/2 x'A x + x'b over sum of (x_i / mu_i)^2 <= r^2, n <= 5. A [n x n] positive semidefinite.
/// lambda: the multiplier of the constraint, in a guess (0: none), out the result.
void sn_minimiseInEllipsoid(const double* A, const double* b, const double* mu, double r, int n,
                            double* lambda, double* x);

/// The friction x [dim - 1] of an elliptic contact that costs least with its normal force f[0] and all other
/// rows fixed. block [dim x dim]; res [dim] at f [dim]; lambda as above. x may be f + 1.
void sn_dualFriction(const double* block, const double* res, const double* f, const double* mu, int dim,
                     double* lambda, double* x);

/// Sweeps until the improvement of one, times scale, is below the tolerance of snOption. Add statistics to
/// d->solver and d->solver_niter; write d->solver_residual, d->noslip_residual.
void sn_projectedGaussSeidel(const snModel* m, snData* d, const snIslands* islands, snDual* q, double scale);
void sn_noslip(const snModel* m, snData* d, const snIslands* islands, snDual* q, double scale);

/// Forces by PGS if opt.solver says so, else those found before; then noslip iterations, if any.
void sn_solveDual(const snModel* m, snData* d, const snIslands* islands);

#endif
