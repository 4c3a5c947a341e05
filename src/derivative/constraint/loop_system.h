// The linear system of loops that are held exactly,
//     A x = f + K' lambda,   K x = -r,
// in the unknowns x alone: x = P f - (1 - P A) N r, with P = G inv(G'AG) G' and N r the particular solution
// of K g = r. Source: seed 002, 8.5.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_LOOP_SYSTEM_H
#define SINEW_DERIVATIVE_CONSTRAINT_LOOP_SYSTEM_H

#include <sinew/data.h>

/// P [nv x step] of A [nv x nv], which need not be symmetric. Takes scratch; SN_STATUS_UNSUPPORTED: G'AG is
/// singular.
snStatus sn_loopResponseMatrix(const snModel* m, snData* d, const double* A, double* P, int step,
                               snError* error);

/// X [nv x stride] += x of f = 0 along the n columns of rows [nlooprow x n] = r; rows that depend on others
/// are taken to agree with them. Takes scratch; false: the arena is full.
bool sn_loopPrescribed(const snModel* m, snData* d, const double* A, const double* P, int step, int n,
                       const double* rows, double* X, int stride);

/// lambda [nlooprow] of least norm with K' lambda = tau [nv]. Takes scratch; false: the arena is full.
bool sn_loopMultipliers(const snModel* m, snData* d, const double* tau, double* lambda);

#endif
