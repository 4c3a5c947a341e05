// Linear algebra with ranks, and the recursions of tasks with priorities that follow from it (seed 004).
//
// Matrices are row-major and dense. The rank of A [m x n] is the number of its singular values above the
// tolerance, max(m, n) eps sigma_1 unless a tolerance >= 0 is given, in the unit of A; a negative tolerance
// means this default. Where singular values fall off without a gap the rank is a choice: give a tolerance.
// Singular values come with an absolute error of some eps sigma_1; where the rows of the shorter side differ
// much in size (A = diag(d) B, m <= n), with a relative one of some eps cond(B). What is below 1e-130 sigma_1
// may come out as 0.
// Work memory is the caller's: sn_rankWork(m, n) numbers; nothing is allocated. Outputs may not overlap
// inputs. m and n are >= 0. Where A has a number that is not finite all functions return -1 and leave their
// outputs as they were. Cost: O(m n min(m, n)).
#ifndef SINEW_PSEUDO_INVERSE_H
#define SINEW_PSEUDO_INVERSE_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How many numbers of work memory the functions below need for matrices of m rows and n columns.
SN_API size_t sn_rankWork(int m, int n);

/// A = U diag(s) V': s [min(m, n)] descending, U [m x min(m, n)], V [n x min(m, n)], both with orthonormal
/// columns, also where A has no full rank. U, V may be NULL. Returns the rank. Source: Drmac and Veselic 2008
/// (one-sided Jacobi on a pivoted QR).
SN_API int sn_singularValues(const double* A, int m, int n, double tolerance, double* s, double* U, double* V,
                             double* work);

/// The pseudo-inverse A+ [n x m] of Moore and Penrose: of full column rank the left inverse (A'A)^-1 A', of
/// full row rank the right inverse A'(AA')^-1 (seed 004, "left inverse", "right inverse"), else the one of
/// least norm: of all x that minimise |A x - b| the shortest is A+ b. Returns the rank.
SN_API int sn_pseudoInverse(const double* A, int m, int n, double tolerance, double* out, double* work);

/// The damped pseudo-inverse A'(A A' + damping^2 I)^-1 [n x m], damping >= 0 in the unit of A; 0 is
/// sn_pseudoInverse with its default tolerance. Bounded by 1 / (2 damping). Of Penrose's conditions it keeps
/// the symmetry of A X and X A, not A X A = A and X A X = X: use it for a task's own solution, never to make
/// a projector (damped least squares, Wampler 1986). Returns the rank of A by the default tolerance, -1 where
/// damping is negative or not finite.
SN_API int sn_dampedPseudoInverse(const double* A, int m, int n, double damping, double* out, double* work);

/// The pseudo-inverse weighted by M [n x n], symmetric positive definite, of which the lower triangle is
/// read: of all x that minimise |A x - b| the one with the least x'Mx. With M the joint-space inertia and
/// full row rank it is the dynamically consistent inverse M^-1 A'(A M^-1 A')^-1 (Khatib 1987). Returns the
/// rank of A L^-T, M = L L', whose singular values are those of A M^(-1/2), by the tolerance in their unit;
/// -1 if M is not positive definite (a pivot of its Cholesky factorisation within n eps of the diagonal
/// counts as 0), and out is then as it was.
SN_API int sn_weightedPseudoInverse(const double* A, int m, int n, const double* M, double tolerance,
                                    double* out, double* work);

/// The projector N = I - A+ A [n x n] onto the null space of A (seed 004, "null space"): N N = N, N' = N =
/// N+. Returns the rank of A.
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
/// damping acts on a task's own solution alone: (J_i N_i)+ becomes the damped inverse, over all directions. A
/// direction is kept from lower tasks while its singular value of J_i N_i is above `tolerance`; undamped, a
/// task moves along these only. J_i N_i has rounding errors of some eps |J_i|, so that a tolerance below 16
/// max(rows, n) eps |J_i|, |J_i| the largest sum of absolute values in a row, counts as this; so does a
/// negative one. Tasks of the same priority are one task with the rows of all, scaled by the square roots of
/// their weights. rank [count], may be NULL: ranks of J_i N_i. work [sn_priorityWork]. SN_STATUS_ARGUMENT
/// names the task, from 0, whose sizes or numbers are wrong; x and rank are then not to be used.
SN_API snStatus sn_solvePriorities(int n, int count, const snPriority* tasks, int form, double tolerance,
                                   double* x, int* rank, double* work, snError* error);

#ifdef __cplusplus
}
#endif
#endif
