// The rows of one block with all others fixed. Source: seed 003, 1 and 2.
#ifndef SINEW_LCP_SOLVE_BLOCK_H
#define SINEW_LCP_SOLVE_BLOCK_H

#include "lcp/solve/system.h"

/// inverse of D [n x n], rows padded to four as in snLcpBlock. Where D is singular: of a largest regular
/// part, zero elsewhere, so that D G D = D. Not symmetric D are met, too.
void sn_blockInverse(int n, const double* D, double* inverse);

/// The natural residual of a block at its x and w [rows].
double sn_blockResidual(const snLcpSystem* s, const snLcpBlock* b, const double* w);

/// The step of a row-by-row method: change [8] of x at w [rows]. `follow`: each row sees what those before it
/// moved, as in Gauss-Seidel; the friction of a cone moves together.
void sn_scalarStep(const snLcpSystem* s, const snLcpBlock* b, const double* w, double omega, bool follow,
                   bool backward, double* change);

/// The step of a block method: x + change solves the block exactly for B = D / omega.
void sn_blockStep(const snLcpSystem* s, snLcpBlock* b, const double* w, double omega, bool backward,
                  double* change);

#endif
