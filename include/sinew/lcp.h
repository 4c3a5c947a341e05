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
    int n; ///< rows, at most 2^26

    /// A [n x n] in one of three ways, the others NULL. Dense: A, row-major. Sparse: J, its rows, with T.adr
    /// NULL and ncolumn = n. Matrix-free: J [n x ncolumn] by rows and T = M^-1 J' by columns, T.adr[i] to
    /// T.adr[i + 1] being column i. Columns may stand in any order; numbers at one place are added.
    const double* A;
    snSparseRows J, T;
    int ncolumn; ///< not read for dense A

    const double* b;       ///< [n]
    const double *lo, *hi; ///< [n] may be infinite; not read for rows of friction; NULL: 0 and infinity
    const int* kind;       ///< [n] snLcpRow; NULL: SN_LCPROW_BOX
    const int* normal;     ///< [n] of rows of friction: the row of their normal, which is a SN_LCPROW_BOX
                           ///< with bounds 0 and infinity, and has at most 7 rows of friction, of one kind
    const double* mu;      ///< [n] of rows of friction: coefficient, above 0
    const int* block;      ///< [n] rows of one number are one block of block methods: a normal with all its
                           ///< friction, or at most 8 rows without friction; NULL: each normal with its
                           ///< friction, else each row alone
} snLcp;

/// How to solve. sn_defaultLcpOption has the defaults.
typedef struct snLcpOption {
    int method;       ///< snLcpMethod; SN_LCP_BLOCKGS
    double omega;     ///< relaxation, before projection, of SOR and Jacobi, above 0; 1. Gauss-Seidel does not
                      ///< read it. Jacobi: 0 means the smaller of 1 and 1.8 / radius
    int sweeps;       ///< at most, all methods that are tried together; 1000
    double tolerance; ///< of the natural residual, in the unit of w; 1e-10
    bool symmetric;   ///< every second sweep goes from the last row to the first; false
    bool accelerate;  ///< Anderson acceleration on top of the sweeps; false
    bool fallback;    ///< what diverges or cycles is answered by sweeps without acceleration, then by a
                   ///< smaller omega (1 if it was above, else half), then by block Gauss-Seidel; what is not
                   ///< solved then, by pivoting, up to 300 rows; true
} snLcpOption;

/// Sets all options to what stands behind them above.
SN_API void sn_defaultLcpOption(snLcpOption* opt);

/// What came out. The conditions symmetric, definite and split are 1: it is so; 0: it is not; -1: not known.
/// Where all hold and bounds are fixed the method converges (seed 003); friction moves its bounds, of which
/// they say nothing.
typedef struct snLcpResult {
    int status;      ///< snLcpStatus; solved means that residual <= tolerance
    int method;      ///< that found lambda: another than was asked for after a fallback
    double omega;    ///< that it used; 1 of the direct method
    double residual; ///< sn_lcpResidual of lambda
    int sweeps;      ///< in all, with the pivots of the direct method
    double radius; ///< if Jacobi was asked for, an estimate, from below, of the spectral radius of D^-1 A, D
                   ///< the diagonal or the blocks of A; else 0
    int symmetric; ///< A is, up to 1e-10 of its diagonal; of more than 500 rows as two vectors see it
    int definite;  ///< (A + A')/2 is positive definite; not known of more than 500 rows
    int split;     ///< B - C of the splitting A = B + C that `method` is, likewise; not known of the direct
                   ///< method. Jacobi: 2 D / omega - A; SOR, of symmetric A: (2 / omega - 1) D. Of more than
                   ///< 500 rows, if A is symmetric: from the radius; from 0 < omega < 2
} snLcpResult;

/// Solves a problem. lambda [n]: where to start, then the result, finite whatever the status; w [n] = A
/// lambda + b, may be NULL, as may opt (the defaults), result and error.
///
/// Scalar methods go row by row in the order given, but friction right after its normal, rows of a cone at
/// once; block methods solve each block exactly with all others fixed. A row's step is lambda <- P(lambda -
/// omega w / A_ii), P to its box, or, rows of a cone, to the cone's section at the present normal, in the
/// metric D, with omega divided by the largest row sum of |A_jk| / sqrt(A_jj A_kk) over these rows. Where it
/// is not solved lambda is the best of the last iterate and of those after 0, 1, 2, 4, 8, ... sweeps.
///
/// Errors, with the row and the mend: sizes, indices, a NaN, lo above hi, a diagonal that is not positive, mu
/// that is not, a normal that is none, a block that is none; lambda is then as it was. A status other than
/// solved is no error. Allocates. Cost: of a sweep the numbers of J and T; once n^3 / 3 for the conditions,
/// up to 500 rows.  Source: seed 003, 1 and 2.
SN_API snStatus sn_solveLcp(const snLcp* problem, const snLcpOption* opt, double* lambda, double* w,
                            snLcpResult* result, snError* error);

/// The natural residual at lambda, in the unit of w: the largest |x_i - P_i(x - D^-1 (A x + b))| A_ii over
/// all rows, P_i the projection on the box, or on the section of the cone in the metric D, at x, D the
/// diagonal of A. It is 0 where, and only where, lambda solves the coupled problem. NaN: not a valid problem,
/// or no memory. Allocates.
SN_API double sn_lcpResidual(const snLcp* problem, const double* lambda);

#ifdef __cplusplus
}
#endif
#endif
