// The direct method: pivoting, exact up to rounding, for small problems and as reference.
#ifndef SINEW_LCP_DIRECT_H
#define SINEW_LCP_DIRECT_H

#include <sinew/lcp.h>

/// A dense problem in plain arrays.
typedef struct snDirect {
    int n;
    const double* A;       ///< [n x n] row-major
    const double* b;       ///< [n]
    const double *lo, *hi; ///< [n] not read for rows of friction
    const int* kind;       ///< [n] snLcpRow
    const int* normal;     ///< [n] of rows of friction
    const double* mu;      ///< [n] of rows of friction
} snDirect;

/// Numbers of work that it takes.
size_t sn_directWork(int n);

/// x [n]: a guess, then the solution or the best that was found; work [sn_directWork(n)], and nothing is
/// allocated. Rows with A_ii <= SN_MINVAL keep their x. Returns snLcpStatus: solved, or SN_LCPSTATUS_RAY.
/// *pivots receives how many.
int sn_lcpDirect(const snDirect* p, double* work, double* x, int* pivots);

#endif
