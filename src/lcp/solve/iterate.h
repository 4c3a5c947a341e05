// Sweeps until a problem is solved, or is seen not to be.
#ifndef SINEW_LCP_SOLVE_ITERATE_H
#define SINEW_LCP_SOLVE_ITERATE_H

#include "lcp/solve/system.h"

typedef struct snIteration {
    int method;   ///< in: snLcpMethod but direct; out: that it ended with
    double omega; ///< likewise; Jacobi's 0: from the spectral radius
    int sweeps;   ///< in: at most; out: done
    double tolerance;
    bool symmetric, fallback;
    bool accelerate; ///< by Anderson's method
    double* work;    ///< [sn_iterationWork]
    int status;      ///< out: snLcpStatus
    double residual; ///< out: natural residual that the last sweep met
} snIteration;

/// Numbers of work for a system.
size_t sn_iterationWork(const snLcpSystem* s);

/// Sweeps from x and dV = T x. x stays finite whatever happens: what diverges is answered, or taken back to
/// the best iterate seen. Nothing is allocated.
void sn_lcpIterate(snLcpSystem* s, snIteration* it);

#endif
