// Factor and solve with any symmetric matrix that has the sparsity of M (seed 000). Factors are packed: row i
// at dof_LDadr[i] holds the dofs above i from the root on, the diagonal last, then what fills the last group
// of four, which means nothing; the row of a simple dof is its diagonal alone. So rows of all dofs on one way
// to the root begin with the same columns, aligned.
#ifndef SINEW_SMOOTH_INERTIA_FACTOR_H
#define SINEW_SMOOTH_INERTIA_FACTOR_H

#include <sinew/data.h>
#include "math/real.h"
#include "model/arena.h"

/// Where D(i) stands in packed factors.
static inline int sn_diagonalLD(const snModel* m, int i)
{
    return m->dof_LDadr[i] + (m->dof_simplenum[i] ? 0 : m->D_diag[i]);
}

/// Dofs of the body whose last dof is k: how many simple dofs to pass at once, on the way to the first.
static inline int sn_simpleBody(const snModel* m, int k)
{
    return k + 1 - m->body_dofadr[m->dof_bodyid[k]];
}

/// LD [nLD] <- A [nM] in the layout of qM.
void sn_packTree(const snModel* m, const real* A, real* LD);

#ifdef SN_LANES
typedef snMask snBadPivots; ///< lanes that have one
#else
typedef int snBadPivots; ///< the last (first met) dof of one, or -1
#endif

/// A = L'DL with L unit lower triangular in the same pattern. LD [nLD] holds A packed and receives L with D
/// on the diagonal, diagInv [nv] 1/D. A pivot below SN_MINVAL is bad and raised to it; if A may be
/// `indefinite`, one of a size below SN_MINVAL is moved away from zero to it, others may be negative. Lanes
/// with a bad pivot get numbers that mean nothing. Cost: sum of depth^2/2.
snBadPivots sn_factorTree(const snModel* m, bool indefinite, real* LD, real* diagInv);

/// Warns of a bad pivot of an inertia; lanes that have one are left to the scalar engine.
static inline void sn_reportPivots(snData* d, snBadPivots bad)
{
#ifdef SN_LANES
    d->eject |= bad;
#else
    if (bad >= 0) sn_warn(d, SN_WARN_INERTIA, bad);
#endif
}

/// x [n x nv] <- inv(A) x, row by row.
void sn_solveTree(const snModel* m, const real* LD, const real* diagInv, real* x, int n);

/// Whole trees, which stand one behind the other: dofs begin <= k < end.
typedef struct snTrees {
    int begin, end;
} snTrees;

/// The trees from that of the least to that of the largest of dofs [n]; none for n = 0.
snTrees sn_treesOf(const snModel* m, const int* dofs, int n);

/// x [nv] <- inv(L) inv(D) inv(L') x where x is zero outside `trees`, and stays so; without `whole`,
/// x <- inv(sqrt(D)) inv(L') x.
void sn_solveTrees(const snModel* m, const real* LD, const real* diagInv, snTrees trees, bool whole, real* x);

#ifdef SN_LANES // where nothing sleeps
#define sn_packAwake(m, d, A, LD) sn_packTree(m, A, LD)
#define sn_factorAwake(m, d, indefinite, LD, diagInv) sn_factorTree(m, indefinite, LD, diagInv)
#else
/// As sn_packTree, sn_factorTree and sn_solveTree for one x, of trees that are awake alone.
void sn_packAwake(const snModel* m, const snData* d, const real* A, real* LD);
snBadPivots sn_factorAwake(const snModel* m, const snData* d, bool indefinite, real* LD, real* diagInv);
void sn_solveAwake(const snModel* m, const snData* d, const real* LD, const real* diagInv, real* x);
#endif

#endif
