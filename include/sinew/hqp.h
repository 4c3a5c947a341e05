// Hierarchies of equalities and inequalities (seed 004, "strict order of priority"): level k = 1 ... p has
// rows
//     lower_k <= A_k x <= upper_k      (lower = upper: an equality)
// with slack v, the distance of a row from its interval. The lexicographic optimum minimises first
// 1/2 sum_i w_i v_i^2 of level 1; among all x that do, that of level 2, its inequalities kept by hard rows,
// and so on. What freedom is left gets the least norm x'Wx. Each level is solved in the null-space basis Z of
// those above: x = x_{k-1} + Z z; rows of an upper level that its optimum violates, or holds at a bound with
// a multiplier, are fixed for all below, the others stay inequalities.
//
// Rows of one level should be of one scale: where their norms times root w are more than six decades apart,
// what the small ones ask may be lost among the rounding of the large ones, up to wrong answers at twelve.
#ifndef SINEW_HQP_H
#define SINEW_HQP_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snHqp snHqp; ///< memory for hierarchies up to a size, and the active sets of the last one

/// A level. The arrays are the caller's, row-major; nothing is written to them.
typedef struct snHqpLevel {
    int rows;                    ///< >= 0
    const double* A;             ///< [rows x n]
    const double *lower, *upper; ///< [rows] may be infinite
    const double* weight;        ///< [rows] w_i >= 0 of v_i^2; NULL: 1; 0 leaves the row out
} snHqpLevel;

/// A hierarchy. The arrays are the caller's; nothing is written to them.
typedef struct snHqpProblem {
    int n, nlevel;           ///< unknowns, >= 1; levels, >= 0
    const snHqpLevel* level; ///< [nlevel]
    const double* W; ///< [n x n] symmetric positive definite, of which the lower triangle is read; NULL: I
} snHqpProblem;

typedef struct snHqpOption {
    int iterations;   ///< changes of active sets, all levels together, at most; 0: 10 (n + rows) + 100
    double tolerance; ///< of a row's violation and of multipliers' signs, relative to 1 + |bound| and the
                      ///< row's norm; 1e-10
    double rank_tolerance;  ///< a row of which no more than this, relative to its norm, is left outside the
                            ///< levels above and the rows before it, takes no direction; negative: 1e-10
    double first_tolerance; ///< rank_tolerance of the first level alone; 0: the same; 0
    bool warmstart;         ///< begin with the last active sets, if sizes are the same; true
    bool weighted; ///< not a hierarchy: level 1 as it is, all others together as one level below it, their
                   ///< weights times level_weight^-(k - 2) of level k; false
    double level_weight; ///< 1e3
} snHqpOption;

/// Sets all options to what stands behind them above.
SN_API void sn_defaultHqpOption(snHqpOption* opt);

typedef struct snHqpResult {
    int status;     ///< SN_QP_SOLVED or SN_QP_ITERATIONS (snQpStatus of qp.h has the values)
    int level;      ///< of SN_QP_ITERATIONS: levels that are solved, whose answer x is; else their number
    int iterations; ///< changes of active sets
    int passes;     ///< 1: the active sets given by the warm start were right
    int freedom;    ///< dimension of what the least norm decided
} snHqpResult;

/// Memory for up to n unknowns (1 to 32767), `levels` levels and `rows` rows in all (each 0 to 2^20). NULL
/// with an error. Takes some 16 (n + rows)^2 bytes.
SN_API snHqp* sn_makeHqp(int n, int levels, int rows, snError* error);
/// Frees it; takes NULL.
SN_API void sn_freeHqp(snHqp* hqp);

// clang-format off
#define SN_HQPSTATE_TABLE(X) \
    X(BELOW, -3, "violated: its level cannot be met, x is under the lower bound") \
    X(LOWER, -1, "held at its lower bound") \
    X(FREE,   0, "between its bounds, or at one that nothing presses on") \
    X(UPPER,  1, "held at its upper bound") \
    X(EQUAL,  2, "an equality, met or not (slack tells)") \
    X(ABOVE,  3, "violated: x is above the upper bound")
// clang-format on
/// What a row is at the optimum.
typedef enum snHqpState {
#define X(name, value, meaning) SN_HQP_##name = value,
    SN_HQPSTATE_TABLE(X)
#undef X
} snHqpState;

/// Solves a hierarchy. x [n]. May be NULL: opt (the defaults), result, state [rows in all]: snHqpState;
/// slack [rows in all]: A x - upper above, A x - lower below, else 0; rank [nlevel]: directions that each
/// level took; violation [nlevel]: sqrt(sum w v^2) of each. SN_STATUS_ARGUMENT, with x as it was: sizes,
/// more than there is memory for, a NaN, an infinite number in A, lower above upper, a negative weight, W
/// not positive definite; it names the level, counted from 1, and its row, from 0. Allocates nothing. Cost:
/// O(n^2 rows) where the active sets of the last solution are right, else twice that and O(n rows) for each
/// change of them.
SN_API snStatus sn_solveHqp(snHqp* hqp, const snHqpProblem* problem, const snHqpOption* opt, double* x,
                            signed char* state, double* slack, int* rank, double* violation,
                            snHqpResult* result, snError* error);

#ifdef __cplusplus
}
#endif
#endif
