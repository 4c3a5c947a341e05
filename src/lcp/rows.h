// What rows ask for: b and the bounds of lambda, from the rows of efc.
#ifndef SINEW_LCP_ROWS_H
#define SINEW_LCP_ROWS_H

#include <sinew/data.h>

/// b [nefc] = J (v + h a), a the acceleration without rows, and what position and restitution add to it:
///     a gap phi > 0: phi / h, so that w + phi / h >= 0;  a depth beyond the slop: erp (phi + slop) / h;
///     an impact faster than the bounce threshold with restitution e: e v-, so that w >= -e v-;
///     an equality with error phi: erp phi / h.
/// Reads: efc_vel, efc_pos.
void sn_lcpVelocity(const snModel* m, const snData* d, const double* acceleration, double* b);

/// Bounds of a row's lambda that is no friction of a contact.
void sn_lcpBounds(const snModel* m, const snData* d, int row, double* lo, double* hi);

#endif
