// Linear algebra with ranks, and the recursions of tasks with priorities that follow from it (seed 004).
//
// Matrices are row-major and dense. The rank of A [m x n] is the number of its singular values above the
// tolerance, max(m, n) eps sigma_1 unless a tolerance >= 0 is given, in the unit of A; a negative tolerance
// means this default. Where singular values fall off without a gap the rank is a choice: give a tolerance.
// Work memory is the caller's: sn_rankWork(m, n) numbers; nothing is allocated. Outputs may not overlap
// inputs unless said so.
#ifndef SINEW_PSEUDO_INVERSE_H
#define SINEW_PSEUDO_INVERSE_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How many numbers of work memory the functions below need for matrices of m rows and n columns.
SN_API size_t sn_rankWork(int m, int n);

/// A = U diag(s) V': s [min(m, n)] descending, U [m x min(m, n)], V [n x min(m, n)], both with orthonormal
/// columns, also where A has no full rank. U, V may be NULL. Relative errors of s are about eps (one-sided
/// Jacobi on a pivoted QR). Returns the rank.  Cost: O(m n min(m, n)).
SN_API int sn_singularValues(const double* A, int m, int n, double tolerance, double* s, double* U, double* V,
                             double* work);

/// The pseudo-inverse A+ [n x m] of Moore and Penrose: of full column rank the left inverse (A'A)^-1 A', of
/// full row rank the right inverse A'(AA')^-1, else the one of least norm. Returns the rank.
SN_API int sn_pseudoInverse(const double* A, int m, int n, double tolerance, double* out, double* work);

/// The damped pseudo-inverse A'(A A' + damping^2 I)^-1 [n x m], damping >= 0 in the unit of A; 0 is
/// sn_pseudoInverse with its default tolerance. Bounded by 1 / (2 damping). It satisfies none of Penrose's
/// conditions exactly: use it for a task's own solution, never to make a projector. Returns the rank.
SN_API int sn_dampedPseudoInverse(const double* A, int m, int n, double damping, double* out, double* work);

/// The pseudo-inverse weighted by M [n x n], symmetric positive definite: of all x that minimise |A x - b|
/// the one with the least x'Mx. With M the joint-space inertia and full row rank it is the dynamically
/// consistent inverse M^-1 A'(A M^-1 A')^-1 (Khatib 1987). Returns the rank of A M^(-1/2) by the tolerance,
/// -1 if M is not positive definite, and out is then as it was.
SN_API int sn_weightedPseudoInverse(const double* A, int m, int n, const double* M, double tolerance,
                                    double* out, double* work);

/// The projector N = I - A+ A [n x n] onto the null space of A: N N = N, N' = N = N+. Returns the rank of A.
SN_API int sn_nullProjector(const double* A, int m, int n, double tolerance, double* N, double* work);

/// An orthonormal basis Z of the null space of A: Z [n x n], of which the first n - rank columns are written,
/// row-major with stride n - rank. A Z = 0, Z'Z = I, Z Z' = N. Returns the rank.
SN_API int sn_nullBasis(const double* A, int m, int n, double tolerance, double* Z, double* work);

/// One task of a hierarchy of equalities: J [rows x n] x = b [rows], of which the solution is damped by
/// `damping` (0: not).
typedef struct snPriority {
    int rows;
    const double *J, *b;
    double damping;
} snPriority;

typedef enum snPriorityForm {
    SN_PRIORITY_SUM = 0, ///< x = sum_i N_i (J_i N_i)+ (b_i - J_i sum_{k<i} ...), N_i of all J above i at once
    SN_PRIORITY_RECURSIVE = 1, ///< N_i from N_{i-1} and J_{i-1} N_{i-1}, one level at a time
} snPriorityForm;

/// How many numbers of work memory sn_solvePriorities needs.
SN_API size_t sn_priorityWork(int n, int count, const snPriority* tasks);

/// Tasks in order of priority by projection into null spaces (seed 004, "multi-task priority"; Siciliano and
/// Slotine 1991): x [n] is the least-norm vector that minimises |J_1 x - b_1|, then, among all those,
/// |J_2 x - b_2|, and so on; both forms give the same x up to rounding. N_1 = I; a lower task is reached
/// exactly where J_i N_i has full row rank, else in the least-squares sense. Velocities: J qvel = b.
/// Accelerations: J qacc = b with b = the wanted acceleration less Jdot qvel. Projectors are never damped;
/// damping acts on a task's own solution alone. A direction is kept from lower tasks while its singular value
/// is above `tolerance` (of J_i N_i; negative: max(rows, n) eps sigma_1(J_i)). rank [count], may be NULL:
/// ranks of J_i N_i. SN_STATUS_ARGUMENT names the task whose sizes or numbers are wrong.
SN_API snStatus sn_solvePriorities(int n, int count, const snPriority* tasks, int form, double tolerance,
                                   double* x, int* rank, double* work, snError* error);

#ifdef __cplusplus
}
#endif
#endif
