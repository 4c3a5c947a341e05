// Sparse normal equations of rows: H = shift 1 + J' W J of a system whose T is J, by blocks of
// four coordinates, as U'U. Blocks are numbered from an end of the bodies' graph to the other (Cuthill and
// McKee 1969, backwards), and a column of U is kept from its first block on (George and Liu 1981): a stack is
// a band.
#ifndef SINEW_LCP_SOLVE_PROFILE_H
#define SINEW_LCP_SOLVE_PROFILE_H

#include <sinew/data.h>
#include "lcp/solve/system.h"

typedef struct snProfile {
    int n;         ///< blocks of four coordinates
    int* place;    ///< [n] of a block in the order
    int* first;    ///< [n] first block of a column, in the order
    size_t* begin; ///< [n + 1] where a column begins in U
    double* U;     ///< [begin[n] x 16] row-major blocks, columns from first to the diagonal
    double* y;     ///< [4 n] work
    double cost;   ///< products of numbers that a factorisation takes, about
} snProfile;

/// The order and the shape of U, in scratch; U itself is not there yet. false: the arena is full.
bool sn_profileShape(const snLcpSystem* s, snData* d, snProfile* p);

/// Room for U, in scratch. false: the arena is full.
bool sn_profileRoom(snData* d, snProfile* p);

/// U of H. W [nquad x 16]: symmetric, positive semidefinite, of the rows of each quad. shift > 0.
void sn_profileFactor(const snLcpSystem* s, const double* W, double shift, snProfile* p);

/// z [ncoord] <- inv(H) z
void sn_profileSolve(const snProfile* p, double* z);

#endif
