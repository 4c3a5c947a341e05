// Rigid contact as a boxed linear complementarity problem (seed 003), on its own and as the contacts of a
// step.
//
// LCP(A, b, lo, hi): find lambda and w = A lambda + b such that for every row
//     lambda = lo => w >= 0,   lambda = hi => w <= 0,   lo < lambda < hi => w = 0.
// Of a step, w is the velocity of the rows after it, lambda their impulse (force times timestep), and
//     A = J M^-1 J',   b = J (u + dt M^-1 F),
// u the velocity before, F all forces but those of the rows. A is never made: T = M^-1 J', and dV = T lambda
// is kept as the rows move, so that w = J dV + b.
//
// Friction couples rows: a row of friction is bounded by mu times the lambda of its normal as it is in the
// same solution. A solution with bounds frozen at some other normal force is none.
#ifndef SINEW_LCP_H
#define SINEW_LCP_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Compressed rows of a sparse matrix: row i has value[adr[i]] to value[adr[i + 1] - 1], of the columns in
/// col.
typedef struct snSparseRows {
    const int *adr, *col;
    const double* value;
} snSparseRows;

/// A problem. The arrays are the caller's; nothing is written to them.
typedef struct snLcp {
    int n; ///< rows

    /// A [n x n] in one of three ways. Dense: A, row-major. Sparse: J, its rows, with T.adr NULL and ncolumn
    /// = n. Matrix-free: J [n x ncolumn] by rows and T = M^-1 J' by columns, T.adr[i] to T.adr[i + 1] being
    /// column i.
    const double* A;
    snSparseRows J, T;
    int ncolumn;

    const double* b;       ///< [n]
    const double *lo, *hi; ///< [n] may be infinite; not read for rows of friction; NULL: 0 and infinity
    const int* kind;       ///< [n] snLcpRow; NULL: SN_LCPROW_BOX
    const int* normal;     ///< [n] of rows of friction: the row of their normal, which is a SN_LCPROW_BOX
    const double* mu;      ///< [n] of rows of friction: coefficient, above 0
    const int* block; ///< [n] rows of one number are one block of block methods (at most 8, a normal with
                      ///< all its friction); NULL: each normal with its friction, else each row alone
} snLcp;

/// How to solve. sn_defaultLcpOption has the defaults.
typedef struct snLcpOption {
    int method;   ///< snLcpMethod; SN_LCP_BLOCKGS
    double omega; ///< relaxation, before projection, of SOR and Jacobi; 1. Jacobi: 0 means from the spectral
                  ///< radius
    int sweeps;   ///< at most; 1000
    double tolerance; ///< of the natural residual; 1e-10
    bool symmetric;   ///< every second sweep goes from the last row to the first; false
    bool fallback;    ///< answer divergence and cycles by smaller omega, Gauss-Seidel, pivoting; true
    bool accelerate;  ///< Anderson acceleration on top of the sweeps; false
} snLcpOption;

SN_API void sn_defaultLcpOption(snLcpOption* opt);

/// What came out.
typedef struct snLcpResult {
    int status;      ///< snLcpStatus
    int method;      ///< that found it: another than was asked for after a fallback
    double omega;    ///< that it used
    double residual; ///< natural residual ||x - P(x - D^-1(A x + b))||_inf times D, see sn_lcpResidual
    int sweeps;      ///< in all; pivots of the direct method
    double radius;   ///< Jacobi: estimate of the spectral radius of D^-1 A; else 0
    bool symmetric;  ///< A is, as far as it was seen
    bool definite;   ///< A is positive definite; then SOR with 0 < omega < 2 converges if bounds are fixed
                     ///< (seed 003)
    bool split;      ///< B - C of the splitting is, too: the condition of the seed, for fixed bounds
} snLcpResult;

/// Solves a problem. lambda [n]: where to start, then the result; w [n] = A lambda + b, may be NULL.
///
/// Scalar methods go row by row in the order given, but friction right after its normal; block methods solve
/// each block exactly with all others fixed. A row's step is lambda <- P(lambda - omega w / A_ii), P to its
/// box, or, rows of a cone, to the cone's section at the present normal.  Errors, with the row: sizes, a NaN,
/// lo above hi, a diagonal that is not positive, mu that is not, a normal that is none. A status other than
/// solved is no error. Allocates. Cost: of a sweep the numbers of J and T.  Source: seed 003, 1 and 2.
SN_API snStatus sn_solveLcp(const snLcp* problem, const snLcpOption* opt, double* lambda, double* w,
                            snLcpResult* result, snError* error);

/// The natural residual at lambda, in the unit of w: the largest |x_i - P_i(x - D^-1 (A x + b))| A_ii over
/// all rows, P_i the projection on the box or the section of the cone at x, D the diagonal of A. It is 0
/// where, and only where, lambda solves the coupled problem. NaN: not a valid problem.
SN_API double sn_lcpResidual(const snLcp* problem, const double* lambda);

#ifdef __cplusplus
}
#endif
#endif
