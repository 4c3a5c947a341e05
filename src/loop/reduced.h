// From all dofs of a mechanism to its independent ones and back: qacc = G y + g (seed 002, (8.42), (8.45)).
#ifndef SINEW_LOOP_REDUCED_H
#define SINEW_LOOP_REDUCED_H

#include <sinew/data.h>
#include "math/dense.h"

/// What a dof is in terms of its mechanism's y: the sum of count coefficients times y.
typedef struct snLoopTerms {
    int count;
    const int* y; ///< [count] places in the mechanism's y
    const double* coefficient;
} snLoopTerms;

snLoopTerms sn_loopTerms(const snData* d, int dof);

/// x [nv] = G y, of the dofs of a mechanism; others stay. With `bias` G y + g.
void sn_loopExpand(const snData* d, int mechanism, const double* y, bool bias, double* x);

/// y [padded] = G' x, x [nv]; pads are zero.
void sn_loopReduce(const snData* d, int mechanism, const double* x, double* y);

/// g of a dof.
static inline double sn_loopParticular(const snData* d, int dof)
{
    const int c = d->dof_cluster[dof];
    return c < 0 ? 0 : d->loop_g[d->cluster_dofadr[c] + d->dof_place[dof]];
}

/// result [nv] = H x of the dofs of a mechanism, H [nM] in the layout of qM; others stay.
void sn_loopMulH(const snModel* m, const snData* d, int mechanism, const double* H, const double* x,
                 double* result);

/// G' H G for H [nM] in the layout of qM, as mechanism_H. Takes scratch; false: the arena is full.
bool sn_loopReducedH(const snModel* m, snData* d, int mechanism, const double* H, double* result);

/// G' A G for A [nD] with rows as D_rowadr, [ny x ny] row-major. Takes scratch; false: the arena is full.
bool sn_loopReducedA(const snModel* m, snData* d, int mechanism, const double* A, double* result);

/// The pattern of a full matrix of n padded rows, in scratch. false: the arena is full.
bool sn_fullPattern(snData* d, int n, snBlockPattern* pattern);

/// result [padded x padded], diaginv [padded] = factor of H. Takes scratch; returns how many pivots were not
/// positive, -1: the arena is full.
int sn_loopFactor(snData* d, int n, const double* H, double* result, double* diaginv);

/// x [padded] <- inv(L'DL) x. Takes scratch; false: the arena is full.
bool sn_loopSolve(snData* d, int n, const double* L, const double* diaginv, double* x);

#endif
