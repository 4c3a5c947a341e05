// An orthonormal basis Z of the directions that the levels so far have left, and rows triangulated in it:
// E = diag(scale) A Z, E Q = [L 0] by Householder reflections with pivoting of rows; Z Q = [Z1 Z2], of which
// Z2 is what the rows leave. Z is kept transposed: a row of n numbers a direction. Source: seed 004, "null
// space"; Kanoun, Lamiraux and Wieber 2011; Escande, Mansard and Wieber 2014.
#ifndef SINEW_CONTROL_HIERARCHY_BASIS_H
#define SINEW_CONTROL_HIERARCHY_BASIS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct snBasis {
    int n, length;      ///< of x; filled up to a multiple of eight, the stride of all here
    double* Z;          ///< [n x length] of which rows from `taken` on are left
    int taken;          ///< directions
    double* E;          ///< [rows x length] L in the first `rank` rows, the dependent rows' parts of Z1 below
    double *V, *beta;   ///< [n x length], [n] reflections 1 - beta v v'
    double *w, *W;      ///< [length], [n x length] work
    double *own, *left; ///< [rows] squared norm of a row of A with its scale; of what is left of it
    int* order;         ///< [rows] which row of those given stands there
    int count, rank;    ///< rows, and of them independent
} snBasis;

size_t sn_basisWork(int n, int rows);
void sn_basisPlace(snBasis* b, int n, int rows, double* work);

/// All directions: Z = I.
void sn_basisBegin(snBasis* b, int n);
/// L and `rank` of `count` rows A[i] of norm[i]: a row whose part outside those before it is not above
/// tolerance times its norm is dependent. Z is as it was.
void sn_basisFactor(snBasis* b, const double* const* A, const double* scale, const double* norm, int count,
                    double tolerance);
/// Z <- Z Q: the first `rank` directions that were left are then Z1, to be taken. Without `whole` Z2 alone is
/// right.
void sn_basisTurn(snBasis* b, bool whole);
/// x += Z Q [y; 0] before Z is turned; y [rank] is destroyed.
void sn_basisMove(snBasis* b, double* y, double* x);
/// Folds the dependent rows into L from the left, |E y - e|^2 = |L y - e_L|^2 + constant; e [count] in
/// `order`.
void sn_basisFold(snBasis* b, double* e);
/// y [rank] <- L^-1 y.
void sn_basisForward(const snBasis* b, double* y);

#endif
