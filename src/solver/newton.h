// Primal Newton with exact line search.
#ifndef SINEW_SOLVER_NEWTON_H
#define SINEW_SOLVER_NEWTON_H

#include "solver/problem.h"

typedef struct snNewtonOption {
    double tolerance, ls_tolerance; ///< as in snOption
    double scale;                   ///< of improvement and gradient: 1 / (meaninertia nv)
    int iterations, ls_iterations;
} snNewtonOption;

/// What the solver leaves: y, the rows' s', their zones and J's', and its statistics.
typedef struct snNewtonResult {
    double* y;      ///< [n] in: where to start; out: the minimiser
    double* force;  ///< [rows.count] s' = - constraint force
    double* zone;   ///< [rows.count] -1, 0, 1: below, inside, above [lo, hi]
    double* grad_s; ///< [n] J' s'
    int niter;
    int bad; ///< pivots that were not positive
} snNewtonResult;

/// Minimises the problem from result->y or, when that costs less or with `warm` off, from 0. Adds statistics
/// to d->solver. Takes scratch; false: the arena is full.
bool sn_newton(snData* d, const snProblem* p, const snNewtonOption* opt, bool warm, snNewtonResult* result);

#endif
