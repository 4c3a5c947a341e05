// Singular values and vectors of small dense matrices, from which pseudo-inverses, projectors, bases and
// ranks are made. Source: Drmac and Veselic 2008 (one-sided Jacobi).
#ifndef SINEW_CONTROL_ALGEBRA_SINGULAR_H
#define SINEW_CONTROL_ALGEBRA_SINGULAR_H

#include <stdbool.h>
#include <stddef.h>

/// A = sum_i s_i u_i v_i' of a matrix [m x n] with k = min(m, n) terms, and beyond them the reflections whose
/// product has the long side's vectors in its first k columns. All arrays lie in the caller's work memory.
typedef struct snSingular {
    int m, n, count;   ///< k
    double* s;         ///< [k] descending
    double* left;      ///< rows u_i [k x m], orthonormal
    double* right;     ///< rows v_i [k x n], orthonormal
    double* reflector; ///< [k x max(m, n)], of row i the numbers from i on
    double* scale;     ///< [k]
} snSingular;

/// How many numbers of work memory sn_singular needs.
size_t sn_singularWork(int m, int n);

/// The factors of A, which is left alone and may not lie in `work`. false: A has a number that is not finite.
/// Householder reflections with pivoting take the tall one of A and A' to a triangle R; Jacobi's rotations
/// make the rows of R orthogonal: R' has converged far further than R when they start. Drmac and Veselic
/// 2008.
bool sn_singular(const double* A, int m, int n, double* work, snSingular* out);

/// How many singular values are above the tolerance; negative or NaN: max(m, n) eps s[0].
int sn_singularRank(const snSingular* f, double tolerance);

/// z [n] the j-th vector of an orthonormal basis of what the first `rank` right vectors leave, 0 <= j < n -
/// rank.
void sn_singularNull(const snSingular* f, int rank, int j, double* z);

#endif
