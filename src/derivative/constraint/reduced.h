// The system G'HG y = G' x, in scratch: qacc = G y where loops are held exactly, else qacc = y.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_REDUCED_H
#define SINEW_DERIVATIVE_CONSTRAINT_REDUCED_H

#include <sinew/data.h>
#include "math/dense.h"

typedef struct snReduced {
    int nv, ny;
    double* G;           ///< [nv x ny]; NULL: the identity
    double* HG;          ///< [nv x ny]
    double *L, *diaginv; ///< [n x n], [n] factor of G'HG, n = ny padded
    double *work, *y;    ///< [4 n], [n]
    snBlockPattern pattern;
} snReduced;

/// Takes its arrays as scratch, and G. false: the arena is full.
bool sn_reducedTake(const snModel* m, snData* d, snReduced* r);

/// y [ny] = G' x.
void sn_reduce(const snReduced* r, const double* x, double* y);

/// Factors G'HG, H [nv x nv] symmetric. false: it is not positive definite.
bool sn_reducedFactor(snReduced* r, const double* H);

/// p [nv] = G inv(G'HG) G' x; both may be one array.
void sn_reducedSolve(const snReduced* r, const double* x, double* p);

#endif
