// What rows ask for: b and the bounds of lambda, from the rows of efc. Source: seed 003, 1.
#ifndef SINEW_LCP_ROWS_H
#define SINEW_LCP_ROWS_H

#include <sinew/data.h>

/// b [nefc] = J (v + h a), a the acceleration without rows, and what position and restitution add to it:
///     a gap phi > 0: phi / h, so that w + phi / h >= 0; 0 where phi is at most slop / 1000;
///     baumgarte: of a depth beyond the slop erp (phi + slop) / h, of an equality's error erp phi / h, both
///     at most lcp_push; an impact faster than the bounce threshold with restitution e, which would close
///     within the step: so much that it rises from the surface to e^2 of where it came from, which without
///     gravity and distance is w >= -e v-.
/// Reads: efc_vel, efc_pos.
void sn_lcpVelocity(const snModel* m, const snData* d, const double* acceleration, double* b);

/// b of a row without what mends an error of position and what bounces.
double sn_lcpUnmended(const snModel* m, const snData* d, int row, const double* acceleration);

/// The part of b of a row that mends an error of position.
double sn_lcpMending(const snModel* m, const snData* d, int row);

/// The fastest that a row with diagonal A_ii may mend its error: where bodies hardly move along a row they
/// would have to move far for it. By M = L'DL a row's velocity w takes velocities of dofs up to w sqrt(1 /
/// (A_ii D_j)), which may turn by a quarter of a radian in a step, or slide by a decimetre. diagInv [nv]: 1 /
/// D.
double sn_lcpMostMending(const snModel* m, const snData* d, int row, const double* diagInv, double A);

/// Bounds of a row's lambda that is no friction of a contact.
void sn_lcpBounds(const snModel* m, const snData* d, int row, double* lo, double* hi);

#endif
