// Linear systems with many right-hand sides side by side.
//
// Columns X [nv x stride] stand row by row, stride a multiple of four, each row aligned to a vector. What
// fills a row up to the stride goes through the same sums and must be finite.
#ifndef SINEW_DERIVATIVE_STEP_COLUMNS_H
#define SINEW_DERIVATIVE_STEP_COLUMNS_H

#include <sinew/model.h>

/// Y [rows x stride] += A X, A [rows x count] with its rows `step` apart, X [count x stride].
void sn_columnsAddProduct(const double* A, int step, int rows, int count, const double* X, int stride,
                          double* Y);

/// X <- inv(R'R) X with the factor of sn_panelFactor: one panel of n rows, `step` apart.
void sn_columnsSolvePanel(const double* R, const double* inv, int n, int step, double* X, int stride);

/// X <- inv(L'DL) X with the packed factor of sn_factorTree.
void sn_columnsSolveTree(const snModel* m, const double* LD, const double* diagInv, double* X, int stride);

/// X <- inv(A) X or, transposed, inv(A') X with the factor of sn_factorLU.
void sn_columnsSolveLU(const snModel* m, const double* LU, double* X, int stride);
void sn_columnsSolveLUTransposed(const snModel* m, const double* LU, double* X, int stride);

/// Y += M X, M in the layout of qM.
void sn_columnsAddM(const snModel* m, const double* M, const double* X, double* Y, int stride);

#endif
