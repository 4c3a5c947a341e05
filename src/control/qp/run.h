// Kernels on runs of numbers: arrays at 64 bytes, lengths and strides multiples of eight, filled up with
// zeros.
#ifndef SINEW_CONTROL_QP_RUN_H
#define SINEW_CONTROL_QP_RUN_H

#include <stddef.h>

/// A number filled up to a multiple of eight.
static inline int sn_runLength(int n)
{
    return (n + 7) & ~7;
}

double sn_runDot(const double* a, const double* b, int length);
/// y += factor x.
void sn_runAdd(double* y, double factor, const double* x, int length);
/// Turns two runs: x <- c x + s y, y <- c y - s x.
void sn_runTurn(double* x, double* y, double c, double s, int length);
/// y_i = M_i . v of `rows` rows of M.
void sn_rowsDot(const double* M, int rows, int stride, const double* v, int length, double* y);
/// y += sum_i c_i M_i.
void sn_rowsAdd(const double* M, int rows, int stride, const double* c, int length, double* y);
/// M_i <- M_i (1 - beta v v').
void sn_rowsReflect(double* M, int rows, int stride, double beta, const double* v, int length);
/// W_k = sum_i V_ki Z_i, of `count` rows W and `rows` rows Z.
void sn_rowsCombine(const double* V, int count, int vstride, const double* Z, int rows, int stride,
                    int length, double* W);
/// Z_i -= sum_k V_ki W_k, of `rows` rows Z and `count` rows W.
void sn_rowsDeduct(const double* V, int count, int vstride, const double* W, double* Z, int rows, int stride,
                   int length);
/// to [length] = from [n], filled up with zeros; returns the squared norm.
double sn_runTake(double* to, const double* from, int n, int length);
/// E_ij = A_i . Z_j, of `count` rows A_i and `columns` rows Z_j.
void sn_rowsProduct(const double* const* A, int count, const double* Z, int columns, int zstride, int length,
                    double* E, int stride);

/// off_i = max(value_i - high_i, deep_i - value_i) per_i; returns the largest, at least 0.
double sn_runWorst(const double* value, const double* deep, const double* high, const double* per, int length,
                   double* off);
/// r [n] <- R^-1 r, r <- R^-T r of a triangle by columns, of which column j has j + 1 numbers; any n.
void sn_triangleBackward(const double* R, int stride, int n, double* r);
void sn_triangleForward(const double* R, int stride, int n, double* r);

#endif
