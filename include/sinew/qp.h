// Quadratic programs, dense:
//     min 1/2 x'Hx + g'x   subject to   lower <= A x <= upper,   xlower <= x <= xupper.
// Rows with lower = upper are equalities; infinite bounds are none. A dual active set (Goldfarb and Idnani
// 1983) in least-distance form: the active rows, scaled by the factor of H, are kept in an orthogonal factor,
// so that what is nearly dependent loses no digits.
#ifndef SINEW_QP_H
#define SINEW_QP_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snQp snQp; ///< memory for problems up to a size, and the active set of the last one

/// A problem. The arrays are the caller's, row-major; nothing is written to them.
typedef struct snQpProblem {
    int n;           ///< unknowns, >= 1
    int rows;        ///< of A, >= 0
    const double* H; ///< [n x n] symmetric, positive semidefinite; the lower triangle is read; NULL: I
    const double* g; ///< [n]; NULL: 0
    const double* A; ///< [rows x n]
    const double *lower, *upper;   ///< [rows]; NULL: none
    const double *xlower, *xupper; ///< [n]; NULL: none
} snQpProblem;

typedef struct snQpOption {
    int iterations;   ///< changes of the active set, at most; 0: 10 (n + rows) + 100
    double tolerance; ///< of a row's violation, times 1 + |bound| with the row at unit norm; 1e-10
    bool warmstart;   ///< begin with the last problem's active set, if the sizes are the same; true
} snQpOption;

/// Sets all options to what stands behind them above.
SN_API void sn_defaultQpOption(snQpOption* opt);

// clang-format off
#define SN_QPSTATUS_TABLE(X) \
    X(SOLVED,     0, "solved") \
    X(INFEASIBLE, 1, "no x satisfies all rows") \
    X(UNBOUNDED,  2, "the objective falls without end") \
    X(ITERATIONS, 3, "the limit of iterations was reached")
// clang-format on
typedef enum snQpStatus {
#define X(name, value, text) SN_QP_##name = value,
    SN_QPSTATUS_TABLE(X)
#undef X
} snQpStatus;

typedef struct snQpResult {
    int status;     ///< snQpStatus
    int iterations; ///< changes of the active set
    int active;     ///< rows and bounds in it at the end
    int row; ///< of SN_QP_INFEASIBLE a row that cannot be met with those active (>= rows: bound of x[row -
             ///< rows]); else -1
    double objective; ///< 1/2 x'Hx + g'x
} snQpResult;

/// Memory for up to n unknowns (1 to 32767) and `rows` rows of A (0 to 2^24; bounds of x are counted apart).
/// NULL with an error.
SN_API snQp* sn_makeQp(int n, int rows, snError* error);
/// Frees it; takes NULL.
SN_API void sn_freeQp(snQp* qp);

/// Solves a problem. x [n]; y [rows + n], may be NULL: multipliers of A's rows, then of the bounds, positive
/// at an upper bound, so that H x + g + A'y_A + y_x = 0. opt NULL: the defaults; result may be NULL.
/// H that is singular: the objective is made strictly convex by a proximal term that is repeated until it
/// vanishes, so x is a minimiser, not one of all; what has no minimum is SN_QP_UNBOUNDED.
/// A status other than solved is no error: x is then the last iterate (feasible for no claim), finite.
/// SN_STATUS_ARGUMENT: sizes, a NaN, lower above upper, H not semidefinite, with the row; x that overflows. x
/// is then as it was. Allocates nothing.  Cost: n^3 / 3 for the factor of H, then O(n active + n rows) a
/// change.
SN_API snStatus sn_solveQp(snQp* qp, const snQpProblem* problem, const snQpOption* opt, double* x, double* y,
                           snQpResult* result, snError* error);

#ifdef __cplusplus
}
#endif
#endif
