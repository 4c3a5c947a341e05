// The factored Hessian of the primal problem.
#ifndef SINEW_SOLVER_HESSIAN_H
#define SINEW_SOLVER_HESSIAN_H

#include "solver/primal.h"

/// The Hessian M + J' s'' J. Rows of a cone in its middle zone, whose s'' is not diagonal, enter it as other
/// rows (sn_coneTransform) with weight 1: `quad` differs from the problem's there.
typedef struct snHessian {
    double *H, *diaginv, *work; ///< [n x n], [n], [4 n]
    double* held;               ///< [rows] weights that are in the factor
    bool round;                 ///< a cone was in its middle zone when it was made
    snQuad* quad;               ///< [nquad]
    double* value;              ///< storage for the quads of cones
} snHessian;

/// Takes the arrays as scratch; false: the arena is full.
bool sn_hessianAllocate(snData* d, const snProblem* p, snHessian* h);

/// Factors the Hessian at a point. Returns how many pivots were not positive.
int sn_hessianFactor(const snProblem* p, const snPrimal* s, snHessian* h);

#endif
