// Panels: rows of the triangular factor of a sparse symmetric matrix, H = R'R, that have the same non-zeros.
//
// A panel holds `rows` consecutive rows of R as a dense array [rows x stride], 64-byte aligned, stride a
// multiple of four: first the columns of these rows themselves, padded with zeros to a multiple of four, then
// the columns to their right that are not zero, padded likewise. 1 / R_kk stands apart, in inv [rows]; in the
// factored panel the diagonal and what is left of it in the same four columns are zero.
#ifndef SINEW_MATH_PANEL_H
#define SINEW_MATH_PANEL_H

#include <stdbool.h>

enum { SN_PANEL_UPDATES = 4 }; ///< most rank-one updates that pass over a panel at once

/// Factors a panel in place: above the diagonal H on entry, R on return. Where a pivot is not above SN_MINVAL
/// its row and 1 / R_kk become 0: nothing moves along it. Returns how many were.
int sn_panelFactor(double* a, int rows, int stride, double* inv);

/// The same, piece by piece, with the same bits. All columns and rows that are named are multiples of four,
/// but for the last row. By rows: those in [begin, end) alone, of which those in front of them have been
/// taken off; and what rows [from, to), which are factored, take off rows [begin, end).
int sn_panelFactorRows(double* a, int begin, int end, int stride, double* inv);
void sn_panelTake(double* a, int stride, int from, int to, int begin, int end);
/// By columns: first those in [0, columns), the panel's own among them; then [begin, end), in any order.
int sn_panelFactorLeft(double* a, int rows, int columns, int stride, double* inv);
void sn_panelFactorRight(double* a, int rows, int begin, int end, int stride, const double* inv);

/// C_ij = - sum_k R_ki R_kj of the columns i in [first, first + count) and j >= i, at C[(i - first) stride +
/// j]; what is left of the diagonal is undefined.
void sn_panelProduct(const double* a, int rows, int stride, int first, int count, double* C);

/// The same of columns j in [begin, end) alone, multiples of four.
void sn_panelProductPart(const double* a, int rows, int stride, int first, int count, int begin, int end,
                         double* C);

/// x [stride], in the panel's columns: x <- inv(R') x for its own rows, their part taken off the others.
void sn_panelForward(const double* a, int rows, int stride, const double* inv, double* x);

/// x [stride], whose other columns are solved: x <- inv(R) x for the panel's own rows.
void sn_panelBackward(const double* a, int rows, int stride, const double* inv, double* x);

/// R'R + sum of scale_t v_t v_t', v [count x stride] in the panel's columns, count <= SN_PANEL_UPDATES: its
/// rows [begin, end), all or one part after the other, of the new factor, with v and scale what is left to
/// add to the columns at their right. false when a pivot would not stay positive: the factor is then spoilt.
/// Method: Gill, Golub, Murray and Saunders 1974, C1.
bool sn_panelUpdate(double* a, int begin, int end, int stride, double* inv, double* v, double* scale,
                    int count);

/// y [count] += x [count], at any address.
void sn_addRun(double* y, const double* x, int count);

#endif
