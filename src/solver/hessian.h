// The factored Hessian of the primal problem. H = M + J'WJ, W the second derivatives of the rows' costs (seed
// 001, (8)).
#ifndef SINEW_SOLVER_HESSIAN_H
#define SINEW_SOLVER_HESSIAN_H

#include "solver/primal.h"

/// The Hessian M + J' s'' J. Rows of a cone in its middle zone, whose s'' is not diagonal, enter it as other
/// rows (sn_coneTransform) with weight 1: `quad` differs from the problem's there.
typedef struct snHessian {
    double *H, *diaginv;              ///< small: [n x n], [n]
    snFactor factor;                  ///< large
    snPointFactor points;             ///< large, by iteration: what stands for the factor
    double* iterate;                  ///< the same: [4 n + rows] work of conjugate gradients
    double* work;                     ///< small: [4 n]; large: [4 rows of R], zero between calls
    double* strip;                    ///< large: work of sn_assembleRows
    struct snUpdateShare* share;      ///< large: how threads share out updates; NULL: they do not
    struct snAssemblyShare* assembly; ///< large: how they share out its making; NULL: they do not
    double* held;                     ///< [rows] weights that are in the factor
    bool round;                       ///< a cone was in its middle zone when it was made
    snQuad* quad;                     ///< [nquad]
    double* value;                    ///< storage for the quads of cones
} snHessian;

/// Takes the arrays as scratch; false: the arena is full.
bool sn_hessianAllocate(snData* d, const snProblem* p, snHessian* h);

/// Factors the Hessian at a point. Returns how many pivots were not positive.
int sn_hessianFactor(const snProblem* p, const snPrimal* s, snHessian* h);

/// Brings the factor to a point by rank-one updates. Returns how many, or -1 when factoring anew is less work
/// or needed.
int sn_hessianUpdate(const snProblem* p, const snPrimal* s, snHessian* h);

/// The same of a large one, whatever its cones.
int sn_hessianUpdateLarge(const snProblem* p, const double* weight, snHessian* h);

/// Makes the Hessian of a large one from weights, in the panels of the factor.
void sn_hessianAssemble(const snProblem* p, const double* weight, snHessian* h);

/// Lays out h->assembly, h->share, in scratch, if threads share out the factor; without room there is none.
void sn_shareAssembly(snData* d, const snProblem* p, snHessian* h);
void sn_shareUpdates(snData* d, const snProblem* p, snHessian* h);

/// x [n] <- inv(H) x; where there are points, by the incomplete factor alone.
void sn_hessianSolve(const snProblem* p, snHessian* h, double* x);

/// x [n] <- inv(H) x; where there are points, by conjugate gradients until the residual's norm is at most
/// `enough`.
void sn_hessianDirection(const snProblem* p, snHessian* h, double enough, double* x);

/// Numbers in the factor, padding included, and multiplications of one factorisation.
void sn_hessianSize(const snProblem* p, double* numbers, double* products);

#endif
