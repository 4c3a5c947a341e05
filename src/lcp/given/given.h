// A problem of the caller, checked, and brought into the form that sweeps work on.
#ifndef SINEW_LCP_GIVEN_GIVEN_H
#define SINEW_LCP_GIVEN_GIVEN_H

#include <math.h>
#include "lcp/solve/system.h"

enum {
    SN_LCP_MOST = 1 << 26,     ///< rows, columns: addresses of diagonal blocks stay below 2^31
    SN_LCP_DIRECT_MOST = 4096, ///< rows that the direct method takes
    SN_LCP_SMALL = 300,        ///< rows up to which it is the last answer to what does not converge
    SN_LCP_EXAMINED = 500      ///< rows up to which the conditions are looked at by factors
};

/// What the caller's arrays say of a row, or what stands for an array that is not there.
static inline int sn_givenKind(const snLcp* given, int i)
{
    return given->kind ? given->kind[i] : SN_LCPROW_BOX;
}
static inline double sn_givenLower(const snLcp* given, int i)
{
    return given->lo ? given->lo[i] : 0;
}
static inline double sn_givenUpper(const snLcp* given, int i)
{
    if (given->hi) return given->hi[i];
    return INFINITY;
}

/// snStatus SN_STATUS_OK, or SN_STATUS_ARGUMENT with the row and the mend.
snStatus sn_checkLcp(const snLcp* given, snError* error);
snStatus sn_checkLcpOption(const snLcpOption* opt, snError* error);

typedef struct snGiven {
    const snLcp* lcp;
    int n;
    snSparseRows J, T; ///< of all three forms: the caller's, or made of A; [n] rows each
    double* diagonal;  ///< [n] of A
    int* friction;     ///< [n] of a normal its first row of friction, of that the next; -1: no more
    int* place;        ///< [n] the row of the system that a row is
    snLcpSystem s;
    void* memory[48];
    int nmemory;
} snGiven;

/// Checks and converts. Whatever it returns, p is to be freed.
snStatus sn_makeGiven(snGiven* p, const snLcp* given, snError* error);
void sn_freeGiven(snGiven* p);

/// Zeros for `count` items that live as long as p; NULL: no memory.
void* sn_givenRoom(snGiven* p, size_t count, size_t size);

/// Rows of J and T from the caller's form, and the diagonal of A.
snStatus sn_givenRows(snGiven* p, snError* error);
/// Blocks and the places of rows.
snStatus sn_givenBlocks(snGiven* p, snError* error);
/// A [n x n] = J T.
snStatus sn_givenDense(snGiven* p, double* A, snError* error);

/// Conditions for convergence that `result` reports, of the method and omega that it holds.
snStatus sn_givenConditions(snGiven* p, snLcpResult* result, snError* error);

#endif
