// Sweeps until a problem is solved, or is seen not to be.
//
// At the sweeps 1, 2, 4, 8, ... the iterate is kept (Brent 1980, in his search for cycles). What comes back
// to the one kept last repeats for ever; with acceleration, whose steps hang on more than the
// iterate, it may not, and that is not looked at. A residual that has grown by 1e8 diverges. The best of the
// iterates kept is where one goes back to.
//
// The answer to both, with `fallback`: first sweeps without acceleration, then a smaller omega (1 if
// it was above, else half; Jacobi: at most that of the spectral radius), then block Gauss-Seidel with omega
// 1, which converges where A is symmetric and bounds are fixed. While one of these is left a method is given
// up sooner: where its residual has grown a hundredfold, or its least has not become smaller while the number
// of sweeps grew fourfold, which happens to methods that converge after long, too.
#ifndef SINEW_LCP_SOLVE_ITERATE_H
#define SINEW_LCP_SOLVE_ITERATE_H

#include "lcp/solve/system.h"

typedef struct snIteration {
    int method;   ///< in: snLcpMethod but direct; out: that it ended with
    double omega; ///< likewise; not read by Gauss-Seidel; Jacobi's 0: from sn_lcpRadius
    int sweeps;   ///< in: at most, in all; out: done
    double tolerance;
    bool symmetric, fallback;
    bool accelerate; ///< Anderson acceleration and steps over free rows (subspace.h); out: of the last sweeps
    bool share;      ///< Gauss-Seidel and SOR: sn_lcpShare goes before the sweeps
    int products;    ///< out: products with A beside the sweeps
    double* work;    ///< [sn_iterationWork], 64-byte aligned
    int status;      ///< out: snLcpStatus
    double residual; ///< out: natural residual that the last sweep met, or of the iterate gone back to
} snIteration;

/// Numbers of work for a system.
size_t sn_iterationWork(const snLcpSystem* s);

/// Sweeps from x and dV = T x. x stays finite whatever happens: what diverges is answered, or taken back to
/// the best iterate kept. Nothing is allocated.
void sn_lcpIterate(snLcpSystem* s, snIteration* it);

/// Spectral radius of B^-1 A, B the diagonal of A or its diagonal blocks as Jacobi's methods take it, by
/// power iteration from a fixed vector: from below, within some percent. work [sn_iterationWork].
double sn_lcpRadius(const snLcpSystem* s, int method, double* work);

static inline bool sn_isJacobi(int method)
{
    return method == SN_LCP_JACOBI || method == SN_LCP_BLOCKJACOBI;
}
static inline bool sn_isByBlock(int method)
{
    return method == SN_LCP_BLOCKJACOBI || method == SN_LCP_BLOCKGS || method == SN_LCP_BLOCKSOR;
}

#endif
